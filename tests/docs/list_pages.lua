-- Pages of docs/ with code that runs (see page_blocks.lua), a line each: `lua5.4 list_pages.lua ROOT`.
local here = arg[0]:match("^(.*)/")
package.path = here .. "/?.lua;" .. here .. "/../lint/?.lua;" .. package.path
local page_blocks = require "page_blocks"
local source = require "source_files"
local root = arg[1]

for _, path in ipairs(source.list(root, { "docs" }, { "md" })) do
  local name = source.relative(root, path)
  for _, block in ipairs(page_blocks.read(source.lines(path))) do
    local role = page_blocks.role(block, name)
    if role == "lua" or role == "sh" then
      print(name)
      break
    end
  end
end
