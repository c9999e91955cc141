-- The examples in the comments at the top of the SDK's headers, to be compiled by
-- header_examples.cpp: `lua5.4 header_examples.lua OUT HEADER...` writes OUT/<stem of the header>.inc
-- with the lines that are indented by two or more blanks.
local out = arg[1]

local function stem(path) return path:match("([^/]+)%.hpp$") end

for i = 2, #arg do
  local code = { ("#line 1 \"%s\""):format(arg[i]) }
  for line in io.lines(arg[i]) do
    if not line:find("^//") then break end
    code[#code + 1] = line:match("^//(  .*)$") or ""
  end
  local text = table.concat(code, "\n") .. "\n"
  if not text:find(";") then error(arg[i] .. ": the comment at the top has no example") end
  local file = assert(io.open(("%s/%s.inc"):format(out, stem(arg[i])), "w"))
  assert(file:write(text))
  assert(file:close())
end
