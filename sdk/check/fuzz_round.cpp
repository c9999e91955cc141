#include "check/fuzz_round.h"

#include <cstdio>
#include <string>

#include "check/check_context.h"
#include "check/error_reply.h"
#include "check/fuzz_model.h"
#include "check/fuzz_source.h"
#include "check/metric_calls.h"
#include "check/random_settings.h"
#include "check/split_calls.h"

namespace crossfold::check {
namespace {

constexpr int kSteps = 30;

// A line for every step, if it is wanted: what stands last is what did not come back.
void Tell(const CheckContext& context, const std::string& step) {
  if (context.part().empty()) return;
  std::fputs((step + "\n").c_str(), stdout);
  std::fflush(stdout);
}

void PlayWithModels(CheckContext& context) {
  ModelPlay play(context, [&](const std::string& step) { Tell(context, step); });
  for (int i = 0; i < kSteps && !context.has_failed(); ++i) play.Step();
}

SplitShape DrawSplitShape(plugin::Random& random) {
  constexpr std::int64_t kRows[] = {1, 2, 5, 20, 57, 100};
  constexpr Task kTasks[] = {Task::kNone, Task::kClassification, Task::kRegression};
  SplitShape shape;
  shape.n_rows = kRows[random.Below(6)];
  shape.task = kTasks[random.Below(3)];
  shape.n_classes = 2 + static_cast<std::int64_t>(random.Below(3));
  shape.groups = random.Below(2) == 0;
  shape.time = random.Below(2) == 0;
  shape.folds = random.Below(2) == 0;
  return shape;
}

// A host refuses by name what lacks a role, before any call.
bool HasWhatItNeeds(const cf_splitter& splitter, const SplitShape& shape) {
  const std::uint32_t has = (shape.task != Task::kNone ? std::uint32_t{CF_SPLIT_USES_TARGET} : 0) |
                            (shape.groups ? std::uint32_t{CF_SPLIT_USES_GROUPS} : 0) |
                            (shape.time ? std::uint32_t{CF_SPLIT_USES_TIME} : 0) |
                            (shape.folds ? std::uint32_t{CF_SPLIT_USES_FOLDS} : 0);
  return (splitter.uses & ~has) == 0;
}

void Splits(CheckContext& context) {
  plugin::Random random = context.RandomOf("steps");
  for (int i = 0; i < kSteps && !context.has_failed(); ++i) {
    const SplitShape shape = DrawSplitShape(random);
    const SpecPtr spec = DrawSpec(context.shared_component(), random);
    if (!HasWhatItNeeds(*context.component().splitter, shape)) continue;
    ProbeOptions options;
    options.seed = random.Next();
    const std::string what = spec->ToString() + " on " + Describe(shape);
    Tell(context, what);
    const Emitted emitted = Split(*spec, MakeRoles(shape, random.Next()), options);
    const std::string problem = emitted.reply.ok() ? emitted.problem : FindBadError(emitted.reply);
    if (!problem.empty()) context.Fail(what + ": " + problem);
  }
}

void Scores(CheckContext& context) {
  plugin::Random random = context.RandomOf("steps");
  const std::vector<MetricShape> shapes = MetricShapes(context.component());
  for (int i = 0; i < kSteps && !context.has_failed() && !shapes.empty(); ++i) {
    MetricShape shape = shapes[random.Below(shapes.size())];
    shape.n_rows = 1 + static_cast<std::int64_t>(random.Below(60));
    const SpecPtr spec = DrawSpec(context.shared_component(), random);
    MetricRows rows = Predict(MakeTruth(shape, random.Next()), random.Uniform(), random.Next());
    RowIds chosen;
    for (std::uint64_t n = random.Below(80); n > 0; --n) {
      chosen.push_back(
          static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(rows.size()))));
    }
    const std::string what =
        spec->ToString() + " of " + std::to_string(chosen.size()) + " rows of a " + Describe(shape);
    Tell(context, what);
    const Scored scored = Score(*spec, rows.Chosen(chosen));
    std::string problem = FindUnusable(scored, *context.component().metric);
    const bool is_undefined = scored.reply.status == CF_E_UNDEFINED && scored.reply.said_why;
    if (problem.empty() && !scored.ok() && !is_undefined) problem = FindBadError(scored.reply);
    if (!problem.empty()) context.Fail(what + ": " + problem);
  }
}

void ReadsOfDamagedFiles(CheckContext& context) {
  SourcePlay play(context, [&](const std::string& step) { Tell(context, step); });
  for (int i = 0; i < kSteps && !context.has_failed(); ++i) play.Step();
}

constexpr Check kRounds[] = {
    {kFuzzRound, CheckScope::kLearner, 1, false, "", "random calls", &PlayWithModels},
    {kFuzzRound, CheckScope::kTransform, 1, false, "", "random calls", &PlayWithModels},
    {kFuzzRound, CheckScope::kSplitter, 1, false, "", "random calls", &Splits},
    {kFuzzRound, CheckScope::kMetric, 1, false, "", "random calls", &Scores},
    {kFuzzRound, CheckScope::kSource, 1, false, "", "random calls", &ReadsOfDamagedFiles},
};

}  // namespace

std::span<const Check> FuzzRounds() { return kRounds; }

}  // namespace crossfold::check
