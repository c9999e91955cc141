local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"
local findings = require "crossfold.stored.findings"
local html = require "crossfold.report.html"
local native = require "crossfold.native"

TestReport = {}

local function kfold(folds) return cf.splitter("kfold", { folds = folds, stratify = true }) end

local function evaluate(changes)
  return cf.evaluate(fixtures.with({ data = fixtures.iris(), learners = { knn = "knn", floor = "featureless" },
    splitter = kfold(3), metrics = { "accuracy", "log_loss" }, seed = 1 }, changes))
end

-- Headings of the level, in order.
local function headings(page, level)
  local list = {}
  for text in page:gmatch(("<h%d[^>]*>([^<]*)</h%d>"):format(level, level)) do list[#list + 1] = text end
  return list
end

local function count(page, pattern)
  local _, n = page:gsub(pattern, "")
  return n
end

-- What the page says between two headings of level 2; "" if there is no such section.
local function section(page, title)
  local from = page:find((">%s</h2>"):format(title), 1, true)
  if not from then return "" end
  return page:sub(from, page:find("<h2", from, true) or #page)
end

-- Whether a page has a text; a page is too long for the message of a test.
local function says(page, text) lu.assertNotNil(page:find(text, 1, true), "not there: " .. text) end
local function says_not(page, text) lu.assertNil(page:find(text, 1, true), "there: " .. text) end

function TestReport:test_the_sections_come_in_the_order_of_questions_and_absent_ones_have_a_reason()
  local page = evaluate():report { title = "Iris" }
  lu.assertEquals(headings(page, 1), { "Iris" })
  lu.assertEquals(headings(page, 2), { "In short", "Scores", "Fold by fold", "Comparison",
    "Confusion matrices", "Failures", "Times", "Provenance",
    "Checklist for reviewers", "Not shown" })
  local absent = section(page, "Not shown")
  says(absent, "no probabilities were kept; evaluate with keep = &quot;probabilities&quot;")
  says(absent, "Tuning: no learner chooses a setting, or every choice failed")
end

function TestReport:test_kept_probabilities_give_curves()
  local page = evaluate { keep = "probabilities" }:report()
  says(section(page, "Curves"), "&#39;setosa&#39; against the other classes")
  says(section(page, "Curves"), '<svg ')
  says_not(section(page, "Not shown"), "Curves:")
end

function TestReport:test_every_class_has_all_kinds_of_curves()
  local result = evaluate { keep = "probabilities" }
  local curves = section(result:report(), "Curves")
  for _, class in ipairs { "setosa", "versicolor", "virginica" } do
    says(curves, ("<summary>DET, lift and cost curves of &#39;%s&#39;</summary>"):format(class))
    for _, kind in ipairs { "roc", "precision_recall", "calibration", "lift", "cost", "reliability", "decision" } do
      local made = cf.plot[kind](result, { positive = class, learners = { "knn", "floor" } })
      says(curves, html.text(made.title))
    end
    local has_det, why = cf.plot.applicable("det", result, { positive = class })
    says(curves, has_det and "DET curve: class " .. class or "DET: " .. html.text(why:match("^cannot plot det: (.*)$")))
  end
  lu.assertEquals(count(curves, "<details"), 6)
end

function TestReport:test_a_search_has_a_section_about_its_choices()
  local search = cf.grid_search { learner = "knn", grid = { k = { 1, 5 }, weights = { "uniform", "distance" } },
    splitter = kfold(2), metric = "accuracy" }
  local page = evaluate { learners = { tuned = search } }:report()
  local tuning = section(page, "Tuning")
  says(tuning, "What &#39;tuned&#39; chose in each outer fold")
  says(tuning, "The inner mean is optimistic: it made the choice.")
  lu.assertEquals(count(tuning, "<svg "), 2)
  says(tuning, "after correction for the choice (200 bootstrap samples of the inner predictions for each fold)")
  says(tuning, "The score of what &#39;tuned&#39; chose, with and without the optimism of the choice")
end

function TestReport:test_the_answer_is_the_sentence_of_the_comparison()
  local result = evaluate()
  local sentence = cf.compare(result, { metric = "accuracy" }):sentences()[1]
  local page = result:report()
  says(section(page, "In short"), html.text(sentence))
  says(section(page, "In short"), "By accuracy, &#39;knn&#39; has the best mean: ")
  says(section(result:report { metric = "log_loss" }, "In short"), "By log_loss, ")
end

function TestReport:test_a_refused_comparison_is_told_as_it_is()
  local result = evaluate { learners = { knn = "knn" } }
  local page = result:report()
  says(section(page, "In short"), ("The mean accuracy of &#39;knn&#39; on &#39;iris&#39; is %s, over 3 folds.")
    :format(cf.format_number(result:summary()[1].mean, 4)))
  says(section(page, "In short"), "No comparison of learners by accuracy: there is one "
    .. "learner, &#39;knn&#39;; a comparison needs two.")
  says(section(page, "Not shown"), "Comparison: there is one learner, &#39;knn&#39;; a "
    .. "comparison needs two")
end

function TestReport:test_numbers_have_neither_curves_nor_confusion()
  local diabetes = cf.read(fixtures.folder .. "/diabetes_regr.csv", { target = "target" })
  local page = cf.report { cf.evaluate { data = diabetes, learners = { ridge = "ridge",
    floor = "featureless" }, splitter = cf.splitter("kfold", { folds = 4 }), metrics = "rmse" } }
  lu.assertEquals(section(page, "Confusion matrices"), "")
  says(section(page, "Not shown"), "Confusion matrices: ")
  says(section(page, "Not shown"), "Curves: ")
end

function TestReport:test_failures_stand_at_the_top_and_each_message_once()
  local broken = cf.learner { name = "broken", fit = function() error("no <b>fit</b> today", 0) end,
    predict = function() return {} end }
  local page = evaluate { learners = { broken = broken, knn = "knn" } }:report()
  says(section(page, "In short"), "3 folds of 6 failed.")
  local failures = section(page, "Failures")
  lu.assertEquals(count(failures, "no &lt;b&gt;fit&lt;/b&gt; today</span></td>"), 1)
  says(failures, '<td class="n">3</td><td class="k">1.1, 1.2, 1.3</td>')
  says(section(page, "Scores"), "no &lt;b&gt;fit&lt;/b&gt; today")
end

function TestReport:test_means_over_different_folds_are_no_ranking()
  local fragile = cf.learner("debug", { action = "throw_in_predict", when_row = 7 })
  local text = evaluate { learners = { fragile = fragile, floor = "featureless" } }:report()
  says(text, "Not every learner has a score of the same folds, so the order by means may be that "
    .. "of the folds; a pair of learners is compared on the folds that both have.")
  says_not(evaluate():report(), "Not every learner has a score")
end

function TestReport:test_what_is_undefined_is_no_number_and_has_its_reason()
  local page = evaluate { learners = { floor = "featureless" },
    metrics = cf.metric("precision", { average = "macro" }) }:report()
  local scores = section(page, "Scores")
  says(scores, "undefined <small")
  says(scores, "Undefined in some or all folds, and the first reason:")
  says_not(scores, "<b>0")
end

local hostile = {
  "<script>alert(1)</script>", "</script></style></title><h1>", '" onmouseover="x', "it's & <b>",
  "bell \7 and escape \27[31m", "\xff\xfe no UTF-8 \xc3", "turned \u{202e}txt", "line\nbreak",
}

function TestReport:test_names_are_text_whatever_they_contain()
  local learners = {}
  for _, name in ipairs(hostile) do learners[name] = "featureless" end
  learners.knn = "knn"
  local result = evaluate { learners = learners, keep = "probabilities" }
  local page = result:report { title = hostile[2] }
  lu.assertEquals(count(page, "<script"), 1)
  lu.assertEquals(count(page, "<h1"), 1)
  lu.assertEquals(count(page, "<style>"), 1)
  lu.assertEquals(count(page, "<[^<>]* onmouseover=\"x"), 0)
  lu.assertNotNil(utf8.len(page))
  lu.assertNil(page:find("[%z\1-\8\11-\31\127]"))
  lu.assertNil(page:find("\u{202e}", 1, true))
  says(page, "bell \u{2407} and escape \u{241b}[31m")
  says(page, "&lt;script&gt;alert(1)&lt;/script&gt;")
  says(page, "\u{fffd}\u{fffd} no UTF-8 \u{fffd}")
end

function TestReport:test_a_result_gives_the_same_bytes_each_time()
  local result = evaluate { keep = "probabilities" }
  lu.assertEquals(result:report(), result:report())
end

function TestReport:test_a_file_holds_the_text()
  local result, path = evaluate(), os.tmpname()
  lu.assertNil(result:report { file = path, title = "x" })
  local file = assert(io.open(path, "rb"))
  local written = file:read("a")
  file:close()
  os.remove(path)
  lu.assertEquals(written, result:report { title = "x", file = true })
end

function TestReport:test_several_subjects_are_parts_with_their_own_headings()
  local data = fixtures.iris()
  local curve = cf.learning_curve { data = data, learners = { knn = "knn" }, metrics = "accuracy",
    sizes = { 10, 20, 40, 80 }, trials = 3 }
  local validation = cf.validation_curve { data = data, learner = "knn", parameter = "k",
    values = { 1, 5, 9 }, splitter = kfold(3), metric = "accuracy" }
  local parts = cf.bias_variance { data = data, learners = { tree = "decision_tree" }, rounds = 4 }
  local result = evaluate()
  local page = cf.report { result, curve, validation, parts, result, cf.compare(result,
    { metric = "log_loss" }), title = "All" }
  lu.assertEquals(headings(page, 2), { "Evaluation 1", "Learning curve", "Validation curve",
    "Bias and variance", "Evaluation 2", "Comparison" })
  lu.assertEquals(headings(page, 3)[1], "In short")
  says(page, "Power laws fitted to the curves:")
  says(page, "Kohavi and Wolpert")
  lu.assertEquals(count(page, 'id="in%-short"'), 1)
  lu.assertEquals(count(page, 'id="in%-short%-2"'), 1)
end

-- What the section on provenance says under the names of its facts, and its tables as text.
local function provenance_of(page)
  local text, facts = section(page, "Provenance"), {}
  for name, value in text:gmatch("<dt>([^<]*)</dt><dd>([^<]*)</dd>") do facts[name] = value end
  return facts, text
end

-- SHA-256 of data and plugin, as an evaluation of the same has them.
local function says_where_from(text, data)
  local learner = evaluate { learners = { knn = "knn" } }:provenance().learners[1]
  says(text, ('<th scope="row" class="k">iris</th><td class="n">150</td><td><span class="hash">%s</span></td>')
    :format(data:hash()))
  says(text, ('<td class="k">crossfold.knn</td><td class="k">%s</td><td><span class="hash">%s</span></td>'):format(
    learner.plugin_version, learner.plugin_sha256))
end

function TestReport:test_studies_say_where_they_come_from_with_the_seed_that_was_given()
  local data = fixtures.iris()
  local facts, text = provenance_of(cf.validation_curve { data = data, learner = "knn", parameter = "k",
    values = { 1, 5, 9 }, splitter = kfold(3), metric = "accuracy", seed = 4711 }:report())
  lu.assertEquals(facts, { Crossfold = native.version, seed = "4711", splits = tostring(kfold(3)),
    parameter = "k = 1, 5, 9" })
  says_where_from(text, data)
  facts = provenance_of(cf.validation_curve { data = data, learner = cf.learner("mlp", { epochs = 3 }),
    parameter = "hidden", values = { { 5 }, { 10, 5 } }, splitter = kfold(2), metric = "accuracy" }:report())
  lu.assertEquals(facts.parameter, "hidden = {5}, {10, 5}")
  facts, text = provenance_of(cf.bias_variance { data = data, learners = { knn = "knn" }, rounds = 4,
    seed = 4712 }:report())
  lu.assertEquals(facts, { Crossfold = native.version, seed = "4712", splits = "4 training sets of 50 rows, "
    .. "drawn without replacement from 100; 50 test rows" })
  says_where_from(text, data)
  facts, text = provenance_of(cf.learning_curve { data = data, learners = { knn = "knn" },
    metrics = "accuracy", sizes = { 10, 20 }, trials = 3, seed = 4713 }:report())
  lu.assertEquals(facts, { Crossfold = native.version, seed = "4713",
    splits = "3 trials of nested training sets of 10, 20 rows" })
  says_where_from(text, data)
  facts, text = provenance_of(cf.bootstrap_632 { data = data, learner = "knn", repeats = 3, seed = 4714 }:report())
  lu.assertEquals(facts, { Crossfold = native.version, seed = "4714",
    splits = tostring(cf.splitter("bootstrap", { repeats = 3, stratify = false })) })
  says_where_from(text, data)
  facts, text = provenance_of(cf.variance { data = data, learner = "knn", metric = "accuracy", seed = 4715,
    splitter = "holdout", sources = { split = 2 } }:report())
  lu.assertEquals(facts, { Crossfold = native.version, seed = "4715",
    splits = "accuracy on &#39;iris&#39;, 150 rows, holdout; split: 2; held fixed: data, seed" })
  says_where_from(text, data)
  facts, text = provenance_of(cf.repeat_until { data = data, learner = "knn", metric = "accuracy", seed = 4716,
    width = 1, first_repeats = 5, splitter = "holdout" }:report())
  lu.assertEquals(facts, { Crossfold = native.version, seed = "4716", splits = tostring(cf.splitter("holdout")) })
  says_where_from(text, data)
end

function TestReport:test_curves_and_others_have_the_method_too()
  local validation = cf.validation_curve { data = fixtures.iris(), learner = "knn", parameter = "k",
    values = { 1, 5, 9 }, splitter = kfold(3), metric = "accuracy" }
  lu.assertEquals(validation:report { title = "k" }, cf.report { validation, title = "k" })
  local comparison = cf.compare(evaluate(), { metric = "accuracy" })
  says(comparison:report(), html.text(comparison:sentences()[1]))
end

function TestReport:test_a_comparison_says_where_each_of_its_results_comes_from()
  local facts, text = provenance_of(cf.compare(evaluate { seed = 31 }, { metric = "accuracy" }):report())
  lu.assertEquals(facts, { Crossfold = native.version, seed = "31", splits = tostring(kfold(3)) })
  says_where_from(text, fixtures.iris())
  local page = cf.compare({ evaluate { seed = 32 }, evaluate { seed = 32, learners = { tree = "decision_tree" } } },
    { metric = "accuracy" }):report()
  lu.assertEquals(headings(section(page, "Provenance"), 3), { "Result 1", "Result 2" })
end

function TestReport:test_one_split_has_a_score_and_the_interval_of_a_mean_over_rows()
  local page = evaluate { splitter = "holdout" }:report()
  says(section(page, "In short"), "By accuracy, &#39;knn&#39; has the best score: ")
  says(section(page, "In short"), "McNemar mid-p")
  says(section(page, "Scores"), "Mean over folds, with its 95 % interval")
  says(section(page, "Scores"), "Intervals: 95 %, for the fitted models, central limit theorem over the test rows "
    .. "(Bayle et al. 2020); within the bounds of the metric.")
  says(section(page, "Scores"), "On new rows the model of &#39;knn&#39; fitted on &#39;iris&#39; has a mean "
    .. "accuracy of ")
  page = evaluate { splitter = "holdout", metrics = "f1_macro" }:report()
  says(section(page, "Scores"), "Mean over folds; the sentences say why there is no interval")
  says(section(page, "Scores"), "is not a mean over rows, and one split has no spread")
end

function TestReport:test_figures_can_be_subjects()
  local result = evaluate { keep = "probabilities" }
  local page = cf.report { cf.plot.roc(result, { positive = "setosa" }), title = "One figure" }
  lu.assertEquals(count(page, "<svg "), 1)
  lu.assertEquals(headings(page, 2), { cf.plot.roc(result, { positive = "setosa" }).title })
end

function TestReport:test_many_learners_are_cut_and_the_page_says_so()
  local learners = {}
  for k = 1, 15 do learners[("knn %02d"):format(k)] = cf.learner("knn", { k = k }) end
  local page = evaluate { learners = learners, keep = "probabilities" }:report()
  says(section(page, "Curves"), "The first 12 learners, best first by accuracy; 3 more "
    .. "are left out of these figures.")
  says(section(page, "Confusion matrices"), "result:confusion has the other 3.")
  says(section(page, "Comparison"), "The first 100 of 105 pairs; the CSV file has all.")
  lu.assertEquals(count(section(page, "Confusion matrices"), "<svg "), 12)
end

-- 60 learners on 12 datasets: no figure holds 720 of both.
local function large()
  local learners, datasets = {}, {}
  for k = 1, 60 do learners[("knn %02d"):format(k)] = cf.learner("knn", { k = k }) end
  for d = 1, 12 do datasets[("set %02d"):format(d)] = fixtures.iris() end
  return cf.evaluate { learners = learners, datasets = datasets, splitter = kfold(3), metrics = "accuracy", seed = 1 }
end

function TestReport:test_of_many_learners_on_many_datasets_a_table_has_all_and_figures_the_best()
  local result = large()
  local page, best = result:report(), cf.compare(result):ranking()
  local scores = section(page, "Scores")
  for _, row in ipairs(result:summary()) do
    local of_dataset = scores:match(("<caption>Mean over folds of %s.-</table>"):format(row.dataset))
    local cells = of_dataset:match((">%s</th>(.-)</tr>"):format(row.learner))
    says(cells, ("<b>%s</b>"):format(html.number(row.mean)))
  end
  says(scores, "The first 8 of 60 learners, best first by accuracy; cf.plot.summary draws the others.")
  lu.assertEquals(count(scores, "<svg "), 1)
  says(scores, best[8].learner .. " on set 12")
  says(section(page, "Times"), "cf.plot.times draws the others.")
  says(section(page, "Comparison"), "shown are the first 20 of 60 learners; comparison:ranking() has all")
  says(section(page, "Confusion matrices"), "The first 10 of 12 datasets; cf.plot draws those of the others.")
  lu.assertEquals(count(section(page, "Confusion matrices"), "<svg "), 120)
end

function TestReport:test_more_folds_than_a_figure_has_room_for_are_told()
  local result = evaluate { splitter = cf.splitter("kfold", { folds = 2, repeats = 1300 }), metrics = "accuracy" }
  says(section(result:report(), "Not shown"), "Fold by fold: each learner has 2600 folds, too many for a figure")
end

function TestReport:test_nothing_is_asked_of_the_network()
  local page = evaluate { keep = "probabilities" }:report()
  says(page, "default-src 'none'")
  for address in page:gmatch('[hs]re?[fc]="([^"]*)"') do
    lu.assertTrue(address:find("^#") ~= nil or address:find("^data:") ~= nil, address)
  end
  lu.assertNil(page:find("url(", 1, true))
  lu.assertNil(page:find("@import", 1, true))
end

TestReportOptions = {}

function TestReportOptions:test_mistakes_are_told()
  local result = evaluate()
  local message = fixtures.message
  lu.assertEquals(message(cf.report, result), "report: put the result into the table of options, as in "
    .. 'cf.report{ result, file = "report.html" }')
  lu.assertEquals(message(cf.report, "a.html"), "report: expected a table, as in cf.report{ result, file = "
    .. '"report.html" }, got a string')
  lu.assertEquals(message(cf.report, {}),
    "report: there is nothing to report; give a result, or store = path")
  lu.assertEquals(message(cf.report, { result, titel = "x" }),
    "report: unknown option 'titel'; did you mean 'title'? known: file, metric, run, store, title")
  lu.assertEquals(message(cf.report, { result, metric = "acuracy" }),
    "report: there is no metric 'acuracy'; did you mean 'accuracy'? known: accuracy, log_loss")
  lu.assertStrContains(message(cf.report, { result, "x" }), "report: element 2 is a string; give what one of these "
    .. "makes: cf.adversarial_validation, cf.audit, ")
  lu.assertEquals(message(cf.report, { result, store = "x" }),
    "report: give either results or 'store'")
  lu.assertEquals(message(cf.report, { store = "x.cfdb", file = "x.cfdb" }), "cannot write 'x.cfdb': it is the "
    .. "store that the page is about; choose another file")
  lu.assertEquals(message(cf.report, { result, run = 1 }), "report: option 'run' goes with 'store'")
  lu.assertEquals(message(result.report, result, { file = 3 }),
    "report: option 'file' must be a string or boolean, got an integer")
end

TestReportHtml = {}

function TestReportHtml:test_numbers_have_four_decimals_or_as_many_as_they_need()
  lu.assertEquals(html.number(0.5), "0.5000")
  lu.assertEquals(html.number(0.0000123), "0.000012")
  lu.assertEquals(html.number(-0.5), "-0.5000")
  lu.assertEquals(html.number(1234.5678), "1234.6")
  lu.assertEquals(html.number(123456.789), "123457")
  lu.assertEquals(html.number(-1e300), "-1.0000e300")
  lu.assertEquals(html.number(9.99999e20), "1.0000e21")
  lu.assertEquals(html.number(5.7735026e-13), "5.7735e-13")
  lu.assertEquals(html.number(5e-324), "4.9407e-324")
  lu.assertEquals(html.number(-0x1.fffffffffffffp+1023), "-1.7977e308")
  lu.assertEquals(html.number(7), "7")
  lu.assertEquals(html.number(0.0), "0.0000")
  lu.assertEquals(html.number(1 / 0), "inf")
  lu.assertEquals(html.number(nil), "")
end

function TestReportHtml:test_text_keeps_letters_of_all_languages()
  lu.assertEquals(html.text("größer < 漢字 & \u{1f600}"), "größer &lt; 漢字 &amp; \u{1f600}")
  lu.assertEquals(html.lines("a\n\tb\r\nc\0"), "a\n\tb\nc\u{2400}")
end

function TestReportHtml:test_a_data_address_gives_back_its_text()
  local all = {}
  for byte = 0, 255 do all[byte + 1] = string.char(byte) end
  local text = table.concat(all)
  local address = html.data_address("text/csv", text)
  lu.assertNil(address:find("[^%w%-_.~!*'(),;/?:@=+$|{}%%> ]"))
  local decoded = address:match("^data:text/csv,(.*)$"):gsub("%%(%x%x)", function(code)
    return string.char(tonumber(code, 16))
  end)
  lu.assertEquals(decoded, text)
end

TestReportOfAStore = {}

local new_store, remove_store = fixtures.new_store, fixtures.remove_store

function TestReportOfAStore:test_a_run_is_reported_from_what_the_store_has()
  local path = new_store()
  local result = evaluate { store = path, keep = "probabilities" }
  local page = cf.report { store = path, title = "Kept" }
  remove_store(path)
  lu.assertEquals(headings(page, 1), { "Kept" })
  lu.assertEquals(headings(page, 2), { "In short", "Scores", "Fold by fold", "Comparison", "Curves",
    "Confusion matrices", "Failures", "Times", "Provenance",
    "Checklist for reviewers", "Not shown", "The run" })
  says(section(page, "In short"), html.text(cf.compare(result, { metric = "accuracy" }):sentences()[1]))
  says(page, "This run has not finished")  -- the test still runs
  says(section(page, "The run"), "<dt>finished</dt><dd>no</dd>")
end

function TestReportOfAStore:test_several_experiments_of_a_run_are_parts()
  local path = new_store()
  evaluate { store = path }
  cf.learning_curve { data = fixtures.iris(), learners = { knn = "knn" }, metrics = "accuracy",
    sizes = { 10, 20, 40, 80 }, trials = 3, store = path }
  local page = cf.report { store = path }
  remove_store(path)
  lu.assertEquals(headings(page, 2), { "Evaluation", "Learning curve", "The run" })
end

-- Stores of a Crossfold that noted neither seed nor data of a study.
function TestReportOfAStore:test_a_study_of_an_older_store_says_what_it_knows()
  local path = new_store()
  cf.parallel({ function()
    cf.validation_curve { data = fixtures.iris(), learner = "knn", parameter = "k", values = { 1, 9 },
      splitter = kfold(3), metric = "accuracy", seed = 5 }
  end }, { store = path })
  local ledger = native.open_ledger(path, 1)
  local note = ledger:findings()[1]
  ledger:close()
  note.body.provenance, note.body.seed = nil, nil
  native.record_findings({ store = path }, note.experiment, { { kind = note.kind, name = note.name,
    body = findings.encode(note.body) } })
  local facts, text = provenance_of(cf.report { store = path })
  remove_store(path)
  lu.assertEquals(facts, { Crossfold = "unknown", parameter = "k = 1, 9" })
  says(text, "The run was one of an older Crossfold, which noted neither data nor learner.")
end

function TestReportOfAStore:test_what_is_damaged_is_told_at_the_top_and_in_the_section_on_the_run()
  local path, stored = new_store(), require "crossfold.stored.stored"
  evaluate { store = path }
  local read = stored.new
  stored.new = function(o)
    local run = read(o)
    run.damaged = { "cell 12: its <bytes> are others", "cell 13: its score is none" }
    return run
  end
  local ok, page = pcall(cf.report, { store = path })
  stored.new = read
  remove_store(path)
  lu.assertTrue(ok, page)
  says(page:sub(1, page:find("<nav", 1, true)), "2 cells of the store are damaged and left out; see the "
    .. "section on the run.")
  says(section(page, "The run"), "<li>cell 12: its &lt;bytes&gt; are others</li>")
end

function TestReportOfAStore:test_a_store_that_is_not_there_is_an_error()
  lu.assertEquals(fixtures.message(cf.report, { store = "/nosuch.cfdb" }),
    "cannot open store '/nosuch.cfdb': there is no such file; a run with --store makes it")
end

function TestReportHtml:test_downloads_that_are_too_large_are_left_out_and_counted()
  local page = require("crossfold.report.page").new("x")
  says(page:download("CSV", "a.csv", "text/csv", ("a"):rep(400 * 1024)), 'download="a.csv">CSV</a>')
  lu.assertEquals(page:download_note(), "")
  lu.assertEquals(page:download("CSV", "b.csv", "text/csv", ("a"):rep(400 * 1024 + 1)), "")
  for _ = 1, 6 do page:download("CSV", "c.csv", "text/csv", ("a"):rep(400 * 1024)) end
  lu.assertEquals(page:download("CSV", "d.csv", "text/csv", ("a"):rep(400 * 1024)), "")
  lu.assertEquals(page:download_note(), "2 downloads would have made this page too large; "
    .. "figure:save(path) and result:to{ csv = path } write them.")
end

function TestReport:test_the_link_of_a_picture_is_its_svg_with_single_quotes_and_a_large_one_is_left_out()
  local figure = cf.plot.folds(evaluate(), { metric = "accuracy" })
  local address = cf.report({ figure }):match('href="(data:image/svg[^"]*)"')
  local decoded = address:match("^[^,]*,(.*)$"):gsub("%%(%x%x)", function(code)
    return string.char(tonumber(code, 16))
  end)
  lu.assertEquals(decoded:gsub("['\"]", { ['"'] = "'", ["'"] = '"' }), figure:svg())
  local many = cf.plot.folds(evaluate { splitter = cf.splitter("kfold", { folds = 3, repeats = 200 }) },
    { metric = "accuracy" })
  says(cf.report { many }, "1 download would have made this page too large")
end

function TestReportHtml:test_ids_occur_once()
  local page = require("crossfold.report.page").new("x")
  lu.assertEquals({ page:id("In short"), page:id("in <short>"), page:id("漢") },
    { "in-short", "in-short-2", "figure" })
end
