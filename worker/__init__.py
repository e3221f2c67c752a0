"""Workers: they think for AI seats, and look after what is due.

RQ only carries hints; the match says what is due. A worker sees of a match what the AI's seat may know, and plays through
`service.matches` like everybody else.
"""
