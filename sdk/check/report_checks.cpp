// Checks of the laws of importance and check: what components say about models and data.
#include <algorithm>
#include <cmath>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/random_settings.h"
#include "check/subject.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

// ---- importance ---------------------------------------------------------------------------------

// The training rows of a subject in which the first feature alone says something about the target:
// the entries of the others are those of other rows.
class OneTellingFeature {
 public:
  OneTellingFeature(const Subject& subject, plugin::Random random)
      : rows_(RowTable::ForTraining(*subject.data, subject.train.rows.get())), table_(rows_.get()) {
    columns_.assign(table_.features, table_.features + table_.n_features);
    for (std::size_t j = 1; j < columns_.size(); ++j) {
      RowIds order = RowRange(0, table_.n_rows_total);
      random.Shuffle(std::span<std::int64_t>(order));
      cf_column& column = columns_[j];
      if (column.dtype == CF_F64) {
        column.data = Reordered(static_cast<const double*>(column.data), order, numbers_);
      } else if (column.dtype == CF_CAT32) {
        column.data = Reordered(static_cast<const std::int32_t*>(column.data), order, codes_);
      }
    }
    table_.features = columns_.data();
  }
  OneTellingFeature(const OneTellingFeature&) = delete;

  const cf_table& table() const { return table_; }
  void Reverse() { std::reverse(columns_.begin(), columns_.end()); }

 private:
  template <class T>
  static const void* Reordered(const T* from, const RowIds& order,
                               std::deque<std::vector<T>>& kept) {
    std::vector<T>& entries = kept.emplace_back();
    for (const std::int64_t row : order) entries.push_back(from[row]);
    return entries.data();
  }

  RowTable rows_;
  cf_table table_;
  std::vector<cf_column> columns_;
  std::deque<std::vector<double>> numbers_;
  std::deque<std::vector<std::int32_t>> codes_;
};

struct Importances {
  std::vector<double> numbers;  // and one more, which must not be written
  Reply reply;
};

Importances ImportancesOf(const Spec& spec, const cf_table& train) {
  const auto* table = spec.component().capability<cf_cap_importance>(CF_CAP_IMPORTANCE);
  Importances importances;
  const Made made = Fit(spec, train);
  importances.reply = made.reply;
  if (!made.reply.ok()) return importances;
  const auto n = static_cast<std::size_t>(train.n_features);
  importances.numbers.assign(n + 1, std::nan(""));
  importances.reply = ProbeCall(spec, {}, [&](const cf_call* call) {
    return table->importance(call, made.model.get(), importances.numbers.data(), n);
  });
  return importances;
}

// The place of the number that is farthest from 0.
std::size_t Largest(const std::vector<double>& numbers, std::size_t n) {
  std::size_t largest = 0;
  for (std::size_t j = 1; j < n; ++j) {
    if (std::abs(numbers[j]) > std::abs(numbers[largest])) largest = j;
  }
  return largest;
}

// A finite number for each feature and no other. False if not.
bool AreNumbers(CheckContext& context, const Subject& subject, const Importances& importances) {
  if (!importances.reply.ok()) {
    context.Fail("importance " + subject.Where() + " ended with " + importances.reply.Describe());
    return false;
  }
  const std::size_t n = importances.numbers.size() - 1;
  if (!std::isnan(importances.numbers[n])) {
    context.Fail("importance " + subject.Where() + " wrote more numbers than the " +
                 std::to_string(n) + " features");
    return false;
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (std::isfinite(importances.numbers[j])) continue;
    context.Fail("the importance of feature " + std::to_string(j) + " " + subject.Where() + " is " +
                 FormatShortest(importances.numbers[j]));
    return false;
  }
  return true;
}

// Equal numbers in another order would be too much to ask: equal splits of a tree go to the earlier
// feature, and draws depend on its place. The one feature that says something must stay the first.
void CapImportance(CheckContext& context) {
  if (context.component().capability<cf_cap_importance>(CF_CAP_IMPORTANCE) == nullptr) {
    context.Skip("it does not offer crossfold.importance/1");
  }
  for (const Subject& subject : UsableSubjects(context)) {
    OneTellingFeature telling(subject, context.RandomOf("order"));
    const Importances as_given = ImportancesOf(*subject.spec, telling.table());
    if (!AreNumbers(context, subject, as_given)) continue;
    telling.Reverse();
    const Importances back = ImportancesOf(*subject.spec, telling.table());
    if (!AreNumbers(context, subject, back)) continue;
    const std::size_t n = as_given.numbers.size() - 1;
    const std::size_t before = Largest(as_given.numbers, n), after = Largest(back.numbers, n);
    if (as_given.numbers[before] == 0 || before == n - 1 - after) continue;
    context.Fail("one feature " + subject.Where() + " reveals the target; of " + std::to_string(n) +
                 " features number " + std::to_string(before) +
                 " is the most important one, and with the columns in reverse order number " +
                 std::to_string(after) + " instead of " + std::to_string(n - 1 - before));
  }
}

// ---- check --------------------------------------------------------------------------------------

cf_shape ShapeWith(const DataShape& data, std::int64_t n_rows) {
  cf_shape shape{};
  shape.struct_size = sizeof(cf_shape);
  shape.n_rows = n_rows;
  shape.n_numeric = data.n_numeric;
  shape.n_categorical = data.n_categorical;
  shape.n_features = NumFeatures(data);
  shape.n_classes = data.task == Task::kRegression ? 0 : data.n_classes;
  return shape;
}

Reply AskCheck(const cf_cap_check& table, const Spec& spec, const cf_shape& shape) {
  return ProbeCall(spec, {}, [&](const cf_call* call) {
    return table.check(call, spec.args().data(), spec.args().size(), &shape);
  });
}

// A status that says that the setting is not possible with this number of rows, and not that the
// numbers are bad.
bool IsAboutShape(const Reply& reply) {
  return reply.status == CF_E_INVALID_PARAM || reply.status == CF_E_INVALID_ARGUMENT ||
         reply.status == CF_E_UNSUPPORTED;
}

void CompareCheck(CheckContext& context, const cf_cap_check& table, const Subject& subject,
                  const Spec& spec, std::int64_t n_rows) {
  const Reply said = AskCheck(table, spec, ShapeWith(subject.shape, n_rows));
  ProbeOptions patient;
  patient.cancel_at = 100;  // a fit that gets so far works
  Reply done = Fit(spec, RowsOf(subject.data, RowRange(0, n_rows)), patient).reply;
  if (done.status == CF_E_CANCELLED) done.status = CF_OK;
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

// A learner that takes one feature only says so before anything is fitted.
void CompareWidth(CheckContext& context, const cf_cap_check& table, const Subject& subject) {
  if (context.component().learner == nullptr || NumFeatures(subject.shape) > 1) return;
  DataShape wider = subject.shape;
  wider.n_numeric *= 3;
  wider.n_categorical *= 3;
  const Reply done = Fit(*subject.spec, AllRows(MakeData(wider, context.SeedOf("data")))).reply;
  if (done.ok() || !AskCheck(table, *subject.spec, ShapeWith(wider, wider.n_rows)).ok()) return;
  context.Fail("check() has nothing against 3 features " + subject.Where() +
               ", with which a fit ends with " + done.Describe());
}

void CapCheck(CheckContext& context) {
  const auto* table = context.component().capability<cf_cap_check>(CF_CAP_CHECK);
  if (table == nullptr) context.Skip("it does not offer crossfold.check/1");
  for (const Subject& subject : UsableSubjects(context)) {
    CompareWidth(context, *table, subject);
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

constexpr Check kReportChecks[] = {
    {"cap-importance", CheckScope::kLearner, 3, false, "fit-smoke",
     "importances are finite, one per feature, and follow the order of the columns",
     &CapImportance},
    {"cap-check", CheckScope::kLearner, 4, false, "params-out-of-range",
     "check() predicts for settings and numbers of rows what fit does", &CapCheck},
    {"cap-check", CheckScope::kTransform, 4, false, "params-out-of-range",
     "check() predicts for settings and numbers of rows what fit does", &CapCheck},
};

}  // namespace

std::span<const Check> ReportChecks() { return kReportChecks; }

}  // namespace crossfold::check
