// Checks of what must not matter to a transform: chance, other models, how and in which order rows
// are given, and how often they count.
#include <cstdlib>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/table_copy.h"
#include "check/transform_cases.h"
#include "data/sha256.h"

namespace crossfold::check {
namespace {

// ---- fit-idempotent, seed-used, interleaved-instances -------------------------------------------

std::string DigestOf(const std::vector<TransformCase>& cases) {
  Sha256 hash;
  for (const TransformCase& c : cases) {
    for (const Applied::Column& column : c.expected.columns) {
      hash.AddText(column.name);
      hash.Add(column.entries.data(), column.entries.size() * sizeof(double));
    }
  }
  return ToHex(hash.Finish());
}

void FitIdempotent(CheckContext& context) {
  if ((context.component().determinism & CF_DET_SEEDED) == 0) {
    context.Skip("it does not declare CF_DET_SEEDED: no two fits need be equal");
  }
  const std::vector<TransformCase> cases = MakeTransformCases(context);
  if (!context.part().empty()) return context.Answer(DigestOf(cases));
  for (const TransformCase& c : cases) {
    std::srand(77);  // whoever draws from the C library gets other numbers now
    const std::string difference = Difference(c.Run(c.train.get(), c.rows.get()), c.expected);
    if (difference.empty()) continue;
    context.Fail("on a " + c.name() + ", after another fit with the same seed, " + difference);
  }
  if (context.has_failed()) return;
  const std::string there = context.AskOtherProcess("digest");
  if (!there.empty() && there != DigestOf(cases)) {
    context.Fail("the same seed and data gave other columns in a second process");
  }
}

void SeedUsed(CheckContext& context) {
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

void InterleavedInstances(CheckContext& context) {
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

// ---- input-untouched, view-equals-copy ----------------------------------------------------------

// Rows in no order and one of them twice.
RowIds SomeRows(CheckContext& context, std::int64_t n) {
  RowIds rows = RowRange(0, n);
  context.RandomOf("rows").Shuffle(std::span<std::int64_t>(rows));
  rows.resize(rows.size() * 3 / 4);
  rows.push_back(rows.front());
  return rows;
}

void InputUntouched(CheckContext& context) {
  for (const TransformCase& c : MakeTransformCases(context)) {
    const RowIds some = SomeRows(context, c.n_rows());
    const CopyOptions with_bitmap{nullptr, 3, false};
    TableCopy train(RowTable::ForTraining(*c.data, &some).get(), with_bitmap);
    TableCopy rows(RowTable::ForPrediction(*c.data, &some).get(), with_bitmap);
    const Bytes train_before = train.Contents(), rows_before = rows.Contents();
    c.Run(train.get(), rows.get());
    if (train.Contents() != train_before || rows.Contents() != rows_before) {
      const bool in_fit = train.Contents() != train_before;
      context.Fail("on a " + c.name() + (in_fit ? " fit" : " apply") +
                   " changed the table that it was given");
      return;
    }
    // A write that changes nothing ends the process here.
    train.MakeReadOnly();
    rows.MakeReadOnly();
    c.Run(train.get(), rows.get());
  }
}

void ViewEqualsCopy(CheckContext& context) {
  for (const TransformCase& c : MakeTransformCases(context)) {
    const RowIds some = SomeRows(context, c.n_rows());
    const RowTable train = RowTable::ForTraining(*c.data, &some);
    const RowTable rows = RowTable::ForPrediction(*c.data, &some);
    const RowIds positions = RowRange(0, train.get().n_rows);
    TableCopy train_copy(train.get(), {.positions = &positions});
    TableCopy rows_copy(rows.get(), {.positions = &positions});
    const Applied expected = c.Run(train_copy.get(), rows_copy.get());
    const CopyOptions shifted{nullptr, 5, false};
    TableCopy train_shifted(train.get(), shifted), rows_shifted(rows.get(), shifted);
    for (const auto& [what, train_view, rows_view] :
         {std::tuple<const char*, const cf_table*, const cf_table*>{"a row index into the columns",
                                                                    &train.get(), &rows.get()},
          {"bitmaps of present entries that begin at their bit 5 and a row index",
           &train_shifted.get(), &rows_shifted.get()}}) {
      const std::string difference = Difference(c.Run(*train_view, *rows_view), expected);
      if (difference.empty()) continue;
      context.Fail("on a " + c.name() + ", with " + what + " instead of copied rows " + difference);
      break;
    }
  }
}

// ---- row-order ----------------------------------------------------------------------------------

void RowOrder(CheckContext& context) {
  if ((context.component().determinism & CF_DET_ROW_ORDER) == 0) {
    context.Skip("it does not declare CF_DET_ROW_ORDER");
  }
  for (const TransformCase& c : MakeTransformCases(context)) {
    RowIds positions = RowRange(0, c.n_rows());
    context.RandomOf("order").Shuffle(std::span<std::int64_t>(positions));
    TableCopy train(c.train.get(), {.positions = &positions});
    const std::string difference = Difference(c.Run(train.get(), c.rows.get()), c.expected);
    if (difference.empty()) continue;
    context.Fail("on a " + c.name() + ", after permuting the training rows (not their ids) " +
                 difference);
  }
}

// ---- weights ------------------------------------------------------------------------------------

Applied RunWeighted(const TransformCase& c, const std::vector<double>& weights) {
  cf_table train = c.train.get();
  train.weights = weights.data();
  return c.Run(train, c.rows.get());
}

// Every row as often as its weight says.
Applied RunRepeated(const TransformCase& c, const std::vector<double>& weights) {
  RowIds positions;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    positions.insert(positions.end(), static_cast<std::size_t>(weights[i]),
                     static_cast<std::int64_t>(i));
  }
  cf_table unweighted = c.train.get();
  unweighted.weights = nullptr;
  TableCopy train(unweighted, {.positions = &positions});
  return c.Run(train.get(), c.rows.get());
}

std::vector<double> Every(std::int64_t n, std::int64_t step, double weight) {
  std::vector<double> weights(static_cast<std::size_t>(n), 1.0);
  for (std::size_t i = 0; i < weights.size(); i += static_cast<std::size_t>(step)) {
    weights[i] = weight;
  }
  return weights;
}

void Weights(CheckContext& context) {
  constexpr double kTolerance = 1e-6;  // of what is searched for step by step
  if ((context.component().transform->accepts & CF_ACCEPTS_WEIGHTS) == 0) {
    context.Skip("it does not declare CF_ACCEPTS_WEIGHTS: the host refuses such data");
  }
  for (const TransformCase& c : MakeTransformCases(context)) {
    if (DependsOnSeed(c)) continue;  // weights and repetitions draw differently
    for (const auto& [step, weight, what] :
         {std::tuple{1, 1.0, "all weights 1 instead of none"},
          std::tuple{4, 0.0, "weight 0 for every fourth row instead of leaving it out"},
          std::tuple{4, 2.0, "weight 2 for every fourth row instead of having it twice"}}) {
      const std::vector<double> weights = Every(c.n_rows(), step, weight);
      const std::string difference =
          Difference(RunWeighted(c, weights), RunRepeated(c, weights), kTolerance);
      if (difference.empty()) continue;
      context.Fail("on a " + c.name() + ", with " + what + " " + difference);
    }
  }
}

constexpr Check kChecks[] = {
    {"fit-idempotent", CheckScope::kTransform, 3, false, "transform-smoke",
     "the same seed and data give the same columns, also in another process", &FitIdempotent},
    {"seed-used", CheckScope::kTransform, 4, false, "fit-idempotent",
     "seeds matter if and only if random numbers are drawn", &SeedUsed},
    {"interleaved-instances", CheckScope::kTransform, 4, false, "fit-idempotent",
     "models that live at the same time do not change each other", &InterleavedInstances},
    {"input-untouched", CheckScope::kTransform, 3, false, "transform-smoke",
     "fit and apply write nothing into the tables that they get", &InputUntouched},
    {"view-equals-copy", CheckScope::kTransform, 3, false, "fit-idempotent",
     "rows by index, with repeats and shifted bitmaps, are as good as copied rows",
     &ViewEqualsCopy},
    {"row-order", CheckScope::kTransform, 3, false, "fit-idempotent",
     "the order of the training rows does not matter, if that is declared", &RowOrder},
    {"weights", CheckScope::kTransform, 3, false, "fit-idempotent",
     "a row of weight 0 is no row, of weight 2 is two, and weights of 1 are none", &Weights},
};

}  // namespace

std::span<const Check> TransformLawChecks() { return kChecks; }

}  // namespace crossfold::check
