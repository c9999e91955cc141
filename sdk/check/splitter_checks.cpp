// Checks of splitters.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/library_random.h"
#include "check/probe_call.h"
#include "check/split_calls.h"
#include "check/table_copy.h"
#include "engine/data/sha256.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

// ---- split-smoke --------------------------------------------------------------------------------

// Some kind of data is split; what is not is refused with a reason.
void SplitSmoke(CheckContext& context) {
  const SpecPtr spec = context.Defaults();
  std::string refusal;
  std::vector<SplitShape> accepted;
  const auto look_at = [&](const SplitShape& shape) {
    const Emitted emitted = Split(*spec, MakeRoles(shape, context.SeedOf("data")));
    const std::string where = "on " + Describe(shape) + " ";
    context.FailIf(where, emitted.problem.empty() ? FindImproper(emitted.reply) : emitted.problem);
    if (emitted.ok()) accepted.push_back(shape);
    if (!emitted.reply.ok()) refusal = where + emitted.reply.Describe();
  };
  for (const std::int64_t n_rows : {10, 57}) {
    for (const SplitShape& shape : EverySplitShape(context.component(), n_rows)) look_at(shape);
  }
  if (context.has_failed()) return;
  if (accepted.empty()) return context.Fail("it splits no data at all: " + refusal);
  SplitShape large = accepted.front();
  large.n_rows = 200;
  look_at(large);
}

// ---- fit-idempotent, seed-used ------------------------------------------------------------------

template <class T>
void AddTo(Sha256& hash, const std::vector<T>& entries) {
  hash.Add(entries.data(), entries.size() * sizeof(T));
}

std::string DigestOfSplits(const std::vector<SplitCase>& cases) {
  Sha256 hash;
  for (const SplitCase& c : cases) {
    for (const Partition& partition : c.expected.partitions) AddTo(hash, partition.fold_of_row);
    for (const SplitRows& split : c.expected.lists) {
      AddTo(hash, split.train);
      AddTo(hash, split.test);
    }
  }
  return ToHex(hash.Finish());
}

void SplitterFitIdempotent(CheckContext& context) {
  const SpecPtr spec = context.Defaults();
  context.NeedsDeterminism(CF_DET_SEEDED, "CF_DET_SEEDED: no two calls need be equal");
  const std::vector<SplitCase> cases = MakeSplitCases(context, *spec);
  if (!context.part().empty()) return context.Answer(DigestOfSplits(cases));
  for (const SplitCase& c : cases) {
    ReseedLibrary(77);  // whoever draws from the C library gets other numbers now
    context.FailIf("splitting " + c.name() + " again with the same seed, ",
                   Difference(Split(*spec, c.roles), c.expected));
  }
  if (context.has_failed()) return;
  const std::string there = context.AskOtherProcess("digest");
  if (!there.empty() && there != DigestOfSplits(cases)) {
    context.Fail("the same seed and data gave other splits in a second process");
  }
}

void SplitterSeedUsed(CheckContext& context) {
  const SpecPtr spec = context.Defaults();
  const bool is_unseeded = (context.component().determinism & CF_DET_UNSEEDED) != 0;
  bool draws = false, differs = false;
  for (const SplitCase& c : MakeSplitCases(context, *spec)) {
    draws |= c.expected.reply.n_random > 0;
    for (std::uint64_t seed = 2; seed <= 5; ++seed) {
      const std::string difference = Difference(Split(*spec, c.roles, {.seed = seed}), c.expected);
      if (difference.empty()) continue;
      differs = true;
      if (!is_unseeded) break;
      context.Fail("it declares that the seed does not matter, but with seed " +
                   std::to_string(seed) + " instead of 1 on " + c.name() + " " + difference);
      break;
    }
  }
  if (draws && !differs) {
    context.Warn("it draws random numbers, but five seeds gave the same splits");
  }
}

// ---- split-disjoint, split-coverage -------------------------------------------------------------

void SplitDisjoint(CheckContext& context) {
  for (const SplitCase& c : MakeSplitCases(context, *context.Defaults())) {
    context.FailIf("on " + c.name() + " ", FindOverlap(c.expected));
  }
}

void SplitCoverage(CheckContext& context) {
  for (const SplitCase& c : MakeSplitCases(context, *context.Defaults())) {
    context.FailIf("on " + c.name() + " ", FindEmptySide(c.expected));
  }
}

// ---- split-never-lowers -------------------------------------------------------------------------

// How many folds the first partition has, or how many lists there are if `folds` divides them.
std::int64_t CountFolds(const Emitted& emitted, std::int64_t folds) {
  if (!emitted.partitions.empty()) return emitted.partitions.front().n_folds;
  const auto n = static_cast<std::int64_t>(emitted.lists.size());
  return n % folds == 0 ? folds : n;
}

void LookAtFolds(CheckContext& context, const Spec& spec, const SplitCase& c) {
  const std::int64_t n = c.shape.n_rows;
  for (const std::int64_t folds : {std::int64_t{2}, std::int64_t{4}, n + 1, 10 * n}) {
    const SpecPtr asked = SpecWith(spec, {{"folds", folds}});
    if (asked == nullptr) continue;
    const Emitted emitted = Split(*asked, c.roles);
    const std::string where = "with folds = " + std::to_string(folds) + " on " + c.name() + " ";
    context.FailIf(where, FindImproper(emitted.reply));
    if (!emitted.ok()) continue;
    const std::int64_t made = CountFolds(emitted, folds);
    if (made != folds) context.Fail(where + "it made " + std::to_string(made) + " and no error");
  }
}

std::size_t CountSplits(const Emitted& emitted) {
  std::size_t n = emitted.lists.size();
  for (const Partition& partition : emitted.partitions) {
    n += static_cast<std::size_t>(partition.n_folds);
  }
  return n;
}

void LookAtRepeats(CheckContext& context, const Spec& spec, const SplitCase& c) {
  const SpecPtr once = SpecWith(spec, {{"repeats", 1}}), thrice = SpecWith(spec, {{"repeats", 3}});
  if (once == nullptr || thrice == nullptr) return;
  const Emitted one = Split(*once, c.roles), three = Split(*thrice, c.roles);
  if (!one.ok() || !three.ok() || CountSplits(three) == 3 * CountSplits(one)) return;
  context.Fail("with repeats = 3 on " + c.name() + " it made " +
               std::to_string(CountSplits(three)) + " splits, with repeats = 1 " +
               std::to_string(CountSplits(one)));
}

void SplitNeverLowers(CheckContext& context) {
  const SpecPtr spec = context.Defaults();
  if (!spec->has_param("folds") && !spec->has_param("repeats")) {
    context.Skip("it has neither a parameter 'folds' nor 'repeats'");
  }
  for (const SplitCase& c : MakeSplitCases(context, *spec)) {
    if (spec->has_param("folds")) LookAtFolds(context, *spec, c);
    if (spec->has_param("repeats")) LookAtRepeats(context, *spec, c);
  }
}

// ---- row-order ----------------------------------------------------------------------------------

void SplitterRowOrder(CheckContext& context) {
  context.NeedsDeterminism(CF_DET_ROW_ORDER, "CF_DET_ROW_ORDER");
  const SpecPtr spec = context.Defaults();
  for (const SplitCase& c : MakeSplitCases(context, *spec)) {
    const RowIds order = ShuffledRows(c.shape.n_rows, context.RandomOf("order"));
    const Emitted emitted = Split(*spec, c.roles.Reordered(order));
    context.FailIf("after permuting the rows of " + c.name() + " ",
                   emitted.ok()
                       ? Difference(Renumbered(emitted.Splits(), order), c.expected.Splits())
                       : "it ended with " + emitted.reply.Describe());
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
    context.FailIf("with " + c.name() + " in read-only pages ",
                   Difference(Split(*spec, *sealed), c.expected));
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
    context.FailIf("on " + Describe(shape) + how + " ", FindProblem(Split(*spec, roles)));
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
    const std::string where = "on " + Describe(shape) + " ";
    context.FailIf(where, FindImproper(emitted.reply));
    if (emitted.reply.ok()) context.Fail(where + "it reports success");
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

// How the splits differ from those of the case; "" = they do not.
std::string DifferenceOfSplits(const Emitted& emitted, const SplitCase& c) {
  return emitted.ok() ? Difference(emitted.Splits(), c.expected.Splits())
                      : emitted.reply.Describe();
}

// ---- split-groups -------------------------------------------------------------------------------

// "split 2 trains on rows of group 993 and tests others of it"; "" = no group is torn apart.
std::string FindTornGroup(const std::vector<SplitRows>& splits,
                          const std::vector<std::int64_t>& groups) {
  for (std::size_t i = 0; i < splits.size(); ++i) {
    std::set<std::int64_t> trained;
    for (const std::int64_t row : splits[i].train) {
      trained.insert(groups[static_cast<std::size_t>(row)]);
    }
    for (const std::int64_t row : splits[i].test) {
      const std::int64_t group = groups[static_cast<std::size_t>(row)];
      if (!trained.contains(group)) continue;
      return "split " + std::to_string(i) + " trains on rows of group " + std::to_string(group) +
             " and tests others of it";
    }
  }
  return "";
}

void SplitGroups(CheckContext& context) {
  const bool declares = (context.component().splitter->uses & CF_SPLIT_USES_GROUPS) != 0;
  bool has_groups = false;
  for (const SplitCase& c : MakeSplitCases(context, *context.Defaults())) {
    if (!c.shape.groups) continue;
    has_groups = true;
    const std::string torn = FindTornGroup(c.expected.Splits(), c.roles.groups);
    if (torn.empty()) continue;
    if (declares) {
      context.Fail("on " + c.name() + " " + torn);
    } else {
      context.Warn("on " + c.name() + " " + torn +
                   "; keep groups together, or refuse data that have them");
    }
  }
  if (!has_groups) context.Skip("it refuses data with groups");
}

// ---- split-time-order ---------------------------------------------------------------------------

// "split 2 trains on time 117 and tests time 109"; "" = all training rows are before all test rows.
std::string FindLookAhead(const std::vector<SplitRows>& splits, const std::vector<double>& time) {
  for (std::size_t i = 0; i < splits.size(); ++i) {
    double trained = -std::numeric_limits<double>::infinity(), tested = -trained;
    for (const std::int64_t row : splits[i].train) {
      trained = std::max(trained, time[static_cast<std::size_t>(row)]);
    }
    for (const std::int64_t row : splits[i].test) {
      tested = std::min(tested, time[static_cast<std::size_t>(row)]);
    }
    if (trained < tested) continue;
    return "split " + std::to_string(i) + " trains on time " + FormatShortest(trained) +
           " and tests time " + FormatShortest(tested);
  }
  return "";
}

// A splitter that trains only on the past if the rows are sorted by time must do so for every order
// of the rows, and must not train on a time at which it tests.
void LookAtTimes(CheckContext& context, const Spec& spec, const SplitCase& c) {
  SplitRoles tied = c.roles;
  for (double& time : tied.time) time = std::floor(time / 3);
  for (const auto& [roles, which] :
       {std::pair<const SplitRoles*, const char*>{&c.roles, "not sorted by time"},
        std::pair<const SplitRoles*, const char*>{&tied, "of which three share a time"}}) {
    const Emitted emitted = Split(spec, *roles);
    if (!emitted.ok()) continue;
    context.FailIf("on " + c.name() + ", " + which + ", ",
                   FindLookAhead(emitted.Splits(), roles->time));
  }
}

// Whether the splits depend on the times of the rows, and not on random numbers.
bool GoesByTime(const Spec& spec, const SplitCase& c) {
  if (!c.shape.time || c.expected.reply.n_random > 0) return false;
  SplitRoles reversed = c.roles;
  std::reverse(reversed.time.begin(), reversed.time.end());
  return !DifferenceOfSplits(Split(spec, reversed), c).empty();
}

void SplitTimeOrder(CheckContext& context) {
  const SpecPtr spec = context.Defaults();
  bool goes_by_time = false;
  for (const SplitCase& c : MakeSplitCases(context, *spec)) {
    if (!c.shape.time) continue;
    RowIds by_time = RowRange(0, c.shape.n_rows);
    std::sort(by_time.begin(), by_time.end(), [&](std::int64_t a, std::int64_t b) {
      return c.roles.time[static_cast<std::size_t>(a)] < c.roles.time[static_cast<std::size_t>(b)];
    });
    const SplitRoles sorted = c.roles.Reordered(by_time);
    const Emitted emitted = Split(*spec, sorted);
    if (!emitted.ok()) continue;
    const std::vector<SplitRows> splits = emitted.Splits();
    const bool looks_back = splits.size() > 1 && FindLookAhead(splits, sorted.time).empty();
    if (looks_back) LookAtTimes(context, *spec, c);
    goes_by_time |= looks_back;
    if (!GoesByTime(*spec, c)) continue;
    goes_by_time = true;
    context.FailIf("after sorting the rows of " + c.name() + " by time ",
                   Difference(Renumbered(splits, by_time), c.expected.Splits()));
  }
  if (!goes_by_time) context.Skip("it does not split by time");
}

// ---- split-stratified ---------------------------------------------------------------------------

std::vector<std::int64_t> CountClasses(const SplitRoles& roles,
                                       const std::vector<std::int64_t>& rows) {
  std::vector<std::int64_t> counts(roles.class_names.size());
  for (const std::int64_t row : rows) {
    ++counts[static_cast<std::size_t>(roles.labels[static_cast<std::size_t>(row)])];
  }
  return counts;
}

// Whether every class has its share of the rows, to within one row.
bool HasShares(const std::vector<std::int64_t>& of_all, const std::vector<std::int64_t>& counts) {
  double n_all = 0, n = 0;
  for (std::size_t c = 0; c < of_all.size(); ++c) {
    n_all += static_cast<double>(of_all[c]);
    n += static_cast<double>(counts[c]);
  }
  for (std::size_t c = 0; c < of_all.size(); ++c) {
    const double fair = static_cast<double>(of_all[c]) * n / n_all;
    if (std::abs(static_cast<double>(counts[c]) - fair) > 1 + 1e-9) return false;
  }
  return true;
}

std::string CountsText(const std::vector<std::int64_t>& counts) {
  std::string text;
  for (const std::int64_t count : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count);
  return text;
}

// Either side may be stratified: a bootstrap draws training rows by class, and tests the rest.
void LookAtShares(CheckContext& context, const Spec& stratified, const SplitCase& c) {
  const std::vector<std::int64_t> all = CountClasses(c.roles, RowRange(0, c.shape.n_rows));
  const std::vector<SplitRows> splits = c.expected.Splits();
  for (std::size_t i = 0; i < splits.size(); ++i) {
    const std::vector<std::int64_t> test = CountClasses(c.roles, splits[i].test);
    if (HasShares(all, test) || HasShares(all, CountClasses(c.roles, splits[i].train))) continue;
    return context.Fail("as " + stratified.ToString() + " on " + c.name() + " split " +
                        std::to_string(i) + " tests " + CountsText(test) +
                        " rows of the classes, of which there are " + CountsText(all));
  }
}

void SplitStratified(CheckContext& context) {
  const SpecPtr spec = SpecWith(*context.Defaults(), {{"stratify", true}});
  if (spec == nullptr) context.Skip("it has no parameter 'stratify'");
  bool has_looked = false;
  for (const std::int64_t n_rows : {57, 120}) {
    for (const SplitCase& c : MakeSplitCases(context, *spec, n_rows)) {
      if (c.shape.task != Task::kClassification || c.shape.groups || c.shape.folds) continue;
      LookAtShares(context, *spec, c);
      has_looked = true;
    }
  }
  if (!has_looked) context.Skip("with stratify = true it splits no classification without groups");
}

// ---- class-names, class-order -------------------------------------------------------------------

// As the splitter itself and, if it can, stratified: `changed` = other classes for the same rows.
void SplitWithOtherClasses(CheckContext& context, const std::string& change,
                           const std::function<void(SplitRoles& roles)>& changed) {
  const SpecPtr spec = context.Defaults();
  bool has_looked = false;
  for (const SpecPtr& tried : {spec, SpecWith(*spec, {{"stratify", true}})}) {
    if (tried == nullptr) continue;
    for (const SplitCase& c : MakeSplitCases(context, *tried)) {
      if (c.shape.task != Task::kClassification) continue;
      has_looked = true;
      SplitRoles roles = c.roles;
      changed(roles);
      context.FailIf("as " + tried->ToString() + " on " + c.name() + ", after " + change + ", ",
                     DifferenceOfSplits(Split(*tried, roles), c));
    }
  }
  if (!has_looked) context.Skip("it splits no classification");
}

void SplitterClassNames(CheckContext& context) {
  SplitWithOtherClasses(context, "giving the classes other names", [](SplitRoles& roles) {
    roles.class_names = {"zebra", "\xc3\xa4 b", "1"};
  });
}

void SplitterClassOrder(CheckContext& context) {
  SplitWithOtherClasses(context, "reversing the order of the classes", [](SplitRoles& roles) {
    std::reverse(roles.class_names.begin(), roles.class_names.end());
    for (std::int32_t& label : roles.labels) {
      label = static_cast<std::int32_t>(roles.class_names.size()) - 1 - label;
    }
  });
}

constexpr Check kSplitterChecks[] = {
    {"split-smoke", kSplitter, 2, false, "descriptor-complete",
     "some kind of data is split, the others are refused with a reason", &SplitSmoke},
    {"fit-idempotent", kSplitter, 3, false, "split-smoke", "equal seeds give equal splits",
     &SplitterFitIdempotent},
    {"seed-used", kSplitter, 4, false, "fit-idempotent",
     "the seed matters if and only if random numbers are drawn", &SplitterSeedUsed},
    {"split-disjoint", kSplitter, 3, false, "split-smoke",
     "no split trains on a test row or tests a row twice", &SplitDisjoint},
    {"split-coverage", kSplitter, 3, false, "split-disjoint",
     "every fold and both sides of every split have rows", &SplitCoverage},
    {"split-never-lowers", kSplitter, 3, false, "split-coverage",
     "the requested number of folds and repeats, or a refusal", &SplitNeverLowers},
    {"row-order", kSplitter, 4, false, "fit-idempotent",
     "permuting the rows permutes the splits, if so declared", &SplitterRowOrder},
    {"input-untouched", kSplitter, 3, false, "fit-idempotent", "nothing is written into the data",
     &SplitterInputUntouched},
    {"split-weights", kSplitter, 4, false, "split-coverage",
     "valid splits or a refusal of weighted rows", &SplitWeights},
    {"missing", kSplitter, 4, false, "split-coverage",
     "valid splits or a refusal of rows without a target", &SplitterMissing},
    {"degenerate", kSplitter, 4, false, "split-coverage",
     "valid splits or a refusal of few, equal and different rows", &SplitterDegenerate},
    {"zero-rows", kSplitter, 4, false, "split-smoke", "a refusal of no rows", &SplitterZeroRows},
    {"extreme-values", kSplitter, 4, false, "split-coverage",
     "valid splits or a refusal of the largest and smallest numbers", &SplitterExtremeValues},
    {"split-groups", kSplitter, 3, false, "fit-idempotent",
     "rows of one group never train and test in the same split", &SplitGroups},
    {"split-time-order", kSplitter, 3, false, "fit-idempotent",
     "a split by time does not depend on the order of the rows", &SplitTimeOrder},
    {"split-stratified", kSplitter, 4, false, "fit-idempotent",
     "with stratify = true every class has its share to within one row", &SplitStratified},
    {"class-names", kSplitter, 4, false, "fit-idempotent", "other class names change nothing",
     &SplitterClassNames},
    {"class-order", kSplitter, 4, false, "fit-idempotent",
     "another order of the classes changes nothing", &SplitterClassOrder},
};

}  // namespace

std::span<const Check> SplitterChecks() { return kSplitterChecks; }

}  // namespace crossfold::check
