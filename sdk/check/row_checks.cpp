// Checks of what learners make of data: rows, columns, degenerate data, classes, weights.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/model_cases.h"
#include "check/probe_data.h"
#include "check/table_copy.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

// ---- input-untouched ----------------------------------------------------------------------------

// As a fold of a bootstrap has them.
RowIds BootstrapRows(CheckContext& context, std::int64_t n) {
  RowIds rows = SomeRows(n, context.RandomOf("rows"));
  rows.push_back(rows[rows.size() / 2]);
  return rows;
}

void LearnerInputUntouched(CheckContext& context) {
  for (const LearnerCase& c : MakeCases(context, /*full=*/true)) {
    const RowIds some = BootstrapRows(context, c.n_rows());
    const CopyOptions with_bitmap{nullptr, 3, false};
    TableCopy train(RowTable::ForTraining(*c.data, &some).get(), with_bitmap);
    TableCopy rows(RowTable::ForPrediction(*c.data, &some).get(), with_bitmap);
    const Bytes train_before = train.Contents(), rows_before = rows.Contents();
    {
      const Made made = Fit(*c.spec, train.get());
      if (train.Contents() != train_before) {
        context.Fail(c.Where() + " fit changed the table that it was given");
        return;
      }
      if (!made.reply.ok()) continue;
      Predict(*c.spec, made.model.get(), rows.get(), c.n_classes());
      if (rows.Contents() != rows_before || train.Contents() != train_before) {
        context.Fail(c.Where() + " predict changed a table that it was given");
        return;
      }
    }
    // Here even a write that changes nothing ends the process.
    train.MakeReadOnly();
    rows.MakeReadOnly();
    c.Run(train.get(), rows.get());
  }
}

// ---- view-equals-copy ---------------------------------------------------------------------------

void LearnerViewEqualsCopy(CheckContext& context) {
  for (const LearnerCase& c : MakeCases(context, /*full=*/true)) {
    CompareViews(context, c, BootstrapRows(context, c.n_rows()),
                 "a row index into the columns for fit and predict");
  }
}

// ---- row-order ----------------------------------------------------------------------------------

void LearnerRowOrder(CheckContext& context) {
  context.NeedsDeterminism(CF_DET_ROW_ORDER, "CF_DET_ROW_ORDER");
  for (const LearnerCase& c : MakeCases(context, /*full=*/true)) {
    for (const char* purpose : {"first order", "second order"}) {
      if (FailsInOtherOrder(context, c, purpose)) break;
    }
  }
}

// ---- predict-subset -----------------------------------------------------------------------------

// The difference if these rows are predicted by themselves.
std::string DifferenceOfSome(const LearnerCase& c, const Made& made, const RowIds& positions) {
  constexpr double kTolerance = 1e-12;
  TableCopy some(c.rows.get(), {.positions = &positions});
  const Predicted got = Predict(*c.spec, made.model.get(), some.get(), c.n_classes());
  return Difference(got, Chosen(c.expected, positions, c.n_classes()), kTolerance);
}

void LearnerPredictSubset(CheckContext& context) {
  for (const LearnerCase& c : MakeCases(context, /*full=*/true)) {
    const Made made = Fit(*c.spec, c.train.get());
    bool has_failed = false;
    for (std::int64_t i = 0; i < c.n_rows() && !has_failed; ++i) {
      has_failed = context.FailIf(c.Where() + ", after row " + std::to_string(i) +
                                      " was predicted alone and not among all ",
                                  DifferenceOfSome(c, made, {i}));
    }
    if (has_failed) continue;
    RowIds reversed = RowRange(0, c.n_rows());
    std::reverse(reversed.begin(), reversed.end());
    context.FailIf(c.Where() + ", after the rows were predicted in reversed order ",
                   DifferenceOfSome(c, made, reversed));
  }
}

// Checks of the columns that a learner gets: their names and order, their types, what is missing in
// them, and levels that the training rows lack.

// ---- column-names -------------------------------------------------------------------------------

// Names that differ only byte by byte.
constexpr const char* kNames[] = {"x",  "X",         "x ",  " x", "x\xcc\x88", "\xc3\xa9t\xc3\xa9",
                                  "1e", "a,b \"c\"", "nan", "x1", "x01",       "y"};

// The same columns under other names, or in reverse order.
void Rename(TableCopy& table) {
  for (std::int64_t j = 0; j < table.get().n_features; ++j) {
    table.feature(j).name = kNames[static_cast<std::size_t>(j) % std::size(kNames)];
  }
}
void Reverse(TableCopy& table) {
  std::reverse(&table.feature(0), &table.feature(0) + table.get().n_features);
}

void ColumnNames(CheckContext& context) {
  for (const LearnerCase& c : MakeCases(context, /*full=*/true)) {
    TableCopy train(c.train.get()), rows(c.rows.get());
    Rename(train);
    Rename(rows);
    if (context.FailIf(c.Where() + ", after the columns were renamed to 'x', 'X', 'x ' ... ",
                       Difference(c.Run(train.get(), rows.get()), c.expected))) {
      continue;
    }
    if (DependsOnSeed(c)) continue;  // it draws for its columns in their order
    Reverse(train);
    Reverse(rows);
    const std::string reversed = FindLargeDifference(c.Run(train.get(), rows.get()), c.expected);
    if (reversed.empty()) continue;
    context.Warn(c.Where() + ", after the columns were put into reverse order " + reversed);
  }
}

// ---- dtypes -------------------------------------------------------------------------------------

// Small whole numbers that say something about the target, 0 or 1 in the first of them.
struct WholeNumbers {
  std::vector<std::vector<int>> columns;

  WholeNumbers(const LearnerCase& c, plugin::Random random) {
    for (const int most : {1, 5}) {
      std::vector<int>& column = columns.emplace_back();
      for (std::int64_t i = 0; i < c.n_rows(); ++i) {
        const auto row = static_cast<std::size_t>(i);
        const double cause = c.n_classes() > 0 ? c.data->labels()[row] : c.data->values()[row];
        const int chance = static_cast<int>(random.Below(2));
        column.push_back(std::min(most, static_cast<int>(cause * most) + chance));
      }
    }
  }
};

Predicted LearnFromType(const LearnerCase& c, const WholeNumbers& numbers, std::int32_t dtype) {
  std::vector<Column> columns;
  for (std::size_t j = 0; j < numbers.columns.size(); ++j) {
    const bool fits = j == 0 || (dtype != CF_BOOL8 && dtype != CF_CAT32);
    columns.push_back(ColumnOf(fits ? dtype : CF_F64, "n" + std::to_string(j), numbers.columns[j]));
  }
  columns.push_back(c.data->column("y"));
  const DataPtr data = Dataset::Create("probe", std::move(columns), {.target = "y"});
  return FitPredict(*c.spec, AllRows(data), AllRows(data));
}

void LearnerDtypes(CheckContext& context) {
  NeedAcceptance(context, CF_ACCEPTS_NUMERIC, "CF_ACCEPTS_NUMERIC");
  const bool takes_categories =
      (context.component().learner->accepts & CF_ACCEPTS_CATEGORICAL) != 0;
  for (const LearnerCase& c : MakeCases(context, /*full=*/false)) {
    const WholeNumbers numbers(c, context.RandomOf("whole numbers"));
    const Predicted expected = LearnFromType(c, numbers, CF_F64);
    for (const auto& [dtype, name] : {std::pair{CF_F32, "float32"}, std::pair{CF_I32, "int32"},
                                      std::pair{CF_I64, "int64"}, std::pair{CF_BOOL8, "bool"}}) {
      const Predicted got = LearnFromType(c, numbers, dtype);
      const std::string difference = Difference(got, expected);
      if (difference.empty()) continue;
      // A method for categories may take a bool for one.
      if (dtype == CF_BOOL8 && takes_categories &&
          Difference(got, LearnFromType(c, numbers, CF_CAT32)).empty()) {
        continue;
      }
      context.Fail(c.Where() + ", with the same numbers in a column of type " + name +
                   " instead of float64 " + difference);
    }
  }
}

// ---- missing ------------------------------------------------------------------------------------

// A column of which the training rows have no entry at all.
void LookAtEmptyColumn(CheckContext& context, const LearnerCase& c) {
  std::vector<Column> columns(c.data->columns().begin(), c.data->columns().end());
  columns[0] = Filled(columns[0], std::nan(""));
  const DataPtr empty = Dataset::Rebuild(*c.data, std::move(columns), c.data->roles());
  context.FailIf(c.Where() + ", after a fit on rows without any entry in column '" +
                     empty->columns()[0].name + "' ",
                 FindProblem(FitPredict(*c.spec, AllRows(empty), AllRows(c.data)), c.n_classes()));
}

void LearnerMissing(CheckContext& context) {
  NeedAcceptance(context, CF_ACCEPTS_MISSING, "CF_ACCEPTS_MISSING", kHostRefuses);
  for (const LearnerCase& usual : MakeCases(context, /*full=*/false)) {
    DataShape shape = Fuller(context.component(), usual.shape);
    shape.missing = 0.2;
    shape.weights = false;
    LearnerCase c = MakeCase(context, shape);
    if (IsRefused(c)) {  // numbers and categories together
      shape.n_categorical = usual.shape.n_categorical;
      c = MakeCase(context, shape);
    }
    if (context.FailIf(c.Where() + " ", FindProblem(c.expected, c.n_classes())) ||
        FailsWithHiddenMissing(context, c)) {
      continue;
    }
    LookAtEmptyColumn(context, c);
  }
}

// ---- unseen-category ----------------------------------------------------------------------------

void LearnerUnseenCategory(CheckContext& context) {
  NeedAcceptance(context, CF_ACCEPTS_CATEGORICAL, "CF_ACCEPTS_CATEGORICAL");
  for (const LearnerCase& usual : MakeCases(context, /*full=*/false)) {
    DataShape shape = usual.shape;
    shape.n_categorical = 2;
    LearnerCase c = MakeCase(context, shape);
    if (IsRefused(c)) {
      shape.n_numeric = 0;
      c = MakeCase(context, shape);
    }
    if (IsRefused(c)) {
      shape.n_categorical = 1;
      c = MakeCase(context, shape);
    }
    if (!c.expected.reply.ok()) continue;  // the subject of fit-smoke
    // Level 3, the last one, occurs nowhere; level 0 is the first.
    for (const std::int32_t gone : {3, 0}) {
      const DataPtr train = gone == 3 ? c.data : WithLevel(*c.data, gone, 1);
      const DataPtr rows = gone == 3 ? WithLevel(*c.data, 1, 3) : c.data;
      context.FailIf(
          c.Where() + ", for rows with the level '" +
              c.data->column("c0").levels[static_cast<std::size_t>(gone)] +
              "', which no training row has, ",
          FindProblem(FitPredict(*c.spec, AllRows(train), AllRows(rows)), c.n_classes()));
    }
  }
}

// ---- extreme-values -----------------------------------------------------------------------------

struct Extreme {
  std::string_view what;
  std::vector<double> entries;  // repeated over the rows
};

constexpr std::string_view kIntegers = "integers near 2^62";

std::vector<Extreme> Extremes() {
  constexpr double kDenormal = std::numeric_limits<double>::denorm_min();
  return {{"1e300 and -1e300", {1e300, -1e300, 9e299}},
          {"1e-300", {1e-300, 3e-300, -2e-300}},
          {"denormal numbers", {kDenormal, 5 * kDenormal, 0}},
          {"0 and -0", {0.0, -0.0}},
          {kIntegers, {4.6e18, 4.6e18 + 1024, -4.6e18}},
          {"1e308 and 1e-308 side by side", {1e308, 1e-308, 1, -1e308}}};
}

void LearnerExtremeValues(CheckContext& context) {
  NeedAcceptance(context, CF_ACCEPTS_NUMERIC, "CF_ACCEPTS_NUMERIC");
  for (const LearnerCase& c : MakeCases(context, /*full=*/false)) {
    for (const Extreme& extreme : Extremes()) {
      std::vector<double> entries;
      for (std::size_t i = 0; i < static_cast<std::size_t>(c.n_rows()); ++i) {
        entries.push_back(extreme.entries[i * 7 % 5 % extreme.entries.size()]);
      }
      std::vector<Column> columns(c.data->columns().begin(), c.data->columns().end());
      if (columns[0].dtype != CF_F64) break;  // of a learner that refuses numbers
      columns[0] = extreme.what == kIntegers
                       ? Column::Integers("n0", {entries.begin(), entries.end()})
                       : Column::Doubles("n0", std::move(entries));
      const DataPtr data = Dataset::Rebuild(*c.data, std::move(columns), c.data->roles());
      // In training and test rows, and in test rows only.
      for (const DataPtr& train : {data, c.data}) {
        if (context.FailIf(
                c.Where() + " with " + std::string(extreme.what) + " in a column" +
                    (train == data ? " " : " of the predicted rows only "),
                FindProblem(FitPredict(*c.spec, AllRows(train), AllRows(data)), c.n_classes()))) {
          break;
        }
      }
    }
  }
}

// ---- degenerate ---------------------------------------------------------------------------------

struct Degenerate {
  std::string what;
  DataPtr train;
  RowIds rows;  // of it
  DataPtr test;
};

// `column` with its first entry everywhere.
Column Constant(const Column& column) { return Filled(column, EntriesOf(column).front()); }

// The data with the first `count` features made constant.
DataPtr WithConstants(const DataPtr& data, std::int64_t count) {
  std::vector<Column> columns(data->columns().begin(), data->columns().end());
  for (std::int64_t j = 0; j < count; ++j) {
    Column& column = columns[static_cast<std::size_t>(j)];
    column = Constant(column);
  }
  return Dataset::Rebuild(*data, std::move(columns), data->roles());
}

DataPtr WithEqualFeatures(const DataPtr& data) {
  std::vector<Column> columns(data->columns().begin(), data->columns().end());
  const std::string name = columns[1].name;
  columns[1] = columns[0];
  columns[1].name = name;
  return Dataset::Rebuild(*data, std::move(columns), data->roles());
}

DataPtr WithConstantTarget(const DataPtr& data) {
  std::vector<Column> columns(data->columns().begin(), data->columns().end());
  for (Column& column : columns) {
    if (column.name == "y") column = Constant(column);
  }
  return Dataset::Rebuild(*data, std::move(columns), data->roles());
}

std::vector<Degenerate> MakeDegenerate(const LearnerCase& c, std::uint64_t seed) {
  const auto made = [&](std::int64_t n_rows, std::int64_t n_features) {
    DataShape shape = c.shape;
    shape.n_rows = n_rows;
    (shape.n_numeric > 0 ? shape.n_numeric : shape.n_categorical) = n_features;
    return MakeData(shape, seed);
  };
  const RowIds all = RowRange(0, c.n_rows());
  const DataPtr one = made(40, 1), wide = made(8, 20);
  std::vector<Degenerate> cases = {
      {"one row", c.data, {0}, c.data},
      {"two rows", c.data, {0, 1}, c.data},
      {"40 times the same row", c.data, RowIds(40, 1), c.data},
      {"six rows, each twice", c.data, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}, c.data},
      {"one feature", one, RowRange(0, 40), one},
      {"a constant feature", WithConstants(c.data, 1), all, c.data},
      {"constant features only", WithConstants(c.data, c.data->num_features()), all, c.data},
      {"8 rows of 20 features", wide, RowRange(0, 8), wide},
  };
  if (c.data->num_features() > 1) {
    const DataPtr equal = WithEqualFeatures(c.data);
    cases.push_back({"two equal features", equal, all, equal});
  }
  if (c.n_classes() == 0) {
    cases.push_back({"a constant target", WithConstantTarget(c.data), all, c.data});
  }
  return cases;
}

void LearnerDegenerate(CheckContext& context) {
  for (const LearnerCase& c : MakeCases(context, /*full=*/false)) {
    for (const Degenerate& data : MakeDegenerate(c, context.SeedOf("few"))) {
      const RowTable table = RowTable::ForTraining(*data.train, nullptr);
      TableCopy train(table.get(), {.positions = &data.rows});
      const RowTable test = RowTable::ForPrediction(*data.test, nullptr);
      context.FailIf(c.Where() + ", after a fit on " + data.what + ", ",
                     FindProblem(c.Run(train.get(), test.get()), c.n_classes()));
    }
  }
}

// ---- zero-rows ----------------------------------------------------------------------------------

// What was wrong with predicting no rows; "" = nothing.
std::string PredictNothing(const LearnerCase& c, const Made& made, const cf_table& none,
                           bool probabilities_too) {
  constexpr double kMark = 42;
  std::int32_t label = 7;
  double value = kMark;
  std::vector<double> probabilities(static_cast<std::size_t>(c.n_classes()) + 1, kMark);
  cf_prediction out{};
  out.struct_size = sizeof(cf_prediction);
  out.n_classes = c.n_classes();
  if (c.n_classes() > 0) {
    out.labels = &label;
  } else {
    out.values = &value;
  }
  auto predict = c.spec->component().learner->predict;
  if (probabilities_too) {
    predict = c.spec->component().capability<cf_cap_proba>(CF_CAP_PROBA)->predict_proba;
    out.probabilities = probabilities.data();
  }
  const Reply reply = ProbeCall(*c.spec, {}, [&](const cf_call* call) {
    return predict(call, made.model.get(), &none, &out);
  });
  if (!reply.ok()) return "ended with " + reply.Describe();
  if (label == 7 && value == kMark && probabilities.front() == kMark) return "";
  return "wrote into the arrays for predictions";
}

void LearnerZeroRows(CheckContext& context) {
  for (const LearnerCase& c : MakeCases(context, /*full=*/false)) {
    const Made made = Fit(*c.spec, c.train.get());
    cf_table none = c.rows.get();
    none.n_rows = 0;
    const std::int64_t no_id = 0;
    const bool has_proba = c.spec->component().capability<cf_cap_proba>(CF_CAP_PROBA) != nullptr;
    for (const std::int64_t* rows : {static_cast<const std::int64_t*>(nullptr), &no_id}) {
      none.rows = rows;
      std::string problem = PredictNothing(c, made, none, false);
      if (problem.empty() && has_proba && c.n_classes() > 0) {
        problem = PredictNothing(c, made, none, true);
      }
      if (context.FailIf(c.Where() + " the prediction of no rows ", problem)) break;
    }
  }
}

// Fits on these rows of the data, copied and without a row index, and predicts all rows.
Predicted RunOnRows(const LearnerCase& c, const RowIds& rows) {
  TableCopy train(c.train.get(), {.positions = &rows});
  return c.Run(train.get(), c.rows.get());
}

// Checks of class indices: they belong to the dataset, whatever the training rows hold.

std::vector<LearnerCase> LearnerClassifications(CheckContext& context) {
  std::vector<LearnerCase> cases;
  for (LearnerCase& c : MakeCases(context, /*full=*/false)) {
    if (c.n_classes() > 0) cases.push_back(std::move(c));
  }
  if (cases.empty()) context.Skip("it declares no classification");
  return cases;
}

// ---- one-class ----------------------------------------------------------------------------------

// A class that is predicted although no training row has it; "" = there is none.
std::string FindAbsentClass(const Predicted& prediction, const std::vector<bool>& is_absent) {
  for (std::size_t i = 0; i < prediction.labels.size(); ++i) {
    const std::int32_t label = prediction.labels[i];
    if (is_absent[static_cast<std::size_t>(label)]) {
      return "label " + std::to_string(i) + " is " + std::to_string(label) +
             ", a class that no training row has";
    }
  }
  for (std::size_t i = 0; i < prediction.probabilities.size(); ++i) {
    const std::size_t label = i % is_absent.size();
    if (!is_absent[label] || prediction.probabilities[i] == 0) continue;
    return "row " + std::to_string(i / is_absent.size()) + " has the probability " +
           FormatShortest(prediction.probabilities[i]) + " for class " + std::to_string(label) +
           ", which no training row has";
  }
  return "";
}

// A fit on the rows of some classes only.
void LookAtAbsence(CheckContext& context, const LearnerCase& c, const std::vector<bool>& is_absent,
                   const std::string& what) {
  RowIds kept;
  for (std::int64_t i = 0; i < c.n_rows(); ++i) {
    const std::int32_t label = c.data->labels()[static_cast<std::size_t>(i)];
    if (!is_absent[static_cast<std::size_t>(label)]) kept.push_back(i);
  }
  const Predicted prediction = RunOnRows(c, kept);
  std::string problem = FindProblem(prediction, c.n_classes());
  if (problem.empty() && prediction.reply.ok()) problem = FindAbsentClass(prediction, is_absent);
  context.FailIf(c.Where() + ", after a fit on rows " + what + ", ", problem);
}

void LearnerOneClass(CheckContext& context) {
  for (const LearnerCase& c : LearnerClassifications(context)) {
    const auto k = static_cast<std::size_t>(c.n_classes());
    for (std::size_t label = 0; label < k; ++label) {
      std::vector<bool> is_absent(k, true);
      is_absent[label] = false;
      LookAtAbsence(context, c, is_absent, "of class " + std::to_string(label) + " only");
      if (k == 2) continue;
      is_absent.flip();
      LookAtAbsence(context, c, is_absent, "without class " + std::to_string(label));
    }
  }
}

// ---- class-order --------------------------------------------------------------------------------

// The same rows with other class names, and class c at the place to[c].
DataPtr WithClasses(const Dataset& data, const std::vector<std::string>& names,
                    const std::vector<std::int32_t>& to) {
  std::vector<Column> columns;
  for (const Column& column : data.columns()) {
    if (column.name != data.roles().target) {
      columns.push_back(column);
      continue;
    }
    std::vector<std::int32_t> codes;
    for (const std::int32_t label : data.labels()) {
      codes.push_back(to[static_cast<std::size_t>(label)]);
    }
    columns.push_back(Column::Categories(column.name, std::move(codes), names));
  }
  return Dataset::Rebuild(data, std::move(columns), data.roles());
}

// The prediction with class c again where to[c] was.
Predicted MovedBack(const Predicted& prediction, const std::vector<std::int32_t>& to) {
  Predicted back = prediction;
  const std::size_t k = to.size();
  for (std::int32_t& label : back.labels) {
    label = static_cast<std::int32_t>(std::find(to.begin(), to.end(), label) - to.begin());
  }
  for (std::size_t i = 0; i < back.probabilities.size(); ++i) {
    const auto place = static_cast<std::size_t>(to[i % k]);
    back.probabilities[i] = prediction.probabilities[i / k * k + place];
  }
  return back;
}

void LearnerClassOrder(CheckContext& context) {
  constexpr std::int64_t kRows = 61;  // so that the first class is the most frequent one
  for (const LearnerCase& usual : LearnerClassifications(context)) {
    DataShape shape = usual.shape;
    shape.n_rows = kRows;
    const LearnerCase c = MakeCase(context, shape);
    if (!c.expected.reply.ok()) continue;
    std::vector<std::string> names;
    std::vector<std::int32_t> same, reversed;
    for (std::int32_t label = 0; label < c.n_classes(); ++label) {
      same.push_back(label);
      reversed.push_back(static_cast<std::int32_t>(c.n_classes()) - 1 - label);
      names.push_back(std::string(1, static_cast<char>('z' - label)) + " \xc3\xa9");
    }
    const DataPtr renamed = WithClasses(*c.data, names, same);
    if (context.FailIf(
            c.Where() + ", after the classes got other names ",
            Difference(FitPredict(*c.spec, AllRows(renamed), AllRows(renamed)), c.expected))) {
      continue;
    }
    if (DependsOnSeed(c)) continue;  // it may draw for its classes in their order
    const DataPtr moved = WithClasses(*c.data, names, reversed);
    const Predicted prediction = FitPredict(*c.spec, AllRows(moved), AllRows(moved));
    const std::string of_order = FindLargeDifference(MovedBack(prediction, reversed), c.expected);
    if (of_order.empty()) continue;
    context.Warn(c.Where() + ", after the order of the classes was reversed " + of_order);
  }
}

// Checks of weights: a row of weight w counts as w rows.

Predicted RunWeighted(const LearnerCase& c, const std::vector<double>& weights) {
  cf_table train = c.train.get();
  train.weights = weights.data();
  return c.Run(train, c.rows.get());
}

// Whether another order of the training rows gives other predictions, by more than the tolerance.
bool DependsOnOrder(const LearnerCase& c, double tolerance) {
  RowIds positions = RowRange(0, c.n_rows());
  std::rotate(positions.begin(), positions.begin() + 7, positions.end());
  return !Difference(RunOnRows(c, positions), c.expected, tolerance).empty();
}

// If randomness or the order of the rows matters, repeated rows and weights differ, but weights
// must have an effect.
void LookIfTheyMatter(CheckContext& context, const LearnerCase& c) {
  std::vector<double> weights;
  for (std::int64_t i = 0; i < c.n_rows(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    const bool counts =
        c.n_classes() > 0 ? c.data->labels()[row] == 0 : c.data->values()[row] < 0.5;
    weights.push_back(counts ? 1000 : 0.001);
  }
  if (Difference(RunWeighted(c, weights), c.expected).empty()) {
    context.Fail(c.Where() + " weights of 1000 and 0.001 give the same predictions as no weights");
  }
}

void LearnerWeights(CheckContext& context) {
  constexpr double kTolerance = 1e-5;  // of numbers computed in another order, in single precision
  NeedAcceptance(context, CF_ACCEPTS_WEIGHTS, "CF_ACCEPTS_WEIGHTS", kHostRefuses);
  for (const LearnerCase& c : MakeCases(context, /*full=*/false)) {
    const std::int64_t n = c.n_rows();
    context.FailIf(c.Where() + ", with all weights 1 ",
                   Difference(RunWeighted(c, WeightEvery(n, 1, 1)), c.expected, kTolerance));
    context.FailIf(c.Where() + ", with all weights 0 ",
                   FindProblem(RunWeighted(c, WeightEvery(n, 1, 0)), c.n_classes()));
    if (DependsOnSeed(c) || DependsOnOrder(c, kTolerance)) {
      LookIfTheyMatter(context, c);
      continue;
    }
    for (const double weight : {0.0, 2.0}) {
      const std::vector<double> weights = WeightEvery(n, 4, weight);
      context.FailIf(
          c.Where() + ", with weight " + (weight == 0 ? "0" : "2") +
              " for every fourth row instead of " +
              (weight == 0 ? "leaving it out " : "having it twice "),
          Difference(RunWeighted(c, weights), RunOnRows(c, RepeatedRows(weights)), kTolerance));
    }
  }
}

constexpr Check kRowChecks[] = {
    {"input-untouched", kLearner, 3, false, "fit-smoke",
     "fit and predict write nothing into the tables that they get", &LearnerInputUntouched},
    {"view-equals-copy", kLearner, 3, false, "fit-idempotent",
     "rows by index, with repeats and shifted bitmaps, are as good as copied rows",
     &LearnerViewEqualsCopy},
    {"row-order", kLearner, 3, false, "fit-idempotent",
     "the order of the training rows does not matter, if that is declared", &LearnerRowOrder},
    {"predict-subset", kLearner, 3, false, "fit-idempotent",
     "a prediction does not depend on the other rows of the call", &LearnerPredictSubset},
    {"column-names", kLearner, 4, true, "fit-idempotent",
     "names of columns do not matter, and their order changes little", &ColumnNames},
    {"dtypes", kLearner, 3, false, "fit-idempotent",
     "numbers of every type are read as the same numbers", &LearnerDtypes},
    {"missing", kLearner, 3, false, "fit-idempotent",
     "NaN, a null bit and code -1 are the same, and give usable predictions", &LearnerMissing},
    {"unseen-category", kLearner, 3, false, "fit-smoke",
     "a level that the training rows lack gives a usable prediction or a proper error",
     &LearnerUnseenCategory},
    {"extreme-values", kLearner, 5, true, "fit-smoke",
     "huge and tiny numbers give a usable prediction or a proper error", &LearnerExtremeValues},
    {"degenerate", kLearner, 3, false, "fit-smoke",
     "very little data gives a usable prediction or a proper error", &LearnerDegenerate},
    {"zero-rows", kLearner, 3, false, "fit-smoke", "no rows can be predicted", &LearnerZeroRows},
    {"one-class", kLearner, 3, false, "fit-smoke",
     "a class that the training rows lack is not predicted, and the others keep their places",
     &LearnerOneClass},
    {"class-order", kLearner, 5, false, "fit-idempotent",
     "names of classes do not matter, and their order changes little", &LearnerClassOrder},
    {"weights", kLearner, 3, false, "fit-idempotent",
     "weight 0 leaves a row out, weight 2 counts it twice, and weights of 1 change nothing",
     &LearnerWeights},
};

}  // namespace

std::span<const Check> RowChecks() { return kRowChecks; }

}  // namespace crossfold::check
