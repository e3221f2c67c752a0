-- Take the lease on one decision of one seat, and count the try; the decision is due again when the lease ends.
--
-- KEYS  match hash, lease hash, due set (one hash tag)
-- ARGV  1 holder   2 now   3 until   4 due member   5 seconds to remember the tries
-- Answers {taken 0|1, tries}. The holder's own second run (its answer was lost) changes nothing and gets the same answer.

local match, lease, due = KEYS[1], KEYS[2], KEYS[3]
local kept = redis.call('HMGET', lease, 'holder', 'until', 'tries')
if kept[1] == ARGV[1] then return {1, tonumber(kept[3])} end
if kept[2] and tonumber(kept[2]) > tonumber(ARGV[2]) then return {0, tonumber(kept[3])} end
if redis.call('EXISTS', match) == 0 then return {0, 0} end
local tries = redis.call('HINCRBY', lease, 'tries', 1)
redis.call('HSET', lease, 'holder', ARGV[1], 'until', ARGV[3])
redis.call('EXPIRE', lease, ARGV[5])
redis.call('ZADD', due, 'XX', ARGV[3], ARGV[4])
return {1, tries}
