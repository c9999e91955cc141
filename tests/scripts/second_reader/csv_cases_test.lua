-- Files of many kinds, and what pandas and R read in them (csv_cases.jsonl; make_csv_cases.py writes it).
local lu = require "luaunit"
local cf = require "crossfold"
local native = require "crossfold.native"
local fixtures = require "fixtures"
local here = arg[1]:match("^(.*)/")

TestCsvCases = {}

local function cases()
  local list = {}
  for line in io.lines(here .. "/csv_cases.jsonl") do list[#list + 1] = native.json_value(line) end
  return list
end

local function content(case)
  if case.text then return case.text end
  return (case.hex:gsub("%x%x", function(byte) return string.char(tonumber(byte, 16)) end))
end

-- An entry as both readers may write it: classes of numbers are strings here and there.
local function plain(entry, is_text)
  if entry == cf.null or entry == native.null or entry == nil then return "~" end
  if entry == "inf" or entry == "-inf" then return entry == "inf" and math.huge or -math.huge end
  if is_text then return tostring(entry) end
  return entry
end

local function assert_columns(case, data)
  for _, column in ipairs(case.columns) do
    local name, wanted, given, found = column[1], {}, {}, data:column(column[1])
    lu.assertEquals(#found, #column[2], name)
    local is_text = false
    for i = 1, #found do is_text = is_text or type(found[i]) == "string" end
    for i = 1, #found do
      wanted[i], given[i] = plain(column[2][i], is_text), plain(found[i], is_text)
    end
    lu.assertEquals(given, wanted, name)
  end
  lu.assertEquals(#data:features(), #case.columns)
end

local function check(case, path)
  if case.refused then
    return lu.assertStrContains(fixtures.message(cf.read, path, case.options), case.refused)
  end
  local data = cf.read(path, case.options)
  assert_columns(case, data)
  local notes = table.concat(data:notes(), "\n")
  if case.note then
    lu.assertStrContains(notes, case.note)
    lu.assertStrContains(tostring(data), case.note)
    lu.assertStrContains(tostring(data:describe()):gsub("%s+", " "), case.note)
  else
    lu.assertEquals(notes, "")
  end
end

function TestCsvCases:test_files_are_read_as_others_read_them_or_something_is_said()
  local list, problems = cases(), {}
  local path = os.tmpname() .. ".csv"
  for _, case in ipairs(list) do
    local file = assert(io.open(path, "wb"))
    file:write(content(case))
    file:close()
    local ok, problem = pcall(check, case, path)
    if not ok then
      problems[#problems + 1] = ("%s: %s"):format(case.name, type(problem) == "table" and problem.msg or problem)
    end
  end
  os.remove(path)
  lu.assertEquals(table.concat(problems, "\n"), "")
  lu.assertTrue(#list >= 100)
end
