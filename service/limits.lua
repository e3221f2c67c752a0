-- Count one request against one limit: a bucket that fills evenly, kept as the moment at which it will be full again.
--
-- KEYS  the bucket
-- ARGV  1 now (ms)   2 the time in which an empty bucket fills (ms)   3 how many requests it holds
-- Answers {1 allowed or 0 refused, how many are left, in how many ms there is room for one more (refused) or all are back}

local now, window, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local after = full + window / most
if after - now > window then return {0, 0, math.ceil(after - now - window)} end
redis.call('SET', KEYS[1], string.format('%.3f', after), 'PX', math.ceil(after - now))
return {1, math.floor((window - (after - now)) * most / window + 0.000001), math.ceil(after - now)}
