-- What intervals and sets of cf.conformal promise, as a number and in words. The sources are in
-- core/include/crossfold/conformal.h; docs/conformal.md has the argument for minmax with folds.
--
-- `facts` = { method =, folds = K, units = n (rows or groups), unit = "row" or "group", equal = whether all folds
-- have as many units, dependent = whether the folds may depend on the target or the features, weighted = whether the
-- rows have weights }.
local native = require "crossfold.native"

local guarantee = {}

local names = {
  jackknife_plus = "jackknife+", cv_plus = "CV+", cv_minmax = "CV-minmax", aps = "APS",
}

-- The probability with which a new row is covered, whatever the learner and the distribution; or nil and why nothing
-- is proved.
function guarantee.bound(facts, coverage)
  local a, k, n = 1 - coverage, facts.folds, facts.units
  if facts.dependent then
    return nil, "the proofs are for folds that do not depend on the target or the features, such as kfold without "
      .. "stratify"
  end
  if facts.unit == "group" then
    if facts.method == "aps" or k < n then
      return nil, "the proof for groups is for intervals with one group in a fold"
    end
    return 1 - 2 * a  -- Lee, Barber and Willett; minmax intervals contain those of CV+
  end
  local in_fold = n / k
  local excess = math.min(2 * (1 - 1 / k) / (in_fold + 1), (1 - k / n) / (k + 1))
  local plus = 1 - 2 * a - excess  -- Barber et al. for CV+; Romano et al. for sets
  if facts.method ~= "cv_minmax" then return plus end
  return math.max(plus, 1 - (a * (n + 1) + in_fold - 1) / (n + in_fold))
end

-- The option `coverage` of `what`, which may be nil, checked.
function guarantee.check_coverage(what, coverage)
  if coverage == nil or (coverage > 0 and coverage < 1) then return coverage end
  native.fail("%s: coverage = %s is out of range; use a share above 0 and below 1, as 0.9", what,
    native.format_number(coverage))
end

-- How many rows or groups finite intervals need.
function guarantee.units_needed(coverage)
  return math.ceil(coverage / (1 - coverage) - 1e-9)
end

local function count(n, unit) return ("%d %s%s"):format(n, unit, n == 1 and "" or "s") end

-- Never more than is proved.
local function rounded_down(x) return native.format_number(math.floor(x * 1000 + 1e-6) / 1000) end

local function promise(facts, coverage)
  local new = facts.unit == "group" and "row of a new group" or "new row"
  local bound, reason = guarantee.bound(facts, coverage)
  local practice = ("%s%s in practice"):format(facts.method == "cv_minmax" and "at least " or "about ",
    native.format_number(coverage))
  if not bound then return ("Nothing is guaranteed (%s); %s."):format(reason, practice) end
  if bound <= 0 then
    return ("Nothing is guaranteed (with %s the bound is below 0); %s."):format(count(facts.units, facts.unit),
      practice)
  end
  return ("A %s is covered with a probability of at least %s for any learner and distribution%s; %s."):format(new,
    rounded_down(bound), facts.equal and "" or " (proved for folds of one size, these differ)", practice)
end

-- Sentences for people.
function guarantee.text(facts, coverage)
  local kind = facts.method == "aps" and "sets" or "intervals"
  local text = ("%s%% %s by %s, from %s in %s. %s That is for the average over rows that are exchangeable with the "
    .. "training rows (no drift, no order in time)%s."):format(native.format_number(100 * coverage), kind,
    names[facts.method], count(facts.units, facts.unit), count(facts.folds, "fold"), promise(facts, coverage),
    facts.unit == "group" and ", and of groups that these do not have" or "")
  if facts.weighted then text = text .. " Every row counts once, whatever its weight." end
  local needed = guarantee.units_needed(coverage)
  if needed > facts.units then
    text = ("%s %s: coverage %s needs at least %s, there are %d."):format(text,
      kind == "sets" and "Every set has all classes" or "The intervals are infinite",
      native.format_number(coverage), count(needed, facts.unit), facts.units)
  end
  return text
end

return guarantee
