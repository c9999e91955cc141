-- engine_test.lua PLAIN_R DATA: functions of R through the engine and the plugin `exec` give the labels of plain R, on
-- the same folds and with the same seeds.
local cf = require "crossfold"
local plain_r, folder = arg[1], arg[2]

--###begin learners
local forest = cf.learner("r_formula", { fun = "randomForest::randomForest", settings = { ntree = 50 } })
local lasso = cf.learner("r_formula", { fun = "glmnet::glmnet", predict_settings = { s = 0.01 } })
local logit = cf.learner("r_formula", { fun = "stats::glm", formula = "~ `petal length (cm)`" })
--###end learners
local learners = {
  rpart = cf.learner("r_formula", { fun = "rpart::rpart" }),
  nnet = cf.learner("r_formula", { fun = "nnet::nnet", settings = { size = 3 } }),
  glmnet = lasso,
  randomForest = forest,
  svm = cf.learner("r_formula", { fun = "e1071::svm" }),
  glm = logit,
}

-- The seed that the program of a folder gets from learner:fit(data, { seed = seed }).
local function seed_of(seed) return cf.seed(seed, "fit") >> 33 end

-- "svm 0" -> what plain R predicts.
local function plain_labels()
  local command = ("Rscript '%s' '%s'"):format(plain_r, folder)
  for fold = 0, 4 do command = command .. " " .. seed_of(fold) end
  local found = {}
  for line in assert(io.popen(command)):lines() do
    local case, fold, labels = line:match("^(%a+) (%d) (.*)$")
    if case then found[case .. " " .. fold] = labels end
  end
  return found
end

local function labels_of(learner, data, fold)
  local train, test = {}, {}
  for i = 1, #data do table.insert((i - 1) % 5 == fold and test or train, i) end
  local model = learner:fit(data:select(train), { seed = fold })
  return table.concat(model:predict(data:select(test)):labels(), " ")
end

local iris = cf.read(folder .. "/iris.csv", { target = "class" })
local two = iris:filter(function(row) return row.class ~= "setosa" end)
local expected, compared = plain_labels(), 0
for name, learner in pairs(learners) do
  for fold = 0, 4 do
    local labels = labels_of(learner, name == "glm" and two or iris, fold)
    local plain = expected[name .. " " .. fold]:gsub("%s+$", "")
    if labels ~= plain then
      error(("%s, fold %d:\n%s\nin plain R:\n%s"):format(name, fold, labels, plain), 0)
    end
    compared = compared + 1
  end
end
print(compared .. " folds compared")
