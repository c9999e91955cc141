-- Modules that are loaded when they are used first, so that `require "crossfold"` and small scripts do not pay for
-- what they do not use.
local first_use = {}

-- Stands for the module `name`, a table of functions that does not change.
function first_use.of(name)
  return setmetatable({}, { __index = function(_, key) return require(name)[key] end })
end

-- Stands for the function `key` of the module `name`.
function first_use.call(name, key)
  local f
  return function(...)
    f = f or require(name)[key]
    return f(...)
  end
end

return first_use
