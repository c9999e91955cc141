-- Completes the names that values of the library hold: learners and metrics of a result, columns of a
-- dataset.
local native = require "crossfold.native"
local metric = require "crossfold.metric"

local name_completion = {}

-- Which of them an option means, and which the arguments of a method.
local of_option = {
  learner = "learner", learners = "learner", control = "learner", dataset = "dataset",
  datasets = "dataset", metric = "metric", positive = "class",
}
local of_argument = {
  confusion = { "learner" }, class_report = { "learner" }, tuning = { "learner" }, fit = { "learner" },
  per_row = { "learner" }, crossing = { "learner", "learner" }, column = { "column" },
}

-- The jobs of a result and its like; see outer_folds.lua. Nil for all else.
local function jobs_of(value)
  local meta = type(value) == "table" and debug.getmetatable(value)
  local name = type(meta) == "table" and rawget(meta, "__name")
  if name == "crossfold.Result" then return rawget(value, "jobs"), rawget(value, "plan").metrics end
  if name == "crossfold.LearningCurve" or name == "crossfold.BiasVariance" then
    return jobs_of(rawget(value, "plan").evaluated)
  end
end

local function of_dataset(data, what)
  if what == "class" then return data:task() == "classification" and data:classes() or {} end
  if what ~= "column" then return nil end
  local names = data:features()
  for _, column in pairs(data:roles()) do names[#names + 1] = column end
  return names
end

local function of_jobs(jobs, metrics, what)
  local names = {}
  if what == "metric" then
    for i, one in ipairs(metrics) do names[i] = metric.name(one) end
    return names
  end
  for i, job in ipairs(jobs) do
    if what == "learner" then names[i] = job.learner_name end
    if what == "dataset" then names[i] = job.dataset end
    if what == "class" and job.data then table.move(of_dataset(job.data, what), 1, 1000, #names + 1, names) end
  end
  return names
end

-- The names of a kind, "learner", "dataset", "metric", "class" or "column", that `value` holds; nil if it
-- is nothing that holds them.
function name_completion.of(value, what)
  if native.kind(value) == "dataset" then return of_dataset(value, what) end
  local jobs, metrics = jobs_of(value)
  return jobs and what ~= "column" and of_jobs(jobs, metrics, what) or nil
end

-- The names that the option `key` may have, by the values around it; nil if none of them knows such names.
function name_completion.by_option(key, around)
  local what = of_option[key]
  for _, value in ipairs(what and around or {}) do
    local names = name_completion.of(value, what)
    if names then return names end
  end
end

-- Options of cf.read that name a column.
local role = { target = true, weights = true, groups = true, time = true, strata = true, folds = true,
  coordinates = true }

-- The fields of the first line of CSV or of text with tabs.
local function fields_of(line)
  local separator = line:find("\t", 1, true) and "\t" or line:find(",", 1, true) and "," or ";"
  local fields, at = {}, 1
  while at <= #line + 1 do
    local quoted, behind = line:match('^"([^"]*)"()', at)
    local last = (line:find(separator, behind or at, true) or #line + 1) - 1
    fields[#fields + 1] = quoted or line:sub(at, last)
    at = last + 2
  end
  return fields
end

-- The columns that an option of cf.read(path, ...) may name, from the first line of the file; nil if the
-- option names none, or the file has no such line.
function name_completion.columns_of_file(path, key)
  if not role[key] or type(path) ~= "string" or not path:lower():find("%.[ct]sv$") then return nil end
  local file = io.open(path, "rb")
  local text = file and file:read(65536)
  if file then file:close() end
  local line = text and text:match("^([^\r\n]*)[\r\n]")
  return line and fields_of((line:gsub("^\xEF\xBB\xBF", "")))
end

-- The names that an argument of a method of `value` may have; nil if it takes no such names.
function name_completion.by_argument(value, method, index)
  local what = (of_argument[method] or {})[index]
  return what and name_completion.of(value, what)
end

return name_completion
