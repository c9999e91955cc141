-- cf.stats: tests, intervals and fits over plain numbers, without any experiment. The functions are
-- in the modules below; each takes one table of named options or a list of numbers, and returns a table
-- with named figures. A figure that does not exist is nil, and `undefined` says why.
local first_use = require "crossfold.first_use"
local options = require "crossfold.options"
local printable = require "crossfold.stats.table"

local modules = {
  bias_variance = { "bias_variance" },
  bootstrap = { "bootstrap_632", "bootstrap_interval", "no_information_error", "out_of_bag_error" },
  paired = {
    "accuracy_interval", "adjust_p", "bayes_correlated_t", "bayes_hierarchical", "bayes_signed_rank", "cochran_q",
    "corrected_t", "five_by_two", "mcnemar", "paired_t", "sign_test", "two_proportions", "wilcoxon",
  },
  power = { "detectable_difference", "power", "rows_needed" },
  power_law = { "power_law" },
  ranks = { "critical_difference", "friedman" },
  sequential = { "normal_mixture_boundary", "proportion_sequence", "sequential_mean" },
  variance = { "betting_interval", "variance_components" },
}

local stats = {}
for module, names in pairs(modules) do
  for _, name in ipairs(names) do stats[name] = printable(first_use.call("crossfold.stats." .. module, name)) end
end

return options.public(stats, options.sorted_keys(stats))
