-- Take up the result of one match, once.
--
-- KEYS  tournament, its matches in hand, its results, its standings, due set (one hash tag)
-- ARGV  1 id   2 number of the match   3 how many had ended when the standings were computed   4 result   5 1: without one
--       6 how many matches in all   7 now, in ms   8 seconds until it expires while it runs   9 and then
--       then entrant, standing, ...
-- Answers 'done' | 'again': it was taken up before | 'stale': another result came first | 'gone'

local done = redis.call('HGET', KEYS[1], 'done')
if not done then return 'gone' end
if redis.call('HEXISTS', KEYS[3], ARGV[2]) == 1 then return 'again' end
if done ~= ARGV[3] then return 'stale' end
redis.call('HSET', KEYS[3], ARGV[2], ARGV[4])
redis.call('HDEL', KEYS[2], ARGV[2])
redis.call('HSET', KEYS[1], 'done', done + 1, 'changed', ARGV[7])
redis.call('HINCRBY', KEYS[1], 'void', ARGV[5])
if ARGV[10] then redis.call('HSET', KEYS[4], unpack(ARGV, 10)) end
if done + 1 == tonumber(ARGV[6]) and redis.call('HGET', KEYS[1], 'status') == 'running' then
  redis.call('HSET', KEYS[1], 'status', 'over', 'ended', ARGV[7])
end
local kept = ARGV[8]
if redis.call('HGET', KEYS[1], 'status') ~= 'running' and redis.call('HLEN', KEYS[2]) == 0 then
  redis.call('ZREM', KEYS[5], ARGV[1])
  kept = ARGV[9]
end
for i = 1, 4 do redis.call('EXPIRE', KEYS[i], kept) end
return 'done'
