-- Checks learners that are written in Lua, pipelines and composites, under the names that the
-- checks of plugins have (docs/checks.md): what they look for is the same, as far as a script can see it.
local check_cases = require "crossfold.check.cases"
local check_data = require "crossfold.check.data"
local options = require "crossfold.options"

-- In the order in which they are run: { name, level, needs =, warns =, run = }. run(context, found)
-- calls found(finding) for what is wrong, and returns nothing, or why it is skipped.
local checks = {}

local function declare(name, level, needs, run, warns)
  checks[#checks + 1] = { name = name, level = level, needs = needs, run = run, warns = warns }
end

-- Reports a problem with a case, if there is one; `when` says what was done. Returns the problem.
local function report(found, case, when, problem)
  if problem then found(("on a %s%s %s"):format(case.name, when, problem)) end
  return problem
end

local function every(n, step, weight)
  local weights = {}
  for i = 1, n do weights[i] = (i - 1) % step == 0 and weight or 1 end
  return weights
end

-- ---- fit and predict ----------------------------------------------------------------------------

-- Whether it works with any of these kinds of features in any task, and the cases that it refuses.
local function try_all(context, all_kinds, found)
  local refused, works = {}, false
  for _, usual in ipairs(check_data.shapes()) do
    for _, kinds in ipairs(all_kinds) do
      local case = check_cases.make(context, options.joined(usual, kinds))
      report(found, case, "", check_cases.problem(case.expected))
      works = works or not case.expected.problem
      if case.expected.refused then refused[#refused + 1] = case end
    end
  end
  return works, refused
end

-- Of a learner that takes one feature: why its refusal of more is not about their number; nil = it
-- is. Then it says the same of other entries, and of still more features.
local function excuse_of(context, refused)
  for _, case in ipairs(refused) do
    local shape, said = case.shape, case.expected.problem
    local text = ("on a %s of %d features it refuses with %s, "):format(case.name,
      shape.numbers + shape.categories, said)
    local again = check_cases.make({ learner = context.learner, seed = context.seed + 1 }, shape)
    if again.expected.problem ~= said then
      return text .. "and with other entries it ends with " .. (again.expected.problem or "a prediction")
    end
    local wider = { numbers = 2 * shape.numbers, categories = 2 * shape.categories }
    if not check_cases.make(context, options.joined(shape, wider)).expected.refused then
      return ("%sbut not %d features"):format(text, wider.numbers + wider.categories)
    end
  end
end

-- What to do about a refusal that misses a column.
local function way_to_columns(refusal)
  return refusal:find("cannot find column", 1, true)
    and "; the data of the checks have columns of their own: take names from data:features()" or ""
end

declare("fit-smoke", 2, nil, function(context, found)
  local works, refused = try_all(context, {
    { numbers = 3, categories = 0 }, { numbers = 0, categories = 2 }, { numbers = 2, categories = 2 },
  }, found)
  if works or #refused == 0 then return end
  if not try_all(context, check_cases.one_feature, found) then
    local refusal = refused[1].expected.problem
    found("it refuses every kind of data: " .. refusal .. way_to_columns(refusal))
    return
  end
  local excuse = excuse_of(context, refused)
  if excuse then found(excuse) end
end)

-- The share of wrong labels or the mean squared error of a prediction for rows from `first` on.
local function error_of(case, first, predict)
  local truth, sum, n = case.columns[#case.columns].values, 0, 0
  for i = first, #truth do
    local miss = case.shape.task == "regression" and (predict(i) - truth[i]) ^ 2 or (predict(i) == truth[i] and 0 or 1)
    sum, n = sum + miss, n + 1
  end
  return sum / n
end

local function mean(values, last)
  local sum = 0
  for i = 1, last do sum = sum + values[i] end
  return sum / last
end

declare("beats-baseline", 5, "fit-smoke", function(context, found)
  local half, blind = 60, false
  for _, usual in ipairs(check_cases.usual(context)) do
    local case = check_cases.make(context, options.joined(usual.shape, { rows = 2 * half }))
    local train, test = {}, {}
    for i = 1, half do train[i], test[i] = i, half + i end
    local model = check_cases.fit(context.learner, case.data:select(train))
    local outcome = model and check_cases.predict(model, case.data:select(test)) or {}
    local said = outcome.labels or outcome.values
    if said then
      local truth = case.columns[#case.columns].values
      local constant = outcome.labels and truth[1] or mean(truth, half)
      local baseline = error_of(case, half + 1, function() return constant end)
      local mistake = error_of(case, half + 1, function(i) return said[i - half] end)
      local is_constant = true
      for i = 2, half do is_constant = is_constant and said[i] == said[1] end
      if mistake > 0.75 * baseline and is_constant and mistake <= 1.25 * baseline then
        blind = true
      elseif mistake > 0.75 * baseline then
        found(("on an easy %s the %s is %.3g; a constant has %.3g"):format(case.name,
          outcome.labels and "share of wrong labels" or "mean squared error", mistake, baseline))
      end
    end
  end
  return blind and "it does not use the features" or nil
end)

declare("fit-idempotent", 3, "fit-smoke", function(context, found)
  for _, case in ipairs(check_cases.usual(context)) do
    local model = check_cases.fit(context.learner, case.data)
    for _, what in ipairs { "another fit with the same seed", "another prediction of one model" } do
      local difference = check_cases.difference(check_cases.predict(model, case.data), case.expected)
      if report(found, case, ", after " .. what, difference) then return end
    end
  end
end)

declare("interleaved-instances", 4, "fit-idempotent", function(context, found)
  local cases = check_cases.usual(context)
  for i, case in ipairs(cases) do
    local shape = options.joined(cases[i % #cases + 1].shape, { rows = 45 })
    local other = check_data.dataset(check_data.columns(shape, context.seed + 1))
    local model = check_cases.fit(context.learner, case.data)
    local second = check_cases.fit(context.learner, other)
    if second then check_cases.predict(second, other) end
    report(found, case, ", after another model was fitted and used before this one predicted,",
      check_cases.difference(check_cases.predict(model, case.data), case.expected))
  end
end)

-- ---- rows ---------------------------------------------------------------------------------------

-- Three quarters of the rows, some of them twice if `repeated`.
local function some_rows(n, repeated)
  local rows = {}
  for i = 2, n do
    if i % 4 ~= 0 then rows[#rows + 1] = i end
    if repeated and i % 7 == 0 then rows[#rows + 1] = i end
  end
  return rows
end

declare("view-equals-copy", 3, "fit-idempotent", function(context, found)
  for _, case in ipairs(check_cases.usual(context)) do
    -- In their order: equal distances and the like may be decided by the rows' ids. Chance may
    -- belong to the ids, too.
    local chance = check_cases.depends_on_seed(context, case)
    for _, repeated in ipairs(chance and {} or { false, true }) do
      local rows = some_rows(case.shape.rows, repeated)
      local copy = check_data.dataset(check_data.gather(case.columns, rows))
      local view = case.data:select(rows)
      local got = check_cases.run(context.learner, view, view)
      -- A search and others refuse to split rows that are there twice.
      report(found, case, ", with data:select{...} instead of copied rows", not (repeated and got.refused)
        and check_cases.difference(got, check_cases.run(context.learner, copy, copy)))
    end
  end
end)

-- What a prediction says of row i alone.
local function only(prediction, i)
  local function pick(list) return list and { list[i] } or nil end
  return {
    labels = pick(prediction.labels), values = pick(prediction.values),
    probabilities = pick(prediction.probabilities),
  }
end

declare("predict-subset", 3, "fit-idempotent", function(context, found)
  for _, case in ipairs(check_cases.usual(context)) do
    local model = check_cases.fit(context.learner, case.data)
    for i = 1, case.shape.rows do
      local alone = check_cases.predict(model, case.data:select { i })
      local difference = check_cases.difference(alone, only(case.expected, i), 1e-12)
      local when = (", after row %d was predicted alone and not among all"):format(i)
      if report(found, case, when, difference) then break end
    end
  end
end)

declare("zero-rows", 3, "fit-smoke", function(context, found)
  for _, case in ipairs(check_cases.usual(context)) do
    local model = check_cases.fit(context.learner, case.data)
    report(found, case, " the prediction of no rows ended with",
      check_cases.predict(model, case.data:select {}).problem)
  end
end)

-- ---- columns ------------------------------------------------------------------------------------

declare("column-names", 4, "fit-idempotent", function(context, found)
  local names = { "x", "X", "x ", " x", "\u{e9}t\u{e9}", "a,b \"c\"", "x1", "x01" }
  for _, case in ipairs(check_cases.usual(context)) do
    local renamed = check_data.dataset(check_data.change(case.columns, function(column, j)
      if column.name == "y" then return nil end
      return { name = names[j], values = column.values, levels = column.levels }
    end))
    report(found, case, ", after the columns were renamed to 'x', 'X', 'x ' ...",
      check_cases.difference(check_cases.run(context.learner, renamed, renamed), case.expected))
  end
end, true)

declare("missing", 3, "fit-smoke", function(context, found)
  for _, usual in ipairs(check_cases.usual(context)) do
    local case = check_cases.make(context, options.joined(usual.shape, { missing = 0.2 }))
    report(found, case, "", check_cases.problem(case.expected))
  end
end)

-- The columns with the level `to` wherever `from` was in a feature.
local function with_level(columns, from, to)
  return check_data.change(columns, function(column)
    if column.name == "y" or not column.levels then return nil end
    local values = {}
    for i, value in ipairs(column.values) do values[i] = value == from and to or value end
    return { name = column.name, values = values, levels = column.levels }
  end)
end

declare("unseen-category", 3, "fit-smoke", function(context, found)
  local looked = false
  for _, usual in ipairs(check_cases.usual(context)) do
    local case = check_cases.make(context, options.joined(usual.shape, { categories = 2 }))
    if case.expected.refused then
      case = check_cases.make(context, options.joined(usual.shape, { numbers = 0, categories = 1 }))
    end
    if not case.expected.problem then
      looked = true
      for _, gone in ipairs { "never", "a" } do
        local train = gone == "a" and with_level(case.columns, "a", "b") or case.columns
        local rows = gone == "a" and case.columns or with_level(case.columns, "b", "never")
        report(found, case, (", for rows with the level '%s', which no training row has,"):format(gone),
          check_cases.problem(check_cases.on(context, case, train, check_data.dataset(rows))))
      end
    end
  end
  return not looked and "it refuses categories" or nil
end)

declare("extreme-values", 5, "fit-smoke", function(context, found)
  local extremes = {
    { "1e300 and -1e300", { 1e300, -1e300, 9e299 } }, { "1e-300", { 1e-300, 3e-300, -2e-300 } },
    { "0 and -0", { 0.0, -0.0 } }, { "integers near 2^62", { 1 << 62, (1 << 62) + 1024, -(1 << 62) } },
  }
  for _, case in ipairs(check_cases.usual(context)) do
    for _, extreme in ipairs(extremes) do
      local what, entries = extreme[1], extreme[2]
      local columns = check_data.change(case.columns, function(column, j)
        if j > 1 or column.levels then return nil end
        local values = {}
        for i = 1, #column.values do values[i] = entries[(i * 7) % 5 % #entries + 1] end
        return { name = column.name, values = values }
      end)
      local data = check_data.dataset(columns)
      report(found, case, (" with %s in a column"):format(what),
        check_cases.problem(check_cases.on(context, case, columns, data))
          or check_cases.problem(check_cases.on(context, case, case.columns, data)))
    end
  end
end, true)

-- ---- hardly any data, classes and weights ---------------------------------------------------------

local function constant(column)
  local values = {}
  for i = 1, #column.values do values[i] = column.values[1] end
  return { name = column.name, values = values, levels = column.levels }
end

local function sequence(n, f)
  local list = {}
  for i = 1, n do list[i] = f(i) end
  return list
end

local function degenerate_columns(case, seed)
  local columns, gather = case.columns, check_data.gather
  local wide = options.joined(case.shape, { rows = 8 })
  if wide.numbers > 0 then wide.numbers = 20 else wide.categories = 20 end
  local list = {
    { "one row", gather(columns, { 1 }) },
    { "two rows", gather(columns, { 1, 2 }) },
    { "40 times the same row", gather(columns, sequence(40, function() return 2 end)) },
    { "a constant feature", check_data.change(columns, function(column, j)
      return j == 1 and constant(column) or nil
    end) },
    { "constant features only", check_data.change(columns, function(column)
      return column.name ~= "y" and constant(column) or nil
    end) },
    { "8 rows of 20 features", check_data.columns(wide, seed), true },
  }
  if case.shape.task == "regression" then
    list[#list + 1] = { "a constant target", check_data.change(columns, function(column)
      return column.name == "y" and constant(column) or nil
    end) }
  end
  return list
end

declare("degenerate", 3, "fit-smoke", function(context, found)
  for _, case in ipairs(check_cases.usual(context)) do
    for _, entry in ipairs(degenerate_columns(case, context.seed)) do
      local what, columns, own_rows = entry[1], entry[2], entry[3]
      local rows = own_rows and check_data.dataset(columns) or nil
      report(found, case, (", after a fit on %s,"):format(what),
        check_cases.problem(check_cases.on(context, case, columns, rows)))
    end
  end
end)

-- A class that is predicted although `is_absent`; nil = there is none.
local function absent_class(prediction, classes, is_absent)
  for i, label in ipairs(prediction.labels or {}) do
    if is_absent[label] then
      return ("label %d is '%s', a class that no training row has"):format(i, label)
    end
  end
  for i, row in ipairs(prediction.probabilities or {}) do
    for c, class in ipairs(classes) do
      if is_absent[class] and row[c] ~= 0 then
        return ("row %d has the probability %.3g for '%s', which no training row has"):format(i, row[c], class)
      end
    end
  end
end

local function look_at_absence(context, case, is_absent, what, found)
  local kept, labels = {}, case.columns[#case.columns].values
  for i, label in ipairs(labels) do
    if not is_absent[label] then kept[#kept + 1] = i end
  end
  local outcome = check_cases.run(context.learner, case.data:select(kept), case.data)
  report(found, case, (", after a fit on rows %s,"):format(what), check_cases.problem(outcome)
    or not outcome.problem and absent_class(outcome, check_data.classes(case.shape), is_absent))
end

declare("one-class", 3, "fit-smoke", function(context, found)
  local looked = false
  for _, case in ipairs(check_cases.usual(context)) do
    local classes = check_data.classes(case.shape)
    for _, class in ipairs(classes) do
      looked = true
      local others = {}
      for _, other in ipairs(classes) do others[other] = other ~= class end
      look_at_absence(context, case, others, ("of class '%s' only"):format(class), found)
      if #classes > 2 then
        look_at_absence(context, case, { [class] = true }, ("without class '%s'"):format(class), found)
      end
    end
  end
  return not looked and "it does no classification" or nil
end)

declare("class-order", 5, "fit-idempotent", function(context, found)
  local looked = false
  for _, case in ipairs(check_cases.usual(context)) do
    if case.shape.task == "classification" then
      looked = true
      local new, old, levels = {}, {}, {}
      for c, class in ipairs(check_data.classes(case.shape)) do
        levels[c] = ("%s \u{e9}"):format(string.char(123 - c))
        new[class], old[levels[c]] = levels[c], class
      end
      local data = check_data.dataset(check_data.change(case.columns, function(column)
        if column.name ~= "y" then return nil end
        local values = sequence(#column.values, function(i) return new[column.values[i]] end)
        return { name = "y", values = values, levels = levels }
      end))
      local got = check_cases.run(context.learner, data, data)
      if got.labels then
        got.labels = sequence(#got.labels, function(i) return old[got.labels[i]] end)
      end
      report(found, case, ", after the classes got other names", check_cases.difference(got, case.expected))
    end
  end
  return not looked and "it does no classification" or nil
end)

declare("weights", 3, "fit-idempotent", function(context, found)
  local used, chance = false, false
  for _, case in ipairs(check_cases.usual(context)) do
    local n, truth = case.shape.rows, case.columns[#case.columns].values
    local strong = sequence(n, function(i)
      return (truth[i] == "k0" or type(truth[i]) == "number" and truth[i] < 0.5) and 1000 or 0.001
    end)
    local weighted = check_cases.on(context, case, case.columns, nil, strong)
    local matters = check_cases.difference(weighted, case.expected) ~= nil
    chance = chance or check_cases.depends_on_seed(context, case)
    if not weighted.problem and matters and not chance then
      used = true
      for _, weight in ipairs { 0, 2 } do
        local weights, rows = every(n, 4, weight), {}
        for i = 1, n do
          for _ = 1, weights[i] do rows[#rows + 1] = i end
        end
        report(found, case, (", with weight %d for every fourth row instead of %s"):format(weight,
          weight == 0 and "leaving it out" or "having it twice"),
          check_cases.difference(check_cases.on(context, case, case.columns, nil, weights),
            check_cases.on(context, case, check_data.gather(case.columns, rows)), 1e-5))
      end
    end
  end
  if used then return nil end
  return chance and "its predictions depend on the seed" or "it does not use weights"
end)

declare("error-contract", 3, "fit-smoke", function(context, found)
  local provoked = 0
  for _, case in ipairs(check_cases.usual(context)) do
    for _, changes in ipairs { { missing = 0.2 }, { categories = 2 }, { rows = 1 } } do
      local provoking = check_cases.make(context, options.joined(case.shape, changes))
      local outcome = provoking.expected
      if outcome.problem then
        provoked = provoked + 1
        report(found, provoking, " it ended with", outcome.problem:match("^an error.*"))
        report(found, case, ", in the first fit after an error",
          check_cases.difference(check_cases.run(context.learner, case.data, case.data), case.expected))
      end
    end
  end
  return provoked == 0 and "it refuses nothing" or nil
end)

return checks
