-- audit_test.lua PROGRAM PLUGINS SCRATCH: cf.audit of plugins that leak. PLUGINS is the folder of plugins
-- with one defect each.
local lu = require "luaunit"

local program, plugins, scratch = table.unpack(arg, 1, 3)

local script = [[
local cf = require "crossfold"
local x, y = {}, {}
for i = 1, 60 do
  x[i] = cf.seed(3, i) %% 1000003 / 1000003
  y[i] = cf.seed(4, i) %% 2 == 0 and "a" or "b"
end
local data = cf.dataset { name = "planted", target = "y", columns = {
  { name = "x", values = x }, { name = "y", values = y } } }
local result = cf.audit { data = data, splitter = cf.splitter("kfold", { folds = 4 }), seed = 1,
  learners = { one = %s } }
for _, row in ipairs(result:findings()) do print(row.severity, row.kind, row.stage) end
for _, row in ipairs(result:checks()) do
  if row.check == "what functions hold" and row.skipped then print(row.check, row.skipped) end
end
]]

-- What an audit of the learner finds. Only the bundled plugins and the one of that name are seen.
local function audit(plugin, learner, options)
  local folder = scratch .. "/audit_" .. plugin
  local name = folder .. "/script.lua"
  os.execute(("mkdir -p '%s' && cp '%s/%s.crossfold.so' '%s'"):format(folder, plugins, plugin, folder))
  local file = assert(io.open(name, "wb"))
  file:write(script:format(learner))
  file:close()
  local pipe = assert(io.popen(("HOME=/nowhere XDG_DATA_HOME= CROSSFOLD_PLUGIN_PATH='%s' '%s' run %s '%s' "
    .. "2>&1"):format(folder, program, options or "", name)))
  local output = pipe:read("a")
  pipe:close()
  os.execute(("rm -r '%s'"):format(folder))
  return output
end

TestAudit = {}

function TestAudit:test_work_shared_between_folds_that_sees_test_rows_is_a_leak()
  lu.assertEquals(audit("learners_capabilities", '"bad.cross_predict_sees_target"'),
    "leak\tshared_work\tbad.cross_predict_sees_target\n")
  -- Each fold by itself is sound.
  lu.assertEquals(audit("learners_capabilities", '"bad.cross_predict_sees_target"', "--no-sharing"), "")
end

function TestAudit:test_a_plugin_that_answers_by_the_batch_is_a_leak()
  lu.assertEquals(audit("learners_answers", '"bad.depends_on_batch"'), "leak\tbatch\tpredict\n")
end

function TestAudit:test_a_transform_of_a_plugin_that_learns_in_apply_is_a_leak()
  lu.assertEquals(audit("transforms",
    'cf.pipeline { cf.transform("bad.transform_learns_in_apply"), "knn" }'), "leak\tbatch\tpredict\n")
end

function TestAudit:test_a_sandbox_has_no_debug_library_and_the_audit_says_so()
  local always = 'cf.learner { name = "always", fit = function() end, predict = function(_, rows) '
    .. 'local a = {} for i = 1, #rows do a[i] = "a" end return a end }'
  lu.assertStrContains(audit("learners_answers", always, "--sandbox"),
    "what functions hold\tthere is no debug library (sandbox)\n")
end

os.exit(lu.LuaUnit.run("--output", "text"))
