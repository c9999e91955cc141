-- People read plain English: words of the table in CONTRIBUTING.md. That table is longer; these are the words without
-- a good use.
local line_of = require("tree").line_of

-- C headers of the plugin ABI are frozen with their comments.
local function is_frozen(name) return name:find("^sdk/include/.*%.h$") end

-- How an offence begins -> Lua pattern in lower case (%f[] = a word begins or ends) -> what to write.
local offences = {
  { "behind", "^%f[%a]behind%f[%A]", "write 'after'" },
  { "in front of", "^%f[%a]in front of%f[%A]", "write 'before'" },
  { "anew", "^%f[%a]anew%f[%A]", "write 'again'" },
  { "mend", "^%f[%a]mend[eis]?[dns]?g?%f[%A]", "write 'fix'" },
  { "told", "^%f[%a]told%f[%A]", "write 'reported' or 'given'" },
  { "for the ", "^for the [%d{}%%]*d?%. time", "write 'on call 1'" },
}

local verbs = { is = true, are = true, was = true, were = true }
-- "is no X" is stiff if X is a noun, except in "there is no X"; these words are not nouns.
local no_nouns = { longer = true, more = true, less = true, fewer = true, better = true, worse = true, later = true,
                   earlier = true, larger = true, smaller = true, greater = true, higher = true, lower = true,
                   different = true, one = true }

local function check_file(file, add)
  -- A sentence may go on in the next line, unless that is empty.
  local prose = file.prose:lower():gsub("\n\n", "\0\0"):gsub("\n", " ")
  for _, offence in ipairs(offences) do
    local at = prose:find(offence[1], 1, true)
    while at do
      local words = prose:match(offence[2], at)
      if words then add(file.name, line_of(file.prose, at), "'%s': %s", words, offence[3]) end
      at = prose:find(offence[1], at + 1, true)
    end
  end
  for at, noun in prose:gmatch("() no +(%a+)") do
    local start = math.max(1, at - 80)
    local there, first, verb = prose:sub(start, at - 1):match("(%a*) *()%f[%a](%a+) *$")
    if verbs[verb] and there ~= "there" and not no_nouns[noun] then
      add(file.name, line_of(file.prose, start + first - 1), "'%s no %s': write '%s not'", verb, noun, verb)
    end
  end
end

local function check(tree, add)
  local folders = { "core", "docs", "plugins", "scripts", "sdk", "README.md", "CONTRIBUTING.md" }
  for _, file in ipairs(tree:list(folders, "md lua h hpp cpp c py cmake txt")) do
    if not is_frozen(file.name) then check_file(file, add) end
  end
end

return { name = "plain_english", finds = "stiff words", check = check }
