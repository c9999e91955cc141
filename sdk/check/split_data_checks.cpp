// Checks of splitters on data that are unusual, and of what else than the data may matter.
#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/proper_refusal.h"
#include "check/read_only_pages.h"
#include "check/split_calls.h"

namespace crossfold::check {
namespace {

// ---- row-order ----------------------------------------------------------------------------------

void SplitterRowOrder(CheckContext& context) {
  if ((context.component().determinism & CF_DET_ROW_ORDER) == 0) {
    context.Skip("it does not declare CF_DET_ROW_ORDER");
  }
  const SpecPtr spec = context.Defaults();
  for (const SplitCase& c : MakeSplitCases(context, *spec)) {
    const RowIds order = ShuffledRows(c.shape.n_rows, context.RandomOf("order"));
    const Emitted emitted = Split(*spec, c.roles.Reordered(order));
    const std::string difference =
        emitted.ok() ? Difference(Renumbered(emitted.Splits(), order), c.expected.Splits())
                     : "it ended with " + emitted.reply.Describe();
    if (difference.empty()) continue;
    context.Fail("after permuting the rows of " + c.name() + " " + difference);
  }
}

// ---- input-untouched ----------------------------------------------------------------------------

void SplitterInputUntouched(CheckContext& context) {
  const SpecPtr spec = context.Defaults();
  for (const SplitCase& c : MakeSplitCases(context, *spec)) {
    ReadOnlyPages pages;
    std::vector<const char*> names;
    cf_split_input input = ToC(c.roles, names);
    for (const char*& name : names)
      name = pages.Copy(name, std::char_traits<char>::length(name) + 1);
    input.class_names = pages.Copy(names);
    input.labels = pages.Copy(c.roles.labels);
    input.values = pages.Copy(c.roles.values);
    input.groups = pages.Copy(c.roles.groups);
    input.time = pages.Copy(c.roles.time);
    input.folds = pages.Copy(c.roles.folds);
    const cf_split_input* sealed = pages.Copy(&input, 1);
    pages.Seal();
    const Emitted emitted = Split(*spec, *sealed);
    const std::string difference = Difference(emitted, c.expected);
    if (difference.empty()) continue;
    context.Fail("with " + c.name() + " in read-only pages " + difference);
  }
}

// ---- data that may be refused -------------------------------------------------------------------

// Changes every kind of data with this number of rows; the answer must be valid splits or a
// refusal.
void LookAtSplits(CheckContext& context, std::int64_t n_rows, const std::string& how,
                  const std::function<void(SplitRoles&)>& change) {
  const SpecPtr spec = context.Defaults();
  for (const SplitShape& shape : EverySplitShape(context.component(), n_rows)) {
    SplitRoles roles = MakeRoles(shape, context.SeedOf("data"));
    change(roles);
    const std::string problem = FindProblem(Split(*spec, roles));
    if (!problem.empty()) context.Fail("on " + Describe(shape) + how + " " + problem);
  }
}

template <class T>
void SetAll(std::vector<T>& entries, T entry) {
  std::fill(entries.begin(), entries.end(), entry);
}

void SplitWeights(CheckContext& context) {
  const auto weigh = [](SplitRoles& roles, std::int64_t first) {
    for (std::int64_t i = 0; i < roles.n_rows; ++i) {
      roles.weights.push_back(static_cast<double>((i + first) % 4));
    }
  };
  LookAtSplits(context, 57, ", a quarter of weight 0,",
               [&](SplitRoles& roles) { weigh(roles, 0); });
  LookAtSplits(context, 57, " of weight 0", [](SplitRoles& roles) {
    roles.weights.assign(static_cast<std::size_t>(roles.n_rows), 0);
  });
}

void SplitterMissing(CheckContext& context) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  LookAtSplits(context, 57, ", a third without a target,", [&](SplitRoles& roles) {
    for (std::size_t i = 0; i < roles.labels.size(); i += 3) roles.labels[i] = -1;
    for (std::size_t i = 0; i < roles.values.size(); i += 3) roles.values[i] = nan;
  });
  LookAtSplits(context, 57, ", none with a target,", [&](SplitRoles& roles) {
    SetAll(roles.labels, -1);
    SetAll(roles.values, nan);
  });
}

void SplitterDegenerate(CheckContext& context) {
  const auto nothing = [](SplitRoles&) {};
  for (const std::int64_t n_rows : {1, 2, 3}) LookAtSplits(context, n_rows, "", nothing);
  LookAtSplits(context, 30, " of one class, value, group, time and fold", [](SplitRoles& roles) {
    SetAll(roles.labels, 1);
    SetAll(roles.values, 0.5);
    SetAll(roles.groups, std::int64_t{4});
    SetAll(roles.time, 2.0);
    SetAll(roles.folds, std::int64_t{0});
  });
  LookAtSplits(context, 30, " that are all different", [](SplitRoles& roles) {
    if (!roles.labels.empty()) roles.class_names.assign(30, "");
    for (std::size_t i = 0; i < roles.class_names.size(); ++i) {
      roles.class_names[i] = "k" + std::to_string(i);
      roles.labels[i] = static_cast<std::int32_t>(i);
    }
    for (std::size_t i = 0; i < roles.groups.size(); ++i) {
      roles.groups[i] = static_cast<std::int64_t>(i);
    }
    for (std::size_t i = 0; i < roles.folds.size(); ++i) {
      roles.folds[i] = static_cast<std::int64_t>(i);
    }
  });
  LookAtSplits(context, 30, ", of which one is of another class and group,", [](SplitRoles& roles) {
    SetAll(roles.labels, 0);
    SetAll(roles.groups, std::int64_t{0});
    if (!roles.labels.empty()) roles.labels[7] = 2;
    if (!roles.groups.empty()) roles.groups[7] = 1;
  });
  LookAtSplits(context, 30, " that are never tested",
               [](SplitRoles& roles) { SetAll(roles.folds, std::int64_t{-1}); });
}

void SplitterZeroRows(CheckContext& context) {
  const SpecPtr spec = context.Defaults();
  for (const SplitShape& shape : EverySplitShape(context.component(), 0)) {
    const Emitted emitted = Split(*spec, MakeRoles(shape, 1));
    const std::string problem = FindImproper(emitted.reply);
    if (!problem.empty()) {
      context.Fail("on " + Describe(shape) + " " + problem);
    } else if (emitted.reply.ok()) {
      context.Fail("on " + Describe(shape) + " it reports success");
    }
  }
}

void SplitterExtremeValues(CheckContext& context) {
  const auto cycle = [](auto& entries, auto... extremes) {
    const std::vector some{extremes...};
    for (std::size_t i = 0; i < entries.size(); i += 2) entries[i] = some[i / 2 % some.size()];
  };
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  LookAtSplits(context, 57, " of extreme values, groups, times and folds", [&](SplitRoles& roles) {
    cycle(roles.values, 1e300, -1e300, 5e-324, -0.0, 1.7976931348623157e308);
    cycle(roles.time, 1e300, -1e300, 5e-324, -0.0, 1.7976931348623157e308);
    cycle(roles.groups, kMax, kMin, std::int64_t{0});
    cycle(roles.folds, kMax, std::int64_t{-1}, std::int64_t{1} << 40);
  });
}

constexpr Check kSplitDataChecks[] = {
    {"row-order", CheckScope::kSplitter, 4, false, "fit-idempotent",
     "permuting the rows permutes the splits, if so declared", &SplitterRowOrder},
    {"input-untouched", CheckScope::kSplitter, 3, false, "fit-idempotent",
     "nothing is written into the data", &SplitterInputUntouched},
    {"split-weights", CheckScope::kSplitter, 4, false, "split-coverage",
     "valid splits or a refusal of weighted rows", &SplitWeights},
    {"missing", CheckScope::kSplitter, 4, false, "split-coverage",
     "valid splits or a refusal of rows without a target", &SplitterMissing},
    {"degenerate", CheckScope::kSplitter, 4, false, "split-coverage",
     "valid splits or a refusal of few, equal and different rows", &SplitterDegenerate},
    {"zero-rows", CheckScope::kSplitter, 4, false, "split-smoke", "a refusal of no rows",
     &SplitterZeroRows},
    {"extreme-values", CheckScope::kSplitter, 4, false, "split-coverage",
     "valid splits or a refusal of the largest and smallest numbers", &SplitterExtremeValues},
};

}  // namespace

std::span<const Check> SplitDataChecks() { return kSplitDataChecks; }

}  // namespace crossfold::check
