-- pages.lua ROOT DOCS: every page of the guide is in the folder where an installation has them, and links
-- between pages lead somewhere there.
local root, docs = arg[1], arg[2]
local n = 0

local function read(path)
  local file <close> = assert(io.open(path, "rb"), path .. " is not installed")
  n = n + 1
  return file:read("a")
end

for _, section in ipairs(dofile(root .. "/docs/guide/pages.lua")) do
  for _, page in ipairs(section.pages) do
    local path = docs .. page:match("^docs(/.*)$")
    if not page:find("*", 1, true) then
      for link in read(path):gmatch("%]%(([%w_/.]+%.md)") do
        if not link:find("../", 1, true) then read(path:match("^(.*/)") .. link) end
      end
    end
  end
end
print(n .. " pages and links")
