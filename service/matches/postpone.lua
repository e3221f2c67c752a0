-- Move a due member on, unless it has been moved since it was read: of several sweepers one looks at it.
--
-- KEYS  due set
-- ARGV  1 member   2 moment as read   3 new moment ('': none, take it out)

local moment = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not moment or tonumber(moment) ~= tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
end
return 1
