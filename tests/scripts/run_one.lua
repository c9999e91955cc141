-- Runs one LuaUnit file: run_one.lua FILE DATA_FOLDER. The same in stock lua5.4, in the crossfold
-- program and in the unit tests' own states. Raises if a test fails or there is none.
local file, folder = arg[1], arg[2]
-- What tests share is with them, or with this file.
local own, shared = file:match("^(.*)/"), file:match("^(.*/tests/scripts)/")
package.path = own .. "/?.lua;" .. shared .. "/?.lua;" .. package.path
data_folder = folder  -- luacheck: globals data_folder
dofile(file)
local runner = require("luaunit").LuaUnit.new()
local failures = runner:runSuite("--output", "text")
-- A sanitizer may be too slow for all tests of a file, which are then skipped.
assert(runner.result.runCount + runner.result.skippedCount > 0, "the file has no tests")
assert(failures == 0, failures .. " tests failed")
