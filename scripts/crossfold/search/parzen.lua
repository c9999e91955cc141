-- Parzen estimators over the settings of a space: a density with one kernel for each of some settings, and one more,
-- the prior, that is the distribution from which random_search draws. A kernel is a product over the parameters, so
-- that the density knows which values go together:
--   numbers     a normal density on the scale of the range, cut off at its ends; of an integer and of an element of an
--               ordered list the probability of the stretch that it takes up;
--   categories  the setting's own value, or with probability `blur` any of the values.
-- A parameter that has no effect in the setting of a kernel has its prior there. A density only has factors for the
-- parameters that have an effect in the setting that it is asked for; which these are follows from the others, so that
-- densities of settings with different parameters can be compared (the tree in tree-structured Parzen estimator).
--
-- Width of the normal kernels, in shares of the range: 0.2 n^(-1 / (4 + d)) for n settings and d parameters, the rate
-- of Scott 1992 ("Multivariate density estimation"). That products, a prior and such a `blur` do better than one
-- density for each parameter is shown by S. Watanabe 2023 ("Tree-structured Parzen estimator: understanding its
-- algorithm components and their roles for better empirical performance").
local native = require "crossfold.native"
local search_space = require "crossfold.search.space"

local parzen = {}
parzen.__index = parzen

local widest = 0.2
local blur = 0.2

-- The centre of a kernel in an ordered dimension, and what the cut normal density is divided by.
local function normal_kernel(place, width)
  local centre = (place.low + place.high) / 2
  local below = native.normal_cdf(-centre / width)
  return { centre = centre, width = width, below = below,
    inside = native.normal_cdf((1 - centre) / width) - below }
end

-- The estimator of a list of places (see space.lua).
function parzen.new(dimensions, points)
  local width = widest * math.max(1, #points) ^ (-1 / (4 + #dimensions))
  local kernels = {}
  for k, point in ipairs(points) do
    kernels[k] = {}
    for i, place in pairs(point) do
      kernels[k][i] = type(place) == "table" and normal_kernel(place, width) or place
    end
  end
  return setmetatable({ dimensions = dimensions, kernels = kernels }, parzen)
end

local sqrt_two_pi = math.sqrt(2 * math.pi)

local function normal_factor(kernel, place)
  local low = (place.low - kernel.centre) / kernel.width
  if place.low == place.high then
    return math.exp(-low * low / 2) / (sqrt_two_pi * kernel.width * kernel.inside)
  end
  local high = (place.high - kernel.centre) / kernel.width
  return (native.normal_cdf(high) - native.normal_cdf(low)) / kernel.inside
end

local function prior_factor(dimension, place)
  if type(place) ~= "table" then return 1 / #dimension.values end
  return place.low == place.high and 1 or place.high - place.low
end

local function factor(dimension, kernel, place)
  if kernel == nil then return prior_factor(dimension, place) end
  if type(kernel) == "table" then return normal_factor(kernel, place) end
  return blur / #dimension.values + (kernel == place and 1 - blur or 0)
end

-- The logarithm of the density of a setting, given its places.
function parzen:log_density(point)
  local function product(kernel)
    local value = 1
    for i, d in ipairs(self.dimensions) do
      if point[i] then value = value * factor(d, kernel[i], point[i]) end
    end
    return value
  end
  local sum = product {}
  for _, kernel in ipairs(self.kernels) do sum = sum + product(kernel) end
  return math.log(sum / (#self.kernels + 1))
end

local function drawn_share(kernel, uniform)
  local p = kernel.below + uniform * kernel.inside
  if not (p > 0 and p < 1) then return kernel.centre end
  return math.max(0, math.min(1, kernel.centre + kernel.width * native.normal_quantile(p)))
end

local function drawn_value(dimension, kernel, uniform)
  if type(kernel) == "table" then
    return search_space.value_at(dimension, drawn_share(kernel, uniform))
  elseif kernel and uniform < 1 - blur then
    return dimension.values[kernel]
  elseif kernel then
    uniform = (uniform - (1 - blur)) / blur
  end
  if dimension.kind ~= "list" then return search_space.value_at(dimension, uniform) end
  return dimension.values[math.min(#dimension.values, math.floor(uniform * #dimension.values) + 1)]
end

-- A setting drawn from the density, with values of all parameters.
function parzen:draw(seed)
  local uniforms = native.uniforms(#self.dimensions + 1, seed)
  local kernel = self.kernels[math.floor(uniforms[#uniforms] * (#self.kernels + 1)) + 1] or {}
  local setting = {}
  for i, d in ipairs(self.dimensions) do setting[d.name] = drawn_value(d, kernel[i], uniforms[i]) end
  return setting
end

return parzen
