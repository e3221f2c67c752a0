-- Change some fields of a bot, if its key is still the one that was shown.
--
-- KEYS  bot hash
-- ARGV  1 the key's hash ('': any)   2 the hash of the key that is to be, the same if it stays   then fields and values
-- Answers 1 changed, or changed before by the same command | 0 there is no such bot, or another key

local key = redis.call('HGET', KEYS[1], 'key')
if not key or redis.call('HEXISTS', KEYS[1], 'removed') == 1 then return 0 end
if ARGV[1] ~= '' and key ~= ARGV[1] and key ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'key', ARGV[1] == '' and key or ARGV[2], unpack(ARGV, 3))
return 1
