-- Count a match among those a bot has going, unless it has as many as it takes.
--
-- KEYS  bot's matches
-- ARGV  1 match id   2 now   3 the most ('': as many as there may be)
-- Answers 1 counted, now or before | 0 it has as many as it takes

if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
if ARGV[3] ~= '' and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
return 1
