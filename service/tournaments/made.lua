-- Note that a match in hand was made; nothing happens if it has ended meanwhile.
--
-- KEYS  the matches in hand   ARGV  1 number

if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[1], ARGV[1], '1') end
return 1
