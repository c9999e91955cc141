-- cf.label_issues{ data =, learner =, ... } and result:label_issues{ learner = }: rows whose label looks wrong, by
-- confident learning on out-of-fold probabilities. See docs/audit.md and confident_joint.lua.
local native = require "crossfold.native"
local confident_joint = require "crossfold.audit.confident_joint"
local execution = require "crossfold.execution"
local learner = require "crossfold.learner"
local options = require "crossfold.options"
local label_issues_result = require "crossfold.audit.label_issues_result"

local label_issues = {}

local method_options = {
  method = { "string", "by_noise_rate", words = confident_joint.methods,
    doc = "Which rows look wrong: the number of each pair of classes, of each class, both, or all confident rows." },
  rank = { "string", "margin", words = { "margin", "self_confidence" },
    doc = "The order of the rows: the probability of the label less that of the best other class, or alone." },
}
local of_result = options.joined(method_options, {
  learner = { "string", doc = "The learner, where there are several." },
  dataset = { "string", doc = "The dataset, where there are several." },
})
options.declare("Result:label_issues", of_result)

-- The options of result:label_issues.
function label_issues.options(given) return options.check("label_issues", given, of_result) end

local function refuse(job, finding)
  native.fail(("cannot find label issues of '%s' on '%s': %s"):format(job.learner_name, job.dataset, finding))
end

-- The mean probabilities of each row over its predictions, as repeats predict a row several times:
-- { ids =, labels = numbers of classes, probabilities = }, rows in ascending order.
local function rows_of(prediction)
  local number, sums, counts, label_of, ids = {}, {}, {}, {}, {}
  for c, class in ipairs(prediction:classes()) do number[class] = c end
  local truth, probabilities = prediction:truth(), prediction:probabilities()
  for i, id in ipairs(prediction:row_ids()) do
    if not sums[id] then
      ids[#ids + 1], sums[id], counts[id], label_of[id] = id, probabilities[i], 1, number[truth[i]]
    else
      counts[id] = counts[id] + 1
      for c, p in ipairs(probabilities[i]) do sums[id][c] = sums[id][c] + p end
    end
  end
  table.sort(ids)
  local rows = { ids = ids, labels = {}, probabilities = {} }
  for i, id in ipairs(ids) do
    if counts[id] > 1 then
      for c, sum in ipairs(sums[id]) do sums[id][c] = sum / counts[id] end
    end
    rows.labels[i], rows.probabilities[i] = label_of[id], sums[id]
  end
  return rows
end

-- The mean of the highest probabilities and the share of rows where that is the label's; raises if the
-- probabilities are only a name for labels.
local function confidence_of(rows, job)
  local sure, right, certain = 0.0, 0, 0
  for i, p in ipairs(rows.probabilities) do
    local highest = math.max(table.unpack(p))
    sure = sure + highest
    if p[rows.labels[i]] == highest then right = right + 1 end
    if highest > 1 - 1e-12 then certain = certain + 1 end
  end
  if certain == #rows.ids then
    refuse(job, "every probability is 0 or 1, which says nothing of how sure the learner is; use a learner that "
      .. "gives shares, such as random_forest, or cf.calibration")
  end
  return sure / #rows.ids, right / #rows.ids
end

-- The result of one job of an evaluation: `prediction` has all its out-of-fold predictions, `where_from` is what
-- result:provenance() gives.
function label_issues.of_prediction(prediction, job, o, where_from)
  local classes = prediction:classes()
  if not classes then refuse(job, "its target is not categorical; residuals show numbers that look wrong") end
  if not prediction:probabilities() then
    refuse(job, "its predictions are labels, and labels alone do not say how sure the learner is; evaluate a learner "
      .. "that has probabilities with keep = \"probabilities\"")
  end
  local rows, k = rows_of(prediction), #classes
  if k < 2 then refuse(job, "there is one class only") end
  local mean_confidence, accuracy = confidence_of(rows, job)
  local found = confident_joint.of(rows.labels, rows.probabilities, k)
  return label_issues_result.new {
    learner = job.learner_name, dataset = job.dataset, method = o.method, rank = o.rank, classes = classes,
    data_rows = job.data and #job.data or nil, rows = rows, found = found,
    marked = confident_joint.issues(found, rows.labels, rows.probabilities, k, o.method),
    mean_confidence = mean_confidence, accuracy = accuracy, where_from = where_from,
  }
end

label_issues.own_options = options.joined(method_options, {
  learner = { "any", "random_forest", is = "learner", doc = "A learner that gives probabilities." },
  splitter = { "any", is = "splitter|splits",
    doc = "The splits; by default kfold with 5 folds, stratified as far as possible." },
})

local declared = options.declare("label_issues", execution.declare(options.joined(label_issues.own_options, {
  data = { "dataset!", doc = "The dataset." },
  seed = options.seed,
})))

-- Fits the learner on each split. Returns what result:label_issues returns.
function label_issues.new(given)
  local o = options.check("label_issues", given, declared)
  if o.data:task() ~= "classification" then
    native.fail(("cannot find label issues of '%s': its target is not categorical; residuals show numbers that look "
      .. "wrong"):format(o.data:name()))
  end
  local chosen = learner.check(o.learner, "label_issues: option 'learner'")
  local result = require("crossfold.evaluate").new(execution.pass_on(o, {
    data = o.data, learners = { [learner.name(chosen)] = chosen }, metrics = { "accuracy" },
    splitter = o.splitter or native.spec("splitter", "kfold", { folds = 5, stratify = "as far as possible" }),
    seed = o.seed, keep = "probabilities", on_error = "stop",
  }))
  return result:label_issues { method = o.method, rank = o.rank }
end

return label_issues
