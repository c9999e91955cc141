// Checks of what every splitter does: valid splits, and all that were requested.
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/library_random.h"
#include "check/proper_refusal.h"
#include "check/split_calls.h"
#include "engine/data/sha256.h"

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
  if ((context.component().determinism & CF_DET_SEEDED) == 0) {
    context.Skip("it does not declare CF_DET_SEEDED: no two calls need be equal");
  }
  const std::vector<SplitCase> cases = MakeSplitCases(context, *spec);
  if (!context.part().empty()) return context.Answer(DigestOfSplits(cases));
  for (const SplitCase& c : cases) {
    ReseedLibrary(77);  // whoever draws from the C library gets other numbers now
    const std::string difference = Difference(Split(*spec, c.roles), c.expected);
    if (difference.empty()) continue;
    context.Fail("splitting " + c.name() + " again with the same seed, " + difference);
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
      ProbeOptions options;
      options.seed = seed;
      const std::string difference = Difference(Split(*spec, c.roles, options), c.expected);
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
    const std::string overlap = FindOverlap(c.expected);
    if (!overlap.empty()) context.Fail("on " + c.name() + " " + overlap);
  }
}

void SplitCoverage(CheckContext& context) {
  for (const SplitCase& c : MakeSplitCases(context, *context.Defaults())) {
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
  const SpecPtr spec = context.Defaults();
  if (!spec->has_param("folds") && !spec->has_param("repeats")) {
    context.Skip("it has neither a parameter 'folds' nor 'repeats'");
  }
  for (const SplitCase& c : MakeSplitCases(context, *spec)) {
    if (spec->has_param("folds")) LookAtFolds(context, *spec, c);
    if (spec->has_param("repeats")) LookAtRepeats(context, *spec, c);
  }
}

constexpr Check kSplitterChecks[] = {
    {"split-smoke", CheckScope::kSplitter, 2, false, "descriptor-complete",
     "some kind of data is split, the others are refused with a reason", &SplitSmoke},
    {"fit-idempotent", CheckScope::kSplitter, 3, false, "split-smoke",
     "equal seeds give equal splits", &SplitterFitIdempotent},
    {"seed-used", CheckScope::kSplitter, 4, false, "fit-idempotent",
     "the seed matters if and only if random numbers are drawn", &SplitterSeedUsed},
    {"split-disjoint", CheckScope::kSplitter, 3, false, "split-smoke",
     "no split trains on a test row or tests a row twice", &SplitDisjoint},
    {"split-coverage", CheckScope::kSplitter, 3, false, "split-disjoint",
     "every fold and both sides of every split have rows", &SplitCoverage},
    {"split-never-lowers", CheckScope::kSplitter, 3, false, "split-coverage",
     "the requested number of folds and repeats, or a refusal", &SplitNeverLowers},
};

}  // namespace

std::span<const Check> SplitterChecks() { return kSplitterChecks; }

}  // namespace crossfold::check
