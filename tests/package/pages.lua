-- pages.lua ROOT DOCS: every page of the guide is in the folder where an installation has them, and links
-- between pages lead somewhere there.
package.path = arg[0]:match("^(.*)/") .. "/../docs/?.lua;" .. package.path
local navigation = require "navigation"
local root, docs = arg[1], arg[2]
local n = 0

local function read(path)
  local file <close> = assert(io.open(path, "rb"), path .. " is not installed")
  n = n + 1
  return file:read("a")
end

for _, page in ipairs(navigation(root)) do
  local path = docs .. page:match("^docs(/.*)$")
  for link in read(path):gmatch("%]%(([%w_/.]+%.md)") do
    if not link:find("../", 1, true) then read(path:match("^(.*/)") .. link) end
  end
end
print(n .. " pages and links")
