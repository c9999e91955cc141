-- Says how the learners compare over several datasets, in a sentence.
local comparison_summary = require "crossfold.compare.summary"
local number_text = require "crossfold.text.number_text"
local posterior = require "crossfold.compare.posterior"

local over_sentence = {}

local number, p_text = number_text.fixed, number_text.p

-- The posterior over the datasets for two learners.
local function over_rope_text(found, over)
  local row = over.bayes and over.bayes[1]
  return row and " " .. posterior.sentence(row, found.c.options.bayes) or ""
end

local function signed_rank_sentence(found, over)
  local alpha = found.c.options.alpha
  if not over.p then
    return ("The datasets give no test: %s."):format(over.undefined) .. over_rope_text(found, over)
  end
  return ("Over %d datasets %s between '%s' and '%s' (median difference %s; %s, %s)."):format(
    over.datasets, over.p < alpha and "there is a difference" or "no difference was shown", over.a,
    over.b, number(over.median), over.test, p_text(over.p)) .. over_rope_text(found, over)
end

-- The pairs that differ by the post hoc test: Friedman's test only shows that some learners differ.
local function post_hoc_sentence(found, friedman, alpha)
  if found.pairs_.is_large then return comparison_summary.told_apart(friedman) end
  local pairs_, test = friedman.nemenyi, "Nemenyi"
  if friedman.bonferroni_dunn then pairs_, test = friedman.bonferroni_dunn, "Bonferroni-Dunn" end
  local ranks, apart = {}, {}
  for i, name in ipairs(friedman.learners) do ranks[name] = friedman.average_ranks[i] end
  for _, pair in ipairs(pairs_ or {}) do
    if pair.p and pair.p < alpha then
      local first_leads = ranks[pair.first] < ranks[pair.second]
      apart[#apart + 1] = ("'%s' from '%s'"):format(first_leads and pair.first or pair.second,
        first_leads and pair.second or pair.first)
    end
  end
  if not pairs_ then return "" end
  if #apart == 0 then return (" The ranks separate no pair (%s)."):format(test) end
  local rest = #apart < #pairs_ and ", and no other pair" or ""
  return (" The ranks separate, the better one first: %s%s (%s)."):format(table.concat(apart, ", "), rest, test)
end

local function friedman_sentence(found, over)
  local alpha = found.c.options.alpha
  if not over.p then return ("The datasets give no test: %s."):format(over.undefined) end
  return ("Over %d datasets %s among the learners (%s = %s, %s)."):format(over.datasets,
    over.p < alpha and "there are differences" or "no difference was shown", over.test,
    number(over.statistic, 2), p_text(over.p))
    .. (over.p < alpha and post_hoc_sentence(found, over.friedman, alpha) or "")
end

-- The sentence of a comparison over several datasets.
function over_sentence.of(found)
  local over = found:over()
  return over.friedman and friedman_sentence(found, over) or signed_rank_sentence(found, over)
end

return over_sentence
