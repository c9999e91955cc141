local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestReforms = {}

-- Item -> what the checklist of a report says of it; nil for a blank.
local function checklist(page)
  local answers, blank = {}, {}
  local from = page:find("REFORMS checklist</caption>", 1, true)
  for row in page:sub(from):gmatch("<tr>(.-)</tr>") do
    local item = row:match('<th scope="row"[^>]*>(%d%a)</th>')
    if item then
      local answer = row:match(".*<td[^>]*>(.-)</td>$")
      if answer:find('class="blank"', 1, true) then
        blank[item] = true
      else
        answers[item] = answer
      end
    end
  end
  return answers, blank
end

local function report(learners)
  return cf.evaluate { data = fixtures.iris(), learners = learners,
    splitter = cf.splitter("kfold", { folds = 5, stratify = true }), metrics = { "accuracy" }, seed = 11 }:report()
end

function TestReforms:test_what_the_result_knows_is_filled_in()
  local answers = checklist(report { bayes = "naive_bayes", floor = "featureless" })
  lu.assertStrContains(answers["2a"], "SHA-256 of the content " .. fixtures.iris():hash())
  lu.assertStrContains(answers["2b"], "crossfold.naive_bayes ")
  lu.assertEquals(answers["3e"], "150 rows, 4 features")
  lu.assertEquals(answers["3f"], "no entry is missing")
  lu.assertEquals(answers["5c"], "kfold{folds=5,stratify=true}, seed 11; all scores are of rows that the model was "
    .. "not fitted on")
  lu.assertEquals(answers["5f"], "&#39;floor&#39; predicts without features; see Scores")
  lu.assertStrContains(answers["7b"], "95 % intervals of accuracy: bayes 0.8")
  lu.assertEquals(answers["7c"], "corrected resampled t; see Comparison")
end

function TestReforms:test_what_only_the_authors_know_stays_blank()
  local page = report { bayes = "naive_bayes", floor = "featureless" }
  local answers, blank = checklist(page)
  local n_answers, n_blank = 0, 0
  for _ in pairs(answers) do n_answers = n_answers + 1 end
  for _ in pairs(blank) do n_blank = n_blank + 1 end
  lu.assertEquals(n_answers + n_blank, 32)
  lu.assertStrContains(page, ("%d of the 32 items of REFORMS"):format(n_answers))
  for _, item in ipairs { "1a", "1b", "1c", "2d", "3a", "3g", "6c", "8a", "8b" } do lu.assertTrue(blank[item], item) end
end

function TestReforms:test_a_report_without_a_baseline_or_tests_says_nothing_of_them()
  local _, blank = checklist(report { bayes = "naive_bayes" })
  lu.assertTrue(blank["5f"])
  lu.assertTrue(blank["7c"])
end

function TestReforms:test_a_choice_inside_an_ensemble_is_left_to_the_authors()
  local search = cf.grid_search { learner = "knn", grid = { k = { 1, 3 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }) }
  local _, blank = checklist(report { voting = cf.voting { learners = { search, cf.learner("naive_bayes") } } })
  lu.assertTrue(blank["5e"])
  lu.assertTrue(blank["4c"])
  lu.assertEquals(checklist(report { bayes = "naive_bayes" })["5e"], "no setting was searched")
end

function TestReforms:test_searches_and_transforms_are_named()
  local knn = cf.pipeline { cf.transform("standardize"), cf.learner("knn") }
  local search = cf.grid_search { learner = knn, grid = { k = { 1, 3 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }) }
  local answers = checklist(report { tuned = search, bayes = "naive_bayes" })
  lu.assertEquals(answers["5e"], "&#39;tuned&#39; chose inside the training rows of each split; see Tuning")
  lu.assertStrContains(answers["4c"], "tuned = grid_search{")
end
