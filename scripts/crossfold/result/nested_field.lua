-- nested_field(row, name): the field `name` of a row of result:tuning, or of the row of the learner inside it.
return function(row, name)
  while row do
    if row[name] ~= nil then return row[name] end
    row = row.learner
  end
end
