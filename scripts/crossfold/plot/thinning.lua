-- Thins the points of a line that still looks the same: of each run of points in one column of pixels the first,
-- the last, the lowest and the highest stay (Jugel, Jerzak, Hackenbroich and Markl 2014, "M4"), then
-- points on a straight line between their neighbours go.
local thinning = {}

-- `points` = { { x, y }, ... } in pixels, in drawing order.
local function by_column(points)
  local kept, at = {}, 1
  while at <= #points do
    local column, stop = math.floor(points[at][1]), at
    while points[stop + 1] and math.floor(points[stop + 1][1]) == column do stop = stop + 1 end
    local lowest, highest = at, at
    for i = at, stop do
      if points[i][2] < points[lowest][2] then lowest = i end
      if points[i][2] > points[highest][2] then highest = i end
    end
    local wanted, last = { at, math.min(lowest, highest), math.max(lowest, highest), stop }, 0
    for _, i in ipairs(wanted) do
      if i > last then kept[#kept + 1], last = points[i], i end
    end
    at = stop + 1
  end
  return kept
end

-- Twice the area of the triangle of three points: 0 on a line.
local function bend(a, b, c)
  return math.abs((b[1] - a[1]) * (c[2] - a[2]) - (c[1] - a[1]) * (b[2] - a[2]))
end

local function goes_on(a, b, c)
  return (b[1] - a[1]) * (c[1] - b[1]) + (b[2] - a[2]) * (c[2] - b[2]) >= 0
end

local function without_straight(points)
  local kept = { points[1] }
  for i = 2, #points - 1 do
    local last = kept[#kept]
    if bend(last, points[i], points[i + 1]) > 0.02 or not goes_on(last, points[i], points[i + 1]) then
      kept[#kept + 1] = points[i]
    end
  end
  if #points > 1 then kept[#kept + 1] = points[#points] end
  return kept
end

-- Lines of few points are left as they are.
function thinning.line(points)
  if #points > 400 then points = by_column(points) end
  if #points < 3 then return points end
  return without_straight(points)
end

return thinning
