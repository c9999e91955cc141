-- cf.read beside other readers: second_reader/files.jsonl holds small files and what Weka, polars, scikit-learn, pandas
-- and the codecs of Python make of them (second_reader/make_files.py).
local lu = require "luaunit"
local cf = require "crossfold"
local native = require "crossfold.native"

local here = debug.getinfo(1, "S").source:match("^@(.*)/") .. "/second_reader/"
local plain = { "types", "encoding", "task" }  -- fields that are options of cf.read

local function bytes_of(entry)
  if entry.hex then return (entry.hex:gsub("..", function(pair) return string.char(tonumber(pair, 16)) end)) end
  local bytes = {}
  for _, code in utf8.codes(entry.text) do bytes[#bytes + 1] = string.char(code) end
  return table.concat(bytes)
end

local function compare(entry, data, name)
  local n = 0
  for column, expected in pairs(entry.columns) do
    local read = data:column(column)
    lu.assertEquals(#read, #expected, name .. column)
    for row = 1, #expected do
      lu.assertEquals(read[row] == expected[row], true,
        ("%s%s, row %d: %s, %s reads %s"):format(name, column, row, read[row], entry.reader, expected[row]))
      n = n + 1
    end
  end
  return n
end

TestSecondReader = {}

function TestSecondReader:test_files_read_as_others_read_them()
  local n_files, n_values, n_refused = 0, 0, 0
  for line in io.lines(here .. "files.jsonl") do
    local entry = native.json_value(line)
    n_files = n_files + 1
    local name = ("file %d (%s): "):format(n_files, entry.text or entry.ending)
    local path = os.tmpname() .. "." .. entry.ending
    local file <close> = assert(io.open(path, "wb"))
    file:write(bytes_of(entry))
    file:close()
    local options = {}
    for _, option in ipairs(plain) do options[option] = entry[option] end
    local ok, data = pcall(cf.read, path, options)
    os.remove(path)
    if entry.refused then
      lu.assertEquals(ok, false, name)
      lu.assertStrContains(tostring(data), entry.refused)
      if entry.unsaid then lu.assertNotStrContains(tostring(data), entry.unsaid) end
      n_refused = n_refused + 1
    else
      lu.assertEquals(ok, true, name .. tostring(data))
      n_values = n_values + compare(entry, data, name)
      if entry.groups then lu.assertEquals(data:roles().groups, entry.groups, name) end
    end
  end
  print(("%d files, of which %d are refused; %d values"):format(n_files, n_refused, n_values))
  lu.assertTrue(n_files >= 100 and n_values >= 900)
end
