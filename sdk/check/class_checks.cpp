// Checks of class indices: they belong to the dataset, whatever the training rows hold.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/learner_cases.h"
#include "check/probe_data.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

std::vector<LearnerCase> LearnerClassifications(CheckContext& context) {
  std::vector<LearnerCase> cases;
  for (LearnerCase& c : MakeCases(context, /*full=*/false)) {
    if (c.n_classes() > 0) cases.push_back(std::move(c));
  }
  if (cases.empty()) context.Skip("it declares no classification");
  return cases;
}

// ---- one-class ----------------------------------------------------------------------------------

// A class that is predicted although no training row has it; "" = there is none.
std::string FindAbsentClass(const Predicted& prediction, const std::vector<bool>& is_absent) {
  for (std::size_t i = 0; i < prediction.labels.size(); ++i) {
    const std::int32_t label = prediction.labels[i];
    if (is_absent[static_cast<std::size_t>(label)]) {
      return "label " + std::to_string(i) + " is " + std::to_string(label) +
             ", a class that no training row has";
    }
  }
  for (std::size_t i = 0; i < prediction.probabilities.size(); ++i) {
    const std::size_t label = i % is_absent.size();
    if (!is_absent[label] || prediction.probabilities[i] == 0) continue;
    return "row " + std::to_string(i / is_absent.size()) + " has the probability " +
           FormatShortest(prediction.probabilities[i]) + " for class " + std::to_string(label) +
           ", which no training row has";
  }
  return "";
}

// A fit on the rows of some classes only.
void LookAtAbsence(CheckContext& context, const LearnerCase& c, const std::vector<bool>& is_absent,
                   const std::string& what) {
  RowIds kept;
  for (std::int64_t i = 0; i < c.n_rows(); ++i) {
    const std::int32_t label = c.data->labels()[static_cast<std::size_t>(i)];
    if (!is_absent[static_cast<std::size_t>(label)]) kept.push_back(i);
  }
  const Predicted prediction = RunOnRows(c, kept);
  std::string problem = FindProblem(prediction, c.n_classes());
  if (problem.empty() && prediction.reply.ok()) problem = FindAbsentClass(prediction, is_absent);
  if (problem.empty()) return;
  context.Fail("on a " + c.name() + ", after a fit on rows " + what + ", " + problem);
}

void LearnerOneClass(CheckContext& context) {
  for (const LearnerCase& c : LearnerClassifications(context)) {
    const auto k = static_cast<std::size_t>(c.n_classes());
    for (std::size_t label = 0; label < k; ++label) {
      std::vector<bool> is_absent(k, true);
      is_absent[label] = false;
      LookAtAbsence(context, c, is_absent, "of class " + std::to_string(label) + " only");
      if (k == 2) continue;
      is_absent.flip();
      LookAtAbsence(context, c, is_absent, "without class " + std::to_string(label));
    }
  }
}

// ---- class-order --------------------------------------------------------------------------------

// The same rows with other class names, and class c at the place to[c].
DataPtr WithClasses(const Dataset& data, const std::vector<std::string>& names,
                    const std::vector<std::int32_t>& to) {
  std::vector<Column> columns;
  for (const Column& column : data.columns()) {
    if (column.name != data.roles().target) {
      columns.push_back(column);
      continue;
    }
    std::vector<std::int32_t> codes;
    for (const std::int32_t label : data.labels()) {
      codes.push_back(to[static_cast<std::size_t>(label)]);
    }
    columns.push_back(Column::Categories(column.name, std::move(codes), names));
  }
  return Dataset::Rebuild(data, std::move(columns), data.roles());
}

// The prediction with class c again where to[c] was.
Predicted MovedBack(const Predicted& prediction, const std::vector<std::int32_t>& to) {
  Predicted back = prediction;
  const std::size_t k = to.size();
  for (std::int32_t& label : back.labels) {
    label = static_cast<std::int32_t>(std::find(to.begin(), to.end(), label) - to.begin());
  }
  for (std::size_t i = 0; i < back.probabilities.size(); ++i) {
    const auto place = static_cast<std::size_t>(to[i % k]);
    back.probabilities[i] = prediction.probabilities[i / k * k + place];
  }
  return back;
}

void LearnerClassOrder(CheckContext& context) {
  constexpr std::int64_t kRows = 61;  // so that the first class is the most frequent one
  for (const LearnerCase& usual : LearnerClassifications(context)) {
    DataShape shape = usual.shape;
    shape.n_rows = kRows;
    const LearnerCase c = MakeCase(context, shape);
    if (!c.expected.reply.ok()) continue;
    std::vector<std::string> names;
    std::vector<std::int32_t> same, reversed;
    for (std::int32_t label = 0; label < c.n_classes(); ++label) {
      same.push_back(label);
      reversed.push_back(static_cast<std::int32_t>(c.n_classes()) - 1 - label);
      names.push_back(std::string(1, static_cast<char>('z' - label)) + " \xc3\xa9");
    }
    const DataPtr renamed = WithClasses(*c.data, names, same);
    const std::string of_names =
        Difference(FitPredict(*c.spec, AllRows(renamed), AllRows(renamed)), c.expected);
    if (!of_names.empty()) {
      context.Fail("on a " + c.name() + ", after the classes got other names " + of_names);
      continue;
    }
    if (DependsOnSeed(c)) continue;  // it may draw for its classes in their order
    const DataPtr moved = WithClasses(*c.data, names, reversed);
    const Predicted prediction = FitPredict(*c.spec, AllRows(moved), AllRows(moved));
    const std::string of_order = FindLargeDifference(MovedBack(prediction, reversed), c.expected);
    if (of_order.empty()) continue;
    context.Warn("on a " + c.name() + ", after the order of the classes was reversed " + of_order);
  }
}

constexpr Check kClassChecks[] = {
    {"one-class", CheckScope::kLearner, 3, false, "fit-smoke",
     "a class that the training rows lack is not predicted, and the others keep their places",
     &LearnerOneClass},
    {"class-order", CheckScope::kLearner, 5, false, "fit-idempotent",
     "names of classes do not matter, and their order changes little", &LearnerClassOrder},
};

}  // namespace

std::span<const Check> ClassChecks() { return kClassChecks; }

}  // namespace crossfold::check
