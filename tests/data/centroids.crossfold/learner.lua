-- A learner in plain Lua, for the tests: the class whose mean is nearest, the first one of equals. It speaks the
-- protocol of docs/languages.md itself. CENTROIDS_PACKAGE is the version of a package that it pretends to use;
-- version 2.0 of it moves every mean by 1.
package.path = "./?.lua"
local json = require "json"

local replies = assert(io.open("/proc/self/fd/3", "wb"))
local package_version = os.getenv("CENTROIDS_PACKAGE")
local formats = { f64 = "<d", f32 = "<f", i32 = "<i4", i64 = "<i8", bool = "<B" }
local arena             -- the path of the memory file with rows and predictions
local tables, models = {}, {}

local function reply(text, blob) assert(replies:write(string.pack("<s4", text), blob or "")):flush() end

local function read_at(path, at, n)
  local file <close> = assert(io.open(path, "rb"))
  file:seek("set", at)
  return file:read(n) or ""
end

local function write_at(path, at, bytes)
  local file <close> = assert(io.open(path, "r+b"))
  file:seek("set", at)
  file:write(bytes)
end

local function unpack_all(bytes, format, n)
  local values, place = {}, 1
  for i = 1, n do values[i], place = format:unpack(bytes, place) end
  return values
end

local function read_column(path, column, rows)
  local format = formats[column.type]
  return unpack_all(read_at(path, column.at, rows * format:packsize()), format, rows)
end

local function read_table(description)
  local columns = {}
  for j, column in ipairs(description.columns) do
    columns[j] = read_column(description.path, column, description.rows)
  end
  return { columns = columns, rows = description.rows }
end

local function table_of(request)
  local name = request.table
  return type(name) == "table" and read_table(name) or tables[name]
end

-- Row numbers of the request's table, from 1.
local function rows_of(request, data)
  local rows = {}
  if request.rows then
    local n = request.rows.n
    for i, row in ipairs(unpack_all(read_at(arena, request.rows.at, 4 * n), "<i4", n)) do rows[i] = row + 1 end
  else
    for i = 1, data.rows do rows[i] = i end
  end
  return rows
end

local function means_of(columns, rows, labels, classes, shrinkage)
  local counts, means = {}, {}
  for c = 1, classes do counts[c], means[c] = 0, {} end
  for _, label in ipairs(labels) do counts[label + 1] = counts[label + 1] + 1 end
  for j, column in ipairs(columns) do
    local sums, sum = {}, 0.0
    for c = 1, classes do sums[c] = 0.0 end
    for i, row in ipairs(rows) do
      sums[labels[i] + 1] = sums[labels[i] + 1] + column[row]
      sum = sum + column[row]
    end
    for c = 1, classes do
      means[c][j] = (1 - shrinkage) * sums[c] / counts[c] + shrinkage * sum / #rows
      if package_version == "2.0" then means[c][j] = means[c][j] + 1 end
    end
  end
  return means -- of a class without rows: not a number, so that it is never the nearest
end

local function nearest(means, columns, row)
  local best, least = 0, math.huge
  for c, mean in ipairs(means) do
    local distance = 0.0
    for j, column in ipairs(columns) do distance = distance + (column[row] - mean[j]) ^ 2 end
    if distance < least then best, least = c - 1, distance end
  end
  return best
end

local operations = {}

function operations.hello()
  local packages = package_version and (', "centroids": "%s"'):format(package_version) or ""
  reply(('{"protocol": 1, "environment": {"lua": "%s"%s}}'):format(_VERSION:match("[%d.]+"), packages))
end

function operations.table(request)
  tables[request.table] = read_table(request)
  reply("{}")
end

function operations.fit(request)
  local data = table_of(request)
  local rows = rows_of(request, data)
  local labels = unpack_all(read_at(arena, request.target.at, 4 * #rows), "<i4", #rows)
  models[request.model] = means_of(data.columns, rows, labels, #request.classes, request.params.shrinkage)
  reply("{}")
end

function operations.predict(request)
  local data = table_of(request)
  local labels = {}
  for i, row in ipairs(rows_of(request, data)) do
    labels[i] = ("<i4"):pack(nearest(models[request.model], data.columns, row))
  end
  write_at(arena, request.labels.at, table.concat(labels))
  reply("{}")
end

function operations.save(request)
  local means, parts = models[request.model], {}
  for _, mean in ipairs(means) do
    for _, value in ipairs(mean) do parts[#parts + 1] = ("<d"):pack(value) end
  end
  local blob = table.concat(parts)
  reply(('{"blob": %d}'):format(#blob), blob)
end

function operations.load(request, blob)
  local classes, features = #request.classes, #request.columns
  if #blob ~= 8 * classes * features then
    return reply('{"error": "bad_blob", "message": "the means of another number of columns"}')
  end
  local means, values = {}, unpack_all(blob, "<d", classes * features)
  for c = 1, classes do means[c] = { table.unpack(values, (c - 1) * features + 1, c * features) } end
  models[request.model] = means
  reply("{}")
end

local function forget(drop)
  for _, number in ipairs(drop.tables or {}) do tables[number] = nil end
  for _, number in ipairs(drop.models or {}) do models[number] = nil end
end

while true do
  local size = io.read(4)
  if not size then break end
  local request = json.read(io.read((("<I4"):unpack(size))))
  local blob = request.blob and request.blob > 0 and io.read(request.blob) or ""
  if request.drop then forget(request.drop) end
  if request.arena then arena = request.arena.path end
  operations[request.op](request, blob)
end
