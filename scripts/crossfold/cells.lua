-- cf.run and cf.parallel: cells as a script asks for them, and functions that ask for cells at the same time.
local evaluate = require "crossfold.evaluate"
local execution = require "crossfold.execution"
local learner = require "crossfold.learner"
local metric = require "crossfold.metric"
local native = require "crossfold.native"
local options = require "crossfold.options"
local run = require "crossfold.run"

local cells = {}

local execution_options = options.declare("run", execution.options)
options.declare("parallel", execution.options)
local cell_options = options.declare("Cell", {
  learner = { "any!", is = "learner", doc = "The learner, which consists of plugins." },
  splits = { "splits!", doc = "The splits, as cf.split gives them." },
  split = { "integer", doc = "The number of the split; without it the cell stands for all splits." },
  count = { "integer", doc = "Number of splits from `split` on; default 1." },
  seed = options.seed,
  metrics = { "any", is = "metrics", doc = "The metrics that score the prediction." },
  keep = { "string", "none", names = evaluate.keep.words, doc = "What is kept of the prediction." },
  isolate = execution.options.isolate,
})

-- cf.run(cells, { workers =, store =, isolate =, limits = }), see execution.lua. A cell without `split`
-- stands for all splits of its plan, in order; with `count` for that number of splits from `split` on.
function cells.run(asked, given)
  local how = run.execution("run", options.check("run", given, execution_options))
  options.list("run", asked)
  local prepared, lists = {}, {}
  for i, cell in ipairs(asked) do
    local c = options.check(("run: cell %d"):format(i), cell, cell_options)
    if c.isolate then execution.check(("run: cell %d"):format(i), c) end
    c.learner = learner.check(c.learner, ("run: cell %d"):format(i))
    if native.kind(c.learner) ~= "learner" then
      native.fail("run: cell %d: a cell's learner is native; a search or a learner written in Lua goes into "
        .. "cf.evaluate", i)
    end
    if c.metrics then
      local list = lists[c.metrics]  -- cells that share a list of metrics share one check
      if not list then
        list = metric.list(c.metrics, ("run: cell %d"):format(i))
        lists[c.metrics] = list
      end
      if list.any_lua then native.fail("run: cell %d: metrics written in Lua go into cf.evaluate", i) end
      c.metrics = list.native
    end
    if not c.split then
      if c.count then native.fail("run: cell %d: option 'count' goes with 'split'", i) end
      c.split, c.count = 1, #c.splits
    end
    prepared[i] = c
  end
  return run.run(prepared, how)
end

-- cf.parallel({ f, g, ... }, options as of cf.run): what each function returned, as packed tables, in
-- order. The options hold for all that the functions run, unless it says otherwise.
function cells.parallel(functions, given)
  local how = run.execution("parallel", options.check("parallel", given, execution_options))
  options.list("parallel", functions)
  return run.parallel(functions, how, nil, true)
end

return cells
