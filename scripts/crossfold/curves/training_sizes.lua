-- Computes the sizes of the training sets of a learning curve: a list, or a schedule between two sizes.
--   arithmetic  equal steps:  from + (to - from) (i - 1) / (points - 1)
--   geometric   equal ratios: from (to / from)^((i - 1) / (points - 1))
-- each rounded to the nearest whole number of rows.
local native = require "crossfold.native"
local options = require "crossfold.options"

local training_sizes = {}

local steps = {
  arithmetic = function(from, to, share) return from + (to - from) * share end,
  geometric = function(from, to, share) return from * (to / from) ^ share end,
}

local default_points, default_ratio = 6, 32

local function check_list(what, sizes, most)
  options.list(what .. ": option 'sizes'", sizes)
  if #sizes == 0 then native.fail(what .. ": option 'sizes' is empty; give the sizes, as { 50, 100 }") end
  local checked = {}
  for i, size in ipairs(sizes) do
    local rows = math.tointeger(size)
    if not rows or rows < 1 or rows <= (checked[i - 1] or 0) then
      native.fail(("%s: size %d is not a whole number greater than %d; list ascending numbers of rows")
        :format(what, i, checked[i - 1] or 0))
    end
    checked[i] = rows
  end
  if checked[#checked] > most then
    native.fail(("%s: size %d needs %d training rows, there are %d; use smaller sizes or fewer test "
      .. "rows"):format(what, #checked, checked[#checked], most))
  end
  return checked
end

-- The sizes that the options ask for, with `most` training rows at hand.
function training_sizes.of(what, o, most)
  if o.sizes then
    if o.schedule or o.from or o.to or o.points then
      native.fail(what .. ": give either 'sizes' or a schedule with from, to and points")
    end
    return check_list(what, o.sizes, most)
  end
  local schedule = o.schedule or "geometric"
  local step = steps[schedule]
  if not step then
    native.fail(("%s: schedule = '%s' is not one of arithmetic, geometric"):format(what, schedule))
  end
  local points, to = o.points or default_points, o.to or most
  local from = o.from or math.max(1, to // default_ratio)
  if points < 2 or from < 1 or to <= from then
    native.fail(("%s: a schedule of %d points from %d to %d rows is not possible; use 2 or more points and "
      .. "1 <= from < to"):format(what, points, from, to))
  end
  local sizes = {}
  for i = 1, points do
    sizes[i] = math.floor(step(from, to, (i - 1) / (points - 1)) + 0.5)
    if sizes[i] == sizes[i - 1] then
      native.fail(("%s: %d points from %d to %d rows meet at %d rows; use fewer points"):format(what,
        points, from, to, sizes[i]))
    end
  end
  return check_list(what, sizes, most)
end

return training_sizes
