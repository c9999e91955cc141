-- What a page's program prints, by segments: `__segment()` ends one; `__raises(f)` prints the
-- message of the error that f raises, without its position. At the end the segments lie in the file
-- of the environment variable CROSSFOLD_PAGE_SEGMENTS, each after a line with its length in bytes.
local parts, segments = {}, {}

local function write(...)
  for i = 1, select("#", ...) do parts[#parts + 1] = tostring((select(i, ...))) end
end

function _G.print(...)
  local texts = table.pack(...)
  for i = 1, texts.n do texts[i] = tostring(texts[i]) end
  write(table.concat(texts, "\t"), "\n")
end

io.write = function(...)  -- luacheck: ignore 122
  write(...)
  return io.stdout
end

function _G.__segment()
  segments[#segments + 1] = table.concat(parts)
  parts = {}
end

function _G.__raises(f)
  local ok, message = pcall(f)
  assert(not ok, "the block raises no error")
  _G.print((tostring(message):gsub("^[^:\n]*:%d+: ", "")))
end

function _G.__finish()
  _G.__segment()
  local file <close> = assert(io.open(os.getenv("CROSSFOLD_PAGE_SEGMENTS"), "wb"))
  for _, segment in ipairs(segments) do file:write(#segment, "\n", segment) end
end
