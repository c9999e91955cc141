-- Kills an experiment at random points, resumes it, and compares its table and its store with those of
-- an undisturbed run:
--   lua5.4 kill_resume.lua PROGRAM DATA FOLDER ISOLATION WORKERS KILLS
-- FOLDER is made again. Prints what was done; the status is 1 if anything differs.
local program, data, folder, isolation, workers, kills = table.unpack(arg)
kills = math.tointeger(tonumber(kills))
local here = arg[0]:match("^(.*)/") or "."

local function quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

-- The exit status; 137 after SIGKILL.
local function shell(command)
  local _, kind, code = os.execute(command)
  return kind == "signal" and 128 + code or code
end

local function fail(text, ...)
  print(("kill_resume: " .. text):format(...))
  os.exit(1)
end

local function path(name) return folder .. "/" .. name end

-- Runs the experiment; `prefix` is put before the command, such as "timeout ...".
local function run(prefix, store, output, isolate, n_workers)
  return shell(("%s %s run --store %s --isolate %s --workers %s %s %s >%s 2>%s"):format(prefix,
    quote(program), quote(path(store)), isolate, n_workers,
    quote(here .. "/kill_resume_experiment.lua"), quote(data), quote(path(output)),
    quote(path(output .. ".err"))))
end

local function export(store)
  local zip = path(store .. ".zip")
  if shell(("%s export %s %s >/dev/null"):format(quote(program), quote(path(store)), quote(zip))) ~= 0 then
    fail("cannot export %s", store)
  end
  return read(zip)
end

-- What every other run has to equal.
local function run_undisturbed()
  local status = run("", "reference", "reference.txt", "none", 1)
  if status ~= 3 then
    fail("the undisturbed run left with %d: %s", status, read(path "reference.txt.err"))
  end
  local made = { text = read(path "reference.txt"), store = export("reference"), lines = {} }
  for line in made.text:gmatch("[^\n]+") do made.lines[line] = true end
  return made
end

-- What cf.stored reads back from a store, as the experiment prints it.
local function read_back(store)
  local status = shell(("%s run %s %s >%s 2>%s"):format(quote(program),
    quote(here .. "/kill_resume_stored.lua"), quote(path(store)), quote(path "stored.txt"),
    quote(path "stored.txt.err")))
  if status ~= 0 then fail("cf.stored left with %d: %s", status, read(path "stored.txt.err")) end
  return read(path "stored.txt")
end

-- Every score and failure that a killed run left is one of the undisturbed run. (The lines of folds and
-- failures have four tabs.)
local lines_read = 0
local function compare_killed(reference, store)
  for line in read_back(store):gmatch("[^\n]+") do
    if select(2, line:gsub("\t", "")) == 4 then
      lines_read = lines_read + 1
      if not reference.lines[line] then fail("%s has what the reference has not: %s", store, line) end
    elseif line:find("^damaged") then
      fail("%s: %s", store, line)
    end
  end
end

local function compare(reference, store, output)
  if read_back(store) ~= reference.text then
    fail("cf.stored reads from %s what is not reference.txt", store)
  end
  if read(path(output)) ~= reference.text then fail("%s is not %s", output, "reference.txt") end
  if export(store) ~= reference.store then fail("the content of %s is not that of reference", store) end
end

shell("rm -rf " .. quote(folder) .. " && mkdir -p " .. quote(folder))
local reference = run_undisturbed()
math.randomseed(tonumber(workers) * 1000 + #isolation)  -- points of time are not reproducible anyway

-- The moment of the kill is drawn from what a whole run takes at most, so that it falls into the start,
-- the work and the end.
local killed, finished, store_number, longest = 0, 0, 1, 0.6
while killed < kills or finished == 0 do
  local store = "store" .. store_number
  local wait = killed < kills and ("timeout -s KILL %.3f"):format(math.random() * longest) or ""
  local status = run(wait, store, "resumed.txt", isolation, workers)
  if status == 3 then  -- it came to its end
    compare(reference, store, "resumed.txt")
    finished, store_number = finished + 1, store_number + 1
    longest = math.max(longest * 0.7, 0.05)
  elseif status == 137 then
    killed = killed + 1
    compare_killed(reference, store)
    if lines_read == 0 then longest = longest * 1.2 end  -- a slow machine
  else
    fail("a run left with %d: %s", status, read(path "resumed.txt.err"))
  end
end
if lines_read == 0 then fail("no killed run left a fold to read") end
print(("%d kills, %d stores finished, isolation %s, %s workers: all equal, %d lines of killed runs"):format(
  killed, finished, isolation, workers, lines_read))
shell("rm -rf " .. quote(folder))
