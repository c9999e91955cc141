-- cf.score{ truth =, predicted =, metrics = }: metrics of plain lists, without data and learner.
--   truth          class names, or numbers for regression
--   predicted      the same; may be left out if there are probabilities
--   probabilities  a list for each row, in the order of `classes`, which must be given with it
--   classes        all classes in order; default: those of the lists, in the order of a dataset's
--   weights        of the rows; costs: a matrix, rows by truth, in class order; positive: as in cf.dataset
-- cf.score{ prediction =, metrics = } scores what a model or cf.cross_predict predicted, against the
-- target of the rows.
-- Returns name of the metric -> value; `undefined` maps the names of those without one to the reason.
local metric = require "crossfold.metric"
local native = require "crossfold.native"
local options = require "crossfold.options"

local function check_list(name, list, wanted, n)
  options.list(("score: option '%s'"):format(name), list)
  for i, element in ipairs(list) do
    if type(element) ~= wanted then
      native.fail("score: element %d of '%s' is a %s, not a %s", i, name, type(element), wanted)
    end
  end
  if n and #list ~= n then native.fail("score: the length of '%s' is %d, that of 'truth' %d", name, #list, n) end
end

-- Probabilities and costs stand in the order of the classes: a class given twice would shift them.
local function check_each_once(classes)
  local seen = {}
  for i, class in ipairs(classes) do
    if seen[class] then native.fail("score: element %d of 'classes' is '%s' again; name each class once", i, class) end
    seen[class] = true
  end
end

-- All classes in order, each once.
local function classes_of(o)
  local seen, classes = {}, {}
  for _, list in ipairs(o.classes and { o.classes } or { o.truth, o.predicted }) do
    for _, class in ipairs(list) do
      if not seen[class] then classes[#classes + 1] = class end
      seen[class] = true
    end
  end
  return o.classes and classes or native.order_levels(classes), seen
end

local function check_known(name, list, known, classes)
  for i, class in ipairs(list) do
    if not known[class] then
      native.fail("score: element %d of '%s' is '%s', which is not one of the classes: %s", i, name, class,
        table.concat(classes, ", "))
    end
  end
end

local function check_probabilities(o, classes)
  check_list("probabilities", o.probabilities, "table", #o.truth)
  if not o.classes then
    native.fail("score: option 'classes' is missing; it says which probability is of which class")
  end
  for i, row in ipairs(o.probabilities) do
    if #row ~= #classes then
      native.fail("score: the length of row %d of 'probabilities' is %d, there are %d classes", i, #row, #classes)
    end
  end
end

local function check_classification(o)
  if o.classes then
    check_list("classes", o.classes, "string")
    check_each_once(o.classes)
  end
  check_list("truth", o.truth, "string")
  if o.predicted then check_list("predicted", o.predicted, "string", #o.truth) end
  local classes, known = classes_of(o)
  check_known("truth", o.truth, known, classes)
  check_known("predicted", o.predicted or {}, known, classes)
  if o.probabilities then check_probabilities(o, classes) end
  return { name = "truth", values = o.truth, levels = classes }
end

local function check_regression(o)
  for _, name in ipairs { "classes", "costs", "positive" } do
    if o[name] then native.fail("score: option '%s' is for classes; the truth is numbers", name) end
  end
  check_list("truth", o.truth, "number")
  check_list("predicted", o.predicted, "number", #o.truth)
  return { name = "truth", values = o.truth }
end

-- The lists as a dataset without features, and its prediction.
local function prediction_of(o, column, classifies)
  local columns, roles = { column }, { target = "truth", positive = o.positive }
  if o.weights then
    check_list("weights", o.weights, "number", #o.truth)
    columns[2] = { name = "weight", values = o.weights }
    roles.weights = "weight"
  end
  local data = native.dataset("lists", columns, roles)
  if o.costs then data = data:with_costs(o.costs) end
  return native.prediction(data, classifies
    and { labels = o.predicted, probabilities = o.probabilities } or { values = o.predicted })
end

-- Each metric once, by its name. `given` are the metrics as the caller wrote them: "f1_macro" is found as
-- that, too.
local function score_all(metrics, given, prediction)
  local values, reasons, names = {}, {}, {}
  for i, one in ipairs(metrics) do
    local name = metric.name(one)
    values[name], reasons[name] = metric.score(one, prediction)
    if type(given[i]) == "string" then names[given[i]] = name end
  end
  local function find_by_given(list, key) return rawget(list, names[key]) end
  values.undefined = setmetatable(reasons, { __index = find_by_given })
  return setmetatable(values, { __index = find_by_given })
end

local lists = { "truth", "predicted", "probabilities", "classes", "weights", "costs", "positive" }

-- A prediction that exists brings its rows, and with them all the rest.
local function refuse_lists(o)
  for _, name in ipairs(lists) do
    if o[name] then native.fail("score: option '%s' goes with plain lists; a prediction has its own", name) end
  end
end

local declared = options.declare("score", {
  metrics = { "any!", is = "metrics", doc = "The metrics." },
  prediction = { "any", is = "prediction", doc = "A prediction that has the truth, instead of the lists." },
  truth = { "table", is = "any[]", doc = "The true class or value of each row." },
  predicted = { "table", is = "any[]", doc = "The predicted class or value of each row." },
  probabilities = { "table", is = "number[][]", doc = "The probabilities of each row, in the order of `classes`." },
  weights = { "table", is = "number[]", doc = "The weight of each row; default 1." },
  classes = { "table", is = "string[]", doc = "The classes; default those of the truth, sorted." },
  costs = { "table", doc = "The costs of wrong predictions, in the order of `classes`, rows by truth." },
  positive = { "string", doc = "The class that metrics of one class are of; default the second of two." },
})

local score = {}

function score.new(given)
  local o = options.check("score", given, declared)
  local metrics = metric.list(o.metrics, "score: option 'metrics'")
  local as_given = type(o.metrics) == "table" and o.metrics or { o.metrics }
  if o.prediction ~= nil then
    if native.kind(o.prediction) ~= "prediction" then
      native.fail("score: option 'prediction' is a %s, not a prediction; give 'truth' and 'predicted' for plain lists",
        type(o.prediction))
    end
    refuse_lists(o)
    return score_all(metrics, as_given, o.prediction)
  end
  if not o.truth then
    native.fail("score: option 'truth' is missing")
  end
  if #o.truth == 0 then native.fail("score: 'truth' is empty; there is nothing to score") end
  if not (o.predicted or o.probabilities) then
    native.fail("score: option 'predicted' is missing; give it or 'probabilities'")
  end
  local classifies = o.probabilities ~= nil or type(o.truth[1]) ~= "number"
  local column = (classifies and check_classification or check_regression)(o)
  return score_all(metrics, as_given, prediction_of(o, column, classifies))
end

return score
