#include "check/learner_cases.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "check/table_copy.h"

namespace crossfold::check {

LearnerCase MakeCase(CheckContext& context, const DataShape& shape) {
  const DataPtr data = MakeData(shape, context.SeedOf("data"));
  LearnerCase made{context.Defaults(),
                   shape,
                   data,
                   RowTable::ForTraining(*data, nullptr),
                   RowTable::ForPrediction(*data, nullptr),
                   {}};
  made.expected = made.Run(made.train.get(), made.rows.get());
  return made;
}

bool IsRefused(const LearnerCase& learner_case) {
  const Reply& reply = learner_case.expected.reply;
  return reply.status == CF_E_UNSUPPORTED_DATA && FindImproperRefusal(reply).empty();
}

LearnerCase MakeFirstTaken(CheckContext& context, const std::vector<DataShape>& shapes) {
  LearnerCase made = MakeCase(context, shapes.front());
  for (std::size_t i = 1; i < shapes.size() && IsRefused(made); ++i) {
    made = MakeCase(context, shapes[i]);
  }
  return made;
}

std::vector<LearnerCase> MakeCases(CheckContext& context, bool full) {
  std::vector<LearnerCase> cases;
  const auto add = [&](const std::vector<DataShape>& shapes) {
    LearnerCase made = MakeFirstTaken(context, shapes);
    const bool is_usable =
        made.expected.reply.ok() && FindUnusable(made.expected, made.n_classes()).empty();
    if (is_usable) cases.push_back(std::move(made));
  };
  for (const DataShape& usual : UsualShapes(context.component())) {
    add(ShapesToTry(context.component(), usual));
    if (!full || cases.empty()) continue;
    const DataShape last = cases.back().shape;
    const DataShape fuller = Fuller(context.component(), last);
    DataShape one_kind = fuller;
    one_kind.n_categorical = last.n_categorical;
    if (Describe(fuller) != Describe(last)) add({fuller, one_kind});
  }
  if (cases.empty()) context.Skip("no fit on the data of this check worked");
  return cases;
}

bool DependsOnSeed(const LearnerCase& learner_case) {
  for (const std::uint64_t seed : {2, 3}) {
    ProbeOptions options;
    options.seed = seed;
    const Predicted other =
        learner_case.Run(learner_case.train.get(), learner_case.rows.get(), options);
    if (!Difference(other, learner_case.expected).empty()) return true;
  }
  return false;
}

bool DependsOnOrder(const LearnerCase& learner_case, double tolerance) {
  RowIds positions = RowRange(0, learner_case.n_rows());
  std::rotate(positions.begin(), positions.begin() + 7, positions.end());
  return !Difference(RunOnRows(learner_case, positions), learner_case.expected, tolerance).empty();
}

Predicted RunOnRows(const LearnerCase& learner_case, const RowIds& rows) {
  TableCopy train(learner_case.train.get(), {.positions = &rows});
  return learner_case.Run(train.get(), learner_case.rows.get());
}

std::string FindImproperRefusal(const Reply& reply) {
  if (!reply.escaped.empty()) return reply.Describe();
  if (!reply.said_why) return "the call ended with " + reply.Describe();
  // That both codes are the same is the subject of error-contract.
  switch (reply.said_code) {
    case CF_E_INVALID_PARAM:
    case CF_E_UNSUPPORTED_DATA:
    case CF_E_NOT_CONVERGED:
    case CF_E_NUMERIC:
    case CF_E_OUT_OF_MEMORY:
    case CF_E_UNSUPPORTED:
      return "";
    default:
      return "the call ended with " + reply.Describe() +
             ", which is not a status for refused data (CF_E_UNSUPPORTED_DATA, CF_E_NUMERIC)";
  }
}

std::string FindProblem(const Predicted& prediction, std::int64_t n_classes) {
  return prediction.reply.ok() ? FindUnusable(prediction, n_classes)
                               : FindImproperRefusal(prediction.reply);
}

}  // namespace crossfold::check
