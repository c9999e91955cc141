-- Prints the seconds of each learner on each data set, a line each: LEARNER DATASET SECONDS.
-- usage: crossfold run parts.lua FOLDER REPEATS NAME ...
local cf = require "crossfold"
local native = require "crossfold.native"

local here = arg[0]:match("^(.*/)") or "./"
local learners = dofile(here .. "learners.lua")
local names = {}
for name in pairs(learners) do names[#names + 1] = name end
table.sort(names)
for i = 3, #arg do
  local data = cf.read(("%s/%s.csv"):format(arg[1], arg[i]),
    { target = "class", types = { class = "categorical" } })
  for _, name in ipairs(names) do
    local began = native.seconds()
    cf.evaluate {
      data = data, learners = { [name] = learners[name] }, metrics = "accuracy", seed = 1,
      splitter = cf.splitter("kfold",
        { folds = 10, repeats = math.tointeger(arg[2]), stratify = "as far as possible" }),
    }
    print(("%s %s %.6f"):format(name, arg[i], native.seconds() - began))
  end
end
