-- Makes the classes of results: what they all have.
local native = require "crossfold.native"
local options = require "crossfold.options"
local provenance = require "crossfold.result.provenance"
local text_output = require "crossfold.text.text_output"

local result_class = {}

-- A class of this name with the methods
--   result:report{ file =, title = }  one HTML file about it; without `file` its text. See docs/report.md.
--   result:provenance()               seed, data and plugins that the numbers came from, as its field where_from says
function result_class.new(name)
  local class = options.class(name)
  function class:report(given) return require("crossfold.report.report").of(self, given) end
  function class:provenance() return provenance.shown(self.where_from or {}) end
  return class
end

-- Adds result:to{ csv = path } and to{ json = path }, which write these columns of rows_of(result), and what `more`
-- has by name: functions of the result that return a text. `true` for the path gives the text.
function result_class.add_to(class, columns, rows_of, more)
  local forms = options.joined({
    csv = function(self) return native.table_csv(columns, rows_of(self)) end,
    json = function(self) return native.table_json(columns, rows_of(self)) end,
  }, more or {})
  local declared = options.declare(class.__name:gsub("^crossfold%.", "") .. ":to",
    options.outputs(options.sorted_keys(forms)))
  function class:to(given) return text_output.give(self, given, declared, forms) end
end

return result_class
