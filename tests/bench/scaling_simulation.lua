-- How crossfold-mpi scales to more nodes than there are here: rank 0 is a queue that serves one item
-- after the other at the measured cost, workers take their cells' time. docs/scaling.md has the table.
--   lua5.4 scaling_simulation.lua [CELLS [ITEM_US [CELL_US [LATENCY_US]]]]
-- ITEM_US and CELL_US: processor time of rank 0 for an item of work and for each cell of it (measured by
-- mpi_dispatch.lua); LATENCY_US: of a message, one way.
local n_cells = tonumber(arg[1]) or 1000000
local item_s = (tonumber(arg[2]) or 5) * 1e-6
local cell_s = (tonumber(arg[3]) or 3.4) * 1e-6
local latency = (tonumber(arg[4]) or 50) * 1e-6
local workers_of_node = 32

-- As core/programs/mpi has them: items a worker at most, seconds of work in advance and items in advance.
local items_of_worker, advance_s, most_in_advance = 256, 0.004, 64

-- A heap of { time, worker }, as two lists.
local function push(heap, time, worker)
  local i = heap.n + 1
  heap.n = i
  while i > 1 and heap[i // 2] > time do
    heap[i], heap.worker[i] = heap[i // 2], heap.worker[i // 2]
    i = i // 2
  end
  heap[i], heap.worker[i] = time, worker
end

local function pop(heap)
  local time, worker = heap[1], heap.worker[1]
  local last, last_worker, n = heap[heap.n], heap.worker[heap.n], heap.n - 1
  heap.n = n
  local i = 1
  while 2 * i <= n do
    local child = 2 * i
    if child < n and heap[child + 1] < heap[child] then child = child + 1 end
    if heap[child] >= last then break end
    heap[i], heap.worker[i] = heap[child], heap.worker[child]
    i = child
  end
  heap[i], heap.worker[i] = last, last_worker
  return time, worker
end

-- Seconds for all cells, and the share of them in which rank 0 is busy. Cells take between half and one
-- and a half times `cell_time`, by a fixed sequence.
local function simulate(nodes, cell_time)
  local workers = nodes * workers_of_node
  local size = math.max(n_cells // (workers * items_of_worker), 1)
  local cost = item_s + size * cell_s
  local left, state, busy, now, last = n_cells, 12345, 0, 0, 0
  local free, finished = {}, { n = 0, worker = {} }
  for w = 1, workers do free[w] = 0 end
  local function give(worker)
    local n = math.min(size, left)
    left = left - n
    state = (state * 1103515245 + 12345) % 2147483648
    local length = n * cell_time * (0.5 + state / 2147483648)
    free[worker] = math.max(free[worker], now + latency) + length
    push(finished, free[worker] + latency, worker)
  end
  local depth = 1 + math.min(advance_s / (cell_time * size), most_in_advance)
  for i = 1, math.ceil(workers * depth) do
    if left == 0 then break end
    now, busy = now + item_s, busy + item_s
    give((i - 1) % workers + 1)
  end
  while finished.n > 0 do
    local time, worker = pop(finished)
    now, busy = math.max(now, time) + cost, busy + cost
    last = now
    if left > 0 then give(worker) end
  end
  return last, busy / last
end

print("| cell | nodes | workers | seconds | speed-up | efficiency | rank 0 busy |")
print("|---|---|---|---|---|---|---|")
for _, cell_time in ipairs { 0.001, 0.01, 0.1, 1 } do
  for _, nodes in ipairs { 10, 30, 100, 300, 1000 } do
    local seconds, busy = simulate(nodes, cell_time)
    local speed_up = n_cells * cell_time / seconds
    print(("| %g ms | %d | %d | %.1f | %.0f | %.0f %% | %.0f %% |"):format(cell_time * 1000, nodes,
      nodes * workers_of_node, seconds, speed_up, 100 * speed_up / (nodes * workers_of_node), 100 * busy))
  end
end
