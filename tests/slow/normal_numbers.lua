-- Numbers of a simulation from a path of seeds, the same in every process.
local cf = require "crossfold"

-- Uniform in (0, 1).
local function uniform(...) return ((cf.seed(...) >> 11) + 0.5) * 2.0 ^ -53 end

-- Standard normal (Box and Muller 1958).
return function(...)
  local seed = cf.seed(...)
  return math.sqrt(-2 * math.log(uniform(seed, 1))) * math.cos(2 * math.pi * uniform(seed, 2))
end
