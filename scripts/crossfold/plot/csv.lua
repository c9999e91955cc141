-- Writes the data of a figure as CSV (RFC 4180); a cell that does not exist is empty.
local native = require "crossfold.native"

local function csv(figure) return native.table_csv(figure.columns, figure.rows) end

return csv
