// Checks of what every learner does: fit, predict and learn something.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/library_random.h"
#include "check/model_cases.h"
#include "check/probe_data.h"
#include "check/table_copy.h"
#include "engine/data/sha256.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

// ---- fit-smoke ----------------------------------------------------------------------------------

// A task with every combination of kinds of features that is accepted.
std::vector<DataShape> AllKinds(const Component& component, const DataShape& usual) {
  std::vector<DataShape> shapes;
  for (const auto& [n_numeric, n_categorical] : {std::pair{3, 0}, {0, 2}, {2, 2}}) {
    DataShape shape = usual;
    shape.n_numeric = n_numeric;
    shape.n_categorical = n_categorical;
    if (Accepts(component, shape)) shapes.push_back(shape);
  }
  return shapes;
}

// Reports what is wrong with shapes that are not refused. Returns the first refusal if all are
// refused, else "".
std::string TryAll(CheckContext& context, const std::vector<DataShape>& shapes) {
  std::string refusal;
  bool is_all_refused = true;
  for (const DataShape& shape : shapes) {
    const LearnerCase c = MakeCase(context, shape);
    if (IsRefused(c)) {
      if (refusal.empty()) refusal = c.expected.reply.Describe();
      continue;
    }
    is_all_refused = false;
    context.FailIf(c.Where() + " ", c.expected.reply.ok()
                                        ? FindUnusable(c.expected, c.n_classes())
                                        : "the call ended with " + c.expected.reply.Describe());
  }
  return is_all_refused ? refusal : "";
}

// For a learner of one feature: why its refusal of shapes with more features is not about their
// number, so that it may be another failure; "" = it is about the number. Such a refusal has the
// same message for other entries, and for still more features.
std::string FindExcuse(CheckContext& context, const std::vector<DataShape>& refused) {
  for (const DataShape& shape : refused) {
    const LearnerCase c = MakeCase(context, shape);
    const std::string said = c.expected.reply.Describe();
    const DataPtr other = MakeData(shape, context.SeedOf("other entries"));
    const Reply again = FitPredict(*c.spec, AllRows(other), AllRows(other)).reply;
    const std::string of = c.Where() + " of " + std::to_string(NumFeatures(shape)) + " features ";
    if (again.Describe() != said) {
      return of + "it refuses with " + said + ", and with other entries it ends with " +
             again.Describe();
    }
    DataShape wider = shape;
    wider.n_numeric *= 2;
    wider.n_categorical *= 2;
    if (!IsRefused(MakeCase(context, wider))) {
      return of + "it refuses with " + said + ", but not " + std::to_string(NumFeatures(wider)) +
             " features";
    }
  }
  return "";
}

// Every declared task gives a usable prediction for some kind of features; others may be refused.
// A method for one feature refuses more.
void FitSmoke(CheckContext& context) {
  const Component& component = context.component();
  std::string narrow, why;  // the tasks in which it takes one feature only
  for (const DataShape& usual : UsualShapes(component)) {
    const std::vector<DataShape> shapes = AllKinds(component, usual);
    const std::string refusal = TryAll(context, shapes);
    if (refusal.empty()) continue;
    if (!TryAll(context, OfOneFeature(component, usual)).empty()) {
      context.Fail("it declares " + Describe(usual) +
                   ", but refuses all data that were tried, of one, two and three features of "
                   "each kind: " +
                   refusal);
      continue;
    }
    context.FailIf("", FindExcuse(context, shapes));
    narrow += (narrow.empty() ? "" : ", ") + Describe(usual);
    why = refusal;
  }
  if (!narrow.empty()) context.Note("it takes one feature only (" + narrow + "): " + why);
}

// ---- beats-baseline -----------------------------------------------------------------------------

// Training and test rows, with each class in proportion.
struct Halves {
  RowIds train, test;
  explicit Halves(const LearnerCase& c) {
    const std::int64_t block = std::max<std::int64_t>(c.n_classes(), 1);
    for (std::int64_t i = 0; i < c.n_rows(); ++i) (i / block % 2 == 0 ? train : test).push_back(i);
  }
};

// The share of wrong labels, or the mean of the squared errors.
double ErrorOf(const LearnerCase& c, const RowIds& rows, const Predicted& prediction) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<std::size_t>(rows[i]);
    if (c.n_classes() > 0) {
      sum += prediction.labels[i] != c.data->labels()[row] ? 1 : 0;
    } else {
      const double miss = prediction.values[i] - c.data->values()[row];
      sum += miss * miss;
    }
  }
  return sum / static_cast<double>(rows.size());
}

// The error of predicting the majority, or the mean of the training rows. All classes are equally
// frequent, so any of them is the majority.
double ErrorOfBaseline(const LearnerCase& c, const Halves& halves) {
  Predicted constant;
  if (c.n_classes() > 0) {
    constant.labels.assign(halves.test.size(), 0);
  } else {
    double sum = 0;
    for (const std::int64_t row : halves.train) {
      sum += c.data->values()[static_cast<std::size_t>(row)];
    }
    constant.values.assign(halves.test.size(), sum / static_cast<double>(halves.train.size()));
  }
  return ErrorOf(c, halves.test, constant);
}

// Whether the predictions of the test rows change if their features are exchanged, with unchanged
// places and ids.
bool UsesFeatures(const LearnerCase& c, const RowIds& test, const cf_table& train,
                  const Predicted& prediction) {
  RowIds others = test;
  std::reverse(others.begin(), others.end());
  std::rotate(others.begin(), others.begin() + 1, others.end());
  TableCopy swapped(c.rows.get(), {.positions = &others});
  swapped.get().row_ids = test.data();
  return !Difference(c.Run(train, swapped.get()), prediction).empty();
}

// The error of every task is clearly below that of a constant.
void BeatsBaseline(CheckContext& context) {
  constexpr double kShare = 0.75;  // of the baseline's error; the data are much easier than that
  constexpr double kWorse = 1.25;
  bool is_blind = false;
  for (const LearnerCase& usual : MakeCases(context, /*full=*/false)) {
    DataShape shape = usual.shape;
    shape.n_rows = 120;
    const LearnerCase c = MakeCase(context, shape);
    const Halves halves(c);
    TableCopy train(c.train.get(), {.positions = &halves.train});
    TableCopy test(c.rows.get(), {.positions = &halves.test});
    const Predicted prediction = c.Run(train.get(), test.get());
    if (!prediction.reply.ok()) continue;
    const double error = ErrorOf(c, halves.test, prediction);
    const double baseline = ErrorOfBaseline(c, halves);
    if (error <= kShare * baseline) continue;
    if (error <= kWorse * baseline && !UsesFeatures(c, halves.test, train.get(), prediction)) {
      is_blind = true;
      continue;
    }
    const std::string measure = c.n_classes() > 0 ? "share of wrong labels" : "mean squared error";
    context.Fail("on an easy " + Describe(shape) + " the " + measure + " is " +
                 FormatShortest(error) + "; a constant has " + FormatShortest(baseline));
  }
  if (is_blind) context.Skip("it does not use the features");
}

// Checks of equal and different seeds: the same bytes again, and no other source of randomness.

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
  context.NeedsDeterminism(CF_DET_SEEDED, "CF_DET_SEEDED: no two fits need be equal");
  const std::vector<LearnerCase> cases = MakeCases(context, /*full=*/true);
  if (!context.part().empty()) return context.Answer(Lines(DigestsOf(cases)));
  for (const LearnerCase& c : cases) {
    const Made made = Fit(*c.spec, c.train.get());
    for (const char* what : {"another fit with the same seed", "another prediction of one model"}) {
      const Predicted again = Predict(*c.spec, made.model.get(), c.rows.get(), c.n_classes());
      if (context.FailIf(c.Where() + ", after " + what + " ", Difference(again, c.expected))) break;
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
    context.Fail(cases[i].Where() + " the same seed and data gave other bytes in a second process");
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
  context.NeedsDeterminism(CF_DET_SEEDED, "CF_DET_SEEDED: no two fits need be equal");
  constexpr int kWaitingStrictness = 7;
  SeedEffects effects;
  for (const LearnerCase& c : MakeCases(context, /*full=*/false)) {
    for (int round = 1; round <= 2; ++round) {
      const Disturbance disturbance(round,
                                    context.strictness() >= kWaitingStrictness && round == 2);
      if (context.FailIf(c.Where() +
                             ", later, with other random numbers of the C library and another "
                             "heap, but the same seed, ",
                         Difference(c.Run(c.train.get(), c.rows.get()), c.expected))) {
        break;
      }
    }
    TrySeeds(context, c, effects);
  }
  if (effects.draws && (context.component().determinism & CF_DET_UNSEEDED) != 0) {
    context.Warn("it declares CF_DET_UNSEEDED, but draws numbers in fit");
  } else if (effects.draws && !effects.differs) {
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
    if (context.FailIf(
            c.Where() + ", after another model was fitted and used before this one predicted, ",
            Difference(Predict(*c.spec, made.model.get(), c.rows.get(), c.n_classes()),
                       c.expected))) {
      continue;
    }
    context.FailIf(c.Where() + ", after another model had predicted in between, ",
                   Difference(Predict(*other.spec, second.model.get(), AllRows(data)), of_second));
  }
}

constexpr Check kFitChecks[] = {
    {"fit-smoke", kLearner, 2, false, "descriptor-complete",
     "every declared task gives a usable prediction", &FitSmoke},
    {"beats-baseline", kLearner, 5, false, "fit-smoke",
     "it predicts better than a constant on easy data", &BeatsBaseline},
    {"fit-idempotent", kLearner, 3, false, "fit-smoke",
     "the same seed and data give the same bytes, also in another process", &LearnerFitIdempotent},
    {"seed-used", kLearner, 4, false, "fit-idempotent",
     "the seed is the only source of chance, and matters as declared", &LearnerSeedUsed},
    {"interleaved-instances", kLearner, 4, false, "fit-idempotent",
     "models that exist at the same time do not change each other", &LearnerInterleavedInstances},
};

}  // namespace

std::span<const Check> FitChecks() { return kFitChecks; }

}  // namespace crossfold::check
