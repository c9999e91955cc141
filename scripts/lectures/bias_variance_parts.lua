-- Is a learner wrong because it is always wrong (bias), or because its models disagree (variance)?
-- Five models of five training sets predict the same six rows; a third class makes one of the rows
-- tricky. Two ways to split the error, of Domingos and of Kohavi and Wolpert: the parts of each add up
-- to the error exactly.
local cf = require "crossfold"

local parts = cf.stats.bias_variance {
  truth = { 0, 1, 1, 2, 0, 2 },
  predictions = {
    { 0, 1, 0, 2, 1, 0 },
    { 0, 1, 1, 2, 1, 1 },
    { 0, 0, 0, 2, 0, 2 },
    { 0, 1, 0, 1, 1, 2 },
    { 1, 1, 0, 2, 0, 1 },
  },
}

-- Each row: what most models say (ties go to the lowest class), whether that is wrong, how many models
-- say otherwise, and what that costs. On a row where the majority is wrong, a model that disagrees may
-- be right: the cost is negative. In row 6 two of the three that disagree are.
print("row  main  biased  variance  net    error  squared bias  spread")
for i, row in ipairs(parts.per_row) do
  print(("%-4d %-5s %-7s %-9.1f %-6.1f %-6.1f %-13.2f %.2f"):format(i, row.main,
    row.biased and "yes" or "no", row.variance, row.net_variance, row.error, row.squared_bias,
    row.spread))
end

local function show(name, ...)
  local texts = {}
  for i, number in ipairs { ... } do texts[i] = ("%.6f"):format(number) end
  print(("%-42s %s"):format(name, table.concat(texts, "  ")))
end

print()
show("error", parts.error)
local d = parts.domingos
show("Domingos: bias, net variance, sum", d.bias, d.net, d.bias + d.net)
show("  variance that costs, variance that helps", d.unbiased, d.biased)
local k = parts.kohavi_wolpert
show("Kohavi-Wolpert: bias^2, variance, sum", k.squared_bias, k.variance,
  k.squared_bias + k.variance)

-- Five models make the spread look too small and the bias too large. Both must be corrected by the same
-- amount: correct one alone, and the parts no longer add up.
local u = parts.kohavi_wolpert_unbiased
show("  without the bias of few models", u.squared_bias, u.variance, u.squared_bias + u.variance)
