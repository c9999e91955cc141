// Checks of the columns that a transform makes: the same for any rows, from training rows only.
#include <algorithm>
#include <cmath>
#include <string>
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

// ---- same-columns -------------------------------------------------------------------------------

// Rows that differ from the training rows in what a careless transform could use.
std::vector<std::pair<std::string, DataView>> OtherRows(const TransformCase& c,
                                                        bool accepts_missing) {
  const DataPtr constant = WithFeatures(*c.data, [](Column& column) {
    column = WithEntries(column, std::vector<double>(static_cast<std::size_t>(column.n_rows), 1));
    return true;
  });
  const DataPtr unseen = WithFeatures(*c.data, [](Column& column) {
    const bool is_category = column.dtype == CF_CAT32;
    const double entry = is_category ? static_cast<double>(column.levels.size()) - 1 : 1e6;
    column =
        WithEntries(column, std::vector<double>(static_cast<std::size_t>(column.n_rows), entry));
    return true;
  });
  std::vector<std::pair<std::string, DataView>> others = {
      {"no rows", RowsOf(c.data, {})},
      {"one row", RowsOf(c.data, {7})},
      {"equal rows", AllRows(constant)},
      {"rows of large numbers and of levels that no training row has", AllRows(unseen)}};
  if (!accepts_missing) return others;
  const DataPtr missing = WithFeatures(*c.data, [](Column& column) {
    column = WithEntries(
        column, std::vector<double>(static_cast<std::size_t>(column.n_rows), std::nan("")));
    return true;
  });
  others.emplace_back("rows of which every entry is missing", AllRows(missing));
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
      const std::string difference = Difference(Declarations(applied), Declarations(c.expected));
      if (difference.empty()) continue;
      context.Fail("on a " + c.name() + ", applied to " + what + " instead of the training rows, " +
                   difference);
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
  const std::string difference = Difference(applied, expected);
  if (difference.empty()) return;
  context.Fail("on a " + c.name() +
               ", after changing rows that are neither trained on nor transformed, " + difference);
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
  const std::string difference = Difference(Apply(*c.spec, made.model.get(), rows), before);
  if (!difference.empty()) {
    context.Fail("on a " + c.name() + ", applied to the training rows again after other rows, " +
                 difference);
  } else if (can_save && Save(*c.spec, made.model.get()).bytes != saved) {
    context.Fail("on a " + c.name() + ", after it was applied, the model saves other bytes");
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
      const std::string difference = Difference(alone, Chosen(c.expected, {i}), kTolerance);
      if (difference.empty()) continue;
      context.Fail("on a " + c.name() + ", after row " + std::to_string(i) +
                   " was transformed alone and not among all, " + difference);
      break;
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
      const std::string what = "on a " + c.name() + ", applied to " + std::to_string(n) +
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

constexpr Check kTransformColumnChecks[] = {
    {"same-columns", CheckScope::kTransform, 3, false, "fit-idempotent",
     "the columns are the same for any rows", &SameColumns},
    {"no-leak", CheckScope::kTransform, 3, false, "fit-idempotent",
     "only training rows are learned from, and only by fit", &NoLeak},
    {"predict-subset", CheckScope::kTransform, 3, false, "same-columns",
     "how a row is transformed does not depend on the other rows of the call",
     &TransformPredictSubset},
    {"feature-count", CheckScope::kTransform, 4, false, "fit-idempotent",
     "a different number of columns than in training is noticed", &FeatureCount},
};

}  // namespace

std::span<const Check> TransformColumnChecks() { return kTransformColumnChecks; }

}  // namespace crossfold::check
