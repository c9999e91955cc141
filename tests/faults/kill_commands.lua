-- Kills commands that write at random points, and looks what they left:
--   lua5.4 kill_commands.lua PROGRAM DATA FOLDER KILLS SEED
-- FOLDER is made again. After each kill what was there before is whole: a store has all its cells,
-- a file is the old one or the new one, and there is none where none was. After the last kill every
-- command comes to its end once more, and then neither FOLDER nor its temporary folder has a file
-- more than was asked for. Prints what was done; the status is 1 if anything was lost or left.
local program, data, folder, kills, seed = table.unpack(arg)
kills = math.tointeger(tonumber(kills))
math.randomseed(tonumber(seed))

local function quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function read(path)
  local file <close> = io.open(path, "rb")
  return file and file:read("a")
end

local function path(name) return folder .. "/" .. name end

local function fail(text, ...)
  print(("kill_commands: " .. text):format(...))
  os.exit(1)
end

-- The exit status, 137 after SIGKILL, and what was printed.
local function shell(command)
  local pipe = assert(io.popen(("TMPDIR=%s; export TMPDIR; { %s ; } 2>&1"):format(quote(path "tmp"), command)))
  local output = pipe:read("a")
  local _, kind, code = pipe:close()
  return kind == "signal" and 128 + code or code, output
end

local function crossfold(arguments, ...)
  return (quote(program) .. " " .. arguments):format(...)
end

local function must(command)
  local status, output = shell(command)
  if status ~= 0 then fail("%s left with %d: %s", command, status, output) end
  return output
end

local function write(name, text)
  local file <close> = assert(io.open(path(name), "wb"))
  file:write(text)
end

-- All files and folders, hidden ones, too, but for the companions of stores that were read, as SQLite leaves them.
local function files()
  return must(("cd %s && find . -mindepth 1 -not -name '*.cfdb-wal' -not -name '*.cfdb-shm' | LC_ALL=C sort"):format(
    quote(folder)))
end

-- Setting up ----------------------------------------------------------------------------------------

must(("rm -rf %s && mkdir -p %s"):format(quote(folder), quote(path "tmp")))
write("script.lua", ([[
local cf = require "crossfold"
local result = cf.evaluate{
  data = cf.read("%s/iris.csv", { target = "class" }),
  learners = { knn = "knn", tree = "decision_tree", bayes = "naive_bayes", floor = "featureless" },
  splitter = cf.splitter("kfold", { folds = 10, repeats = tonumber(arg[1]), stratify = true }),
  metrics = { "accuracy", "log_loss" }, seed = 3, keep = "probabilities",
}
if arg[2] then result:to{ csv = arg[2] } end
if arg[3] then result:report{ file = arg[3] } end
]]):format(data))
local script = quote(path "script.lua")
must(crossfold("run --store %s %s 10 %s %s", quote(path "whole.cfdb"), script, quote(path "table.csv"),
  quote(path "page.html")))
must(crossfold("run --store %s %s 4", quote(path "part.cfdb"), script))
must(("cp %s %s && printf x | dd of=%s bs=1 seek=50000 conv=notrunc status=none"):format(quote(path "whole.cfdb"),
  quote(path "damaged.cfdb"), quote(path "damaged.cfdb")))

-- What `status` counts, by which stores of the same cells are equal.
local function cells_of(name)
  return must(crossfold("status --csv %s", quote(path(name))))
end

local whole_cells = cells_of("whole.cfdb")
local function expect_cells(name)
  local found = cells_of(name)
  if found ~= whole_cells then fail("%s has lost cells:\n%s", name, found) end
end

local saved_cells

-- A file that a command makes: none, or the one that it makes undisturbed.
local finished = {}
local function expect_file(name)
  local text = read(path(name))
  if text and text ~= finished[name] then fail("%s has %d bytes that nobody asked for", name, #text) end
  os.remove(path(name))
end

-- What is done before each kill, the command, and what holds after it.
local cases = {
  {
    name = "run --store", command = crossfold("run --store %s %s 10 >/dev/null", quote(path "run.cfdb"), script),
    after = function()
      if read(path "run.cfdb") then must(crossfold("status %s || true", quote(path "run.cfdb"))) end
    end,
    restarts = true, last = function() expect_cells("run.cfdb") end,
  },
  {
    name = "run with files",
    command = crossfold("run --store %s %s 10 %s %s", quote(path "whole.cfdb"), script, quote(path "table.csv"),
      quote(path "page.html")),
    after = function()
      for _, name in ipairs { "table.csv", "page.html" } do
        local text = read(path(name))
        if not text or #text < #finished[name] * 0.9 then fail("%s is cut off", name) end
      end
      expect_cells("whole.cfdb")
    end,
    makes = { "table.csv", "page.html" }, stays = true,
  },
  {
    name = "gc", command = crossfold("gc %s", quote(path "gc.cfdb")),
    before = function() must(("cp %s %s"):format(quote(path "whole.cfdb"), quote(path "gc.cfdb"))) end,
    after = function()
      expect_cells("gc.cfdb")
      must("rm -f " .. quote(path "gc.cfdb") .. "*")
    end,
  },
  {
    name = "merge into a new file",
    command = crossfold("merge %s %s %s", quote(path "merged.cfdb"), quote(path "whole.cfdb"), quote(path "part.cfdb")),
    after = function()
      if read(path "merged.cfdb") then expect_cells("merged.cfdb") end
      must("rm -f " .. quote(path "merged.cfdb") .. "*")
    end,
  },
  {
    name = "merge", command = crossfold("merge %s %s", quote(path "into.cfdb"), quote(path "whole.cfdb")),
    before = function()
      if not read(path "into.cfdb") then must(("cp %s %s"):format(quote(path "part.cfdb"), quote(path "into.cfdb"))) end
    end,
    after = function() must(crossfold("status %s", quote(path "into.cfdb"))) end,
    last = function() expect_cells("into.cfdb") end,
  },
  {
    name = "export", command = crossfold("export %s %s", quote(path "whole.cfdb"), quote(path "run.zip")),
    after = function() expect_file("run.zip") end, makes = { "run.zip" },
  },
  {
    name = "repair", command = crossfold("repair %s %s", quote(path "damaged.cfdb"), quote(path "saved.cfdb")),
    after = function()
      if read(path "saved.cfdb") then
        saved_cells = saved_cells or cells_of("saved.cfdb")
        if cells_of("saved.cfdb") ~= saved_cells then fail("repair saved a part only") end
      end
      must("rm -f " .. quote(path "saved.cfdb") .. "*")
    end,
  },
  {
    name = "report", command = crossfold("report %s -o %s", quote(path "whole.cfdb"), quote(path "report.html")),
    after = function()
      local text = read(path "report.html")
      if text and not text:find("</html>%s*$") then fail("the page is cut off") end
      os.remove(path "report.html")
    end,
  },
  {
    name = "diff of an archive", command = crossfold("diff %s %s", quote(path "kept.zip"), quote(path "kept.zip")),
    after = function() end,
  },
}

-- Undisturbed, and how long it takes.
must(crossfold("export %s %s", quote(path "whole.cfdb"), quote(path "kept.zip")))
local function seconds_of(command)
  local begin = tonumber(must("date +%s.%N"))
  must(command)
  return tonumber(must("date +%s.%N")) - begin
end
for _, case in ipairs(cases) do
  if case.before then case.before() end
  case.seconds = seconds_of(case.command)
  for _, name in ipairs(case.makes or {}) do finished[name] = read(path(name)) end
  case.after()
end

-- Killing -------------------------------------------------------------------------------------------

local function kill_one(case)
  if case.before then case.before() end
  if case.restarts and math.random() < 0.3 then must("rm -f " .. quote(path "run.cfdb") .. "*") end
  local seconds = 0.002 + math.random() * case.seconds * 1.1
  local status, output = shell(("timeout -s KILL %.3f %s"):format(seconds, case.command))
  if status ~= 0 and status ~= 137 then fail("%s left with %d: %s", case.name, status, output) end
  case.killed = (case.killed or 0) + (status == 137 and 1 or 0)
  case.after()
  return status == 137
end

local killed = 0
while killed < kills do
  for _, case in ipairs(cases) do
    if killed < kills and kill_one(case) then killed = killed + 1 end
  end
end

-- Each once more: what a killed command left is taken away by the next one.
for _, case in ipairs(cases) do
  if case.before then case.before() end
  must(case.command)
  if case.last then case.last() end
  case.after()
end
local expected = [[
./damaged.cfdb
./into.cfdb
./kept.zip
./page.html
./part.cfdb
./run.cfdb
./script.lua
./table.csv
./tmp
./whole.cfdb
]]
local left = files()
if left ~= expected then fail("there are other files than expected:\n%s", left) end
local counts = {}
for i, case in ipairs(cases) do counts[i] = ("%s %d"):format(case.name, case.killed or 0) end
print(("%d kills (%s): nothing lost, nothing left"):format(killed, table.concat(counts, ", ")))
shell("rm -rf " .. quote(folder))
