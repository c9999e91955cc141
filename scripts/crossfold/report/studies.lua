-- Writes the sections on studies, one function each: what cf.learning_curve, cf.variance and the like return.
local contents = require "crossfold.report.contents"
local failures = require "crossfold.report.failures"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"
local parameter_axis = require "crossfold.plot.parameter_axis"
local subject = require "crossfold.plot.subject"

local column, head, number = html.column, html.head_column, html.number_column

local studies = {}

-- The figure of a study, or why there is none.
local function picture(page, name, found, caption)
  local text, problem = figures.draw(page, name, found, {}, caption, "medium")
  return text or html.paragraph(("No picture: %s"):format(problem), "note")
end

-- The failures of fits; "" without any.
local function failed_fits(found)
  local failed = found:failures()
  if #failed == 0 then return "" end
  return failures.table("Failures", failed, { "learner", "stage", "message" }, {
    head "learner", column "stage", { title = "message", html = true }, number("fits", "count"),
  })
end

-- What a study of one learner shows, as a table of one row.
local function only_row(found)
  local columns, row = {}, {}
  for i, shown in ipairs(found:shown()) do
    columns[i] = { title = shown[1], number = shown[2] ~= "undefined" }
    row[shown[1]] = found[shown[2]]
  end
  return html.table(found:title(), columns, { row })
end

-- ---- scores by training rows, and by the values of a parameter -----------------------------------------------

local most_fits = 30

-- The law of each learner in a line, or why there is none.
local function laws(curve, learners, metric)
  local items = {}
  for _, learner in ipairs(contents.first(learners, most_fits)) do
    local ok, fit = pcall(curve.fit, curve, learner, { metric = metric })
    if ok then
      items[#items + 1] = tostring(fit) .. (fit.undefined and "" or "; " .. tostring(fit:asymptote()))
    else
      items[#items + 1] = ("%s, %s: %s"):format(learner, metric, figures.reason(fit))
    end
  end
  return html.paragraph("Power laws fitted to the curves:") .. html.list(items)
end

local function crossing(curve, learners, metric)
  if #learners ~= 2 then return "" end
  local ok, found = pcall(curve.crossing, curve, learners[1], learners[2], { metric = metric })
  return ok and not found.undefined and html.paragraph(tostring(found)) or ""
end

local size_columns = { head "learner", column "metric", number("rows", "size"), number "mean", number "low",
  number "high", number "sd", number "median", number "trials", number("with a score", "defined") }

function studies.learning_curve(page, curve)
  local rows, out = curve:summary(), {}
  local learners = subject.distinct(rows, "learner")
  for _, metric in ipairs(subject.distinct(rows, "metric")) do
    local text, problem = figures.draw(page, "learning_curve", curve, { metric = metric },
      ("Learning curve by %s"):format(metric), "medium")
    out[#out + 1] = text or html.paragraph(("No picture of %s: %s"):format(metric, problem), "note")
    out[#out + 1] = laws(curve, learners, metric) .. crossing(curve, learners, metric)
  end
  out[#out + 1] = html.details("Mean of every size, with its 95 % interval",
    html.table("Scores by training rows", size_columns, rows, { sortable = true }))
  return table.concat(out) .. html.list(curve:notes(), "note") .. failed_fits(curve)
    .. page:csv_link(curve, "learning-curve.csv", "all scores as CSV")
end

-- Splits without a score, by value and reason.
local function undefined_table(rows)
  local list = {}
  for _, row in ipairs(rows) do
    if row.undefined then
      list[#list + 1] = { learner = parameter_axis.text(row.value), message = row.undefined,
        repeat_ = row.repeat_, fold = row.fold }
    end
  end
  if #list == 0 then return "" end
  return failures.table("Splits without a score", list, { "learner", "message" }, {
    head("value", "learner"), { title = "reason", key = "message", html = true }, number("splits", "count"),
    column("where (repeat.fold)", "places"),
  })
end

local value_columns = { head "value", column "metric", number "mean", number "sd",
  number("training mean", "train_mean"), number("training sd", "train_sd"), number "splits",
  number("with a score", "defined") }

function studies.validation_curve(page, curve)
  local rows = curve:summary()
  for _, row in ipairs(rows) do row.value = parameter_axis.text(row.value) end
  return picture(page, "validation_curve", curve, "Validation curve")
    .. html.table("Mean over the splits for each value", value_columns, rows) .. html.list(curve:notes(), "note")
    .. undefined_table(curve:rows()) .. page:csv_link(curve, "validation-curve.csv", "all scores as CSV")
end

-- ---- what scores and errors consist of -----------------------------------------------------------------------

-- What the methods of cf.bias_variance call the parts: field of a row -> heading and columns.
local methods = {
  { key = "kohavi_wolpert", title = "Kohavi and Wolpert: error = bias^2 + variance",
    number("bias^2", "squared_bias"), number "variance" },
  { key = "domingos", title = "Domingos: error = bias + net variance, net = unbiased - biased",
    number "bias", number "net", number "unbiased", number "biased" },
}

-- Of the squared loss the parts stand in the row itself.
local squared = { title = "error = bias^2 + variance", number("bias^2", "squared_bias"), number "variance" }

local function parts_table(method, rows)
  local columns, list = { head "learner", number "error" }, {}
  table.move(method, 1, #method, #columns + 1, columns)
  columns[#columns + 1] = number "training sets"
  columns[#columns + 1] = column "undefined"
  for i, row in ipairs(rows) do
    local parts = method.key and (row[method.key] or {}) or row
    list[i] = { learner = row.learner, error = row.error, undefined = row.undefined,
      ["training sets"] = row.training_sets == row.rounds and tostring(row.rounds)
        or ("%d of %d"):format(row.training_sets, row.rounds) }
    for _, part in ipairs(method) do
      local key = part.key or part.title
      list[i][key] = parts[key]
    end
  end
  return html.table(method.title, columns, list, { sortable = true })
end

local function parts_tables(rows)
  if rows[1] and rows[1].loss == "squared" then return parts_table(squared, rows) end
  local out = {}
  for _, method in ipairs(methods) do
    local any = false
    for _, row in ipairs(rows) do any = any or row[method.key] ~= nil end
    if any then out[#out + 1] = parts_table(method, rows) end
  end
  return table.concat(out)
end

function studies.bias_variance(page, found)
  return html.paragraph((tostring(found):match("^[^\n]*")))
    .. picture(page, "bias_variance", found, "Bias and variance") .. parts_tables(found:rows())
    .. failed_fits(found) .. page:csv_link(found, "bias-variance.csv")
end

local bootstrap_notes = {
  ["632+"] = "The weight of the out-of-bag error grows from 0.632 to 1 with the overfitting (Efron and "
    .. "Tibshirani 1997).",
  ["632"] = "The weight of the out-of-bag error is 0.632 (Efron 1983); with a learner that memorizes its "
    .. "training rows the estimate is too low.",
}

function studies.bootstrap_632(page, found)
  local facts = { { "rows out of bag at least once", ("%d of %d"):format(found.rows_used, found.rows) } }
  return only_row(found) .. html.facts(facts) .. html.paragraph(bootstrap_notes[found.method] or "", "note")
    .. page:csv_link(found, "bootstrap.csv")
end

function studies.repeat_until(page, found)
  return only_row(found) .. html.paragraph(found:sentence()) .. page:csv_link(found, "repeats.csv")
end

local function ledger_table(found, i)
  local names, rows = found:shown(i)
  local columns = {}
  for c, name in ipairs(names) do columns[c] = name == "source" and head(name) or number(name) end
  return html.table(found.ledgers[i].name, columns, rows)
end

function studies.variance(page, found)
  local out = { html.paragraph(found:title()), picture(page, "variance", found, "Sources of variance") }
  for i, ledger in ipairs(found.ledgers) do
    if not ledger.undefined then out[#out + 1] = ledger_table(found, i) end
  end
  for line in found:sentence():gmatch("[^\n]+") do out[#out + 1] = html.paragraph(line) end
  out[#out + 1] = html.paragraph("Components of a nested analysis of variance: the mean variance that a source adds "
    .. "when the sources before it are given, with interactions in the later source. The intervals assume normal "
    .. "effects.", "note")
  return table.concat(out) .. page:csv_link(found, "variance.csv")
end

-- ---- parts of the rows ---------------------------------------------------------------------------------------

local subgroup_texts = { level = true, test = true, undefined = true, interval_undefined = true, p_undefined = true }

function studies.subgroups(page, found)
  local columns = {}
  for i, name in ipairs(found:shown()) do
    columns[i] = { title = (name:gsub("_", " ")), key = name, number = not subgroup_texts[name],
      head = name == "level" }
  end
  return '<div class="answer">' .. html.paragraph(found:sentence()) .. "</div>\n"
    .. picture(page, "subgroups", found, found:title()) .. html.table(found:title(), columns, found:rows())
    .. page:csv_link(found, "subgroups.csv")
end

local soak_columns = { head "learner", column "metric", head "subset", number "rows", number "same", number "other",
  number "all", column("compared", "training"), number "difference", number "interval",
  number("p adjusted", "p_adjusted"), column "verdict" }

function studies.soak(page, found)
  local rows = found:rows()
  for _, row in ipairs(rows) do
    row.interval = row.low and ("%s to %s"):format(html.number(row.low), html.number(row.high)) or ""
    row.training = row.compared == "all" and "all - same" or "other - same"
  end
  local out = { html.list(found:sentences()), html.table(
    ("Mean scores on each subset of '%s' after training on the same, on other and on all"):format(found.column),
    soak_columns, rows, { sortable = true }) }
  local worst = found:worst()
  if #worst > 0 then
    out[#out + 1] = html.table("The worst subset of each kind of training set", { head "learner", column "metric",
      column("trained on", "train"), column "subset", number("mean", "value") }, worst)
  end
  return table.concat(out) .. html.list(found:notes(), "note") .. page:csv_link(found, "soak.csv")
end

-- ---- audits, and what they ask beyond leaks ------------------------------------------------------------------

local most_columns, most_old_rows = 50, 30

function studies.adversarial_validation(page, found)
  local out = { html.paragraph(found:sentence()), html.facts {
    { "old rows", tostring(found.rows_old) }, { "new rows", tostring(found.rows_new) },
    { "area under the ROC curve", html.number(found.auc) },
    { "p by permutations", html.number(found.p) }, { "fits", tostring(found.fits) },
  } }
  local columns = contents.first(found:columns(), most_columns)
  if #columns > 0 then
    out[#out + 1] = html.table("Columns alone, the one that separates old and new rows best first", {
      head "column", number("area", "auc"), number("mean, old", "mean_old"), number("mean, new", "mean_new"),
      number("missing, old", "missing_old"), number("missing, new", "missing_new"),
    }, columns, { sortable = true })
  end
  out[#out + 1] = html.details("Old rows that look most like new ones", html.table(
    "Old rows by the probability of being new, from a model that was not fitted with them",
    { { title = "row", head = true, number = true }, number "probability" },
    (contents.first(found:old_rows(), most_old_rows))))
  return table.concat(out) .. html.list(found:notes(), "note")
    .. page:csv_link(found, "columns.csv", "all columns as CSV")
end

local most_issues, most_pairs = 100, 30

function studies.label_issues(page, found)
  local rows, more = contents.first(found:rows(), most_issues)
  local out = { html.paragraph(found:sentence()) }
  local pairs_ = contents.first(found:pairs(), most_pairs)
  if #pairs_ > 0 then
    out[#out + 1] = html.table("Labels that are estimated to be of another class", {
      column "label", column("likely class", "likely"),
      { title = "rows", key = "wrong", number = true, decimals = 1 }, number("share of the label", "share"),
    }, pairs_, { sortable = true })
  end
  if #rows > 0 then
    out[#out + 1] = html.table("Rows whose label looks wrong, the most suspicious first", {
      { title = "row", number = true, head = true }, column "label", column("likely class", "likely"),
      number("probability of the label", "self_confidence"), number("of the likely class", "probability"),
      number "margin",
    }, rows, { sortable = true })
  end
  if more > 0 then
    out[#out + 1] = html.paragraph(("The first %d of %d rows; the CSV file has all."):format(#rows, #rows + more),
      "note")
  end
  return table.concat(out) .. html.list(found:notes(), "note")
    .. page:csv_link(found, "label_issues.csv", "all rows as CSV")
end

local function finding_table(found)
  local rows = found:findings()
  if #rows == 0 then return "" end
  for _, row in ipairs(rows) do
    row.place = row.fold and ("repeat %d, fold %d"):format(row.repeat_, row.fold) or nil
    row.waived = row.waived and "waived" or nil
  end
  return html.table("Findings, leaks first", { head "severity", column "kind", column("finding", "message"),
    column "learner", column "stage", column "rows", column("first split", "place"), column "waived" }, rows)
end

function studies.audit(page, found)
  local printed, checked, other = tostring(found), {}, {}  -- what it is of, ..., what was found
  local out = { html.paragraph(("%s: %s."):format(printed:match("^[^\n]*"), printed:match("[^\n]*$"))),
    finding_table(found) }
  for _, row in ipairs(found:checks()) do
    local name = row.subject and ("%s of %s"):format(row.check, row.subject) or row.check
    if row.skipped then
      other[#other + 1] = ("skipped: %s: %s"):format(name, row.skipped)
    else
      checked[#checked + 1] = name
    end
  end
  for _, row in ipairs(found:unseen()) do
    other[#other + 1] = ("not looked for: %s; %s"):format(row.what, row.instead)
  end
  if #checked > 0 then out[#out + 1] = html.paragraph("Checked: " .. table.concat(checked, ", ") .. ".", "note") end
  return table.concat(out) .. html.list(other, "note") .. page:csv_link(found, "audit.csv", "findings as CSV")
end

return studies
