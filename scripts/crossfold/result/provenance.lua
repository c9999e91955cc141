-- Collects where numbers come from, as plain rows: learners with the plugin inside, datasets with their hash.
local native = require "crossfold.native"
local imported = require "crossfold.import.learner"
local known = require "crossfold.lockbox.known"

local provenance = {}

-- { name =, learner = its definition, plugin =, plugin_version =, plugin_sha256 = }; a learner in Lua has
-- the plugin of the learner that it is made of, or none. Imported predictions have { imported_sha256 = } of their file.
function provenance.learner(name, spec)
  local inside = spec
  while native.kind(inside) ~= "learner" and inside.learner do inside = inside.learner end
  local row = { name = name, learner = tostring(spec) }
  if imported.is(spec) then row.imported_sha256 = spec.source.sha256 end
  if native.kind(inside) == "learner" then
    row.plugin, row.plugin_version, row.plugin_sha256 = native.plugin_of(inside)
  end
  return row
end

-- With the rows that were left out when the data were read, and with the lockbox that has others, if there are any.
function provenance.dataset(name, data)
  local dropped = data:dropped_rows()
  return { name = name, rows = #data, hash = data:hash(), dropped_rows = dropped > 0 and dropped or nil,
    lockbox = known.of(data) }
end

-- Fields and their types; those of `optional` may be missing.
local whole = { { "crossfold", "string" }, { "splitter", "string" }, { "learners", "table" },
  { "datasets", "table" }, { "seed", "integer", optional = true } }
local of_learner = { { "name", "string" }, { "learner", "string" }, { "plugin", "string", optional = true },
  { "plugin_version", "string", optional = true }, { "plugin_sha256", "string", optional = true },
  { "imported_sha256", "string", optional = true } }
local of_dataset = { { "name", "string" }, { "rows", "integer" }, { "hash", "string" },
  { "dropped_rows", "integer", optional = true }, { "lockbox", "table", optional = true } }
local of_lockbox = { { "file", "string" }, { "id", "string" }, { "rows", "integer", optional = true },
  { "hash", "string", optional = true }, { "sealed", "string", optional = true },
  { "confidence", "number", optional = true }, { "rule", "string", optional = true },
  { "problem", "string", optional = true }, { "openings", "table" } }
local of_opening = { { "number", "integer" }, { "time", "string" }, { "reason", "string" }, { "model", "string" },
  { "model_hash", "string" }, { "metric", "string" }, { "score", "number", optional = true },
  { "low", "number", optional = true }, { "high", "number", optional = true }, { "level", "number", optional = true },
  { "problem", "string", optional = true }, { "no_interval", "string", optional = true } }

-- These fields of `found`; raises a text unless they are of their types.
local function checked(found, fields)
  if type(found) ~= "table" then error("a part of its provenance is not a table", 0) end
  local made = {}
  for _, field in ipairs(fields) do
    local name, wanted = field[1], field[2]
    local value = found[name]
    local actual = wanted == "integer" and math.type(value) or type(value)
    if actual ~= wanted and not (field.optional and value == nil) then
      error(("%s of its provenance is not %s %s"):format(name, wanted == "integer" and "an" or "a", wanted), 0)
    end
    made[name] = value
  end
  return made
end

-- What a store has of the lockbox of a dataset; nil if there is none.
function provenance.stored_lockbox(found)
  if found == nil then return nil end
  local made, openings = checked(found, of_lockbox), {}
  for i, row in ipairs(made.openings) do openings[i] = checked(row, of_opening) end
  made.openings = openings
  return made
end

-- What a store has of it, field by field: foreign bytes. nil of an older Crossfold.
function provenance.of_stored(found)
  if found == nil then return nil end
  local made = checked(found, whole)
  local learners, datasets = {}, {}
  for i, row in ipairs(made.learners) do learners[i] = checked(row, of_learner) end
  for i, row in ipairs(made.datasets) do datasets[i] = checked(row, of_dataset) end
  for _, row in ipairs(datasets) do row.lockbox = provenance.stored_lockbox(row.lockbox) end
  made.learners, made.datasets = learners, datasets
  return made
end

-- A copy of all of it for people, in which long lists of parameters are shortened.
function provenance.shown(value)
  if type(value) ~= "table" then return value end
  local made = {}
  for key, field in pairs(value) do
    local is_spec = (key == "splitter" or key == "learner") and type(field) == "string"
    made[key] = is_spec and native.short_spec(field) or provenance.shown(field)
  end
  return made
end

return provenance
