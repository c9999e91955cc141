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
#include "analysis/facts/column_changes.h"
#include "analysis/facts/equal_rows.h"
#include "analysis/facts/near_rows.h"
#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"
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

bool Flag(lua_State* L, int index, const char* name) {
  lua_getfield(L, index, name);
  const bool flag = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return flag;
}

// native.change_rows(data, {row id, ...}, seed, { features =, target =, beyond = })
int ChangeSome(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  const auto* rows = ReadRowIds(L, 2, view.data->num_rows());
  RowChange change;
  change.seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 3));
  luaL_checktype(L, 4, LUA_TTABLE);
  change.features = Flag(L, 4, "features");
  change.target = Flag(L, 4, "target");
  change.beyond = Flag(L, 4, "beyond");
  auto* handle = NewOwned<DataHandle>(L);
  Try(L, [&] {
    handle->view.data = ChangeRows(view.data, *rows, change);
    handle->view.rows = view.rows;
  });
  return 1;
}

// native.splits_over(splits, data): the same splits, of other data with the same number of rows.
int SplitsOver(lua_State* L) {
  const SplitPlan& plan = *CheckSplits(L, 1).plan;
  const DataView& other = CheckTrainingData(L, 2);
  auto* handle = NewOwned<SplitsHandle>(L);
  Try(L, [&] {
    DataView view = plan.view();
    if (view.data->num_rows() != other.data->num_rows()) {
      throw Error(ErrorKind::kInvalidArgument,
                  "cannot take over splits: the data has a different number of rows");
    }
    view.data = other.data;
    if (!plan.partitions().empty()) {
      handle->plan = SplitPlan::FromPartitions(view, plan.partitions());
      return;
    }
    std::vector<SplitRows> lists;
    for (std::int64_t s = 0; s < plan.size(); ++s) lists.push_back(plan.Rows(s));
    handle->plan = SplitPlan::FromRows(view.data, std::move(lists));
  });
  return 1;
}

// native.rows_of(data, like): the rows of `like`, of the dataset of `data`.
int RowsOf(lua_State* L) {
  const DataHandle& data = CheckData(L, 1);
  const DataHandle& like = CheckData(L, 2);
  luaL_argcheck(L, data.view.data->num_rows() == like.view.data->num_rows(), 2,
                "the datasets must have the same number of rows");
  auto* handle = NewOwned<DataHandle>(L);
  handle->view.data = data.view.data;
  handle->view.rows = like.view.rows;
  handle->target_hidden = like.target_hidden;
  return 1;
}

// native.same_dataset(a, b): whether both show rows of one dataset, or of two with equal content.
int AreSame(lua_State* L) {
  const Dataset& a = *CheckData(L, 1).view.data;
  const Dataset& b = *CheckData(L, 2).view.data;
  bool same = &a == &b;
  Try(L, [&] {
    same = same || (a.num_rows() == b.num_rows() && a.columns().size() == b.columns().size() &&
                    a.content_hash() == b.content_hash());
  });
  lua_pushboolean(L, same);
  return 1;
}

// native.equal_rows(data): for each row the position of the first row with the same features.
int EqualRows(lua_State* L) {
  const DataView& view = CheckData(L, 1).view;
  auto* first = NewOwned<std::vector<std::int64_t>>(L);
  Try(L, [&] {
    *first = FirstEqualRows(view);
    for (std::int64_t& position : *first) ++position;
  });
  PushIntegers(L, *first);
  return 1;
}

// native.near_rows(rows, among): a list of { row = id, distance =, second =, third = }; a missing
// row or distance is left out.
int NearRowsOf(lua_State* L) {
  const DataView& rows = CheckData(L, 1).view;
  const DataView& among = CheckData(L, 2).view;
  luaL_argcheck(L, rows.data == among.data, 2, "rows of the same dataset are expected");
  auto* near = NewOwned<std::vector<NearRows>>(L);
  const CancelToken* cancel = GetSession(L).cancel();
  Try(L, [&] { *near = FindNearRows(rows, among, cancel); });
  lua_createtable(L, static_cast<int>(near->size()), 0);
  for (std::size_t i = 0; i < near->size(); ++i) {
    const NearRows& one = (*near)[i];
    lua_createtable(L, 0, 3);
    if (one.nearest >= 0) {
      lua_pushinteger(L, one.nearest + 1);
      lua_setfield(L, -2, "row");
      lua_pushnumber(L, one.distance);
      lua_setfield(L, -2, "distance");
    }
    if (std::isfinite(one.third)) {
      lua_pushnumber(L, one.second);
      lua_setfield(L, -2, "second");
      lua_pushnumber(L, one.third);
      lua_setfield(L, -2, "third");
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  return 1;
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
  lua_createtable(L, static_cast<int>(changes->size()), 0);
  for (std::size_t i = 0; i < changes->size(); ++i) {
    const ColumnChange& change = (*changes)[i];
    lua_createtable(L, 0, 4);
    SetText(L, "column", change.column);
    lua_pushstring(L, kFates[static_cast<int>(change.fate)]);
    lua_setfield(L, -2, "fate");
    if (change.fate == ColumnFate::kChanged) {
      lua_pushinteger(L, change.count);
      lua_setfield(L, -2, "count");
      lua_pushinteger(L, change.first_row + 1);
      lua_setfield(L, -2, "row");
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
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
  lua_createtable(L, 0, 4);
  lua_pushinteger(L, difference.rows);
  lua_setfield(L, -2, "rows");
  lua_pushinteger(L, difference.differ);
  lua_setfield(L, -2, "differ");
  if (difference.first >= 0) {
    lua_pushinteger(L, difference.first + 1);
    lua_setfield(L, -2, "first");
  }
  lua_pushnumber(L, difference.largest);
  lua_setfield(L, -2, "largest");
  return 1;
}

// native.pipeline_steps(learner): its transforms and, last, its learner, as specs.
int PipelineSteps(lua_State* L) {
  const auto steps = CheckPipeline(L, 1).pipeline->steps();
  lua_createtable(L, static_cast<int>(steps.size()), 0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    NewOwned<SpecHandle>(L)->spec = steps[i];
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  return 1;
}

}  // namespace

void OpenAudits(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"change_rows", ChangeSome},
                                            {"splits_over", SplitsOver},
                                            {"rows_of", RowsOf},
                                            {"same_dataset", AreSame},
                                            {"equal_rows", EqualRows},
                                            {"near_rows", NearRowsOf},
                                            {"column_changes", ColumnChangesOf},
                                            {"compare_predictions", ComparePredictions},
                                            {"pipeline_steps", PipelineSteps},
                                            {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
