-- Lists what an audit did not look for, because nothing in the data and the splits would show it.
local unseen = {}

-- Rows { what =, instead = } for an experiment. context = { data, prepare, seems }.
function unseen.list(context)
  local roles, rows = context.data:roles(), {}
  local function add(what, instead) rows[#rows + 1] = { what = what, instead = instead } end
  local before = "a choice of features or rows, rows made of others, scaling other than to mean 0, filling "
    .. "other than by means, and encodings out of fold"
  if context.prepare then
    add("what was done to the data before 'prepare' got them: " .. before,
      "read the raw data, and do the rest in 'prepare' or in a pipeline")
  else
    add("what was done to the data before: " .. before,
      "do it in a pipeline, or give it as the function 'prepare'")
  end
  if roles.time then
    add("columns that are known only after the time of their row", "leave them out")
  else
    add("columns from the future, as the data name no time",
      "read the data with time = \"<column>\", and leave out what is known only later")
  end
  if not roles.groups then
    add("groups of rows that no column names", "read the data with groups = \"<column>\"")
  end
  if context.data:task() == "classification" and not context.seems.labels then
    add("labels that are wrong", "ask with labels = true, which fits a learner")
  end
  if not context.seems.new then
    add("rows to be predicted that do not look like these", "give them as 'new', which fits a learner")
  end
  add("settings that were chosen by test scores before", "make the search a learner")
  return rows
end

return unseen
