-- Take the next matches of a running tournament in hand, as many as may be played at once.
--
-- KEYS  tournament, its matches in hand (one hash tag)
-- ARGV  1 how many at once   2 how many in all   3 seconds until it expires
-- Answers the matches in hand: number, '0' (to be made) or '1' (made), ...

if redis.call('HGET', KEYS[1], 'status') == 'running' then
  local begun = tonumber(redis.call('HGET', KEYS[1], 'begun'))
  local hand = redis.call('HLEN', KEYS[2])
  while hand < tonumber(ARGV[1]) and begun < tonumber(ARGV[2]) do
    redis.call('HSET', KEYS[2], begun, '0')
    begun = begun + 1
    hand = hand + 1
  end
  redis.call('HSET', KEYS[1], 'begun', begun)
  redis.call('EXPIRE', KEYS[1], ARGV[3])
  redis.call('EXPIRE', KEYS[2], ARGV[3])
end
return redis.call('HGETALL', KEYS[2])
