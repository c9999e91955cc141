// Splits: asked of a splitter plugin, or given by a script; drawing rows and seeds by path.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts/time_order.h"
#include "analysis/facts/torn_groups.h"
#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"
#include "crossfold/cell.h"
#include "crossfold/error.h"
#include "crossfold/seed.h"
#include "crossfold/split.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold::lua {
namespace {

// native.split(splitter, data, seed)
int Split(lua_State* L) {
  SpecHandle& splitter = CheckSpec(L, 1);
  luaL_argcheck(L, splitter.spec->component().splitter != nullptr, 1, "a splitter is expected");
  const DataView& view = CheckTrainingData(L, 2);
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 3));
  Session& session = GetSession(L);
  auto* handle = NewOwned<SplitsHandle>(L);
  Try(L, [&] {
    handle->plan =
        MakeSplits(*splitter.spec, view, seed, session.cancel(), session.plugins().log());
  });
  return 1;
}

// native.splits_from_partitions(data, {{fold of row 1, ...}, ...}): folds count from 1; 0 = never
// tested.
int FromPartitions(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* repeats = NewOwned<std::vector<Partition>>(L);
  auto* folds = NewOwned<std::vector<std::int64_t>>(L);
  const lua_Integer n = luaL_len(L, 2);
  for (lua_Integer r = 1; r <= n; ++r) {
    lua_geti(L, 2, r);
    ReadIntegers(L, -1, "a partition", *folds);
    lua_pop(L, 1);
    Try(L, [&] {
      Partition partition;
      for (const std::int64_t fold : *folds) {
        if (fold < 0 || fold > INT32_MAX) {
          throw Error(ErrorKind::kInvalidArgument, "cannot split: fold " + std::to_string(fold) +
                                                       " is out of range; folds count from 1, and "
                                                       "0 means never tested");
        }
        partition.fold_of_row.push_back(static_cast<std::int32_t>(fold - 1));
        partition.n_folds = std::max(partition.n_folds, static_cast<std::int32_t>(fold));
      }
      repeats->push_back(std::move(partition));
    });
  }
  auto* handle = NewOwned<SplitsHandle>(L);
  Try(L, [&] { handle->plan = SplitPlan::FromPartitions(view, std::move(*repeats)); });
  return 1;
}

// native.splits_from_lists(data, {{train = {...}, test = {...}}, ...}): 1-based positions.
int FromLists(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* splits = NewOwned<std::vector<SplitRows>>(L);
  const lua_Integer n = luaL_len(L, 2);
  for (lua_Integer i = 1; i <= n; ++i) {
    if (lua_geti(L, 2, i) != LUA_TTABLE) {
      Raise(L, lua_pushfstring(L, "cannot split: split %I is a %s, not { train = ..., test = ... }",
                               i, luaL_typename(L, -1)));
    }
    Try(L, [&] { splits->emplace_back(); });
    SplitRows& rows = splits->back();
    lua_getfield(L, -1, "train");
    ReadIntegers(L, -1, "the training rows", rows.train);
    lua_getfield(L, -2, "test");
    ReadIntegers(L, -1, "the test rows", rows.test);
    lua_pop(L, 3);
    // The minimum integer stays as it is, which is not a row either.
    for (std::int64_t& row : rows.train) row -= row != INT64_MIN;
    for (std::int64_t& row : rows.test) row -= row != INT64_MIN;
  }
  auto* handle = NewOwned<SplitsHandle>(L);
  Try(L, [&] { handle->plan = SplitPlan::FromLists(view, std::move(*splits)); });
  return 1;
}

// native.splits_test_only(data): see SplitPlan::TestOnly.
int TestOnly(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  auto* handle = NewOwned<SplitsHandle>(L);
  Try(L, [&] { handle->plan = SplitPlan::TestOnly(view); });
  return 1;
}

// native.refuse_torn_groups(splits, name, way_out)
int RefuseTorn(lua_State* L) {
  const SplitsHandle& splits = CheckSplits(L, 1);
  const char* name = luaL_checkstring(L, 2);
  const char* way_out = luaL_checkstring(L, 3);
  Try(L, [&] { RefuseTornGroups(*splits.plan, name, way_out); });
  return 0;
}

int NumSplits(lua_State* L) {
  lua_pushinteger(L, CheckSplits(L, 1).plan->size());
  return 1;
}

// Argument `arg` as a 0-based split of the plan at 1.
std::int64_t CheckSplit(lua_State* L, int arg) {
  const lua_Integer split = luaL_checkinteger(L, arg);
  luaL_argcheck(L, split >= 1 && split <= CheckSplits(L, 1).plan->size(), arg,
                "there is no such split");
  return split - 1;
}

// splits:place(i): repeat and fold, both from 1.
int Place(lua_State* L) {
  const std::int64_t split = CheckSplit(L, 2);
  const SplitPlan& plan = *CheckSplits(L, 1).plan;
  lua_pushinteger(L, plan.repeat_of(split) + 1);
  lua_pushinteger(L, plan.fold_of(split) + 1);
  return 2;
}

// splits:rows(i): row ids of training and test rows, from 1.
int Rows(lua_State* L) {
  const std::int64_t split = CheckSplit(L, 2);
  auto* rows = NewOwned<SplitRows>(L);
  Try(L, [&] { *rows = CheckSplits(L, 1).plan->Rows(split); });
  PushRowIds(L, rows->train);
  PushRowIds(L, rows->test);
  return 2;
}

// splits:train(i), splits:test(i): the rows as datasets.
int Part(lua_State* L, bool train) {
  const std::int64_t split = CheckSplit(L, 2);
  const SplitPlan& plan = *CheckSplits(L, 1).plan;
  auto* handle = NewOwned<DataHandle>(L);
  Try(L, [&] {
    SplitRows rows = plan.Rows(split);
    handle->view.data = plan.view().data;
    handle->view.rows = std::make_shared<const std::vector<std::int64_t>>(
        std::move(train ? rows.train : rows.test));
  });
  return 1;
}

int TrainPart(lua_State* L) { return Part(L, true); }
int TestPart(lua_State* L) { return Part(L, false); }

// splits:design(): { kind = "partition", repeats =, folds = of the first repeat } or { kind =
// "lists" }; and size = number of splits, rows = rows of the data.
int Design(lua_State* L) {
  const SplitPlan& plan = *CheckSplits(L, 1).plan;
  lua_createtable(L, 0, 5);
  lua_pushinteger(L, plan.size());
  lua_setfield(L, -2, "size");
  lua_pushinteger(L, plan.view().num_rows());
  lua_setfield(L, -2, "rows");
  lua_pushstring(L, plan.partitions().empty() ? "lists" : "partition");
  lua_setfield(L, -2, "kind");
  if (plan.partitions().empty()) return 1;
  lua_pushinteger(L, static_cast<lua_Integer>(plan.partitions().size()));
  lua_setfield(L, -2, "repeats");
  lua_pushinteger(L, plan.partitions().front().n_folds);
  lua_setfield(L, -2, "folds");
  return 1;
}

// splits:distinct_rows(i): how many different rows train and test; a bootstrap sample repeats some.
int DistinctRows(lua_State* L) {
  const std::int64_t split = CheckSplit(L, 2);
  auto* rows = NewOwned<SplitRows>(L);
  Try(L, [&] {
    *rows = CheckSplits(L, 1).plan->Rows(split);
    std::sort(rows->train.begin(), rows->train.end());
    rows->train.erase(std::unique(rows->train.begin(), rows->train.end()), rows->train.end());
  });
  lua_pushinteger(L, static_cast<lua_Integer>(rows->train.size()));
  lua_pushinteger(L, static_cast<lua_Integer>(rows->test.size()));
  return 2;
}

// splits:same(other): whether both have the same rows in every split of the same data.
int SameSplits(lua_State* L) {
  const auto& a = CheckSplits(L, 1);
  const auto& b = CheckSplits(L, 2);
  bool same = false;
  const CancelToken* cancel = GetSession(L).cancel();
  Try(L, [&] { same = HaveSameSplits(*a.plan, *b.plan, cancel); });
  lua_pushboolean(L, same);
  return 1;
}

// splits:notes(): what the splitter said that a reader of the scores should know.
int Notes(lua_State* L) {
  PushTexts(L, CheckSplits(L, 1).plan->notes());
  return 1;
}

// splits:trains(): whether every split has training rows.
int Trains(lua_State* L) {
  lua_pushboolean(L, CheckSplits(L, 1).plan->min_train_rows() > 0);
  return 1;
}

// native.require_training_rows(splits)
int RequireTraining(lua_State* L) {
  const SplitsHandle& splits = CheckSplits(L, 1);
  Try(L, [&] { RequireTrainingRows(*splits.plan); });
  return 0;
}

// splits:data_hash(): data:hash() of what is split.
int DataHash(lua_State* L) {
  const SplitPlan& plan = *CheckSplits(L, 1).plan;
  auto* hash = NewOwned<std::string>(L);
  Try(L, [&] { *hash = plan.view().content_hash(); });
  PushText(L, *hash);
  return 1;
}

// splits:mixes_past_and_future(): see analysis/facts/time_order.h.
int Mixes(lua_State* L) {
  bool mixes = false;
  const CancelToken* cancel = GetSession(L).cancel();
  Try(L, [&] { mixes = MixesPastAndFuture(*CheckSplits(L, 1).plan, cancel); });
  lua_pushboolean(L, mixes);
  return 1;
}

int SplitsToString(lua_State* L) {
  const SplitPlan& plan = *CheckSplits(L, 1).plan;
  auto* name = NewOwned<std::string>(L);
  Try(L, [&] { *name = Printable(plan.view().data->name(), true); });
  lua_pushfstring(L, "%d splits of '%s'", static_cast<int>(plan.size()), name->c_str());
  return 1;
}

// native.seed(seed, step, ...): SeedOfSteps (seed.h); steps are strings or integers.
int Seed(lua_State* L) {
  auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 1));
  const int n = lua_gettop(L);
  for (int i = 2; i <= n; ++i) {
    std::size_t size = 0;
    if (lua_type(L, i) == LUA_TNUMBER) {
      const lua_Integer number = luaL_checkinteger(L, i);
      Try(L, [&] { seed = SeedOfSteps(seed, {static_cast<std::int64_t>(number)}); });
    } else {
      const char* text = luaL_checklstring(L, i, &size);
      Try(L, [&] { seed = SeedOfSteps(seed, {std::string_view(text, size)}); });
    }
  }
  lua_pushinteger(L, static_cast<lua_Integer>(seed));
  return 1;
}

// native.draw(n, count, replace, seed): `count` of the positions 1 .. n, ascending; each draw from
// all of them (replace), or without repeats.
int Draw(lua_State* L) {
  const lua_Integer n = luaL_checkinteger(L, 1);
  const lua_Integer count = luaL_checkinteger(L, 2);
  const bool replace = lua_toboolean(L, 3) != 0;
  plugin::Random random(static_cast<std::uint64_t>(luaL_checkinteger(L, 4)));
  luaL_argcheck(L, n >= 1, 1, "there is nothing to draw from");
  luaL_argcheck(L, count >= 1 && (replace || count <= n), 2, "there are not so many");
  auto* drawn = NewOwned<std::vector<std::int64_t>>(L);
  Try(L, [&] {
    if (replace) {
      for (lua_Integer i = 0; i < count; ++i) {
        drawn->push_back(1 +
                         static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(n))));
      }
    } else {
      drawn->resize(static_cast<std::size_t>(n));
      std::iota(drawn->begin(), drawn->end(), std::int64_t{1});
      random.Shuffle(std::span<std::int64_t>(*drawn));
      drawn->resize(static_cast<std::size_t>(count));
    }
    std::sort(drawn->begin(), drawn->end());
  });
  PushIntegers(L, *drawn);
  return 1;
}

}  // namespace

void OpenSplits(lua_State* L) {
  static constexpr luaL_Reg kMethods[] = {{"place", Place},
                                          {"rows", Rows},
                                          {"train", TrainPart},
                                          {"test", TestPart},
                                          {"design", Design},
                                          {"same", SameSplits},
                                          {"notes", Notes},
                                          {"trains", Trains},
                                          {"data_hash", DataHash},
                                          {"mixes_past_and_future", Mixes},
                                          {"distinct_rows", DistinctRows},
                                          {"to_openml", WriteOpenml},
                                          {nullptr, nullptr}};
  static constexpr luaL_Reg kMetamethods[] = {
      {"__len", NumSplits}, {"__tostring", SplitsToString}, {nullptr, nullptr}};
  static constexpr luaL_Reg kFunctions[] = {{"split", Split},
                                            {"splits_from_partitions", FromPartitions},
                                            {"splits_from_lists", FromLists},
                                            {"splits_test_only", TestOnly},
                                            {"refuse_torn_groups", RefuseTorn},
                                            {"require_training_rows", RequireTraining},
                                            {"seed", Seed},
                                            {"draw", Draw},
                                            {nullptr, nullptr}};
  RegisterType<SplitsHandle>(L, kSplitsName, kMethods, kMetamethods);
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
