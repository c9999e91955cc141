-- Makes the row of a score in result:scores().

-- Of metric m, called `name`, on a fold of a job: { learner, dataset, repeat_, fold, metric, value, undefined,
-- fallback }.
return function(job, fold, m, name)
  local row = {
    learner = job.learner_name, dataset = job.dataset, repeat_ = fold.repeat_, fold = fold.fold, metric = name,
    fallback = fold.fallback and true or nil,
  }
  local failure = fold.failure
  if failure then
    row.undefined = ("failed at %s: %s"):format(failure.stage, failure.message)
  else
    row.value, row.undefined = fold.values[m], fold.reasons[m]
  end
  return row
end
