-- Summarizes a comparison of many pairs: the best learners, their pairs, and how to get the others.
local native = require "crossfold.native"
local number_text = require "crossfold.text.number_text"
local posterior = require "crossfold.compare.posterior"

local comparison_summary = {}

-- Maximum number of learners shown.
comparison_summary.most_learners = 20

-- The first of the ranking; { learner, rank, ... } as comparison:ranking has it.
function comparison_summary.first(found)
  local ranking = found:ranking()
  return table.move(ranking, 1, math.min(#ranking, comparison_summary.most_learners), 1, {})
end

-- How many pairs have average ranks further apart than the critical difference; with a control, how many learners
-- differ from it.
function comparison_summary.told_apart(friedman)
  local ranks, apart = friedman.average_ranks, 0
  if friedman.bonferroni_dunn then
    for _, pair in ipairs(friedman.bonferroni_dunn) do apart = apart + (pair.p < friedman.alpha and 1 or 0) end
    return (" The ranks separate %d of %d learners from the control (Bonferroni-Dunn)."):format(apart,
      #friedman.bonferroni_dunn)
  end
  for i = 1, #ranks do
    for j = i + 1, #ranks do
      if math.abs(ranks[i] - ranks[j]) >= friedman.critical_difference then apart = apart + 1 end
    end
  end
  return (" The ranks separate %d of %d pairs (Nemenyi)."):format(apart, #ranks * (#ranks - 1) // 2)
end

local function places_of(found)
  local places = {}
  for i, name in ipairs(found.c.learners) do places[name] = i end
  return places
end

-- How often learner i was better, worse, neither, and without a test, than learner j (places), over the datasets.
local function outcomes(found, i, j)
  local all, counts = found.pairs_, { wins = 0, ties = 0, losses = 0, undefined = 0 }
  for d in ipairs(found.c.datasets) do
    local k = all:number_of(d, i, j)
    if not k then return nil end
    local outcome, _, pair = all:outcome(k), all:place_of(k)
    if outcome == "a" or outcome == "b" then
      outcome = (all.first[pair] == i) == (outcome == "a") and "wins" or "losses"
    elseif outcome == "tie" then
      outcome = "ties"
    end
    counts[outcome] = counts[outcome] + 1
  end
  return counts
end

local signs = { wins = "+", losses = "-", ties = ".", undefined = "?" }

-- The cell of learner i against j: a sign, or with several datasets wins and losses.
local function cell(found, i, j)
  local counts = i ~= j and outcomes(found, i, j)
  if not counts then return "" end
  if #found.c.datasets > 1 then return ("%d:%d"):format(counts.wins, counts.losses) end
  for outcome, n in pairs(counts) do
    if n > 0 then return signs[outcome] end
  end
end

-- Columns, rows and the meaning of a cell of the matrix of the first learners.
function comparison_summary.matrix(found)
  local first, places, columns, rows = comparison_summary.first(found), places_of(found), { "place", "learner" }, {}
  for i, row in ipairs(first) do
    columns[#columns + 1] = tostring(i)
    rows[i] = { place = i, learner = row.learner }
    for j, other in ipairs(first) do
      rows[i][tostring(j)] = cell(found, places[row.learner], places[other.learner])
    end
  end
  return columns, rows, #found.c.datasets > 1
    and "on how many datasets the learner of the row is better : worse than that of the column"
    or "the learner of the row is better (+), worse (-), neither (.) than that of the column, or not compared (?)"
end

-- The first of the ranking against each of the others shown, over the datasets, with the probabilities of the
-- Bayesian test where there is a rope.
function comparison_summary.of_best(found)
  local first, places, rows = comparison_summary.first(found), places_of(found), {}
  local a, bayes = first[1].learner, found:over() and found:over().bayes
  for i = 2, #first do
    local b = first[i].learner
    local counts = outcomes(found, places[a], places[b])
    if counts then
      local row = { a = a, b = b, wins = counts.wins, ties = counts.ties, losses = counts.losses,
        undefined = counts.undefined }
      local of_pair = bayes and bayes[found.pairs_:number_of(1, places[a], places[b])]
      for key, text in pairs(of_pair and posterior.cells(of_pair, a, b) or {}) do row[key] = text end
      rows[#rows + 1] = row
    end
  end
  local columns = { "a", "b", "wins", "ties", "losses", "undefined" }
  if bayes then table.move({ "a worse", "alike", "a better" }, 1, 3, #columns + 1, columns) end
  return columns, rows
end

-- What is not shown, and how to get it.
function comparison_summary.left_out(found)
  local n = #found.c.learners
  return ("shown are the first %d of %d learners; comparison:ranking() has all, comparison:rows{ learner = "
    .. "\"%s\" } the pairs of one, comparison:to{ csv = path } all %d pairs"):format(
      math.min(n, comparison_summary.most_learners), n, found.c.learners[1], found.pairs_.n)
end

local function ranking_table(found)
  local columns = { "rank", "learner", "mean", "wins", "ties", "losses", "undefined" }
  local rows, counts = comparison_summary.first(found), {}
  for _, row in ipairs(found:win_tie_loss()) do counts[row.learner] = row end
  for _, row in ipairs(rows) do
    row["average rank"] = row.average_rank
    row.ties, row.undefined = counts[row.learner].ties, counts[row.learner].undefined
  end
  if rows[1].average_rank then table.insert(columns, 3, "average rank") end
  return native.table_text(columns, rows)
end

-- The critical difference of average ranks.
local function critical_difference(found)
  local friedman = found:over() and found:over().friedman
  if not (friedman and friedman.critical_difference) then return "" end
  return ("\ncritical difference of average ranks (Nemenyi, alpha = %s): %s"):format(
    number_text.chosen(friedman.alpha, 2), number_text.fixed(friedman.critical_difference))
end

-- The pairs of the first of the ranking with the others shown; with a control, its pairs with them.
local function pair_table(found, rows_text)
  local first, names = comparison_summary.first(found), {}
  for i, row in ipairs(first) do names[i] = row.learner end
  local one = found.c.options.control or names[1]
  if #found.c.datasets == 1 or found.c.options.control then
    local title = ("Pairs of '%s' with these: a - b\n"):format(one)
    return title .. rows_text { learner = one, learners = names }
  end
  local columns, rows = comparison_summary.of_best(found)
  return ("'%s' (a) against these, over the datasets\n"):format(one) .. native.table_text(columns, rows)
end

-- The text of print, without notes. rows_text(options) gives the table of the rows that the options choose.
function comparison_summary.text(found, rows_text)
  local first = found.pairs_:row(1)
  local parts = { ("%s, %s: %d learners, %d pairs\n"):format(found.c.title, first.test, #found.c.learners,
    found.pairs_.n) .. ranking_table(found) .. critical_difference(found) }
  parts[2] = pair_table(found, rows_text)
  if not found.c.options.control then
    local columns, rows, meaning = comparison_summary.matrix(found)
    parts[3] = meaning .. "\n" .. native.table_text(columns, rows)
  end
  return table.concat(parts, "\n\n")
end

return comparison_summary
