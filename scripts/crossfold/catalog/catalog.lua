-- The experiments of many stores in one file; see docs/catalog.md.
--
--   local catalog = cf.catalog("team.catalog")
--   catalog:add { "ann.cfdb", "bob.cfdb" }
--   print(catalog:best { metric = "accuracy" })
local native = require "crossfold.native"
local catalog_page = require "crossfold.catalog.page"
local catalog_rows = require "crossfold.catalog.rows"
local notes = require "crossfold.catalog.notes"
local options = require "crossfold.options"
local interval = require "crossfold.interval.interval"
local metric = require "crossfold.metric"
local stored = require "crossfold.stored.stored"

local catalog = options.class "crossfold.Catalog"

-- By name: the text of each learner, and the hash of each dataset.
local function texts_of(result)
  local settings, hashes = {}, {}
  for _, entry in ipairs(result.plan.learners) do settings[entry.name] = tostring(entry.learner) end
  local provenance = result.plan.provenance or { datasets = {} }
  for _, row in ipairs(provenance.datasets) do hashes[row.name] = row.hash end
  for _, job in ipairs(result.jobs) do
    hashes[job.dataset] = hashes[job.dataset] or job.data and job.data:hash()
  end
  return settings, hashes
end

-- Why a job has no score of metric m: a failure, or the reason of the first fold without one.
local function why_undefined(job, m)
  for _, fold in ipairs(job.folds) do
    if fold.failure then return ("failed at %s: %s"):format(fold.failure.stage, fold.failure.message) end
    if fold.reasons[m] then return fold.reasons[m] end
  end
  return "infinities of both signs have no mean"
end

-- The key of a metric; nil of one in Lua, whose name says nothing of what it computes.
local function key_of(value, data)
  return not metric.is_lua(value) and native.metric_key(value, data) or nil
end

-- Scores of one name are ranked together: those of a class that the data name, which their hash does not cover, have
-- a name of their own.
local function ranked_name(row, job)
  local given = row.positive and job.data and job.data:roles().positive
  return given and ("%s (%s)"):format(row.metric, given) or row.metric
end

-- The hash of a job's splits; those of the jobs of a dataset are the same.
local function splits_hash(job, known)
  if not job.splits then return nil end
  known[job.dataset] = known[job.dataset] or native.splits_hash(job.splits)
  return known[job.dataset]
end

-- Appends the rows of a result, which is experiment `number` of the run.
local function add_result(rows, result, run, number)
  local settings, hashes = texts_of(result)
  local summary, metrics, known_splits = result:summary(), result.plan.metrics, {}
  for m = 1, #metrics do
    for j, found in ipairs(interval.of_jobs(result, m)) do
      local job, row = result.jobs[j], summary[(j - 1) * #metrics + m]
      rows[#rows + 1] = {
        run = run, experiment = number, dataset = row.dataset, dataset_hash = hashes[row.dataset],
        learner = row.learner, settings = settings[row.learner], metric = ranked_name(row, job),
        metric_key = key_of(metrics[m], job.data), direction = metric.direction(metrics[m]), folds = row.folds,
        defined = row.defined, failed = row.failed, fallback = row.fallback, score = row.mean,
        low = row.mean and found.low, high = row.mean and found.high,
        confidence = row.mean and found.low and found.confidence, method = found.method, covers = found.covers,
        caution = found.caution,
        undefined = row.mean == nil and (row.undefined or why_undefined(job, m)) or found.undefined,
        design = found.design, splits = splits_hash(job, known_splits),
      }
    end
  end
end

-- The name of something damaged in a run, with the number of the run.
local function name_in(run, name)
  return name:find(("run %d "):format(run), 1, true) and name or ("run %d: %s"):format(run, name)
end

-- The rows of all runs, and the names of what could not be read.
local function scores_of(path)
  local rows, damaged = {}, {}
  for _, run in ipairs(native.stored_runs(path)) do
    local ok, found = native.attempt(stored.new, { store = path, run = run })
    if ok then
      for _, name in ipairs(found.damaged) do damaged[#damaged + 1] = name_in(run, name) end
      for i, result in ipairs(found.results) do add_result(rows, result, run, i) end
    else
      damaged[#damaged + 1] = name_in(run, (tostring(found):gsub("^[^:\n]+:%d+: ", "")))
    end
  end
  return rows, damaged
end

local default_path = "crossfold.catalog"

-- cf.catalog(path): the catalog in that file, which catalog:add makes.
function catalog.new(path)
  if path ~= nil and type(path) ~= "string" then
    native.fail("catalog: expected the path of a catalog, got a %s", type(path))
  end
  return setmetatable({ path = path or default_path }, catalog)
end

local function check_text(what, value, wanted)
  if type(value) == "string" and value ~= "" then return value end
  local got = value == "" and "an empty string" or "a " .. type(value)
  native.fail("%s: expected %s, got %s", what, wanted, got)
end

-- The paths of a string or a list; without one those that the catalog has.
local function paths_of(self, stores)
  if type(stores) == "string" then return { stores } end
  if stores ~= nil then
    for _, path in ipairs(options.list("add: the stores", stores)) do
      check_text("add", path, "the paths of stores")
    end
    return stores
  end
  local paths = {}
  for i, row in ipairs((native.catalog_list(self.path))) do paths[i] = row.store end
  return paths
end

-- Scores are read before the rest of a store. If a run ends meanwhile, all is read once more.
local function add_one(self, path, who)
  local row, ended, ended_before
  repeat
    ended_before = select(2, native.stored_runs(path))
    local scores, damaged = scores_of(path)
    row = native.catalog_add(self.path, path, { who = who, scores = scores, damaged = damaged })
    ended = select(2, native.stored_runs(path))
  until ended == ended_before
  return row
end

-- The row of a store that could not be added. What the catalog had of it stays.
local function unread(self, path, problem)
  problem = tostring(problem)
  if problem:find(("'%s'"):format(self.path), 1, true) then error(problem, 0) end
  return { store = path, problem = (problem:gsub("^[^:\n]+:%d+: ", "")) }
end

local function damage_text(path, damaged)
  if #damaged == 0 then return nil end
  return ("%d %s of store '%s' %s damaged and left out; the first: %s"):format(#damaged,
    #damaged == 1 and "item" or "items", path, #damaged == 1 and "is" or "are", damaged[1])
end

local add_options = options.declare("Catalog:add", {
  who = { "string", doc = "Who ran the experiments; default as before, or the owner of the file." },
})

-- Adds stores, or reads those that the catalog has again. One that cannot be read has a `problem`.
function catalog:add(stores, given)
  local o = options.check("add", given, add_options)
  local list = {}
  for i, path in ipairs(paths_of(self, stores)) do
    local ok, found = native.attempt(add_one, self, path, o.who)
    local row = ok and found or unread(self, path, found)
    row.problem = row.problem or damage_text(path, row.damaged)
    row.damaged = row.damaged and #row.damaged
    list[i] = row
  end
  return catalog_rows.new(list, {
    columns = { "store", "who", "runs", "cells", "scores", "damaged", "problem" },
    shown = { "store", "who", "runs", "cells", "scores" }, empty = "the catalog has no stores",
  })
end

-- Removes what the catalog has of a store.
function catalog:remove(store)
  native.catalog_remove(self.path, check_text("remove", store, "the path of a store"))
end

-- One row per store: store, who, added, runs, cells, scores, damaged, state.
function catalog:list()
  local list, columns = native.catalog_list(self.path)
  return catalog_rows.new(list, { columns = columns, empty = "the catalog has no stores" })
end

-- A text for a column of a table.
local function short(text, most)
  text = text and native.short_spec(text)
  if not text or utf8.len(text) and utf8.len(text) <= most then return text end
  return text:sub(1, most - 3) .. "..."
end

local shown_of_best = { "dataset", "metric", "rank", "learner", "settings", "score", "low", "high", "method", "folds",
  "design", "splits", "who", "store" }

-- A row of `best` for people.
local function best_text(row)
  local made = {}
  for _, name in ipairs(shown_of_best) do made[name] = row[name] end
  made.settings = short(row.settings, 40)
  made.splits = row.splits and row.splits:sub(1, 8)
  if row.defined < row.folds then made.folds = ("%d of %d"):format(row.defined, row.folds) end
  return made
end

-- What is said under the table.
local function best_notes(list)
  local lines = {}
  for _, group in ipairs(notes.groups(list)) do
    for _, note in ipairs(notes.of(group)) do
      lines[#lines + 1] = ("(%s on %s: %s)"):format(group[1].metric, group[1].dataset, note)
    end
  end
  return lines
end

local best_options = options.declare("Catalog:best", {
  dataset = { "string", doc = "The name of a dataset, or the beginning of its hash; default all." },
  metric = { "string", doc = "The name of a metric; default all." },
})

-- The scores of all stores, ranked within each dataset and metric.
function catalog:best(given)
  local o = options.check("best", given, best_options)
  local list, columns = native.catalog_best(self.path, o.dataset, o.metric)
  return catalog_rows.new(list, { columns = columns, shown = shown_of_best, text = best_text, notes = best_notes(list),
    empty = "the catalog has no scores" })
end

-- Where the dataset, plugin, cells, splits, script or result with this hash occurs.
function catalog:find(hash)
  local list, columns = native.catalog_find(self.path, check_text("find", hash, "the beginning of a hash"))
  return catalog_rows.new(list, { columns = columns, empty = ("nothing has the hash '%s'"):format(hash) })
end

-- The rows of a SELECT.
function catalog:query(sql)
  local list, columns = native.catalog_query(self.path, check_text("query", sql, "a SELECT of SQLite"))
  return catalog_rows.new(list, { columns = columns })
end

local shown_of_agree = { "dataset", "learner", "first", "second", "cells", "same_inputs", "equal", "different",
  "unknown", "reason" }

-- A row of `agree` for people: who, and the name of the file.
local function agree_text(row)
  local made = {}
  for _, name in ipairs(shown_of_agree) do made[name] = row[name] end
  made.first = notes.store_of(row.first, row.first_store)
  made.second = notes.store_of(row.second, row.second_store)
  return made
end

local function agree_notes(list)
  local lines, named = {}, {}
  for _, row in ipairs(list) do
    local note = row.finding and ("%s on %s, %s: %s"):format(row.learner, row.dataset, row.reason, row.finding)
    if note and not named[note] then named[note], lines[#lines + 1] = true, note end
  end
  return lines
end

local agree_options = options.declare("Catalog:agree", {
  inner = { "boolean", false, doc = "Whether cells that made a choice inside training rows are compared, too." },
})

-- One row per learner and pair of stores that have the same cells; whether they are equal, or why not.
function catalog:agree(given)
  local o = options.check("agree", given, agree_options)
  local list, columns = native.catalog_agree(self.path, o.inner)
  return catalog_rows.new(list, { columns = columns, shown = shown_of_agree, text = agree_text,
    notes = agree_notes(list), empty = "no two stores have a cell in common" })
end

local page_options = options.declare("Catalog:page", {
  file = { "string|boolean", is = "output", doc = "The HTML file; without it the text is returned." },
  title = { "string", doc = "Title of the page; default the name of the catalog." },
})

-- The leaderboard as one HTML file.
function catalog:page(given)
  local o = options.check("page", given, page_options)
  return options.write_text(o.file or true, catalog_page.of(self, o.title or notes.file_name(self.path)))
end

function catalog:__tostring()
  return ("catalog '%s'\n%s"):format(self.path, tostring(self:list()))
end

return options.methods(catalog, { "add", "remove", "list", "best", "find", "query", "agree", "page" }, nil,
  { "add", "best", "agree", "page" })
