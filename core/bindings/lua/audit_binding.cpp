// What cf.audit needs of the data and of predictions: changed rows, the same splits of other data,
// equal and near rows, differences.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/facts/changed_rows.h"
#include "analysis/facts/equal_rows.h"
#include "analysis/facts/near_rows.h"
#include "bindings/lua/native.h"
#include "crossfold/split.h"

namespace crossfold::lua {
namespace {

// The list of row ids (from 1) at `index`, as ids from 0 of a dataset with `n` rows.
std::vector<std::int64_t>* ReadRowIds(lua_State* L, int index, std::int64_t n) {
  luaL_checktype(L, index, LUA_TTABLE);
  auto* rows = NewOwned<std::vector<std::int64_t>>(L);
  ReadIntegers(L, index, "the rows", *rows);
  for (std::int64_t& row : *rows) {
    luaL_argcheck(L, row >= 1 && row <= n, index, "there is no such row");
    --row;
  }
  return rows;
}

// native.change_rows(data, {row id, ...}, seed, { features =, target =, beyond = })
int ChangeSome(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  const auto* rows = ReadRowIds(L, 2, view.data->num_rows());
  RowChange change;
  change.seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 3));
  luaL_checktype(L, 4, LUA_TTABLE);
  change.features = FlagField(L, 4, "features");
  change.target = FlagField(L, 4, "target");
  change.beyond = FlagField(L, 4, "beyond");
  return RunAndPush(L, [&] {
    return DataHandle{{ChangeRows(view.data, *rows, change), view.rows}};
  });
}

// native.splits_over(splits, data): the same splits, of other data with the same number of rows.
SplitsHandle SplitsOver(const SplitsHandle& splits, const DataView& other) {
  const SplitPlan& plan = *splits.plan;
  DataView view = plan.view();
  if (view.data->num_rows() != other.data->num_rows()) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot take over splits: the data has a different number of rows");
  }
  view.data = other.data;
  if (!plan.partitions().empty()) return {SplitPlan::FromPartitions(view, plan.partitions())};
  std::vector<SplitRows> lists;
  for (std::int64_t s = 0; s < plan.size(); ++s) lists.push_back(plan.Rows(s));
  return {SplitPlan::FromRows(view.data, std::move(lists))};
}

// native.rows_of(data, like): the rows of `like`, of the dataset of `data`.
DataHandle RowsOf(const DataHandle& data, const DataHandle& like) {
  RequireArgument(data.view.data->num_rows() == like.view.data->num_rows(), 2,
                  "the datasets must have the same number of rows");
  return {{data.view.data, like.view.rows}, like.target_hidden};
}

// native.same_dataset(a, b): whether both show rows of one dataset, or of two with equal content.
bool AreSame(const DataHandle& first, const DataHandle& second) {
  const Dataset& a = *first.view.data;
  const Dataset& b = *second.view.data;
  return &a == &b || (a.num_rows() == b.num_rows() && a.columns().size() == b.columns().size() &&
                      a.content_hash() == b.content_hash());
}

// native.equal_rows(data): for each row the position of the first row with the same features.
std::vector<std::int64_t> EqualRows(const DataHandle& data) {
  std::vector<std::int64_t> first = FirstEqualRows(data.view);
  for (std::int64_t& position : first) ++position;
  return first;
}

// native.near_rows(rows, among): a list of { row = id, distance =, second =, third = }; a missing
// row or distance is left out.
std::vector<NearRows> NearRowsOf(const DataHandle& rows, const DataHandle& among,
                                 const Session& session) {
  RequireArgument(rows.view.data == among.view.data, 2, "rows of the same dataset are expected");
  return FindNearRows(rows.view, among.view, session.cancel());
}

void PushNearRows(lua_State* L, const std::vector<NearRows>& near) {
  PushList(L, near, [L](const NearRows& one) {
    lua_createtable(L, 0, 4);
    if (one.nearest >= 0) {
      SetFields(L, Field("row", one.nearest + 1), Field("distance", one.distance));
    }
    if (std::isfinite(one.third)) {
      SetFields(L, Field("second", one.second), Field("third", one.third));
    }
  });
}

// native.column_changes(before, after, {row id, ...}): a list of { column =, fate = "changed" |
// "gone" | "new", count =, row = }.
int ColumnChangesOf(lua_State* L) {
  static constexpr const char* kFates[] = {"changed", "gone", "new"};
  const Dataset& before = *CheckData(L, 1).view.data;
  const Dataset& after = *CheckData(L, 2).view.data;
  luaL_argcheck(L, before.num_rows() == after.num_rows(), 2, "the same number of rows is expected");
  const auto* rows = ReadRowIds(L, 3, before.num_rows());
  auto* changes = NewOwned<std::vector<ColumnChange>>(L);
  Try(L, [&] { *changes = FindColumnChanges(before, after, *rows); });
  PushList(L, *changes, [L](const ColumnChange& change) {
    PushTable(L, Field("column", change.column),
              Field("fate", kFates[static_cast<int>(change.fate)]));
    if (change.fate != ColumnFate::kChanged) return;
    SetFields(L, Field("count", change.count), Field("row", change.first_row + 1));
  });
  return 1;
}

// How the predictions for some rows differ.
struct Difference {
  std::int64_t rows = 0;    // compared
  std::int64_t differ = 0;  // of these, in any bit
  std::int64_t first = -1;  // the first of those, a row id
  double largest = 0;       // relative difference of numbers; infinite where a class differs
};

double RelativeDifference(double a, double b) {
  return std::abs(a - b) / std::max(1.0, std::max(std::abs(a), std::abs(b)));
}

// Of entry i of `a` and entry j of `b`: 0 = the same bits.
double DifferenceAt(const Prediction& a, std::size_t i, const Prediction& b, std::size_t j) {
  double largest = 0;
  if (!a.labels.empty() && a.labels[i] != b.labels[j]) return HUGE_VAL;
  if (!a.values.empty()) largest = RelativeDifference(a.values[i], b.values[j]);
  if (a.probabilities.empty()) return largest;
  const auto k = static_cast<std::size_t>(a.n_classes);
  for (std::size_t c = 0; c < k; ++c) {
    const double p = a.probabilities[i * k + c], q = b.probabilities[j * k + c];
    largest = std::max(largest, RelativeDifference(p, q));
  }
  return largest;
}

void Compare(const Prediction& a, const Prediction& b, const std::vector<std::int64_t>* some,
             Difference& difference) {
  if (a.labels.empty() != b.labels.empty() || a.values.empty() != b.values.empty() ||
      a.probabilities.empty() != b.probabilities.empty() || a.n_classes != b.n_classes) {
    difference = {static_cast<std::int64_t>(b.rows.size()),
                  static_cast<std::int64_t>(b.rows.size()), b.rows.empty() ? -1 : b.rows.front(),
                  HUGE_VAL};
    return;
  }
  const bool same_rows = a.rows == b.rows;  // then by place: a bootstrap sample repeats some
  std::unordered_map<std::int64_t, std::size_t> place;
  for (std::size_t i = 0; i < a.rows.size() && !same_rows; ++i) place.emplace(a.rows[i], i);
  std::unordered_set<std::int64_t> wanted;
  if (some != nullptr) wanted.insert(some->begin(), some->end());
  for (std::size_t j = 0; j < b.rows.size(); ++j) {
    if (some != nullptr && !wanted.contains(b.rows[j])) continue;
    const auto found = place.find(b.rows[j]);
    if (!same_rows && found == place.end()) continue;
    ++difference.rows;
    const double one = DifferenceAt(a, same_rows ? j : found->second, b, j);
    if (one == 0) continue;
    if (difference.differ++ == 0) difference.first = b.rows[j];
    difference.largest = std::max(difference.largest, one);
  }
}

// native.compare_predictions(a, b[, {row id, ...}]): how they differ on the rows that both have:
// { rows =, differ =, first = a row id, largest = relative difference, infinite for classes }.
int ComparePredictions(lua_State* L) {
  const Prediction& a = *CheckPrediction(L, 1).prediction;
  const Prediction& b = *CheckPrediction(L, 2).prediction;
  const auto* some = lua_isnoneornil(L, 3) ? nullptr : ReadRowIds(L, 3, INT64_MAX);
  Difference difference;
  Try(L, [&] { Compare(a, b, some, difference); });
  PushTable(L, Field("rows", difference.rows), Field("differ", difference.differ),
            Field("largest", difference.largest));
  if (difference.first >= 0) SetField(L, "first", difference.first + 1);
  return 1;
}

// native.pipeline_steps(learner): its transforms and, last, its learner, as specs.
int PipelineSteps(lua_State* L) {
  PushList(L, CheckPipeline(L, 1).pipeline->steps(),
           [L](const std::shared_ptr<const Spec>& step) { NewOwned<SpecHandle>(L)->spec = step; });
  return 1;
}

}  // namespace

void OpenAudits(lua_State* L) {
  AddFunctions(L, {{"change_rows", ChangeSome},
                   {"splits_over", Native<SplitsOver>},
                   {"rows_of", Native<RowsOf>},
                   {"same_dataset", Native<AreSame>},
                   {"equal_rows", Native<EqualRows>},
                   {"near_rows", Native<NearRowsOf, PushNearRows>},
                   {"column_changes", ColumnChangesOf},
                   {"compare_predictions", ComparePredictions},
                   {"pipeline_steps", PipelineSteps}});
}

}  // namespace crossfold::lua
