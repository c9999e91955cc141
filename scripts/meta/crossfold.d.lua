---@meta crossfold
-- Definitions of the module for the Lua language server (LuaLS): completion and checks in editors.
-- Nothing here runs. `crossfold plugin annotate` writes those of the components that are installed,
-- with their parameters. tests/scripts/meta_test.lua compares both ways with what the module has.

---@class crossfold
---@field _VERSION string
---@field null userdata A missing entry; also of columns.
---@field stats crossfold.stats Tests and intervals over plain numbers: docs/statistics.md.
---@field plot crossfold.plot Figures: docs/plots.md.
local cf = {}

-- Values -----------------------------------------------------------------------------------------

--- A component of a plugin with its parameters; never changes.
---@class crossfold.Spec
local Spec = {}

--- A copy with other parameters; in a pipeline `["knn.k"] = 7` where several steps have a `k`.
---@param params table<string, any>
---@return crossfold.Spec
---@nodiscard
function Spec:with(params) end

--- The parameters that were given.
---@return table<string, any>
function Spec:params() end

--- Of a learner: a model fitted on all rows.
---@param data crossfold.Dataset
---@param options? crossfold.FitOptions
---@return crossfold.Model
function Spec:fit(data, options) end

---@class (exact) crossfold.FitOptions
---@field seed? integer
---@field start? crossfold.Model The learner goes on from this model of its kind.

--- A learner put together in Lua: a search, an ensemble, a learner of functions.
---@class crossfold.Composite
local Composite = {}

---@param data crossfold.Dataset
---@param options? crossfold.FitOptions
---@return crossfold.Model
function Composite:fit(data, options) end

--- A search for a setting by cross-validation inside its training rows; a learner.
---@class crossfold.Search: crossfold.Composite
local Search = {}

--- How many cells the search runs on these rows, or with `splitter` in all outer folds.
---@param data crossfold.Dataset
---@param options? crossfold.SearchPlanOptions
---@return table
function Search:plan(data, options) end

---@class (exact) crossfold.SearchPlanOptions
---@field splitter? crossfold.AnySplitter
---@field seed? integer

---@alias crossfold.AnyLearner string|crossfold.Spec|crossfold.Composite
---@alias crossfold.AnySplitter string|crossfold.Spec|table
---@alias crossfold.AnyMetric string|crossfold.Spec|table
---@alias crossfold.Learners crossfold.AnyLearner|table<string|integer, crossfold.AnyLearner>
---@alias crossfold.Metrics crossfold.AnyMetric|crossfold.AnyMetric[]
---@alias crossfold.Output string|boolean A path, or true to get the text.

--- Columns of one length; never changes.
---@class crossfold.Dataset
---@operator len: integer
local Dataset = {}

---@return string
function Dataset:name() end
---@return "classification"|"regression"|"none"
function Dataset:task() end
--- Class names in their fixed order.
---@return string[]
function Dataset:classes() end
---@return string[]
function Dataset:features() end
--- SHA-256 of the content.
---@return string
function Dataset:hash() end
--- Entries of a column: categories by name, what is missing as cf.null.
---@param name string
---@return any[]
function Dataset:column(name) end
---@return any[]
function Dataset:target() end
---@return integer[]
function Dataset:row_ids() end
--- The same data seen through some rows.
---@param rows integer[]
---@return crossfold.Dataset
---@nodiscard
function Dataset:select(rows) end
---@return crossfold.Dataset
---@nodiscard
function Dataset:without_target() end
--- The same data with costs of wrong predictions, rows by truth.
---@param costs number[][]|table<string, table<string, number>>
---@return crossfold.Dataset
---@nodiscard
function Dataset:with_costs(costs) end
---@return number[][]?
function Dataset:costs() end
--- Which column has which role.
---@return table<string, string>
function Dataset:roles() end
--- Types, missing entries, classes and what looks like a mistake: docs/describe.md.
---@param options? crossfold.DescribeOptions
---@return crossfold.DataReport
function Dataset:describe(options) end

---@class (exact) crossfold.DescribeOptions
---@field folds? integer Classes with fewer rows are told.
---@field most_frequent? integer Levels that are listed.
---@field threads? integer

--- A report on data: columns, findings and figures.
---@class crossfold.DataReport
local DataReport = {}

---@param name string
---@return table
function DataReport:column(name) end
---@param output { json?: crossfold.Output, text?: crossfold.Output }
---@return string?
function DataReport:to(output) end

--- A fitted learner.
---@class crossfold.Model
local Model = {}

---@param data crossfold.Dataset
---@return crossfold.Prediction
function Model:predict(data) end
--- Writes a file with everything that predict needs.
---@param path string
function Model:save(path) end
---@return string[]
function Model:classes() end
---@return string[]
function Model:features() end
---@return string
function Model:target() end
--- What was fitted.
---@return crossfold.Spec
function Model:learner() end
---@return { feature: string, value: number }[]
function Model:importance() end
---@return string[]
function Model:export_formats() end
---@param format string
---@return string
function Model:export(format) end

---@class crossfold.Prediction
local Prediction = {}

---@return string[]?
function Prediction:labels() end
---@return number[]?
function Prediction:values() end
--- One list a row, in the order of classes().
---@return number[][]?
function Prediction:probabilities() end
---@return integer[]
function Prediction:row_ids() end
---@return any[]?
function Prediction:truth() end
---@return string[]
function Prediction:classes() end

--- Splits as a value.
---@class crossfold.Splits
---@operator len: integer
local Splits = {}

--- Repeat and fold of split i.
---@param i integer
---@return integer, integer
function Splits:place(i) end
--- Row ids of training and test rows.
---@param i integer
---@return integer[], integer[]
function Splits:rows(i) end
---@param i integer
---@return crossfold.Dataset
function Splits:train(i) end
---@param i integer
---@return crossfold.Dataset
function Splits:test(i) end
---@param i integer
function Splits:distinct_rows(i) end
---@return table
function Splits:design() end
---@param other crossfold.Splits
---@return boolean
function Splits:same(other) end
--- Writes an OpenML split file.
---@param path string
function Splits:to_openml(path) end

--- What came of cells, in their order.
---@class crossfold.Outcomes
---@operator len: integer
local Outcomes = {}

---@param i integer
---@return boolean
function Outcomes:ok(i) end
--- The value of metric m, or nil and the reason.
---@param i integer
---@param m integer
---@return number?, string?
function Outcomes:score(i, m) end
---@param i integer
---@return { stage: string, message: string }?
function Outcomes:failure(i) end
---@param i integer
---@return crossfold.Prediction?
function Outcomes:prediction(i) end
--- Training and test rows.
---@param i integer
---@return integer, integer
function Outcomes:sizes(i) end
--- Of fitting and predicting.
---@param i integer
---@return number, number
function Outcomes:seconds(i) end
---@param i integer
---@return string[]
function Outcomes:warnings(i) end
---@param first integer
---@param count integer
---@return crossfold.Outcomes
function Outcomes:slice(first, count) end

-- Data -------------------------------------------------------------------------------------------

---@class (exact) crossfold.Roles
---@field target? string The column to predict.
---@field weights? string
---@field groups? string Rows of one group stay together in splits.
---@field time? string
---@field folds? string The fold of each row, for splitter "predefined".
---@field strata? string
---@field row_costs? table<string, string> Class to the column of what predicting it costs.
---@field costs? number[][]|table<string, table<string, number>>

--- Of files by their format, and of tables of SQLite: cf.read { sqlite = path, query = | table = }.
---@class (exact) crossfold.ReadOptions: crossfold.Roles
---@field format? "csv"|"tsv"|"arff"|"libsvm"
---@field types? table<string, "f64"|"f32"|"i32"|"i64"|"bool"|"categorical"|"ignore">
---@field like? crossfold.Model Columns get the types and levels of its training data.
---@field missing? string[] Cells that mean "missing"; default empty, `?`, `NA`.
---@field separator? string A character, "tab", "space" or "auto".
---@field quote? string|false
---@field decimal? string
---@field encoding? string "utf-8", "latin1", "windows-1252", "utf-16" ...
---@field skip_lines? integer
---@field comment? string
---@field header? boolean
---@field names? string[]
---@field most_bytes? integer Of a text that is unpacked, or of columns of LIBSVM.
---@field n_features? integer Of LIBSVM.
---@field task? "classification"|"regression" Of LIBSVM.
---@field sqlite? string
---@field query? string
---@field table? string
---@field threads? integer
---@field memory_map? boolean

--- A dataset from a CSV, TSV, ARFF or LIBSVM file, also packed by gzip, or from SQLite: docs/reading.md.
---@param path string|crossfold.ReadOptions
---@param options? crossfold.ReadOptions
---@return crossfold.Dataset
---@nodiscard
function cf.read(path, options) end

---@class (exact) crossfold.ColumnOptions
---@field name string
---@field values any[]
---@field type? "categorical"
---@field levels? string[]

---@class (exact) crossfold.DatasetOptions: crossfold.Roles
---@field name? string
---@field columns crossfold.ColumnOptions[]

--- A dataset from lists.
---@param options crossfold.DatasetOptions
---@return crossfold.Dataset
---@nodiscard
function cf.dataset(options) end

---@param data crossfold.Dataset
---@param options? crossfold.DescribeOptions
---@return crossfold.DataReport
function cf.describe(data, options) end

--- The model that model:save wrote.
---@param path string
---@return crossfold.Model
---@nodiscard
function cf.load(path) end

-- Components -------------------------------------------------------------------------------------

---@class (exact) crossfold.LuaLearner
---@field name string
---@field fit fun(data: crossfold.Dataset, context: table): any
---@field predict fun(state: any, data: crossfold.Dataset): table

--- A learner of a plugin, or one of functions.
---@param id string|crossfold.LuaLearner
---@param params? table<string, any>
---@return crossfold.Spec
---@nodiscard
function cf.learner(id, params) end

---@class (exact) crossfold.LuaTransform
---@field name string
---@field fit fun(data: crossfold.Dataset, context: table): any
---@field apply fun(state: any, data: crossfold.Dataset): table

---@param id string|crossfold.LuaTransform
---@param params? table<string, any>
---@return crossfold.Spec
---@nodiscard
function cf.transform(id, params) end

---@class crossfold.SplitterInput
---@field n integer rows
---@field name string of the dataset
---@field labels? any[] class names
---@field classes? string[]
---@field values? number[] of a regression
---@field groups? any[]
---@field time? any[]

---@class (exact) crossfold.LuaSplitter
---@field name string
---@field split fun(input: crossfold.SplitterInput, context: table): table

---@param id string|crossfold.LuaSplitter
---@param params? table<string, any>
---@return crossfold.Spec
---@nodiscard
function cf.splitter(id, params) end

---@class (exact) crossfold.LuaMetric
---@field name string
---@field direction "higher"|"lower"|"neither"
---@field score fun(truth: any[], predicted: any[], info: table): number?, string?
---@field needs_probabilities? boolean

---@param id string|crossfold.LuaMetric
---@param params? table<string, any>
---@return crossfold.Spec
---@nodiscard
function cf.metric(id, params) end

--- A learner of steps, each fitted on training rows only.
---@param steps (string|crossfold.Spec|crossfold.Composite|table)[]
---@return crossfold.Spec
---@nodiscard
function cf.pipeline(steps) end

---@class (exact) crossfold.CalibrationOptions
---@field method? "platt"|"isotonic"
---@field splitter crossfold.AnySplitter
---@field ensemble? boolean

--- A step behind a learner that calibrates its probabilities: docs/thresholds.md.
---@param options crossfold.CalibrationOptions
---@return table
---@nodiscard
function cf.calibration(options) end

---@class (exact) crossfold.ThresholdOptions
---@field metric? string
---@field costs? table|string
---@field positive? string
---@field splitter crossfold.AnySplitter

--- A step behind a learner that chooses the threshold of a decision inside the training rows.
---@param options crossfold.ThresholdOptions
---@return table
---@nodiscard
function cf.threshold(options) end

---@class (exact) crossfold.MinimumCostOptions
---@field costs? table

--- A step behind a learner that decides for the class of the least expected cost.
---@param options? crossfold.MinimumCostOptions
---@return table
---@nodiscard
function cf.minimum_cost(options) end

-- Searches and ensembles -------------------------------------------------------------------------

---@class (exact) crossfold.SearchOptions
---@field learner crossfold.AnyLearner A native learner or a pipeline.
---@field splitter crossfold.AnySplitter The inner folds.
---@field metric crossfold.AnyMetric The metric that decides.
---@field metrics? crossfold.Metrics More whose inner means are kept.
---@field choose? "best"|"one_se"|"within_noise"
---@field simplest? table|function Which of two candidates is simpler.
---@field alpha? number Of choose = "within_noise".
---@field budget? table { cells = } or { seconds = }.

---@class (exact) crossfold.GridSearchOptions: crossfold.SearchOptions
---@field grid table<string, any[]>|table[]
---@field inactive? "refuse"|"drop"

--- All settings of a grid: docs/tuning.md.
---@param options crossfold.GridSearchOptions
---@return crossfold.Search
---@nodiscard
function cf.grid_search(options) end

---@class (exact) crossfold.RandomSearchOptions: crossfold.SearchOptions
---@field space table<string, any>
---@field candidates? integer
---@field seed? integer

--- Settings drawn from a space.
---@param options crossfold.RandomSearchOptions
---@return crossfold.Search
---@nodiscard
function cf.random_search(options) end

---@class (exact) crossfold.HalvingSearchOptions: crossfold.SearchOptions
---@field grid? table<string, any[]>|table[]
---@field inactive? "refuse"|"drop"
---@field space? table<string, any>
---@field candidates? integer
---@field seed? integer
---@field factor? integer
---@field min_resource number
---@field resource? string "rows", or a parameter.
---@field max_resource? number

--- All settings with little of a resource, the better ones with more.
---@param options crossfold.HalvingSearchOptions
---@return crossfold.Search
---@nodiscard
function cf.halving_search(options) end

---@class (exact) crossfold.RaceSearchOptions: crossfold.SearchOptions
---@field grid? table<string, any[]>|table[]
---@field inactive? "refuse"|"drop"
---@field space? table<string, any>
---@field candidates? integer
---@field seed? integer
---@field error? number The probability of dropping the best.
---@field min_folds? integer
---@field every? integer

--- Fold by fold; settings that are significantly worse leave.
---@param options crossfold.RaceSearchOptions
---@return crossfold.Search
---@nodiscard
function cf.race_search(options) end

---@class (exact) crossfold.VotingOptions
---@field learners crossfold.AnyLearner[]
---@field vote? "majority"|"probabilities"|"mean"
---@field weights? number[]

---@param options crossfold.VotingOptions
---@return crossfold.Composite
---@nodiscard
function cf.voting(options) end

---@class (exact) crossfold.BaggingOptions
---@field learner crossfold.AnyLearner
---@field n? integer Samples.
---@field rows? number Share of the rows.
---@field replace? boolean
---@field features? number Share of the features.
---@field vote? "majority"|"probabilities"|"mean"

---@param options crossfold.BaggingOptions
---@return crossfold.Composite
---@nodiscard
function cf.bagging(options) end

---@class (exact) crossfold.StackingOptions
---@field learners crossfold.AnyLearner[]
---@field combiner crossfold.AnyLearner
---@field splitter crossfold.AnySplitter
---@field probabilities? boolean
---@field passthrough? boolean

---@param options crossfold.StackingOptions
---@return crossfold.Composite
---@nodiscard
function cf.stacking(options) end

-- Experiments ------------------------------------------------------------------------------------

---@class (exact) crossfold.Limits
---@field seconds? number
---@field cpu_seconds? number
---@field memory? integer|string

--- How cells run: docs/lua.md, "Stores, processes and failures".
---@class (exact) crossfold.ExecutionOptions
---@field workers? integer Cells at the same time; 0 = one a core.
---@field store? string|false
---@field store_predictions? integer|string|false
---@field isolate? "none"|"worker"|"fresh"|table<string, "none"|"worker"|"fresh">
---@field limits? crossfold.Limits

---@class (exact) crossfold.EvaluateOptions: crossfold.ExecutionOptions
---@field data? crossfold.Dataset
---@field datasets? table<string|integer, crossfold.Dataset>
---@field learners crossfold.Learners
---@field splitter crossfold.AnySplitter
---@field metrics crossfold.Metrics
---@field seed? integer
---@field keep? "labels"|"probabilities"|"none"
---@field on_error? "record"|"stop"|crossfold.AnyLearner

--- Every learner on every split of every dataset.
---@param options crossfold.EvaluateOptions
---@return crossfold.Result
function cf.evaluate(options) end

---@class (exact) crossfold.CrossPredictOptions: crossfold.ExecutionOptions
---@field data crossfold.Dataset
---@field learner crossfold.AnyLearner
---@field splitter crossfold.AnySplitter
---@field seed? integer
---@field keep? "labels"|"probabilities"

--- Out-of-fold predictions, one a repeat.
---@param options crossfold.CrossPredictOptions
---@return crossfold.Prediction[]
function cf.cross_predict(options) end

---@class (exact) crossfold.LearningCurveOptions: crossfold.ExecutionOptions
---@field data crossfold.Dataset
---@field learners crossfold.Learners
---@field metrics crossfold.Metrics
---@field sizes? integer[]
---@field schedule? "geometric"|"arithmetic"
---@field from? integer
---@field to? integer
---@field points? integer
---@field trials? integer
---@field test_share? number
---@field test? crossfold.Dataset
---@field stratify? boolean
---@field seed? integer
---@field keep? "labels"|"probabilities"|"none"
---@field on_error? "record"|"stop"|crossfold.AnyLearner

--- Scores against training rows: docs/learning_curves.md.
---@param options crossfold.LearningCurveOptions
---@return crossfold.LearningCurve
function cf.learning_curve(options) end

---@class (exact) crossfold.ValidationCurveOptions
---@field data crossfold.Dataset
---@field learner crossfold.AnyLearner
---@field parameter string
---@field values any[]
---@field splitter crossfold.AnySplitter
---@field metric crossfold.AnyMetric
---@field seed? integer
---@field workers? integer
---@field train_scores? boolean

--- Scores against the values of one parameter.
---@param options crossfold.ValidationCurveOptions
---@return crossfold.ValidationCurve
function cf.validation_curve(options) end

---@class (exact) crossfold.BiasVarianceOptions: crossfold.ExecutionOptions
---@field data crossfold.Dataset
---@field learners crossfold.Learners
---@field loss? "zero_one"|"squared"
---@field method? string|string[]
---@field rounds? integer
---@field replace? boolean
---@field train_size? integer
---@field test? crossfold.Dataset
---@field test_share? number
---@field stratify? boolean
---@field seed? integer

--- Bias and variance over repeated training sets: docs/bias_variance.md.
---@param options crossfold.BiasVarianceOptions
---@return crossfold.BiasVariance
function cf.bias_variance(options) end

---@class (exact) crossfold.Bootstrap632Options: crossfold.ExecutionOptions
---@field data crossfold.Dataset
---@field learner crossfold.AnyLearner
---@field loss? "error_rate"|"squared"
---@field method? "632+"|"632"
---@field repeats? integer
---@field stratify? boolean
---@field seed? integer

--- The .632 and .632+ estimates.
---@param options crossfold.Bootstrap632Options
---@return crossfold.Bootstrap632
function cf.bootstrap_632(options) end

---@class crossfold.Bootstrap632
---@field learner string
---@field data string
---@field rows integer
---@field method "632+"|"632"
---@field loss "error_rate"|"squared"
---@field repeats integer
---@field estimate? number
---@field training_error number
---@field out_of_bag_error number
---@field no_information_error number
---@field relative_overfitting? number
---@field weight? number
---@field rows_used integer
---@field rows_left_out integer
---@field undefined? string Why there is no estimate.
local Bootstrap632 = {}
---@param output { json?: crossfold.Output, csv?: crossfold.Output, latex?: crossfold.Output }
---@return string?
function Bootstrap632:to(output) end
---@param options? crossfold.OwnReportOptions
---@return string?
function Bootstrap632:report(options) end

---@class (exact) crossfold.CompareOptions
---@field metric? string
---@field learners? string[]
---@field datasets? string[]
---@field control? string The learner that all others are compared with.
---@field test? string
---@field paired? boolean
---@field alpha? number
---@field confidence? number
---@field rope? number Region of practical equivalence: differences up to so much.
---@field adjust? "holm"|"hochberg"|"bonferroni"|"none"

--- Which learner is better, by a test that is valid for the splits: docs/comparing.md.
---@param result crossfold.Result
---@param options? crossfold.CompareOptions
---@return crossfold.Comparison
function cf.compare(result, options) end

---@class (exact) crossfold.RescoreOptions
---@field store string
---@field metrics crossfold.Metrics
---@field costs? string|table
---@field subgroup? string
---@field run? integer
---@field inner? boolean

--- Other metrics of stored predictions; nothing is fitted.
---@param options crossfold.RescoreOptions
---@return crossfold.Rescored
function cf.rescore(options) end

---@class crossfold.Rescored
local Rescored = {}
---@return table[]
function Rescored:scores() end
---@param output { json?: crossfold.Output, csv?: crossfold.Output }
---@return string?
function Rescored:to(output) end

---@class (exact) crossfold.StoreStatusOptions
---@field run? integer

--- What a store has, by learner.
---@param path string
---@param options? crossfold.StoreStatusOptions
---@return table
function cf.store_status(path, options) end

---@class (exact) crossfold.StoredOptions
---@field store string
---@field run? integer
---@field metrics? crossfold.Spec[] Metrics in Lua, for pooled scores.

--- What a run left in a store, as the results that its script had.
---@param options crossfold.StoredOptions
---@return table
function cf.stored(options) end

---@class (exact) crossfold.ReportOptions
---@field [integer] any Results, curves, comparisons.
---@field title? string
---@field file? crossfold.Output
---@field metric? string
---@field store? string
---@field run? integer

--- One HTML page: docs/report.md.
---@param options crossfold.ReportOptions
---@return string?
function cf.report(options) end

---@class (exact) crossfold.OwnReportOptions
---@field title? string
---@field file? crossfold.Output
---@field metric? string

---@class (exact) crossfold.AuditOptions
---@field data crossfold.Dataset
---@field learners crossfold.Learners|fun(data: crossfold.Dataset): crossfold.Learners
---@field splitter crossfold.AnySplitter
---@field prepare? fun(data: crossfold.Dataset): crossfold.Dataset Work that is done before the split.
---@field folds? integer Splits that are looked at.
---@field near? boolean|table
---@field seed? integer
---@field workers? integer

--- Whether anything of the test rows reaches what is fitted: docs/audit.md.
---@param options crossfold.AuditOptions
---@return crossfold.Audit
function cf.audit(options) end

---@class crossfold.Audit
local Audit = {}
---@return table[]
function Audit:findings() end
--- What was looked at, and what was left out, with the reason.
---@return table[]
function Audit:checks() end
---@param severity? "leak"|"risk"|"note"
---@return boolean
function Audit:passed(severity) end
---@param output { json?: crossfold.Output, csv?: crossfold.Output }
---@return string?
function Audit:to(output) end

---@class (exact) crossfold.ScoreOptions
---@field metrics crossfold.Metrics
---@field truth? any[]
---@field predicted? any[]
---@field probabilities? number[][]
---@field weights? number[]
---@field classes? string[]
---@field costs? table
---@field prediction? crossfold.Prediction

--- Metrics of plain lists or of a prediction.
---@param options crossfold.ScoreOptions
---@return table
function cf.score(options) end

---@class (exact) crossfold.CurveOptions
---@field truth any[]
---@field scores number[]
---@field weights? number[]
---@field positive? string|number|boolean
---@field points? string
---@field bins? integer
---@field binning? string
---@field confidence? number
---@field costs? table

--- A curve over thresholds of plain lists: docs/curves.md.
---@param kind "roc"|"precision_recall"|"det"|"calibration"|"lift"|"cost"|"thresholds"
---@param options crossfold.CurveOptions
---@return crossfold.Curve
function cf.curve(kind, options) end

---@class (exact) crossfold.CheckOptions
---@field seed? integer
---@field include? string
---@field exclude? string
---@field strictness? integer

--- The conformance kit: docs/check.md.
---@param subject any
---@param options? crossfold.CheckOptions
---@return table
function cf.check(subject, options) end

--- What a call would do: fits, time and memory.
---@param f function
---@return table
function cf.plan(f) end

---@class (exact) crossfold.SplitOptions
---@field seed? integer

---@param splitter crossfold.AnySplitter
---@param data crossfold.Dataset
---@param options? crossfold.SplitOptions
---@return crossfold.Splits
---@nodiscard
function cf.split(splitter, data, options) end

---@class (exact) crossfold.ReadOpenmlSplitsOptions
---@field ignore_groups? boolean

---@param path string
---@param data crossfold.Dataset
---@param options? crossfold.ReadOpenmlSplitsOptions
---@return crossfold.Splits
---@nodiscard
function cf.read_openml_splits(path, data, options) end

--- A batch of cells: docs/lua.md, "Underneath".
---@param cells table[]
---@param options? crossfold.ExecutionOptions
---@return crossfold.Outcomes
function cf.run(cells, options) end

--- Runs functions as coroutines whose cells run together.
---@param functions function[]
---@param options? crossfold.ExecutionOptions
---@return table[]
function cf.parallel(functions, options) end

--- The seed at the end of a path.
---@param seed integer
---@param ... string|integer
---@return integer
function cf.seed(seed, ...) end

--- A number as text in every locale; without decimals the shortest that reads back.
---@param x number
---@param decimals? integer
---@return string
function cf.format_number(x, decimals) end

-- Results ----------------------------------------------------------------------------------------

---@class crossfold.Result
local Result = {}

--- Rows { learner, dataset, repeat_, fold, metric, value, undefined, fallback }.
---@return table[]
function Result:scores() end
--- Rows with mean, sd, median ... over the folds in which the metric is defined.
---@return table[]
function Result:summary() end
--- Scores over all predictions at once.
---@return table[]
function Result:pooled() end
--- Rows { learner, dataset, repeat_, fold, row, truth, predicted, probabilities }.
---@return table[]
function Result:predictions() end

---@class (exact) crossfold.OfDataset
---@field dataset? string

---@param learner? string
---@param options? crossfold.OfDataset
---@return { classes: string[], counts: integer[][] }
function Result:confusion(learner, options) end

---@class (exact) crossfold.ResultCurveOptions
---@field learner? string
---@field dataset? string
---@field positive? string
---@field aggregation? string
---@field points? string
---@field bins? integer
---@field binning? string
---@field confidence? number
---@field costs? table
---@field grid? integer
---@field interval? string
---@field samples? integer
---@field seed? integer

---@param kind "roc"|"precision_recall"|"det"|"calibration"|"lift"|"cost"|"thresholds"
---@param options? crossfold.ResultCurveOptions
---@return crossfold.Curve
function Result:curve(kind, options) end
--- What a search chose in each outer fold, with its inner table.
---@param learner? string
---@param options? crossfold.OfDataset
---@return table[]
function Result:tuning(learner, options) end
--- Rows { learner, dataset, repeat_, fold, stage, message, fallback }.
---@return table[]
function Result:failures() end
--- Rows { learner, dataset, repeat_, fold, n_train, n_test, fit_seconds, predict_seconds, failure }.
---@return table[]
function Result:folds() end
---@return table[]
function Result:warnings() end
--- Seed, data and plugins that the numbers came from.
---@return table
function Result:provenance() end

---@class (exact) crossfold.ResultOutput
---@field json? crossfold.Output
---@field csv? crossfold.Output
---@field latex? crossfold.Output

---@param output crossfold.ResultOutput
---@return string?
function Result:to(output) end
--- One HTML page.
---@param options? crossfold.OwnReportOptions
---@return string?
function Result:report(options) end
--- Puts the predictions into a cell store.
---@param path string
function Result:save(path) end

---@class crossfold.Comparison
local Comparison = {}
---@return table[]
function Comparison:rows() end
--- The test over several datasets.
---@return table?
function Comparison:over() end
---@return table[]
function Comparison:win_tie_loss() end
---@return table[]
function Comparison:ranking() end
--- One plain sentence a pair.
---@return string[]
function Comparison:sentences() end
---@return string[]
function Comparison:notes() end
--- One HTML page.
---@param options? crossfold.OwnReportOptions
---@return string?
function Comparison:report(options) end
---@param output { csv?: crossfold.Output, json?: crossfold.Output, latex?: crossfold.Output, text?: crossfold.Output }
---@return string?
function Comparison:to(output) end

---@class crossfold.Curve
local Curve = {}
---@return table[]
function Curve:rows() end
---@param output { csv?: crossfold.Output, json?: crossfold.Output, gnuplot?: crossfold.Output, svg?: crossfold.Output }
---@return string?
function Curve:to(output) end

---@class crossfold.LearningCurve
local LearningCurve = {}
--- The result of evaluate underneath.
---@return crossfold.Result
function LearningCurve:evaluated() end
---@return table[]
function LearningCurve:failures() end
---@return table[]
function LearningCurve:rows() end
---@param options? table
---@return table[]
function LearningCurve:summary(options) end
--- The power law of a learner's curve.
---@param learner? string
---@param options? table
---@return table
function LearningCurve:fit(learner, options) end
---@param first string
---@param second string
---@param options? table
---@return table
function LearningCurve:crossing(first, second, options) end
--- One HTML page.
---@param options? crossfold.OwnReportOptions
---@return string?
function LearningCurve:report(options) end
---@param output { csv?: crossfold.Output, json?: crossfold.Output, gnuplot?: crossfold.Output }
---@return string?
function LearningCurve:to(output) end

---@class crossfold.ValidationCurve
local ValidationCurve = {}
---@return table[]
function ValidationCurve:rows() end
---@return table[]
function ValidationCurve:summary() end
--- One HTML page.
---@param options? crossfold.OwnReportOptions
---@return string?
function ValidationCurve:report(options) end
---@param output { csv?: crossfold.Output, json?: crossfold.Output, gnuplot?: crossfold.Output }
---@return string?
function ValidationCurve:to(output) end

---@class crossfold.BiasVariance
local BiasVariance = {}
---@return table[]
function BiasVariance:rows() end
---@param learner? string
---@return table[]
function BiasVariance:per_row(learner) end
---@return crossfold.Result
function BiasVariance:evaluated() end
---@return table[]
function BiasVariance:failures() end
--- One HTML page.
---@param options? crossfold.OwnReportOptions
---@return string?
function BiasVariance:report(options) end
---@param output { csv?: crossfold.Output, json?: crossfold.Output, latex?: crossfold.Output }
---@return string?
function BiasVariance:to(output) end

-- Figures ----------------------------------------------------------------------------------------

---@class (exact) crossfold.PlotOptions
---@field file? string Also saved there: .svg, .csv or .txt.
---@field title? string

--- Functions of results that return figures: docs/plots.md.
---@class crossfold.plot
cf.plot = {}

---@return string[]
function cf.plot.names() end

--- Whether a plot can be drawn of the subject, and if not, why.
---@param name string
---@param subject any
---@param options? table
---@return boolean, string?
function cf.plot.applicable(name, subject, options) end

---@class crossfold.Figure
local Figure = {}
---@param options? { width?: number, height?: number, inline?: boolean }
---@return string
function Figure:svg(options) end
---@param options? { width?: integer, height?: integer, unicode?: boolean }
---@return string
function Figure:text(options) end
---@return string
function Figure:csv() end
--- By the ending: .svg, .csv or .txt.
---@param path string
function Figure:save(path) end

---@class (exact) crossfold.CurvePlotOptions: crossfold.PlotOptions
---@field learners? string[]
---@field dataset? string
---@field positive? string
---@field aggregation? string
---@field bands? boolean

---@class (exact) crossfold.BiasVariancePlotOptions: crossfold.PlotOptions
---@field method? string

--- The parts of the error.
---@param subject any
---@param options? crossfold.BiasVariancePlotOptions
---@return crossfold.Figure
function cf.plot.bias_variance(subject, options) end

--- Reliability of probabilities.
---@param subject any
---@param options? crossfold.CurvePlotOptions
---@return crossfold.Figure
function cf.plot.calibration(subject, options) end

---@class (exact) crossfold.ConfusionPlotOptions: crossfold.PlotOptions
---@field learner? string
---@field dataset? string

--- Tiles with counts and shares by truth.
---@param subject any
---@param options? crossfold.ConfusionPlotOptions
---@return crossfold.Figure
function cf.plot.confusion(subject, options) end

--- Cost curves.
---@param subject any
---@param options? crossfold.CurvePlotOptions
---@return crossfold.Figure
function cf.plot.cost(subject, options) end

---@class (exact) crossfold.CriticalDifferencePlotOptions: crossfold.PlotOptions
---@field metric? string
---@field alpha? number

--- Average ranks over datasets, and from which difference on they differ.
---@param subject any
---@param options? crossfold.CriticalDifferencePlotOptions
---@return crossfold.Figure
function cf.plot.critical_difference(subject, options) end

--- Detection error trade-offs.
---@param subject any
---@param options? crossfold.CurvePlotOptions
---@return crossfold.Figure
function cf.plot.det(subject, options) end

---@class (exact) crossfold.FailuresPlotOptions: crossfold.PlotOptions
---@field learners? string[]
---@field dataset? string

--- Failed folds by learner and stage.
---@param subject any
---@param options? crossfold.FailuresPlotOptions
---@return crossfold.Figure
function cf.plot.failures(subject, options) end

---@class (exact) crossfold.FoldsPlotOptions: crossfold.PlotOptions
---@field metric? string
---@field learners? string[]
---@field dataset? string
---@field confidence? number

--- The score of every fold, with mean and interval.
---@param subject any
---@param options? crossfold.FoldsPlotOptions
---@return crossfold.Figure
function cf.plot.folds(subject, options) end

---@class (exact) crossfold.GridPlotOptions: crossfold.PlotOptions
---@field learner? string
---@field dataset? string

--- The inner means of a search by setting.
---@param subject any
---@param options? crossfold.GridPlotOptions
---@return crossfold.Figure
function cf.plot.grid(subject, options) end

---@class (exact) crossfold.LearningCurvePlotOptions: crossfold.PlotOptions
---@field metric? string
---@field learners? string[]
---@field confidence? number
---@field fit? boolean
---@field scale? string
---@field to? number

--- Scores by training rows, with the fitted power law.
---@param subject any
---@param options? crossfold.LearningCurvePlotOptions
---@return crossfold.Figure
function cf.plot.learning_curve(subject, options) end

--- Lift curves.
---@param subject any
---@param options? crossfold.CurvePlotOptions
---@return crossfold.Figure
function cf.plot.lift(subject, options) end

--- Precision-recall curves.
---@param subject any
---@param options? crossfold.CurvePlotOptions
---@return crossfold.Figure
function cf.plot.precision_recall(subject, options) end

--- ROC curves.
---@param subject any
---@param options? crossfold.CurvePlotOptions
---@return crossfold.Figure
function cf.plot.roc(subject, options) end

---@class (exact) crossfold.SummaryPlotOptions: crossfold.PlotOptions
---@field metric? string
---@field learners? string[]
---@field dataset? string
---@field confidence? number

--- Means with intervals.
---@param subject any
---@param options? crossfold.SummaryPlotOptions
---@return crossfold.Figure
function cf.plot.summary(subject, options) end

---@class (exact) crossfold.TimesPlotOptions: crossfold.PlotOptions
---@field learners? string[]
---@field dataset? string

--- Seconds of fits and predictions.
---@param subject any
---@param options? crossfold.TimesPlotOptions
---@return crossfold.Figure
function cf.plot.times(subject, options) end

---@class (exact) crossfold.TuningPlotOptions: crossfold.PlotOptions
---@field learner? string
---@field dataset? string

--- How often each setting was chosen.
---@param subject any
---@param options? crossfold.TuningPlotOptions
---@return crossfold.Figure
function cf.plot.tuning(subject, options) end

---@class (exact) crossfold.ValidationCurvePlotOptions: crossfold.PlotOptions

--- Scores by a parameter.
---@param subject any
---@param options? crossfold.ValidationCurvePlotOptions
---@return crossfold.Figure
function cf.plot.validation_curve(subject, options) end

-- Statistics -------------------------------------------------------------------------------------

--- Pure functions over numbers: docs/statistics.md, docs/statistics_ranks.md. Figures that do not exist are
--- nil, with the reason in `undefined`.
---@class crossfold.stats
cf.stats = {}

---@class (exact) crossfold.AccuracyIntervalOptions
---@field correct integer
---@field n integer
---@field method? "wilson"|"wilson_corrected"|"normal"|"clopper_pearson"|"agresti_coull"|"jeffreys"
---@field confidence? number

---@param options crossfold.AccuracyIntervalOptions
---@return table
function cf.stats.accuracy_interval(options) end

---@class (exact) crossfold.TwoProportionsOptions
---@field correct? integer[]
---@field errors? integer[]
---@field accuracies? number[]
---@field error_rates? number[]
---@field n integer[]
---@field confidence? number

---@param options crossfold.TwoProportionsOptions
---@return table
function cf.stats.two_proportions(options) end

---@class (exact) crossfold.PairedTOptions
---@field confidence? number

---@param differences number[]
---@param options? crossfold.PairedTOptions
---@return table
function cf.stats.paired_t(differences, options) end

---@class (exact) crossfold.CorrectedTOptions
---@field test_train_ratio? number
---@field n_train? integer|integer[]
---@field n_test? integer|integer[]
---@field confidence? number

--- Nadeau and Bengio (2003).
---@param differences number[]
---@param options crossfold.CorrectedTOptions
---@return table
function cf.stats.corrected_t(differences, options) end

---@class (exact) crossfold.BayesCorrelatedTOptions
---@field rho? number
---@field n_train? integer|integer[]
---@field n_test? integer|integer[]
---@field rope? number
---@field confidence? number

---@param differences number[]
---@param options crossfold.BayesCorrelatedTOptions
---@return table
function cf.stats.bayes_correlated_t(differences, options) end

---@class (exact) crossfold.FiveByTwoOptions
---@field differences number[][]

---@param options crossfold.FiveByTwoOptions
---@return table
function cf.stats.five_by_two(options) end

---@class (exact) crossfold.McnemarOptions
---@field only_first integer
---@field only_second integer
---@field method? string

---@param options crossfold.McnemarOptions
---@return table
function cf.stats.mcnemar(options) end

---@param rows any[][]
---@return table
function cf.stats.cochran_q(rows) end

---@class (exact) crossfold.WilcoxonOptions
---@field zeros? string
---@field method? string
---@field continuity? boolean
---@field tie_correction? boolean
---@field tie_tolerance? number

---@param differences number[]
---@param options? crossfold.WilcoxonOptions
---@return table
function cf.stats.wilcoxon(differences, options) end

---@class (exact) crossfold.SignTestOptions
---@field ties? string
---@field tie_tolerance? number

---@param differences number[]
---@param options? crossfold.SignTestOptions
---@return table
function cf.stats.sign_test(differences, options) end

---@class (exact) crossfold.AdjustPOptions
---@field method? "holm"|"hochberg"|"bonferroni"

---@param p_values number[]
---@param options? crossfold.AdjustPOptions
---@return number[]
function cf.stats.adjust_p(p_values, options) end

---@class (exact) crossfold.FriedmanOptions
---@field higher_is_better boolean
---@field learners? string[]
---@field alpha? number
---@field control? string|integer

---@param scores number[][]
---@param options crossfold.FriedmanOptions
---@return table
function cf.stats.friedman(scores, options) end

---@class (exact) crossfold.CriticalDifferenceOptions
---@field learners integer
---@field datasets integer
---@field alpha? number
---@field method? "nemenyi"|"bonferroni_dunn"

---@param options crossfold.CriticalDifferenceOptions
---@return number?
function cf.stats.critical_difference(options) end

---@class (exact) crossfold.BootstrapIntervalOptions
---@field statistic? "mean"|"median"|fun(values: number[]): number
---@field method? "bca"|"percentile"
---@field samples? integer
---@field confidence? number
---@field seed? integer

---@param values number[]
---@param options? crossfold.BootstrapIntervalOptions
---@return table
function cf.stats.bootstrap_interval(values, options) end

---@class (exact) crossfold.Combined632Options
---@field training_error number
---@field out_of_bag_error number
---@field no_information_error? number

---@param options crossfold.Combined632Options
---@return table
function cf.stats.bootstrap_632(options) end

---@class (exact) crossfold.NoInformationErrorOptions
---@field truth any[]
---@field predictions any[]
---@field loss? "zero_one"|"squared"

---@param options crossfold.NoInformationErrorOptions
---@return number
function cf.stats.no_information_error(options) end

---@class (exact) crossfold.OutOfBagErrorOptions
---@field rows integer
---@field tested integer[]
---@field losses number[]

---@param options crossfold.OutOfBagErrorOptions
---@return table
function cf.stats.out_of_bag_error(options) end

---@class (exact) crossfold.BiasVariancePartsOptions
---@field truth any[]
---@field predictions any[][]
---@field loss? "zero_one"|"squared"

---@param options crossfold.BiasVariancePartsOptions
---@return table
function cf.stats.bias_variance(options) end

---@class (exact) crossfold.PowerDesign
---@field test? "corrected_t"|"mcnemar"
---@field folds? integer
---@field repeats? integer
---@field test_share? number
---@field disagreement? number
---@field training_sd? number
---@field alpha? number

---@class (exact) crossfold.PowerOptions: crossfold.PowerDesign
---@field rows integer
---@field difference number

---@param options crossfold.PowerOptions
---@return table
function cf.stats.power(options) end

---@class (exact) crossfold.DetectableDifferenceOptions: crossfold.PowerDesign
---@field rows integer
---@field power? number

---@param options crossfold.DetectableDifferenceOptions
---@return table
function cf.stats.detectable_difference(options) end

---@class (exact) crossfold.RowsNeededOptions: crossfold.PowerDesign
---@field difference number
---@field power? number

---@param options crossfold.RowsNeededOptions
---@return table
function cf.stats.rows_needed(options) end

---@class (exact) crossfold.PowerLawOptions
---@field n number[]
---@field errors number[]
---@field weights? number[]
---@field trials? number[][]
---@field test_to_train? number[]
---@field confidence? number

---@param options crossfold.PowerLawOptions
---@return table
function cf.stats.power_law(options) end

return cf
