-- What must not stand in the sources: `lua5.4 house_rules.lua ROOT`.
--   numbers that obey the locale, and randomness that differs between standard libraries;
--   headers that are too long to have one subject; folders without a subject; paths of one machine.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local source = require "source_files"
local root = arg[1]

-- Lua pattern (%f[] = a word begins or ends) -> why.
local banned = {
  { "#%s*include%s*<random>", "draws of <random> differ between standard libraries; use Random" },
  { "%f[%w_]mt19937", "use Random of the SDK" },
  { "%f[%w_]random_device", "seeds come from the experiment's seed" },
  { "std::shuffle%f[^%w_]", "differs between standard libraries; use Random::Shuffle" },
  { "std::sample%f[^%w_]", "differs between standard libraries; use Random" },
  { "%f[%w_]s?rand%s*%(", "use Random of the SDK" },
  { "%f[%w_]drand48%f[^%w_]", "use Random of the SDK" },
  { "%f[%w_]strto[dfl]d?%s*%(", "obeys the locale; use from_chars" },
  { "%f[%w_]sto[dfl]d?%s*%(", "obeys the locale; use from_chars" },
  { "%f[%w_]ato[fil]l?%s*%(", "finds no error; use from_chars" },
  { "%f[%w_]sscanf%s*%(", "obeys the locale; use from_chars" },
  { "printf%s*%(.*%%[%d%.%*%-+ #0]*L?[aefgAEFG]", "obeys the locale; use to_chars" },
  { "std::setprecision%f[^%w_]", "obeys the locale; use to_chars" },
  { "%f[%w_]TODO%f[^%w_]", "finish it or leave it out" },
  { "%f[%w_]FIXME%f[^%w_]", "finish it or leave it out" },
}

-- The same of the unit tests.
local kOwnFolder = "cases run at the same time: test::TemporaryFolder gives each its own"
local banned_in_tests = {
  { "%f[%w_]TempDir%s*%(", kOwnFolder },
  { "%f[%w_]temp_directory_path%s*%(", kOwnFolder },
}

local kMaxHeaderLines = 300
local vague_names = { util = true, utils = true, common = true, helper = true, helpers = true,
                      misc = true }

-- An absolute path below one of these folders is on the machine alone that a page or a script was made on. So
-- is one below a person's home, except in the examples /home/you and /home/ada, and one in a folder of /tmp
-- whose name has a digit, as programs make them up. Other folders (/usr, /opt, /srv, /tmp/page) are on many
-- machines or are examples. A string is the end of a path if .. or + appends it or it begins with "/root/, the
-- root of a sandbox.
local machine_folders = { "/build/", "/builds/", "/home/", "/mnt/", "/root/", "/scratch/", "/tmp/", "/Users/",
                          "/work/", "/workspace/" }

local findings = {}
local function add(...) findings[#findings + 1] = string.format(...) end

local function is_of_one_machine(before, folder, name)
  if before:find("[^%s\"'`=(%[{<,;:|]$") then return false end
  if before:find("%.%.%s*[\"']$") or before:find("%+%s*[\"']$") then return false end
  if folder == "/home/" then return name ~= "you" and name ~= "ada" end
  if folder == "/tmp/" then return name:find("%d") end
  return folder ~= "/root/" or not before:find('"$')
end

local function check_paths(name, path)
  local text = source.read(path)
  local suspicious = {}
  for _, folder in ipairs(text:find("\0", 1, true) and {} or machine_folders) do
    if text:find(folder, 1, true) then suspicious[#suspicious + 1] = folder end
  end
  for number, line in ipairs(#suspicious > 0 and source.lines(path) or {}) do
    for _, folder in ipairs(suspicious) do
      for start, rest in line:gmatch("()" .. folder .. "([%w_.][%w_.+~/-]*)") do
        if is_of_one_machine(line:sub(1, start - 1), folder, rest:match("^[^/]*")) then
          add("%s:%d: %s%s: a path of one machine; write what a reader types in the repository", name, number,
            folder, rest)
        end
      end
    end
  end
end

local function check_lines(name, lines, rules)
  for number, line in ipairs(lines) do
    local code = line:gsub("//.*", ""):gsub("/%*.-%*/", "")
    for _, rule in ipairs(rules) do
      local text = (rule[1]:find("TODO") or rule[1]:find("FIXME")) and line or code
      if text:find(rule[1]) then add("%s:%d: %s: %s", name, number, text:match(rule[1]), rule[2]) end
    end
  end
end

for _, path in ipairs(source.list(root, { "core", "plugins", "sdk" }, { "h", "hpp", "cpp", "c" })) do
  local name = source.relative(root, path)
  local lines = source.lines(path)
  check_lines(name, lines, banned)
  if name:find("%.hp?p?$") and #lines > kMaxHeaderLines then
    add("%s: %d lines; a header over %d has two subjects", name, #lines, kMaxHeaderLines)
  end
  for part in name:gmatch("[^/.]+") do
    if vague_names[part] then add("%s: '%s' names no subject", name, part) end
  end
end
for _, path in ipairs(source.list(root, { "tests/unit" }, { "h", "cpp" })) do
  check_lines(source.relative(root, path), source.lines(path), banned_in_tests)
end
for _, path in ipairs(source.list_all(root)) do check_paths(source.relative(root, path), path) end
source.finish("broken house rules", findings)
