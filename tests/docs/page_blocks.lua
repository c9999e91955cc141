-- The fenced blocks of a Markdown page with the mark before each:
--   <!-- from: PATH#REGION -->  the block equals a tested file (lint.tree compares them)
--   <!-- file: NAME -->         the block is written into this file before anything runs
--   <!-- output -->             a text block: what the blocks since the last such block printed
--   <!-- error -->              a text block: the message of the error that the block before raises
--   <!-- not run: REASON -->    the only way to show code that no test runs
-- A mark is the last line with text before its block.
local M = {}

M.marks = { from = true, file = true, output = true, error = true, ["not run"] = true }

-- Pages whose commands (blocks of sh) run, too: those that people read from front to back.
function M.runs_commands(name)
  return name == "docs/quickstart.md" or name == "docs/evaluate.md" or name == "docs/import.md"
    or name:find("^docs/tutorials/") ~= nil
    or name:find("^docs/recipes/") ~= nil or name:find("^docs/coming_from/") ~= nil
end

-- { language =, mark =, subject =, first =, last =, lines = {...} } for every block of `lines`; first
-- and last are the lines of the fences. And a list of findings { line =, text = }.
function M.read(lines)
  local blocks, findings = {}, {}
  local fence, block, mark, subject
  for number, line in ipairs(lines) do
    local opening, word = line:match("^(```+)%s*([%w_]*)")
    if fence then
      if line == fence then
        block.last = number
        blocks[#blocks + 1] = block
        fence, mark, subject = nil, nil, nil
      else
        block.lines[#block.lines + 1] = line
      end
    elseif opening then
      fence = opening
      block = { language = word, mark = mark, subject = subject, first = number, lines = {} }
    elseif line:find("^%s+```+%s*lua") then
      findings[#findings + 1] = { line = number, text = "a block of Lua that is indented is never run" }
    elseif line:find("%S") then
      local comment = line:match("^<!%-%- (.-) %-%->$")
      mark, subject = nil, nil
      if comment then
        mark, subject = comment:match("^([%l ]+): (.+)$")
        mark = mark or comment
        if not M.marks[mark] then mark, subject = nil, nil end
      end
    end
  end
  if fence then
    findings[#findings + 1] = { line = block.first, text = "a block that never ends" }
  end
  return blocks, findings
end

-- What becomes of a block: "from", "file", "expected", "lua", "sh", "not run", or nil (only shown).
function M.role(block, name)
  if block.mark == "from" or block.mark == "file" or block.mark == "not run" then return block.mark end
  if block.mark == "output" or block.mark == "error" then return "expected" end
  if block.language == "lua" then return "lua" end
  if block.language == "sh" and M.runs_commands(name) then return "sh" end
end

return M
