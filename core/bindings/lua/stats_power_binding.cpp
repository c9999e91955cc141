// The power of a comparison before it runs.
#include <cstdint>

#include "bindings/lua/native.h"
#include "crossfold/stats/power.h"

namespace crossfold::lua {
namespace {

// What of rows, difference and power follows from the two others.
enum class Wanted { kPower, kDifference, kRows };

struct PlanQuestion {
  Wanted wanted = Wanted::kPower;
  bool mcnemar = false;
  std::int64_t rows = 0;
  double difference = 0, power = 0;
  std::int64_t folds = 0, repeats = 0;
  double test_share = 0;  // 0 = folds
  stats::ComparisonModel model;
};

stats::Plan AnswerOf(const PlanQuestion& q) {
  if (q.mcnemar) {
    if (q.wanted == Wanted::kPower) return stats::PowerOfMcNemar(q.rows, q.difference, q.model);
    return q.wanted == Wanted::kDifference ? stats::DetectableByMcNemar(q.rows, q.power, q.model)
                                           : stats::RowsForMcNemar(q.difference, q.power, q.model);
  }
  const stats::SplitScheme scheme = q.test_share != 0
                                        ? stats::HoldoutScheme(q.test_share, q.repeats)
                                        : stats::FoldScheme(q.folds, q.repeats);
  if (q.wanted == Wanted::kPower) {
    return stats::PowerOfSplits(q.rows, q.difference, scheme, q.model);
  }
  return q.wanted == Wanted::kDifference
             ? stats::DetectableBySplits(q.rows, q.power, scheme, q.model)
             : stats::RowsForSplits(q.difference, q.power, scheme, q.model);
}

PlanQuestion ReadQuestion(lua_State* L, int index) {
  luaL_checktype(L, index, LUA_TTABLE);
  PlanQuestion q;
  if (FieldIs(L, index, "wanted", "difference")) q.wanted = Wanted::kDifference;
  if (FieldIs(L, index, "wanted", "rows")) q.wanted = Wanted::kRows;
  if (q.wanted != Wanted::kRows) q.rows = IntegerField(L, index, "rows");
  if (q.wanted != Wanted::kDifference) q.difference = NumberField(L, index, "difference");
  if (q.wanted != Wanted::kPower) q.power = NumberField(L, index, "power");
  q.model.disagreement = NumberField(L, index, "disagreement");
  q.model.alpha = NumberField(L, index, "alpha");
  q.mcnemar = FieldIs(L, index, "test", "mcnemar");
  if (q.mcnemar) return q;
  q.model.training_sd = NumberField(L, index, "training_sd");
  q.folds = IntegerField(L, index, "folds");
  q.repeats = IntegerField(L, index, "repeats");
  q.test_share = NumberField(L, index, "test_share");
  return q;
}

// native.stats_plan{wanted = "power", "difference" or "rows", ...}
int PlanOf(lua_State* L) {
  const PlanQuestion question = ReadQuestion(L, 1);
  auto* plan = NewOwned<stats::Plan>(L);
  Try(L, [&] { *plan = AnswerOf(question); });
  PushTable(L, Reason(plan->undefined));
  if (!plan->defined) return 1;
  SetFields(L, Field("power", plan->power), Field("difference", plan->difference),
            Field("rows", static_cast<std::int64_t>(plan->rows)),
            Field("standard_error", plan->standard_error));
  return 1;
}

}  // namespace

void OpenStatsPower(lua_State* L) { AddFunctions(L, {{"stats_plan", PlanOf}}); }

}  // namespace crossfold::lua
