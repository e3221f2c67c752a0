-- Put a notice into a bot's log, once, and take it out of the outbox, where that is on the same server.
--
-- KEYS  bot hash, log, ids of what was told lately, matches that count as going, invitations, events that wait for the webhook,
--       and the outbox, unless this is a Cluster, where its slot is another
-- ARGV  1 the notice's id   2 event   3 match id   4 now   5 invitation's end ('0': none)   6 the most entries of the log
--       7 ids are remembered for so long (ms)   8 seconds until the log expires   9 news channel   10 news
--       11 the notice as it stands in the outbox   then the entry's fields and values
-- Answers how many events wait for the webhook; -1 if there is no such bot

local hook, removed = unpack(redis.call('HMGET', KEYS[1], 'hook', 'removed'))
local function handed_on(answer)
  if KEYS[7] then redis.call('ZREM', KEYS[7], ARGV[11]) end
  return answer
end
if not hook or removed then return handed_on(-1) end
if redis.call('ZADD', KEYS[3], 'NX', ARGV[4], ARGV[1]) == 0 then return handed_on(redis.call('ZCARD', KEYS[6])) end

local number = redis.call('HINCRBY', KEYS[1], 'number', 1)
redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[6], number .. '-0', unpack(ARGV, 12))
redis.call('EXPIRE', KEYS[2], ARGV[8])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', '(' .. (tonumber(ARGV[4]) - tonumber(ARGV[7])))
redis.call('PEXPIRE', KEYS[3], ARGV[7])

local event, match = ARGV[2], ARGV[3]
if event == 'invited' then
  redis.call('ZADD', KEYS[5], ARGV[5] == '0' and '+inf' or ARGV[5], match)
else
  redis.call('ZREM', KEYS[5], match)
end
if event == 'seated' then redis.call('ZADD', KEYS[4], 'NX', ARGV[4], match) end
if event == 'left' or event == 'ended' then redis.call('ZREM', KEYS[4], match) end

if hook ~= '' and redis.call('HGET', KEYS[1], 'disabled') == '' then redis.call('ZADD', KEYS[6], ARGV[4], number) end
redis.call('PUBLISH', ARGV[9], ARGV[10])
return handed_on(redis.call('ZCARD', KEYS[6]))
