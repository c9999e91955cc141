-- Opens a lockbox: evaluates one model on the sealed rows, after the opening is recorded.
local native = require "crossfold.native"
local answer = require "crossfold.lockbox.answer"
local ensemble_model = require "crossfold.ensemble.model"
local findings = require "crossfold.stored.findings"
local known = require "crossfold.lockbox.known"
local looks = require "crossfold.lockbox.looks"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local planning = require "crossfold.planning"
local run = require "crossfold.run"

local opening = {}

local result = options.class "crossfold.LockboxOpening"

local function percent(level)
  local text = ("%.2f"):format(100 * level):gsub("%.?0+$", "")
  return text
end

local function number(x) return native.format_number(x, 4) end

local method_names = { wilson = "Wilson", clt = "central limit theorem", bootstrap = "bootstrap standard error" }

local function interval_text(self)
  if not self.low then return ("There is no interval: %s."):format(self.no_interval) end
  return ("Interval: %s to %s (%s; level %s %%)."):format(number(self.low), number(self.high),
    self.rule == "adaptive" and "Chernoff bound" or method_names[self.method], percent(self.level))
end

local promises = {
  bonferroni = "The intervals widen with each opening, so that those of all openings hold together with %s %%%s",
  spending = "Each opening has a wider interval than the one before, so that those of all openings hold together with "
    .. "%s %%%s",
  adaptive = "Each opening has a wider interval than the one before, so that those of all openings hold together with "
    .. "%s %%, whatever a model owes to the scores of earlier ones.",
}

-- What several openings mean for the interval.
local function looks_text(self)
  if not self.low then return "" end
  local condition = self.number > 1 and ", if no model was chosen by the scores of earlier ones." or "."
  local text = " " .. promises[self.rule]:format(percent(self.confidence), condition)
  local adaptive = self.adaptive
  if not adaptive then return text end
  return text .. (" If this model was, its interval is %s to %s."):format(number(adaptive.low), number(adaptive.high))
end

function result:__tostring()
  local head = ("%s of '%s' on %d sealed rows of '%s': %s"):format(self.metric, self.model, self.rows, self.data,
    number(self.score))
  local again = not self.is_repeated and ""
    or " The model was evaluated before, so this is the same answer, and not another opening."
  return ("%s\n%s\nThis is opening %d of '%s', which was %s.%s%s"):format(head, interval_text(self), self.number,
    self.file, known.times(self.openings), looks_text(self), again)
end

local outputs = options.declare("LockboxOpening:to", options.outputs { "json", "text" })

-- Fields of the result as JSON or as text.
function result:to(given)
  local o = options.check("to", given, outputs)
  if options.one_of("to", o, { "json", "text" }) == "text" then
    return options.write_text(o.text, tostring(self) .. "\n")
  end
  return options.write_text(o.json, findings.encode(options.joined(self)) .. "\n")
end

options.methods(result, { "to" }, nil, { "to" })

-- { model =, name =, hash = } of a model, or of the path of one.
local function model_of(given)
  if type(given) == "string" then
    local hash = native.file_sha256(given)
    return { model = ensemble_model.load(given), name = given:match("[^/\\]+$") or given, hash = hash }
  end
  if native.kind(given) ~= "model" and not ensemble_model.is(given) then
    native.fail("open: expected a model or the path of a saved one, got a %s", native.kind(given) or type(given))
  end
  local name = tostring(given):gsub("^model of ", "")
  return { model = given, name = name, hash = native.sha256(given:to_bytes(name)) }
end

-- A model that was fitted on the sealed rows would be tested on what it has seen.
local function refuse_fitted_on_all(found, file, of)
  local outline = ensemble_model.is(of.model) and of.model.outline or of.model
  local hash = native.training_hash(outline)
  if hash == found.whole_hash or hash == found.hash then
    native.fail("cannot open lockbox '%s': the model '%s' was fitted on the sealed rows; fit it on the other %d rows, "
      .. "which cf.lockbox gives", file, of.name, found.rest_rows)
  end
end

-- The least and the greatest value of a metric, as a record has them.
local function range_of(value)
  local least, most = metric.range(value)
  return least or -math.huge, most or math.huge
end

-- A record names metrics, so an answer by another function would look like a native one.
local function refuse_native_name(value)
  if not metric.is_lua(value) then return end
  local name = metric.name(value)
  if pcall(metric.new, (name:gsub("{.*", ""))) then
    native.fail("open: the metric in Lua has the name of a metric of Crossfold, '%s'; give it another name", name)
  end
end

-- The opening `number` as its result.
local function result_of(found, file, number_of, is_repeated)
  local made = known.openings(found)[number_of]
  local one = found.openings[number_of].answer
  made.file, made.data, made.rows, made.openings = file, found.data, found.rows, #found.openings
  made.confidence, made.rule, made.method, made.is_repeated = found.confidence, found.rule, one.method, is_repeated
  if number_of > 1 and found.rule ~= "adaptive" then
    made.adaptive = looks.interval("adaptive", found.openings, number_of, found.confidence)
  end
  return setmetatable(made, result)
end

-- The number of the opening that has a score of this model and metric.
local function answered(found, of, name)
  for i, one in ipairs(found.openings) do
    if one.model_hash == of.hash and one.metric == name and one.answer and not one.answer.problem then return i end
  end
end

-- The kind of its findings in a store, which stay there when old runs are removed.
local kind = "lockbox"

-- A store that has more openings than the file knows a newer file.
local function refuse_older_copy(found, file, how)
  local newest, store = native.stored_openings(how, found.id)
  if newest > #found.openings then
    native.fail("cannot open lockbox '%s': it has %d openings, and the store '%s' has %d of them; use the newest copy",
      file, #found.openings, store, newest)
  end
end

-- Records an opening in the store, if there is one; `experiment` is its number there.
local function record(how, experiment, found, row)
  local body = findings.encode { file = row.file, id = found.id, opening = row }
  return native.record_findings(how, experiment or 0,
    { { kind = kind, name = ("%s %d"):format(found.id, row.number), body = body } })
end

-- What the record of an opening has as long as there is no score.
local function intent(found, file, number_of)
  local row = { file = file, number = number_of, problem = "interrupted" }
  for _, field in ipairs { "time", "reason", "model", "model_hash", "metric" } do
    row[field] = found.openings[number_of][field]
  end
  return row
end

local function score_of(value, of, rows)
  local ok, made = pcall(function() return answer.of(value, of.model:predict(rows), rows) end)
  if ok then return made end
  if made == native.cancelled then error(made, 0) end
  return { problem = tostring(made) }
end

local function evaluate(found, file, of, value, o, how)
  local begun, rows = native.begin_opening(file, { reason = o.reason, model = of.name, model_hash = of.hash,
    metric = metric.name(value), key = o.key })
  local key = o.key or ""
  local experiment = record(how, nil, found, intent(native.read_lockbox(file, key), file, begun))
  local made = score_of(value, of, rows)
  if not made.problem then
    local now = native.read_lockbox(file, key)
    made.least, made.most = range_of(value)
    now.openings[begun].answer = made
    local interval = looks.interval(now.rule, now.openings, begun, now.confidence)
    made.low, made.high = interval and interval.low, interval and interval.high
  end
  native.end_opening(file, begun, made, o.key)
  local now = native.read_lockbox(file, key)
  if made.problem then native.fail("opening %d of lockbox '%s' has no score: %s", begun, file, made.problem) end
  local shown = result_of(now, file, begun, false)
  record(how, experiment, now, shown)
  return shown
end

opening.options = options.declare("Lockbox:open", {
  reason = { "string!", doc = "Why the lockbox is opened; it is recorded." },
  metric = { "any", is = "metric", doc = "The metric; default accuracy, or rmse for a numeric target." },
  key = { "string", doc = "The file of the key, if it is kept apart." },
  store = { "string|boolean", is = "string|false",
    doc = "The store that records the opening, too; default that of the program." },
})

-- box:open(model, { reason =, metric = }): see lockbox.lua.
function opening.open(self, given, options_given)
  local o = options.check("open", options_given, opening.options)
  if not o.reason:find("%S") then
    native.fail("open: the reason is empty; say why the lockbox is opened")
  end
  planning.needs_results()
  local found = native.read_lockbox(self.file, o.key or "")
  local of = model_of(given)
  local value = metric.check(o.metric or (#of.model:classes() > 0 and "accuracy" or "rmse"), "open: option 'metric'")
  refuse_native_name(value)
  local known_number = answered(found, of, metric.name(value))
  if known_number then return result_of(found, self.file, known_number, true) end
  refuse_fitted_on_all(found, self.file, of)
  local how = run.execution("open", { store = o.store })
  refuse_older_copy(found, self.file, how)
  return evaluate(found, self.file, of, value, o, how)
end

return opening
