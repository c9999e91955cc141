// Checks of the columns that a transform gets: their types, what is missing or unusual in them.
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/data_variants.h"
#include "check/learner_cases.h"
#include "check/table_copy.h"
#include "check/transform_cases.h"

namespace crossfold::check {
namespace {

void NeedAcceptance(CheckContext& context, std::uint32_t flag, const std::string& name) {
  if ((context.component().transform->accepts & flag) != 0) return;
  context.Skip("it does not declare " + name + ": the host refuses such data");
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
  NeedAcceptance(context, CF_ACCEPTS_NUMERIC, "CF_ACCEPTS_NUMERIC");
  for (const TransformCase& c : MakeTransformCases(context)) {
    for (const auto& [dtype, name] : {std::pair{CF_F32, "float32"}, std::pair{CF_I32, "int32"},
                                      std::pair{CF_I64, "int64"}, std::pair{CF_BOOL8, "bool"}}) {
      const int most = dtype == CF_BOOL8 ? 1 : 5;
      const std::string difference =
          Difference(TransformType(c, dtype, most), TransformType(c, CF_F64, most));
      if (difference.empty()) continue;
      context.Fail("on a " + c.name() + ", with the same numbers in columns of type " + name +
                   " instead of float64 " + difference);
    }
  }
}

// ---- missing ------------------------------------------------------------------------------------

DataPtr AllMissing(const Dataset& data, bool only_first) {
  bool is_done = false;
  return WithFeatures(data, [&](Column& column) {
    if (is_done && only_first) return false;
    is_done = true;
    const auto n = static_cast<std::size_t>(column.n_rows);
    column = WithEntries(column, std::vector<double>(n, std::nan("")));
    return true;
  });
}

void TransformMissing(CheckContext& context) {
  NeedAcceptance(context, CF_ACCEPTS_MISSING, "CF_ACCEPTS_MISSING");
  for (const TransformCase& usual : MakeTransformCases(context)) {
    DataShape shape = usual.shape;
    shape.missing = 0.2;
    const TransformCase c = MakeTransformCase(context, shape);
    const std::string problem = FindProblem(c.expected, true);
    if (!problem.empty()) {
      context.Fail("on a " + c.name() + " " + problem);
      continue;
    }
    const CopyOptions hidden{nullptr, 0, true};
    TableCopy train(c.train.get(), hidden), rows(c.rows.get(), hidden);
    const std::string difference = Difference(c.Run(train.get(), rows.get()), c.expected);
    if (!difference.empty()) {
      context.Fail("on a " + c.name() +
                   ", with missing entries marked by the bitmap instead of NaN and code -1 " +
                   difference);
    }
    for (const bool only_first : {true, false}) {
      const DataPtr empty = AllMissing(*c.data, only_first);
      const std::string found = ProblemOf(c, AllRows(empty), AllRows(c.data), true);
      if (found.empty()) continue;
      context.Fail("on a " + c.name() + ", after a fit on rows without any entry in " +
                   (only_first ? "one column " : "all columns ") + found);
    }
  }
}

// ---- degenerate, one-class, zero-rows -----------------------------------------------------------

void TransformDegenerate(CheckContext& context) {
  for (const TransformCase& c : MakeTransformCases(context)) {
    const bool has_missing = c.shape.missing > 0;
    const DataPtr constant = WithFeatures(*c.data, [](Column& column) {
      const auto n = static_cast<std::size_t>(column.n_rows);
      column = WithEntries(column, std::vector<double>(n, 1));
      return true;
    });
    DataShape wide_shape = c.shape;
    wide_shape.n_rows = 6;
    (wide_shape.n_numeric > 0 ? wide_shape.n_numeric : wide_shape.n_categorical) = 15;
    const DataView all = AllRows(c.data), wide = AllRows(MakeData(wide_shape, context.SeedOf("w")));
    for (const auto& [what, train, rows] :
         {std::tuple{"one row", RowsOf(c.data, {0}), all},
          std::tuple{"two rows", RowsOf(c.data, {0, 1}), all},
          std::tuple{"40 times the same row", RowsOf(c.data, RowIds(40, 1)), all},
          std::tuple{"constant features", AllRows(constant), all},
          std::tuple{"6 rows of 15 features", wide, wide}}) {
      const std::string problem = ProblemOf(c, train, rows, has_missing);
      if (problem.empty()) continue;
      context.Fail("on a " + c.name() + ", after a fit on " + what + ", " + problem);
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
      const std::string problem =
          ProblemOf(c, RowsOf(c.data, rows), AllRows(c.data), c.shape.missing > 0);
      if (problem.empty()) continue;
      context.Fail("on a " + c.name() + ", after a fit on rows of class " + std::to_string(kept) +
                   " only, " + problem);
    }
  }
  if (!has_looked) context.Skip("it declares no classification");
}

void TransformZeroRows(CheckContext& context) {
  for (const TransformCase& c : MakeTransformCases(context)) {
    const Applied none = FitApply(*c.spec, AllRows(c.data), RowsOf(c.data, {}));
    if (!none.reply.ok() || !none.problem.empty()) {
      context.Fail("on a " + c.name() + " transforming no rows ended with " +
                   (none.reply.ok() ? none.problem : none.reply.Describe()));
    }
  }
}

// ---- unseen-category ----------------------------------------------------------------------------

void TransformUnseenCategory(CheckContext& context) {
  NeedAcceptance(context, CF_ACCEPTS_CATEGORICAL, "CF_ACCEPTS_CATEGORICAL");
  for (const TransformCase& c : MakeTransformCases(context)) {
    if (c.shape.n_categorical == 0) continue;
    // Level 3, the last one, occurs nowhere; level 0 is the first.
    const DataPtr without_first = WithLevel(*c.data, 0, 1), with_last = WithLevel(*c.data, 1, 3);
    for (const auto& [train, rows, level] :
         {std::tuple{c.data, with_last, "never"}, std::tuple{without_first, c.data, "a"}}) {
      const std::string problem = ProblemOf(c, AllRows(train), AllRows(rows), c.shape.missing > 0);
      if (problem.empty()) continue;
      context.Fail("on a " + c.name() + ", for rows with the level '" + level +
                   "', which no training row has, " + problem);
    }
  }
}

// ---- extreme-values -----------------------------------------------------------------------------

void TransformExtremeValues(CheckContext& context) {
  NeedAcceptance(context, CF_ACCEPTS_NUMERIC, "CF_ACCEPTS_NUMERIC");
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
        const std::string problem =
            ProblemOf(c, AllRows(train), AllRows(data), c.shape.missing > 0);
        if (problem.empty()) continue;
        context.Fail("on a " + c.name() + " with " + what + " in a column" +
                     (train == data ? " " : " of the transformed rows only ") + problem);
        break;
      }
    }
  }
}

constexpr Check kTransformDataChecks[] = {
    {"dtypes", CheckScope::kTransform, 3, false, "fit-idempotent",
     "numbers of every type are read as the same numbers", &TransformDtypes},
    {"missing", CheckScope::kTransform, 3, false, "fit-idempotent",
     "NaN, a null bit and code -1 are the same, and give usable columns", &TransformMissing},
    {"degenerate", CheckScope::kTransform, 3, false, "transform-smoke",
     "very little data gives usable columns or a proper error", &TransformDegenerate},
    {"one-class", CheckScope::kTransform, 3, false, "transform-smoke",
     "training rows of one class give usable columns or a proper error", &TransformOneClass},
    {"zero-rows", CheckScope::kTransform, 3, false, "transform-smoke", "no rows can be transformed",
     &TransformZeroRows},
    {"unseen-category", CheckScope::kTransform, 3, false, "transform-smoke",
     "a level that the training rows lack gives usable columns or a proper error",
     &TransformUnseenCategory},
    {"extreme-values", CheckScope::kTransform, 5, true, "transform-smoke",
     "huge and tiny numbers give usable columns or a proper error", &TransformExtremeValues},
};

}  // namespace

std::span<const Check> TransformDataChecks() { return kTransformDataChecks; }

}  // namespace crossfold::check
