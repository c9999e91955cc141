// Checks of the laws of importance, check and memory: what components say about models and data.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/memory_limit.h"
#include "check/random_settings.h"
#include "check/subject.h"
#include "text/format_number.h"

namespace crossfold::check {
namespace {

// ---- importance ---------------------------------------------------------------------------------

struct Importances {
  std::vector<double> numbers;
  Reply reply;
  bool uses_randomness = false;
};

Importances ImportancesOf(const Spec& spec, const cf_table& train) {
  const auto* table = spec.component().capability<cf_cap_importance>(CF_CAP_IMPORTANCE);
  Importances importances;
  const Made made = Fit(spec, train);
  importances.reply = made.reply;
  importances.uses_randomness = made.reply.n_random > 0;
  if (!made.reply.ok()) return importances;
  const auto n = static_cast<std::size_t>(train.n_features);
  // One more, which nobody may write.
  importances.numbers.assign(n + 1, std::nan(""));
  importances.reply = ProbeCall({}, [&](const cf_call* call) {
    return table->importance(call, made.model.get(), importances.numbers.data(), n);
  });
  return importances;
}

void CapImportance(CheckContext& context) {
  constexpr double kTolerance = 1e-6;  // of iterative methods, whose sums are in another order
  if (context.component().capability<cf_cap_importance>(CF_CAP_IMPORTANCE) == nullptr) {
    context.Skip("it does not offer crossfold.importance/1");
  }
  for (const Subject& subject : UsableSubjects(context)) {
    const RowTable rows = RowTable::ForTraining(*subject.data, subject.train.rows.get());
    Importances as_given = ImportancesOf(*subject.spec, rows.get());
    if (!as_given.reply.ok()) {
      context.Fail("importance " + subject.Where() + " ended with " + as_given.reply.Describe());
      continue;
    }
    if (!std::isnan(as_given.numbers.back())) {
      context.Fail("importance " + subject.Where() + " wrote more numbers than there are features");
    }
    as_given.numbers.pop_back();
    for (std::size_t j = 0; j < as_given.numbers.size(); ++j) {
      if (std::isfinite(as_given.numbers[j])) continue;
      context.Fail("the importance of feature " + std::to_string(j) + " " + subject.Where() +
                   " is " + FormatShortest(as_given.numbers[j]));
    }
    // Draws that depend on the place of a feature are another fit, not another order. The method
    // itself may also break ties by place, which our data have none of.
    if (as_given.uses_randomness || subject.spec->component().determinism == 0) continue;
    cf_table reversed = rows.get();
    const std::vector<cf_column> columns(
        std::make_reverse_iterator(reversed.features + reversed.n_features),
        std::make_reverse_iterator(reversed.features));
    reversed.features = columns.data();
    Importances back = ImportancesOf(*subject.spec, reversed);
    if (!back.reply.ok()) continue;
    back.numbers.pop_back();
    std::reverse(back.numbers.begin(), back.numbers.end());
    const std::string difference =
        Difference("importance", back.numbers, as_given.numbers, kTolerance);
    if (difference.empty()) continue;
    context.Fail("with the columns in reverse order " + subject.Where() + ", " + difference);
  }
}

// ---- check --------------------------------------------------------------------------------------

cf_shape ShapeOf(const Subject& subject, std::int64_t n_rows) {
  cf_shape shape{};
  shape.struct_size = sizeof(cf_shape);
  shape.n_rows = n_rows;
  shape.n_numeric = subject.shape.n_numeric;
  shape.n_categorical = subject.shape.n_categorical;
  shape.n_features = shape.n_numeric + shape.n_categorical;
  shape.n_classes = subject.data->num_classes();
  return shape;
}

// A status that says "not with such a setting on so many rows", and not that the numbers are bad.
bool IsAboutShape(const Reply& reply) {
  return reply.status == CF_E_INVALID_PARAM || reply.status == CF_E_INVALID_ARGUMENT ||
         reply.status == CF_E_UNSUPPORTED;
}

void CompareCheck(CheckContext& context, const cf_cap_check& table, const Subject& subject,
                  const Spec& spec, std::int64_t n_rows) {
  const cf_shape shape = ShapeOf(subject, n_rows);
  const Reply said = ProbeCall({}, [&](const cf_call* call) {
    return table.check(call, spec.args().data(), spec.args().size(), &shape);
  });
  const Reply done = Fit(spec, RowsOf(subject.data, RowRange(0, n_rows))).reply;
  const std::string of = " of " + spec.ToString() + " on " + std::to_string(n_rows) + " rows ";
  if (said.ok() && IsAboutShape(done)) {
    context.Fail("check() has nothing against a fit" + of + subject.Where() + ", which ends with " +
                 done.Describe());
  }
  if (!said.ok() && done.ok()) {
    context.Fail("check() refuses a fit" + of + subject.Where() + " (" + said.Describe() +
                 "), which works");
  }
}

void CapCheck(CheckContext& context) {
  const auto* table = context.component().capability<cf_cap_check>(CF_CAP_CHECK);
  if (table == nullptr) context.Skip("it does not offer crossfold.check/1");
  for (const Subject& subject : UsableSubjects(context)) {
    std::vector<SpecPtr> specs = SpecsAtBounds(context.shared_component());
    plugin::Random random = context.RandomOf("settings");
    for (int i = 0; i < 10; ++i) specs.push_back(DrawSpec(context.shared_component(), random));
    for (const SpecPtr& spec : specs) {
      for (const std::int64_t n_rows : {1, 2, 4, 7, 40}) {
        CompareCheck(context, *table, subject, *spec, n_rows);
        if (context.has_failed()) return;
      }
    }
  }
}

// ---- memory -------------------------------------------------------------------------------------

void CapMemory(CheckContext& context) {
  constexpr std::uint64_t kFewest = 16 * 1024;  // less drowns in what the allocator rounds up
  const auto* table = context.component().capability<cf_cap_memory>(CF_CAP_MEMORY);
  if (table == nullptr) context.Skip("it does not offer crossfold.memory/1");
  bool has_compared = false;
  for (const Subject& subject : UsableSubjects(context, 3000)) {
    Fit(*subject.spec, subject.train);  // what is made once is made before
    const std::uint64_t before = AllocatedBytes();
    const Made made = Fit(*subject.spec, subject.train);
    const std::uint64_t held = AllocatedBytes() - before;
    if (made.model == nullptr || AllocatedBytes() < before || held < kFewest) continue;
    has_compared = true;
    const std::uint64_t told = table->model_bytes(made.model.get());
    if (told >= held / 2 && told <= held * 2) continue;
    context.Warn("model_bytes " + subject.Where() + " says " + std::to_string(told) +
                 ", the allocator gave " + std::to_string(held));
  }
  if (!has_compared) context.Skip("its models are too small to be measured");
}

constexpr Check kChecks[] = {
    {"cap-importance", CheckScope::kLearner, 3, false, "fit-smoke",
     "importances are finite, one a feature, and follow the order of the columns", &CapImportance},
    {"cap-check", CheckScope::kLearner, 3, false, "fit-smoke",
     "what check() says about settings and numbers of rows is what fit does", &CapCheck},
    {"cap-memory", CheckScope::kLearner, 4, true, "fit-smoke",
     "what a model says to hold is within half and twice of what the allocator gave", &CapMemory},
};

}  // namespace

std::span<const Check> ReportChecks() { return kChecks; }

}  // namespace crossfold::check
