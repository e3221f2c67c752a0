-- Give a lease back before its time; the decision is due at once.
--
-- KEYS  lease hash, due set (one hash tag)
-- ARGV  1 holder   2 now   3 due member

if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'holder', '', 'until', 0)
redis.call('ZADD', KEYS[2], 'XX', ARGV[2], ARGV[3])
return 1
