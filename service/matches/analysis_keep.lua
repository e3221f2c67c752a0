-- Take or keep the work on an analysis, and write what was found.
--
-- KEYS  analysis hash
-- ARGV  1 holder   2 now   3 until when it is held   4 who holds it from now on ('': nobody)   5 news channel   6 news
--       then the fields and values that were found
-- Answers 1; 0, and nothing is written, if it was not asked for, is complete, or is another's.

local kept = redis.call('HMGET', KEYS[1], 'ask', 'holder', 'until', 'complete', 'outdated')
if not kept[1] or kept[4] or kept[5] then return 0 end
local others = kept[2] ~= '' and kept[2] ~= ARGV[1]
if others and tonumber(kept[3]) > tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'holder', ARGV[4], 'until', ARGV[3], unpack(ARGV, 7))
if ARGV[7] then redis.call('PUBLISH', ARGV[5], ARGV[6]) end
return 1
