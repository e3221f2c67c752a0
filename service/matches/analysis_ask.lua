-- Ask for the analysis of a seat, unless it is complete or somebody is believed to be at it.
--
-- KEYS  match hash, analysis hash (one hash tag)
-- ARGV  1 this request's own random id   2 now   3 until when somebody is believed to be at it   4 seconds to keep it
-- Answers 1 if a worker is to be asked. The request's own second run (its answer was lost) changes nothing and gets the same.

local match, analysis = KEYS[1], KEYS[2]
local kept = redis.call('HMGET', analysis, 'ask', 'until', 'complete', 'outdated')
if kept[1] == ARGV[1] then return 1 end
if kept[3] or kept[4] or tonumber(kept[2] or '0') > tonumber(ARGV[2]) then return 0 end
if redis.call('EXISTS', match) == 0 then return 0 end
redis.call('HSET', analysis, 'ask', ARGV[1], 'until', ARGV[3], 'holder', '')
redis.call('EXPIRE', analysis, ARGV[4])
return 1
