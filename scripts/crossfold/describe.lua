-- cf.describe(data, { folds =, most_frequent =, threads = }): what a dataset is like: types, missing
-- entries, classes, and what looks like a mistake.
local native = require "crossfold.native"
local options = require "crossfold.options"
local text_output = require "crossfold.text.text_output"

local describe = {}

local report = options.class "crossfold.DataReport"

-- The forms of a report as text, and its columns by name; a report itself has its facts only.
local forms = setmetatable({}, { __mode = "k" })

local declared = options.declare("describe", {
  folds = { "integer", 10, doc = "Classes with fewer rows than this number of folds are reported." },
  most_frequent = { "integer", 3, doc = "Number of the most frequent levels that are listed." },
  threads = { "integer", doc = "Number of threads; default that of the program." },
})
options.declare("Dataset:describe", declared)

function describe.new(data, given)
  options.dataset("describe", data)
  local o = options.check("describe", given, declared)
  if o.folds < 2 then native.fail("describe: option 'folds' must be at least 2") end
  if o.most_frequent < 1 then native.fail("describe: option 'most_frequent' must be at least 1") end
  if o.threads and (o.threads < 1 or o.threads > 4096) then
    native.fail("describe: option 'threads' must be between 1 and 4096")
  end
  local facts, text, json = native.describe(data, o.folds, o.most_frequent, o.threads)
  local made = setmetatable(facts, report)
  local by_name = {}
  for _, column in ipairs(made.columns) do by_name[column.name] = column end
  forms[made] = { text = text, json = json, by_name = by_name }
  return made
end

function report:__tostring() return (forms[self].text:gsub("\n$", "")) end

-- The facts of one column.
function report:column(name)
  local found = forms[self].by_name[name]
  if found then return found end
  local names = {}
  for i, column in ipairs(self.columns) do names[i] = column.name end
  options.place_of("column: there is no column", name, names)
end

local to_options = options.declare("DataReport:to", options.outputs { "json", "text" })

-- report:to{ json = path } or { text = path }; true for the path gives the text.
function report:to(given)
  return text_output.give(self, given, to_options, {
    json = function() return forms[self].json end, text = function() return forms[self].text end,
  })
end

options.methods(report, { "column", "to" }, "report:", { "to" })

return describe
