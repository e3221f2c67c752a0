-- Make a bot, unless there is or was one of its name.
--
-- KEYS  bot hash
-- ARGV  1 what tells this request from others ('': its own random id; the client repeats a command whose answer was lost)
--       then the hash's fields and values
-- Answers the salt: made, now or by the same request before | nil: the name is taken

local made = redis.call('HGET', KEYS[1], 'made')
if made then return made == ARGV[1] and redis.call('HGET', KEYS[1], 'salt') end
redis.call('HSET', KEYS[1], 'made', unpack(ARGV))
return redis.call('HGET', KEYS[1], 'salt')
