-- plot.bias_variance(result, { method = }): the parts of the error of each learner.
local figure = require "crossfold.plot.figure"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"

local bias_variance = { options = {
  method = { "string", names = { "kohavi_wolpert", "domingos", "squared" },
    doc = "The decomposition; default the first one that there is." },
} }

-- Names of the parts by method, and their keys.
local parts = {
  squared = { { "squared bias", "squared_bias" }, { "variance", "variance" } },
  kohavi_wolpert = { { "squared bias", "squared_bias" }, { "variance", "variance" } },
  domingos = { { "bias", "bias" }, { "net variance", "net" } },
}

local notes = {
  squared = "Squared loss: error = squared bias + variance (with the noise in the bias).",
  kohavi_wolpert = "Zero-one loss by Kohavi and Wolpert 1996: error = squared bias + variance.",
  domingos = "Zero-one loss by Domingos 2000: error = bias + net variance, which may be negative.",
}

local function method_of(rows, wanted)
  local has = {}
  for _, row in ipairs(rows) do
    if row.squared_bias then has.squared = true end
    for _, name in ipairs { "kohavi_wolpert", "domingos" } do has[name] = has[name] or row[name] ~= nil end
  end
  local known = {}
  for _, name in ipairs { "kohavi_wolpert", "domingos", "squared" } do
    if has[name] then known[#known + 1] = name end
  end
  if #known == 0 then
    subject.fail("bias_variance", "every fit failed", "look at result:failures()")
  end
  return subject.choose("bias_variance", "method", known, wanted)
end

function bias_variance.build(result, o)
  subject.check(result, "a result of cf.bias_variance", "bias_variance")
  local rows = result:rows()
  local method = method_of(rows, o.method)
  local names, data, missing, layers = {}, {}, {}, {}
  for i, row in ipairs(rows) do
    names[i], data[i] = row.learner, { learner = row.learner, method = method, error = row.error,
      undefined = row.undefined }
    if row.undefined then missing[#missing + 1] = ("%s: %s."):format(row.learner, row.undefined) end
  end
  for p, part in ipairs(parts[method]) do
    local points = {}
    for i, row in ipairs(rows) do
      local of_method = method == "squared" and row or row[method] or {}
      data[i][part[2]] = of_method[part[2]]
      points[i] = { x = of_method[part[2]], y = i + (p == 1 and -0.16 or 0.16), size = 0.5,
        label = ("%s, %s: %s"):format(row.learner, part[1], scale.text(of_method[part[2]])) }
    end
    layers[p] = { mark = "bars", series = part[1], points = points }
  end
  local errors = {}
  for i, row in ipairs(rows) do
    errors[i] = { x = row.error, y = i, label = ("%s, error: %s"):format(row.learner, scale.text(row.error)) }
  end
  layers[3] = { mark = "points", series = "error", points = errors }
  return figure.new {
    kind = "bias_variance", title = "Bias and variance",
    note = notes[method] .. (#missing > 0 and " " .. table.concat(missing, " ") or ""),
    x = { label = "loss" }, y = { scale = "category", categories = names }, layers = layers,
    columns = { "learner", "method", "error", parts[method][1][2], parts[method][2][2], "undefined" },
    rows = data,
  }
end

return bias_variance
