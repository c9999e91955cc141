// Splits: asked of a splitter plugin, given by a script, or in the format of OpenML; drawing rows
// and seeds by path.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts/split_facts.h"
#include "bindings/lua/native.h"
#include "crossfold/cell.h"
#include "crossfold/error.h"
#include "crossfold/openml_splits.h"
#include "crossfold/seed.h"
#include "crossfold/split.h"
#include "crossfold/test_sets.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold::lua {
namespace {

// native.split(splitter, data, seed)
SplitsHandle Split(const SpecHandle& splitter, const DataView& view, std::uint64_t seed,
                   Session& session) {
  RequireArgument(splitter.spec->component().splitter != nullptr, 1, "a splitter is expected");
  return {MakeSplits(*splitter.spec, view, seed, session.cancel(), session.plugins().log())};
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
  return RunAndPush(
      L, [&] { return SplitsHandle{SplitPlan::FromPartitions(view, std::move(*repeats))}; });
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
  return RunAndPush(L,
                    [&] { return SplitsHandle{SplitPlan::FromLists(view, std::move(*splits))}; });
}

// native.splits_test_only(data): see SplitPlan::TestOnly.
SplitsHandle TestOnly(const DataView& view) { return {SplitPlan::TestOnly(view)}; }

// native.refuse_torn_groups(splits, name, way_out)
void RefuseTorn(const SplitsHandle& splits, const char* name, const char* way_out) {
  RefuseTornGroups(*splits.plan, name, way_out);
}

std::int64_t NumSplits(const SplitsHandle& splits) { return splits.plan->size(); }

// Argument 2 as a 0-based split.
std::int64_t CheckSplit(const SplitPlan& plan, std::int64_t split) {
  RequireArgument(split >= 1 && split <= plan.size(), 2, "there is no such split");
  return split - 1;
}

// splits:place(i): repeat and fold, both from 1.
std::tuple<std::int64_t, std::int64_t> PlaceOfSplit(const SplitsHandle& splits,
                                                    std::int64_t number) {
  const SplitPlan& plan = *splits.plan;
  const std::int64_t split = CheckSplit(plan, number);
  return {plan.repeat_of(split) + 1, plan.fold_of(split) + 1};
}

// splits:rows(i): row ids of training and test rows, from 1.
SplitRows Rows(const SplitsHandle& splits, std::int64_t number) {
  return splits.plan->Rows(CheckSplit(*splits.plan, number));
}

int PushSplitRows(lua_State* L, const SplitRows& rows) {
  PushRowIds(L, rows.train);
  PushRowIds(L, rows.test);
  return 2;
}

// splits:train(i), splits:test(i): the rows as datasets.
DataHandle Part(const SplitsHandle& splits, std::int64_t number, bool train) {
  SplitRows rows = Rows(splits, number);
  auto part =
      std::make_shared<const std::vector<std::int64_t>>(std::move(train ? rows.train : rows.test));
  return {{splits.plan->view().data, std::move(part)}};
}

DataHandle TrainPart(const SplitsHandle& splits, std::int64_t number) {
  return Part(splits, number, true);
}
DataHandle TestPart(const SplitsHandle& splits, std::int64_t number) {
  return Part(splits, number, false);
}

// splits:same_as(): of each split the first one with the same rows, see
// analysis/facts/split_facts.h.
std::vector<std::int64_t> SameAs(const SplitsHandle& splits, const Session& session) {
  std::vector<std::int64_t> first = FirstSameSplits(*splits.plan, session.cancel());
  for (std::int64_t& split : first) ++split;
  return first;
}

// splits:design(): { kind = "partition", repeats =, folds = of the first repeat } or { kind =
// "lists" }; and size = number of splits, distinct = how many of them are different, rows = rows of
// the data, units = groups of these rows, or rows.
int Design(lua_State* L) {
  const SplitPlan& plan = *CheckSplits(L, 1).plan;
  const auto& partitions = plan.partitions();
  auto* same_as = NewOwned<std::vector<std::int64_t>>(L);
  std::int64_t distinct = 0, units = 0;
  Try(L, [&] {
    *same_as = FirstSameSplits(plan, GetSession(L).cancel());
    units = CountUnits(plan);
  });
  for (std::size_t s = 0; s < same_as->size(); ++s) {
    if ((*same_as)[s] == static_cast<std::int64_t>(s)) ++distinct;
  }
  PushTable(L, Field("size", plan.size()), Field("distinct", distinct),
            Field("rows", plan.view().num_rows()), Field("units", units),
            Field("kind", partitions.empty() ? "lists" : "partition"));
  if (partitions.empty()) return 1;
  SetFields(L, Field("repeats", partitions.size()), Field("folds", partitions.front().n_folds));
  return 1;
}

// splits:distinct_rows(i): how many different rows train and test; a bootstrap sample repeats some.
std::tuple<std::size_t, std::size_t> DistinctRows(const SplitsHandle& splits, std::int64_t number) {
  SplitRows rows = Rows(splits, number);
  std::sort(rows.train.begin(), rows.train.end());
  const auto end = std::unique(rows.train.begin(), rows.train.end());
  return {static_cast<std::size_t>(end - rows.train.begin()), rows.test.size()};
}

// splits:same(other): whether both have the same rows in every split of the same data.
bool SameSplits(const SplitsHandle& a, const SplitsHandle& b, const Session& session) {
  return HaveSameSplits(*a.plan, *b.plan, session.cancel());
}

// splits:same_sets(other): whether both have the same splits of the same data, in any order.
bool SameSets(const SplitsHandle& a, const SplitsHandle& b, const Session& session) {
  return HaveSameSets(*a.plan, *b.plan, session.cancel());
}

// splits:notes(): what a reader of the scores should know of the data, and what the splitter said.
int Notes(lua_State* L) {
  const SplitPlan& plan = *CheckSplits(L, 1).plan;
  auto* notes = NewOwned<std::vector<std::string>>(L);
  Try(L, [&] {
    *notes = plan.view().data->notes();
    notes->insert(notes->end(), plan.notes().begin(), plan.notes().end());
  });
  PushTexts(L, *notes);
  return 1;
}

// native.test_sets(splits): { rows, class_rows, weights } on average, see test_sets.h; `weights` of
// each split, if the rows have some.
TestSets MeasuredTestSets(const SplitsHandle& splits) { return MeasureTestSets(*splits.plan); }

int PushTestSets(lua_State* L, const TestSets& sets) {
  PushTable(L, Field("rows", sets.rows), Field("class_rows", sets.class_rows));
  if (sets.weights.empty()) return 1;
  PushNumbers(L, sets.weights);
  lua_setfield(L, -2, "weights");
  return 1;
}

// splits:trains(): whether every split has training rows.
bool Trains(const SplitsHandle& splits) { return splits.plan->min_train_rows() > 0; }

// native.require_training_rows(splits)
void RequireTraining(const SplitsHandle& splits) { RequireTrainingRows(*splits.plan); }

// splits:data_hash(): data:hash() of what is split.
std::string DataHash(const SplitsHandle& splits) { return splits.plan->view().content_hash(); }

// splits:unseen_levels(): notes; see analysis/facts/split_facts.h.
std::vector<std::string> UnseenLevelsOf(const SplitsHandle& splits, const Session& session) {
  return FindUnseenLevels(*splits.plan, session.cancel());
}

// splits:mixes_past_and_future(): see analysis/facts/split_facts.h.
bool Mixes(const SplitsHandle& splits, const Session& session) {
  return MixesPastAndFuture(*splits.plan, session.cancel());
}

int SplitsToString(lua_State* L) {
  const SplitPlan& plan = *CheckSplits(L, 1).plan;
  auto* name = NewOwned<std::string>(L);
  Try(L, [&] { *name = Printable(plan.view().data->name(), true); });
  lua_pushfstring(L, "%d splits of '%s'", static_cast<int>(plan.size()), name->c_str());
  return 1;
}

// native.read_openml_splits(path, data, ignore_groups)
SplitsHandle ReadSplits(std::string_view path, const DataView& view, bool ignore_groups,
                        const Session& session) {
  const std::string file(path);
  session.files.CheckRead(file);
  return {PlanOpenmlSplits(ReadOpenmlSplits(file), view, ignore_groups)};
}

// splits:to_openml(path) writes the file; splits:to_openml(true) gives its text.
int WriteOpenml(lua_State* L) {
  const SplitPlan& plan = *CheckSplits(L, 1).plan;
  const Session& session = GetSession(L);
  if (lua_isboolean(L, 2) && lua_toboolean(L, 2) != 0) {
    return RunAndPush(L, [&] { return FormatOpenmlSplits(plan, session.cancel()); });
  }
  luaL_argcheck(L, lua_type(L, 2) == LUA_TSTRING, 2, "the path of a file, or true, is expected");
  const std::string_view path = CheckText(L, 2);
  return RunAndPush(L, [&] {
    const std::string file(path);
    if (session.files.restricted()) {
      return session.files.Make(file, FormatOpenmlSplits(plan, session.cancel()));
    }
    session.files.CheckWrite(file);
    WriteOpenmlSplits(plan, file);
  });
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
std::vector<std::int64_t> Draw(std::int64_t n, std::int64_t count, bool replace,
                               std::uint64_t seed) {
  RequireArgument(n >= 1, 1, "there is nothing to draw from");
  RequireArgument(count >= 1 && (replace || count <= n), 2, "there are not so many");
  plugin::Random random(seed);
  std::vector<std::int64_t> drawn(static_cast<std::size_t>(replace ? count : n));
  if (replace) {
    for (std::int64_t& one : drawn) {
      one = 1 + static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(n)));
    }
  } else {
    std::iota(drawn.begin(), drawn.end(), std::int64_t{1});
    random.Shuffle(std::span<std::int64_t>(drawn));
    drawn.resize(static_cast<std::size_t>(count));
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

}  // namespace

void OpenSplits(lua_State* L) {
  RegisterType<SplitsHandle>(L, {{"place", Native<PlaceOfSplit>},
                                 {"rows", Native<Rows, PushSplitRows>},
                                 {"train", Native<TrainPart>},
                                 {"test", Native<TestPart>},
                                 {"design", Design},
                                 {"same_as", Native<SameAs>},
                                 {"same", Native<SameSplits>},
                                 {"same_sets", Native<SameSets>},
                                 {"notes", Notes},
                                 {"trains", Native<Trains>},
                                 {"data_hash", Native<DataHash>},
                                 {"mixes_past_and_future", Native<Mixes>},
                                 {"unseen_levels", Native<UnseenLevelsOf>},
                                 {"distinct_rows", Native<DistinctRows>},
                                 {"to_openml", WriteOpenml},
                                 {"__len", Native<NumSplits>},
                                 {"__tostring", SplitsToString}});
  AddFunctions(L, {{"split", Native<Split>},
                   {"splits_from_partitions", FromPartitions},
                   {"splits_from_lists", FromLists},
                   {"splits_test_only", Native<TestOnly>},
                   {"refuse_torn_groups", Native<RefuseTorn>},
                   {"require_training_rows", Native<RequireTraining>},
                   {"test_sets", Native<MeasuredTestSets, PushTestSets>},
                   {"seed", Seed},
                   {"draw", Native<Draw>},
                   {"read_openml_splits", Native<ReadSplits>}});
}

}  // namespace crossfold::lua
