-- Defines the result of cf.bootstrap_632: its figures as fields, which can be printed, written and reported.
local native = require "crossfold.native"
local options = require "crossfold.options"
local result_class = require "crossfold.result.class"
local provenance = require "crossfold.result.provenance"

local result = result_class.new "crossfold.Bootstrap632"

local fields = {
  "learner", "data", "rows", "method", "loss", "repeats", "estimate", "training_error",
  "out_of_bag_error", "no_information_error", "relative_overfitting", "weight", "rows_used",
  "rows_left_out", "undefined",
}

-- A result with these of `values`, and what its method provenance returns.
function result.new(values)
  local self = setmetatable({ where_from = values.where_from }, result)
  for _, name in ipairs(fields) do self[name] = values[name] end
  return self
end

local types = {
  learner = "string", data = "string", rows = "integer", method = "string", loss = "string",
  repeats = "integer", training_error = "number", out_of_bag_error = "number",
  no_information_error = "number", rows_used = "integer", rows_left_out = "integer",
}
local optional = {
  estimate = "number", relative_overfitting = "number", weight = "number", undefined = "string",
}

-- The same of what a store has, which may be anything. Raises what is wrong with it.
function result.of_stored(values)
  if type(values) ~= "table" then error("it is not a table", 0) end
  for _, name in ipairs(fields) do
    local value = values[name]
    local wanted = types[name] or value ~= nil and optional[name]
    local found = wanted == "integer" and math.type(value) or type(value)
    if wanted and found ~= wanted then error(("%s is a %s, not a %s"):format(name, found, wanted), 0) end
  end
  local made = result.new(values)
  made.where_from = provenance.of_stored(values.where_from)
  return made
end

-- The figures as the one row of a table.
local function table_rows(self)
  local row = {}
  for _, name in ipairs(fields) do row[name] = self[name] end
  return { row }
end

-- Headings of the figures that people read, and their fields.
function result:shown()
  local columns = {
    { "." .. self.method, "estimate" }, { "training", "training_error" },
    { "out of bag", "out_of_bag_error" }, { "no information", "no_information_error" },
    { "weight", "weight" },
  }
  if self.undefined then columns[#columns + 1] = { "undefined", "undefined" } end
  return columns
end

-- One line: of what the estimate is.
function result:title()
  return ("%s of '%s' on '%s' (%d rows), %d bootstrap samples"):format(
    self.loss == "squared" and "squared error" or "error rate", self.learner, self.data, self.rows, self.repeats)
end

local function shown_table(self)
  local columns, row = {}, {}
  for i, column in ipairs(self:shown()) do
    columns[i], row[column[1]] = column[1], self[column[2]]
  end
  return columns, { row }
end

function result:__tostring()
  return self:title() .. "\n" .. native.table_text(shown_table(self))
end

result_class.add_to(result, fields, table_rows, {
  latex = function(self) return native.table_latex(shown_table(self)) end,
})

return options.methods(result, { "provenance", "to", "report" }, nil, { "to", "report" })
