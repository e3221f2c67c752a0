-- One commit: compare the version, then write everything the next one is made of, in one step. Nothing else writes a match.
--
-- KEYS  match hash, events stream, requests hash, due set, outbox, and, where it is to be listed anew: the list of the
--       match's status, the lists of the three others, the set of tokens (one hash tag)
-- ARGV  1 expected version (0: the match must not exist)    2 this commit's own random id
--       3 request field ('': none)   4 what to keep for it  5 field of the seat's latest answer   6 that answer ('': none)
--       7 seconds until all of it expires                   8 news channel                        9 news
--       10 number of due members, then (member, moment or '') each
--       number of notices for bots, then these, and their moment
--       number of event fields, then field, value, ...
--       number of members for the lists: the match's ('': none) and its tokens', then these
--       then the hash's fields and values to the end
-- Answers {'done'} | {'again', kept, latest answer} | {'stale', version} | {'gone'}
--
-- The client repeats a command whose answer was lost: the second run finds its own id in the log entry that the first has
-- written, however many commits have followed. A request that a player sends again finds its field.

local match, events, requests, due = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local expected, commit, request = tonumber(ARGV[1]), ARGV[2], ARGV[3]

local id = string.format('%d-0', expected + 1)
local version = tonumber(redis.call('HGET', match, 'version') or '0')
if version ~= expected then
  local entry = redis.call('XRANGE', events, id, id)[1]
  if entry and entry[2][2] == commit then return {'done'} end
end
if request ~= '' then
  local kept = redis.call('HGET', requests, request)
  if kept then return {'again', kept, redis.call('HGET', requests, ARGV[5]) or ''} end
end
if version ~= expected then
  if version == 0 then return {'gone'} end
  return {'stale', version}
end

-- A full server refuses a script's first write only, and only one that needs memory: so this one comes first.
local due_end = 10 + 2 * tonumber(ARGV[10])
local told_end = due_end + 2 + tonumber(ARGV[due_end + 1])
local logged_end = told_end + 1 + tonumber(ARGV[told_end + 1])
local listed_end = logged_end + 1 + tonumber(ARGV[logged_end + 1])
redis.call('XADD', events, id, 'commit', commit, unpack(ARGV, told_end + 2, logged_end))
redis.call('HSET', match, 'version', expected + 1, unpack(ARGV, listed_end + 1))
for i = 11, due_end, 2 do
  if ARGV[i + 1] == '' then
    redis.call('ZREM', due, ARGV[i])
  else
    redis.call('ZADD', due, ARGV[i + 1], ARGV[i])
  end
end
for i = due_end + 2, told_end - 1 do redis.call('ZADD', KEYS[5], ARGV[told_end], ARGV[i]) end
if KEYS[6] then
  local listed = ARGV[logged_end + 2]
  if listed ~= '' then
    redis.call('ZADD', KEYS[6], 0, listed)
    for i = 7, 9 do redis.call('ZREM', KEYS[i], listed) end
  end
  for i = logged_end + 3, listed_end do redis.call('ZADD', KEYS[10], 0, ARGV[i]) end
end
redis.call('EXPIRE', match, ARGV[7])
redis.call('EXPIRE', events, ARGV[7])
if request ~= '' then
  redis.call('HSET', requests, request, ARGV[4])
  if ARGV[6] ~= '' then redis.call('HSET', requests, ARGV[5], ARGV[6]) end
end
redis.call('EXPIRE', requests, ARGV[7])
redis.call('PUBLISH', ARGV[8], ARGV[9])
return {'done'}
