-- run_page.lua finds what it is for: run_page_test.lua FOLDER_OF_RUN_PAGE PROGRAM SCRATCH.
local folder, program, scratch = arg[1], arg[2], arg[3]

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function write(path, text)
  local file <close> = assert(io.open(path, "wb"))
  file:write(text)
end

assert(os.execute("rm -rf " .. quoted(scratch) .. " && mkdir -p " .. quoted(scratch .. "/docs/recipes")
  .. " " .. quoted(scratch .. "/work/scripts/page")))

-- Runs the page with this text: whether that succeeded, and what was reported.
local function run(text)
  local page = "docs/recipes/page.md"
  write(scratch .. "/" .. page, (text:gsub("'''", "```")))
  local pipe = assert(io.popen(("%s %s %s %s %s %s 2>&1"):format(quoted(arg[-1]),
    quoted(folder .. "/run_page.lua"), quoted(scratch), page, quoted(program), quoted(scratch .. "/work"))))
  local told = pipe:read("a")
  return pipe:close() == true, told
end

local failures = 0
local function expect(what, text, good, told_pattern)
  local ok, told = run(text)
  if ok ~= good or not told:find(told_pattern) then
    failures = failures + 1
    print(("%s: ended %s and told:\n%s"):format(what, ok and "well" or "badly", told))
  end
end

expect("output as shown", [[
'''lua
local x = 3
print("x", x)
'''

<!-- output -->
'''text
x	3
'''

'''lua
io.write(x + 1, "\n")
'''

<!-- output -->
'''text
4
'''
]], true, "2 blocks run, 2 outputs compared")

expect("other output", "'''lua\nprint(1)\n'''\n\n<!-- output -->\n'''text\n2\n'''\n", false,
  "line 6: printed:\n1\n\nthe page says:\n2\n")
expect("output that no block shows", "'''lua\nprint(1)\n'''\n", false, "no block shows the last of the output")
expect("an error in a block, with the line of the page", "text\n\n'''lua\nlocal x\nprint(x.y)\n'''\n", false,
  "page.lua:5: attempt to index a nil value")
expect("the error that is shown", "'''lua\nerror('cannot go')\n'''\n\n<!-- error -->\n'''text\ncannot go\n'''\n",
  true, "1 outputs compared")
expect("no error where one is shown", "'''lua\nlocal _ = 1\n'''\n\n<!-- error -->\n'''text\ncannot go\n'''\n",
  false, "the block raises no error")
expect("commands, a file and what they print", [[
<!-- file: hello.lua -->
'''lua
print("hello")
'''

'''sh
crossfold run hello.lua
'''

<!-- output -->
'''text
hello
'''
]], true, "1 blocks run, 1 outputs compared")
expect("commands that fail", "'''sh\nfalse\n'''\n", false, "line 1: the commands end with 1")
expect("output of commands that no block shows", "'''sh\necho hidden\n'''\n", false,
  "no block shows what the commands print:\nhidden")
expect("output before anything ran", "<!-- output -->\n'''text\n1\n'''\n", false, "nothing runs before this block")
print(failures .. " failures")
os.exit(failures == 0 and 0 or 1)
