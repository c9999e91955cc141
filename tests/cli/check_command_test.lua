-- check_command_test.lua PROGRAM PLUGINS BAD_PLUGINS SCRATCH: crossfold plugin check.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed, refused = Shell.printed, Shell.refused

local program, plugins, bad, scratch = arg[1], arg[2], arg[3], arg[4]
local shell = Shell.new(scratch, program)

local function check(options, ...) return shell:crossfold("plugin check " .. options, ...) end

TestCheckCommand = {}

function TestCheckCommand:test_a_good_plugin_ends_with_counts_and_status_0()
  lu.assertEquals(printed(check("--include '^file-arch$' '%s/knn.crossfold.so'", plugins)),
    plugins .. "/knn.crossfold.so\nok                file-arch\n1 check: 1 ok\n")
end

function TestCheckCommand:test_a_bad_plugin_ends_with_status_1_and_what_was_found()
  local status, output = check("--include '^descriptor-complete$' '%s/wrong_magic.crossfold.so'", bad)
  lu.assertEquals(status, 1)
  lu.assertStrContains(output,
    "failed            descriptor-complete: its descriptor starts with 0x12345678, not with 0x444C4658\n")
  lu.assertStrContains(output, "3 checks: 2 ok, 1 failed\n")
end

function TestCheckCommand:test_every_file_is_checked_and_one_bad_one_is_enough_for_status_1()
  local status, output = check("--include '^file-arch$' '%s/no_manifest.crossfold.so' '%s/knn.crossfold.so'",
    bad, plugins)
  lu.assertEquals(status, 1)
  lu.assertStrContains(output, "1 check: 1 failed\n")
  lu.assertStrContains(output, "1 check: 1 ok\n")
end

function TestCheckCommand:test_json_is_one_object_a_file()
  lu.assertStrMatches(printed(check("--json --seed 5 --include '^file-arch$' '%s/knn.crossfold.so'", plugins)),
    '{"file":"[^"]*/knn.crossfold.so","seed":5,"results":%[{"check":"file%-arch",' ..
    '"component":"","outcome":"ok","text":"","seconds":[%d.e-]+}%],"counts":{"ok":1},"passed":true}\n')
end

function TestCheckCommand:test_list_names_all_checks_or_those_of_a_file()
  local output = printed(check("--list"))
  lu.assertStrMatches(output, "check +of +level +finding +what it does\n.*")
  lu.assertStrContains(output, "\nfit-smoke ")
  output = printed(check("--list --strictness 1 '%s/knn.crossfold.so'", plugins))
  lu.assertStrContains(output, "\nfile-arch")
  lu.assertNotStrContains(output, "fit-smoke")
end

function TestCheckCommand:test_json_of_the_list_is_a_line_for_all_checks_or_for_each_file()
  local output = printed(check("--list --json"))
  lu.assertEquals(select(2, output:gsub("\n", "")), 1)
  lu.assertStrContains(output, '{"check":"beats-baseline","of":"learner","level":5,"finding":"failure",'
    .. '"needs":"fit-smoke","summary":"it predicts better than a constant on easy data"}')
  lu.assertStrContains(output, '[{"check":"file-arch","of":"file","level":1,"finding":"failure","needs":null,')
  local line = '[{"check":"file-arch","component":""},{"check":"file-needed","component":""}]\n'
  lu.assertEquals(printed(check("--list --json --include '^file-(arch|needed)$' '%s/knn.crossfold.so' "
    .. "'%s/good.crossfold.so'", plugins, bad)), line .. line)
end

function TestCheckCommand:test_explain_prints_the_page_of_a_check()
  lu.assertStrMatches(printed(check("--explain fit-smoke")), "# fit%-smoke\n\n## What it does\n.*\n## Usual cause\n.*")
  lu.assertStrContains(refused(check("--explain fit-smok")),
    "crossfold: cannot explain check 'fit-smok': there is no such check; did you mean 'fit-smoke'? known: ")
end

function TestCheckCommand:test_wrong_usage_is_told()
  local status, _, errors = check("")
  lu.assertEquals({ status, errors },
    { 2, "crossfold: name a plugin file: crossfold plugin check FILE...\n" })
  status, _, errors = check("--include '(' '%s/knn.crossfold.so'", plugins)
  lu.assertEquals({ status, errors },
    { 1, "crossfold: cannot check a plugin: '(' is not a regular expression\n" })
end

function TestCheckCommand:test_sources_need_a_file_that_they_read()
  lu.assertStrContains(printed(check("--skipped --include '^source-smoke$' --component bad.good_source "
    .. "'%s/sound.crossfold.so'", bad)), "skipped           source-smoke  bad.good_source: "
    .. "there is no file that it reads; name one with --data FILE\n")
  local status, _, errors = check("--data nosuchfile.numbers --component bad.good_source '%s/sound.crossfold.so'", bad)
  lu.assertEquals({ status, errors },
    { 1, "crossfold: cannot check a plugin: there is no file 'nosuchfile.numbers', which --data names\n" })
end

function TestCheckCommand:test_a_choice_of_no_check_is_an_error_and_not_a_pass()
  lu.assertEquals({ check("--json --include nosuchcheck '%s/knn.crossfold.so'", plugins) },
    { 1, "", "crossfold: cannot check a plugin: none of the checks of '"
    .. plugins .. "/knn.crossfold.so' is what the options ask for; crossfold plugin check --list names them\n" })
end

function TestCheckCommand:test_numbers_that_are_none_are_wrong_usage()
  for option, finding in pairs {
    ["--seed -1"] = "cannot use --seed '-1': it is not a number from 0 to 18446744073709551615\n",
    ["--reproduce 99999999999999999999999"] = "cannot use --reproduce '99999999999999999999999': it is not a "
      .. "number from 0 to 18446744073709551615\n",
    ["--fuzz -5s"] = "cannot use --fuzz '-5': it is not a number from 0.001 to 10000000\n",
    ["--fuzz 0"] = "cannot use --fuzz '0': it is not a number from 0.001 to 10000000\n",
    ["--timeout 1e300"] = "cannot use --timeout '1e300': it is not a number from 0.001 to 10000000\n",
  } do
    local status, _, errors = check("%s '%s/knn.crossfold.so'", option, plugins)
    lu.assertEquals(status, 2, option)
    lu.assertStrContains(errors, finding)
  end
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
