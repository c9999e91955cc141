-- told(row, name): field `name` of what a learner told about a fold, or of what the learner inside it told;
-- rows are those of result:tuning.
return function(row, name)
  while row do
    if row[name] ~= nil then return row[name] end
    row = row.learner
  end
end
