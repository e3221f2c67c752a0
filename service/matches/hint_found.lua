-- Answer a hint, once, and forget what its seat knew.
--
-- KEYS  the hint, the seat's book of hints (one hash tag)
-- ARGV  1 id of the request that is answered   2 version   3 what was found   4 news channel   5 news

local kept = redis.call('HMGET', KEYS[1], 'ask', 'found')
if kept[1] ~= ARGV[1] or kept[2] then return 0 end
redis.call('HSET', KEYS[1], 'found', ARGV[3])
redis.call('HDEL', KEYS[1], 'redacted')
if redis.call('HGET', KEYS[2], 'version') == ARGV[2] then redis.call('HSET', KEYS[2], 'until', 0) end
redis.call('PUBLISH', ARGV[4], ARGV[5])
return 1
