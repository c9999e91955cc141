local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"
local native = require "crossfold.native"

local message = fixtures.message

TestLockbox = {}

function TestLockbox:setUp()
  self.iris = fixtures.iris()
  self.file = fixtures.new_store() .. ".lockbox"
  self.files = { self.file }
end

function TestLockbox:tearDown()
  for _, file in ipairs(self.files) do os.remove(file) end
end

function TestLockbox:seal(more)
  return cf.lockbox(self.iris, fixtures.with({ file = self.file, seed = 1 }, more))
end

local function reading(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

local function writing(path, bytes)
  local file <close> = assert(io.open(path, "wb"))
  file:write(bytes)
end

-- 50 rows of each of three classes.
function TestLockbox:test_a_fifth_of_each_class_is_sealed()
  local rest, box = self:seal()
  local counts = {}
  for _, class in ipairs(rest:target()) do counts[class] = (counts[class] or 0) + 1 end
  lu.assertEquals(counts, { setosa = 40, versicolor = 40, virginica = 40 })
  local seal = box:seal()
  lu.assertEquals({ seal.data, seal.rows, seal.rest_rows, seal.rule, seal.confidence, seal.chosen_by },
    { "iris", 30, 120, "spending", 0.95, "20% of the rows at random, seed 1, stratified" })
  lu.assertEquals(seal.rest_hash, rest:hash())
end

function TestLockbox:test_whole_groups_are_sealed()
  local x, group, y = {}, {}, {}
  for i = 1, 60 do x[i], group[i], y[i] = i, "g" .. (i - 1) // 6, i % 2 == 0 and "a" or "b" end
  local data = cf.dataset { name = "grouped", target = "y", columns = { { name = "x", values = x },
    { name = "y", values = y }, { name = "g", values = group } } }
  local rest = cf.lockbox(data, { file = self.file, groups = "g" })
  local counts = {}
  for _, name in ipairs(rest:column("g")) do counts[name] = (counts[name] or 0) + 1 end
  for name, count in pairs(counts) do lu.assertEquals({ name, count }, { name, 6 }) end
  lu.assertEquals({ #rest, rest:roles().groups }, { 48, "g" })
end

function TestLockbox:test_rows_with_times_need_a_splitter()
  local data = cf.dataset { name = "series", target = "y", time = "t", columns = {
    { name = "t", values = { 1, 2, 3, 4, 5, 6 } }, { name = "x", values = { 1, 2, 1, 2, 1, 2 } },
    { name = "y", values = { 1.5, 2, 2.5, 2, 1, 2 } } } }
  lu.assertEquals(message(cf.lockbox, data, { file = self.file }), ("cannot seal rows in '%s': the rows of 'series' "
    .. "have times, and a random share would leave rows that are later than the sealed ones; give splitter = "
    .. "cf.splitter(\"time_series\", { folds = 1 })"):format(self.file))
  local rest = cf.lockbox(data, { file = self.file, splitter = cf.splitter("time_series", { folds = 1 }) })
  lu.assertEquals(rest:column("t"), { 1, 2, 3 })
end

function TestLockbox:test_data_without_a_target_are_refused()
  lu.assertEquals(message(cf.lockbox, self.iris:with_roles { target = false }, { file = self.file }), "lockbox: 'iris' "
    .. "has no target, so no model can be evaluated on sealed rows; read it with target = \"<column>\"")
end

function TestLockbox:test_the_same_call_again_finds_the_lockbox()
  local rest, box = self:seal()
  box:open(cf.learner("knn"):fit(rest), { reason = "a test" })
  local again, same = self:seal()
  lu.assertEquals(again:hash(), rest:hash())
  lu.assertEquals(#same:openings(), 1)
end

function TestLockbox:test_other_rows_do_not_replace_a_lockbox()
  self:seal()
  lu.assertEquals(message(self.seal, self, { seed = 2 }), ("cannot seal rows in '%s': it is a lockbox of other rows or "
    .. "options ('iris', 20%% of the rows at random, seed 1, stratified); choose another file"):format(self.file))
end

function TestLockbox:test_the_score_is_that_on_the_sealed_rows()
  local rest, box = self:seal()
  local model = cf.learner("knn", { k = 5 }):fit(rest)
  local answer = box:open(model, { reason = "a test", metric = "accuracy" })
  -- The rows that are right in all of iris are those of the rest and the sealed ones.
  local function right(data)
    return #data * cf.score { prediction = model:predict(data), metrics = "accuracy" }.accuracy
  end
  lu.assertAlmostEquals(answer.score * 30, right(self.iris) - right(rest), 1e-9)
  lu.assertEquals({ answer.number, answer.openings, answer.is_repeated, answer.method }, { 1, 1, false, "wilson" })
end

-- Wilson's interval for 30 rows at level 0.975, from stats.accuracy_interval.
function TestLockbox:test_the_first_interval_has_half_of_the_risk()
  local rest, box = self:seal()
  local answer = box:open(cf.learner("knn", { k = 5 }):fit(rest), { reason = "a test" })
  local expected = cf.stats.accuracy_interval { correct = math.floor(30 * answer.score + 0.5), n = 30,
    confidence = 0.975 }
  lu.assertAlmostEquals(answer.low, expected.low, 1e-9)
  lu.assertAlmostEquals(answer.high, expected.high, 1e-9)
end

function TestLockbox:test_the_same_model_gets_the_same_answer_and_is_not_counted_again()
  local rest, box = self:seal()
  local model = cf.learner("knn"):fit(rest)
  local first = box:open(model, { reason = "a test" })
  local again = box:open(cf.learner("knn"):fit(rest), { reason = "again" })
  lu.assertEquals({ again.score, again.low, again.high, again.number, again.is_repeated },
    { first.score, first.low, first.high, 1, true })
  lu.assertEquals(#box:openings(), 1)
end

function TestLockbox:test_a_saved_model_is_the_model()
  local rest, box = self:seal()
  local model, path = cf.learner("knn"):fit(rest), fixtures.new_store()
  self.files[2] = path
  model:save(path)
  box:open(path, { reason = "a test" })
  lu.assertTrue(box:open(model, { reason = "again" }).is_repeated)
end

function TestLockbox:test_another_metric_is_another_opening_with_a_wider_interval()
  local rest, box = self:seal()
  local model = cf.learner("naive_bayes"):fit(rest)
  local first = box:open(model, { reason = "a test" })
  local second = box:open(model, { reason = "more", metric = "brier" })
  lu.assertAlmostEquals(first.level, 0.975, 1e-12)
  lu.assertAlmostEquals(second.level, 0.9875, 1e-12)
  lu.assertEquals({ second.number, second.method }, { 2, "clt" })
  local stump = cf.learner("decision_tree", { max_depth = 1 }):fit(rest)
  local third = box:open(stump, { reason = "even more", metric = cf.metric("roc_auc", { average = "ovr_macro" }) })
  lu.assertEquals({ third.number, third.method, #box:openings() }, { 3, "bootstrap", 3 })
  lu.assertTrue(third.low < third.score and third.score < third.high and third.high <= 1)
end

function TestLockbox:test_equal_scores_of_all_samples_have_no_interval()
  local rest, box = self:seal()
  local model = cf.learner("naive_bayes"):fit(rest)
  local found = box:open(model, { reason = "a test", metric = cf.metric("roc_auc", { average = "ovr_macro" }) })
  lu.assertEquals({ found.score, found.low, found.no_interval },
    { 1.0, nil, "all rows have the same score, so its spread is not known" })
end

function TestLockbox:test_an_ensemble_is_evaluated()
  local rest, box = self:seal()
  local model = cf.voting { learners = { "knn", "naive_bayes" } }:fit(rest, { seed = 1 })
  lu.assertEquals(box:open(model, { reason = "a test" }).number, 1)
end

function TestLockbox:test_a_model_of_all_rows_is_refused_and_not_counted()
  local _, box = self:seal()
  lu.assertEquals(message(box.open, box, cf.learner("knn"):fit(self.iris), { reason = "a test" }), ("cannot open "
    .. "lockbox '%s': the model 'knn' was fitted on the sealed rows; fit it on the other 120 rows, which cf.lockbox "
    .. "gives")
    :format(self.file))
  lu.assertEquals(#box:openings(), 0)
end

function TestLockbox:test_a_reason_is_needed()
  local rest, box = self:seal()
  local model = cf.learner("knn"):fit(rest)
  lu.assertEquals(message(box.open, box, model, { reason = " " }), "open: the reason is empty; say why the lockbox is "
    .. "opened")
  lu.assertStrContains(message(box.open, box, model, {}), "option 'reason' is missing")
end

-- Or a metric could be changed until it has a score, which looks at the rows each time.
function TestLockbox:test_an_opening_without_a_score_is_recorded_and_counted()
  local rest, box = self:seal()
  local model = cf.learner("knn"):fit(rest)
  local fails = cf.metric { name = "picky", direction = "higher", score = function() return nil, "there is none" end }
  lu.assertEquals(message(box.open, box, model, { reason = "a test", metric = fails }),
    ("opening 1 of lockbox '%s' has no score: there is none"):format(self.file))
  lu.assertEquals(box:openings()[1].problem, "there is none")
  local works = cf.metric { name = "picky", direction = "higher", score = function() return 0.5 end }
  local answer = box:open(model, { reason = "again", metric = works })
  lu.assertEquals({ answer.number, answer.score, #box:openings() }, { 2, 0.5, 2 })
end

function TestLockbox:test_a_metric_in_lua_with_the_name_of_a_native_one_is_refused()
  local rest, box = self:seal()
  local model = cf.learner("knn"):fit(rest)
  for _, name in ipairs { "accuracy", "f1{average=macro}" } do
    local own = cf.metric { name = name, direction = "higher", score = function() return 0.5 end }
    lu.assertEquals(message(box.open, box, model, { reason = "a test", metric = own }), ("open: the metric in Lua has "
      .. "the name of a metric of Crossfold, '%s'; give it another name"):format(name))
  end
  lu.assertEquals(#box:openings(), 0)
end

-- The Brier score is at least 0, and so are the limits wherever they are shown.
function TestLockbox:test_limits_stay_in_the_range_of_the_metric_in_all_lists()
  local rest, box = self:seal()
  local model = cf.learner("knn"):fit(rest)
  lu.assertEquals(box:open(model, { reason = "a test", metric = "brier" }).low, 0)
  lu.assertEquals(box:openings()[1].low, 0)
  lu.assertEquals(box:open(model, { reason = "again", metric = "brier" }).low, 0)
end

-- A wrong answer with probability 1 has an infinite log loss if it is not clipped.
function TestLockbox:test_an_infinite_score_is_recorded_as_a_problem()
  local rest, box = self:seal()
  local model = cf.learner("knn", { k = 1 }):fit(rest:select { 1, 41, 81 })
  local endless = cf.metric { name = "endless", direction = "lower", score = function() return math.huge end }
  for number, value in ipairs { endless, cf.metric("log_loss", { clip = 0 }) } do
    lu.assertEquals(message(box.open, box, model, { reason = "a test", metric = value }),
      ("opening %d of lockbox '%s' has no score: the score is infinite"):format(number, self.file))
    lu.assertEquals(box:openings()[number].problem, "the score is infinite")
  end
end

function TestLockbox:test_a_key_apart_is_needed()
  local key = fixtures.new_store()
  self.files[2] = key
  local rest, box = self:seal { key = key }
  local model = cf.learner("knn"):fit(rest)
  lu.assertEquals(message(box.open, box, model, { reason = "a test" }), ("cannot open lockbox '%s': its key is kept "
    .. "apart; name the key file (key)"):format(self.file))
  lu.assertEquals(#box:openings(), 0)
  lu.assertEquals(box:open(model, { reason = "a test", key = key }).number, 1)
  -- The old answer, too, is only given after a check of the record.
  lu.assertEquals(message(box.open, box, model, { reason = "again" }), ("cannot open lockbox '%s': its key is kept "
    .. "apart; name the key file (key)"):format(self.file))
  lu.assertTrue(box:open(model, { reason = "again", key = key }).is_repeated)
  local result = cf.evaluate { data = rest, learners = "knn", splitter = cf.splitter("kfold", { folds = 3 }),
    metrics = "accuracy" }
  lu.assertStrContains(tostring(result), "opened once by its record, which was not checked against its key)")
  lu.assertStrContains(result:report(), "Its record was not checked against its key, which is kept apart; ")
  lu.assertTrue(box:verify { key = key })
end

-- The bytes of a lockbox in which `change` has changed the fields of entries, and whose chain was computed again by
-- someone without the key; the format is in core/lockbox/lockbox_file.h.
local function forged(bytes, change)
  local function byte(digits) return string.char(tonumber(digits, 16)) end
  local function digest(text) return (native.sha256(text):gsub("%x%x", byte)) end
  local made, at = bytes:sub(1, 12), 13
  local before = digest(made)
  repeat
    local payload, after = string.unpack("<s8", bytes, at)
    payload = payload:sub(1, 1) .. before .. change(payload:sub(34))
    made, before, at = made .. string.pack("<s8", payload), digest(payload), after
  until payload:byte() == 4
  return made .. digest(made)
end

function TestLockbox:test_a_forged_answer_is_not_given_where_the_key_is_apart()
  local key = fixtures.new_store()
  self.files[2] = key
  local rest, box = self:seal { key = key }
  local model = cf.learner("knn", { k = 1 }):fit(rest:select { 1, 41, 81 })
  local score = box:open(model, { reason = "a test", key = key }).score
  writing(self.file, forged(reading(self.file), function(fields)
    local at = fields:find(string.pack("<d", score), 1, true)
    return at and fields:sub(1, at - 1) .. string.pack("<d", 0.99) .. fields:sub(at + 8) or fields
  end))
  lu.assertEquals(box:openings()[1].score, 0.99)
  lu.assertStrContains(tostring(box), "\nits record was not checked against its key (--key)\n")
  local finding = ("cannot open lockbox '%s': its entries were written without its key; restore a copy"):format(
    self.file)
  lu.assertEquals(message(box.open, box, model, { reason = "again", key = key }), finding)
  lu.assertEquals(message(box.verify, box, { key = key }), finding)
end

function TestLockbox:test_a_key_without_a_name_or_in_the_lockbox_is_refused()
  lu.assertEquals(message(self.seal, self, { key = "" }), "lockbox: key = \"\" is not the name of a file; leave it "
    .. "out, so that the lockbox has its key itself")
  lu.assertEquals(message(self.seal, self, { key = self.file }), ("cannot seal rows in '%s': its key is to be in the "
    .. "same file; choose another file for the key"):format(self.file))
  lu.assertNil(io.open(self.file))
end

function TestLockbox:test_a_changed_reason_is_refused()
  local rest, box = self:seal()
  box:open(cf.learner("knn"):fit(rest), { reason = "an honest reason" })
  writing(self.file, (reading(self.file):gsub("an honest reason", "a hidden reasons")))
  lu.assertEquals(message(cf.read_lockbox, self.file), ("cannot read lockbox '%s': entry 3 does not follow entry 2: an "
    .. "entry was changed, removed or moved; restore a copy"):format(self.file))
end

function TestLockbox:test_an_older_copy_is_refused_by_the_store()
  local rest, box = self:seal()
  local store = fixtures.new_store()
  local copy = reading(self.file)
  box:open(cf.learner("knn"):fit(rest), { reason = "a test", store = store })
  writing(self.file, copy)
  lu.assertEquals(message(box.open, box, cf.learner("naive_bayes"):fit(rest), { reason = "a test", store = store }),
    ("cannot open lockbox '%s': it has 0 openings, and the store '%s' has 1 of them; use the newest copy"):format(
      self.file, store))
  fixtures.remove_store(store)
end

function TestLockbox:test_results_say_that_rows_are_sealed()
  local rest, box = self:seal()
  local function evaluated(data)
    return cf.evaluate { data = data, learners = "knn", splitter = cf.splitter("kfold", { folds = 3 }),
      metrics = "accuracy" }
  end
  local note = ("(30 rows of 'iris' are sealed in '%s', %%s)"):format(self.file)
  local result = evaluated(rest)
  lu.assertStrContains(tostring(result), note:format("never opened"))
  lu.assertEquals(result:provenance().datasets[1].lockbox.rows, 30)
  box:open(cf.learner("knn"):fit(rest), { reason = "a test" })
  -- Also of data that were made of the rest.
  lu.assertStrContains(tostring(evaluated(rest:with_costs { { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, 0 } })),
    note:format("opened once"))
  local some = rest:select { 1, 2, 3, 41, 42, 43, 81, 82, 83, 84 }
  lu.assertStrContains(tostring(evaluated(some)), note:format("opened once"))
  lu.assertNil(evaluated(self.iris):provenance().datasets[1].lockbox)
end

function TestLockbox:test_the_report_lists_the_openings()
  local rest, box = self:seal()
  local result = cf.evaluate { data = rest, learners = "knn", splitter = cf.splitter("kfold", { folds = 3 }),
    metrics = "accuracy" }
  lu.assertStrContains(result:report(), "The lockbox was never opened.")
  box:open(cf.learner("knn"):fit(rest), { reason = "the <final> model" })
  local page = result:report()
  lu.assertStrContains(page, "The lockbox was opened once.")
  lu.assertStrContains(page, "the &lt;final&gt; model")
end

function TestLockbox:test_a_stored_run_keeps_what_it_knew()
  local rest, box = self:seal()
  local store = fixtures.new_store()
  box:open(cf.learner("knn"):fit(rest), { reason = "a test" })
  cf.evaluate { data = rest, learners = "knn", splitter = cf.splitter("kfold", { folds = 3 }), metrics = "accuracy",
    store = store }
  os.remove(self.file)
  local stored = cf.stored { store = store }.results[1]
  lu.assertEquals(stored:provenance().datasets[1].lockbox.openings[1].reason, "a test")
  lu.assertStrContains(stored:report(), "The lockbox was opened once.")
  fixtures.remove_store(store)
end
