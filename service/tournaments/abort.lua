-- Abort a running tournament; the matches in hand are still to be ended.
--
-- KEYS  tournament, its matches in hand, due set (one hash tag)
-- ARGV  1 id   2 now, in ms
-- Answers the status before, '' if there is none

local status = redis.call('HGET', KEYS[1], 'status')
if status == 'running' then
  redis.call('HSET', KEYS[1], 'status', 'aborted', 'ended', ARGV[2], 'changed', ARGV[2])
  if redis.call('HLEN', KEYS[2]) == 0 then
    redis.call('ZREM', KEYS[3], ARGV[1])
  else
    redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
  end
end
return status or ''
