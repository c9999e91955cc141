-- What kill_resume_experiment.lua prints, of the last run of a store: `crossfold run ... STORE`. Nothing
-- if there is no run yet.
local cf = require "crossfold"

local ok, found = pcall(cf.stored, { store = arg[1] })
if not ok then
  local early = tostring(found):find("there is no such file", 1, true)
    or tostring(found):find("no run has outer cells", 1, true)
    or tostring(found):find("nothing was stored in it yet", 1, true)
  if not early then error(found, 0) end
  return
end
for _, name in ipairs(found.damaged) do print("damaged", name) end
for _, result in ipairs(found.results) do
  print(result)
  for _, row in ipairs(result:scores()) do
    if row.undefined ~= "not computed yet" then
      print(row.learner, row.repeat_, row.fold, row.metric, row.value or row.undefined)
    end
  end
  for _, row in ipairs(result:failures()) do
    print(row.learner, row.repeat_, row.fold, row.stage, row.message)
  end
end
