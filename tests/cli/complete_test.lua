-- complete_test.lua PROGRAM ROOT SCRATCH: what the shells may offer for a word of a command line.
local lu = require "luaunit"

local program, root, scratch = arg[1], arg[2], arg[3]
local scripts = root .. "/core/programs/cli/completions"

local function output_of(line)
  local pipe = assert(io.popen(("export HOME=/nowhere XDG_DATA_HOME= CROSSFOLD_PLUGIN_PATH= "
    .. "CROSSFOLD='%s' PATH='%s':\"$PATH\"; %s"):format(program, program:match("^(.*)/"), line)))
  local text = pipe:read("a")
  pipe:close()
  return text
end

-- The candidates for the last word, in one line.
local function complete(words)
  return (output_of('"$CROSSFOLD" complete -- ' .. words):gsub("\n$", ""):gsub("\n", " "))
end

local function exists(name)
  return output_of(("command -v %s > /dev/null && echo yes"):format(name)) == "yes\n"
end

TestCandidates = {}

function TestCandidates:test_commands()
  lu.assertEquals(complete "ru", "run")
  lu.assertEquals(complete "plugin an", "annotate")
  lu.assertEquals(complete "''", "catalog data diff evaluate export gc import lockbox merge model plugin predict "
    .. "registry repair repl report rescore run status verify")
  lu.assertNotStrContains(complete "''", "complete")
end

function TestCandidates:test_options_and_their_choices()
  lu.assertEquals(complete "run --iso", "--isolate")
  lu.assertEquals(complete "run --isolate ''", "auto fresh none worker")
  lu.assertEquals(complete "run --isolate=w", "--isolate=worker")
  lu.assertEquals(complete "plugin list --kind m", "metric")
  lu.assertEquals(complete "--plugin", "--plugin-path --plugins-only")
end

function TestCandidates:test_options_in_front_of_a_command_do_not_hide_it()
  lu.assertEquals(complete "--plugin-path run plugin an", "annotate")
  lu.assertEquals(complete "--quiet run --iso", "--isolate")
end

function TestCandidates:test_names_of_components_and_checks()
  lu.assertEquals(complete "plugin describe kn", "knn")
  lu.assertEquals(complete "rescore x.cfdb --metric accu", "accuracy")
  lu.assertEquals(complete "evaluate x.csv --learner k", "knn")
  lu.assertEquals(complete "evaluate x.csv --splitter k", "kfold")
  lu.assertEquals(complete "evaluate x.csv --metric=accu", "--metric=accuracy")
  lu.assertEquals(complete "plugin check --include cap-f", "cap-fit-memory cap-fit-path")
  lu.assertEquals(complete "plugin check --explain leak", "leak")
  lu.assertEquals(complete "--plugins-only crossfold.kn", "crossfold.knn")
end

function TestCandidates:test_files_are_left_to_the_shell()
  for _, words in ipairs { "run scr", "status x", "run --store x", "predict m.cfm x", "run a.lua --op",
    "repl a.lua b" } do
    lu.assertEquals(complete(words), ":files", words)
  end
end

function TestCandidates:test_there_is_nothing_to_offer_for_numbers()
  lu.assertEquals(complete "run --seed ''", "")
  lu.assertEquals(complete "gc a b", "")
end

function TestCandidates:test_words_that_look_like_options_of_the_program()
  lu.assertEquals(complete "-- --he", "")
  lu.assertEquals(complete "nothing --he", "--help")
end

TestShells = {}

function TestShells:test_bash()
  if not exists "bash" then lu.skip("there is no bash") end
  local file = assert(io.open(scratch .. "/complete.bash", "wb"))
  assert(file:write(([[
source '%s/crossfold.bash'
cd '%s'
try() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _crossfold crossfold
  echo "${COMPREPLY[*]}"
}
try crossfold ru
try crossfold run --isolate = w
try crossfold run --isolate =
try crossfold run --isolate ''
try crossfold run README
try crossfold run --seed ''
complete -p crossfold
]]):format(scripts, root)))
  file:close()
  lu.assertEquals(output_of(("bash --norc '%s/complete.bash'"):format(scratch)),
    "run\nworker\nauto fresh none worker\nauto fresh none worker\nREADME.md\n\ncomplete -F _crossfold crossfold\n")
end

function TestShells:test_fish()
  if not exists "fish" then lu.skip("there is no fish") end
  local text = output_of(("cd '%s' && HOME='%s' fish --no-config -c \"source '%s/crossfold.fish'; "
    .. "for line in 'crossfold ru' 'crossfold run --isolate=w' 'crossfold run README' "
    .. "'crossfold plugin describe kn'; complete -C \\$line; end\""):format(root, scratch, scripts))
  lu.assertEquals(text, "run\n--isolate=worker\nREADME.md\nknn\n")
end

-- Its completion needs a terminal, so this only reads the file.
function TestShells:test_zsh_reads_its_file()
  if not exists "zsh" then lu.skip("there is no zsh") end
  lu.assertEquals(output_of(("zsh -f -n '%s/_crossfold' 2>&1 && echo fine"):format(scripts)), "fine\n")
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
