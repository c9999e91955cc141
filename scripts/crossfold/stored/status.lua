-- store_status: what is in a cell store, and what its runs still lack.
local native = require "crossfold.native"
local options = require "crossfold.options"

local store_status = {}

local status = options.class "crossfold.StoreStatus"

function status:__tostring()
  local rows = {}
  for i, row in ipairs(self.learners) do
    rows[i] = {
      learner = row.learner, dataset = row.dataset,
      cells = row.in_lua and "in Lua" or row.imported and "imported" or row.inner and "inner" or "outer",
      wanted = row.wanted, done = row.done, failed = row.failed, stopped = row.stopped,
      missing = row.missing,
    }
  end
  return native.table_text({ "dataset", "learner", "cells", "wanted", "done", "failed", "stopped", "missing" }, rows)
end

-- cf.store_status(path, { run = n }): { cells, predictions, datasets, prediction_bytes, file_bytes,
-- learners = { { learner, dataset, inner, imported, in_lua, wanted, done, failed, stopped, missing, predictions },
-- ... }, runs = { { run, started, script }, ... }, damaged, found, computed }. `learners` counts the cells of one
-- run, or of all, and the folds that are not cells (`imported`, or `in_lua`, which every run computes again);
-- `damaged` names damaged rows, so counts may be wrong; `found` and `computed` are those of this program so far.
local declared = options.declare("store_status", { run = { "integer", doc = "Only cells of this run; default all." } })

function store_status.new(path, given)
  local o = options.check("store_status", given, declared)
  if type(path) ~= "string" then native.fail("store_status: expected the path of a store, got a %s", type(path)) end
  if o.run and o.run < 1 then native.fail("store_status: run = %d is not the number of a run", o.run) end
  return setmetatable(native.store_status(path, o.run), status)
end

return store_status
