-- Ask for a hint: count it, and keep what the asker's seat may know until somebody has thought about it.
--
-- KEYS  match hash, the hint, the seat's book of hints (one hash tag)
-- ARGV  1 this request's own random id   2 version the hint is about   3 now   4 until when it is waited for
--       5 the most hints of a seat       6 seconds to keep it          7 seconds to keep the book
--       then the hint's fields and values to the end
-- Answers {'asked'} | {'known'} | {'stale'} | {'running', version} | {'limit'}. The request's own second run (its answer
-- was lost) changes nothing and gets the same answer. What was waited for in vain is asked again and not counted again.

local match, hint, book = KEYS[1], KEYS[2], KEYS[3]
local kept = redis.call('HMGET', hint, 'ask', 'found')
if kept[1] == ARGV[1] then return {'asked'} end
if kept[2] then return {'known'} end
if redis.call('HGET', match, 'version') ~= ARGV[2] then return {'stale'} end
local counted = redis.call('HMGET', book, 'count', 'version', 'until')
if tonumber(counted[3] or '0') > tonumber(ARGV[3]) then return {'running', tonumber(counted[2])} end
if not kept[1] and tonumber(counted[1] or '0') >= tonumber(ARGV[5]) then return {'limit'} end

redis.call('HSET', hint, 'ask', ARGV[1], 'until', ARGV[4], unpack(ARGV, 8))
redis.call('HSET', book, 'version', ARGV[2], 'until', ARGV[4])
if not kept[1] then redis.call('HINCRBY', book, 'count', 1) end
redis.call('EXPIRE', hint, ARGV[6])
redis.call('EXPIRE', book, ARGV[7])
return {'asked'}
