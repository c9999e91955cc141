-- Metrics: a plugin's, or a Lua table
--   cf.metric{ name = "gmean", direction = "higher", score = function(truth, predicted, info) ... }
-- whose `score` gets two lists (class names, or numbers) and returns a number, or nil and the reason
-- why there is none. `info.classes` lists the classes, `info.probabilities` the probabilities if
-- `needs_probabilities = true`; with `positive = true` the value is of `info.positive`, the positive
-- class of the data or the second of two, and tables name it. Undefined is never a number.
local native = require "crossfold.native"
local options = require "crossfold.options"
local run = require "crossfold.run"

local metric = {}
local lua_metrics = setmetatable({}, { __mode = "k" })

local directions = { higher = 1, lower = -1, neither = 0 }

-- A square table of numbers, row by row, as the flat list that plugins get.
local function flat_matrix(what, rows)
  local flat = {}
  for i, row in ipairs(options.list(what, rows)) do
    if type(row) ~= "table" then native.fail("%s: row %d is a %s, not a list of numbers", what, i, type(row)) end
    options.list(("%s: row %d"):format(what, i), row)
    if #row ~= #rows then
      native.fail("%s: it must be square; the length of row %d is %d, the number of rows %d", what, i, #row, #rows)
    end
    table.move(row, 1, #row, #flat + 1, flat)
  end
  return flat
end

-- Parameters for a plugin: { matrix = { { 0, 1 }, { 5, 0 } } } becomes { matrix = { 0, 1, 5, 0 } }.
local function plugin_params(id, params)
  params = options.params("metric", params)
  local matrix = params and params.matrix
  if type(matrix) ~= "table" or type(matrix[1]) ~= "table" then return params end
  return options.joined(params, { matrix = flat_matrix(("metric '%s': parameter 'matrix'"):format(id), matrix) })
end

-- The one of the names of metrics that somebody means by `wanted`: "f1{average=macro}" by "f1_macro", too.
-- nil if none of them is meant.
function metric.meant(names, wanted)
  local known = options.set_of(names)
  if known[wanted] then return wanted end
  local ok, made = pcall(options.spec, "metric", wanted)
  return ok and known[metric.name(made)] and metric.name(made) or nil
end

local declared = options.declare("metric", {
  name = { "string!", doc = "The name in results." },
  direction = { "string!", names = { "higher", "lower", "neither" }, doc = "Which values are better." },
  score = { "function!", is = "fun(truth: any[], predicted: any[], info: table): number?, string?",
    doc = "Returns the value, or nil and the reason why there is none." },
  needs_probabilities = { "boolean", false, doc = "Whether `info.probabilities` is wanted." },
  worst = { "number",
    doc = "The worst value there is, as which a search or comparison counts a prediction that has none." },
  least_rows = { "integer", 0,
    doc = "Rows that a test set needs for a mean of scores; the predictions of smaller ones are scored together." },
  least_class_rows = { "integer", 0, doc = "The same, of the rarest class." },
  positive = { "boolean", false, doc = "Whether the value is of one class, `info.positive`." },
})

function metric.new(id, params)
  if type(id) == "string" then return options.spec("metric", id, plugin_params(id, params)) end
  local o = options.check("metric", options.functions("metric", id, "accuracy"), declared)
  if directions[o.direction] == nil then
    native.fail("metric '%s': direction '%s' is not one of higher, lower, neither", o.name, o.direction)
  end
  local made = setmetatable({}, {
    __tostring = function() return o.name end, __name = "crossfold.LuaMetric",
  })
  if o.least_rows < 0 or o.least_class_rows < 0 then
    native.fail("metric '%s': a number of rows is negative; use 0 for a metric that needs none", o.name)
  end
  lua_metrics[made] = o
  return made
end

function metric.is_lua(value) return lua_metrics[value] ~= nil end

function metric.check(value, what)
  if type(value) == "string" then return metric.new(value) end
  if metric.is_lua(value) or native.kind(value) == "metric" then return value end
  native.fail("%s: expected a metric, got a %s", what, native.kind(value) or type(value))
end

-- The name in tables: the short id, with parameters if some were given.
function metric.name(value)
  return tostring(value)
end

local function find_class(value, data)
  local o = lua_metrics[value]
  if not o then return native.scored_class(value, data) end
  if not o.positive or data:task() ~= "classification" then return nil end
  local given, classes = data:roles().positive, data:classes()
  if given or #classes == 2 then return given or classes[2], given ~= nil end
end

-- What find_class found, by metric and data: it tries the metric out.
local found_classes = setmetatable({}, { __mode = "k" })

-- The class whose value a metric has for `data`, and whether the data name it; nil if all classes play the
-- same part, or if the metric names the class itself.
function metric.class_of(value, data)
  local of_data = found_classes[value] or setmetatable({}, { __mode = "k" })
  found_classes[value] = of_data
  of_data[data] = of_data[data] or { find_class(value, data) }
  return of_data[data][1], of_data[data][2]
end

-- Appends `element` to list[key], which is made.
local function add_to(list, key, element)
  if not list[key] then list[key], list[#list + 1] = {}, key end
  table.insert(list[key], element)
end

-- "yes", or "yes on x and y, bad on z" where datasets have different ones.
local function classes_text(classes)
  if #classes == 1 then return classes[1] end
  local parts = {}
  for i, class in ipairs(classes) do parts[i] = ("%s on %s"):format(class, table.concat(classes[class], " and ")) end
  return table.concat(parts, ", ")
end

-- What tables call the metrics of a list: their names, with the class whose value they have, as in "f1 (bad)"; and
-- `notes` (default {}) with one on those whose class the data do not name. `datasets` = { { name =, data = }, ... }.
function metric.titles(list, datasets, notes)
  notes = notes or {}
  local titles, by_order, first = {}, {}, nil
  for m = 1, #list do
    local classes, is_second = {}, false
    for _, entry in ipairs(datasets) do
      local class, is_given
      if entry.data then class, is_given = metric.class_of(list[m], entry.data) end
      if class then
        add_to(classes, class, entry.name)
        if not is_given then is_second, first = true, first or entry.data:classes()[1] end
      end
    end
    titles[m] = metric.name(list[m])
    if #classes > 0 then titles[m] = ("%s (%s)"):format(titles[m], classes_text(classes)) end
    if is_second then by_order[#by_order + 1] = titles[m] end
  end
  if #by_order > 0 then
    notes[#notes + 1] = ("%s %s of the second class in order; give the data positive = \"%s\" if you mean the other "
      .. "one"):format(table.concat(by_order, ", "), #by_order == 1 and "is" or "are", first)
  end
  return titles, notes
end

-- 1 = higher is better, -1 = lower is better, 0 = neither.
function metric.direction(value)
  local o = lua_metrics[value]
  if o then return directions[o.direction] end
  return value:direction()
end

-- The rows of a test set, and of its rarest class, that it needs for a mean of scores: see result/headline.lua.
function metric.test_size(value)
  local o = lua_metrics[value]
  if o then return o.least_rows, o.least_class_rows end
  return native.test_size(value)
end

-- Whether the score of rows is the mean of those of each alone, by a trial on a few rows of `data`; false of a metric
-- in Lua, or without data.
function metric.is_mean_over_rows(value, data)
  return data ~= nil and not lua_metrics[value] and native.is_mean_over_rows(value, data)
end

function metric.needs_probabilities(value)
  local o = lua_metrics[value]
  if o then return o.needs_probabilities end
  return value:needs_probabilities()
end

-- The positive class for a metric in Lua, or nil.
local function positive_of(value, prediction)
  local data = lua_metrics[value].positive and native.predicted_data(prediction)
  return data and metric.class_of(value, data) or nil
end

-- The value for one prediction, or nil and the reason.
function metric.score(value, prediction)
  local o = lua_metrics[value]
  if not o then return native.score(value, prediction) end
  local probabilities
  if o.needs_probabilities then
    probabilities = prediction:probabilities()
    if not probabilities then return nil, "the learner gives no probabilities" end
  end
  local score, reason = run.limited(o.score, prediction:truth(), prediction:labels() or prediction:values(), {
    classes = prediction:classes(),
    probabilities = probabilities,
    positive = positive_of(value, prediction),
  })
  if score == nil then
    return nil, type(reason) == "string" and reason or "the metric gave no reason"
  end
  if type(score) ~= "number" or score ~= score then
    native.fail("metric '%s' returned %s; where no value exists it returns nil and a reason", o.name,
      score ~= score and "nan" or "a " .. type(score))
  end
  return score
end

local not_a_mean = "it is not a mean over rows"

-- The scores of the rows alone by a metric in Lua, which may not expect one row alone; or as metric.row_scores.
local function scores_of_rows(value, prediction)
  local o, positive = lua_metrics[value], positive_of(value, prediction)
  local rows, truth, predicted = {}, prediction:truth(), prediction:labels() or prediction:values()
  local probabilities, classes = o.needs_probabilities and prediction:probabilities() or {}, prediction:classes()
  for i = 1, #truth do
    local ok, score, why = native.attempt(o.score, { truth[i] }, { predicted and predicted[i] }, {
      classes = classes, probabilities = o.needs_probabilities and { probabilities[i] } or nil, positive = positive,
    })
    if not ok or type(score) ~= "number" or score ~= score then
      why = not ok and score or why or "there is no value"
      return nil, ("%s: of one row alone, %s"):format(not_a_mean, tostring(why)), true
    end
    if score == math.huge or score == -math.huge then
      return nil, ("the score of row %d is infinite"):format(i), false
    end
    rows[i] = score
  end
  return rows
end

-- The score of each row by a metric in Lua. A row's weight plays no part, as in its score of all rows.
local function lua_row_scores(value, prediction)
  local all, reason = metric.score(value, prediction)
  if not all then return nil, reason, false end
  local rows, why, is_composed = scores_of_rows(value, prediction)
  if not rows then return nil, why, is_composed end
  local sum, size = 0, 0
  for _, score in ipairs(rows) do sum, size = sum + score, size + math.abs(score) end
  if math.abs(sum - all * #rows) > 1e-9 * size then return nil, not_a_mean, true end
  return rows
end

-- The score of each row of a prediction alone, and the weights of the rows (nil if all are 1). Nil, the reason and
-- whether it is that the metric is not a mean over rows: the weighted mean of these scores is not the score of all.
function metric.row_scores(value, prediction)
  if lua_metrics[value] then return lua_row_scores(value, prediction) end
  return native.row_scores(value, prediction)
end

-- The least and the greatest value that a metric can have; nil for what is infinite, and of a metric in Lua.
function metric.range(value)
  if native.kind(value) ~= "metric" then return nil, nil end
  local worst, best = value:range()
  if value:direction() < 0 then return best, worst end
  return worst, best
end

-- The worst value that a metric can have; nil if it is infinite.
function metric.worst(value)
  local o = lua_metrics[value]
  if o then return o.worst end
  local least, most = metric.range(value)
  if metric.direction(value) == 0 then return nil end
  return metric.direction(value) > 0 and least or metric.direction(value) < 0 and most or nil
end

local with_value = setmetatable({}, { __mode = "k" })  -- by splits and metric

-- Whether the metric has a value on the test rows of a split for the prediction that is the truth. If so, a learner
-- that has none there has it because of its prediction, as a constant one has no correlation.
function metric.has_value(value, splits, split)
  with_value[splits] = with_value[splits] or setmetatable({}, { __mode = "k" })
  local of_metric = with_value[splits][value] or {}
  with_value[splits][value] = of_metric
  if of_metric[split] == nil then
    local ok, score = native.attempt(metric.score, value, native.perfect(splits:test(split)))
    of_metric[split] = ok and score ~= nil
  end
  return of_metric[split]
end

-- A list of metrics, split into those that run with the cells (native) and all of them in order.
-- `index[i]` is the place of metric i among the native ones, or nil.
function metric.list(values, what)
  if native.kind(values) == "metric" or type(values) == "string" or metric.is_lua(values) then
    values = { values }
  end
  if type(values) ~= "table" or next(values) == nil then
    native.fail("%s: expected a metric or a list of metrics", what)
  end
  options.list(what, values)
  local list = { native = {}, index = {}, any_lua = false, probabilities = false }
  for i, value in ipairs(values) do
    local m = metric.check(value, what)
    for j = 1, i - 1 do
      if metric.name(list[j]) == metric.name(m) then
        native.fail("%s: metric '%s' is given twice", what, metric.name(m))
      end
    end
    list[i] = m
    if metric.is_lua(m) then
      list.any_lua = true
      list.probabilities = list.probabilities or metric.needs_probabilities(m)
    else
      list.native[#list.native + 1] = m
      list.index[i] = #list.native
    end
  end
  return list
end

-- What cells must keep for the Lua metrics of a list, given what the user wants kept.
function metric.keep(list, wanted)
  if wanted == "probabilities" or list.probabilities then return "probabilities" end
  if wanted == "labels" or list.any_lua then return "labels" end
  return "none"
end

-- score_of(m) for every metric of a list: values and reasons. If one raises: nil and the failure
-- { stage, message }.
local function try_all(list, score_of)
  local values, reasons = {}, {}
  for m = 1, #list do
    local ok, value, reason = native.attempt(score_of, m)
    if not ok then
      local readable, text = pcall(tostring, value)
      return nil, {
        stage = "score " .. metric.name(list[m]), cause = run.cause(value),
        message = readable and text or "an error that has no text: " .. type(value),
      }
    end
    values[m], reasons[m] = value, reason
  end
  return values, reasons
end

-- metric.score of what was fitted and predicted just now. In a plan nothing was, and it is 0.
function metric.score_fit(value, prediction)
  if native.planning() then return 0 end
  return metric.score(value, prediction)
end

-- Scores of a prediction: values and reasons in the order of the metrics, or nil and a failure.
function metric.score_all(list, prediction)
  return try_all(list, function(m) return metric.score_fit(list[m], prediction) end)
end

-- The same of outcome i of a run, which is then counted as one that failed.
function metric.scores(list, outcomes, i)
  local prediction = list.any_lua and outcomes:prediction(i) or nil
  local values, reasons = try_all(list, function(m)
    if list.index[m] then return outcomes:score(i, list.index[m]) end
    return metric.score_fit(list[m], prediction)
  end)
  if not values then native.count_failure() end
  return values, reasons
end

return metric
