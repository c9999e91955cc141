// Checks of what every splitter does: sound splits, of all that was asked for.
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/proper_refusal.h"
#include "check/split_calls.h"

namespace crossfold::check {
namespace {

SpecPtr Defaults(const CheckContext& context) { return Spec::Make(context.shared_component(), {}); }

// ---- split-smoke --------------------------------------------------------------------------------

// Some kind of data is split; what is not is refused with a reason.
void SplitSmoke(CheckContext& context) {
  const SpecPtr spec = Defaults(context);
  std::string refusal;
  std::vector<SplitShape> accepted;
  const auto look_at = [&](const SplitShape& shape) {
    const Emitted emitted = Split(*spec, MakeRoles(shape, context.SeedOf("data")));
    std::string problem = emitted.problem;
    if (problem.empty()) problem = FindImproper(emitted.reply);
    if (!problem.empty()) context.Fail("on " + Describe(shape) + " " + problem);
    if (emitted.ok()) accepted.push_back(shape);
    if (!emitted.reply.ok()) refusal = "on " + Describe(shape) + " " + emitted.reply.Describe();
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

// ---- split-disjoint, split-coverage -------------------------------------------------------------

void SplitDisjoint(CheckContext& context) {
  for (const SplitCase& c : MakeSplitCases(context, *Defaults(context))) {
    const std::string overlap = FindOverlap(c.expected);
    if (!overlap.empty()) context.Fail("on " + c.name() + " " + overlap);
  }
}

void SplitCoverage(CheckContext& context) {
  for (const SplitCase& c : MakeSplitCases(context, *Defaults(context))) {
    const std::string empty = FindEmptySide(c.expected);
    if (!empty.empty()) context.Fail("on " + c.name() + " " + empty);
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
    const std::string problem = FindImproper(emitted.reply);
    if (!problem.empty()) context.Fail(where + problem);
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
  const SpecPtr spec = Defaults(context);
  if (!spec->has_param("folds") && !spec->has_param("repeats")) {
    context.Skip("it has neither a parameter 'folds' nor 'repeats'");
  }
  for (const SplitCase& c : MakeSplitCases(context, *spec)) {
    if (spec->has_param("folds")) LookAtFolds(context, *spec, c);
    if (spec->has_param("repeats")) LookAtRepeats(context, *spec, c);
  }
}

constexpr Check kChecks[] = {
    {"split-smoke", CheckScope::kSplitter, 2, false, "descriptor-complete",
     "some kind of data is split, the others are refused with a reason", &SplitSmoke},
    {"split-disjoint", CheckScope::kSplitter, 3, false, "split-smoke",
     "no split trains on a test row or tests a row twice", &SplitDisjoint},
    {"split-coverage", CheckScope::kSplitter, 3, false, "split-disjoint",
     "every fold and both sides of every split have rows", &SplitCoverage},
    {"split-never-lowers", CheckScope::kSplitter, 3, false, "split-smoke",
     "as many folds and repeats as asked for, or a refusal", &SplitNeverLowers},
};

}  // namespace

std::span<const Check> SplitterChecks() { return kChecks; }

}  // namespace crossfold::check
