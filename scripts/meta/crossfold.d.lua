---@meta crossfold
-- Definitions of the module for the Lua language server (LuaLS): completion and checks in editors.
-- Nothing here runs. `crossfold plugin annotate` writes those of the components that are installed,
-- with their parameters. tests/scripts/meta/meta_test.lua compares both ways with what the module has.

---@class crossfold
---@field _VERSION string
---@field null userdata A missing entry; also of columns.
---@field stats crossfold.stats Tests and intervals over plain numbers: docs/statistics.md.
---@field plot crossfold.plot Figures: docs/plots.md.
local cf = {}

-- Values -----------------------------------------------------------------------------------------

--- A learner of a plugin with its parameters, or a pipeline of such; never changes.
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

--- A model fitted on all rows.
---@param data crossfold.Dataset
---@param options? crossfold.FitOptions
---@return crossfold.Model
function Spec:fit(data, options) end

---@class (exact) crossfold.CompositeFitOptions
---@field seed? integer

---@class (exact) crossfold.FitOptions: crossfold.CompositeFitOptions
---@field start? crossfold.Model The learner goes on from this model of its kind.

--- A splitter, a transform or a metric of a plugin with its parameters; never changes.
---@class crossfold.Component
local Component = {}

--- A copy with other parameters.
---@param params table<string, any>
---@return crossfold.Component
---@nodiscard
function Component:with(params) end
--- The parameters that were given.
---@return table<string, any>
function Component:params() end
--- "crossfold.kfold"
---@return string
function Component:id() end
--- "kfold"
---@return string
function Component:short_id() end
---@return "splitter"|"transform"|"metric"
function Component:kind() end

---@class crossfold.Metric: crossfold.Component
local Metric = {}

---@param params table<string, any>
---@return crossfold.Metric
---@nodiscard
function Metric:with(params) end
--- 1: higher is better, -1: lower, 0: neither.
---@return 1|-1|0
function Metric:direction() end
--- The worst and the best value; nil where there is no bound.
---@return number?, number?
function Metric:range() end
---@return boolean
function Metric:needs_probabilities() end

--- A learner put together in Lua: a search, an ensemble, a learner of functions.
---@class crossfold.Composite
local Composite = {}

---@param data crossfold.Dataset
---@param options? crossfold.CompositeFitOptions
---@return crossfold.Model
function Composite:fit(data, options) end
--- A copy with other parameters of what is inside: docs/lua.md, "Names of parameters".
---@param params table<string, any>
---@return crossfold.Composite
---@nodiscard
function Composite:with(params) end

--- A search for a setting by cross-validation inside its training rows; a learner.
---@class crossfold.Search: crossfold.Composite
local Search = {}

--- A model of the chosen setting, fitted on all rows; and what was found.
---@param data crossfold.Dataset
---@param options? crossfold.CompositeFitOptions
---@return crossfold.Model, crossfold.Chosen
function Search:fit(data, options) end

--- How many cells the search runs on these rows, or with `splitter` in all outer folds.
---@param data crossfold.Dataset
---@param options? crossfold.SearchPlanOptions
---@return crossfold.SearchPlan
function Search:plan(data, options) end

---@class crossfold.SearchPlan
---@field candidates integer
---@field of integer Candidates before the budget.
---@field folds integer
---@field cells integer
---@field at_most? boolean
---@field seconds? number Of the budget.
---@field outer_folds? integer With `splitter`.
---@field total_cells? integer
---@field each? integer[] Cells by outer fold.

---@class (exact) crossfold.SearchPlanOptions
---@field splitter? crossfold.AnySplitter
---@field seed? integer

---@alias crossfold.AnyLearner string|crossfold.Spec|crossfold.Composite
---@alias crossfold.AnySplitter string|crossfold.Component|table
---@alias crossfold.AnyMetric string|crossfold.Metric|table
---@alias crossfold.Learners crossfold.AnyLearner|table<string|integer, crossfold.AnyLearner>
---@alias crossfold.Metrics crossfold.AnyMetric|crossfold.AnyMetric[]
---@alias crossfold.Output string|boolean A path, or true to get the text.
---@alias crossfold.CurveKind "roc"|"precision_recall"|"det"|"calibration"|"lift"|"cost"|"thresholds"
---@alias crossfold.Keep "labels"|"probabilities"|"none"
---@alias crossfold.Isolation "auto"|"none"|"worker"|"fresh"
---@alias crossfold.Costs number[][]|table<string, table<string, number>>

--- One of the forms: what is written where.
---@class (exact) crossfold.TextOutput
---@field json? crossfold.Output
---@field text? crossfold.Output

---@class (exact) crossfold.TableOutput
---@field json? crossfold.Output
---@field csv? crossfold.Output

---@class (exact) crossfold.ResultOutput: crossfold.TableOutput
---@field latex? crossfold.Output

---@class (exact) crossfold.PlotOutput: crossfold.TableOutput
---@field gnuplot? crossfold.Output

---@class (exact) crossfold.CurveOutput: crossfold.PlotOutput
---@field svg? crossfold.Output

---@class (exact) crossfold.ComparisonOutput: crossfold.ResultOutput
---@field text? crossfold.Output

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
--- How many rows `drop_missing` left out.
---@return integer
function Dataset:dropped_rows() end
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
--- The same data seen through the rows for which the function returns true. `row` holds the entries of
--- a row by column, as `column` shows them, during the call.
---@param keep fun(row: table<string, any>, id: integer): boolean
---@return crossfold.Dataset
---@nodiscard
function Dataset:filter(keep) end
--- The same rows and columns with other roles; those that are not named stay.
---@param roles crossfold.OtherRoles
---@return crossfold.Dataset
---@nodiscard
function Dataset:with_roles(roles) end
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

--- Names of columns; false for none.
---@class (exact) crossfold.OtherRoles
---@field target? string|false
---@field weights? string|false
---@field groups? string|false
---@field time? string|false
---@field folds? string|false
---@field strata? string|false
---@field row_costs? table<string, string>|false
---@field costs? crossfold.Costs

---@class (exact) crossfold.DescribeOptions
---@field folds? integer Classes with fewer rows are told.
---@field most_frequent? integer Levels that are listed.
---@field threads? integer

---@class crossfold.ValueCount
---@field value string
---@field count integer
---@field share number

---@class crossfold.ColumnReport
---@field name string
---@field type string
---@field role string
---@field missing integer
---@field missing_share number
---@field distinct integer
---@field min? number
---@field median? number
---@field mean? number
---@field max? number
---@field sd? number
---@field levels? integer
---@field most_frequent? crossfold.ValueCount[]

---@class crossfold.DataFinding
---@field kind string
---@field warning boolean
---@field columns string[]
---@field message string

--- A report on data: columns, findings and figures.
---@class crossfold.DataReport
---@field name string
---@field task "classification"|"regression"|"none"
---@field rows integer
---@field features integer
---@field dropped_rows integer That drop_missing left out.
---@field duplicate_rows integer
---@field contradicting_rows integer
---@field classes? crossfold.ValueCount[]
---@field columns crossfold.ColumnReport[]
---@field findings crossfold.DataFinding[]
local DataReport = {}

---@param name string
---@return crossfold.ColumnReport
function DataReport:column(name) end
---@param output crossfold.TextOutput
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

--- Nil of a regression; these and the others are not marked so, as every script would have to ask.
---@return string[]
function Prediction:labels() end
--- Nil of a classification.
---@return number[]
function Prediction:values() end
--- One list a row, in the order of classes(); nil if the learner gave none.
---@return number[][]
function Prediction:probabilities() end
---@return integer[]
function Prediction:row_ids() end
--- Nil where the rows have no target.
---@return any[]
function Prediction:truth() end
---@return string[]
function Prediction:classes() end
---@return crossfold.Confusion
function Prediction:confusion() end

---@class crossfold.SplitDesign
---@field kind "partition"|"lists"
---@field size integer Splits.
---@field rows integer
---@field repeats? integer Of a partition.
---@field folds? integer Of its first repeat.

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
--- How many different rows train and test; a bootstrap sample repeats some.
---@param i integer
---@return integer, integer
function Splits:distinct_rows(i) end
---@return crossfold.SplitDesign
function Splits:design() end
---@param other crossfold.Splits
---@return boolean
function Splits:same(other) end
--- What the splitter said that a reader of the scores should know.
---@return string[]
function Splits:notes() end
--- Whether rows that are later than test rows train for them; not for test rows in one block of time.
---@return boolean
function Splits:mixes_past_and_future() end
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

---@alias crossfold.Encoding
---| "utf-8"
---| "utf8"
---| "latin1"
---| "iso-8859-1"
---| "windows-1252"
---| "cp1252"
---| "utf-16"
---| "utf-16le"
---| "utf-16be"

--- Of files by their format, and of tables of SQLite: cf.read { sqlite = path, query = | table = }.
---@alias crossfold.ColumnType "f64"|"f32"|"i32"|"i64"|"bool"|"categorical"|"numeric"|"ignore"

--- Formats of the bundled sources, or what a source of others reads.
---@alias crossfold.DataFormat
---| "arff"
---| "arrow"
---| "arrows"
---| "csv"
---| "db"
---| "duckdb"
---| "feather"
---| "ipc"
---| "json"
---| "jsonl"
---| "libsvm"
---| "ndjson"
---| "parquet"
---| "sqlite"
---| "sqlite3"
---| "svm"
---| "svmlight"
---| "tsv"
---| string

---@class (exact) crossfold.ReadOptions: crossfold.Roles
---@field format? crossfold.DataFormat
---@field types? table<string, crossfold.ColumnType|string[]> A list: all levels in their order.
---@field like? crossfold.Model Columns get the types and levels of its training data.
---@field drop_missing? string[] Rows without an entry in these columns or roles are left out.
---@field missing? string[] Cells that mean "missing"; default empty, `?`, `NA`.
---@field separator? string A character, "tab", "space" or "auto".
---@field quote? string|false
---@field decimal? string "." or ",".
---@field thousands? string|false Between groups of digits: ",", ".", "_", a blank or an apostrophe.
---@field encoding? crossfold.Encoding|string In upper case, too.
---@field skip_lines? integer
---@field comment? string|false
---@field header? boolean
---@field names? string[]
---@field most_bytes? integer Maximum size of unpacked texts, of pipes, of LIBSVM columns; a CSV line has 1/64.
---@field n_features? integer Of LIBSVM.
---@field task? "classification"|"regression" Of LIBSVM.
---@field sqlite? string
---@field query? string|false
---@field table? string|false
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
---@field type? "categorical"|string[] A list: all levels in their order.
---@field levels? string[]

---@class (exact) crossfold.DatasetOptions: crossfold.Roles
---@field name? string
---@field columns crossfold.ColumnOptions[]
---@field drop_missing? string[] Rows without an entry in these columns or roles are left out.

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

--- A parameter of what is written in Lua.
---@class (exact) crossfold.LuaParameter
---@field type? "real"|"integer"|"boolean"|"choice"|"string"|"integers"|"reals" As of the default.
---@field default number|string|boolean|table|userdata cf.null: it may be left without a value.
---@field low? number
---@field high? number
---@field low_open? boolean The bound itself is out of range.
---@field high_open? boolean
---@field scale? "linear"|"log" How searches draw it.
---@field choices? string[]
---@field active_if? string As in "kernel=gauss": it has no effect otherwise.

---@class (exact) crossfold.LuaLearner
---@field name? string
---@field params? table<string, crossfold.LuaParameter> `context.params` of fit has their values.
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
---@field params? table<string, crossfold.LuaParameter>
---@field fit fun(data: crossfold.Dataset, context: table): any
---@field apply fun(state: any, data: crossfold.Dataset): table
---@field columns? string|string[] features that it gets: names, patterns such as "lab_*", types such as "numeric"
---@field except? string|string[] features that it does not get

--- A transform of a plugin, or one of functions. Beside its own parameters each has `columns` and `except`:
--- the features that it gets; the others stay unchanged.
---@param id string|crossfold.LuaTransform
---@param params? table<string, any>
---@return crossfold.Component
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
---@field ignore_groups? boolean Whether a group may be on both sides of a split.

---@param id string|crossfold.LuaSplitter
---@param params? table<string, any>
---@return crossfold.Component
---@nodiscard
function cf.splitter(id, params) end

---@class (exact) crossfold.LuaMetric
---@field name string
---@field direction "higher"|"lower"|"neither"
---@field score fun(truth: any[], predicted: any[], info: table): number?, string?
---@field needs_probabilities? boolean

---@param id string|crossfold.LuaMetric
---@param params? table<string, any>
---@return crossfold.Metric
---@nodiscard
function cf.metric(id, params) end

--- A learner of steps, each fitted on training rows only.
---@param steps (string|crossfold.Spec|crossfold.Component|crossfold.Composite|crossfold.Step)[]
---@return crossfold.Spec
---@nodiscard
function cf.pipeline(steps) end

--- A step of a pipeline behind its learner.
---@class crossfold.Step

---@class (exact) crossfold.CalibrationOptions
---@field method "platt"|"isotonic"
---@field splitter? crossfold.AnySplitter
---@field ensemble? boolean

--- A step behind a learner that calibrates its probabilities: docs/thresholds.md.
---@param options crossfold.CalibrationOptions
---@return crossfold.Step
---@nodiscard
function cf.calibration(options) end

---@class (exact) crossfold.ThresholdOptions
---@field metric? "f1"|"accuracy"|"balanced_accuracy"|"youden"|"mcc"
---@field costs? "data"|crossfold.Costs Those of the dataset, or rows by truth.
---@field positive? string
---@field splitter? crossfold.AnySplitter

--- A step behind a learner that chooses the threshold of a decision inside the training rows.
---@param options crossfold.ThresholdOptions
---@return crossfold.Step
---@nodiscard
function cf.threshold(options) end

---@class (exact) crossfold.MinimumCostOptions
---@field costs? table

--- A step behind a learner that decides for the class of the least expected cost.
---@param options? crossfold.MinimumCostOptions
---@return crossfold.Step
---@nodiscard
function cf.minimum_cost(options) end

-- Searches and ensembles -------------------------------------------------------------------------

---@class (exact) crossfold.SearchOptions
---@field learner crossfold.AnyLearner
---@field splitter crossfold.AnySplitter The inner folds.
---@field metric crossfold.AnyMetric The metric that decides.
---@field metrics? crossfold.Metrics More whose inner means are kept.
---@field choose? "best"|"one_se"|"within_noise"
---@field simplest? table<string, "higher"|"lower"|any[]>|table[]|fun(params: table<string, any>): number
---@field alpha? number Of choose = "within_noise".
---@field budget? crossfold.SearchBudget One of both.

---@class (exact) crossfold.SearchBudget
---@field cells? integer
---@field seconds? number Of grid_search and random_search.

--- The values that are drawn; bounds that are left out are those that the parameter declares.
---@class (exact) crossfold.Range
---@field low? number
---@field high? number
---@field scale? "log"|"linear"

---@class (exact) crossfold.GridSearchOptions: crossfold.SearchOptions
---@field grid table<string, any[]>|table[]
---@field inactive? "refuse"|"drop"

--- All settings of a grid: docs/tuning.md.
---@param options crossfold.GridSearchOptions
---@return crossfold.Search
---@nodiscard
function cf.grid_search(options) end

---@class (exact) crossfold.RandomSearchOptions: crossfold.SearchOptions
---@field space table<string, "declared"|crossfold.Range|any[]>
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
---@field space? table<string, "declared"|crossfold.Range|any[]>
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
---@field space? table<string, "declared"|crossfold.Range|any[]>
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

--- One of several learners, which a search chooses: its parameter `choice`.
---@param learners table<string, crossfold.AnyLearner>
---@return crossfold.Composite
---@nodiscard
function cf.choice(learners) end

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
---@field n integer Samples.
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
---@class (exact) crossfold.PlaceOptions
---@field workers? integer Cells at the same time; 0 = one a core.
---@field store? string|false
---@field store_predictions? integer|string|false
---@field on_store_error? "continue"|"stop"
---@field limits? crossfold.Limits

---@class (exact) crossfold.ExecutionOptions: crossfold.PlaceOptions
---@field isolate? crossfold.Isolation

--- Of several learners, each of which may have a way of its own.
---@class (exact) crossfold.LearnersExecutionOptions: crossfold.PlaceOptions
---@field isolate? crossfold.Isolation|table<string, crossfold.Isolation>

---@class (exact) crossfold.EvaluateOptions: crossfold.LearnersExecutionOptions
---@field data? crossfold.Dataset
---@field datasets? table<string|integer, crossfold.Dataset>
---@field learners crossfold.Learners
---@field splitter crossfold.AnySplitter
---@field metrics crossfold.Metrics
---@field seed? integer
---@field keep? crossfold.Keep
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

---@class (exact) crossfold.LearningCurveOptions: crossfold.LearnersExecutionOptions
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
---@field keep? crossfold.Keep
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

---@class (exact) crossfold.BiasVarianceOptions: crossfold.LearnersExecutionOptions
---@field data crossfold.Dataset
---@field learners crossfold.Learners
---@field loss? "zero_one"|"squared"
---@field method? "kohavi_wolpert"|"domingos"
---@field rounds? integer
---@field replace? boolean
---@field train_size? number A share below 1, else rows.
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
--- The seed that was given, data, plugin.
---@return table
function Bootstrap632:provenance() end
---@param output crossfold.ResultOutput
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
---@field test? "corrected_t"|"mcnemar"|"five_by_two_t"|"five_by_two_f"|"unpaired_t"|"paired_t"
---@field paired? boolean
---@field alpha? number
---@field confidence? number
---@field rope? number Region of practical equivalence: differences up to so much.
---@field adjust? "holm"|"hochberg"|"bonferroni"|"benjamini_hochberg"
---@field seed? integer Of the Bayesian signed-rank test over datasets.

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

---@class crossfold.RescoredRow: crossfold.FoldPlace
---@field candidate? string The setting.
---@field occurrence integer Counts cells of the same names, repeat and fold.
---@field metric string
---@field value? number
---@field undefined? string

---@class crossfold.Rescored
local Rescored = {}
---@return crossfold.RescoredRow[]
function Rescored:scores() end
---@param output crossfold.TableOutput
---@return string?
function Rescored:to(output) end

---@class (exact) crossfold.StoreStatusOptions
---@field run? integer

---@class crossfold.StoreLearner
---@field learner string
---@field dataset string
---@field inner boolean
---@field wanted integer
---@field done integer
---@field failed integer
---@field stopped integer
---@field missing integer
---@field predictions integer

---@class crossfold.StoreRun
---@field run integer
---@field started string
---@field script string

---@class crossfold.StoreStatus
---@field cells integer
---@field predictions integer
---@field datasets integer
---@field prediction_bytes integer
---@field file_bytes integer
---@field damaged string[] names of damaged rows
---@field learners crossfold.StoreLearner[]
---@field runs crossfold.StoreRun[]
---@field found integer By this program so far.
---@field computed integer

--- What a store has, by learner.
---@param path string
---@param options? crossfold.StoreStatusOptions
---@return crossfold.StoreStatus
function cf.store_status(path, options) end

---@class (exact) crossfold.StoredOptions
---@field store string
---@field run? integer
---@field metrics? crossfold.Metric[] Metrics in Lua, for pooled scores.

---@class crossfold.StoredRun
---@field run integer
---@field started string
---@field finished boolean
---@field script string
---@field script_text string
---@field arguments string[]
---@field crossfold string The version.
---@field seed integer
---@field results crossfold.Result[]
---@field curves crossfold.LearningCurve[]
---@field validation_curves crossfold.ValidationCurve[]
---@field bias_variance crossfold.BiasVariance[]
---@field bootstrap_632 crossfold.Bootstrap632[]
---@field damaged string[]

--- What a run left in a store, as the results that its script had.
---@param options crossfold.StoredOptions
---@return crossfold.StoredRun
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
---@field near? boolean|crossfold.NearOptions
---@field waive? crossfold.AuditRisk[] Findings that are no reason to fail.
---@field seed? integer
---@field workers? integer

---@class (exact) crossfold.NearOptions
---@field ratio? number Rows are near from this share of the usual distance down.
---@field rows? integer Test rows that are looked at.
---@field train_rows? integer

--- Whether anything of the test rows reaches what is fitted: docs/audit.md.
---@param options crossfold.AuditOptions
---@return crossfold.Audit
function cf.audit(options) end

---@alias crossfold.Severity "leak"|"risk"|"note"

---@alias crossfold.AuditRisk
---| "blind"
---| "captured"
---| "duplicates"
---| "filled_before_split"
---| "group_candidate"
---| "id_order"
---| "near_duplicates"
---| "not_reproducible"
---| "rows_made_before_split"
---| "scaled_before_split"
---| "target_encoded"
---| "target_predictor"
---| "time"

---@class crossfold.AuditFinding
---@field severity crossfold.Severity
---@field kind string
---@field message string
---@field stage string
---@field learner? string
---@field repeat_? integer Of the first split where it was seen.
---@field fold? integer
---@field splits? integer
---@field columns? string
---@field rows? string
---@field count? integer
---@field waived? boolean

---@class crossfold.AuditUnseen
---@field what string
---@field instead string What to do about it.

---@class crossfold.AuditCheck
---@field check string
---@field subject? string
---@field skipped? string Why it was not made.

---@class crossfold.Audit
local Audit = {}
---@return crossfold.AuditFinding[]
function Audit:findings() end
--- What was looked at, and what was left out, with the reason.
---@return crossfold.AuditCheck[]
function Audit:checks() end
--- What was not looked for.
---@return crossfold.AuditUnseen[]
function Audit:unseen() end
--- Whether there is no leak and no risk that was not waived.
---@param severity? crossfold.Severity
---@return boolean
function Audit:passed(severity) end
---@param output crossfold.TableOutput
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
---@field points? "all"|"corners"|"hull" Of kind "roc".
---@field bins? integer
---@field binning? "uniform"|"quantile" Of kind "calibration".
---@field confidence? number
---@field costs? table

--- A curve over thresholds of plain lists: docs/curves.md.
---@param kind crossfold.CurveKind
---@param options crossfold.CurveOptions
---@return crossfold.Curve
function cf.curve(kind, options) end

---@class (exact) crossfold.CheckOptions
---@field seed? integer
---@field include? string
---@field exclude? string
---@field strictness? integer

---@class crossfold.CheckResult
---@field check string
---@field component string
---@field outcome "ok"|"warning"|"expected-failure"|"skipped"|"failed"|"crashed"|"timeout"
---@field text string
---@field seconds? number

---@class crossfold.CheckReport
---@field passed boolean
---@field counts table<string, integer> By outcome.
---@field results crossfold.CheckResult[]
local CheckReport = {}
--- "15 checks: 12 ok, 3 skipped"
---@return string
function CheckReport:summary() end

--- The conformance kit: docs/check.md.
---@param subject any
---@param options? crossfold.CheckOptions
---@return crossfold.CheckReport
function cf.check(subject, options) end

---@class crossfold.PlannedStructure
---@field learner string
---@field dataset string
---@field rows integer

---@class crossfold.Plan
---@field fits_asked integer
---@field fits_done integer
---@field transform_fits integer
---@field lua_fits integer
---@field passes integer
---@field structures crossfold.PlannedStructure[]
---@field seconds? number
---@field workers integer
---@field bytes integer
---@field at_most boolean
---@field probed string[]

--- What a call would do: fits, time and memory.
---@param f function
---@return crossfold.Plan
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

--- Without `split` all splits; with `count` so many from `split` on.
---@class (exact) crossfold.Cell
---@field learner crossfold.AnyLearner
---@field splits crossfold.Splits
---@field split? integer
---@field count? integer
---@field seed? integer
---@field metrics? crossfold.Metrics
---@field keep? crossfold.Keep
---@field isolate? crossfold.Isolation

--- A batch of cells: docs/lua.md, "Underneath".
---@param cells crossfold.Cell[]
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

--- Where a row is from.
---@class crossfold.FoldPlace
---@field learner string
---@field dataset string
---@field repeat_ integer
---@field fold integer

---@class crossfold.ScoreRow: crossfold.FoldPlace
---@field metric string
---@field value? number
---@field undefined? string Why there is no value.
---@field fallback? boolean

--- Over the folds in which the metric is defined.
---@class crossfold.SummaryRow
---@field learner string
---@field dataset string
---@field metric string
---@field aggregation string
---@field folds integer
---@field defined integer
---@field failed integer
---@field fallback integer Folds with the scores of the fallback.
---@field missing? integer Folds of a stored result that are not computed yet.
---@field mean? number
---@field sd? number
---@field min? number
---@field max? number
---@field median? number
---@field mode? number

---@class crossfold.PooledRow
---@field learner string
---@field dataset string
---@field metric string
---@field aggregation string
---@field value? number
---@field undefined? string

---@class crossfold.PredictionRow: crossfold.FoldPlace
---@field row integer
---@field truth any
---@field predicted string|number
---@field probabilities? number[] In the order of the classes.

---@class crossfold.Confusion
---@field classes string[]
---@field counts integer[][] Rows by truth.

--- Of one class, or a mean over the classes.
---@class crossfold.ClassScores
---@field class? string
---@field precision? number
---@field recall? number
---@field f1? number
---@field support integer Rows of the class.
---@field undefined table<string, string> Metric -> why it has no value.

---@class crossfold.ClassReport
---@field rows crossfold.ClassScores[] By class.
---@field macro crossfold.ClassScores
---@field weighted crossfold.ClassScores

--- Of a metric beside the one that decides.
---@class crossfold.InnerScore
---@field mean? number
---@field sd? number
---@field n_folds integer
---@field undefined? string

--- What a search found for one setting.
---@class crossfold.InnerRow
---@field candidate string
---@field params table<string, any>
---@field n_folds integer
---@field values? table<integer, number> By inner fold.
---@field mean? number
---@field sd? number
---@field failure? string
---@field metrics? table<string, crossfold.InnerScore>
---@field p? number
---@field resource? number Of cf.halving_search.
---@field round? integer
---@field dropped_after? integer Of cf.race_search: inner folds.
---@field worse_than? string
---@field skipped? string Why it was not evaluated.

---@class crossfold.SearchRound
---@field candidates integer
---@field round? integer Of cf.halving_search.
---@field resource? number
---@field cells? integer
---@field best? string
---@field mean? number
---@field folds? integer Of cf.race_search.
---@field left? integer
---@field leader? string

--- What a learner chose inside its training rows.
---@class crossfold.Chosen
---@field chosen? table<string, any> The parameters that a search chose.
---@field candidate? string
---@field metric? string
---@field choose? "best"|"one_se"|"within_noise"
---@field mean? number
---@field sd? number
---@field best? string
---@field front? string[] Settings that none beats in all metrics.
---@field cells? integer
---@field stopped? string Why not all candidates were evaluated.
---@field inner? table<integer, crossfold.InnerRow> By candidate.
---@field rounds? crossfold.SearchRound[]
---@field resource? string
---@field error? number
---@field level? number
---@field looks? integer
---@field threshold? number Of cf.threshold.
---@field positive? string
---@field value? number
---@field tp? integer
---@field fp? integer
---@field tn? integer
---@field fn? integer
---@field warning? string Why the threshold changes nothing; also among the warnings of a result.
---@field calibration? "platt"|"isotonic" Of cf.calibration.
---@field maps? table[]
---@field learner? crossfold.Chosen What the learner in front of a threshold or a calibration chose.

---@class crossfold.TuningRow: crossfold.Chosen
---@field repeat_ integer
---@field fold integer
---@field failure? string

---@class crossfold.FailureRow: crossfold.FoldPlace
---@field stage string
---@field message string
---@field fallback? boolean

---@class crossfold.WarningRow: crossfold.FoldPlace
---@field message string

---@class crossfold.FoldRow: crossfold.FoldPlace
---@field group? string|number Of all test rows, if the data have groups and there is one.
---@field n_train? integer
---@field n_test? integer
---@field fit_seconds? number
---@field predict_seconds? number
---@field failure? string

---@class crossfold.LearnerProvenance
---@field name string
---@field learner string
---@field plugin? string
---@field plugin_version? string
---@field plugin_sha256? string

---@class crossfold.DatasetProvenance
---@field name string
---@field rows integer
---@field hash string
---@field dropped_rows? integer That drop_missing left out.

---@class crossfold.Provenance
---@field crossfold string The version.
---@field seed integer
---@field splitter string
---@field learners crossfold.LearnerProvenance[]
---@field datasets crossfold.DatasetProvenance[]

---@class crossfold.Result
local Result = {}

--- One row a learner, dataset, fold and metric.
---@return crossfold.ScoreRow[]
function Result:scores() end
--- Rows with mean, sd, median ... over the folds in which the metric is defined.
---@return crossfold.SummaryRow[]
function Result:summary() end
--- Scores over all predictions at once.
---@return crossfold.PooledRow[]
function Result:pooled() end

---@class (exact) crossfold.PredictionsOptions
---@field csv? string|boolean A path, or true for the text.

--- One row an out-of-fold prediction; with `csv` written there instead.
---@param options? crossfold.PredictionsOptions
---@return crossfold.PredictionRow[]
function Result:predictions(options) end

---@class (exact) crossfold.OfDataset
---@field dataset? string

---@param learner? string
---@param options? crossfold.OfDataset
---@return crossfold.Confusion
function Result:confusion(learner, options) end
--- Precision, recall and F1 of each class and their means.
---@param learner? string
---@param options? crossfold.OfDataset
---@return crossfold.ClassReport
function Result:class_report(learner, options) end

---@class (exact) crossfold.ResultCurveOptions
---@field learner? string
---@field dataset? string
---@field positive? string
---@field aggregation? "pooled"|"vertical"|"folds"
---@field points? "all"|"corners"|"hull" Of kind "roc".
---@field bins? integer
---@field binning? "uniform"|"quantile" Of kind "calibration".
---@field confidence? number
---@field costs? table
---@field grid? integer
---@field interval? "normal"|"bootstrap" Of aggregation = "vertical".
---@field samples? integer
---@field seed? integer

---@param kind crossfold.CurveKind
---@param options? crossfold.ResultCurveOptions
---@return crossfold.Curve
function Result:curve(kind, options) end
--- What a search chose in each outer fold, with its inner table.
---@param learner? string
---@param options? crossfold.OfDataset
---@return crossfold.TuningRow[]
function Result:tuning(learner, options) end
--- One row a failed fold.
---@return crossfold.FailureRow[]
function Result:failures() end
--- One row a learner, dataset and fold.
---@return crossfold.FoldRow[]
function Result:folds() end
---@return crossfold.WarningRow[]
function Result:warnings() end
--- What a reader of the scores should know of the splits.
---@return string[]
function Result:notes() end
--- Seed, data and plugins that the numbers came from.
---@return crossfold.Provenance
function Result:provenance() end

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

--- Of a pair on a dataset.
---@class crossfold.ComparisonRow
---@field dataset string
---@field metric string
---@field a string
---@field b string
---@field test string
---@field design string
---@field splits integer
---@field splits_of integer
---@field left_out? string Why the first split that is left out is.
---@field mean_a? number
---@field mean_b? number
---@field difference? number a - b
---@field confidence number
---@field low? number
---@field high? number
---@field statistic? number
---@field df? number
---@field p? number
---@field p_adjusted? number
---@field significant? boolean
---@field better? string
---@field n_train? number
---@field n_test? number
---@field rows? integer Of McNemar's test.
---@field only_a? integer Rows that only a predicts right.
---@field only_b? integer
---@field rope? number
---@field p_worse? number
---@field p_alike? number
---@field p_better? number
---@field undefined? string

--- Of the Bayesian signed-rank test.
---@class crossfold.ComparisonPosterior
---@field a string
---@field b string
---@field rope number
---@field p_worse number
---@field p_alike number
---@field p_better number

--- Of three or more learners `friedman`, of two a signed-rank test.
---@class crossfold.ComparisonOver
---@field test? string
---@field datasets? integer
---@field names string[] The datasets.
---@field means number[][] By dataset, in the order of the learners.
---@field friedman? crossfold.Friedman
---@field ranks? crossfold.Friedman
---@field a? string
---@field b? string
---@field median? number
---@field statistic? number
---@field p? number
---@field sign_p? number
---@field bayes? crossfold.ComparisonPosterior[]
---@field undefined? string

---@class crossfold.WinTieLossRow
---@field learner string
---@field wins integer
---@field ties integer
---@field losses integer
---@field undefined integer

---@class crossfold.RankingRow
---@field rank? integer
---@field learner string
---@field mean? number
---@field average_rank? number
---@field wins integer
---@field losses integer

---@class (exact) crossfold.ComparisonRowOptions
---@field learner? string Only its pairs.
---@field learners? string[] The pairs among these, and with `learner`.
---@field dataset? string

---@class crossfold.Comparison
local Comparison = {}
---@param options? crossfold.ComparisonRowOptions
---@return crossfold.ComparisonRow[]
function Comparison:rows(options) end
--- The test over several datasets.
---@return crossfold.ComparisonOver?
function Comparison:over() end
---@return crossfold.WinTieLossRow[]
function Comparison:win_tie_loss() end
---@return crossfold.RankingRow[]
function Comparison:ranking() end
--- One plain sentence a pair.
---@param options? crossfold.ComparisonRowOptions
---@return string[]
function Comparison:sentences(options) end
---@return string[]
function Comparison:notes() end
--- One HTML page.
---@param options? crossfold.OwnReportOptions
---@return string?
function Comparison:report(options) end
---@param output crossfold.ComparisonOutput
---@return string?
function Comparison:to(output) end

--- What there is depends on the kind: docs/curves.md.
---@class crossfold.CurveRow
---@field repeat_? integer
---@field fold? integer
---@field threshold? number
---@field tp? integer|number A sum of weights where rows have weights.
---@field fp? integer|number
---@field tn? integer|number
---@field fn? integer|number
---@field fpr? number
---@field fnr? number
---@field tpr? number
---@field sd? number
---@field low? number
---@field high? number
---@field recall? number
---@field precision? number
---@field mean_predicted? number
---@field observed? number
---@field observed_low? number
---@field observed_high? number
---@field rows? integer
---@field weight? integer|number
---@field share? number
---@field gain? number
---@field lift? number
---@field probability_cost? number
---@field cost? number
---@field accuracy? number
---@field f1? number
---@field specificity? number

---@class crossfold.Curve
---@field kind crossfold.CurveKind
---@field columns string[]
---@field positive? string
---@field learner? string
---@field dataset? string
---@field aggregation? "pooled"|"vertical"|"folds"
---@field undefined? string
---@field auc? number Of kind "roc".
---@field hull_auc? number
---@field mean_auc? number
---@field sd_auc? number
---@field average_precision? number Of kind "precision_recall".
---@field ece? number Of kind "calibration".
---@field mce? number
---@field area? number Of kinds "lift" and "cost".
local Curve = {}
---@return crossfold.CurveRow[]
function Curve:rows() end
---@param output crossfold.CurveOutput
---@return string?
function Curve:to(output) end

---@class (exact) crossfold.LearningCurveSummaryOptions
---@field confidence? number
---@field correction? "nadeau_bengio"|"none"

---@class (exact) crossfold.LearningCurveFitOptions: crossfold.LearningCurveSummaryOptions
---@field metric? string
---@field weights? "equal"|"inverse_variance"|"rank"|"size"
---@field from? number Smaller sizes are left out.

---@class (exact) crossfold.LearningCurveCrossingOptions: crossfold.LearningCurveFitOptions
---@field to? number

---@class crossfold.LearningCurveRow
---@field learner string
---@field metric string
---@field size integer
---@field trial integer
---@field value? number
---@field undefined? string

---@class crossfold.LearningCurveSummaryRow
---@field learner string
---@field metric string
---@field size integer
---@field trials integer
---@field defined integer
---@field mean? number
---@field median? number
---@field mode? number
---@field sd? number
---@field min? number
---@field max? number
---@field low? number Of the interval of the mean.
---@field high? number

---@class crossfold.ExpectedScore
---@field rows? number
---@field estimate? number
---@field low? number
---@field high? number
---@field se? number
---@field confidence? number
---@field undefined? string

---@class crossfold.Asymptote
---@field asymptote? number
---@field se? number
---@field at_bound? boolean
---@field undefined? string

---@class crossfold.RowsForScore
---@field unreachable? boolean
---@field rows? number
---@field low? number
---@field high? number
---@field asymptote? number If the score is unreachable.
---@field se? number
---@field confidence? number
---@field text? string
---@field undefined? string

---@class crossfold.CurveCrossing
---@field crosses? "yes"|"no"|"not decided"
---@field rows? number
---@field low? number
---@field high? number
---@field better? string If the laws do not meet in the range.
---@field better_before? string
---@field better_after? string
---@field from? number
---@field to? number
---@field confidence? number
---@field undefined? string

--- The inverse power law err(n) = a + b n^-c of a learner's curve.
---@class crossfold.LearningCurveFit
---@field learner string
---@field metric string
---@field higher boolean Whether the error is 1 - the metric.
---@field confidence number
---@field sizes integer[]
---@field left_out integer[]
---@field trials integer
---@field interval "trials"|"points"
---@field a? number
---@field b? number
---@field c? number
---@field se_a? number
---@field se_b? number
---@field se_c? number
---@field sse? number
---@field df? integer
---@field points? integer
---@field misfit? number
---@field at_bound? boolean
---@field undefined? string
local LearningCurveFit = {}
---@param n number
---@return crossfold.ExpectedScore
function LearningCurveFit:at(n) end
---@return crossfold.Asymptote
function LearningCurveFit:asymptote() end
---@param target number
---@return crossfold.RowsForScore
function LearningCurveFit:rows_for(target) end

---@class crossfold.LearningCurve
local LearningCurve = {}
--- The result of evaluate underneath.
---@return crossfold.Result
function LearningCurve:evaluated() end
--- The seed that was given, data, plugins.
---@return table
function LearningCurve:provenance() end
---@return crossfold.FailureRow[]
function LearningCurve:failures() end
--- What a reader of the scores should know of the splits.
---@return string[]
function LearningCurve:notes() end
---@return crossfold.LearningCurveRow[]
function LearningCurve:rows() end
---@param options? crossfold.LearningCurveSummaryOptions
---@return crossfold.LearningCurveSummaryRow[]
function LearningCurve:summary(options) end
--- The power law of a learner's curve.
---@param learner? string
---@param options? crossfold.LearningCurveFitOptions
---@return crossfold.LearningCurveFit
function LearningCurve:fit(learner, options) end
---@param first string
---@param second string
---@param options? crossfold.LearningCurveCrossingOptions
---@return crossfold.CurveCrossing
function LearningCurve:crossing(first, second, options) end
--- One HTML page.
---@param options? crossfold.OwnReportOptions
---@return string?
function LearningCurve:report(options) end
---@param output crossfold.PlotOutput
---@return string?
function LearningCurve:to(output) end

---@class crossfold.ValidationCurveRow
---@field value any Of the parameter.
---@field repeat_ integer
---@field fold integer
---@field test? number
---@field train? number
---@field undefined? string
---@field train_undefined? string

---@class crossfold.ValidationCurveSummaryRow
---@field value any
---@field metric string
---@field splits integer
---@field defined integer
---@field mean? number
---@field sd? number
---@field train_mean? number
---@field train_sd? number

---@class crossfold.ValidationCurve
local ValidationCurve = {}
---@return crossfold.ValidationCurveRow[]
function ValidationCurve:rows() end
---@return crossfold.ValidationCurveSummaryRow[]
function ValidationCurve:summary() end
--- What a reader of the scores should know of the splits.
---@return string[]
function ValidationCurve:notes() end
--- The seed that was given, data, plugin, the parameter and its values.
---@return table
function ValidationCurve:provenance() end
--- One HTML page.
---@param options? crossfold.OwnReportOptions
---@return string?
function ValidationCurve:report(options) end
---@param output crossfold.PlotOutput
---@return string?
function ValidationCurve:to(output) end

---@class crossfold.KohaviWolpert
---@field squared_bias number
---@field variance number

---@class crossfold.Domingos
---@field bias number
---@field variance number
---@field unbiased number
---@field biased number
---@field net number

---@class crossfold.BiasVarianceRow
---@field learner string
---@field loss "zero_one"|"squared"
---@field rounds integer
---@field training_sets integer
---@field train_rows integer
---@field test_rows integer
---@field error? number
---@field kohavi_wolpert crossfold.KohaviWolpert These three are nil with the squared loss.
---@field kohavi_wolpert_unbiased crossfold.KohaviWolpert
---@field domingos crossfold.Domingos
---@field squared_bias? number Of the squared loss.
---@field variance? number
---@field undefined? string

--- Of a test row.
---@class crossfold.RowParts
---@field row? integer Its id.
---@field truth? any
---@field error number
---@field squared_bias number
---@field variance number
---@field main? any The most frequent prediction.
---@field biased? boolean
---@field net_variance? number
---@field spread? number
---@field mean? number Of the predictions, with the squared loss.

---@class crossfold.BiasVariance
local BiasVariance = {}
---@return crossfold.BiasVarianceRow[]
function BiasVariance:rows() end
--- The seed that was given, data, plugins.
---@return table
function BiasVariance:provenance() end
---@param learner? string
---@return crossfold.RowParts[]
function BiasVariance:per_row(learner) end
---@return crossfold.Result
function BiasVariance:evaluated() end
---@return crossfold.FailureRow[]
function BiasVariance:failures() end
--- One HTML page.
---@param options? crossfold.OwnReportOptions
---@return string?
function BiasVariance:report(options) end
---@param output crossfold.ResultOutput
---@return string?
function BiasVariance:to(output) end

-- Figures ----------------------------------------------------------------------------------------

---@class (exact) crossfold.PlotOptions
---@field file? string Also saved there: .svg, .csv or .txt.
---@field title? string

--- Functions of results that return figures: docs/plots.md.
---@class crossfold.plot
cf.plot = {}

---@alias crossfold.PlotName
---| "bias_variance"
---| "calibration"
---| "confusion"
---| "cost"
---| "critical_difference"
---| "det"
---| "failures"
---| "folds"
---| "grid"
---| "learning_curve"
---| "lift"
---| "precision_recall"
---| "roc"
---| "summary"
---| "times"
---| "tuning"
---| "validation_curve"

---@return crossfold.PlotName[]
function cf.plot.names() end

--- Whether a plot can be drawn of the subject, and if not, why.
---@param name crossfold.PlotName
---@param subject any
---@param options? table
---@return boolean, string?
function cf.plot.applicable(name, subject, options) end

---@class (exact) crossfold.SvgOptions
---@field width? number Pixels.
---@field height? number
---@field inline? boolean Without XML header and styles.

---@class (exact) crossfold.TerminalOptions
---@field width? integer Columns.
---@field height? integer Lines.
---@field unicode? boolean

---@class crossfold.Figure
local Figure = {}
---@param options? crossfold.SvgOptions
---@return string
function Figure:svg(options) end
---@param options? crossfold.TerminalOptions
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
---@field aggregation? "pooled"|"vertical"|"folds"
---@field bands? boolean

---@class (exact) crossfold.BiasVariancePlotOptions: crossfold.PlotOptions
---@field method? "kohavi_wolpert"|"domingos"|"squared"

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
---@field scale? "linear"|"log" Of the rows.
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

---@class crossfold.AccuracyInterval
---@field correct integer
---@field n integer
---@field method string
---@field confidence number
---@field estimate? number
---@field low? number
---@field high? number
---@field undefined? string

---@param options crossfold.AccuracyIntervalOptions
---@return crossfold.AccuracyInterval
function cf.stats.accuracy_interval(options) end

---@class (exact) crossfold.TwoProportionsOptions
---@field correct? integer[]
---@field errors? integer[]
---@field accuracies? number[]
---@field error_rates? number[]
---@field n integer[]
---@field confidence? number

---@class crossfold.TwoProportions
---@field first? number
---@field second? number
---@field difference? number
---@field confidence number
---@field low? number
---@field high? number
---@field interval_undefined? string
---@field standard_error? number
---@field pooled_error? number
---@field statistic? number
---@field p? number
---@field unpooled_statistic? number
---@field unpooled_p? number
---@field undefined? string

---@param options crossfold.TwoProportionsOptions
---@return crossfold.TwoProportions
function cf.stats.two_proportions(options) end

---@class (exact) crossfold.PairedTOptions
---@field confidence? number

---@class crossfold.PairedT
---@field n integer
---@field confidence number
---@field mean? number
---@field variance? number
---@field standard_error? number
---@field df? number
---@field statistic? number
---@field p? number
---@field p_less? number
---@field p_greater? number
---@field critical? number
---@field low? number
---@field high? number
---@field undefined? string

---@param differences number[]
---@param options? crossfold.PairedTOptions
---@return crossfold.PairedT
function cf.stats.paired_t(differences, options) end

---@class (exact) crossfold.CorrectedTOptions
---@field test_train_ratio? number
---@field n_train? integer|integer[]
---@field n_test? integer|integer[]
---@field confidence? number

---@class crossfold.CorrectedT: crossfold.PairedT
---@field test_train_ratio number

--- Nadeau and Bengio (2003).
---@param differences number[]
---@param options crossfold.CorrectedTOptions
---@return crossfold.CorrectedT
function cf.stats.corrected_t(differences, options) end

---@class (exact) crossfold.BayesCorrelatedTOptions
---@field rho? number
---@field n_train? integer|integer[]
---@field n_test? integer|integer[]
---@field rope? number
---@field confidence? number

---@class crossfold.BayesCorrelatedT
---@field n integer
---@field rho number
---@field confidence number
---@field mean? number
---@field variance? number
---@field scale? number
---@field df? number
---@field left? number
---@field rope? number
---@field right? number
---@field low? number
---@field high? number
---@field undefined? string

---@param differences number[]
---@param options crossfold.BayesCorrelatedTOptions
---@return crossfold.BayesCorrelatedT
function cf.stats.bayes_correlated_t(differences, options) end

---@class (exact) crossfold.BayesSignedRankOptions
---@field rope? number
---@field prior_strength? number
---@field samples? integer
---@field seed? integer

---@class crossfold.BayesSignedRank
---@field n integer
---@field samples integer
---@field left? number
---@field rope? number
---@field right? number
---@field undefined? string

---@param differences number[]
---@param options? crossfold.BayesSignedRankOptions
---@return crossfold.BayesSignedRank
function cf.stats.bayes_signed_rank(differences, options) end

---@class (exact) crossfold.FiveByTwoOptions
---@field differences number[][]

---@class crossfold.FiveByTwo
---@field mean number
---@field t? number
---@field t_df number
---@field t_p? number
---@field f? number
---@field f_df1 number
---@field f_df2 number
---@field f_p? number
---@field undefined? string

---@param options crossfold.FiveByTwoOptions
---@return crossfold.FiveByTwo
function cf.stats.five_by_two(options) end

---@class (exact) crossfold.McnemarOptions
---@field only_first integer
---@field only_second integer
---@field method? "exact"|"mid_p"|"chi_squared"|"corrected"

---@class crossfold.Mcnemar
---@field only_first integer
---@field only_second integer
---@field method string
---@field statistic? number
---@field df? number
---@field p? number
---@field undefined? string

---@param options crossfold.McnemarOptions
---@return crossfold.Mcnemar
function cf.stats.mcnemar(options) end

---@class crossfold.CochranQ
---@field rows integer
---@field correct integer[]
---@field statistic? number
---@field df? number
---@field p? number
---@field undefined? string

---@param rows any[][]
---@return crossfold.CochranQ
function cf.stats.cochran_q(rows) end

---@class (exact) crossfold.WilcoxonOptions
---@field zeros? "wilcox"|"pratt"|"zsplit"
---@field method? "auto"|"exact"|"normal"
---@field continuity? boolean
---@field tie_correction? boolean
---@field tie_tolerance? number

---@class crossfold.Wilcoxon
---@field n integer
---@field zeros integer
---@field ties boolean
---@field r_plus? number
---@field r_minus? number
---@field statistic? number
---@field z? number
---@field method? string
---@field p? number
---@field undefined? string

---@param differences number[]
---@param options? crossfold.WilcoxonOptions
---@return crossfold.Wilcoxon
function cf.stats.wilcoxon(differences, options) end

---@class (exact) crossfold.SignTestOptions
---@field ties? "dropped"|"split"
---@field tie_tolerance? number

---@class crossfold.SignTest
---@field n integer
---@field plus integer
---@field minus integer
---@field ties integer
---@field p? number
---@field undefined? string

---@param differences number[]
---@param options? crossfold.SignTestOptions
---@return crossfold.SignTest
function cf.stats.sign_test(differences, options) end

---@class (exact) crossfold.AdjustPOptions
---@field method? "holm"|"hochberg"|"bonferroni"|"benjamini_hochberg"

---@param p_values number[]
---@param options? crossfold.AdjustPOptions
---@return number[]
function cf.stats.adjust_p(p_values, options) end

---@class (exact) crossfold.FriedmanOptions
---@field higher_is_better boolean
---@field learners? string[]
---@field alpha? number
---@field control? string|integer
---@field pairs? boolean Default true; false leaves out `nemenyi`.

---@class crossfold.ChiSquared
---@field statistic? number
---@field df? integer
---@field p? number
---@field undefined? string

---@class crossfold.ImanAndDavenport
---@field statistic? number
---@field df1? integer
---@field df2? integer
---@field p? number
---@field undefined? string

---@class crossfold.RankPair
---@field first string|integer
---@field second string|integer
---@field difference number
---@field p number

--- Learners by name, if there are names.
---@class crossfold.Friedman: crossfold.ChiSquared
---@field datasets integer
---@field learners? string[]
---@field alpha number
---@field ties boolean
---@field average_ranks number[]
---@field tie_corrected crossfold.ChiSquared
---@field iman_davenport crossfold.ImanAndDavenport
---@field critical_difference? number
---@field groups? (string|integer)[][]
---@field nemenyi? crossfold.RankPair[]
---@field bonferroni_dunn? crossfold.RankPair[]

---@param scores number[][]
---@param options crossfold.FriedmanOptions
---@return crossfold.Friedman
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

---@class crossfold.BootstrapInterval
---@field estimate? number
---@field method string
---@field samples integer
---@field confidence number
---@field low? number
---@field high? number
---@field standard_error? number
---@field acceleration? number
---@field bias_correction? number
---@field undefined? string

---@param values number[]
---@param options? crossfold.BootstrapIntervalOptions
---@return crossfold.BootstrapInterval
function cf.stats.bootstrap_interval(values, options) end

---@class (exact) crossfold.Combined632Options
---@field training_error number
---@field out_of_bag_error number
---@field no_information_error? number

---@class crossfold.Combined632
---@field estimate_632 number
---@field estimate_632_plus? number
---@field relative_overfitting? number
---@field weight? number
---@field undefined? string

---@param options crossfold.Combined632Options
---@return crossfold.Combined632
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

---@class crossfold.OutOfBagError
---@field error? number
---@field rows_used integer
---@field rows_left_out integer
---@field undefined? string

---@param options crossfold.OutOfBagErrorOptions
---@return crossfold.OutOfBagError
function cf.stats.out_of_bag_error(options) end

---@class (exact) crossfold.BiasVariancePartsOptions
---@field truth any[]
---@field predictions any[][]
---@field loss? "zero_one"|"squared"

---@class crossfold.BiasVarianceParts
---@field loss "zero_one"|"squared"
---@field models integer
---@field rows integer
---@field error number
---@field kohavi_wolpert crossfold.KohaviWolpert These three are nil with the squared loss.
---@field kohavi_wolpert_unbiased crossfold.KohaviWolpert
---@field domingos crossfold.Domingos
---@field squared_bias? number
---@field variance? number
---@field per_row crossfold.RowParts[]

---@param options crossfold.BiasVariancePartsOptions
---@return crossfold.BiasVarianceParts
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

---@class crossfold.PowerPlan
---@field test "corrected_t"|"mcnemar"
---@field alpha number
---@field disagreement number
---@field rows? integer
---@field difference? number
---@field power? number
---@field standard_error? number
---@field undefined? string

---@param options crossfold.PowerOptions
---@return crossfold.PowerPlan
function cf.stats.power(options) end

---@class (exact) crossfold.DetectableDifferenceOptions: crossfold.PowerDesign
---@field rows integer
---@field power? number

---@param options crossfold.DetectableDifferenceOptions
---@return crossfold.PowerPlan
function cf.stats.detectable_difference(options) end

---@class (exact) crossfold.RowsNeededOptions: crossfold.PowerDesign
---@field difference number
---@field power? number

---@param options crossfold.RowsNeededOptions
---@return crossfold.PowerPlan
function cf.stats.rows_needed(options) end

---@class (exact) crossfold.PowerLawOptions
---@field n number[]
---@field errors? number[]
---@field weights? "equal"|"inverse_variance"|"rank"|"size"
---@field trials? number[][]
---@field test_to_train? number
---@field confidence? number

---@class crossfold.LawEstimate
---@field estimate? number
---@field se? number
---@field low? number
---@field high? number
---@field undefined? string

---@class crossfold.LawRows
---@field unreachable? boolean
---@field rows? number
---@field low? number
---@field high? number
---@field undefined? string

---@class crossfold.LawCrossing
---@field crosses? "yes"|"no"|"not decided"
---@field rows? number
---@field low? number
---@field high? number
---@field first_lower_before? boolean
---@field undefined? string

---@class (exact) crossfold.LawCrossingOptions
---@field from number
---@field to number

--- err(n) = a + b n^-c.
---@class crossfold.PowerLaw
---@field confidence number
---@field a? number
---@field b? number
---@field c? number
---@field se_a? number
---@field se_b? number
---@field se_c? number
---@field sse? number
---@field df? integer
---@field points? integer
---@field misfit? number
---@field at_bound? boolean
---@field undefined? string
local PowerLaw = {}
---@param n number
---@return crossfold.LawEstimate
function PowerLaw:at(n) end
---@param target number
---@return crossfold.LawRows
function PowerLaw:rows_for(target) end
---@param other crossfold.PowerLaw
---@param options crossfold.LawCrossingOptions
---@return crossfold.LawCrossing
function PowerLaw:crossing(other, options) end

---@param options crossfold.PowerLawOptions
---@return crossfold.PowerLaw
function cf.stats.power_law(options) end

return cf
