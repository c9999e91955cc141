-- Cells that do nothing, or sleep, for the figures of docs/scaling.md:
--   CROSSFOLD_MPI_TIMING=1 mpirun -n 4 crossfold-mpi run --workers 1 mpi_dispatch.lua DATA CELLS [MS]
-- and, for the broadcast, a dataset of so many MB: ... mpi_dispatch.lua DATA CELLS 0 MB
local cf = require "crossfold"

local cells, milliseconds = tonumber(arg[2]), tonumber(arg[3] or "0")
local data = cf.read(arg[1] .. "/iris.csv", { target = "class" })
if arg[4] then
  local columns, n = {}, math.floor(tonumber(arg[4]) * 1e6 / 8 / 10)
  for c = 1, 10 do
    local values = {}
    for i = 1, n do values[i] = (i * c) % 1009 + 0.5 end
    columns[c] = { name = "x" .. c, values = values }
  end
  local labels = {}
  for i = 1, n do labels[i] = i % 2 == 0 and "a" or "b" end
  columns[11] = { name = "class", values = labels }
  data = cf.dataset { name = "large", columns = columns, target = "class" }
end
local action = milliseconds > 0 and { action = "sleep", sleep_ms = milliseconds } or {}
cf.evaluate {
  data = data, learners = { cf.learner("debug", action) }, metrics = "accuracy", keep = "none",
  splitter = cf.splitter("kfold", { folds = 10, repeats = math.max(cells // 10, 1) }),
}
