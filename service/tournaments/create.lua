-- Create a tournament, once.
--
-- KEYS  tournament, list, due set (one hash tag)
-- ARGV  1 id   2 digest of the request   3 the most that may run   4 member for the list   5 now, in ms
--       6 seconds until it expires   then the hash's fields and values
-- Answers 'done' (also to the second run of this very command) | 'reused' | 'limit'

local digest = redis.call('HGET', KEYS[1], 'digest')
if digest then
  if digest == ARGV[2] then return 'done' end
  return 'reused'
end
if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[3]) then return 'limit' end
redis.call('HSET', KEYS[1], unpack(ARGV, 7))
redis.call('EXPIRE', KEYS[1], ARGV[6])
redis.call('ZADD', KEYS[2], 0, ARGV[4])
redis.call('ZADD', KEYS[3], ARGV[5], ARGV[1])
return 'done'
