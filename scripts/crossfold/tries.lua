-- Tries of a cell that failed because of the machine, before the one that counts. A cell has them among its warnings
-- (core/include/crossfold/failure_cause.h), a fold apart from these: they are not part of the result.
local tries = {}

-- Gives a fold the warnings of its cell, which may be nil. It keeps warnings of its own.
function tries.take_warnings(fold, warnings)
  local of = { tries = {}, warnings = {} }
  for _, warning in ipairs(warnings or {}) do
    local list = warning:find("^run: try ") and of.tries or of.warnings
    list[#list + 1] = warning
  end
  for name, list in pairs(of) do
    if #list > 0 then fold[name] = fold[name] or list end
  end
end

return tries
