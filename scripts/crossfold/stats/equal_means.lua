-- Compares means that are equal but for rounding: 14/15 + 14/15 and 13/15 + 15/15 are the same number of right
-- rows, and not the same sum of doubles. Ranks and a best one that rest on such a difference rest on
-- nothing.
local equal_means = {}

-- As a share of the larger one; rounding leaves some 1e-16, and no experiment has that number of rows.
equal_means.tolerance = 1e-12

function equal_means.are(a, b)
  local larger = math.max(math.abs(a), math.abs(b))
  return a == b or larger < math.huge and math.abs(a - b) <= equal_means.tolerance * larger
end

-- A copy of a list of numbers in which equal ones are the same number, the lowest of them. A nil stays
-- what it is; `n` = the length of the list.
function equal_means.unified(list, n)
  local order, made = {}, {}
  for i = 1, n or #list do
    if list[i] ~= nil then order[#order + 1] = i end
  end
  table.sort(order, function(i, j)
    if list[i] ~= list[j] then return list[i] < list[j] end
    return i < j
  end)
  local lowest
  for _, i in ipairs(order) do
    if not (lowest and equal_means.are(lowest, list[i])) then lowest = list[i] end
    made[i] = lowest
  end
  return made
end

return equal_means
