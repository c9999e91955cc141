-- cf.stats: tests, intervals and fits over plain numbers, without any experiment. The functions are
-- in the modules below; each takes one table of named options or a list of numbers, and returns a table
-- with named figures. A figure that does not exist is nil, and `undefined` says why.
local first_use = require "crossfold.first_use"
local native = require "crossfold.native"
local options = require "crossfold.options"

local number_text = first_use.of "crossfold.text.number_text"

local modules = {
  bias_variance = { "bias_variance" },
  bootstrap = { "bootstrap_632", "bootstrap_interval", "no_information_error", "out_of_bag_error" },
  paired = {
    "accuracy_interval", "adjust_p", "bayes_correlated_t", "bayes_hierarchical", "bayes_signed_rank", "cochran_q",
    "corrected_t", "five_by_two", "mcnemar", "paired_t", "sign_test", "two_proportions", "wilcoxon",
  },
  power = { "detectable_difference", "power", "rows_needed" },
  power_law = { "power_law" },
  ranks = { "critical_difference", "friedman" },
  sequential = { "normal_mixture_boundary", "proportion_sequence", "sequential_mean" },
  variance = { "betting_interval", "variance_components" },
}

-- What the functions return is printed as a table of names and values.
local figures = {}

local function is_list_of_tables(value) return type(value) == "table" and type(value[1]) == "table" end

local function text_of(value)
  if math.type(value) == "integer" then return tostring(value) end
  if type(value) == "number" then return number_text.fixed(value) end
  if is_list_of_tables(value) then return ("%d rows"):format(#value) end
  if type(value) ~= "table" then return tostring(value) end
  local parts = {}
  for i, part in ipairs(value) do parts[i] = text_of(part) end
  if #parts == 0 then
    for i, key in ipairs(options.sorted_keys(value)) do parts[i] = ("%s = %s"):format(key, text_of(value[key])) end
  end
  return table.concat(parts, ", ")
end

function figures:__tostring()
  if #self > 0 then return text_of(self) end
  local rows = {}
  for i, key in ipairs(options.sorted_keys(self)) do rows[i] = { figure = key, value = text_of(self[key]) } end
  return native.table_text({ "figure", "value" }, rows)
end

-- `f`, whose tables without a form of their own get this one; their fields stay what they are.
local function printable(f)
  return function(...)
    local result = f(...)
    if type(result) ~= "table" or getmetatable(result) then return result end
    return setmetatable(result, figures)
  end
end

local stats = {}
for module, names in pairs(modules) do
  for _, name in ipairs(names) do stats[name] = printable(first_use.call("crossfold.stats." .. module, name)) end
end

return options.public(stats, options.sorted_keys(stats))
