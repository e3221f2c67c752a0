-- Rate one match: every entrant's new rating, place in the ranking and history, in one step and once.
--
-- KEYS  marker of the match, ranking, then for each entrant: rating hash, history stream (one hash tag)
-- ARGV  1 seconds to keep the marker   2 the most entries of a history
--       then for each entrant: name, matches before, mu, sigma, place in the ranking, history entry
-- Answers 'done' | 'again': it was rated before, or by the first run of this very command | 'stale': a rating has changed

if redis.call('EXPIRE', KEYS[1], ARGV[1]) == 1 then return 'again' end
local entrants = (#KEYS - 2) / 2
for i = 0, entrants - 1 do
  if (redis.call('HGET', KEYS[3 + 2 * i], 'matches') or '0') ~= ARGV[4 + 6 * i] then return 'stale' end
end
redis.call('SET', KEYS[1], '1', 'EX', ARGV[1])
for i = 0, entrants - 1 do
  local name, before, mu, sigma, place, entry = unpack(ARGV, 3 + 6 * i, 8 + 6 * i)
  local matches = before + 1
  redis.call('HSET', KEYS[3 + 2 * i], 'mu', mu, 'sigma', sigma, 'matches', matches)
  redis.call('ZADD', KEYS[2], place, name)
  redis.call('XADD', KEYS[4 + 2 * i], 'MAXLEN', '~', ARGV[2], matches .. '-0', 'change', entry)
end
return 'done'
