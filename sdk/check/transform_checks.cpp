// Checks of what every transform does, repeated and next to others: usable columns.
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/library_random.h"
#include "check/transform_cases.h"
#include "engine/data/sha256.h"

namespace crossfold::check {
namespace {

// ---- transform-smoke ----------------------------------------------------------------------------

// Some of the declared data must become usable columns; data that the settings rule out may be
// refused.
void TransformSmoke(CheckContext& context) {
  bool works = false;
  std::string refusal;
  for (const DataShape& shape : TransformShapes(context.component())) {
    const TransformCase c = MakeTransformCase(context, shape);
    const std::string problem = FindProblem(c.expected, shape.missing > 0);
    if (!problem.empty()) context.Fail("on a " + c.name() + " " + problem);
    works = works || c.expected.reply.ok();
    if (!c.expected.reply.ok()) refusal = "on a " + c.name() + " " + c.expected.reply.Describe();
  }
  if (!works && !context.has_failed()) context.Fail("it transforms no data at all: " + refusal);
}

// ---- fit-idempotent, seed-used, interleaved-instances -------------------------------------------

std::string DigestOfColumns(const std::vector<TransformCase>& cases) {
  Sha256 hash;
  for (const TransformCase& c : cases) {
    for (const Applied::Column& column : c.expected.columns) {
      hash.AddText(column.name);
      hash.Add(column.entries.data(), column.entries.size() * sizeof(double));
    }
  }
  return ToHex(hash.Finish());
}

void TransformFitIdempotent(CheckContext& context) {
  if ((context.component().determinism & CF_DET_SEEDED) == 0) {
    context.Skip("it does not declare CF_DET_SEEDED: no two fits need be equal");
  }
  const std::vector<TransformCase> cases = MakeTransformCases(context);
  if (!context.part().empty()) return context.Answer(DigestOfColumns(cases));
  for (const TransformCase& c : cases) {
    ReseedLibrary(77);  // whoever draws from the C library gets other numbers now
    const std::string difference = Difference(c.Run(c.train.get(), c.rows.get()), c.expected);
    if (difference.empty()) continue;
    context.Fail("on a " + c.name() + ", after another fit with the same seed, " + difference);
  }
  if (context.has_failed()) return;
  const std::string there = context.AskOtherProcess("digest");
  if (!there.empty() && there != DigestOfColumns(cases)) {
    context.Fail("the same seed and data gave other columns in a second process");
  }
}

void TransformSeedUsed(CheckContext& context) {
  const bool is_unseeded = (context.component().determinism & CF_DET_UNSEEDED) != 0;
  bool draws = false, differs = false;
  for (const TransformCase& c : MakeTransformCases(context)) {
    for (std::uint64_t seed = 2; seed <= 4; ++seed) {
      ProbeOptions options;
      options.seed = seed;
      draws = draws || Fit(*c.spec, c.train.get(), options).reply.n_random > 0;
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
  if (draws && !differs) {
    context.Warn("it draws numbers in fit, but the seeds 1 to 4 give the same columns");
  }
}

void TransformInterleavedInstances(CheckContext& context) {
  const std::vector<TransformCase> cases = MakeTransformCases(context);
  for (const TransformCase& c : cases) {
    DataShape shape = c.shape;
    shape.n_rows = 45;
    (shape.n_numeric > 0 ? shape.n_numeric : shape.n_categorical) += 1;
    const DataPtr data = MakeData(shape, context.SeedOf("another model"));
    const Made made = Fit(*c.spec, c.train.get());
    const Made second = Fit(*c.spec, AllRows(data));
    if (!made.reply.ok() || !second.reply.ok()) continue;
    const Applied of_second = Apply(*c.spec, second.model.get(), AllRows(data));
    const std::string first =
        Difference(Apply(*c.spec, made.model.get(), c.rows.get()), c.expected);
    const std::string later =
        Difference(Apply(*c.spec, second.model.get(), AllRows(data)), of_second);
    if (first.empty() && later.empty()) continue;
    context.Fail("on a " + c.name() + ", after another model was fitted and applied in between, " +
                 (first.empty() ? later : first));
  }
}

constexpr Check kTransformChecks[] = {
    {"transform-smoke", CheckScope::kTransform, 2, false, "descriptor-complete",
     "declared kinds of data become usable columns", &TransformSmoke},
    {"fit-idempotent", CheckScope::kTransform, 3, false, "transform-smoke",
     "the same seed and data give the same columns, also in another process",
     &TransformFitIdempotent},
    {"seed-used", CheckScope::kTransform, 4, false, "fit-idempotent",
     "the seed matters if and only if random numbers are drawn", &TransformSeedUsed},
    {"interleaved-instances", CheckScope::kTransform, 4, false, "fit-idempotent",
     "models that exist at the same time do not change each other", &TransformInterleavedInstances},
};

}  // namespace

std::span<const Check> TransformChecks() { return kTransformChecks; }

}  // namespace crossfold::check
