-- Kills an experiment at random points, resumes it, and compares its table and its store with those of
-- an undisturbed run:
--   lua5.4 kill_resume.lua PROGRAM DATA FOLDER ISOLATION WORKERS KILLS
-- FOLDER is made anew. Prints what was done; the status is 1 if anything differs.
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

-- Runs the experiment; `prefix` is put in front of the command, such as "timeout ...".
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
  return { text = read(path "reference.txt"), store = export("reference") }
end

local function compare(reference, store, output)
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
  else
    fail("a run left with %d: %s", status, read(path "resumed.txt.err"))
  end
end
print(("%d kills, %d stores finished, isolation %s, %s workers: all equal"):format(killed, finished,
  isolation, workers))
shell("rm -rf " .. quote(folder))
