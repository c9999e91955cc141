-- What functions and methods give has the fields that crossfold.d.lua says, of these types, and
-- no others; and every field is there at some time.
local lu = require "luaunit"
local cf = require "crossfold"
local cases = require "meta_cases"
local definitions = require "definitions"
local fixtures = require "fixtures"

local defined = definitions.read()

-- Fields that were looked for, by class, and whether they were there: seen[class][field].
local seen

local mismatch

-- Tables that may be nil and are not marked so: who reads on in them would have to look first every time.
local at_times = {}
for _, class in ipairs { "BiasVarianceRow", "BiasVarianceParts" } do
  for _, name in ipairs { "kohavi_wolpert", "kohavi_wolpert_unbiased", "domingos" } do
    at_times[class .. "." .. name] = true
  end
end

-- Objects have more fields than those that scripts may read.
local function fields_mismatch(value, class, where)
  local fields = defined:members(class)
  local is_object = next(defined:members(class, "methods")) ~= nil
  for key in pairs(value) do
    if not fields[key] and not is_object then
      return ("%s: %s has no field '%s'"):format(where, class, tostring(key))
    end
  end
  for name, field in pairs(fields) do
    local of_field = field.class:gsub("^crossfold%.", "") .. "." .. name
    local of_class = seen[field.class] or {}
    seen[field.class], of_class[name] = of_class, of_class[name] or value[name] ~= nil
    if not (value[name] == nil and (field.optional or at_times[of_field])) then
      local problem = mismatch(value[name], field.type, where .. "." .. name)
      if problem then return problem end
    end
  end
end

local function list_mismatch(value, element, where)
  if type(value) ~= "table" then return ("%s is a %s, no list"):format(where, type(value)) end
  for key, one in pairs(value) do
    if math.type(key) ~= "integer" then return ("%s has the key '%s'"):format(where, tostring(key)) end
    local problem = mismatch(one, definitions.type(element), ("%s[%d]"):format(where, key))
    if problem then return problem end
  end
end

local function table_mismatch(value, key_type, value_type, where)
  if type(value) ~= "table" then return ("%s is a %s, no table"):format(where, type(value)) end
  for key, one in pairs(value) do
    local at = ("%s[%s]"):format(where, tostring(key))
    local problem = mismatch(key, { key_type }, at) or mismatch(one, definitions.type(value_type), at)
    if problem then return problem end
  end
end

-- Why `value` is not of this member of a type; nil if it is.
local function member_mismatch(value, member, where)
  local element, key, of_key = member:match("^(.*)%[%]$"), member:match("^table<(%w+), (.*)>$")
  local inner = member:match("^%((.*)%)$")
  if inner then return mismatch(value, definitions.type(inner), where) end
  if element then return list_mismatch(value, element, where) end
  if key then return table_mismatch(value, key, of_key, where) end
  if defined.classes[member] and next(defined:members(member)) then
    if type(value) ~= "table" then return ("%s is a %s, not %s"):format(where, type(value), member) end
    return fields_mismatch(value, member, where)
  end
  local is = member == "any" or type(value) == member or math.type(value) == member
    or member:match('^"(.*)"$') == value and value ~= nil or defined.classes[member] ~= nil
  return not is and ("%s is %s, not %s"):format(where, tostring(value), member) or nil
end

-- The same of a type: nil if one member fits.
function mismatch(value, members, where)
  local problem
  for _, member in ipairs(defined:expanded(members)) do
    problem = member_mismatch(value, member, where)
    if not problem then return nil end
  end
  return problem
end

-- What the functions give -------------------------------------------------------------------------------

local iris, separable = fixtures.iris(), fixtures.separable()
local folds = cf.splitter("kfold", { folds = 2, repeats = 2 })

local function evaluate(changes)
  return cf.evaluate(fixtures.with({ data = not changes.datasets and iris or nil, splitter = folds,
    metrics = "accuracy" }, changes))
end
local objects = cases.objects()

local broken = cf.learner { name = "broken", fit = function() error("broken") end, predict = print }

local function with_failures(more)
  return evaluate(fixtures.with({ metrics = { "accuracy", "log_loss" },
    learners = { works = "knn", fails = broken } }, more))
end
local rounding = cf.learner("debug", { action = "change_rounding" })
local penguins = cf.read(data_folder .. "/penguins.csv", { target = "sex", drop_missing = { "target" } })

-- Two classes of which few rows are tested together, so that some metrics are scored on all of them.
local function small_folds(metrics, keep)
  return evaluate { data = separable, learners = { near = "knn", constant = "featureless" }, metrics = metrics,
    splitter = cf.splitter("kfold", { folds = 3, stratify = true }), keep = keep }
end

local results = { objects.Result, with_failures { on_error = cf.learner("featureless") }, with_failures {},
  evaluate { learners = rounding }, evaluate { data = penguins, learners = "featureless" },
  evaluate { data = separable, learners = "naive_bayes", metrics = "recall" } }

-- What `method` of each of these gives.
local function of_all(list, method, ...)
  local all = {}
  for i, object in ipairs(list) do all[i] = object[method](object, ...) end
  return all
end

-- What f(rest, lockbox, path) gives for a new lockbox.
local function of_a_lockbox(f)
  local path = os.tmpname()
  os.remove(path)
  local rest, lockbox = cf.lockbox(iris, { file = path })
  local found = f(rest, lockbox, path)
  os.remove(path)
  return found
end

-- Opens it with scores that have an interval, one that has none, and one that does not exist.
local function opened(rest, lockbox)
  local found, model = {}, cf.learner("knn"):fit(rest)
  local function open(metric)
    local ok, opening = pcall(function() return lockbox:open(model, { reason = "a test", metric = metric }) end)
    if ok then found[#found + 1] = opening end
  end
  open("accuracy")
  open("error_rate")
  open(cf.metric { name = "equal", direction = "higher", score = function() return 2 end })
  open(cf.metric { name = "undefined", direction = "higher", score = function() return nil, "there is none" end })
  return found
end

local function provenance_with_lockbox()
  local found = of_all(results, "provenance")
  local function add(rest)
    found[#found + 1] = evaluate { data = rest, learners = "featureless" }:provenance()
  end
  of_a_lockbox(function(rest, lockbox, path)
    opened(rest, lockbox)
    add(rest)
    os.remove(path)
    add(rest)
  end)
  return found
end

local function search(kind, more)
  more.learner, more.metric, more.metrics = more.learner or "knn", "accuracy", "log_loss"
  more.splitter = cf.splitter("kfold", { folds = 3, repeats = 2 })
  more.grid = not more.space and (more.grid or { k = { 1, 3, 49 } }) or nil
  return kind(more)
end

local space = { k = { low = 1, high = 20 } }

-- Sessions of a search, one without and one with reports.
local function sessions()
  local asked = search(cf.model_search, { space = space }):session()
  asked:ask(2)
  asked:tell(1, 0.5)
  asked:tell(2, nil, "it failed")
  return { objects.Search:session(), asked }
end

-- What searches and steps after learners choose; one of them fails where row 1 is tested.
local function tuned()
  local two = cf.splitter("kfold", { folds = 2 })
  local grid = search(cf.grid_search, { choose = "within_noise", simplest = { k = "higher" },
    budget = { cells = 12 } })
  local simplest = search(cf.grid_search, { choose = "simplest in the set", simplest = { k = "higher" } })
  local function told(data, learner)
    return evaluate { data = data, splitter = two, learners = learner }:tuning()
  end
  local in_a_fold = cf.learner("debug", { action = "not_converged", stage = "predict", when_row = 0 })
  return { told(iris, grid), told(iris, simplest), told(iris, search(cf.halving_search, { min_resource = 0.5 })),
    told(iris, search(cf.model_search, { space = space, candidates = 12 })),
    told(iris, search(cf.hyperband, { space = space, min_resource = 0.3 })),
    told(iris, search(cf.race_search, { min_folds = 3, every = 1, error = 0.3 })),
    told(separable, search(cf.grid_search, { learner = in_a_fold, grid = { stage = { "predict" } } })),
    told(separable, cf.pipeline { grid, cf.threshold { metric = "f1", positive = "low", splitter = two } }),
    told(separable, cf.pipeline { "naive_bayes", cf.calibration { method = "platt", splitter = two } }) }
end

-- Intervals by all methods, and one that is not there.
local function intervals()
  local holdouts = evaluate { learners = "knn", splitter = cf.splitter("holdout", { repeats = 3, test_share = 0.1 }) }
  local own = evaluate { learners = "knn",
    splitter = cf.splitter("kfold", { folds = 3, shuffle = false, order = "interleaved" }) }
  local few = evaluate { data = separable, learners = "knn", seed = 1, splitter = cf.splitter("kfold", { folds = 4 }) }
  return { objects.Result:interval { method = "clt" }, own:interval(), few:interval { method = "nested" },
    own:interval { method = "nested" }, holdouts:interval { method = "corrected_t" },
    holdouts:interval { method = "conservative_z", pairs = 10 } }
end

-- A learner that fails in its first fit, and then calls everything setosa.
local function moody()
  local fits = 0
  return cf.learner { name = "moody",
    fit = function()
      fits = fits + 1
      if fits == 1 then error("moody") end
    end,
    predict = function(_, rows) return fixtures.repeated("setosa", #rows) end }
end

-- Comparisons by all tests, of two and of three learners, and of what cannot be compared.
local function comparisons()
  local all, two = {}, { x = "knn", y = "naive_bayes" }
  local function add(splitter, learners, given, datasets)
    local result = evaluate { datasets = datasets or { iris = iris }, learners = learners, splitter = splitter }
    all[#all + 1] = cf.compare(result, given)
  end
  local five_by_two = cf.splitter("kfold", { folds = 2, repeats = 5 })
  add("holdout", two, { test = "mcnemar" })
  add("holdout", two, { test = "anytime" })
  add("holdout", { x = "knn", y = "featureless" }, { test = "anytime" })
  add(five_by_two, two, { test = "five_by_two_t" })
  add(five_by_two, { x = "knn", y = "featureless" })
  add(five_by_two, { x = "knn", y = broken })
  add(five_by_two, { x = "knn", y = moody() })
  local six, three = {}, { x = "knn", y = "naive_bayes", z = "featureless" }
  for i = 1, 6 do six["d" .. i] = iris:select((cf.split("holdout", iris, { seed = i }):rows(1))) end
  add(folds, two, nil, six)
  add(folds, two, nil, { a = six.d1, b = six.d2 })
  add(folds, three, { control = "z" }, six)
  all[#all + 1] = cf.compare(evaluate { data = separable, learners = two, metrics = "recall" })
  return all
end

-- Of two and of three datasets by both tests.
local function posteriors()
  local all, parts = {}, {}
  for i = 1, 3 do parts["d" .. i] = iris:select((cf.split("holdout", iris, { seed = i }):rows(1))) end
  local result = evaluate { datasets = parts, learners = { x = "knn", y = "naive_bayes" } }
  for _, given in ipairs { {}, { bayes = "hierarchical", datasets = { "d1", "d2" } }, { bayes = "hierarchical" } } do
    all[#all + 1] = cf.compare(result, given):posterior { a = "x", b = "y", points = 2 }
  end
  return all
end

-- With levels that are not judged, that have no spread, and whose rows come in groups.
local function subgroups()
  local made, found = cases.objects().Result, { cases.objects().Subgroups }
  local data = cf.dataset { target = "y", groups = "who", columns = { { name = "who", values = { 1, 1, 2, 2, 3, 3 } },
    { name = "y", values = { "a", "b", "a", "b", "a", "a" } } } }
  local grouped = evaluate { data = data, splitter = "leave_one_group_out", learners = "featureless" }
  found[2] = grouped:subgroups { by = "who", min_rows = 2 }
  found[3] = grouped:subgroups { by = "y", min_rows = 2, samples = 20 }
  found[4] = made:subgroups { learner = "knn", by = function() return "all" end, samples = 20 }
  found[5] = made:subgroups { learner = "knn", by = "class", metric = "cohen_kappa", samples = 20 }
  found[6] = made:subgroups { learner = "knn", by = "petal width (cm)", bins = 3, metric = "cohen_kappa", samples = 20,
    min_rows = 10 }
  return found
end

local function curves()
  local all = {}
  for _, kind in ipairs { "roc", "precision_recall", "det", "calibration", "lift", "cost", "thresholds", "reliability",
    "decision" } do
    local given = { learner = "knn", positive = "setosa" }
    if kind == "thresholds" then given.costs = { { 0, 1 }, { 5, 0 } } end
    all[#all + 1] = objects.Result:curve(kind, given)
  end
  for _, aggregation in ipairs { "vertical", "folds" } do
    all[#all + 1] = objects.Result:curve("roc", { learner = "knn", positive = "virginica",
      aggregation = aggregation })
  end
  all[#all + 1] = objects.Result:curve("roc", { learner = "knn", positive = "virginica", points = "hull" })
  local lists = { truth = { true, false, true }, scores = { 3, 2, 1 }, weights = { 0.5, 1.5, 2 } }
  all[#all + 1] = cf.curve("roc", lists)
  all[#all + 1] = cf.curve("roc", { truth = { true }, scores = { 1 } })
  return all
end

-- A learner that predicts how many rows it was fitted on.
local function counting(name, sign)
  return cf.learner { name = name, fit = function(rows) return sign * #rows end,
    predict = function(n, rows) return fixtures.repeated(n, #rows) end }
end

-- Learners whose errors are laws of the training rows, and some noise; the laws cross at 64 rows.
local function of_laws(trials)
  local metric = cf.metric { name = "law", direction = "lower", score = function(truth, predicted)
    local n, noise = predicted[1], 1e-3 * (truth[1] % 7)
    return noise + (n > 0 and 0.05 + 2 * n ^ -0.5 or 0.2 + 0.8 * (-n) ^ -0.5)
  end }
  local numbers = cf.read(data_folder .. "/diabetes_regr.csv", { target = "target" })
  return cf.learning_curve { data = numbers, metrics = metric, sizes = { 10, 20, 40, 80, 160 },
    learners = { falling = counting("falling", 1), flat = counting("flat", -1) }, trials = trials }
end

local function learning_curves()
  local odd = cf.metric { name = "odd", direction = "higher", score = function() return nil, "odd" end }
  return { objects.LearningCurve, of_laws(5), cf.learning_curve { data = iris,
    learners = { a = "knn", b = broken }, metrics = { "accuracy", odd }, sizes = { 20, 40 }, trials = 2 } }
end

local function learning_curve_fits()
  local few = cf.learning_curve { data = iris, learners = "knn", metrics = "accuracy",
    sizes = { 20, 40 }, trials = 1 }
  return { objects.LearningCurve:fit("knn"), few:fit("knn"), of_laws(5):fit("flat") }
end

-- Curves that cross, curves that do not, and some that are not laws.
local function crossings()
  local few = cf.learning_curve { data = iris, learners = { "knn", "naive_bayes" }, metrics = "accuracy",
    sizes = { 20, 40 }, trials = 2 }
  local laws = of_laws(5)
  return { laws:crossing("falling", "flat"), laws:crossing("falling", "flat", { from = 10, to = 20 }),
    few:crossing("knn", "naive_bayes") }
end

local function validation_curves()
  return { objects.ValidationCurve, cf.validation_curve { data = iris, learner = "knn", parameter = "k",
    values = { 3, 140 }, splitter = folds,
        metric = "accuracy" } }
end

local function bias_variances()
  local numbers = cf.read(data_folder .. "/diabetes_regr.csv", { target = "target" })
  return { objects.BiasVariance, cf.bias_variance { data = numbers, learners = "knn", rounds = 2 },
    cf.bias_variance { data = iris, learners = broken, rounds = 2 } }
end

-- Of intervals and of sets, with and without intervals of the coverage.
local function coverages()
  local numbers = cf.read(data_folder .. "/diabetes_regr.csv", { target = "target" })
  local learner = cf.conformal { learner = "ridge", method = "cv_plus" }
  local prediction = learner:fit(numbers):predict(numbers, { coverage = 0.9 })
  local repeated = evaluate { learners = cf.conformal { learner = "naive_bayes", method = "aps" } }
  return { prediction:coverage(), prediction:coverage { by = "sex", blocks = 2 }, repeated:coverage(),
    objects.Coverage }
end

-- With a component of 0, and with a learner that always fails.
local function variances()
  return { objects.Variance, cf.variance { data = iris, learners = { a = "knn", b = broken }, metric = "accuracy",
    sources = { data = 3, split = 2, seed = 2 } } }
end

-- What f gives of a store that has an evaluation.
local function of_a_store(f)
  local path = fixtures.new_store()
  evaluate { store = path, learners = { native = "knn", lua = broken } }
  local ok, found = pcall(f, path)
  fixtures.remove_store(path)
  if not ok then error(found, 0) end
  return found
end

local function audits()
  local codes = {}
  for i, class in ipairs(iris:target()) do codes[i] = ({ setosa = 1, versicolor = 2, virginica = 3 })[class] end
  local told = cf.dataset { target = "class", columns = { { name = "class", values = iris:target() },
    { name = "code", values = codes } } }
  return { objects.Audit, cf.audit { data = told, learners = broken, splitter = folds,
    waive = { "duplicates" } } }
end

local stats = cf.stats
local some, none = { 0.1, 0.2, -0.05, 0.07, 0.03 }, { 0, 0, 0 }
local scores = { { 1, 2, 3 }, { 2, 1, 4 }, { 3, 1, 2 }, { 1, 2, 4 } }

local function laws()
  return { stats.power_law { n = { 10, 20, 40, 80, 160 }, errors = { 0.4, 0.3, 0.25, 0.21, 0.2 } },
    stats.power_law { n = { 10, 20 }, errors = { 0.4, 0.3 } } }
end

local function of_labels(method)
  return of_all({ objects.LabelIssues, objects.Result:label_issues { learner = "bayes" } }, method)
end

-- With a column of strings, which has no mean, one that is missing in one of the data and one that is constant there.
local function of_new_rows(method)
  local old = penguins:with_roles { target = "species" }
  local rows = old:filter(function(row) return row.island ~= "Biscoe" end)
  return of_all({ objects.AdversarialValidation, cf.adversarial_validation { old = old, new = rows,
    learner = "naive_bayes", permutations = 19 } }, method)
end

local function of_soaks(method)
  return of_all({ objects.Soak, cf.soak { data = cases.halves(), subset = "half", learners = broken,
    metrics = "accuracy", folds = 2 } }, method)
end

-- By function or method, what it gives in some cases.
local gives = {
  ["AdversarialValidation:columns"] = function() return of_new_rows("columns") end,
  ["AdversarialValidation:new_rows"] = function() return of_new_rows("new_rows") end,
  ["AdversarialValidation:old_rows"] = function() return of_new_rows("old_rows") end,
  ["AdversarialValidation:provenance"] = function() return of_new_rows("provenance") end,
  ["Audit:provenance"] = function() return of_all(audits(), "provenance") end,
  ["LabelIssues:classes"] = function() return of_labels("classes") end,
  ["LabelIssues:pairs"] = function() return of_labels("pairs") end,
  ["LabelIssues:provenance"] = function() return of_labels("provenance") end,
  ["LabelIssues:rows"] = function() return of_labels("rows") end,
  ["Result:label_issues"] = function() return { objects.Result:label_issues { learner = "bayes" } } end,
  ["Soak:provenance"] = function() return of_soaks("provenance") end,
  ["Soak:rows"] = function() return of_soaks("rows") end,
  ["Soak:scores"] = function() return of_soaks("scores") end,
  ["Soak:worst"] = function() return of_soaks("worst") end,
  ["cf.adversarial_validation"] = function()
    local ones = {}
    for i = 1, 40 do ones[i] = 1 end
    local constant = cf.dataset { columns = { { name = "x", values = ones } } }
    return { objects.AdversarialValidation, cf.adversarial_validation { old = constant, new = constant,
      learner = "naive_bayes", permutations = 19 } }
  end,
  ["cf.audit"] = function()
    return { objects.Audit, cf.audit { data = iris, learners = "naive_bayes", splitter = folds, near = false, folds = 1,
      labels = { learner = "naive_bayes" }, new = { data = iris, learner = "naive_bayes", permutations = 99 } } }
  end,
  ["cf.label_issues"] = function() return { objects.LabelIssues } end,
  ["cf.soak"] = function() return { objects.Soak } end,
  ["Audit:checks"] = function() return of_all(audits(), "checks") end,
  ["Audit:findings"] = function() return of_all(audits(), "findings") end,
  ["Audit:unseen"] = function() return of_all(audits(), "unseen") end,
  ["BiasVariance:failures"] = function() return of_all({ objects.BiasVariance }, "failures") end,
  ["BiasVariance:per_row"] = function() return of_all(bias_variances(), "per_row") end,
  ["BiasVariance:rows"] = function() return of_all(bias_variances(), "rows") end,
  ["Comparison:over"] = function() return of_all(comparisons(), "over") end,
  ["Comparison:posterior"] = posteriors,
  ["Comparison:ranking"] = function() return of_all(comparisons(), "ranking") end,
  ["Comparison:rows"] = function() return of_all(comparisons(), "rows") end,
  ["Comparison:win_tie_loss"] = function() return of_all(comparisons(), "win_tie_loss") end,
  ["Curve:rows"] = function() return of_all(curves(), "rows") end,
  ["DataReport:column"] = function() return { objects.DataReport:column("petal length (cm)") } end,
  ["Dataset:describe"] = function() return { objects.DataReport } end,
  ["Lockbox:open"] = function() return of_a_lockbox(opened) end,
  ["Lockbox:openings"] = function()
    return of_a_lockbox(function(rest, lockbox)
      opened(rest, lockbox)
      return { lockbox:openings() }
    end)
  end,
  ["Lockbox:seal"] = function() return { objects.Lockbox:seal() } end,
  ["LearningCurve:crossing"] = crossings,
  ["LearningCurve:failures"] = function() return of_all(learning_curves(), "failures") end,
  ["LearningCurve:fit"] = learning_curve_fits,
  ["LearningCurve:rows"] = function() return of_all(learning_curves(), "rows") end,
  ["LearningCurve:summary"] = function() return of_all(learning_curves(), "summary") end,
  ["LearningCurveFit:asymptote"] = function() return of_all(learning_curve_fits(), "asymptote") end,
  ["LearningCurveFit:at"] = function() return of_all(learning_curve_fits(), "at", 1000) end,
  ["LearningCurveFit:rows_for"] = function()
    local fits = learning_curve_fits()
    return table.move(of_all(fits, "rows_for", 0.5), 1, 3, 4, of_all(fits, "rows_for", 0.01))
  end,
  ["PowerLaw:at"] = function() return of_all(laws(), "at", 1000) end,
  ["PowerLaw:crossing"] = function()
    local other = stats.power_law { n = { 10, 20, 40, 80, 160 }, errors = { 0.5, 0.32, 0.2, 0.14, 0.1 } }
    return of_all(laws(), "crossing", other, { from = 10, to = 1000 })
  end,
  ["PowerLaw:rows_for"] = function() return of_all(laws(), "rows_for", 0.3) end,
  ["Rescored:scores"] = function()
    return of_a_store(function(path)
      return { cf.rescore { store = path, metrics = { "accuracy", "cohen_kappa" } }:scores() }
    end)
  end,
  ["Prediction:coverage"] = coverages,
  ["Result:coverage"] = coverages,
  ["Prediction:confusion"] = function() return { objects.Prediction:confusion() } end,
  ["Result:class_report"] = function()
    return { objects.Result:class_report("knn"), evaluate { learners = "featureless" }:class_report() }
  end,
  ["Result:confusion"] = function() return { objects.Result:confusion("knn") } end,
  ["Result:curve"] = curves,
  ["Result:failures"] = function() return of_all(results, "failures") end,
  ["Result:folds"] = function()
    local found = of_all(results, "folds")
    local data = cf.dataset { target = "y", groups = "who", columns = { { name = "who", values = { 1, 1, 2, 2 } },
      { name = "y", values = { "a", "b", "a", "b" } } } }
    found[#found + 1] = evaluate { data = data, splitter = "leave_one_group_out", learners = "featureless" }:folds()
    return found
  end,
  ["Result:interval"] = intervals,
  ["Result:pooled"] = function()
    return of_all({ small_folds("roc_auc", "probabilities"), table.unpack(results) }, "pooled")
  end,
  ["Result:predictions"] = function() return of_all(results, "predictions") end,
  ["Result:provenance"] = provenance_with_lockbox,
  ["Result:scores"] = function() return of_all(results, "scores") end,
  ["Result:subgroups"] = subgroups,
  ["Result:summary"] = function()
    return of_all({ small_folds("f1", "labels"), small_folds("f1", "none"), table.unpack(results) }, "summary")
  end,
  ["Result:tuning"] = tuned,
  ["Result:warnings"] = function() return of_all(results, "warnings") end,
  ["Search:fit"] = function()
    local constant = cf.grid_search { learner = "knn", grid = { k = { 6, 1 } }, metric = "matthews_correlation",
      metrics = { cf.metric("precision", { positive = "low" }) },
      splitter = cf.splitter("kfold", { folds = 2, stratify = true }) }
    return { (select(2, objects.Search:fit(iris))), (select(2, constant:fit(separable))) }
  end,
  ["SearchResult:confidence_set"] = function()
    return { (select(2, search(cf.grid_search, {}):fit(iris))):confidence_set(),
      objects.SearchResult:confidence_set { confidence = 0.5 } }
  end,
  ["SearchResult:corrected"] = function()
    return { objects.SearchResult:corrected() }
  end,
  ["Search:plan"] = function()
    return { objects.Search:plan(iris), objects.Search:plan(iris, { splitter = folds }),
      search(cf.race_search, {}):plan(iris), search(cf.hyperband, { space = space, min_resource = 0.3 }):plan(iris),
      search(cf.grid_search, { budget = { seconds = 60 } }):plan(iris) }
  end,
  ["SearchSession:ask"] = function() return of_all(sessions(), "ask", 1) end,
  ["SearchSession:best"] = function() return { sessions()[2]:best() } end,
  ["Splits:design"] = function()
    return { objects.Splits:design(), cf.split("holdout", iris):design() }
  end,
  ["Subgroups:rows"] = function() return of_all(subgroups(), "rows") end,
  ["ValidationCurve:rows"] = function() return of_all(validation_curves(), "rows") end,
  ["ValidationCurve:summary"] = function() return of_all(validation_curves(), "summary") end,
  ["Variance:buy"] = function()
    local of_knn = variances()[2]
    return { objects.Variance:buy { width = 0.02, learner = "knn" },
      objects.Variance:buy { width = 0.9, learner = "knn" },
      of_knn:buy { width = 0.001, learner = "a" }, of_knn:buy { width = 0.1, learner = "b" } }
  end,
  ["Variance:outperforming"] = function() return of_all(variances(), "outperforming") end,
  ["Variance:rows"] = function() return of_all(variances(), "rows") end,
  ["Variance:scores"] = function()
    local of_search = cf.variance { data = iris, metric = "accuracy", sources = { tuning = 2 },
      learner = cf.grid_search { learner = cf.learner("knn"), grid = { k = { 1, 3 } }, splitter = folds,
        metric = "accuracy" } }
    return of_all({ of_search, table.unpack(variances()) }, "scores")
  end,
  ["Variance:summary"] = function() return of_all(variances(), "summary") end,
  ["cf.bootstrap_632"] = function()
    return { objects.Bootstrap632, cf.bootstrap_632 { data = iris, learner = "knn", repeats = 3,
      method = "632" },
      cf.bootstrap_632 { data = iris, learner = "featureless", repeats = 3 } }
  end,
  ["cf.check"] = function()
    return { cf.check("knn", { include = "name" }), cf.check(broken, { include = "fit" }) }
  end,
  ["cf.curve"] = curves,
  ["cf.describe"] = function() return { cf.describe(iris), cf.describe(separable) } end,
  ["cf.plan"] = function()
    return { cf.plan(function()
      evaluate { learners = "knn" }
    end) }
  end,
  ["cf.store_status"] = function() return { of_a_store(cf.store_status) } end,
  ["cf.stored"] = function()
    return { of_a_store(function(path) return cf.stored { store = path } end) }
  end,
  ["cf.repeat_until"] = function()
    return { objects.RepeatUntil, cf.repeat_until { data = iris, learner = "featureless", metric = "accuracy",
      width = 0.1, first_repeats = 5 },
      cf.repeat_until { data = iris, learner = broken, metric = "accuracy", width = 0.1,
      first_repeats = 5 } }
  end,
  ["cf.stats.accuracy_interval"] = function()
    return { stats.accuracy_interval { correct = 3, n = 4 }, stats.accuracy_interval { correct = 0, n = 0 } }
  end,
  ["cf.stats.bayes_correlated_t"] = function()
    return { stats.bayes_correlated_t(some, { rho = 0.1, rope = 0.01 }),
      stats.bayes_correlated_t({}, { rho = 0.1 }) }
  end,
  ["cf.stats.bayes_hierarchical"] = function()
    return { stats.bayes_hierarchical({ some, some, some }, { rho = 0.1, rope = 0.1, samples = 800, points = 2 }),
      stats.bayes_hierarchical({ some }, { rho = 0.1 }) }
  end,
  ["cf.stats.bayes_signed_rank"] = function()
    return { stats.bayes_signed_rank(some, { points = 2 }), stats.bayes_signed_rank({}) }
  end,
  ["cf.stats.normal_mixture_boundary"] = function()
    return { stats.normal_mixture_boundary { variance = 100 } }
  end,
  ["cf.stats.proportion_sequence"] = function()
    return { stats.proportion_sequence { successes = 7, trials = 10 },
      stats.proportion_sequence { successes = 0, trials = 0 } }
  end,
  ["cf.stats.sequential_mean"] = function()
    local wins = {}
    for i = 1, 20 do wins[i] = 1 end
    return { stats.sequential_mean(wins), stats.sequential_mean({}) }
  end,
  ["cf.stats.betting_interval"] = function()
    local jump = {}
    for i = 1, 500 do jump[i] = i <= 100 and 0 or 1 end
    return { stats.betting_interval({ 0.1, 0.5 }), stats.betting_interval({}), stats.betting_interval(jump) }
  end,
  ["cf.stats.bias_variance"] = function()
    return { stats.bias_variance { truth = { "a", "b" }, predictions = { { "a", "a" }, { "b", "b" } } },
      stats.bias_variance { truth = { 1, 2 }, predictions = { { 1, 1 }, { 2, 2 } }, loss = "squared" } }
  end,
  ["cf.stats.bootstrap_632"] = function()
    return { stats.bootstrap_632 { training_error = 0.1, out_of_bag_error = 0.2 },
      stats.bootstrap_632 { training_error = 0.1, out_of_bag_error = 0.2, no_information_error = 0.5 } }
  end,
  ["cf.stats.bootstrap_interval"] = function()
    return { stats.bootstrap_interval(some), stats.bootstrap_interval({ 1 }) }
  end,
  ["cf.stats.cochran_q"] = function()
    return { stats.cochran_q { { true, false, true }, { true, true, false } },
      stats.cochran_q { { true, true }, { true, true } } }
  end,
  ["cf.stats.corrected_t"] = function()
    return { stats.corrected_t(some, { test_train_ratio = 0.1 }),
      stats.corrected_t(none, { test_train_ratio = 0.1 }), stats.corrected_t({}, { test_train_ratio = 0.1 }) }
  end,
  ["cf.stats.detectable_difference"] = function()
    return { stats.detectable_difference { rows = 100 } }
  end,
  ["cf.stats.five_by_two"] = function()
    local zeros = { 0, 0 }
    return { stats.five_by_two { differences = { { 0.1, 0.2 }, { 0, 0.1 }, { 0, 0.1 }, { 0.1, 0 }, { 0, 0.2 } } },
      stats.five_by_two { differences = { zeros, zeros, zeros, zeros, zeros } } }
  end,
  ["cf.stats.friedman"] = function()
    return { stats.friedman(scores, { higher_is_better = true }),
      stats.friedman(scores, { higher_is_better = true, learners = { "a", "b", "c" }, control = "a" }),
      stats.friedman({ { 1, 1, 1 } }, { higher_is_better = true }) }
  end,
  ["cf.stats.mcnemar"] = function()
    return { stats.mcnemar { only_first = 3, only_second = 9, method = "chi_squared" },
      stats.mcnemar { only_first = 0, only_second = 0 } }
  end,
  ["cf.stats.out_of_bag_error"] = function()
    return { stats.out_of_bag_error { rows = 5, tested = { 1, 1, 2 }, losses = { 0, 1, 1 } },
      stats.out_of_bag_error { rows = 5, tested = {}, losses = {} } }
  end,
  ["cf.stats.paired_t"] = function()
    return { stats.paired_t(some), stats.paired_t(none), stats.paired_t({}) }
  end,
  ["cf.stats.power"] = function() return { stats.power { rows = 100, difference = 0.1 } } end,
  ["cf.stats.power_law"] = laws,
  ["cf.stats.rows_needed"] = function()
    return { stats.rows_needed { difference = 0.1 }, stats.rows_needed { difference = 1e-9 } }
  end,
  ["cf.stats.sign_test"] = function() return { stats.sign_test(some), stats.sign_test(none) } end,
  ["cf.stats.two_proportions"] = function()
    return { stats.two_proportions { correct = { 3, 4 }, n = { 10, 10 } },
      stats.two_proportions { correct = { 0, 0 }, n = { 10, 10 } } }
  end,
  ["cf.stats.variance_components"] = function()
    return { stats.variance_components { scores = { 0, 2, 2, 0 }, units = { 2, 2 } },
      stats.variance_components { scores = { 1, 1 }, units = { 2 } } }
  end,
  ["cf.stats.wilcoxon"] = function()
    return { stats.wilcoxon(some), stats.wilcoxon(none), stats.wilcoxon(some, { method = "normal" }) }
  end,
}

-- Fields that only a case has that is tested elsewhere.
local not_here = {
  ["CorrectedScore.undefined"] = "of a metric that most samples lack",
  ["Bootstrap632.undefined"] = "of rows that were never out of a sample",
  ["InnerScore.undefined"] = "of a metric that is infinite in an inner fold",
  ["LearnerProvenance.imported_sha256"] = "of imported predictions",
  ["SummaryRow.missing"] = "of a stored result whose run was killed",
}

-- The type with fields among those that a function returns, if there is one.
local function with_fields(name)
  for _, members in ipairs(defined.functions[name].returns or {}) do
    for _, member in ipairs(members) do
      local class = member:gsub("[%[%]]", "")
      if defined.classes[class] and next(defined:members(class)) then return members end
    end
  end
end

TestMetaRows = {}

function TestMetaRows:test_everything_that_gives_fields_is_looked_at()
  local names = {}
  for name in pairs(defined.functions) do
    if with_fields(name) then names[name] = true end
  end
  lu.assertEquals(fixtures.sorted_keys(gives), fixtures.sorted_keys(names))
end

function TestMetaRows:test_fields_are_those_that_are_defined_and_all_of_them_are_seen()
  seen = {}
  local problems = {}
  for _, name in ipairs(fixtures.sorted_keys(gives)) do
    for i, value in pairs(gives[name]()) do
      local where = ("%s, case %d"):format(name, i)
      problems[#problems + 1] = mismatch(value, with_fields(name), where)
    end
  end
  lu.assertEquals(problems, {})
  local unseen = {}
  for class, fields in pairs(seen) do
    for field, there in pairs(fields) do
      local name = class:gsub("^crossfold%.", "") .. "." .. field
      if there == (not_here[name] ~= nil) then unseen[#unseen + 1] = name end
    end
  end
  table.sort(unseen)
  lu.assertEquals(unseen, {})
end
