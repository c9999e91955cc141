-- Writes the section on bias and variance of each learner.
local failures = require "crossfold.report.failures"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"

local bias_variance = {}

-- What the methods of the result call the parts: field of a row -> heading and columns.
local methods = {
  { key = "kohavi_wolpert", title = "Kohavi and Wolpert: error = bias^2 + variance",
    { "bias^2", "squared_bias" }, { "variance", "variance" } },
  { key = "domingos", title = "Domingos: error = bias + net variance, net = unbiased - biased",
    { "bias", "bias" }, { "net", "net" }, { "unbiased", "unbiased" }, { "biased", "biased" } },
}

-- Of the squared loss the parts stand in the row itself.
local squared = { title = "error = bias^2 + variance", { "bias^2", "squared_bias" },
  { "variance", "variance" } }

local function parts_table(method, rows)
  local columns = { { title = "learner", head = true }, { title = "error", number = true } }
  local list = {}
  for _, part in ipairs(method) do
    columns[#columns + 1] = { title = part[1], key = part[2], number = true }
  end
  columns[#columns + 1] = { title = "training sets", number = true }
  columns[#columns + 1] = { title = "undefined" }
  for i, row in ipairs(rows) do
    local parts = method.key and (row[method.key] or {}) or row
    list[i] = { learner = row.learner, error = row.error, undefined = row.undefined,
      ["training sets"] = row.training_sets == row.rounds and tostring(row.rounds)
        or ("%d of %d"):format(row.training_sets, row.rounds) }
    for _, part in ipairs(method) do list[i][part[2]] = parts[part[2]] end
  end
  return html.table(method.title, columns, list, { sortable = true })
end

local function tables(rows)
  if rows[1] and rows[1].loss == "squared" then return parts_table(squared, rows) end
  local out = {}
  for _, method in ipairs(methods) do
    local any = false
    for _, row in ipairs(rows) do any = any or row[method.key] ~= nil end
    if any then out[#out + 1] = parts_table(method, rows) end
  end
  return table.concat(out)
end

function bias_variance.write(page, found)
  local rows = found:rows()
  local text, problem = figures.draw(page, "bias_variance", found, {}, "Bias and variance", "medium")
  local out = {
    html.paragraph((tostring(found):match("^[^\n]*"))),
    text or html.paragraph(("No picture: %s"):format(problem), "note"), tables(rows),
  }
  local failed = found:failures()
  if #failed > 0 then
    out[#out + 1] = failures.table("Failures", failed, { "learner", "stage", "message" }, {
      { title = "learner", head = true }, { title = "stage" }, { title = "message", html = true },
      { title = "fits", key = "count", number = true },
    })
  end
  local link = page:download("as CSV", "bias-variance.csv", "text/csv;charset=utf-8",
    found:to { csv = true })
  if link ~= "" then out[#out + 1] = ('<p class="links">%s</p>\n'):format(link) end
  return table.concat(out)
end

return bias_variance
