-- Puts a fifth of the rows into a lockbox before any work begins, chooses a learner on the others, and opens the
-- lockbox for the model that was chosen.
local cf = require "crossfold"

local folder = os.tmpname()
os.remove(folder)
local file, model_file = folder .. ".lockbox", folder .. ".cfm"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local iris = cf.read(here .. "/../data/iris.csv", { target = "class" })
local rest, box = cf.lockbox(iris, { file = file, share = 0.2, seed = 1 })
print(("%d rows to work on, %d sealed, %d openings"):format(#rest, box:seal().rows, #box:openings()))

-- All work is on the other rows, and may look at them as often as it likes.
local search = cf.grid_search {
  learner = cf.learner("knn"), grid = { k = { 1, 3, 5, 9, 15 } }, metric = "accuracy",
  splitter = cf.splitter("kfold", { folds = 5, stratify = true }),
}
local model = search:fit(rest, { seed = 1 })
model:save(model_file)

-- One look. It is recorded before the score is known, with its reason.
local answer = box:open(model_file, { reason = "the model of the search is final" })
print(("accuracy %.3f, interval %.3f to %.3f, level %.1f %%"):format(answer.score, answer.low, answer.high,
  100 * answer.level))

-- The same model gives the same answer. That is not another opening.
local again = box:open(model_file, { reason = "to see it again" })
print(again.score == answer.score, #box:openings())

-- Another model is another opening, and its interval is wider for it.
local bayes = cf.learner("naive_bayes"):fit(rest)
local second = box:open(bayes, { reason = "a reviewer asked for naive Bayes" })
print(("accuracy %.3f, interval %.3f to %.3f, level %.2f %%"):format(second.score, second.low, second.high,
  100 * second.level))
for _, opening in ipairs(box:openings()) do print(opening.number, opening.reason) end

-- A model that was fitted on the sealed rows, too, is refused.
local ok, problem = pcall(function() return box:open(cf.learner("knn"):fit(iris), { reason = "a mistake" }) end)
print(ok, (tostring(problem):gsub("^.-'; ", ""):match("the model.*")))

os.remove(file)
os.remove(model_file)
