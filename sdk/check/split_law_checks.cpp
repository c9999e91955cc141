// Checks of the rules of splitters about groups, time and classes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/split_calls.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

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
    const std::string found = FindLookAhead(emitted.Splits(), roles->time);
    if (!found.empty()) context.Fail("on " + c.name() + ", " + which + ", " + found);
  }
}

// Whether the splits depend on the times of the rows, and not on random numbers.
bool GoesByTime(const Spec& spec, const SplitCase& c) {
  if (!c.shape.time || c.expected.reply.n_random > 0) return false;
  SplitRoles reversed = c.roles;
  std::reverse(reversed.time.begin(), reversed.time.end());
  const Emitted emitted = Split(spec, reversed);
  return !emitted.ok() || !Difference(emitted.Splits(), c.expected.Splits()).empty();
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
    const std::string other = Difference(Renumbered(splits, by_time), c.expected.Splits());
    if (other.empty()) continue;
    context.Fail("after sorting the rows of " + c.name() + " by time " + other);
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

void SplitterClassNames(CheckContext& context) {
  const SpecPtr spec = context.Defaults();
  bool has_looked = false;
  for (const SpecPtr& tried : {spec, SpecWith(*spec, {{"stratify", true}})}) {
    if (tried == nullptr) continue;
    for (const SplitCase& c : MakeSplitCases(context, *tried)) {
      if (c.shape.task != Task::kClassification) continue;
      has_looked = true;
      SplitRoles renamed = c.roles;
      renamed.class_names = {"zebra", "\xc3\xa4 b", "1"};
      const Emitted emitted = Split(*tried, renamed);
      const std::string difference = emitted.ok()
                                         ? Difference(emitted.Splits(), c.expected.Splits())
                                         : emitted.reply.Describe();
      if (difference.empty()) continue;
      context.Fail("as " + tried->ToString() + " on " + c.name() +
                   ", after giving the classes other names, " + difference);
    }
  }
  if (!has_looked) context.Skip("it splits no classification");
}

// Whether the classes of the rows matter to the splits.
bool SeesLabels(CheckContext& context, const Spec& spec, const SplitCase& c) {
  SplitRoles shuffled = c.roles;
  context.RandomOf("labels").Shuffle(std::span(shuffled.labels));
  const Emitted emitted = Split(spec, shuffled);
  return !emitted.ok() || !Difference(emitted.Splits(), c.expected.Splits()).empty();
}

void SplitterClassOrder(CheckContext& context) {
  const SpecPtr spec = context.Defaults();
  bool has_looked = false, draws = false;
  for (const SplitCase& c : MakeSplitCases(context, *spec)) {
    if (c.shape.task != Task::kClassification) continue;
    if (c.expected.reply.n_random > 0 && SeesLabels(context, *spec, c)) {
      draws = true;
      continue;
    }
    has_looked = true;
    SplitRoles reversed = c.roles;
    std::reverse(reversed.class_names.begin(), reversed.class_names.end());
    for (std::int32_t& label : reversed.labels) {
      label = static_cast<std::int32_t>(reversed.class_names.size()) - 1 - label;
    }
    const Emitted emitted = Split(*spec, reversed);
    const std::string difference =
        emitted.ok() ? Difference(emitted.Splits(), c.expected.Splits()) : emitted.reply.Describe();
    if (difference.empty()) continue;
    context.Fail("on " + c.name() + ", after reversing the order of the classes, " + difference);
  }
  if (has_looked) return;
  context.Skip(draws ? "it draws rows at random class by class" : "it splits no classification");
}

constexpr Check kSplitLawChecks[] = {
    {"split-groups", CheckScope::kSplitter, 3, false, "fit-idempotent",
     "rows of one group never train and test in the same split", &SplitGroups},
    {"split-time-order", CheckScope::kSplitter, 3, false, "fit-idempotent",
     "a split by time does not depend on the order of the rows", &SplitTimeOrder},
    {"split-stratified", CheckScope::kSplitter, 4, false, "fit-idempotent",
     "with stratify = true every class has its share to within one row", &SplitStratified},
    {"class-names", CheckScope::kSplitter, 4, false, "fit-idempotent",
     "other class names change nothing", &SplitterClassNames},
    {"class-order", CheckScope::kSplitter, 4, false, "fit-idempotent",
     "another order of the classes changes nothing", &SplitterClassOrder},
};

}  // namespace

std::span<const Check> SplitLawChecks() { return kSplitLawChecks; }

}  // namespace crossfold::check
