---@meta crossfold
-- Definitions of the module for the Lua language server (LuaLS): completion and checks in editors. Nothing here
-- runs. `crossfold plugin annotate` writes those of the components that are installed, with their parameters.
-- Made by docs/reference/generate.lua of docs/reference/crossfold.d.lua.in and the declarations of options.

---@class crossfold
---@field _VERSION string
---@field null userdata A missing entry; also of columns.
---@field stats crossfold.stats Tests and intervals over plain numbers: docs/statistics.md.
---@field plot crossfold.plot Figures: docs/plots.md.
local cf = {}

-- Values -----------------------------------------------------------------------------------------

--- A learner of a plugin with its parameters, or a pipeline of these. It never changes.
---@class crossfold.Spec
local Spec = {}

--- A copy with other parameters; in a pipeline `["knn.k"] = 7` if several steps have a `k`.
---@param params table<string, any>
---@return crossfold.Spec
---@nodiscard
function Spec:with(params) end

--- The parameters that were given.
---@return table<string, any>
function Spec:params() end

---@class (exact) crossfold.FitOptions
---@field seed? integer Seed of the fit; default the seed of the program.
---@field start? crossfold.Model A model of the same learner, from which the fit goes on.

--- A model fitted on all rows.
---@param data crossfold.Dataset
---@param options? crossfold.FitOptions
---@return crossfold.Model
function Spec:fit(data, options) end

--- A splitter, a transform or a metric of a plugin with its parameters. It never changes.
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
--- The worst and the best value; nil if there is no bound.
---@return number?, number?
function Metric:range() end
---@return boolean
function Metric:needs_probabilities() end

--- A learner composed in Lua: a search, an ensemble, a learner of functions.
---@class crossfold.Composite
local Composite = {}

---@class (exact) crossfold.CompositeFitOptions
---@field seed? integer Seed of the fit; default the seed of the program.

---@param data crossfold.Dataset
---@param options? crossfold.CompositeFitOptions
---@return crossfold.Model
function Composite:fit(data, options) end
--- A copy with other parameters of its parts: docs/lua.md, "Names of parameters".
---@param params table<string, any>
---@return crossfold.Composite
---@nodiscard
function Composite:with(params) end

--- A learner that searches for a setting by cross-validation inside its training rows.
---@class crossfold.Search: crossfold.Composite
local Search = {}

--- A model with the chosen setting, fitted on all rows; and the result of the search.
---@param data crossfold.Dataset
---@param options? crossfold.CompositeFitOptions
---@return crossfold.Model, crossfold.SearchResult
function Search:fit(data, options) end

---@class (exact) crossfold.SearchPlanOptions
---@field seed? integer Seed of the inner splits; default the seed of the program.
---@field splitter? crossfold.AnySplitter The outer splits, to plan the search in each of them.

--- The number of cells of the search on these rows, or with `splitter` in all outer folds.
---@param data crossfold.Dataset
---@param options? crossfold.SearchPlanOptions
---@return crossfold.SearchPlan
function Search:plan(data, options) end

--- What a search chose, with methods that repeat the choice on the predictions of all candidates, which it keeps.
---@class crossfold.SearchResult: crossfold.Chosen
local SearchResult = {}

---@class (exact) crossfold.SearchResultCorrectedOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field method? "percentile"|"rescaled" The interval: the quantiles of the left-out scores, as in the paper, or the same scaled down to the spread of a mean over all rows. Default "percentile".
---@field samples? integer Number of bootstrap samples. Default 1000.
---@field seed? integer Seed of all random numbers. Default 1.

--- What the chosen setting is worth without the optimism of the choice: docs/choosing.md.
---@param options? crossfold.SearchResultCorrectedOptions
---@return crossfold.CorrectedScore
function SearchResult:corrected(options) end

---@class (exact) crossfold.SearchResultConfidenceSetOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field metric? crossfold.AnyMetric A metric that is a mean over rows; default the metric that decided.
---@field samples? integer Number of draws of normal multipliers; default 1000, or more if the confidence needs more.
---@field seed? integer Seed of all random numbers. Default 1.

--- The candidates that cannot be distinguished from the best: docs/choosing.md.
---@param options? crossfold.SearchResultConfidenceSetOptions
---@return crossfold.ConfidenceSet
function SearchResult:confidence_set(options) end

---@class crossfold.CorrectedScore
---@field metric string
---@field candidate string
---@field params table<string, any>
---@field candidates integer
---@field value? number
---@field low? number
---@field high? number
---@field optimism? number How much better the pooled score is.
---@field pooled? number The score of the candidate, pooled over the inner folds.
---@field optimistic number The mean of the candidate over the inner folds.
---@field chosen? crossfold.ChosenShare[] How often each candidate was chosen.
---@field units integer Rows or groups that are drawn.
---@field draws_groups boolean
---@field undefined_samples integer
---@field undefined? string Why there is no value.
---@field confidence number
---@field samples integer
---@field seed integer
---@field method "percentile"|"rescaled"
---@field sentence string

---@class crossfold.ChosenShare
---@field candidate string
---@field params table<string, any>
---@field share number

---@class crossfold.ConfidenceSet
---@field metric string
---@field candidates crossfold.CandidateTest[]
---@field set crossfold.CandidateTest[] Those that are in the set.
---@field confidence number
---@field samples integer
---@field seed integer
---@field sentence string

---@class (exact) crossfold.SearchSessionOptions
---@field state? table[] What state() of an earlier session of this search returned.

---@class crossfold.CandidateTest
---@field candidate string
---@field params table<string, any>
---@field mean number
---@field p number
---@field in_set boolean
---@field rival? string The candidate that is most clearly better.
---@field statistic number
--- A session of ask and tell, in which the caller evaluates the candidates: docs/tuning.md. Of grid, random and model
--- searches.
---@param options? crossfold.SearchSessionOptions
---@return crossfold.SearchSession
function Search:session(options) end

---@class crossfold.SearchSession
local SearchSession = {}

--- The next candidates, at most n (1); none at the end of the search.
---@param n? integer
---@return crossfold.AskedCandidate[]
function SearchSession:ask(n) end

--- Reports the score of a candidate, or nil and the reason why it has none.
---@param id integer
---@param score? number
---@param reason? string
function SearchSession:tell(id, score, reason) end

--- The candidate with the best score so far; nil if none has one.
---@return crossfold.AskedCandidate?
function SearchSession:best() end

--- What was asked and reported, as plain tables, for Search:session{ state = }.
---@return table[]
function SearchSession:state() end

---@class crossfold.AskedCandidate
---@field id integer
---@field params table<string, any>
---@field learner crossfold.AnyLearner
---@field name string
---@field score? number Of best.

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
---@field brackets? crossfold.SearchBracket[] Of cf.hyperband.

---@class crossfold.SearchBracket
---@field first integer Number of its first candidate.
---@field candidates integer
---@field sizes integer[] Candidates of each round.
---@field resource number Of the first round.

---@alias crossfold.AnyLearner string|crossfold.Spec|crossfold.Composite
---@alias crossfold.AnySplitter string|crossfold.Component|table
---@alias crossfold.AnyMetric string|crossfold.Metric|table
---@alias crossfold.Learners crossfold.AnyLearner|table<string|integer, crossfold.AnyLearner>
---@alias crossfold.Metrics crossfold.AnyMetric|crossfold.AnyMetric[]
---@alias crossfold.Output string|boolean A path, or true to get the text.
---@alias crossfold.CurveKind "calibration"|"cost"|"decision"|"det"|"lift"|"precision_recall"|"reliability"|"roc"|"thresholds"
---@alias crossfold.Costs number[][]|table<string, table<string, number>>

--- Columns of equal length. It never changes.
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
--- The number of rows that `drop_missing` left out.
---@return integer
function Dataset:dropped_rows() end
--- SHA-256 of the content.
---@return string
function Dataset:hash() end
--- Entries of a column: categories by name, missing entries as cf.null.
---@param name string
---@return any[]
function Dataset:column(name) end
---@return any[]
function Dataset:target() end
---@return integer[]
function Dataset:row_ids() end
--- The same data, with some of the rows.
---@param rows integer[]
---@return crossfold.Dataset
---@nodiscard
function Dataset:select(rows) end
--- The same data, with the rows for which the function returns true. `row` has the entries of
--- a row by column, as `column` shows them, during the call.
---@param keep fun(row: table<string, any>, id: integer): boolean
---@return crossfold.Dataset
---@nodiscard
function Dataset:filter(keep) end

---@class (exact) crossfold.OtherRoles
---@field coordinates? string[]|false The columns with the coordinates of each row, for the splitter "spatial_blocks".
---@field costs? crossfold.Costs The costs of wrong predictions, rows by truth.
---@field folds? string|false The column with the fold of each row, for the splitter "predefined".
---@field groups? string|false The column of groups; rows of one group stay together in splits.
---@field row_costs? table<string, string>|false For each class the column of what predicting it costs in a row.
---@field strata? string|false The column of strata, whose shares stratified splits keep; default the classes.
---@field target? string|false The column to predict.
---@field time? string|false The column of times, which are numbers or dates.
---@field weights? string|false The column with the weight of each row.

--- The same rows and columns with other roles; roles that are not named stay.
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

---@class (exact) crossfold.DescribeOptions
---@field folds? integer Classes with fewer rows than this number of folds are reported. Default 10.
---@field most_frequent? integer Number of the most frequent levels that are listed. Default 3.
---@field threads? integer Number of threads; default that of the program.

--- Types, missing entries, classes and what looks like a mistake: docs/describe.md.
---@param options? crossfold.DescribeOptions
---@return crossfold.DataReport
function Dataset:describe(options) end

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

--- A report on data: columns, findings and statistics.
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

---@class (exact) crossfold.TextOutput
---@field json? crossfold.Output The path of the file; true returns the text instead.
---@field text? crossfold.Output The path of the file; true returns the text instead.

---@param output crossfold.TextOutput
---@return string?
function DataReport:to(output) end

--- A fitted learner.
---@class crossfold.Model
local Model = {}

---@class (exact) crossfold.PredictOptions
---@field coverage? number Share of rows whose truth is in the interval or the set of classes that they get, as 0.9. For models of cf.conformal.

--- With a coverage the prediction has intervals or sets of classes, if the model is one of cf.conformal.
---@param data crossfold.Dataset
---@param options? crossfold.PredictOptions
---@return crossfold.Prediction
function Model:predict(data, options) end
--- Writes a file with everything that `predict` needs.
---@param path string
function Model:save(path) end
---@return string[]
function Model:classes() end
---@return string[]
function Model:features() end
---@return string
function Model:target() end
--- The learner that was fitted.
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

--- Nil for a regression. Such values are not marked as optional, because every script would have to check.
---@return string[]
function Prediction:labels() end
--- Nil for a classification.
---@return number[]
function Prediction:values() end
--- One list per row, in the order of classes(); nil if the learner gave none.
---@return number[][]
function Prediction:probabilities() end
---@return integer[]
function Prediction:row_ids() end
--- Nil if the rows have no target.
---@return any[]
function Prediction:truth() end
---@return string[]
function Prediction:classes() end
---@return crossfold.Confusion
function Prediction:confusion() end
--- One per row; nil unless the prediction was made with a coverage, and for classes.
---@return { low: number, high: number }[]
function Prediction:intervals() end
--- A list of classes per row; nil unless the prediction was made with a coverage, and for numbers.
---@return string[][]
function Prediction:sets() end
--- What holds for the intervals or sets, as sentences; nil without them.
---@return string
function Prediction:guarantee() end

---@class (exact) crossfold.CoverageOptions
---@field blocks? integer Number of blocks of rows in order (of time, if the data have one), to see drift.
---@field by? string A column: coverage is measured for each of its values, too.
---@field confidence? number Level of the confidence intervals. Default 0.95.

--- How many of the rows the intervals or sets cover; the target of the rows must be there.
---@param options? crossfold.CoverageOptions
---@return crossfold.Coverage
function Prediction:coverage(options) end

--- Of all rows, of those with one value of a column, or of a block of rows.
---@class crossfold.CoverageLine
---@field kind "all"|"by"|"block"
---@field name string
---@field rows integer
---@field covered integer
---@field infinite integer Rows whose interval is infinite.
---@field coverage? number
---@field low? number Of the interval of the coverage.
---@field high? number
---@field width? number The mean width of the intervals, or size of the sets.
---@field undefined? string Why there is no interval of the coverage.

--- Measured coverage: docs/conformal.md.
---@class crossfold.Coverage
---@field lines crossfold.CoverageLine[]
---@field asked number The coverage that was asked for.
---@field confidence number
---@field guarantee string
---@field of_sets boolean Whether it is one of sets of classes.
---@field by? string
local Coverage = {}

---@return string
function Coverage:sentence() end

---@class (exact) crossfold.TableOutput
---@field csv? crossfold.Output The path of the file; true returns the text instead.
---@field json? crossfold.Output The path of the file; true returns the text instead.

---@param output crossfold.TableOutput
---@return string?
function Coverage:to(output) end

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
--- The numbers of different training and test rows; a bootstrap sample repeats some.
---@param i integer
---@return integer, integer
function Splits:distinct_rows(i) end
---@return crossfold.SplitDesign
function Splits:design() end
---@param other crossfold.Splits
---@return boolean
function Splits:same(other) end
--- Notes of the splitter for readers of the scores.
---@return string[]
function Splits:notes() end
--- Whether rows that are later than test rows train; false for test rows in one block of time.
---@return boolean
function Splits:mixes_past_and_future() end
--- Whether every split has training rows; only that of predictions imported without folds has none.
---@return boolean
function Splits:trains() end
--- The SHA-256 of the content of the data that are split, as data:hash().
---@return string
function Splits:data_hash() end
--- Writes an OpenML split file.
---@param path string
function Splits:to_openml(path) end

--- The outcomes of cells, in their order.
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
--- Times of fitting and predicting.
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

--- Options for files by their format, and for tables of SQLite: cf.read { sqlite = path, query = | table = }.
---@alias crossfold.ColumnType "f64"|"f32"|"i32"|"i64"|"bool"|"categorical"|"numeric"|"ignore"

---@class (exact) crossfold.ReadOptions
---@field comment? string|false Lines that begin with this are left out.
---@field coordinates? string[] The columns with the coordinates of each row, for the splitter "spatial_blocks".
---@field costs? crossfold.Costs The costs of wrong predictions, rows by truth.
---@field decimal? string The decimal sign: a point or a comma.
---@field drop_missing? string[] Columns or roles; rows without an entry in one of them are left out.
---@field encoding? "utf-8"|"utf8"|"latin1"|"iso-8859-1"|"windows-1252"|"cp1252"|"utf-16"|"utf-16le"|"utf-16be" Encoding of the text; a file in utf-8 may also begin with a byte order mark of UTF-16.
---@field folds? string The column with the fold of each row, for the splitter "predefined".
---@field format? "arff"|"arrow"|"arrows"|"csv"|"db"|"duckdb"|"feather"|"ipc"|"json"|"jsonl"|"libsvm"|"ndjson"|"parquet"|"sqlite"|"sqlite3"|"svm"|"svmlight"|"tsv"|string The format of the file; default that of its name and first bytes.
---@field groups? string The column of groups; rows of one group stay together in splits.
---@field header? boolean Whether the first line names the columns.
---@field like? crossfold.Model A model; columns get the types and levels of its training data.
---@field memory_map? boolean Whether a large file is mapped into memory, where that is safe, or copied.
---@field missing? string[] Cells that mean a missing entry.
---@field most_bytes? integer Maximum size of the text of a file that is compressed or read from a pipe.
---@field n_features? integer Minimum number of features; 0 = the largest index in the file.
---@field names? string[] The names of the columns of a file without header; empty = c1, c2, ...
---@field query? string|false A SELECT whose rows are read; instead of a table.
---@field quote? string|false Around cells that hold separators, quotes or line ends; none = cells are never quoted.
---@field row_costs? table<string, string> For each class the column of what predicting it costs in a row.
---@field separator? string Between the cells: a character of ASCII, or one of the words comma, semicolon, tab, bar, colon, space (runs of blanks) and auto (the one of , ; tab | that gives all lines the same number of cells).
---@field skip_lines? integer Number of lines at the start that are left out.
---@field sqlite? string The file of an SQLite database.
---@field strata? string The column of strata, whose shares stratified splits keep; default the classes.
---@field table? string|false A table or view whose rows are read, by rowid.
---@field target? string The column to predict.
---@field task? "classification"|"regression" Whether labels are class names or numbers.
---@field thousands? string|false The sign between groups of digits: one of , . ' _ or a blank.
---@field threads? integer Number of threads; default that of the program.
---@field time? string The column of times, which are numbers or dates.
---@field types? table<string, crossfold.ColumnType|string[]> The types of columns by name; a list has all levels in their order.
---@field weights? string The column with the weight of each row.

--- A dataset from a CSV, TSV, ARFF or LIBSVM file, also compressed by gzip, or from SQLite: docs/reading.md.
---@param path string|crossfold.ReadOptions
---@param options? crossfold.ReadOptions
---@return crossfold.Dataset
---@nodiscard
function cf.read(path, options) end

---@class (exact) crossfold.ColumnOptions
---@field levels? string[] All levels of a category without an order.
---@field name string The name of the column.
---@field type? "categorical"|string[] How entries are read: "categorical" for numbers that are classes; a list has all levels in their order.
---@field values any[] Its entries; cf.null and NaN are missing.


---@class (exact) crossfold.DatasetOptions
---@field columns crossfold.ColumnOptions[] The columns.
---@field coordinates? string[] The columns with the coordinates of each row, for the splitter "spatial_blocks".
---@field costs? crossfold.Costs The costs of wrong predictions, rows by truth.
---@field drop_missing? string[] Columns or roles; rows without an entry in one of them are left out.
---@field folds? string The column with the fold of each row, for the splitter "predefined".
---@field groups? string The column of groups; rows of one group stay together in splits.
---@field name? string The name of the dataset in results. Default "dataset".
---@field row_costs? table<string, string> For each class the column of what predicting it costs in a row.
---@field strata? string The column of strata, whose shares stratified splits keep; default the classes.
---@field target? string The column to predict.
---@field time? string The column of times, which are numbers or dates.
---@field weights? string The column with the weight of each row.

--- A dataset from lists.
---@param options crossfold.DatasetOptions
---@return crossfold.Dataset
---@nodiscard
function cf.dataset(options) end

---@param data crossfold.Dataset
---@param options? crossfold.DescribeOptions
---@return crossfold.DataReport
function cf.describe(data, options) end

--- Loads a model that model:save wrote.
---@param path string
---@return crossfold.Model
---@nodiscard
function cf.load(path) end

-- Components -------------------------------------------------------------------------------------

---@class (exact) crossfold.LuaParameter
---@field active_if? string When the parameter has an effect, as in "kernel=gauss"; default always.
---@field choices? string[] The values of a choice.
---@field default number|string|boolean|table|userdata The default; cf.null: the parameter may have no value.
---@field high? number The largest value.
---@field high_open? boolean Whether `high` itself is out of range.
---@field low? number The smallest value.
---@field low_open? boolean Whether `low` itself is out of range.
---@field scale? "linear"|"log" How a search draws values. Default "linear".
---@field type? "real"|"integer"|"boolean"|"choice"|"string"|"integers"|"reals" The type of its values; default that of `default`.


---@class (exact) crossfold.LuaLearner
---@field fit fun(data: crossfold.Dataset, context: table): any Returns what `predict` gets as its state.
---@field name? string The name in results. Default "lua".
---@field params? table<string, crossfold.LuaParameter> The parameters; `context.params` of `fit` has their values.
---@field predict fun(state: any, data: crossfold.Dataset): table Returns the predictions for the rows.

--- A learner of a plugin, or one of functions.
---@param id string|crossfold.LuaLearner
---@param params? table<string, any>
---@return crossfold.Spec
---@nodiscard
function cf.learner(id, params) end

---@class (exact) crossfold.LuaTransform
---@field apply fun(state: any, data: crossfold.Dataset): table Returns the list of all features.
---@field columns? string|string[] The features that it gets: names, patterns such as "lab_*", types such as "numeric"; default all.
---@field except? string|string[] Features that it does not get.
---@field fit fun(data: crossfold.Dataset, context: table): any Returns what `apply` gets as its state.
---@field name string The name in results.
---@field params? table<string, crossfold.LuaParameter> The parameters; `context.params` has their values.

--- A transform of a plugin, or one of functions. In addition to its parameters each has `columns` and `except`:
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
---@field coordinates? number[][] a list per column

---@class (exact) crossfold.LuaSplitter
---@field ignore_groups? boolean Whether a group of the data may be on both sides of a split. Default false.
---@field name string The name in results.
---@field split fun(input: crossfold.SplitterInput, context: table): table Returns { folds = }, { partitions = } or { splits = }.

---@param id string|crossfold.LuaSplitter
---@param params? table<string, any>
---@return crossfold.Component
---@nodiscard
function cf.splitter(id, params) end

---@class (exact) crossfold.LuaMetric
---@field direction "higher"|"lower"|"neither" Which values are better.
---@field name string The name in results.
---@field needs_probabilities? boolean Whether `info.probabilities` is wanted. Default false.
---@field score fun(truth: any[], predicted: any[], info: table): number?, string? Returns the value, or nil and the reason why there is none.

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

--- A step of a pipeline after its learner.
---@class crossfold.Step

---@class (exact) crossfold.CalibrationOptions
---@field ensemble? boolean Whether the models of the inner folds predict together, each with a map of its own. Default false.
---@field method "platt"|"isotonic" The method of calibration.
---@field splitter? crossfold.AnySplitter The inner splits; default a stratified 5-fold cross-validation.

--- A step after a learner that calibrates its probabilities: docs/thresholds.md.
---@param options crossfold.CalibrationOptions
---@return crossfold.Step
---@nodiscard
function cf.calibration(options) end

---@class (exact) crossfold.ThresholdOptions
---@field costs? "data"|crossfold.Costs The costs that it minimizes, instead of `metric`: a matrix, or "data" for that of the dataset.
---@field metric? "accuracy"|"balanced_accuracy"|"f1"|"mcc"|"youden" The metric that the threshold maximizes.
---@field positive? string The positive class; default the second one.
---@field splitter? crossfold.AnySplitter The inner splits; default a stratified 5-fold cross-validation.

--- A step after a learner that chooses the decision threshold inside the training rows.
---@param options crossfold.ThresholdOptions
---@return crossfold.Step
---@nodiscard
function cf.threshold(options) end

---@class (exact) crossfold.MinimumCostOptions
---@field costs? table The costs of wrong predictions, rows by truth; default those of the dataset.

--- A step after a learner that predicts the class with the minimum expected cost.
---@param options? crossfold.MinimumCostOptions
---@return crossfold.Step
---@nodiscard
function cf.minimum_cost(options) end

-- Searches and ensembles -------------------------------------------------------------------------

---@class (exact) crossfold.SearchBudget
---@field cells? integer Maximum number of cells that are planned.
---@field evaluations? integer Maximum number of candidates.
---@field seconds? number Time after which no round is started, in grid_search and random_search.


---@class (exact) crossfold.GridSearchOptions
---@field alpha? number Level of the tests of "within_noise" and of "simplest in the set"; default 0.05.
---@field budget? crossfold.SearchBudget A limit of the search: { cells = } or, for grid_search and random_search, { seconds = }.
---@field choose? "best"|"one_se"|"simplest in the set"|"within_noise" The rule of choice: the best mean, the simplest candidate within one standard error of it, the simplest of the confidence set, or the simplest one that is not significantly worse. Default "best".
---@field grid table<string, any[]>|table[] The values of each parameter, of which all combinations are tried; or a list of such tables.
---@field inactive? "drop"|"refuse" What to do with values that have no effect in a setting: "refuse" (default) raises an error.
---@field keep_inner? boolean Whether the predictions of all candidates are kept, for `corrected` and `confidence_set`; default: if they take up to 64 MiB, or up to 2 MiB in a search inside an experiment.
---@field learner crossfold.AnyLearner The learner whose parameters are searched.
---@field metric crossfold.AnyMetric The metric that decides.
---@field metrics? crossfold.Metrics Further metrics whose inner means are kept.
---@field simplest? table<string, "higher"|"lower"|any[]>|table[]|fun(params: table<string, any>): number Which candidate is simpler: a direction for each parameter, or a function of the parameters.
---@field splitter crossfold.AnySplitter The inner splits, which are made of the training rows.

--- Searches all settings of a grid: docs/tuning.md.
---@param options crossfold.GridSearchOptions
---@return crossfold.Search
---@nodiscard
function cf.grid_search(options) end

---@class (exact) crossfold.Range
---@field high? number The largest value; default the bound that the parameter declares.
---@field low? number The smallest value; default the bound that the parameter declares.
---@field scale? "log"|"linear" How values are drawn; default as the parameter declares.


---@class (exact) crossfold.RandomSearchOptions
---@field alpha? number Level of the tests of "within_noise" and of "simplest in the set"; default 0.05.
---@field budget? crossfold.SearchBudget A limit of the search: { cells = } or, for grid_search and random_search, { seconds = }.
---@field candidates? integer Number of settings that are drawn; default 60.
---@field choose? "best"|"one_se"|"simplest in the set"|"within_noise" The rule of choice: the best mean, the simplest candidate within one standard error of it, the simplest of the confidence set, or the simplest one that is not significantly worse. Default "best".
---@field keep_inner? boolean Whether the predictions of all candidates are kept, for `corrected` and `confidence_set`; default: if they take up to 64 MiB, or up to 2 MiB in a search inside an experiment.
---@field learner crossfold.AnyLearner The learner whose parameters are searched.
---@field metric crossfold.AnyMetric The metric that decides.
---@field metrics? crossfold.Metrics Further metrics whose inner means are kept.
---@field seed? integer Seed of the settings that are drawn; default the seed of the program.
---@field simplest? table<string, "higher"|"lower"|any[]>|table[]|fun(params: table<string, any>): number Which candidate is simpler: a direction for each parameter, or a function of the parameters.
---@field space table<string, "declared"|crossfold.Range|any[]> What the values of each parameter are drawn from: a list, a range, or "declared".
---@field splitter crossfold.AnySplitter The inner splits, which are made of the training rows.

--- Searches settings sampled from a space.
---@param options crossfold.RandomSearchOptions
---@return crossfold.Search
---@nodiscard
function cf.random_search(options) end

---@class (exact) crossfold.HalvingSearchOptions
---@field alpha? number Level of the tests of "within_noise" and of "simplest in the set"; default 0.05.
---@field budget? crossfold.SearchBudget A limit of the search: { cells = } or, for grid_search and random_search, { seconds = }.
---@field candidates? integer Number of settings that are drawn; default 60.
---@field choose? "best"|"one_se"|"simplest in the set"|"within_noise" The rule of choice: the best mean, the simplest candidate within one standard error of it, the simplest of the confidence set, or the simplest one that is not significantly worse. Default "best".
---@field factor? integer One candidate of this number goes on to the next round. Default 3.
---@field grid? table<string, any[]>|table[] The values of each parameter, of which all combinations are tried; or a list of such tables.
---@field inactive? "drop"|"refuse" What to do with values that have no effect in a setting: "refuse" (default) raises an error.
---@field keep_inner? boolean Whether the predictions of all candidates are kept, for `corrected` and `confidence_set`; default: if they take up to 64 MiB, or up to 2 MiB in a search inside an experiment.
---@field learner crossfold.AnyLearner The learner whose parameters are searched.
---@field max_resource? number The resource of the last round, where it is a parameter.
---@field metric crossfold.AnyMetric The metric that decides.
---@field metrics? crossfold.Metrics Further metrics whose inner means are kept.
---@field min_resource number The resource of the first round; of rows a share.
---@field resource? string What grows from round to round: "rows", or a parameter of the learner. Default "rows".
---@field seed? integer Seed of the settings that are drawn; default the seed of the program.
---@field simplest? table<string, "higher"|"lower"|any[]>|table[]|fun(params: table<string, any>): number Which candidate is simpler: a direction for each parameter, or a function of the parameters.
---@field space? table<string, "declared"|crossfold.Range|any[]> What the values of each parameter are drawn from: a list, a range, or "declared".
---@field splitter crossfold.AnySplitter The inner splits, which are made of the training rows.

--- Tries all settings with little of a resource, and the better ones with more.
---@param options crossfold.HalvingSearchOptions
---@return crossfold.Search
---@nodiscard
function cf.halving_search(options) end

---@class (exact) crossfold.ModelSearchOptions
---@field alpha? number Level of the tests of "within_noise" and of "simplest in the set"; default 0.05.
---@field batch? integer Number of settings that are proposed and evaluated at the same time. Default 4.
---@field budget? crossfold.SearchBudget A limit of the search: { cells = } or, for grid_search and random_search, { seconds = }.
---@field candidates? integer Number of settings that are evaluated; default that of the budget, or 60.
---@field choose? "best"|"one_se"|"simplest in the set"|"within_noise" The rule of choice: the best mean, the simplest candidate within one standard error of it, the simplest of the confidence set, or the simplest one that is not significantly worse. Default "best".
---@field initial? integer Number of settings that are drawn before the surrogate proposes any. Default 10.
---@field keep_inner? boolean Whether the predictions of all candidates are kept, for `corrected` and `confidence_set`; default: if they take up to 64 MiB, or up to 2 MiB in a search inside an experiment.
---@field learner crossfold.AnyLearner The learner whose parameters are searched.
---@field metric crossfold.AnyMetric The metric that decides.
---@field metrics? crossfold.Metrics Further metrics whose inner means are kept.
---@field seed? integer Seed of the settings that are drawn; default the seed of the program.
---@field simplest? table<string, "higher"|"lower"|any[]>|table[]|fun(params: table<string, any>): number Which candidate is simpler: a direction for each parameter, or a function of the parameters.
---@field space table<string, "declared"|crossfold.Range|any[]> What the values of each parameter are drawn from: a list, a range, or "declared".
---@field splitter crossfold.AnySplitter The inner splits, which are made of the training rows.
---@field surrogate? "random_forest"|"tpe" The model of the scores: Parzen estimators, or a random forest with expected improvement. Default "tpe".

--- Learns from the scores so far which settings to try next: docs/tuning.md.
---@param options crossfold.ModelSearchOptions
---@return crossfold.Search
---@nodiscard
function cf.model_search(options) end

---@class (exact) crossfold.HyperbandOptions
---@field alpha? number Level of the tests of "within_noise" and of "simplest in the set"; default 0.05.
---@field budget? crossfold.SearchBudget A limit of the search: { cells = } or, for grid_search and random_search, { seconds = }.
---@field choose? "best"|"one_se"|"simplest in the set"|"within_noise" The rule of choice: the best mean, the simplest candidate within one standard error of it, the simplest of the confidence set, or the simplest one that is not significantly worse. Default "best".
---@field factor? integer One candidate of this number goes on to the next round. Default 3.
---@field keep_inner? boolean Whether the predictions of all candidates are kept, for `corrected` and `confidence_set`; default: if they take up to 64 MiB, or up to 2 MiB in a search inside an experiment.
---@field learner crossfold.AnyLearner The learner whose parameters are searched.
---@field max_resource? number The resource of the last round, where it is a parameter.
---@field metric crossfold.AnyMetric The metric that decides.
---@field metrics? crossfold.Metrics Further metrics whose inner means are kept.
---@field min_resource number The resource of the first round; of rows a share.
---@field resource? string What grows from round to round: "rows", or a parameter of the learner. Default "rows".
---@field seed? integer Seed of the settings that are drawn; default the seed of the program.
---@field simplest? table<string, "higher"|"lower"|any[]>|table[]|fun(params: table<string, any>): number Which candidate is simpler: a direction for each parameter, or a function of the parameters.
---@field space table<string, "declared"|crossfold.Range|any[]> What the values of each parameter are drawn from: a list, a range, or "declared".
---@field splitter crossfold.AnySplitter The inner splits, which are made of the training rows.

--- Halves several sets of settings, from many with little of a resource to few with all of it.
---@param options crossfold.HyperbandOptions
---@return crossfold.Search
---@nodiscard
function cf.hyperband(options) end

---@class (exact) crossfold.RaceSearchOptions
---@field alpha? number Level of the tests of "within_noise" and of "simplest in the set"; default 0.05.
---@field budget? crossfold.SearchBudget A limit of the search: { cells = } or, for grid_search and random_search, { seconds = }.
---@field candidates? integer Number of settings that are drawn; default 60.
---@field choose? "best"|"one_se"|"simplest in the set"|"within_noise" The rule of choice: the best mean, the simplest candidate within one standard error of it, the simplest of the confidence set, or the simplest one that is not significantly worse. Default "best".
---@field error? number Probability that the best candidate is dropped. Default 0.05.
---@field every? integer Number of inner folds from one test to the next. Default 1.
---@field grid? table<string, any[]>|table[] The values of each parameter, of which all combinations are tried; or a list of such tables.
---@field inactive? "drop"|"refuse" What to do with values that have no effect in a setting: "refuse" (default) raises an error.
---@field keep_inner? boolean Whether the predictions of all candidates are kept, for `corrected` and `confidence_set`; default: if they take up to 64 MiB, or up to 2 MiB in a search inside an experiment.
---@field learner crossfold.AnyLearner The learner whose parameters are searched.
---@field metric crossfold.AnyMetric The metric that decides.
---@field metrics? crossfold.Metrics Further metrics whose inner means are kept.
---@field min_folds? integer Number of inner folds before candidates are dropped. Default 5.
---@field seed? integer Seed of the settings that are drawn; default the seed of the program.
---@field simplest? table<string, "higher"|"lower"|any[]>|table[]|fun(params: table<string, any>): number Which candidate is simpler: a direction for each parameter, or a function of the parameters.
---@field space? table<string, "declared"|crossfold.Range|any[]> What the values of each parameter are drawn from: a list, a range, or "declared".
---@field splitter crossfold.AnySplitter The inner splits, which are made of the training rows.

--- Tries settings fold by fold, and drops those that are significantly worse.
---@param options crossfold.RaceSearchOptions
---@return crossfold.Search
---@nodiscard
function cf.race_search(options) end

--- One of several learners; a search chooses it by the parameter `choice`.
---@param learners table<string, crossfold.AnyLearner>
---@return crossfold.Composite
---@nodiscard
function cf.choice(learners) end

---@class (exact) crossfold.VotingOptions
---@field learners crossfold.AnyLearner[] The learners that vote.
---@field vote? "majority"|"probabilities"|"mean" How the members vote: "majority" (default for classes), "probabilities" takes the mean of their probabilities, "mean" (default for numbers) the mean of their values.
---@field weights? number[] The weight of each learner; default 1.

---@param options crossfold.VotingOptions
---@return crossfold.Composite
---@nodiscard
function cf.voting(options) end

---@class (exact) crossfold.BaggingOptions
---@field features? number Share of the features in a sample, which are drawn without replacement. Default 1.
---@field learner crossfold.AnyLearner The learner that is fitted on each sample.
---@field n integer Number of samples.
---@field replace? boolean Whether rows are drawn with replacement. Default true.
---@field rows? number Share of the rows in a sample. Default 1.
---@field vote? "majority"|"probabilities"|"mean" How the members vote: "majority" (default for classes), "probabilities" takes the mean of their probabilities, "mean" (default for numbers) the mean of their values.

---@param options crossfold.BaggingOptions
---@return crossfold.Composite
---@nodiscard
function cf.bagging(options) end

---@class (exact) crossfold.StackingOptions
---@field combiner crossfold.AnyLearner The learner that learns from their out-of-fold predictions.
---@field learners crossfold.AnyLearner[] The learners whose predictions are combined.
---@field passthrough? boolean Whether the combiner gets the features, too. Default false.
---@field probabilities? boolean Whether it gets probabilities instead of predicted classes. Default true.
---@field splitter crossfold.AnySplitter The splits of the out-of-fold predictions; each row is tested once.

---@param options crossfold.StackingOptions
---@return crossfold.Composite
---@nodiscard
function cf.stacking(options) end

---@class (exact) crossfold.ConformalOptions
---@field coverage? number The coverage of the intervals or sets that cf.evaluate keeps. Default 0.9.
---@field learner crossfold.AnyLearner The learner that predicts.
---@field method "cv_plus"|"jackknife_plus"|"cv_minmax"|"aps" The method: "cv_plus", "jackknife_plus" (one row a fold) and "cv_minmax" give intervals of numbers, "aps" gives sets of classes.
---@field randomized? boolean Whether "aps" draws at random what share of its own probability a class counts, as its paper does; sets may be empty then. Default false.
---@field splitter? crossfold.AnySplitter The folds, which each row is in once; default 10 folds (fewer for fewer rows), one row a fold for "jackknife_plus".

--- A learner whose model gives intervals or sets of classes with a guaranteed coverage: docs/conformal.md.
---@param options crossfold.ConformalOptions
---@return crossfold.Composite
---@nodiscard
function cf.conformal(options) end

-- Experiments ------------------------------------------------------------------------------------

---@class (exact) crossfold.Limits
---@field cpu_seconds? number Maximum processor time of a cell in seconds.
---@field memory? integer|string Maximum memory of a cell in bytes, as in "1G".
---@field memory_max? integer|string A cell that needs more than `memory` is tried again with twice as much, up to this number of bytes.
---@field seconds? number Maximum time of a cell in seconds.


---@class (exact) crossfold.EvaluateOptions
---@field data? crossfold.Dataset The dataset.
---@field datasets? table<string|integer, crossfold.Dataset> Several datasets, by name or as a list.
---@field isolate? "auto"|"none"|"worker"|"fresh"|table<string, "auto"|"none"|"worker"|"fresh"> Where cells run: "none" in this process, "worker" in worker processes, "fresh" each in a new process, "auto" (default) in worker processes unless all plugins of the cell are bundled or folders. A table has the mode of each learner by its name.
---@field keep? "labels"|"probabilities"|"none" What is kept of the out-of-fold predictions. Default "labels".
---@field learners crossfold.Learners The learners, by name (which gives the order) or as a list.
---@field limits? crossfold.Limits Limits of one cell, { seconds =, cpu_seconds =, memory =, memory_max = }. Only a process can be held to them, so such cells run in worker processes, or in new ones with isolate = "fresh".
---@field metrics crossfold.Metrics The metrics that score the predictions.
---@field on_error? "record"|"stop"|crossfold.AnyLearner What becomes of a fold that fails: "record" notes it in the result, "stop" starts no more cells and raises the error, a learner stands in for the one that failed. Default "record".
---@field on_store_error? "continue"|"stop" What a run does if the store accepts no more cells: "continue" (default) runs the cells without storing them and reports that, "stop" ends the run with an error.
---@field retries? integer How often a cell is tried again that failed because of the machine: it was killed, or there was no memory or disk space (default 2).
---@field seed? integer Seed of all random numbers. Default 1.
---@field splitter crossfold.AnySplitter|crossfold.Splits What makes the splits, which are the same for all learners; or splits, as of another result.
---@field store? string|false The file that keeps finished cells, which are found there instead of being computed again; false: not the program's store.
---@field store_predictions? integer|string|false Number of bytes that predictions may take in the store, as in "2G"; false (program: 0): none.
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- Evaluates every learner on every split of every dataset.
---@param options crossfold.EvaluateOptions
---@return crossfold.Result
function cf.evaluate(options) end

---@class (exact) crossfold.ImportPredictionsOptions
---@field data crossfold.Dataset The data that were predicted.
---@field file? string The file of predictions, of any format that cf.read reads.
---@field first_row? integer The number of the first row; 0 for tools that count from 0. Default 1.
---@field fold? string The column of folds; without it all rows are one test set.
---@field key? string The column of the data that has the entries of column `row`, if these are not numbers.
---@field label? string The column of predicted classes or values; default the most probable class.
---@field learner? string The name of the learner in results.
---@field learner_column? string The column with the name of the learner, where there are several.
---@field metrics? crossfold.Metrics The metrics; default accuracy, with log_loss where there are probabilities, or rmse for numbers.
---@field partial? boolean Whether rows may be without a prediction; they count as training rows. Default false.
---@field predictions? table|crossfold.Dataset The predictions instead of a file: a dataset, or lists by name of column.
---@field probabilities? string|table<string|integer, string> The columns of probabilities: "p_*", where * is the class, { class = column }, or a list in the order of the classes.
---@field read? table<string, any> Options of cf.read for the file.
---@field repeat_? string The column of repeats.
---@field rescale? boolean Whether probabilities are divided by their sum, for files with few digits; the sum may be off by 0.05. Default false.
---@field row? string The column with the number of the row; without it entry i is of row i.
---@field splits? crossfold.Splits The splits that the predictions were made on, as cf.split gives them.
---@field store? string|false The file that keeps finished cells, which are found there instead of being computed again; false: not the program's store.
---@field truth? string The column of true classes or values, which must be those of the data.

--- A result of predictions that another tool made; see docs/import.md.
---@param options crossfold.ImportPredictionsOptions
---@return crossfold.Result
function cf.import_predictions(options) end

---@class (exact) crossfold.LockboxOptions
---@field confidence? number Level at which the intervals of all openings hold together. Default 0.95.
---@field file string The file that gets the sealed rows; ends in .lockbox.
---@field groups? string The column of groups, which stay together; default that of the data.
---@field key? string The file that gets the key, to be kept by someone else; without it the lockbox has it.
---@field looks? "bonferroni"|"spending"|"adaptive" How the risk of a wrong interval is divided among openings: 1/k each ("bonferroni"), 1/2^k of opening k, or so that the intervals hold for models that were chosen by earlier scores. Default "spending".
---@field seed? integer Seed of all random numbers. Default 1.
---@field share? number The share of rows to seal. Default 0.2.
---@field splitter? crossfold.AnySplitter The test rows of its first split are sealed, not a random share.
---@field stratify? boolean Whether the shares of the classes stay the same; default true if there are classes.

--- The rows to work on, and the lockbox that has the others: docs/lockbox.md.
---@param data crossfold.Dataset
---@param options crossfold.LockboxOptions
---@return crossfold.Dataset
---@return crossfold.Lockbox
function cf.lockbox(data, options) end

--- The lockbox in a file, which stays closed.
---@param path string
---@return crossfold.Lockbox
function cf.read_lockbox(path) end

--- What anyone may read about sealed rows.
---@class crossfold.LockboxSeal
---@field id string
---@field data string
---@field rows integer
---@field rest_rows integer
---@field hash string
---@field rest_hash string
---@field whole_hash string
---@field chosen_by string
---@field rule "bonferroni"|"spending"|"adaptive"
---@field confidence number
---@field time string
---@field is_key_apart boolean

---@class crossfold.LockboxRow
---@field number integer
---@field time string
---@field reason string
---@field model string
---@field model_hash string
---@field metric string
---@field score? number
---@field low? number
---@field high? number
---@field level? number
---@field problem? string Why there is no score.
---@field no_interval? string Why there is no interval.

---@class crossfold.LockboxInterval
---@field low number
---@field high number
---@field level number

---@class crossfold.LockboxOpening : crossfold.LockboxRow
---@field file string
---@field data string
---@field rows integer
---@field openings integer
---@field confidence number
---@field rule "bonferroni"|"spending"|"adaptive"
---@field method? "wilson"|"clt"|"bootstrap"
---@field is_repeated boolean
---@field adaptive? crossfold.LockboxInterval If the model was chosen by earlier scores.
local LockboxOpening = {}

---@class (exact) crossfold.LockboxOutput
---@field json? crossfold.Output The path of the file; true returns the text instead.
---@field text? crossfold.Output The path of the file; true returns the text instead.

---@param output crossfold.LockboxOutput
---@return string?
function LockboxOpening:to(output) end

---@class crossfold.Lockbox
local Lockbox = {}

---@class (exact) crossfold.LockboxOpenOptions
---@field key? string The file of the key, if it is kept apart.
---@field metric? crossfold.AnyMetric The metric; default accuracy, or rmse for a numeric target.
---@field reason string Why the lockbox is opened; it is recorded.
---@field store? string|false The store that records the opening, too; default that of the program.

--- Evaluates a model, or the file of one, on the sealed rows, which is recorded.
---@param model any
---@param options crossfold.LockboxOpenOptions
---@return crossfold.LockboxOpening
function Lockbox:open(model, options) end
---@return crossfold.LockboxSeal
function Lockbox:seal() end
---@return crossfold.LockboxRow[]
function Lockbox:openings() end

---@class (exact) crossfold.LockboxVerifyOptions
---@field key? string The file of the key, if it is kept apart.

--- Raises unless the file is as it was written with its key.
---@param options? crossfold.LockboxVerifyOptions
---@return boolean
function Lockbox:verify(options) end
---@param output crossfold.LockboxOutput
---@return string?
function Lockbox:to(output) end

---@class (exact) crossfold.CrossPredictOptions
---@field data crossfold.Dataset The dataset.
---@field isolate? "auto"|"none"|"worker"|"fresh" Where cells run: "none" in this process, "worker" in worker processes, "fresh" each in a new process, "auto" (default) in worker processes unless all plugins of the cell are bundled or folders.
---@field keep? "labels"|"probabilities" What the predictions hold. Default "labels".
---@field learner crossfold.AnyLearner The learner, which consists of plugins.
---@field limits? crossfold.Limits Limits of one cell, { seconds =, cpu_seconds =, memory =, memory_max = }. Only a process can be held to them, so such cells run in worker processes, or in new ones with isolate = "fresh".
---@field on_store_error? "continue"|"stop" What a run does if the store accepts no more cells: "continue" (default) runs the cells without storing them and reports that, "stop" ends the run with an error.
---@field retries? integer How often a cell is tried again that failed because of the machine: it was killed, or there was no memory or disk space (default 2).
---@field seed? integer Seed of all random numbers. Default 1.
---@field splitter crossfold.AnySplitter The splits; the test rows of a fold are predicted.
---@field store? string|false The file that keeps finished cells, which are found there instead of being computed again; false: not the program's store.
---@field store_predictions? integer|string|false Number of bytes that predictions may take in the store, as in "2G"; false (program: 0): none.
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- Out-of-fold predictions, one per repeat.
---@param options crossfold.CrossPredictOptions
---@return crossfold.Prediction[]
function cf.cross_predict(options) end

---@class (exact) crossfold.LearningCurveOptions
---@field data crossfold.Dataset The dataset.
---@field from? integer The smallest size of a schedule; default 1/32 of `to`.
---@field isolate? "auto"|"none"|"worker"|"fresh"|table<string, "auto"|"none"|"worker"|"fresh"> Where cells run: "none" in this process, "worker" in worker processes, "fresh" each in a new process, "auto" (default) in worker processes unless all plugins of the cell are bundled or folders. A table has the mode of each learner by its name.
---@field keep? "labels"|"probabilities"|"none" What is kept of the out-of-fold predictions. Default "none".
---@field learners crossfold.Learners The learners, by name or as a list.
---@field limits? crossfold.Limits Limits of one cell, { seconds =, cpu_seconds =, memory =, memory_max = }. Only a process can be held to them, so such cells run in worker processes, or in new ones with isolate = "fresh".
---@field metrics crossfold.Metrics The metrics that score the predictions.
---@field on_error? "record"|"stop"|crossfold.AnyLearner What becomes of a fold that fails: "record" notes it in the result, "stop" starts no more cells and raises the error, a learner stands in for the one that failed. Default "record".
---@field on_store_error? "continue"|"stop" What a run does if the store accepts no more cells: "continue" (default) runs the cells without storing them and reports that, "stop" ends the run with an error.
---@field points? integer Number of sizes in a schedule; default 6.
---@field retries? integer How often a cell is tried again that failed because of the machine: it was killed, or there was no memory or disk space (default 2).
---@field schedule? "geometric"|"arithmetic" How sizes grow between `from` and `to`; default "geometric".
---@field seed? integer Seed of all random numbers. Default 1.
---@field sizes? integer[] The sizes of the training sets.
---@field store? string|false The file that keeps finished cells, which are found there instead of being computed again; false: not the program's store.
---@field store_predictions? integer|string|false Number of bytes that predictions may take in the store, as in "2G"; false (program: 0): none.
---@field stratify? boolean Whether classes have equal shares in all sets; default true for classes.
---@field test? crossfold.Dataset A dataset whose rows are the test rows of every trial.
---@field test_share? number Share of the rows that test in each trial; default 1/3.
---@field to? integer The largest size of a schedule; default all training rows.
---@field trials? integer Number of times that training and test rows are drawn. Default 10.
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- Scores against the number of training rows: docs/learning_curves.md.
---@param options crossfold.LearningCurveOptions
---@return crossfold.LearningCurve
function cf.learning_curve(options) end

---@class (exact) crossfold.ValidationCurveOptions
---@field data crossfold.Dataset The dataset.
---@field learner crossfold.AnyLearner The learner.
---@field metric crossfold.AnyMetric The metric that scores the predictions.
---@field parameter string The parameter of the learner whose value changes.
---@field seed? integer Seed of all random numbers. Default 1.
---@field splitter crossfold.AnySplitter The splits, which are the same for all values.
---@field train_scores? boolean Whether the training rows are scored, too. Default true.
---@field values any[] The values of the parameter.
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- Scores against the values of one parameter.
---@param options crossfold.ValidationCurveOptions
---@return crossfold.ValidationCurve
function cf.validation_curve(options) end

---@class (exact) crossfold.BiasVarianceOptions
---@field data crossfold.Dataset The dataset.
---@field isolate? "auto"|"none"|"worker"|"fresh"|table<string, "auto"|"none"|"worker"|"fresh"> Where cells run: "none" in this process, "worker" in worker processes, "fresh" each in a new process, "auto" (default) in worker processes unless all plugins of the cell are bundled or folders. A table has the mode of each learner by its name.
---@field learners crossfold.Learners The learners, by name or as a list.
---@field limits? crossfold.Limits Limits of one cell, { seconds =, cpu_seconds =, memory =, memory_max = }. Only a process can be held to them, so such cells run in worker processes, or in new ones with isolate = "fresh".
---@field loss? "squared"|"zero_one" The loss; default that of the task.
---@field method? "domingos"|"kohavi_wolpert" The decomposition of the 0/1 loss that is shown; default both.
---@field on_store_error? "continue"|"stop" What a run does if the store accepts no more cells: "continue" (default) runs the cells without storing them and reports that, "stop" ends the run with an error.
---@field replace? boolean Whether rows are drawn with replacement. Default false.
---@field retries? integer How often a cell is tried again that failed because of the machine: it was killed, or there was no memory or disk space (default 2).
---@field rounds? integer Number of training sets. Default 100.
---@field seed? integer Seed of all random numbers. Default 1.
---@field store? string|false The file that keeps finished cells, which are found there instead of being computed again; false: not the program's store.
---@field store_predictions? integer|string|false Number of bytes that predictions may take in the store, as in "2G"; false (program: 0): none.
---@field stratify? boolean Whether classes have equal shares in all sets; default true for classes.
---@field test? crossfold.Dataset A dataset whose rows are the test rows.
---@field test_share? number Share of the rows that test; default 1/3.
---@field train_size? number Size of a training set: a share of the training rows below 1, or a number of rows. Default 0.5.
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- Bias and variance over repeated training sets: docs/bias_variance.md.
---@param options crossfold.BiasVarianceOptions
---@return crossfold.BiasVariance
function cf.bias_variance(options) end

---@class (exact) crossfold.Bootstrap632Options
---@field data crossfold.Dataset The dataset.
---@field isolate? "auto"|"none"|"worker"|"fresh" Where cells run: "none" in this process, "worker" in worker processes, "fresh" each in a new process, "auto" (default) in worker processes unless all plugins of the cell are bundled or folders.
---@field learner crossfold.AnyLearner The learner.
---@field limits? crossfold.Limits Limits of one cell, { seconds =, cpu_seconds =, memory =, memory_max = }. Only a process can be held to them, so such cells run in worker processes, or in new ones with isolate = "fresh".
---@field loss? "error_rate"|"squared" The loss; default that of the task.
---@field method? "632+"|"632" The rule of the estimate. Default "632+".
---@field on_store_error? "continue"|"stop" What a run does if the store accepts no more cells: "continue" (default) runs the cells without storing them and reports that, "stop" ends the run with an error.
---@field repeats? integer Number of bootstrap samples. Default 50.
---@field retries? integer How often a cell is tried again that failed because of the machine: it was killed, or there was no memory or disk space (default 2).
---@field seed? integer Seed of all random numbers. Default 1.
---@field store? string|false The file that keeps finished cells, which are found there instead of being computed again; false: not the program's store.
---@field store_predictions? integer|string|false Number of bytes that predictions may take in the store, as in "2G"; false (program: 0): none.
---@field stratify? boolean Whether each class keeps its number of rows in every sample. Default false.
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- The .632 and .632+ estimates.
---@param options crossfold.Bootstrap632Options
---@return crossfold.Bootstrap632
function cf.bootstrap_632(options) end

---@class (exact) crossfold.VarianceOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field data? crossfold.Dataset The dataset, of which samples are drawn with replacement.
---@field datasets? crossfold.Dataset[] Independent samples of one population, instead of `data`.
---@field isolate? "auto"|"none"|"worker"|"fresh" Where cells run: "none" in this process, "worker" in worker processes, "fresh" each in a new process, "auto" (default) in worker processes unless all plugins of the cell are bundled or folders.
---@field learner? crossfold.AnyLearner The learner; a search has the source "tuning", too.
---@field learners? crossfold.Learners Two or more learners, which get the same samples and splits.
---@field limits? crossfold.Limits Limits of one cell, { seconds =, cpu_seconds =, memory =, memory_max = }. Only a process can be held to them, so such cells run in worker processes, or in new ones with isolate = "fresh".
---@field metric crossfold.AnyMetric The metric that scores the predictions.
---@field on_store_error? "continue"|"stop" What a run does if the store accepts no more cells: "continue" (default) runs the cells without storing them and reports that, "stop" ends the run with an error.
---@field retries? integer How often a cell is tried again that failed because of the machine: it was killed, or there was no memory or disk space (default 2).
---@field seed? integer Seed of all random numbers. Default 1.
---@field sources? string[]|table<"data"|"split"|"tuning"|"seed", integer> The sources that vary, with the number of draws inside each draw of the source before; default all that the learners have, 10 of the first and 2 of each other. The rest is held fixed.
---@field splitter? crossfold.AnySplitter What splits a sample; default a holdout of a third of its rows. The score of several folds is their mean.
---@field store? string|false The file that keeps finished cells, which are found there instead of being computed again; false: not the program's store.
---@field store_predictions? integer|string|false Number of bytes that predictions may take in the store, as in "2G"; false (program: 0): none.
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- Where the spread of a score comes from: docs/variance.md.
---@param options crossfold.VarianceOptions
---@return crossfold.Variance
function cf.variance(options) end

---@class (exact) crossfold.RepeatUntilOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field data crossfold.Dataset The dataset.
---@field first_repeats? integer Number of repeats before the first look, and of each batch of "bounded". Default 20.
---@field isolate? "auto"|"none"|"worker"|"fresh" Where cells run: "none" in this process, "worker" in worker processes, "fresh" each in a new process, "auto" (default) in worker processes unless all plugins of the cell are bundled or folders.
---@field learner crossfold.AnyLearner The learner.
---@field least? number The least value of a metric that does not say its range.
---@field limits? crossfold.Limits Limits of one cell, { seconds =, cpu_seconds =, memory =, memory_max = }. Only a process can be held to them, so such cells run in worker processes, or in new ones with isolate = "fresh".
---@field max_repeats? integer Maximum number of repeats. Default 500.
---@field metric crossfold.AnyMetric The metric that scores the predictions.
---@field most? number The greatest value of a metric that does not say its range.
---@field on_store_error? "continue"|"stop" What a run does if the store accepts no more cells: "continue" (default) runs the cells without storing them and reports that, "stop" ends the run with an error.
---@field retries? integer How often a cell is tried again that failed because of the machine: it was killed, or there was no memory or disk space (default 2).
---@field rule? "bounded"|"normal" What ends the repeats: "normal" takes their scores to be close to normal; "bounded" needs the range of the metric, and many more repeats. Default "normal".
---@field seed? integer Seed of all random numbers. Default 1.
---@field splitter? crossfold.AnySplitter What splits the rows in each repeat; default kfold with 10 folds, stratified for classes.
---@field store? string|false The file that keeps finished cells, which are found there instead of being computed again; false: not the program's store.
---@field store_predictions? integer|string|false Number of bytes that predictions may take in the store, as in "2G"; false (program: 0): none.
---@field width number The width that the interval is to have.
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- Repeats of cross-validation until the interval of their mean is narrow: docs/variance.md.
---@param options crossfold.RepeatUntilOptions
---@return crossfold.RepeatUntil
function cf.repeat_until(options) end

---@class crossfold.RepeatUntil
---@field learner string
---@field data string
---@field rows integer
---@field metric string
---@field splitter string
---@field rule "normal"|"bounded"
---@field confidence number
---@field repeats integer
---@field mean? number
---@field low? number
---@field high? number
---@field width? number
---@field wanted_width number
---@field reached? boolean Whether the interval has at most the wanted width.
---@field max_repeats integer
---@field note? string
---@field undefined? string Why there is no interval.
local RepeatUntil = {}
--- The numbers of repeats of the batches.
---@return integer[]
function RepeatUntil:batches() end
--- The scores of the repeats.
---@return number[]
function RepeatUntil:values() end
--- The interval in plain English, with what it is of.
---@return string
function RepeatUntil:sentence() end
--- The given seed, data, plugins.
---@return table
function RepeatUntil:provenance() end

---@class (exact) crossfold.OwnReportOptions
---@field file? crossfold.Output The path of the page; without it the text is returned. Default true.
---@field metric? string The metric that figures and tables begin with; default the first one.
---@field title? string The title of the page.

--- One HTML page.
---@param options? crossfold.OwnReportOptions
---@return string?
function RepeatUntil:report(options) end

---@class (exact) crossfold.ResultOutput
---@field csv? crossfold.Output The path of the file; true returns the text instead.
---@field json? crossfold.Output The path of the file; true returns the text instead.
---@field latex? crossfold.Output The path of the file; true returns the text instead.

---@param output crossfold.ResultOutput
---@return string?
function RepeatUntil:to(output) end
---@class crossfold.SubgroupRow
---@field level string
---@field rows integer
---@field groups? integer
---@field value? number
---@field low? number
---@field high? number
---@field difference? number To the score of all other rows.
---@field p? number
---@field p_adjusted? number
---@field test? "permutation"|"bootstrap"
---@field undefined? string Why there is no value.
---@field interval_undefined? string
---@field p_undefined? string

---@class crossfold.SubgroupGap
---@field estimate? number
---@field low? number
---@field high? number
---@field undefined? string Why there is no gap, or no interval of it.

---@class crossfold.Subgroups
---@field learner string
---@field dataset string
---@field metric string
---@field by string
---@field value? number Of all rows.
---@field gap crossfold.SubgroupGap
---@field worst? string
---@field best? string
---@field interval? "wilson"|"bootstrap"
---@field units "rows"|"groups" What samples are drawn of.
---@field adjust string
---@field confidence number
---@field min_rows integer
---@field direction integer
local Subgroups = {}
---@return crossfold.SubgroupRow[]
function Subgroups:rows() end
--- The findings in plain English.
---@return string
function Subgroups:sentence() end
---@return string
function Subgroups:title() end
---@return string[]
function Subgroups:shown() end
--- The given seed, data, plugins.
---@return table
function Subgroups:provenance() end
---@param output crossfold.ResultOutput
---@return string?
function Subgroups:to(output) end
---@param options? crossfold.OwnReportOptions
---@return string?
function Subgroups:report(options) end

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
--- The given seed, data, plugin.
---@return table
function Bootstrap632:provenance() end
---@param output crossfold.ResultOutput
---@return string?
function Bootstrap632:to(output) end
---@param options? crossfold.OwnReportOptions
---@return string?
function Bootstrap632:report(options) end

---@class (exact) crossfold.CompareOptions
---@field adjust? "bonferroni"|"holm"|"hochberg"|"benjamini_hochberg" How p-values are adjusted over the pairs of a dataset. Default "holm".
---@field alpha? number Level of the tests. Default 0.05.
---@field bayes? "signed_rank"|"hierarchical" The Bayesian test over datasets: of their means, or of the differences of all splits. Default "signed_rank".
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field control? string The learner that all others are compared with; default: all pairs.
---@field datasets? string[] The datasets; default all.
---@field learners? string[] The learners that are compared; default all.
---@field metric? string The metric that is compared; default the first one.
---@field paired? boolean Whether results of different splits are refused; false compares them unpaired. Default true.
---@field rope? number Half-width of the region of practical equivalence; default 0.01 for metrics from 0 to 1.
---@field seed? integer Seed of the Bayesian test over datasets. Default 1.
---@field test? "corrected_t"|"mcnemar"|"anytime"|"five_by_two_t"|"five_by_two_f"|"unpaired_t"|"paired_t" The test of a pair; default one that is valid for the splits.

--- Which learner is better, by a test that is valid for the splits: docs/comparing.md.
---@param result crossfold.Result
---@param options? crossfold.CompareOptions
---@return crossfold.Comparison
function cf.compare(result, options) end

---@class (exact) crossfold.RescoreOptions
---@field costs? string|table Costs of wrong predictions: the path of a table, or { classes = { "no", "yes" }, {0, 1}, {5, 0} }.
---@field inner? boolean Whether the inner cells of searches are scored, too. Default false.
---@field metrics crossfold.Metrics The metrics that score the stored predictions.
---@field run? integer The number of the run; default the last one.
---@field store string The file of the store.
---@field subgroup? string Only rows for which this holds, as in "age > 60 and sex = f".

--- Computes other metrics from stored predictions, without a fit.
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

---@class crossfold.StoreLearner
---@field learner string
---@field dataset string
---@field inner boolean
---@field imported boolean Folds that another tool predicted, instead of cells.
---@field wanted integer
---@field done integer
---@field failed integer
---@field stopped integer
---@field missing integer
---@field predictions integer
---@field causes table<string, integer> Failures by cause, as in result:failures().
---@field retried integer Cells with earlier tries that failed because of the machine.

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

---@class (exact) crossfold.StoreStatusOptions
---@field run? integer Only cells of this run; default all.

--- The contents of a store, by learner.
---@param path string
---@param options? crossfold.StoreStatusOptions
---@return crossfold.StoreStatus
function cf.store_status(path, options) end

--- Rows that can be printed and written.
---@class crossfold.CatalogRows
local CatalogRows = {}
--- The names of the columns, in order.
---@return string[]
function CatalogRows:columns() end

---@class (exact) crossfold.CatalogRowsOutput
---@field csv? crossfold.Output The path of the file; true returns the text instead.
---@field json? crossfold.Output The path of the file; true returns the text instead.
---@field latex? crossfold.Output The path of the file; true returns the text instead.

---@param output crossfold.CatalogRowsOutput
---@return string?
function CatalogRows:to(output) end

--- The experiments of many stores in one file: docs/catalog.md.
---@class crossfold.Catalog
local Catalog = {}

---@class (exact) crossfold.CatalogAddOptions
---@field who? string Who ran the experiments; default as before, or the owner of the file.

--- Adds stores, or reads those of the catalog again; a store that cannot be read has a `problem`.
---@param stores? string|string[]
---@param options? crossfold.CatalogAddOptions
---@return crossfold.CatalogRows
function Catalog:add(stores, options) end
---@param store string
function Catalog:remove(store) end
--- The stores, and which of them have changed or are gone.
---@return crossfold.CatalogRows
---@nodiscard
function Catalog:list() end

---@class (exact) crossfold.CatalogBestOptions
---@field dataset? string The name of a dataset, or the beginning of its hash; default all.
---@field metric? string The name of a metric; default all.

--- The scores of all stores, ranked within each dataset and metric.
---@param options? crossfold.CatalogBestOptions
---@return crossfold.CatalogRows
---@nodiscard
function Catalog:best(options) end
--- Where the dataset, plugin, cells, splits, script or result with this hash occurs.
---@param hash string The first 4 or more digits.
---@return crossfold.CatalogRows
---@nodiscard
function Catalog:find(hash) end
--- The rows of a SELECT of SQLite.
---@param sql string
---@return crossfold.CatalogRows
---@nodiscard
function Catalog:query(sql) end

---@class (exact) crossfold.CatalogAgreeOptions
---@field inner? boolean Whether cells that made a choice inside training rows are compared, too. Default false.

--- Compares the cells that several stores have.
---@param options? crossfold.CatalogAgreeOptions
---@return crossfold.CatalogRows
---@nodiscard
function Catalog:agree(options) end

---@class (exact) crossfold.CatalogPageOptions
---@field file? crossfold.Output The HTML file; without it the text is returned.
---@field title? string Title of the page; default the name of the catalog.

--- The leaderboard as one HTML file.
---@param options? crossfold.CatalogPageOptions
---@return string?
function Catalog:page(options) end

--- The catalog in a file, by default that of crossfold catalog.
---@param path? string
---@return crossfold.Catalog
---@nodiscard
function cf.catalog(path) end

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
---@field variance crossfold.Variance[]
---@field repeat_until crossfold.RepeatUntil[]
---@field damaged string[]

---@class (exact) crossfold.StoredOptions
---@field metrics? crossfold.Metric[] Metrics written in Lua, for pooled scores.
---@field run? integer The number of the run; default the last one.
---@field store string The file of the store.

--- The results of a run, read from a store.
---@param options crossfold.StoredOptions
---@return crossfold.StoredRun
function cf.stored(options) end

---@class (exact) crossfold.ReportOptions
---@field [integer] any Results, curves, comparisons.
---@field file? crossfold.Output The path of the page; without it the text is returned. Default true.
---@field metric? string The metric that figures and tables begin with; default the first one.
---@field run? integer The number of the run; default the last one.
---@field store? string The store whose run is reported, instead of results.
---@field title? string The title of the page.

--- One HTML page: docs/report.md.
---@param options crossfold.ReportOptions
---@return string?
function cf.report(options) end

---@class (exact) crossfold.AuditLabels
---@field learner? crossfold.AnyLearner A learner that gives probabilities. Default "random_forest".
---@field method? "by_noise_rate"|"by_class"|"both"|"confident_joint" Which rows look wrong: the number of each pair of classes, of each class, both, or all confident rows. Default "by_noise_rate".
---@field rank? "margin"|"self_confidence" The order of the rows: the probability of the label less that of the best other class, or alone. Default "margin".
---@field splitter? crossfold.AnySplitter|crossfold.Splits The splits; by default kfold with 5 folds, stratified as far as possible.


---@class (exact) crossfold.NearOptions
---@field ratio? number Rows closer than this share of the usual distance are near duplicates. Default 0.05.
---@field rows? integer Maximum number of test rows that are compared. Default 500.
---@field train_rows? integer Maximum number of training rows that they are compared with. Default 50000.


---@class (exact) crossfold.AuditNew
---@field columns? integer Number of columns, from the first, that are tried alone. Default 100.
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field data crossfold.Dataset The new rows.
---@field folds? integer Number of folds. Default 5.
---@field learner? crossfold.AnyLearner A learner that gives probabilities; default a small random forest.
---@field permutations? integer Number of permutations of who is new; each fits every fold again. Default 99.
---@field rows? integer Maximum number of old and of new rows; of more a sample is drawn. Default 1000.


---@class (exact) crossfold.AuditOptions
---@field data crossfold.Dataset The dataset.
---@field folds? integer Number of splits that are examined. Default 3.
---@field labels? boolean|crossfold.AuditLabels Whether labels that look wrong are looked for, or how; default false, as it fits a learner.
---@field learners crossfold.Learners|fun(data: crossfold.Dataset): crossfold.Learners The learners, or a function that makes them of a dataset.
---@field near? boolean|crossfold.NearOptions Whether near duplicates in training and test rows are looked for, or how; default true.
---@field new? crossfold.Dataset|crossfold.AuditNew Rows that came later: whether they look like the data, and how that is asked. It fits a learner.
---@field prepare? fun(data: crossfold.Dataset): crossfold.Dataset The work on the data before the split.
---@field seed? integer Seed of all random numbers. Default 1.
---@field splitter crossfold.AnySplitter The splits.
---@field waive? ("blind"|"captured"|"duplicates"|"filled_before_split"|"group_candidate"|"id_order"|"label_issues"|"near_duplicates"|"not_reproducible"|"rows_made_before_split"|"scaled_before_split"|"shifted"|"target_encoded"|"target_predictor"|"time")[] Kinds of findings that do not make the audit fail.
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- Tests whether information about the test rows reaches a fit: docs/audit.md.
---@param options crossfold.AuditOptions
---@return crossfold.Audit
function cf.audit(options) end

---@alias crossfold.Severity "leak"|"risk"|"note"

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
---@field label_issues? crossfold.LabelIssues With the option `labels`.
---@field adversarial_validation? crossfold.AdversarialValidation With the option `new`.
local Audit = {}
---@return crossfold.AuditFinding[]
function Audit:findings() end
--- What was checked, and what was skipped, with the reason.
---@return crossfold.AuditCheck[]
function Audit:checks() end
--- What the audit did not look for.
---@return crossfold.AuditUnseen[]
function Audit:unseen() end
--- Whether there is no leak and no risk that was not waived.
---@param severity? crossfold.Severity
---@return boolean
function Audit:passed(severity) end
---@return crossfold.Provenance
function Audit:provenance() end
---@param output crossfold.TableOutput
---@return string?
function Audit:to(output) end
---@param options? crossfold.OwnReportOptions
---@return string?
function Audit:report(options) end

---@class (exact) crossfold.LabelIssuesOptions
---@field data crossfold.Dataset The dataset.
---@field isolate? "auto"|"none"|"worker"|"fresh" Where cells run: "none" in this process, "worker" in worker processes, "fresh" each in a new process, "auto" (default) in worker processes unless all plugins of the cell are bundled or folders.
---@field learner? crossfold.AnyLearner A learner that gives probabilities. Default "random_forest".
---@field limits? crossfold.Limits Limits of one cell, { seconds =, cpu_seconds =, memory =, memory_max = }. Only a process can be held to them, so such cells run in worker processes, or in new ones with isolate = "fresh".
---@field method? "by_noise_rate"|"by_class"|"both"|"confident_joint" Which rows look wrong: the number of each pair of classes, of each class, both, or all confident rows. Default "by_noise_rate".
---@field on_store_error? "continue"|"stop" What a run does if the store accepts no more cells: "continue" (default) runs the cells without storing them and reports that, "stop" ends the run with an error.
---@field rank? "margin"|"self_confidence" The order of the rows: the probability of the label less that of the best other class, or alone. Default "margin".
---@field retries? integer How often a cell is tried again that failed because of the machine: it was killed, or there was no memory or disk space (default 2).
---@field seed? integer Seed of all random numbers. Default 1.
---@field splitter? crossfold.AnySplitter|crossfold.Splits The splits; by default kfold with 5 folds, stratified as far as possible.
---@field store? string|false The file that keeps finished cells, which are found there instead of being computed again; false: not the program's store.
---@field store_predictions? integer|string|false Number of bytes that predictions may take in the store, as in "2G"; false (program: 0): none.
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- Rows whose label looks wrong, by confident learning; it fits a learner: docs/audit.md.
---@param options crossfold.LabelIssuesOptions
---@return crossfold.LabelIssues
function cf.label_issues(options) end

---@class crossfold.LabelIssue
---@field row integer
---@field label string
---@field likely string The most probable other class.
---@field self_confidence number The probability of the label.
---@field probability number That of the likely class.
---@field margin number The difference.

---@class crossfold.LabelPair
---@field label string
---@field likely string
---@field confident integer Rows that count as the likely class.
---@field wrong number Estimated number of rows.
---@field share number Of the rows with the label.

---@class crossfold.LabelClass
---@field class string
---@field rows integer
---@field threshold number
---@field confident integer
---@field wrong number
---@field share number

---@class crossfold.LabelIssues
---@field learner string
---@field dataset string
---@field wrong number Estimated number of wrong labels.
---@field share number Of all labels.
local LabelIssues = {}
---@return crossfold.LabelIssue[]
function LabelIssues:rows() end
---@return crossfold.LabelPair[]
function LabelIssues:pairs() end
---@return crossfold.LabelClass[]
function LabelIssues:classes() end
--- Estimated rows by label and class.
---@return table<string, table<string, number>>
function LabelIssues:joint() end
---@return string
function LabelIssues:sentence() end
---@return string[]
function LabelIssues:notes() end
---@return crossfold.Provenance
function LabelIssues:provenance() end
---@param output crossfold.TableOutput
---@return string?
function LabelIssues:to(output) end
---@param options? crossfold.OwnReportOptions
---@return string?
function LabelIssues:report(options) end

---@class (exact) crossfold.AdversarialValidationOptions
---@field columns? integer Number of columns, from the first, that are tried alone. Default 100.
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field folds? integer Number of folds. Default 5.
---@field isolate? "auto"|"none"|"worker"|"fresh" Where cells run: "none" in this process, "worker" in worker processes, "fresh" each in a new process, "auto" (default) in worker processes unless all plugins of the cell are bundled or folders.
---@field learner? crossfold.AnyLearner A learner that gives probabilities; default a small random forest.
---@field limits? crossfold.Limits Limits of one cell, { seconds =, cpu_seconds =, memory =, memory_max = }. Only a process can be held to them, so such cells run in worker processes, or in new ones with isolate = "fresh".
---@field new crossfold.Dataset The rows that came later, or from elsewhere.
---@field old crossfold.Dataset The rows that are known.
---@field on_store_error? "continue"|"stop" What a run does if the store accepts no more cells: "continue" (default) runs the cells without storing them and reports that, "stop" ends the run with an error.
---@field permutations? integer Number of permutations of who is new; each fits every fold again. Default 99.
---@field retries? integer How often a cell is tried again that failed because of the machine: it was killed, or there was no memory or disk space (default 2).
---@field rows? integer Maximum number of old and of new rows; of more a sample is drawn. Default 1000.
---@field seed? integer Seed of all random numbers. Default 1.
---@field store? string|false The file that keeps finished cells, which are found there instead of being computed again; false: not the program's store.
---@field store_predictions? integer|string|false Number of bytes that predictions may take in the store, as in "2G"; false (program: 0): none.
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- Whether new rows look like old ones; it fits a classifier many times: docs/audit.md.
---@param options crossfold.AdversarialValidationOptions
---@return crossfold.AdversarialValidation
function cf.adversarial_validation(options) end

---@class crossfold.AdversarialColumn
---@field column string
---@field auc? number Of the column alone.
---@field mean_old? number
---@field mean_new? number
---@field missing_old number
---@field missing_new number

---@class crossfold.AdversarialRow
---@field row integer
---@field probability number Of being new.

---@class crossfold.AdversarialValidation
---@field auc number
---@field low? number
---@field high? number
---@field undefined? string Why there is no interval.
---@field confidence number
---@field p number By permutations.
---@field permutations integer
---@field fits integer
local AdversarialValidation = {}
---@return crossfold.AdversarialColumn[]
function AdversarialValidation:columns() end
--- The old rows, those that look most like new ones first.
---@return crossfold.AdversarialRow[]
function AdversarialValidation:old_rows() end
---@return crossfold.AdversarialRow[]
function AdversarialValidation:new_rows() end
---@return number[]
function AdversarialValidation:permuted() end
---@param level? number
---@return boolean
function AdversarialValidation:differs(level) end
---@return string
function AdversarialValidation:sentence() end
---@return string[]
function AdversarialValidation:notes() end
---@return crossfold.Provenance
function AdversarialValidation:provenance() end
---@param output crossfold.TableOutput
---@return string?
function AdversarialValidation:to(output) end
---@param options? crossfold.OwnReportOptions
---@return string?
function AdversarialValidation:report(options) end

---@class (exact) crossfold.SoakOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field data crossfold.Dataset The dataset.
---@field folds? integer Number of folds. Default 10.
---@field isolate? "auto"|"none"|"worker"|"fresh"|table<string, "auto"|"none"|"worker"|"fresh"> Where cells run: "none" in this process, "worker" in worker processes, "fresh" each in a new process, "auto" (default) in worker processes unless all plugins of the cell are bundled or folders. A table has the mode of each learner by its name.
---@field keep? "labels"|"probabilities"|"none" What is kept of the out-of-fold predictions. Default "labels".
---@field learners crossfold.Learners The learners, by name or as a list.
---@field limits? crossfold.Limits Limits of one cell, { seconds =, cpu_seconds =, memory =, memory_max = }. Only a process can be held to them, so such cells run in worker processes, or in new ones with isolate = "fresh".
---@field metrics crossfold.Metrics The metrics that score the predictions.
---@field on_store_error? "continue"|"stop" What a run does if the store accepts no more cells: "continue" (default) runs the cells without storing them and reports that, "stop" ends the run with an error.
---@field repeats? integer Number of times that the folds are drawn. Default 1.
---@field retries? integer How often a cell is tried again that failed because of the machine: it was killed, or there was no memory or disk space (default 2).
---@field seed? integer Seed of all random numbers. Default 1.
---@field store? string|false The file that keeps finished cells, which are found there instead of being computed again; false: not the program's store.
---@field store_predictions? integer|string|false Number of bytes that predictions may take in the store, as in "2G"; false (program: 0): none.
---@field subset string The column that names the subset of each row; it is not a feature.
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- Whether training on other subsets helps: docs/splitters.md.
---@param options crossfold.SoakOptions
---@return crossfold.Soak
function cf.soak(options) end

---@class crossfold.SoakRow
---@field learner string
---@field metric string
---@field subset string
---@field rows integer
---@field same? number Means over the folds.
---@field other? number
---@field all? number
---@field compared "all"|"other"
---@field difference? number
---@field low? number
---@field high? number
---@field confidence number
---@field p? number
---@field p_adjusted? number
---@field splits integer
---@field splits_of integer
---@field verdict string
---@field undefined? string

---@class crossfold.SoakScore
---@field learner string
---@field metric string
---@field subset string
---@field train "same"|"other"|"all"
---@field repeat_ integer
---@field fold integer
---@field n_train integer
---@field n_test integer
---@field value? number
---@field undefined? string

---@class crossfold.SoakWorst
---@field learner string
---@field metric string
---@field train "same"|"other"|"all"
---@field subset string
---@field value number

---@class crossfold.Soak
---@field evaluated crossfold.Result
local Soak = {}
---@return crossfold.SoakRow[]
function Soak:rows() end
---@return crossfold.SoakScore[]
function Soak:scores() end
--- The worst subset of each kind of training set.
---@return crossfold.SoakWorst[]
function Soak:worst() end
---@param metric? string
---@return string[]
function Soak:sentences(metric) end
---@return string[]
function Soak:notes() end
---@return crossfold.Provenance
function Soak:provenance() end
---@param output crossfold.ResultOutput
---@return string?
function Soak:to(output) end
---@param options? crossfold.OwnReportOptions
---@return string?
function Soak:report(options) end

---@class (exact) crossfold.ScoreOptions
---@field classes? string[] The classes; default those of the truth, sorted.
---@field costs? table The costs of wrong predictions, in the order of `classes`, rows by truth.
---@field metrics crossfold.Metrics The metrics.
---@field predicted? any[] The predicted class or value of each row.
---@field prediction? crossfold.Prediction A prediction that has the truth, instead of the lists.
---@field probabilities? number[][] The probabilities of each row, in the order of `classes`.
---@field truth? any[] The true class or value of each row.
---@field weights? number[] The weight of each row; default 1.

--- Metrics of plain lists or of a prediction.
---@param options crossfold.ScoreOptions
---@return table
function cf.score(options) end

---@class (exact) crossfold.CurveOptions
---@field band? "consistency"|"consistency_resampled"|"bootstrap"|"none" The band of a reliability curve: where it is if the probabilities are calibrated (default), or a bootstrap interval around it (default of data with groups).
---@field binning? "uniform"|"quantile" Whether bins have the same width (default) or the same number of rows.
---@field bins? integer Number of bins of a calibration curve; default 10.
---@field confidence? number Level of the intervals; default 0.95.
---@field costs? table The costs of wrong predictions, rows by truth.
---@field groups? any[] The group of each row; bootstraps draw whole groups.
---@field points? "all"|"corners"|"hull" Which points a ROC curve has; default "corners".
---@field positive? string|number|boolean The positive class; default the second of two, or true.
---@field prevalence? number The share of positive rows where the model will be used; default that of the data.
---@field samples? integer Number of samples that intervals and bands are made of; default 1000.
---@field score? "brier"|"log" The score whose parts a reliability curve shows; default "brier".
---@field scores number[] The score of each row; higher ones mean the positive class.
---@field seed? integer Seed of all random numbers. Default 1.
---@field thresholds? number[] The threshold probabilities of a decision curve, ascending; default 0.01 to 0.99.
---@field truth any[] The true class of each row.
---@field weights? number[] The weight of each row; default 1.

--- A curve over thresholds of plain lists: docs/curves.md.
---@param kind crossfold.CurveKind
---@param options crossfold.CurveOptions
---@return crossfold.Curve
function cf.curve(kind, options) end

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

---@class (exact) crossfold.CheckOptions
---@field exclude? string No checks whose name matches this pattern.
---@field include? string Only checks whose name matches this pattern.
---@field seed? integer Seed of the data of the checks. Default 1.
---@field strictness? integer Amount of data and settings that are tried, from 1 to 10. Default 5.

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

--- Plans a call: fits, time and memory.
---@param f function
---@return crossfold.Plan
function cf.plan(f) end

---@class (exact) crossfold.SplitOptions
---@field seed? integer Seed of all random numbers. Default 1.

---@param splitter crossfold.AnySplitter
---@param data crossfold.Dataset
---@param options? crossfold.SplitOptions
---@return crossfold.Splits
---@nodiscard
function cf.split(splitter, data, options) end

---@class (exact) crossfold.ReadOpenmlSplitsOptions
---@field ignore_groups? boolean Whether a group of the data may be on both sides of a split. Default false.

---@param path string
---@param data crossfold.Dataset
---@param options? crossfold.ReadOpenmlSplitsOptions
---@return crossfold.Splits
---@nodiscard
function cf.read_openml_splits(path, data, options) end

---@class (exact) crossfold.Cell
---@field count? integer Number of splits from `split` on; default 1.
---@field isolate? "auto"|"none"|"worker"|"fresh" Where cells run: "none" in this process, "worker" in worker processes, "fresh" each in a new process, "auto" (default) in worker processes unless all plugins of the cell are bundled or folders.
---@field keep? "labels"|"probabilities"|"none" What is kept of the prediction. Default "none".
---@field learner crossfold.AnyLearner The learner, which consists of plugins.
---@field metrics? crossfold.Metrics The metrics that score the prediction.
---@field seed? integer Seed of all random numbers. Default 1.
---@field split? integer The number of the split; without it the cell stands for all splits.
---@field splits crossfold.Splits The splits, as cf.split gives them.


---@class (exact) crossfold.ExecutionOptions
---@field isolate? "auto"|"none"|"worker"|"fresh" Where cells run: "none" in this process, "worker" in worker processes, "fresh" each in a new process, "auto" (default) in worker processes unless all plugins of the cell are bundled or folders.
---@field limits? crossfold.Limits Limits of one cell, { seconds =, cpu_seconds =, memory =, memory_max = }. Only a process can be held to them, so such cells run in worker processes, or in new ones with isolate = "fresh".
---@field on_store_error? "continue"|"stop" What a run does if the store accepts no more cells: "continue" (default) runs the cells without storing them and reports that, "stop" ends the run with an error.
---@field retries? integer How often a cell is tried again that failed because of the machine: it was killed, or there was no memory or disk space (default 2).
---@field store? string|false The file that keeps finished cells, which are found there instead of being computed again; false: not the program's store.
---@field store_predictions? integer|string|false Number of bytes that predictions may take in the store, as in "2G"; false (program: 0): none.
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- Runs a batch of cells: docs/lua.md, "Underneath".
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

--- A number as text in every locale; without decimals the shortest one that converts back.
---@param x number
---@param decimals? integer
---@return string
function cf.format_number(x, decimals) end

-- Results ----------------------------------------------------------------------------------------

--- The split of a row.
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

--- Statistics over the folds in which the metric is defined.
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

--- Scores by an additional metric, which decides nothing.
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
---@field in_set? boolean With choose = "simplest in the set".
---@field resource? number Of cf.halving_search.
---@field resource? number Of cf.halving_search and cf.hyperband.
---@field round? integer
---@field bracket? integer Of cf.hyperband.
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
---@field choose? "best"|"one_se"|"simplest in the set"|"within_noise"
---@field mean? number
---@field sd? number
---@field best? string
---@field front? string[] Settings that none beats in all metrics.
---@field cells? integer
---@field stopped? string Why not all candidates were evaluated.
---@field inner? table<integer, crossfold.InnerRow> By candidate.
---@field rounds? crossfold.SearchRound[]
---@field brackets? crossfold.SearchRound[][] Of cf.hyperband: the rounds of each.
---@field resource? string
---@field surrogate? "random_forest"|"tpe" Of cf.model_search.
---@field initial? integer
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
---@field learner? crossfold.Chosen The choice of the learner before a threshold or a calibration.

---@class crossfold.IntervalRow
---@field learner string
---@field dataset string
---@field metric string
---@field confidence number
---@field design string The splits, in words.
---@field sentence string What the interval covers, or why there is none.
---@field method? "clt"|"nested"|"corrected_t"|"conservative_z"
---@field mean? number
---@field low? number
---@field high? number
---@field se? number The standard error.
---@field n? integer The number of units.
---@field unit? "rows"|"groups"|"splits"|"pairs of halves"
---@field covers? "the fitted models"|"the procedure"
---@field caution? string What was measured to go wrong with such an interval.
---@field variance? "out"|"within" Of clt.
---@field bias? number Of nested: what was taken off the mean.
---@field corrected? number Of nested: the mean less the bias, if that is outside the range of the metric.
---@field inflation? number Of nested: the standard error by that of independent rows.
---@field fits? integer Of nested and conservative_z: the number of models beyond those of the result.
---@field undefined? string Why there is no interval.

---@class crossfold.TuningRow: crossfold.SearchResult
---@field repeat_ integer
---@field fold integer
---@field failure? string

---@class crossfold.FailureRow: crossfold.FoldPlace
---@field stage string
---@field message string
---@field cause string Whose doing it was: "data", "plugin", "time", "memory", "killed", "disk", "lost", "unknown"; "script", "shard".
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
---@field imported_sha256? string Of the file of imported predictions.

---@class crossfold.DatasetProvenance
---@field name string
---@field rows integer
---@field hash string
---@field dropped_rows? integer That drop_missing left out.
---@field lockbox? crossfold.LockboxProvenance Of sealed rows.

---@class crossfold.LockboxProvenance
---@field file string
---@field id string
---@field rows? integer
---@field hash? string
---@field sealed? string
---@field confidence? number Of all intervals together.
---@field rule? "bonferroni"|"spending"|"adaptive"
---@field is_key_apart? boolean Whether the record was not checked against its key.
---@field problem? string Why the file cannot be read.
---@field openings crossfold.LockboxRow[]

---@class crossfold.Provenance
---@field crossfold string The version.
---@field seed integer
---@field splitter string
---@field learners crossfold.LearnerProvenance[]
---@field datasets crossfold.DatasetProvenance[]

---@class crossfold.Result
local Result = {}

--- One row per learner, dataset, fold and metric.
---@return crossfold.ScoreRow[]
function Result:scores() end
--- Rows with mean, sd, median ... over the folds in which the metric is defined.
---@return crossfold.SummaryRow[]
function Result:summary() end

---@class (exact) crossfold.IntervalOptions
---@field bias? "mlr3inferr"|"nestedcv"|"none" The factor of the bias that "nested" takes off, by the program that has it. Default "mlr3inferr".
---@field bounds? "score"|"wald" How the interval keeps to the bounds of the metric: "score" as Wilson's does, "wald" is symmetric and cut, as "nested" always is. Default "score".
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field dataset? string The dataset; default all.
---@field isolate? "auto"|"none"|"worker"|"fresh" Where cells run: "none" in this process, "worker" in worker processes, "fresh" each in a new process, "auto" (default) in worker processes unless all plugins of the cell are bundled or folders.
---@field learner? string The learner; default all.
---@field limits? crossfold.Limits Limits of one cell, { seconds =, cpu_seconds =, memory =, memory_max = }. Only a process can be held to them, so such cells run in worker processes, or in new ones with isolate = "fresh".
---@field method? "clt"|"nested"|"corrected_t"|"conservative_z" How the interval is made; default by the splits and the metric, see docs/intervals.md.
---@field metric? string The metric; default all.
---@field on_store_error? "continue"|"stop" What a run does if the store accepts no more cells: "continue" (default) runs the cells without storing them and reports that, "stop" ends the run with an error.
---@field pairs? integer How many times "conservative_z" divides the rows into halves, 10 or more. Default 10.
---@field retries? integer How often a cell is tried again that failed because of the machine: it was killed, or there was no memory or disk space (default 2).
---@field store? string|false The file that keeps finished cells, which are found there instead of being computed again; false: not the program's store.
---@field store_predictions? integer|string|false Number of bytes that predictions may take in the store, as in "2G"; false (program: 0): none.
---@field variance? "out"|"within" The variance of "clt": of all rows, or of the rows within each fold. Default "out".
---@field workers? integer Number of cells that run at the same time; 0 = one per core.

--- The interval of the mean score of each learner, dataset and metric: docs/intervals.md.
---@param options? crossfold.IntervalOptions
---@return crossfold.IntervalRow[]
function Result:interval(options) end
--- Scores over all predictions at once.
---@return crossfold.PooledRow[]
function Result:pooled() end

---@class (exact) crossfold.PredictionsOptions
---@field csv? crossfold.Output The path of a file that is written; true returns its text instead.

--- One row per out-of-fold prediction; with `csv` they are written to a file instead.
---@param options? crossfold.PredictionsOptions
---@return crossfold.PredictionRow[]
function Result:predictions(options) end

---@class (exact) crossfold.OfDataset
---@field dataset? string The dataset, where there are several.

---@param learner? string
---@param options? crossfold.OfDataset
---@return crossfold.Confusion
function Result:confusion(learner, options) end
--- Precision, recall and F1 of each class and their means.
---@param learner? string
---@param options? crossfold.OfDataset
---@return crossfold.ClassReport
function Result:class_report(learner, options) end

---@class (exact) crossfold.ResultSubgroupsOptions
---@field adjust? "holm"|"bonferroni"|"hochberg"|"benjamini_hochberg" How the p-values of the levels are adjusted. Default "holm".
---@field bins? integer Number of bins of a numeric column.
---@field by string|fun(row: table): any What parts the rows: a column, a condition as in "age > 60 and sex = f", or a function of a row.
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field dataset? string The dataset, where there are several.
---@field interval? "bootstrap"|"wilson" The interval; default "wilson" where a row is right or wrong, else "bootstrap".
---@field learner? string The learner, where there are several.
---@field metric? crossfold.AnyMetric The metric; default the first one of the result.
---@field min_rows? integer Levels with fewer rows, or groups of rows, are not judged. Default 20.
---@field samples? integer Number of bootstrap samples, and of permutations. Default 2000.
---@field seed? integer Seed of all random numbers. Default 1.

--- The score of a learner by subgroup, with intervals, gap and tests: docs/subgroups.md.
---@param options crossfold.ResultSubgroupsOptions
---@return crossfold.Subgroups
function Result:subgroups(options) end

---@class (exact) crossfold.ResultCoverageOptions
---@field blocks? integer Number of blocks of rows in order (of time, if the data have one), to see drift.
---@field by? string A column: coverage is measured for each of its values, too.
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field dataset? string The dataset, where there are several.
---@field learner? string The learner, where there are several.

--- How many of the test rows the intervals or sets of a learner of cf.conformal cover.
---@param options? crossfold.ResultCoverageOptions
---@return crossfold.Coverage
function Result:coverage(options) end

---@class (exact) crossfold.ResultLabelIssuesOptions
---@field dataset? string The dataset, where there are several.
---@field learner? string The learner, where there are several.
---@field method? "by_noise_rate"|"by_class"|"both"|"confident_joint" Which rows look wrong: the number of each pair of classes, of each class, both, or all confident rows. Default "by_noise_rate".
---@field rank? "margin"|"self_confidence" The order of the rows: the probability of the label less that of the best other class, or alone. Default "margin".

--- Rows whose label looks wrong.
---@param options? crossfold.ResultLabelIssuesOptions
---@return crossfold.LabelIssues
function Result:label_issues(options) end

---@class (exact) crossfold.ResultCurveOptions
---@field aggregation? "pooled"|"vertical"|"folds" Whether folds are pooled, averaged (kind "roc"), or drawn each. Default "pooled".
---@field band? "consistency"|"consistency_resampled"|"bootstrap"|"none" The band of a reliability curve: where it is if the probabilities are calibrated (default), or a bootstrap interval around it (default of data with groups).
---@field binning? "uniform"|"quantile" Whether bins have the same width (default) or the same number of rows.
---@field bins? integer Number of bins of a calibration curve; default 10.
---@field confidence? number Level of the intervals; default 0.95.
---@field costs? table The costs of wrong predictions, rows by truth.
---@field dataset? string The dataset, where there are several.
---@field grid? integer Number of false positive rates of a vertical average; default 101.
---@field interval? "normal"|"bootstrap" The interval of a vertical average; default "normal".
---@field learner? string The learner, where there are several.
---@field points? "all"|"corners"|"hull" Which points a ROC curve has; default "corners".
---@field positive? string The positive class; default the second of two.
---@field prevalence? number The share of positive rows where the model will be used; default that of the data.
---@field samples? integer Number of samples that intervals and bands are made of; default 1000.
---@field score? "brier"|"log" The score whose parts a reliability curve shows; default "brier".
---@field seed? integer Seed of all random numbers. Default 1.
---@field thresholds? number[] The threshold probabilities of a decision curve, ascending; default 0.01 to 0.99.

---@param kind crossfold.CurveKind
---@param options? crossfold.ResultCurveOptions
---@return crossfold.Curve
function Result:curve(kind, options) end
--- The choice of a search in each outer fold, with its inner table.
---@param learner? string
---@param options? crossfold.OfDataset
---@return crossfold.TuningRow[]
function Result:tuning(learner, options) end
--- One row per failed fold.
---@return crossfold.FailureRow[]
function Result:failures() end
--- One row per learner, dataset and fold.
---@return crossfold.FoldRow[]
function Result:folds() end
--- The splits of a dataset, which may be left out if there is one: a value for cf.evaluate.
---@param dataset? string
---@return crossfold.Splits
function Result:splits(dataset) end
--- The learners by name: a value for cf.evaluate.
---@return table<string, crossfold.AnyLearner>
function Result:learners() end
---@return crossfold.WarningRow[]
function Result:warnings() end
--- Notes on the splits for readers of the scores.
---@return string[]
function Result:notes() end
--- Seed, data and plugins from which the numbers were computed.
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
---@field rows? integer Of McNemar's test and the anytime-valid one.
---@field decided_at? integer Of the anytime-valid test: the number of rows that were enough.
---@field only_a? integer Rows that only a predicts right.
---@field only_b? integer
---@field rope? number
---@field p_worse? number
---@field p_alike? number
---@field p_better? number
---@field undefined? string

--- Of the Bayesian test over datasets.
---@class crossfold.ComparisonPosterior
---@field a string
---@field b string
---@field rope number
---@field p_worse? number
---@field p_alike? number
---@field p_better? number
---@field undefined? string
---@field sentence? string
---@field points? number[][] Of some samples, the probabilities that a is worse, alike and better.

--- For three or more learners `friedman`, for two a signed-rank test.
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

---@class crossfold.Comparison
local Comparison = {}

---@class (exact) crossfold.ComparisonRowOptions
---@field dataset? string Only pairs on this dataset.
---@field learner? string Only pairs with this learner.
---@field learners? string[] Only pairs among these learners, or of them with `learner`.

---@param options? crossfold.ComparisonRowOptions
---@return crossfold.ComparisonRow[]
function Comparison:rows(options) end
--- The test over several datasets.
---@return crossfold.ComparisonOver?
function Comparison:over() end

---@class (exact) crossfold.ComparisonPosteriorOptions
---@field a string A learner.
---@field b string Another learner.
---@field points? integer Number of samples of the posterior that are kept for a figure. Default 2000.

--- The Bayesian comparison of two learners over the datasets.
---@param options crossfold.ComparisonPosteriorOptions
---@return crossfold.ComparisonPosterior?
function Comparison:posterior(options) end
---@return crossfold.WinTieLossRow[]
function Comparison:win_tie_loss() end
---@return crossfold.RankingRow[]
function Comparison:ranking() end
--- One sentence per pair.
---@param options? crossfold.ComparisonRowOptions
---@return string[]
function Comparison:sentences(options) end
---@return string[]
function Comparison:notes() end
--- One HTML page.
---@param options? crossfold.OwnReportOptions
---@return string?
function Comparison:report(options) end

---@class (exact) crossfold.ComparisonOutput
---@field csv? crossfold.Output The path of the file; true returns the text instead.
---@field json? crossfold.Output The path of the file; true returns the text instead.
---@field latex? crossfold.Output The path of the file; true returns the text instead.
---@field text? crossfold.Output The path of the file; true returns the text instead.

---@param output crossfold.ComparisonOutput
---@return string?
function Comparison:to(output) end

--- The fields depend on the kind: docs/curves.md.
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
---@field predicted? number
---@field recalibrated? number
---@field net_benefit? number
---@field treat_all? number
---@field treat_none? number
---@field gain_low? number
---@field gain_high? number

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
---@field score? number Of kind "reliability": miscalibration - discrimination + uncertainty.
---@field miscalibration? number Of kinds "reliability" and "decision".
---@field discrimination? number
---@field uncertainty? number
---@field p? number How often calibrated probabilities would have this miscalibration or more.
---@field brier? number Of kind "decision".
---@field prevalence? number
local Curve = {}
---@return crossfold.CurveRow[]
function Curve:rows() end
--- What a curve of kind "reliability" or "decision" shows; nil for other kinds.
---@return string?
function Curve:sentence() end

---@class (exact) crossfold.CurveOutput
---@field csv? crossfold.Output The path of the file; true returns the text instead.
---@field gnuplot? crossfold.Output The path of the file; true returns the text instead.
---@field json? crossfold.Output The path of the file; true returns the text instead.
---@field svg? crossfold.Output The path of the file; true returns the text instead.

---@param output crossfold.CurveOutput
---@return string?
function Curve:to(output) end

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
--- The result of cf.evaluate on which it is based.
---@return crossfold.Result
function LearningCurve:evaluated() end
--- The given seed, data, plugins.
---@return table
function LearningCurve:provenance() end
---@return crossfold.FailureRow[]
function LearningCurve:failures() end
--- Notes on the splits for readers of the scores.
---@return string[]
function LearningCurve:notes() end
---@return crossfold.LearningCurveRow[]
function LearningCurve:rows() end

---@class (exact) crossfold.LearningCurveSummaryOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field correction? "nadeau_bengio"|"none" Whether the variance is corrected for training sets that overlap. Default "nadeau_bengio".

---@param options? crossfold.LearningCurveSummaryOptions
---@return crossfold.LearningCurveSummaryRow[]
function LearningCurve:summary(options) end

---@class (exact) crossfold.LearningCurveFitOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field correction? "nadeau_bengio"|"none" Whether the variance is corrected for training sets that overlap. Default "nadeau_bengio".
---@field from? number Smaller sizes are left out. Default 0.
---@field metric? string The metric; default the first one.
---@field weights? "equal"|"inverse_variance"|"rank"|"size" The weight of each size in the fit. Default "equal".

--- The power law of a learner's curve.
---@param learner? string
---@param options? crossfold.LearningCurveFitOptions
---@return crossfold.LearningCurveFit
function LearningCurve:fit(learner, options) end

---@class (exact) crossfold.LearningCurveCrossingOptions
---@field confidence? number Level of the confidence intervals.
---@field correction? "nadeau_bengio"|"none" Whether the variance is corrected for training sets that overlap.
---@field from? number The smallest number of rows; default the smallest size.
---@field metric? string The metric; default the first one.
---@field to? number The largest number of rows; default ten times the largest size.
---@field weights? "equal"|"inverse_variance"|"rank"|"size" The weight of each size in the fit.

---@param first string
---@param second string
---@param options? crossfold.LearningCurveCrossingOptions
---@return crossfold.CurveCrossing
function LearningCurve:crossing(first, second, options) end
--- One HTML page.
---@param options? crossfold.OwnReportOptions
---@return string?
function LearningCurve:report(options) end

---@class (exact) crossfold.PlotOutput
---@field csv? crossfold.Output The path of the file; true returns the text instead.
---@field gnuplot? crossfold.Output The path of the file; true returns the text instead.
---@field json? crossfold.Output The path of the file; true returns the text instead.

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
--- Notes on the splits for readers of the scores.
---@return string[]
function ValidationCurve:notes() end
--- The given seed, data, plugin, the parameter and its values.
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

---@class crossfold.VarianceRow
---@field learner string
---@field source? "data"|"split"|"tuning"|"seed"
---@field units? integer Draws in each draw of the source before.
---@field df? number
---@field mean_square? number
---@field estimate? number Unbiased, so it may be negative.
---@field variance? number The estimate, or 0 if it is negative.
---@field sd? number
---@field share? number Of the variance of one score.
---@field standard_error? number Of the estimate.
---@field low? number
---@field high? number
---@field note? string
---@field undefined? string

---@class crossfold.VarianceSummaryRow
---@field learner string
---@field metric string
---@field scores integer
---@field mean? number
---@field low? number
---@field high? number
---@field sd? number Of one score.
---@field left_out integer Draws of the first source without all scores.
---@field undefined? string

---@class crossfold.VarianceScoreRow
---@field learner string
---@field data? integer
---@field split? integer
---@field tuning? integer
---@field seed? integer
---@field value? number
---@field undefined? string

---@class crossfold.VariancePurchaseSource
---@field source "data"|"split"|"tuning"|"seed"
---@field draws integer
---@field needed? integer Draws of this source alone; nil if no number is enough.
---@field floor number The width that infinitely many would leave.

---@class crossfold.VariancePurchasePlan
---@field fits integer
---@field width number
---@field draws table<string, integer>

---@class crossfold.VariancePurchaseData
---@field sd number
---@field least_sd number
---@field greatest_sd number
---@field width number
---@field rows? integer

---@class crossfold.VariancePurchase
---@field learner string
---@field metric string
---@field width number
---@field confidence number
---@field target? string
---@field now? number
---@field sources? crossfold.VariancePurchaseSource[]
---@field cheapest? crossfold.VariancePurchasePlan
---@field data? crossfold.VariancePurchaseData
---@field sentence string
---@field undefined? string

---@class crossfold.Outperforming
---@field first string
---@field second string
---@field probability? number
---@field low? number
---@field high? number
---@field pairs integer
---@field draws integer
---@field left_out integer
---@field gamma number
---@field verdict? string
---@field sentence string
---@field undefined? string

---@class crossfold.Variance
local Variance = {}
---@return crossfold.VarianceRow[]
function Variance:rows() end
---@return crossfold.VarianceSummaryRow[]
function Variance:summary() end
---@return crossfold.VarianceScoreRow[]
function Variance:scores() end

---@class (exact) crossfold.VarianceBuyOptions
---@field learner? string The learner, where there are several.
---@field width number The width that the interval of the mean score is to have.

--- What to buy for an interval of a given width.
---@param options crossfold.VarianceBuyOptions
---@return crossfold.VariancePurchase
function Variance:buy(options) end

---@class (exact) crossfold.OutperformingOptions
---@field first? string The learner whose probability it is; default the first one.
---@field gamma? number The least probability that is meaningful. Default 0.75.
---@field second? string The other one; default the second one.

--- The probability that one learner gets the better score.
---@param options? crossfold.OutperformingOptions
---@return crossfold.Outperforming
function Variance:outperforming(options) end
--- What the ledgers say, in plain English.
---@return string
function Variance:sentence() end
--- The given seed, data, plugins.
---@return table
function Variance:provenance() end
--- One HTML page.
---@param options? crossfold.OwnReportOptions
---@return string?
function Variance:report(options) end
---@param output crossfold.ResultOutput
---@return string?
function Variance:to(output) end

---@class crossfold.BiasVariance
local BiasVariance = {}
---@return crossfold.BiasVarianceRow[]
function BiasVariance:rows() end
--- The given seed, data, plugins.
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

--- Functions that make figures of results: docs/plots.md.
---@class crossfold.plot
cf.plot = {}

---@alias crossfold.PlotName "bias_variance"|"calibration"|"confusion"|"cost"|"critical_difference"|"decision"|"det"|"failures"|"folds"|"grid"|"learning_curve"|"lift"|"posterior"|"precision_recall"|"reliability"|"roc"|"subgroups"|"summary"|"times"|"tuning"|"validation_curve"|"variance"

---@return crossfold.PlotName[]
function cf.plot.names() end

--- Whether a plot can be drawn of the subject, and if not, why.
---@param name crossfold.PlotName
---@param subject any
---@param options? table
---@return boolean, string?
function cf.plot.applicable(name, subject, options) end

---@class crossfold.Figure
local Figure = {}

---@class (exact) crossfold.SvgOptions
---@field height? number Height in pixels; default what the figure needs.
---@field inline? boolean Whether the XML header and the styles are left out, for a page that has figure.stylesheet(). Default false.
---@field width? number Width in pixels. Default 680.

---@param options? crossfold.SvgOptions
---@return string
function Figure:svg(options) end

---@class (exact) crossfold.TerminalOptions
---@field height? integer Height in lines, of figures without rows of their own. Default 20.
---@field unicode? boolean Whether it is drawn with more than ASCII characters; names keep theirs. Default true.
---@field width? integer Width in columns. Default 78.

---@param options? crossfold.TerminalOptions
---@return string
function Figure:text(options) end
---@return string
function Figure:csv() end
--- The ending gives the format: .svg, .csv or .txt.
---@param path string
function Figure:save(path) end

---@class (exact) crossfold.BiasVariancePlotOptions
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field method? "kohavi_wolpert"|"domingos"|"squared" The decomposition; default the first one that there is.
---@field title? string The title of the figure.

--- The parts of the error.
---@param subject any
---@param options? crossfold.BiasVariancePlotOptions
---@return crossfold.Figure
function cf.plot.bias_variance(subject, options) end

---@class (exact) crossfold.CurvePlotOptions
---@field aggregation? "pooled"|"vertical"|"folds" Whether folds are pooled, averaged (kind "roc"), or drawn each; default that of the subject.
---@field bands? boolean Whether the range of the folds is drawn as a band.
---@field dataset? string The dataset, where there are several.
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field learners? string[] The learners that are drawn; default all.
---@field positive? string The positive class; default the second of two.
---@field title? string The title of the figure.

--- Reliability of probabilities in bins.
---@param subject any
---@param options? crossfold.CurvePlotOptions
---@return crossfold.Figure
function cf.plot.calibration(subject, options) end

---@class (exact) crossfold.ConfusionPlotOptions
---@field dataset? string The dataset, where there are several.
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field learner? string The learner, where there are several.
---@field title? string The title of the figure.

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

---@class (exact) crossfold.CriticalDifferencePlotOptions
---@field alpha? number Level of the tests; default 0.05.
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field metric? string The metric; default the first one.
---@field title? string The title of the figure.

--- Average ranks over datasets, and the smallest significant difference.
---@param subject any
---@param options? crossfold.CriticalDifferencePlotOptions
---@return crossfold.Figure
function cf.plot.critical_difference(subject, options) end

--- What the probabilities are worth for decisions: net benefit.
---@param subject any
---@param options? crossfold.CurvePlotOptions
---@return crossfold.Figure
function cf.plot.decision(subject, options) end

--- Detection error trade-offs.
---@param subject any
---@param options? crossfold.CurvePlotOptions
---@return crossfold.Figure
function cf.plot.det(subject, options) end

---@class (exact) crossfold.FailuresPlotOptions
---@field dataset? string The dataset, where there are several.
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field learners? string[] The learners that are drawn; default all.
---@field title? string The title of the figure.

--- Failed folds by learner and stage.
---@param subject any
---@param options? crossfold.FailuresPlotOptions
---@return crossfold.Figure
function cf.plot.failures(subject, options) end

---@class (exact) crossfold.FoldsPlotOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field dataset? string The dataset, where there are several.
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field learners? string[] The learners that are drawn; default all.
---@field metric? string The metric; default the first one.
---@field title? string The title of the figure.

--- The score of every fold, with mean and interval.
---@param subject any
---@param options? crossfold.FoldsPlotOptions
---@return crossfold.Figure
function cf.plot.folds(subject, options) end

---@class (exact) crossfold.GridPlotOptions
---@field dataset? string The dataset, where there are several.
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field learner? string The learner, where there are several.
---@field title? string The title of the figure.

--- The inner means of a search by setting.
---@param subject any
---@param options? crossfold.GridPlotOptions
---@return crossfold.Figure
function cf.plot.grid(subject, options) end

---@class (exact) crossfold.LearningCurvePlotOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field fit? boolean Whether the fitted power law is drawn. Default true.
---@field learners? string[] The learners that are drawn; default all.
---@field metric? string The metric; default the first one.
---@field scale? "linear"|"log" The scale of the rows; default that of the sizes.
---@field title? string The title of the figure.
---@field to? number The number of rows up to which it is drawn; default four times the largest size.

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

--- Reliability of probabilities without bins.
---@param subject any
---@param options? crossfold.CurvePlotOptions
---@return crossfold.Figure
function cf.plot.reliability(subject, options) end

--- ROC curves.
---@param subject any
---@param options? crossfold.CurvePlotOptions
---@return crossfold.Figure
function cf.plot.roc(subject, options) end

---@class (exact) crossfold.PosteriorPlotOptions
---@field a? string A learner; default the first of the ranking.
---@field b? string Another learner; default the second of the ranking.
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field points? integer Number of samples of the posterior. Default 500.
---@field title? string The title of the figure.

--- Samples of the Bayesian comparison of two learners over datasets, in a triangle.
---@param subject any
---@param options? crossfold.PosteriorPlotOptions
---@return crossfold.Figure
function cf.plot.posterior(subject, options) end

---@class (exact) crossfold.SubgroupsPlotOptions
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field title? string The title of the figure.

--- The score of each level of result:subgroups, with its interval.
---@param subject any
---@param options? crossfold.SubgroupsPlotOptions
---@return crossfold.Figure
function cf.plot.subgroups(subject, options) end

---@class (exact) crossfold.SummaryPlotOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field dataset? string The dataset, where there are several.
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field learners? string[] The learners that are drawn; default all.
---@field metric? string The metric; default the first one.
---@field title? string The title of the figure.

--- Means with intervals.
---@param subject any
---@param options? crossfold.SummaryPlotOptions
---@return crossfold.Figure
function cf.plot.summary(subject, options) end

---@class (exact) crossfold.TimesPlotOptions
---@field dataset? string The dataset, where there are several.
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field learners? string[] The learners that are drawn; default all.
---@field title? string The title of the figure.

--- Seconds of fits and predictions.
---@param subject any
---@param options? crossfold.TimesPlotOptions
---@return crossfold.Figure
function cf.plot.times(subject, options) end

---@class (exact) crossfold.TuningPlotOptions
---@field dataset? string The dataset, where there are several.
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field learner? string The learner, where there are several.
---@field title? string The title of the figure.

--- How often each setting was chosen.
---@param subject any
---@param options? crossfold.TuningPlotOptions
---@return crossfold.Figure
function cf.plot.tuning(subject, options) end

---@class (exact) crossfold.ValidationCurvePlotOptions
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field title? string The title of the figure.

--- Scores by a parameter.
---@param subject any
---@param options? crossfold.ValidationCurvePlotOptions
---@return crossfold.Figure
function cf.plot.validation_curve(subject, options) end

---@class (exact) crossfold.VariancePlotOptions
---@field file? string The path where the figure is saved; it ends with .svg, .csv or .txt.
---@field learners? string[] The learners that are drawn; default all.
---@field title? string The title of the figure.

--- What each source of variance adds to one score.
---@param subject any
---@param options? crossfold.VariancePlotOptions
---@return crossfold.Figure
function cf.plot.variance(subject, options) end

-- Statistics -------------------------------------------------------------------------------------

--- Pure functions of numbers: docs/statistics.md, docs/statistics_ranks.md. Undefined values are
--- nil, with the reason in `undefined`.
---@class crossfold.stats
cf.stats = {}

---@class crossfold.AccuracyInterval
---@field correct integer
---@field n integer
---@field method string
---@field confidence number
---@field estimate? number
---@field low? number
---@field high? number
---@field undefined? string

---@class (exact) crossfold.AccuracyIntervalOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field correct integer Number of rows that are predicted correctly.
---@field method? "wilson"|"wilson_corrected"|"normal"|"clopper_pearson"|"agresti_coull"|"jeffreys" The method of the interval. Default "wilson".
---@field n integer Number of rows.

---@param options crossfold.AccuracyIntervalOptions
---@return crossfold.AccuracyInterval
function cf.stats.accuracy_interval(options) end

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

---@class (exact) crossfold.TwoProportionsOptions
---@field accuracies? number[] Their accuracies, instead of `correct`.
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field correct? integer[] Numbers of rows that the two models predict correctly.
---@field error_rates? number[] Their error rates, instead of `correct`.
---@field errors? integer[] Numbers of rows that they predict wrong, instead of `correct`.
---@field n integer[] Numbers of test rows of the two models.

---@param options crossfold.TwoProportionsOptions
---@return crossfold.TwoProportions
function cf.stats.two_proportions(options) end

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

---@class (exact) crossfold.PairedTOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.

---@param differences number[]
---@param options? crossfold.PairedTOptions
---@return crossfold.PairedT
function cf.stats.paired_t(differences, options) end

---@class crossfold.CorrectedT: crossfold.PairedT
---@field test_train_ratio number

---@class (exact) crossfold.CorrectedTOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field n_test? integer|integer[] Number of test rows, of all splits or of each.
---@field n_train? integer|integer[] Number of training rows, of all splits or of each.
---@field test_train_ratio? number Test rows per training row, instead of `n_train` and `n_test`.

--- Nadeau and Bengio (2003).
---@param differences number[]
---@param options crossfold.CorrectedTOptions
---@return crossfold.CorrectedT
function cf.stats.corrected_t(differences, options) end

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

---@class (exact) crossfold.BayesCorrelatedTOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field n_test? integer|integer[] Number of test rows, of all splits or of each.
---@field n_train? integer|integer[] Number of training rows, of all splits or of each.
---@field rho? number Correlation of the differences, instead of `n_train` and `n_test`.
---@field rope? number Half-width of the region of practical equivalence. Default 0.

---@param differences number[]
---@param options crossfold.BayesCorrelatedTOptions
---@return crossfold.BayesCorrelatedT
function cf.stats.bayes_correlated_t(differences, options) end

---@class crossfold.BayesHierarchical
---@field n integer
---@field samples integer
---@field left? number
---@field rope? number
---@field right? number
---@field mean? number The posterior mean of the mean difference over datasets.
---@field sd? number The posterior median of the scale between datasets.
---@field rhat? number
---@field points? number[][] Of some samples, the probabilities of the three regions.
---@field undefined? string

---@class (exact) crossfold.BayesHierarchicalOptions
---@field points? integer Number of samples that are kept for a figure. Default 0.
---@field prior? "corani"|"baycomp" The prior of the degrees of freedom: of Corani et al. 2017, or of the package baycomp. Default "corani".
---@field rho? number|number[] Correlation of the differences of a dataset, or one for each: the share of test rows of a split.
---@field rope? number Half-width of the region of practical equivalence. Default 0.
---@field samples? integer Number of samples of the posterior. Default 20000.
---@field seed? integer Seed of all random numbers. Default 1.

---@param lists number[][] The differences of the splits of each dataset.
---@param options crossfold.BayesHierarchicalOptions
---@return crossfold.BayesHierarchical
function cf.stats.bayes_hierarchical(lists, options) end

---@class crossfold.BayesSignedRank
---@field n integer
---@field samples integer
---@field left? number
---@field rope? number
---@field right? number
---@field points? number[][] Of some samples, the weights of the three regions.
---@field undefined? string

---@class (exact) crossfold.BayesSignedRankOptions
---@field points? integer Number of samples that are kept for a figure. Default 0.
---@field prior_strength? number Weight of the prior, in numbers of observations. Default 0.6.
---@field rope? number Half-width of the region of practical equivalence. Default 0.
---@field samples? integer Number of samples of the posterior. Default 50000.
---@field seed? integer Seed of all random numbers. Default 1.

---@param differences number[]
---@param options? crossfold.BayesSignedRankOptions
---@return crossfold.BayesSignedRank
function cf.stats.bayes_signed_rank(differences, options) end

---@class crossfold.NormalMixtureBoundary
---@field boundary number
---@field variance number
---@field alpha number
---@field best_at number

---@class (exact) crossfold.NormalMixtureBoundaryOptions
---@field alpha? number The probability that the sum is ever outside. Default 0.05.
---@field best_at? number The variance at which the boundary is narrowest. Default 100.
---@field variance number The variance of the sum so far.

---@param options crossfold.NormalMixtureBoundaryOptions
---@return crossfold.NormalMixtureBoundary
function cf.stats.normal_mixture_boundary(options) end

---@class crossfold.ProportionSequence
---@field successes integer
---@field trials integer
---@field estimate? number
---@field low number
---@field high number
---@field confidence number
---@field undefined? string

---@class (exact) crossfold.ProportionSequenceOptions
---@field best_at? number Number of trials at which the interval is narrowest. Default 100.
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field successes integer Number of successes so far.
---@field trials integer Number of trials so far.

---@param options crossfold.ProportionSequenceOptions
---@return crossfold.ProportionSequence
function cf.stats.proportion_sequence(options) end

---@class crossfold.SequentialMean
---@field n integer
---@field mean? number
---@field low? number
---@field high? number
---@field confidence number
---@field evidence number The largest e-value so far.
---@field p number
---@field decided? integer The number of differences that were enough.
---@field undefined? string

---@class (exact) crossfold.SequentialMeanOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field largest? number The largest absolute difference that is possible. Default 1.

---@param differences number[]
---@param options? crossfold.SequentialMeanOptions
---@return crossfold.SequentialMean
function cf.stats.sequential_mean(differences, options) end

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

---@class (exact) crossfold.FiveByTwoOptions
---@field differences number[][] The differences of both folds in each of five repeats of a 2-fold cross-validation.

---@param options crossfold.FiveByTwoOptions
---@return crossfold.FiveByTwo
function cf.stats.five_by_two(options) end

---@class crossfold.Mcnemar
---@field only_first integer
---@field only_second integer
---@field method string
---@field statistic? number
---@field df? number
---@field p? number
---@field undefined? string

---@class (exact) crossfold.McnemarOptions
---@field method? "exact"|"mid_p"|"chi_squared"|"corrected" How the p-value is computed. Default "exact".
---@field only_first integer Number of rows that only the first model predicts correctly.
---@field only_second integer Number of rows that only the second model predicts correctly.

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

---@class (exact) crossfold.WilcoxonOptions
---@field continuity? boolean Whether the normal approximation has a continuity correction. Default false.
---@field method? "auto"|"exact"|"normal" How the p-value is computed. Default "auto".
---@field tie_correction? boolean Whether the variance is corrected for ties. Default true.
---@field tie_tolerance? number Differences that differ by this relative amount or less are ties. Default 1e-12.
---@field zeros? "wilcox"|"pratt"|"zsplit" How zero differences are treated. Default "wilcox".

---@param differences number[]
---@param options? crossfold.WilcoxonOptions
---@return crossfold.Wilcoxon
function cf.stats.wilcoxon(differences, options) end

---@class crossfold.SignTest
---@field n integer
---@field plus integer
---@field minus integer
---@field ties integer
---@field p? number
---@field undefined? string

---@class (exact) crossfold.SignTestOptions
---@field tie_tolerance? number Differences of this relative size or less are ties. Default 1e-12.
---@field ties? "dropped"|"split" How ties are treated. Default "dropped".

---@param differences number[]
---@param options? crossfold.SignTestOptions
---@return crossfold.SignTest
function cf.stats.sign_test(differences, options) end

---@class (exact) crossfold.AdjustPOptions
---@field method? "bonferroni"|"holm"|"hochberg"|"benjamini_hochberg" The method of adjustment. Default "holm".

---@param p_values number[]
---@param options? crossfold.AdjustPOptions
---@return number[]
function cf.stats.adjust_p(p_values, options) end

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

---@class (exact) crossfold.FriedmanOptions
---@field alpha? number Level of the tests. Default 0.05.
---@field control? string|integer The learner that all others are compared with, by name or number.
---@field higher_is_better boolean Whether higher scores are better.
---@field learners? string[] The names of the learners.
---@field pairs? boolean Whether `nemenyi` is computed; its p-values take long with many pairs. Default true.

---@param scores number[][]
---@param options crossfold.FriedmanOptions
---@return crossfold.Friedman
function cf.stats.friedman(scores, options) end

---@class (exact) crossfold.CriticalDifferenceOptions
---@field alpha? number Level of the test. Default 0.05.
---@field datasets integer Number of datasets.
---@field learners integer Number of learners.
---@field method? "bonferroni_dunn"|"nemenyi" The test: of all pairs, or against a control. Default "nemenyi".

---@param options crossfold.CriticalDifferenceOptions
---@return number?
function cf.stats.critical_difference(options) end

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

---@class (exact) crossfold.BootstrapIntervalOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field method? "bca"|"percentile" The method of the interval. Default "bca".
---@field samples? integer Number of bootstrap samples. Default 2000.
---@field seed? integer Seed of all random numbers. Default 1.
---@field statistic? "mean"|"median"|fun(values: number[]): number The figure whose interval is wanted. Default "mean".

---@param values number[]
---@param options? crossfold.BootstrapIntervalOptions
---@return crossfold.BootstrapInterval
function cf.stats.bootstrap_interval(values, options) end

---@class crossfold.Combined632
---@field estimate_632 number
---@field estimate_632_plus? number
---@field relative_overfitting? number
---@field weight? number
---@field undefined? string

---@class (exact) crossfold.Combined632Options
---@field no_information_error? number Error without any relation of features and target, for .632+.
---@field out_of_bag_error number Error on the rows that a bootstrap sample leaves out.
---@field training_error number Error on the training rows.

---@param options crossfold.Combined632Options
---@return crossfold.Combined632
function cf.stats.bootstrap_632(options) end

---@class (exact) crossfold.NoInformationErrorOptions
---@field loss? "squared"|"zero_one" The loss whose mean is the error. Default "zero_one".
---@field predictions any[] The prediction for each row.
---@field truth any[] The true class or value of each row.

---@param options crossfold.NoInformationErrorOptions
---@return number
function cf.stats.no_information_error(options) end

---@class crossfold.OutOfBagError
---@field error? number
---@field rows_used integer
---@field rows_left_out integer
---@field undefined? string

---@class (exact) crossfold.OutOfBagErrorOptions
---@field losses number[] The loss on each tested row, by a model fitted without it.
---@field rows integer Number of rows of the data.
---@field tested integer[] The row of each loss; it may occur several times.

---@param options crossfold.OutOfBagErrorOptions
---@return crossfold.OutOfBagError
function cf.stats.out_of_bag_error(options) end

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

---@class (exact) crossfold.BiasVariancePartsOptions
---@field loss? "squared"|"zero_one" The loss whose mean is decomposed. Default "zero_one".
---@field predictions any[][] The predictions of each model for all rows.
---@field truth any[] The true class or value of each row.

---@param options crossfold.BiasVariancePartsOptions
---@return crossfold.BiasVarianceParts
function cf.stats.bias_variance(options) end

---@class crossfold.PowerPlan
---@field test "corrected_t"|"mcnemar"
---@field alpha number
---@field disagreement number
---@field rows? integer
---@field difference? number
---@field power? number
---@field standard_error? number
---@field undefined? string

---@class (exact) crossfold.PowerOptions
---@field alpha? number Level of the test. Default 0.05.
---@field difference number Difference of the accuracies.
---@field disagreement? number Share of the rows on which only one of both models is correct. Default 0.1.
---@field folds? integer Number of folds of the cross-validation; default 10.
---@field repeats? integer Number of repeats; default 10.
---@field rows integer Number of rows of the data.
---@field test? "corrected_t"|"mcnemar" The test of the comparison. Default "corrected_t".
---@field test_share? number Share of the rows that test, of random splits instead of folds.
---@field training_sd? number Standard deviation of the difference over training sets; default 0.

---@param options crossfold.PowerOptions
---@return crossfold.PowerPlan
function cf.stats.power(options) end

---@class (exact) crossfold.DetectableDifferenceOptions
---@field alpha? number Level of the test. Default 0.05.
---@field disagreement? number Share of the rows on which only one of both models is correct. Default 0.1.
---@field folds? integer Number of folds of the cross-validation; default 10.
---@field power? number Probability of finding the difference. Default 0.8.
---@field repeats? integer Number of repeats; default 10.
---@field rows integer Number of rows of the data.
---@field test? "corrected_t"|"mcnemar" The test of the comparison. Default "corrected_t".
---@field test_share? number Share of the rows that test, of random splits instead of folds.
---@field training_sd? number Standard deviation of the difference over training sets; default 0.

---@param options crossfold.DetectableDifferenceOptions
---@return crossfold.PowerPlan
function cf.stats.detectable_difference(options) end

---@class (exact) crossfold.RowsNeededOptions
---@field alpha? number Level of the test. Default 0.05.
---@field difference number Difference of the accuracies.
---@field disagreement? number Share of the rows on which only one of both models is correct. Default 0.1.
---@field folds? integer Number of folds of the cross-validation; default 10.
---@field power? number Probability of finding the difference. Default 0.8.
---@field repeats? integer Number of repeats; default 10.
---@field test? "corrected_t"|"mcnemar" The test of the comparison. Default "corrected_t".
---@field test_share? number Share of the rows that test, of random splits instead of folds.
---@field training_sd? number Standard deviation of the difference over training sets; default 0.

---@param options crossfold.RowsNeededOptions
---@return crossfold.PowerPlan
function cf.stats.rows_needed(options) end

---@class crossfold.VarianceComponent
---@field source string
---@field units integer
---@field df number
---@field mean_square number
---@field estimate number Unbiased, so it may be negative.
---@field variance number The estimate, or 0 if it is negative.
---@field sd number
---@field share? number
---@field standard_error number
---@field low number
---@field high number
---@field note? string

---@class crossfold.VarianceComponents
---@field mean number
---@field mean_standard_error number
---@field mean_df number
---@field total number
---@field confidence number
---@field components crossfold.VarianceComponent[]
---@field undefined? string Why there are no shares.

---@class (exact) crossfold.VarianceComponentsOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field names? string[] The names of the sources; default "source 1" and so on.
---@field scores number[] One score per unit of the last source; units of later sources vary faster.
---@field units integer[] Number of units of each source within a unit of the source before.

---@param options crossfold.VarianceComponentsOptions
---@return crossfold.VarianceComponents
function cf.stats.variance_components(options) end

---@class crossfold.BettingInterval
---@field mean? number
---@field low? number
---@field high? number
---@field confidence number
---@field values integer
---@field undefined? string

---@class (exact) crossfold.BettingIntervalOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field least? number The least value that is possible. Default 0.
---@field most? number The greatest value that is possible. Default 1.

---@param values number[]
---@param options? crossfold.BettingIntervalOptions
---@return crossfold.BettingInterval
function cf.stats.betting_interval(values, options) end

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

---@class (exact) crossfold.LawCrossingOptions
---@field from number The smallest number of rows.
---@field to number The largest number of rows.

---@param other crossfold.PowerLaw
---@param options crossfold.LawCrossingOptions
---@return crossfold.LawCrossing
function PowerLaw:crossing(other, options) end

---@class (exact) crossfold.PowerLawOptions
---@field confidence? number Level of the confidence intervals. Default 0.95.
---@field errors? number[] The error at each size.
---@field n number[] The sizes of the training sets.
---@field test_to_train? number Test rows per training row, which corrects the variance of trials. Default 0.
---@field trials? number[][] The errors of several trials at each size, instead of `errors`.
---@field weights? "equal"|"inverse_variance"|"rank"|"size" The weight of each size in the fit. Default "equal".

---@param options crossfold.PowerLawOptions
---@return crossfold.PowerLaw
function cf.stats.power_law(options) end

return cf
