// Checks of equal and different seeds: the same bytes again, and no other source of randomness.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/learner_cases.h"
#include "check/library_random.h"
#include "check/probe_data.h"
#include "engine/data/sha256.h"

namespace crossfold::check {
namespace {

void NeedSeeded(CheckContext& context) {
  if ((context.component().determinism & CF_DET_SEEDED) != 0) return;
  context.Skip("it does not declare CF_DET_SEEDED: no two fits need be equal");
}

// ---- fit-idempotent -----------------------------------------------------------------------------

template <class T>
std::string_view BytesOf(const std::vector<T>& entries) {
  return {reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(T)};
}

// A digest of every case's predictions, one per line.
std::vector<std::string> DigestsOf(const std::vector<LearnerCase>& cases) {
  std::vector<std::string> digests;
  for (const LearnerCase& c : cases) {
    Sha256 hash;
    hash.AddText(BytesOf(c.expected.labels));
    hash.AddText(BytesOf(c.expected.values));
    hash.AddText(BytesOf(c.expected.probabilities));
    hash.AddText(c.expected.reply.Describe());
    digests.push_back(ToHex(hash.Finish()));
  }
  return digests;
}

std::string Lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// The same seed and data, again and in another process.
void LearnerFitIdempotent(CheckContext& context) {
  NeedSeeded(context);
  const std::vector<LearnerCase> cases = MakeCases(context, /*full=*/true);
  if (!context.part().empty()) return context.Answer(Lines(DigestsOf(cases)));
  for (const LearnerCase& c : cases) {
    const Made made = Fit(*c.spec, c.train.get());
    for (const char* what : {"another fit with the same seed", "another prediction of one model"}) {
      const Predicted again = Predict(*c.spec, made.model.get(), c.rows.get(), c.n_classes());
      const std::string difference = Difference(again, c.expected);
      if (difference.empty()) continue;
      context.Fail("on a " + c.name() + ", after " + what + " " + difference);
      break;
    }
  }
  if (context.has_failed()) return;
  const std::string here = Lines(DigestsOf(cases));
  const std::string there = context.AskOtherProcess("digests");
  if (there.empty() || here == there) return;
  const std::size_t line_size = here.size() / cases.size();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (there.size() == here.size() &&
        there.compare(i * line_size, line_size, here, i * line_size, line_size) == 0) {
      continue;
    }
    context.Fail("on a " + cases[i].name() +
                 " the same seed and data gave other bytes in a second process");
  }
}

// ---- seed-used ----------------------------------------------------------------------------------

// Changes possible sources of randomness: rand(), drand48(), addresses, and the clock.
class Disturbance {
 public:
  explicit Disturbance(int round, bool wait) {
    ReseedLibrary(static_cast<unsigned>(round) * 7919u + 17u);
    for (std::size_t size = 16; size <= std::size_t{1} << 18; size *= 2) {
      blocks_.push_back(std::make_unique<char[]>(size + static_cast<std::size_t>(round) * 64));
    }
    // Most programs make seeds from whole seconds.
    std::this_thread::sleep_for(std::chrono::milliseconds(wait ? 1050 : 3));
  }

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
};

void LearnerSeedUsed(CheckContext& context) {
  NeedSeeded(context);
  constexpr int kWaitingStrictness = 7;
  const bool is_unseeded = (context.component().determinism & CF_DET_UNSEEDED) != 0;
  const std::vector<LearnerCase> cases = MakeCases(context, /*full=*/false);
  bool draws = false, differs = false;
  for (const LearnerCase& c : cases) {
    for (int round = 1; round <= 2; ++round) {
      const Disturbance disturbance(round,
                                    context.strictness() >= kWaitingStrictness && round == 2);
      const std::string difference = Difference(c.Run(c.train.get(), c.rows.get()), c.expected);
      if (difference.empty()) continue;
      context.Fail("on a " + c.name() +
                   ", later, with other random numbers of the C library and another heap, but the "
                   "same seed, " +
                   difference);
      break;
    }
    for (std::uint64_t seed = 2; seed <= 4; ++seed) {
      ProbeOptions options;
      options.seed = seed;
      const Made made = Fit(*c.spec, c.train.get(), options);
      draws = draws || made.reply.n_random > 0;
      const std::string difference =
          Difference(c.Run(c.train.get(), c.rows.get(), options), c.expected);
      if (difference.empty()) continue;
      differs = true;
      if (!is_unseeded) break;
      context.Fail("on a " + c.name() + " it declares CF_DET_UNSEEDED, but with the seed " +
                   std::to_string(seed) + " instead of 1 " + difference);
      break;
    }
  }
  if (is_unseeded && draws) {
    context.Warn("it declares CF_DET_UNSEEDED, but draws numbers in fit");
  } else if (draws && !differs) {
    context.Warn(
        "it draws numbers in fit, but the seeds 1 to 4 give the same predictions; if the seed does "
        "not matter, declare CF_DET_UNSEEDED");
  }
}

// ---- interleaved-instances ----------------------------------------------------------------------

// Models that exist at the same time do not affect each other.
void LearnerInterleavedInstances(CheckContext& context) {
  const std::vector<LearnerCase> cases = MakeCases(context, /*full=*/true);
  for (const LearnerCase& c : cases) {
    // Other rows, and another number of classes where there is another case.
    const LearnerCase& other = cases[&c == &cases.back() ? 0 : &c - cases.data() + 1];
    DataShape shape = other.shape;
    shape.n_rows = 45;
    shape.n_numeric += shape.n_numeric > 1 ? 1 : 0;  // a method for one feature takes no second
    const DataPtr data = MakeData(shape, context.SeedOf("another model"));
    const Made made = Fit(*c.spec, c.train.get());
    const Made second = Fit(*other.spec, AllRows(data));
    if (!made.reply.ok() || !second.reply.ok()) continue;
    const Predicted of_second = Predict(*other.spec, second.model.get(), AllRows(data));
    const std::string difference =
        Difference(Predict(*c.spec, made.model.get(), c.rows.get(), c.n_classes()), c.expected);
    if (!difference.empty()) {
      context.Fail("on a " + c.name() +
                   ", after another model was fitted and used before this one predicted, " +
                   difference);
      continue;
    }
    const std::string later =
        Difference(Predict(*other.spec, second.model.get(), AllRows(data)), of_second);
    if (later.empty()) continue;
    context.Fail("on a " + c.name() + ", after another model had predicted in between, " + later);
  }
}

constexpr Check kSeedChecks[] = {
    {"fit-idempotent", CheckScope::kLearner, 3, false, "fit-smoke",
     "the same seed and data give the same bytes, also in another process", &LearnerFitIdempotent},
    {"seed-used", CheckScope::kLearner, 4, false, "fit-idempotent",
     "the seed is the only source of chance, and matters as declared", &LearnerSeedUsed},
    {"interleaved-instances", CheckScope::kLearner, 4, false, "fit-idempotent",
     "models that exist at the same time do not change each other", &LearnerInterleavedInstances},
};

}  // namespace

std::span<const Check> SeedChecks() { return kSeedChecks; }

}  // namespace crossfold::check
