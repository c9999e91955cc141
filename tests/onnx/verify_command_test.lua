-- verify_command_test.lua PROGRAM DATA SCRATCH: crossfold model MODEL --export onnx --verify DATA, with a Python that
-- has onnx.
package.path = arg[0]:match("^(.*)/") .. "/../cli/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"

local program, data, scratch = arg[1], arg[2], arg[3]
local shell = Shell.new(scratch, program)

TestVerify = {}

-- Saves a model of the penguins, which have missing entries and categories.
local function save_model(learner)
  local path = scratch .. "/penguins.cfm"
  local script = shell:write("fit.lua", ([[
local cf = require "crossfold"
cf.learner("%s"):fit(cf.read("%s/penguins.csv", { target = "species" }), { seed = 3 }):save("%s")]])
    :format(learner, data, path))
  local status, _, errors = shell:crossfold("run '%s'", script)
  lu.assertEquals({ status, errors }, { 0, "" })
  return path
end

function TestVerify:test_what_was_compared_is_printed()
  local file = scratch .. "/penguins.onnx"
  local status, output, errors = shell:crossfold(
    "model '%s' --export onnx --output '%s' --verify '%s/penguins.csv' --python /usr/bin/python3",
    save_model("decision_tree"), file, data)
  lu.assertEquals({ status, errors }, { 0, "" })
  lu.assertStrContains(output, "checked by onnx.checker ")
  lu.assertStrContains(output, file .. ": 344 of 344 labels are equal; probabilities differ by at most 0\n")
end

-- The model of one learner and the predictions of another.
function TestVerify:test_a_difference_is_an_error()
  local model, file = save_model("featureless"), scratch .. "/other.onnx"
  lu.assertEquals(shell:crossfold("model '%s' --export onnx -o '%s'", model, file), 0)
  local rows = shell:write("rows.json", '{"columns": {"island": ["Biscoe"], "bill_length_mm": [1], '
    .. '"bill_depth_mm": [1], "flipper_length_mm": [null], "body_mass_g": [1], "sex": [null], "year": [1]}, '
    .. '"labels": ["Gentoo"], "probabilities": [[0, 0, 1]]}')
  local status, output, errors = shell:run("/usr/bin/python3 '%s' '%s' '%s'",
    (arg[0]:gsub("tests/onnx/[^/]*$", "sdk/onnx/verify_onnx.py")), file, rows)
  lu.assertEquals(status, 1)
  lu.assertStrContains(output, file .. ": 0 of 1 labels are equal; probabilities differ by at most 0.64\n")
  lu.assertEquals(errors, file .. ": 1 of 1 labels differ\n" .. file
    .. ": probabilities differ by 0.64, more than 1e-12\n")
end

os.exit(lu.LuaUnit.run("--output", "text"))
