-- A copy of a list of rows and of each row, for callers who may change what they get.
return function(rows)
  local copied = {}
  for i, row in ipairs(rows) do
    local copy = {}
    for key, value in pairs(row) do copy[key] = value end
    copied[i] = copy
  end
  return copied
end
