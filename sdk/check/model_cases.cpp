#include "check/model_cases.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

template <class Made>
ModelCase<Made> MakeModelCase(CheckContext& context, const DataShape& shape) {
  const DataPtr data = MakeData(shape, context.SeedOf("data"));
  ModelCase<Made> made{context.Defaults(),
                       shape,
                       data,
                       RowTable::ForTraining(*data, nullptr),
                       RowTable::ForPrediction(*data, nullptr),
                       {}};
  made.expected = made.Run(made.train.get(), made.rows.get());
  return made;
}

}  // namespace

LearnerCase MakeCase(CheckContext& context, const DataShape& shape) {
  return MakeModelCase<Predicted>(context, shape);
}
TransformCase MakeTransformCase(CheckContext& context, const DataShape& shape) {
  return MakeModelCase<Applied>(context, shape);
}

void NeedAcceptance(CheckContext& context, std::uint32_t flag, const std::string& name,
                    const char* why) {
  if ((AcceptedBy(context.component()) & flag) != 0) return;
  context.Skip("it does not declare " + name + why);
}

bool IsRefused(const LearnerCase& learner_case) {
  const Reply& reply = learner_case.expected.reply;
  return reply.status == CF_E_UNSUPPORTED_DATA && FindImproperRefusal(reply).empty();
}

std::vector<LearnerCase> MakeCases(CheckContext& context, bool full) {
  std::vector<LearnerCase> cases;
  // The first of the shapes that is not refused, or the last one if all are.
  const auto add = [&](const std::vector<DataShape>& shapes) {
    LearnerCase made = MakeCase(context, shapes.front());
    for (std::size_t i = 1; i < shapes.size() && IsRefused(made); ++i) {
      made = MakeCase(context, shapes[i]);
    }
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

Applied FitApply(const Spec& spec, const cf_table& train, const cf_table& rows,
                 const ProbeOptions& options) {
  Made made = Fit(spec, train, options);
  if (made.reply.ok()) return Apply(spec, made.model.get(), rows, options);
  Applied failed;
  failed.reply = std::move(made.reply);
  return failed;
}

Applied FitApply(const Spec& spec, const DataView& train, const DataView& rows) {
  return FitApply(spec, RowTable::ForTraining(*train.data, train.rows.get()).get(),
                  RowTable::ForPrediction(*rows.data, rows.rows.get()).get());
}

std::vector<DataShape> TransformShapes(const Component& component) {
  std::vector<DataShape> shapes;
  for (const DataShape& usual : UsualShapes(component)) {
    shapes.push_back(usual);
    DataShape categories = usual;
    categories.n_numeric = 0;
    categories.n_categorical = 2;
    if (usual.n_numeric > 0 && Accepts(component, categories)) shapes.push_back(categories);
    const DataShape fuller = Fuller(component, usual);
    if (Describe(fuller) != Describe(usual)) shapes.push_back(fuller);
  }
  return shapes;
}

std::vector<TransformCase> MakeTransformCases(CheckContext& context) {
  std::vector<TransformCase> cases;
  for (const DataShape& shape : TransformShapes(context.component())) {
    TransformCase made = MakeTransformCase(context, shape);
    if (made.expected.reply.ok()) cases.push_back(std::move(made));
  }
  if (cases.empty()) context.Skip("no fit on the data of this check worked");
  return cases;
}

std::string FindUnusable(const Applied& applied, bool may_be_missing) {
  if (!applied.problem.empty()) return applied.problem;
  for (const Applied::Column& column : applied.columns) {
    for (std::size_t i = 0; i < column.entries.size(); ++i) {
      const double entry = column.entries[i];
      if (std::isfinite(entry) || (may_be_missing && std::isnan(entry))) continue;
      return "entry " + std::to_string(i) + " of column '" + column.name + "' is " +
             (std::isnan(entry) ? "missing" : FormatShortest(entry));
    }
  }
  return "";
}

std::string FindProblem(const Applied& applied, bool may_be_missing) {
  return applied.reply.ok() ? FindUnusable(applied, may_be_missing)
                            : FindImproperRefusal(applied.reply);
}

Applied Declarations(Applied applied) { return Chosen(std::move(applied), {}); }

}  // namespace crossfold::check
