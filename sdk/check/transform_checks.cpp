// Checks of transforms.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/library_random.h"
#include "check/model_cases.h"
#include "check/probe_data.h"
#include "check/table_copy.h"
#include "crossfold_plugin/view.hpp"
#include "engine/data/sha256.h"
#include "engine/run/owned_table.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

// ---- transform-smoke ----------------------------------------------------------------------------

// Some of the declared data must become usable columns; data that the settings rule out may be
// refused.
void TransformSmoke(CheckContext& context) {
  bool works = false;
  std::string refusal;
  for (const DataShape& shape : TransformShapes(context.component())) {
    const TransformCase c = MakeTransformCase(context, shape);
    context.FailIf(c.Where() + " ", FindProblem(c.expected, shape.missing > 0));
    works = works || c.expected.reply.ok();
    if (!c.expected.reply.ok()) refusal = c.Where() + " " + c.expected.reply.Describe();
  }
  if (!works && !context.has_failed()) context.Fail("it transforms no data at all: " + refusal);
}

// ---- fit-idempotent, seed-used, interleaved-instances -------------------------------------------

std::string DigestOfColumns(const std::vector<TransformCase>& cases) {
  Sha256 hash;
  for (const TransformCase& c : cases) {
    for (const Applied::Column& column : c.expected.columns) {
      hash.AddText(column.name);
      hash.Add(column.entries.data(), column.entries.size() * sizeof(double));
    }
  }
  return ToHex(hash.Finish());
}

void TransformFitIdempotent(CheckContext& context) {
  context.NeedsDeterminism(CF_DET_SEEDED, "CF_DET_SEEDED: no two fits need be equal");
  const std::vector<TransformCase> cases = MakeTransformCases(context);
  if (!context.part().empty()) return context.Answer(DigestOfColumns(cases));
  for (const TransformCase& c : cases) {
    ReseedLibrary(77);  // whoever draws from the C library gets other numbers now
    context.FailIf(c.Where() + ", after another fit with the same seed, ",
                   Difference(c.Run(c.train.get(), c.rows.get()), c.expected));
  }
  if (context.has_failed()) return;
  const std::string there = context.AskOtherProcess("digest");
  if (!there.empty() && there != DigestOfColumns(cases)) {
    context.Fail("the same seed and data gave other columns in a second process");
  }
}

void TransformSeedUsed(CheckContext& context) {
  SeedEffects effects;
  for (const TransformCase& c : MakeTransformCases(context)) TrySeeds(context, c, effects);
  if (effects.draws && !effects.differs) {
    context.Warn("it draws numbers in fit, but the seeds 1 to 4 give the same columns");
  }
}

void TransformInterleavedInstances(CheckContext& context) {
  const std::vector<TransformCase> cases = MakeTransformCases(context);
  for (const TransformCase& c : cases) {
    DataShape shape = c.shape;
    shape.n_rows = 45;
    (shape.n_numeric > 0 ? shape.n_numeric : shape.n_categorical) += 1;
    const DataPtr data = MakeData(shape, context.SeedOf("another model"));
    const Made made = Fit(*c.spec, c.train.get());
    const Made second = Fit(*c.spec, AllRows(data));
    if (!made.reply.ok() || !second.reply.ok()) continue;
    const Applied of_second = Apply(*c.spec, second.model.get(), AllRows(data));
    const std::string first =
        Difference(Apply(*c.spec, made.model.get(), c.rows.get()), c.expected);
    const std::string later =
        Difference(Apply(*c.spec, second.model.get(), AllRows(data)), of_second);
    context.FailIf(c.Where() + ", after another model was fitted and applied in between, ",
                   first.empty() ? later : first);
  }
}

// ---- same-columns -------------------------------------------------------------------------------

// The data with this entry in every row of every feature; NaN = missing.
DataPtr AllFilled(const Dataset& data, double entry) {
  return WithFeatures(data, [&](Column& column) {
    column = Filled(column, entry);
    return true;
  });
}

// Rows that differ from the training rows in what a careless transform could use.
std::vector<std::pair<std::string, DataView>> OtherRows(const TransformCase& c,
                                                        bool accepts_missing) {
  const DataPtr unseen = WithFeatures(*c.data, [](Column& column) {
    const bool is_category = column.dtype == CF_CAT32;
    column = Filled(column, is_category ? static_cast<double>(column.levels.size()) - 1 : 1e6);
    return true;
  });
  std::vector<std::pair<std::string, DataView>> others = {
      {"no rows", RowsOf(c.data, {})},
      {"one row", RowsOf(c.data, {7})},
      {"equal rows", AllRows(AllFilled(*c.data, 1))},
      {"rows of large numbers and of levels that no training row has", AllRows(unseen)}};
  if (accepts_missing) {
    others.emplace_back("rows of which every entry is missing",
                        AllRows(AllFilled(*c.data, std::nan(""))));
  }
  return others;
}

void SameColumns(CheckContext& context) {
  const bool accepts_missing = (context.component().transform->accepts & CF_ACCEPTS_MISSING) != 0;
  for (const TransformCase& c : MakeTransformCases(context)) {
    const Made made = Fit(*c.spec, c.train.get());
    if (!made.reply.ok()) continue;
    for (const auto& [what, rows] : OtherRows(c, accepts_missing)) {
      const Applied applied = Apply(*c.spec, made.model.get(), rows);
      if (!applied.reply.ok()) continue;
      context.FailIf(c.Where() + ", applied to " + what + " instead of the training rows, ",
                     Difference(Declarations(applied), Declarations(c.expected)));
    }
  }
}

// ---- no-leak ------------------------------------------------------------------------------------

// The data with other entries in all rows after the first `n_kept`, target included.
DataPtr WithOtherTail(const Dataset& data, std::int64_t n_kept) {
  std::vector<Column> columns;
  for (const Column& column : data.columns()) {
    std::vector<double> entries = EntriesOf(column);
    for (auto i = static_cast<std::size_t>(n_kept); i < entries.size(); ++i) {
      const bool is_category = column.dtype == CF_CAT32;
      if (column.name == data.roles().weights || std::isnan(entries[i])) continue;
      entries[i] = is_category ? (entries[i] == 0 ? 1 : 0) : 20 - 50 * entries[i];
    }
    columns.push_back(WithEntries(column, entries));
  }
  return Dataset::Rebuild(data, std::move(columns), data.roles());
}

// The transform must ignore rows outside of the view.
void LookOutside(CheckContext& context, const TransformCase& c, const DataPtr& other,
                 const RowIds& first) {
  const DataView rows = RowsOf(c.data, first);
  const Applied expected = FitApply(*c.spec, rows, rows);
  const Applied applied = FitApply(*c.spec, RowsOf(other, first), rows);
  context.FailIf(c.Where() + ", after changing rows that are neither trained on nor transformed, ",
                 Difference(applied, expected));
}

// Whether applying changes the model.
void LookAtState(CheckContext& context, const TransformCase& c, const DataPtr& other,
                 const RowIds& first) {
  const DataView rows = RowsOf(c.data, first);
  const Made made = Fit(*c.spec, rows);
  if (!made.reply.ok()) return;
  const bool can_save =
      c.spec->component().capability<cf_cap_serialize>(CF_CAP_SERIALIZE) != nullptr;
  const Bytes saved = can_save ? Save(*c.spec, made.model.get()).bytes : Bytes();
  const Applied before = Apply(*c.spec, made.model.get(), rows);
  Apply(*c.spec, made.model.get(), AllRows(other));
  const bool has_failed =
      context.FailIf(c.Where() + ", applied to the training rows again after other rows, ",
                     Difference(Apply(*c.spec, made.model.get(), rows), before));
  if (!has_failed && can_save && Save(*c.spec, made.model.get()).bytes != saved) {
    context.Fail(c.Where() + ", after it was applied, the model saves other bytes");
  }
}

void NoLeak(CheckContext& context) {
  for (const TransformCase& c : MakeTransformCases(context)) {
    const RowIds first = RowRange(0, c.n_rows() * 2 / 3);
    const DataPtr other = WithOtherTail(*c.data, c.n_rows() * 2 / 3);
    LookOutside(context, c, other, first);
    LookAtState(context, c, other, first);
  }
}

// ---- predict-subset -----------------------------------------------------------------------------

void TransformPredictSubset(CheckContext& context) {
  constexpr double kTolerance = 1e-12;
  for (const TransformCase& c : MakeTransformCases(context)) {
    const Made made = Fit(*c.spec, c.train.get());
    if (!made.reply.ok()) continue;
    for (std::int64_t i = 0; i < c.n_rows(); ++i) {
      const Applied alone = Apply(*c.spec, made.model.get(), RowsOf(c.data, {i}));
      if (context.FailIf(c.Where() + ", after row " + std::to_string(i) +
                             " was transformed alone and not among all, ",
                         Difference(alone, Chosen(c.expected, {i}), kTolerance))) {
        break;
      }
    }
  }
}

// ---- feature-count ------------------------------------------------------------------------------

void FeatureCount(CheckContext& context) {
  for (const TransformCase& c : MakeTransformCases(context)) {
    const Made made = Fit(*c.spec, c.train.get());
    if (!made.reply.ok()) continue;
    const cf_table& rows = c.rows.get();
    std::vector<cf_column> columns(rows.features, rows.features + rows.n_features);
    columns.push_back(columns.front());
    columns.back().name = "one_more";
    for (const std::int64_t n : {rows.n_features - 1, rows.n_features + 1}) {
      cf_table other = rows;
      other.features = columns.data();
      other.n_features = n;
      const Applied applied = Apply(*c.spec, made.model.get(), other);
      const std::string what = c.Where() + ", applied to " + std::to_string(n) +
                               " columns after a fit on " + std::to_string(rows.n_features) + ", ";
      // A transform that passes all columns on need not know their number.
      const bool makes_the_same =
          Difference(Declarations(applied), Declarations(c.expected)).empty();
      if (applied.reply.ok() && makes_the_same) context.Fail(what + "it makes the same columns");
      if (!applied.reply.ok() && !applied.reply.said_why) {
        context.Fail(what + "it ended with " + applied.reply.Describe());
      }
    }
  }
}

// ---- input-untouched, view-equals-copy ----------------------------------------------------------

void TransformInputUntouched(CheckContext& context) {
  for (const TransformCase& c : MakeTransformCases(context)) {
    const RowIds some = SomeRows(c.n_rows(), context.RandomOf("rows"));
    const CopyOptions with_bitmap{nullptr, 3, false};
    TableCopy train(RowTable::ForTraining(*c.data, &some).get(), with_bitmap);
    TableCopy rows(RowTable::ForPrediction(*c.data, &some).get(), with_bitmap);
    const Bytes train_before = train.Contents(), rows_before = rows.Contents();
    c.Run(train.get(), rows.get());
    if (train.Contents() != train_before || rows.Contents() != rows_before) {
      const bool in_fit = train.Contents() != train_before;
      context.Fail(c.Where() + (in_fit ? " fit" : " apply") +
                   " changed the table that it was given");
      return;
    }
    // Here even a write that changes nothing ends the process.
    train.MakeReadOnly();
    rows.MakeReadOnly();
    c.Run(train.get(), rows.get());
  }
}

void TransformViewEqualsCopy(CheckContext& context) {
  for (const TransformCase& c : MakeTransformCases(context)) {
    CompareViews(context, c, SomeRows(c.n_rows(), context.RandomOf("rows")),
                 "a row index into the columns");
  }
}

// ---- row-order ----------------------------------------------------------------------------------

void TransformRowOrder(CheckContext& context) {
  context.NeedsDeterminism(CF_DET_ROW_ORDER, "CF_DET_ROW_ORDER");
  for (const TransformCase& c : MakeTransformCases(context)) FailsInOtherOrder(context, c, "order");
}

// ---- weights ------------------------------------------------------------------------------------

// Every row as often as its weight says.
Applied RunRepeated(const TransformCase& c, const std::vector<double>& weights) {
  const RowIds positions = RepeatedRows(weights);
  cf_table unweighted = c.train.get();
  unweighted.weights = nullptr;
  TableCopy train(unweighted, {.positions = &positions});
  return c.Run(train.get(), c.rows.get());
}

void TransformWeights(CheckContext& context) {
  constexpr double kTolerance = 1e-6;  // of what is searched for step by step
  NeedAcceptance(context, CF_ACCEPTS_WEIGHTS, "CF_ACCEPTS_WEIGHTS", kHostRefuses);
  for (const TransformCase& c : MakeTransformCases(context)) {
    if (DependsOnSeed(c)) continue;  // weights and repetitions draw differently
    for (const auto& [step, weight, what] :
         {std::tuple{1, 1.0, "all weights 1 instead of none"},
          std::tuple{4, 0.0, "weight 0 for every fourth row instead of leaving it out"},
          std::tuple{4, 2.0, "weight 2 for every fourth row instead of having it twice"}}) {
      const std::vector<double> weights = WeightEvery(c.n_rows(), step, weight);
      cf_table weighted = c.train.get();
      weighted.weights = weights.data();
      context.FailIf(
          c.Where() + ", with " + what + " ",
          Difference(c.Run(weighted, c.rows.get()), RunRepeated(c, weights), kTolerance));
    }
  }
}

// What is wrong after a fit on one table and an application to the other.
std::string ProblemOf(const TransformCase& c, const DataView& train, const DataView& rows,
                      bool may_be_missing) {
  return FindProblem(FitApply(*c.spec, train, rows), may_be_missing);
}

// ---- dtypes -------------------------------------------------------------------------------------

// Whole numbers that are informative about the target, in columns of that type; bools are 0 and 1.
Applied TransformType(const TransformCase& c, std::int32_t dtype, int most) {
  std::vector<Column> columns;
  for (int j = 0; j < 2; ++j) {
    std::vector<int> numbers;
    for (std::int64_t i = 0; i < c.n_rows(); ++i) {
      numbers.push_back(static_cast<int>((i * (3 + j) + i / 5) % (most + 1)));
    }
    columns.push_back(ColumnOf(dtype, "n" + std::to_string(j), numbers));
  }
  columns.push_back(c.data->column("y"));
  const DataPtr data = Dataset::Create("probe", std::move(columns), {.target = "y"});
  Applied applied = FitApply(*c.spec, AllRows(data), AllRows(data));
  // Columns that are passed on keep their type; only the numbers matter here.
  for (Applied::Column& column : applied.columns) {
    if (column.dtype != CF_CAT32) column.dtype = CF_F64;
  }
  return applied;
}

void TransformDtypes(CheckContext& context) {
  NeedAcceptance(context, CF_ACCEPTS_NUMERIC, "CF_ACCEPTS_NUMERIC", kHostRefuses);
  for (const TransformCase& c : MakeTransformCases(context)) {
    for (const auto& [dtype, name] : {std::pair{CF_F32, "float32"}, std::pair{CF_I32, "int32"},
                                      std::pair{CF_I64, "int64"}, std::pair{CF_BOOL8, "bool"}}) {
      const int most = dtype == CF_BOOL8 ? 1 : 5;
      context.FailIf(
          c.Where() + ", with the same numbers in columns of type " + name + " instead of float64 ",
          Difference(TransformType(c, dtype, most), TransformType(c, CF_F64, most)));
    }
  }
}

// ---- missing ------------------------------------------------------------------------------------

DataPtr AllMissing(const Dataset& data, bool only_first) {
  bool is_done = false;
  return WithFeatures(data, [&](Column& column) {
    if (is_done && only_first) return false;
    is_done = true;
    column = Filled(column, std::nan(""));
    return true;
  });
}

void TransformMissing(CheckContext& context) {
  NeedAcceptance(context, CF_ACCEPTS_MISSING, "CF_ACCEPTS_MISSING", kHostRefuses);
  for (const TransformCase& usual : MakeTransformCases(context)) {
    DataShape shape = usual.shape;
    shape.missing = 0.2;
    const TransformCase c = MakeTransformCase(context, shape);
    if (context.FailIf(c.Where() + " ", FindProblem(c.expected, true))) continue;
    FailsWithHiddenMissing(context, c);
    for (const bool only_first : {true, false}) {
      const DataPtr empty = AllMissing(*c.data, only_first);
      context.FailIf(c.Where() + ", after a fit on rows without any entry in " +
                         (only_first ? "one column " : "all columns "),
                     ProblemOf(c, AllRows(empty), AllRows(c.data), true));
    }
  }
}

// ---- degenerate, one-class, zero-rows -----------------------------------------------------------

void TransformDegenerate(CheckContext& context) {
  for (const TransformCase& c : MakeTransformCases(context)) {
    const bool has_missing = c.shape.missing > 0;
    DataShape wide_shape = c.shape;
    wide_shape.n_rows = 6;
    (wide_shape.n_numeric > 0 ? wide_shape.n_numeric : wide_shape.n_categorical) = 15;
    const DataView all = AllRows(c.data), wide = AllRows(MakeData(wide_shape, context.SeedOf("w")));
    for (const auto& [what, train, rows] :
         {std::tuple{"one row", RowsOf(c.data, {0}), all},
          std::tuple{"two rows", RowsOf(c.data, {0, 1}), all},
          std::tuple{"40 times the same row", RowsOf(c.data, RowIds(40, 1)), all},
          std::tuple{"constant features", AllRows(AllFilled(*c.data, 1)), all},
          std::tuple{"6 rows of 15 features", wide, wide}}) {
      context.FailIf(c.Where() + ", after a fit on " + what + ", ",
                     ProblemOf(c, train, rows, has_missing));
    }
  }
}

void TransformOneClass(CheckContext& context) {
  bool has_looked = false;
  for (const TransformCase& c : MakeTransformCases(context)) {
    for (std::int32_t kept = 0; kept < c.data->num_classes(); ++kept) {
      has_looked = true;
      RowIds rows;
      for (std::int64_t i = 0; i < c.n_rows(); ++i) {
        if (c.data->labels()[static_cast<std::size_t>(i)] == kept) rows.push_back(i);
      }
      context.FailIf(
          c.Where() + ", after a fit on rows of class " + std::to_string(kept) + " only, ",
          ProblemOf(c, RowsOf(c.data, rows), AllRows(c.data), c.shape.missing > 0));
    }
  }
  if (!has_looked) context.Skip("it declares no classification");
}

void TransformZeroRows(CheckContext& context) {
  for (const TransformCase& c : MakeTransformCases(context)) {
    const Applied none = FitApply(*c.spec, AllRows(c.data), RowsOf(c.data, {}));
    if (!none.reply.ok() || !none.problem.empty()) {
      context.Fail(c.Where() + " transforming no rows ended with " +
                   (none.reply.ok() ? none.problem : none.reply.Describe()));
    }
  }
}

// ---- unseen-category ----------------------------------------------------------------------------

void TransformUnseenCategory(CheckContext& context) {
  NeedAcceptance(context, CF_ACCEPTS_CATEGORICAL, "CF_ACCEPTS_CATEGORICAL", kHostRefuses);
  for (const TransformCase& c : MakeTransformCases(context)) {
    if (c.shape.n_categorical == 0) continue;
    // Level 3, the last one, occurs nowhere; level 0 is the first.
    const DataPtr without_first = WithLevel(*c.data, 0, 1), with_last = WithLevel(*c.data, 1, 3);
    for (const auto& [train, rows, level] :
         {std::tuple{c.data, with_last, "never"}, std::tuple{without_first, c.data, "a"}}) {
      context.FailIf(
          c.Where() + ", for rows with the level '" + level + "', which no training row has, ",
          ProblemOf(c, AllRows(train), AllRows(rows), c.shape.missing > 0));
    }
  }
}

// ---- extreme-values -----------------------------------------------------------------------------

void TransformExtremeValues(CheckContext& context) {
  NeedAcceptance(context, CF_ACCEPTS_NUMERIC, "CF_ACCEPTS_NUMERIC", kHostRefuses);
  constexpr double kDenormal = std::numeric_limits<double>::denorm_min();
  constexpr double kLargest = std::numeric_limits<double>::max();  // any divisor below 1 is felt
  const std::vector<std::pair<std::string, std::vector<double>>> extremes = {
      {"1e300 and -1e300", {1e300, -1e300, 9e299}},
      {"1e-300", {1e-300, 3e-300, -2e-300}},
      {"denormal numbers", {kDenormal, 5 * kDenormal, 0}},
      {"0 and -0", {0.0, -0.0}},
      {"the largest number and 1e-308 side by side", {kLargest, 1e-308, 1, -kLargest}}};
  for (const TransformCase& c : MakeTransformCases(context)) {
    if (c.shape.n_numeric == 0) continue;
    for (const auto& [what, some] : extremes) {
      const DataPtr data = WithFeatures(*c.data, [&, &entries = some](Column& column) {
        if (column.name != "n0") return false;
        std::vector<double> changed(static_cast<std::size_t>(column.n_rows));
        for (std::size_t i = 0; i < changed.size(); ++i) {
          changed[i] = entries[i * 7 % 5 % entries.size()];
        }
        column = WithEntries(column, changed);
        return true;
      });
      for (const DataPtr& train : {data, c.data}) {
        if (context.FailIf(c.Where() + " with " + what + " in a column" +
                               (train == data ? " " : " of the transformed rows only "),
                           ProblemOf(c, AllRows(train), AllRows(data), c.shape.missing > 0))) {
          break;
        }
      }
    }
  }
}

// Checks of transforms that choose training rows, or make new ones.

// The output of a call. The first problem is kept as text, as nothing may throw through the plugin.
struct Resampled {
  RowIds positions;
  std::vector<double> weights;
  int n_emissions = 0;
  std::int64_t n_rows = 0;  // of the training rows
  std::string problem;
  Reply reply;

  bool ok() const { return reply.ok() && problem.empty(); }
  cf_status Take(const std::int64_t* first, std::int64_t n, const double* weigh) {
    if (++n_emissions > 1) problem = "it emits rows twice";
    if (n < 1 || first == nullptr) problem = "it emits " + std::to_string(n) + " rows";
    for (std::int64_t i = 0; i < n && problem.empty(); ++i) {
      if (first[i] < 0 || first[i] >= n_rows) {
        problem = "it emits position " + std::to_string(first[i]) + " of " +
                  std::to_string(n_rows) + " training rows";
      } else if (weigh != nullptr && !(std::isfinite(weigh[i]) && weigh[i] >= 0)) {
        problem = "it emits the weight " + FormatShortest(weigh[i]);
      }
    }
    if (!problem.empty()) return CF_E_INVALID_ARGUMENT;
    positions.assign(first, first + n);
    if (weigh != nullptr) weights.assign(weigh, weigh + n);
    return CF_OK;
  }
};

cf_status CF_CALL EmitRows(const cf_row_sink* sink, const std::int64_t* positions, std::int64_t n,
                           const double* weights) {
  return static_cast<Resampled*>(sink->sink_data)->Take(positions, n, weights);
}

Resampled Resample(const Spec& spec, const cf_table& train, std::uint64_t seed = 1) {
  const auto* table = spec.component().capability<cf_cap_resample>(CF_CAP_RESAMPLE);
  Resampled resampled;
  resampled.n_rows = train.n_rows;
  const cf_row_sink sink{sizeof(cf_row_sink), 0, &resampled, &EmitRows};
  resampled.reply = ProbeCall(spec, {.seed = seed}, [&](const cf_call* call) {
    return table->resample(call, spec.args().data(), spec.args().size(), &train, &sink);
  });
  if (resampled.reply.ok() && resampled.n_emissions == 0) {
    resampled.problem = "it reports success but emits no rows";
  }
  return resampled;
}

std::string ResamplingDifference(const Resampled& got, const Resampled& expected) {
  if (!got.reply.ok()) return "it ended with " + got.reply.Describe();
  if (got.positions != expected.positions) return "it emits other rows";
  return got.weights == expected.weights ? "" : "it emits other weights";
}

// Where classes are of unequal size: most rows of class 0, none in order, ids above their number.
RowIds UnequalRows(const TransformCase& c) {
  RowIds rows;
  for (std::int64_t i = c.n_rows() - 1; i >= 10; --i) {
    const bool is_kept = c.data->num_classes() == 0 ||
                         c.data->labels()[static_cast<std::size_t>(i)] == 0 || i % 4 != 0;
    if (is_kept) rows.push_back(i);
  }
  return rows;
}

// ---- cap-resample -------------------------------------------------------------------------------

void LookAtSeeds(CheckContext& context, const TransformCase& c, const cf_table& train,
                 const Resampled& first) {
  const bool is_unseeded = (context.component().determinism & CF_DET_UNSEEDED) != 0;
  bool differs = false;
  for (std::uint64_t seed = 2; seed <= 5; ++seed) {
    differs = differs || !ResamplingDifference(Resample(*c.spec, train, seed), first).empty();
  }
  if (differs && is_unseeded) {
    context.Fail(c.Where() + " it declares CF_DET_UNSEEDED, but the seed matters");
  }
  if (!differs && first.reply.n_random > 0) {
    context.Warn(c.Where() + " it draws numbers, but five seeds give the same rows");
  }
}

void LookAtResampling(CheckContext& context, const TransformCase& c) {
  const RowIds rows = UnequalRows(c);
  const RowTable view = RowTable::ForTraining(*c.data, &rows);
  const Resampled first = Resample(*c.spec, view.get());
  if (context.FailIf(c.Where() + " ", first.problem)) return;
  if (!first.reply.ok()) {
    context.FailIf(c.Where() + " ", FindImproperRefusal(first.reply));
    return;
  }
  ReseedLibrary(77);  // whoever draws from the C library gets other numbers now
  context.FailIf(c.Where() + ", again with the same seed, ",
                 ResamplingDifference(Resample(*c.spec, view.get()), first));
  const RowIds positions = RowRange(0, view.get().n_rows);
  TableCopy copy(view.get(), {.positions = &positions});
  copy.MakeReadOnly();
  context.FailIf(c.Where() + ", of copied rows instead of a view, ",
                 ResamplingDifference(Resample(*c.spec, copy.get()), first));
  LookAtSeeds(context, c, view.get(), first);
}

void LookAtFewRows(CheckContext& context, const TransformCase& c) {
  for (const auto& [what, rows] : {std::pair{"one row", RowIds{3}}, {"equal rows", RowIds(5, 3)}}) {
    const Resampled resampled = Resample(*c.spec, RowTable::ForTraining(*c.data, &rows).get());
    std::string problem = resampled.problem;
    if (problem.empty() && !resampled.reply.ok()) problem = FindImproperRefusal(resampled.reply);
    context.FailIf(c.Where() + ", of " + what + ", ", problem);
  }
}

void CapResample(CheckContext& context) {
  context.NeedsCapability<cf_cap_resample>(CF_CAP_RESAMPLE);
  for (const TransformCase& c : MakeTransformCases(context)) {
    LookAtResampling(context, c);
    LookAtFewRows(context, c);
  }
}

// ---- cap-synthesize -----------------------------------------------------------------------------

// Made features, by the law of crossfold.synthesize/1.
Applied Synthesize(const Spec& spec, const cf_table& train, const RowIds& positions) {
  const auto* table = spec.component().capability<cf_cap_synthesize>(CF_CAP_SYNTHESIZE);
  RowIds rows;
  for (const std::int64_t i : positions) rows.push_back(train.rows == nullptr ? i : train.rows[i]);
  cf_table resampled = train;
  resampled.rows = rows.data();
  resampled.n_rows = static_cast<std::int64_t>(rows.size());
  OwnedTable made(resampled);
  Applied applied;
  applied.reply = ProbeCall(spec, {}, [&](const cf_call* call) {
    return table->synthesize(call, spec.args().data(), spec.args().size(), &train, positions.data(),
                             static_cast<std::int64_t>(positions.size()), made.sink());
  });
  made.Finish();
  applied.problem = made.problem();
  CopyColumns(made.columns(), made.num_rows(), applied);
  return applied;
}

void LookAtSynthesis(CheckContext& context, const TransformCase& c) {
  const RowIds rows = UnequalRows(c);
  const RowTable view = RowTable::ForTraining(*c.data, &rows);
  const Resampled resampled = Resample(*c.spec, view.get());
  if (!resampled.ok()) return;  // the subject of cap-resample
  const Applied made = Synthesize(*c.spec, view.get(), resampled.positions);
  const std::string problem = FindUnusable(made, c.shape.missing > 0);
  if (!made.reply.ok() || !problem.empty()) {
    return context.Fail(c.Where() + " synthesize " +
                        (made.reply.ok() ? "made what is unusable: " + problem
                                         : "ended with " + made.reply.Describe()));
  }
  Applied given;
  CopyColumns({view.get().features, static_cast<std::size_t>(view.get().n_features)}, 0, given);
  if (context.FailIf(
          c.Where() + ", of the columns that it made and not of those of the training rows, ",
          Difference(Declarations(made), given))) {
    return;
  }
  context.FailIf(c.Where() + ", again with the same seed, ",
                 Difference(Synthesize(*c.spec, view.get(), resampled.positions), made));
}

void CapSynthesize(CheckContext& context) {
  context.NeedsCapability<cf_cap_synthesize>(CF_CAP_SYNTHESIZE);
  if (!context.component().changes_rows()) {
    return context.Fail("it offers " CF_CAP_SYNTHESIZE " without " CF_CAP_RESAMPLE);
  }
  for (const TransformCase& c : MakeTransformCases(context)) LookAtSynthesis(context, c);
}

constexpr Check kTransformChecks[] = {
    {"transform-smoke", kTransform, 2, false, "descriptor-complete",
     "declared kinds of data become usable columns", &TransformSmoke},
    {"fit-idempotent", kTransform, 3, false, "transform-smoke",
     "the same seed and data give the same columns, also in another process",
     &TransformFitIdempotent},
    {"seed-used", kTransform, 4, false, "fit-idempotent",
     "the seed matters if and only if random numbers are drawn", &TransformSeedUsed},
    {"interleaved-instances", kTransform, 4, false, "fit-idempotent",
     "models that exist at the same time do not change each other", &TransformInterleavedInstances},
    {"same-columns", kTransform, 3, false, "fit-idempotent",
     "the columns are the same for any rows", &SameColumns},
    {"no-leak", kTransform, 3, false, "fit-idempotent",
     "only training rows are learned from, and only by fit", &NoLeak},
    {"predict-subset", kTransform, 3, false, "same-columns",
     "how a row is transformed does not depend on the other rows of the call",
     &TransformPredictSubset},
    {"feature-count", kTransform, 4, false, "fit-idempotent",
     "a different number of columns than in training is noticed", &FeatureCount},
    {"input-untouched", kTransform, 3, false, "transform-smoke",
     "fit and apply write nothing into the tables that they get", &TransformInputUntouched},
    {"view-equals-copy", kTransform, 3, false, "fit-idempotent",
     "rows by index, with repeats and shifted bitmaps, are as good as copied rows",
     &TransformViewEqualsCopy},
    {"row-order", kTransform, 3, false, "fit-idempotent",
     "the order of the training rows does not matter, if that is declared", &TransformRowOrder},
    {"weights", kTransform, 3, false, "fit-idempotent",
     "weight 0 leaves a row out, weight 2 counts it twice, and weights of 1 change nothing",
     &TransformWeights},
    {"dtypes", kTransform, 3, false, "fit-idempotent",
     "numbers of every type are read as the same numbers", &TransformDtypes},
    {"missing", kTransform, 3, false, "fit-idempotent",
     "NaN, a null bit and code -1 are the same, and give usable columns", &TransformMissing},
    {"degenerate", kTransform, 3, false, "transform-smoke",
     "very little data gives usable columns or a proper error", &TransformDegenerate},
    {"one-class", kTransform, 3, false, "transform-smoke",
     "training rows of one class give usable columns or a proper error", &TransformOneClass},
    {"zero-rows", kTransform, 3, false, "transform-smoke", "no rows can be transformed",
     &TransformZeroRows},
    {"unseen-category", kTransform, 3, false, "transform-smoke",
     "a level that the training rows lack gives usable columns or a proper error",
     &TransformUnseenCategory},
    {"extreme-values", kTransform, 5, true, "transform-smoke",
     "huge and tiny numbers give usable columns or a proper error", &TransformExtremeValues},
    {"cap-resample", kTransform, 3, false, "transform-smoke",
     "crossfold.resample/1 emits training rows once, by the seed alone", &CapResample},
    {"cap-synthesize", kTransform, 3, false, "transform-smoke",
     "crossfold.synthesize/1 makes the columns of the training rows, by the seed alone",
     &CapSynthesize},
};

}  // namespace

std::span<const Check> TransformChecks() { return kTransformChecks; }

}  // namespace crossfold::check
