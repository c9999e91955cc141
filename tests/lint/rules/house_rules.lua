-- What must not be in the sources: numbers that obey the locale, and randomness that differs between standard
-- libraries; headers that are too long to have one subject; folders without a subject; paths of one machine.
local tree_module = require "tree"
local line_around, line_of = tree_module.line_around, tree_module.line_of

-- A part of every offence -> Lua pattern (%f[] = a word begins or ends) -> why.
local banned = {
  { "<random>", "#%s*include%s*<random>", "draws of <random> differ between standard libraries; use Random" },
  { "mt19937", "%f[%w_]mt19937", "use Random of the SDK" },
  { "random_device", "%f[%w_]random_device", "seeds come from the experiment's seed" },
  { "std::shuffle", "std::shuffle%f[^%w_]", "differs between standard libraries; use Random::Shuffle" },
  { "std::sample", "std::sample%f[^%w_]", "differs between standard libraries; use Random" },
  { "rand", "%f[%w_]s?rand%s*%(", "use Random of the SDK" },
  { "drand48", "%f[%w_]drand48%f[^%w_]", "use Random of the SDK" },
  { "strto", "%f[%w_]strto[dfl]d?%s*%(", "obeys the locale; use from_chars" },
  { "sto", "%f[%w_]sto[dfl]d?%s*%(", "obeys the locale; use from_chars" },
  { "ato", "%f[%w_]ato[fil]l?%s*%(", "finds no error; use from_chars" },
  { "sscanf", "%f[%w_]sscanf%s*%(", "obeys the locale; use from_chars" },
  { "printf", "printf%s*%(.*%%[%d%.%*%-+ #0]*L?[aefgAEFG]", "obeys the locale; use to_chars" },
  { "std::setprecision", "std::setprecision%f[^%w_]", "obeys the locale; use to_chars" },
  { "TODO", "%f[%w_]TODO%f[^%w_]", "finish it or leave it out", in_comments = true },
  { "FIXME", "%f[%w_]FIXME%f[^%w_]", "finish it or leave it out", in_comments = true },
}

-- The same of the unit tests.
local kOwnFolder = "cases run at the same time: test::TemporaryFolder gives each its own"
local banned_in_tests = {
  { "TempDir", "%f[%w_]TempDir%s*%(", kOwnFolder },
  { "temp_directory_path", "%f[%w_]temp_directory_path%s*%(", kOwnFolder },
}

local kMaxHeaderLines = 300
local vague_names = { util = true, utils = true, common = true, helper = true, helpers = true, misc = true }

-- An absolute path below one of these folders is on the machine alone that a page or a script was made on. So
-- is one below a person's home, except in the examples /home/you and /home/ada, and one in a folder of /tmp
-- whose name has a digit, as programs make them up. Other folders (/usr, /opt, /srv, /tmp/page) are on many
-- machines or are examples. A string is the end of a path if .. or + appends it or it begins with "/root/, the
-- root of a sandbox.
local machine_folders = { "/build/", "/builds/", "/home/", "/mnt/", "/root/", "/scratch/", "/tmp/", "/Users/",
                          "/work/", "/workspace/" }

local function is_of_one_machine(before, folder, name)
  if before:find("[^%s\"'`=(%[{<,;:|]$") then return false end
  if before:find("%.%.%s*[\"']$") or before:find("%+%s*[\"']$") then return false end
  if folder == "/home/" then return name ~= "you" and name ~= "ada" end
  if folder == "/tmp/" then return name:find("%d") end
  return folder ~= "/root/" or not before:find('"$')
end

local function check_paths(file, add)
  local text = file.text
  for _, folder in ipairs(text:find("\0", 1, true) and {} or machine_folders) do
    local at = text:find(folder, 1, true)
    while at do
      local rest = text:match("^[%w_.][%w_.+~/-]*", at + #folder)
      if rest and is_of_one_machine((line_around(text, at)), folder, rest:match("^[^/]*")) then
        add(file.name, line_of(text, at), "%s%s: a path of one machine; write what a reader types in the repository",
          folder, rest)
      end
      at = text:find(folder, at + 1, true)
    end
  end
end

local function check_lines(file, offences, add)
  local text = file.text
  for _, offence in ipairs(offences) do
    local at = text:find(offence[1], 1, true)
    while at do
      local line = table.concat({ line_around(text, at) })
      local code = offence.in_comments and line or line:gsub("//.*", ""):gsub("/%*.-%*/", "")
      local words = code:match(offence[2])
      if words then add(file.name, line_of(text, at), "%s: %s", words, offence[3]) end
      at = text:find(offence[1], text:find("\n", at, true) or #text, true)
    end
  end
end

local function check(tree, add)
  for _, file in ipairs(tree:list({ "core", "plugins", "sdk" }, "h hpp cpp c")) do
    check_lines(file, banned, add)
    if file.ending:find("^hp?p?$") and file.line_count > kMaxHeaderLines then
      add(file.name, nil, "%d lines; a header over %d has two subjects", file.line_count, kMaxHeaderLines)
    end
    for part in file.name:gmatch("[^/.]+") do
      if vague_names[part] then add(file.name, nil, "'%s' names no subject", part) end
    end
  end
  for _, file in ipairs(tree:list({ "tests/unit" }, "h cpp")) do check_lines(file, banned_in_tests, add) end
  for _, file in ipairs(tree.files) do check_paths(file, add) end
end

return { name = "house_rules", finds = "broken house rules", check = check }
