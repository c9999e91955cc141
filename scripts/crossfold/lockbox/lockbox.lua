-- Seals test rows in a file apart before work begins, and opens it for models that are final; see docs/lockbox.md.
--
--   local rest, box = cf.lockbox(data, { file = "iris.lockbox", share = 0.2 })
--   ... evaluate, search, choose on `rest` ...
--   print(box:open(model, { reason = "the chosen model" }))
local native = require "crossfold.native"
local findings = require "crossfold.stored.findings"
local known = require "crossfold.lockbox.known"
local looks = require "crossfold.lockbox.looks"
local opening = require "crossfold.lockbox.opening"
local options = require "crossfold.options"
local splitter = require "crossfold.splitter"

local lockbox = {}

local box = options.class "crossfold.Lockbox"

local function box_at(path) return setmetatable({ file = path }, box) end

box.open = opening.open

-- What anyone may read: { data =, rows =, rest_rows =, hash =, rest_hash =, chosen_by =, rule =, confidence =, time =,
-- is_key_apart =, id = }.
function box:seal()
  local found = native.read_lockbox(self.file, self.key)
  found.openings = nil
  return found
end

-- One row per opening, in order; see known.openings.
function box:openings() return known.openings(native.read_lockbox(self.file, self.key)) end

-- Raises unless the record was written with the key, and the rows are those that the seal describes. What is printed
-- later is checked, too.
local verify_options = options.declare("Lockbox:verify", {
  key = { "string", doc = "The file of the key, if it is kept apart." },
})
function box:verify(given)
  local o = options.check("verify", given, verify_options)
  native.check_lockbox_key(self.file, o.key)
  self.key = o.key
  return true
end

local columns = { "opening", "time", "model", "metric", "score", "low", "high", "reason" }

local function opening_rows(list)
  local rows = {}
  for i, row in ipairs(list) do
    rows[i] = { opening = row.number, time = row.time, model = row.model, metric = row.metric,
      score = row.score or row.problem, low = row.low, high = row.high, reason = row.reason }
  end
  return rows
end

local unchecked = "its record was not checked against its key (--key)"

function box:__tostring()
  local found = native.read_lockbox(self.file, self.key)
  local text = ("lockbox '%s': %d of %d rows of '%s' are sealed, %s\nsealed %s by %s; SHA-256 of the rows: %s\n"
    .. "%s"):format(self.file, found.rows, found.rows + found.rest_rows,
      found.data, known.times(#found.openings), found.time, found.chosen_by, found.hash,
      found.is_key_apart and not self.key and unchecked or "its record is intact")
  if #found.openings == 0 then return text end
  return text .. "\n" .. native.table_text(columns, opening_rows(known.openings(found)))
end

local outputs = options.declare("Lockbox:to", options.outputs { "json", "text" })

-- What anyone may read, with the openings, as JSON or as text.
function box:to(given)
  local o = options.check("to", given, outputs)
  if options.one_of("to", o, { "json", "text" }) == "text" then
    return options.write_text(o.text, tostring(self) .. "\n")
  end
  local found = self:seal()
  found.file, found.openings = self.file, self:openings()
  found.is_checked = not found.is_key_apart or self.key ~= nil
  return options.write_text(o.json, findings.encode(found) .. "\n")
end

options.methods(box, { "open", "seal", "openings", "to", "verify" }, nil, { "open", "to", "verify" })

local declared = options.declare("lockbox", {
  file = { "string!", doc = "The file that gets the sealed rows; ends in .lockbox." },
  share = { "number", 0.2, doc = "The share of rows to seal." },
  groups = { "string", doc = "The column of groups, which stay together; default that of the data." },
  stratify = { "boolean", doc = "Whether the shares of the classes stay the same; default true if there are classes." },
  splitter = { "any", is = "splitter", doc = "The test rows of its first split are sealed, not a random share." },
  seed = options.seed,
  looks = { "string", "spending", words = looks.rules,
    doc = "How the risk of a wrong interval is divided among openings: 1/k each (\"bonferroni\"), 1/2^k of "
      .. "opening k, or so that the intervals hold for models that were chosen by earlier scores." },
  confidence = { "number", 0.95, doc = "Level at which the intervals of all openings hold together." },
  key = { "string", doc = "The file that gets the key, to be kept by someone else; without it the lockbox has it." },
})

local function refuse_times(data, path)
  if not data:roles().time then return end
  native.fail("cannot seal rows in '%s': the rows of '%s' have times, and a random share would leave rows that are "
    .. "later than the sealed ones; give splitter = cf.splitter(\"time_series\", { folds = 1 })", path, data:name())
end

-- The splitter, and how people call the choice of rows.
local function chooser(data, o)
  if o.splitter then
    local made = splitter.check(o.splitter, "lockbox: option 'splitter'")
    return made, ("the first split of %s, seed %d"):format(tostring(made), o.seed)
  end
  refuse_times(data, o.file)
  options.check_share("lockbox", "share", o.share)
  local stratify = o.stratify
  if stratify == nil then stratify = splitter.stratification(data) end
  local text = ("%s%% of the rows at random, seed %d"):format(native.format_number(100 * o.share), o.seed)
  if data:roles().groups then text = text .. (", whole groups of '%s'"):format(data:roles().groups) end
  if stratify then text = text .. ", stratified" end
  return splitter.new("holdout", { test_share = o.share, stratify = stratify }), text
end

-- Positions of the test rows of the first split.
local function positions(splits, data)
  local of_id, list = {}, {}
  for position, id in ipairs(data:row_ids()) do
    if of_id[id] then
      native.fail("lockbox: row %d of '%s' is there twice; a copy of a sealed row would stay outside", id, data:name())
    end
    of_id[id] = position
  end
  for i, id in ipairs(splits:test(1):row_ids()) do list[i] = of_id[id] end
  return list
end

-- In a plan nothing is sealed.
local function planned(data, chosen, path)
  local rest = {}
  local is_sealed = options.set_of(chosen)
  for position = 1, #data do
    if not is_sealed[position] then rest[#rest + 1] = position end
  end
  return data:select(rest), box_at(path)
end

-- cf.lockbox(data, { file =, share =, ... }): the rows to work on, and the lockbox with the others. If the file is
-- there already with the same rows, it stays as it is.
function lockbox.new(data, given)
  local o = options.check("lockbox", given, declared)
  options.dataset("lockbox", data)
  options.check_share("lockbox", "confidence", o.confidence)
  if o.key == "" then
    native.fail("lockbox: key = \"\" is not the name of a file; leave it out, so that the lockbox has its key itself")
  end
  if data:task() == "none" then
    native.fail("lockbox: '%s' has no target, so no model can be evaluated on sealed rows; read it with target = "
      .. "\"<column>\"", data:name())
  end
  if o.groups then data = data:with_roles { groups = o.groups } end
  local made, text = chooser(data, o)
  local splits = splitter.split(made, splitter.prepare(made, data), native.seed(o.seed, "lockbox"))
  local chosen = positions(splits, data)
  if native.planning() then return planned(data, chosen, o.file) end
  local rest, id = native.seal_rows(data, chosen, o.file, { chosen_by = text, rule = o.looks,
    confidence = o.confidence, key = o.key })
  known.add(id, o.file)
  return rest, box_at(o.file)
end

-- cf.read_lockbox(path): the lockbox at a path, which stays closed.
function lockbox.read(path)
  if type(path) ~= "string" then native.fail("read_lockbox: expected the path of a file, got a %s", type(path)) end
  native.read_lockbox(path)
  return box_at(path)
end

return lockbox
