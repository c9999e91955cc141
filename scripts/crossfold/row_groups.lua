-- row_groups(data): the places of the rows of `data`, group by group in the order of their first rows; without groups
-- each row is one. And whether there are groups.
return function(data)
  local column, groups, by_label = data:roles().groups, {}, {}
  local labels = column and data:column(column)
  for place = 1, #data do
    local label = labels and labels[place] or place
    if not by_label[label] then
      by_label[label] = {}
      groups[#groups + 1] = by_label[label]
    end
    table.insert(by_label[label], place)
  end
  return groups, column ~= nil
end
