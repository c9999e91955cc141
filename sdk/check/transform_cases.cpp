#include "check/transform_cases.h"

#include <cmath>
#include <utility>

#include "check/learner_cases.h"
#include "engine/text/format_number.h"

namespace crossfold::check {

Applied FitApply(const Spec& spec, const cf_table& train, const cf_table& rows,
                 const ProbeOptions& options) {
  Made made = Fit(spec, train, options);
  if (made.reply.ok()) return Apply(spec, made.model.get(), rows, options);
  Applied failed;
  failed.reply = std::move(made.reply);
  return failed;
}

Applied FitApply(const Spec& spec, const DataView& train, const DataView& rows,
                 const ProbeOptions& options) {
  return FitApply(spec, RowTable::ForTraining(*train.data, train.rows.get()).get(),
                  RowTable::ForPrediction(*rows.data, rows.rows.get()).get(), options);
}

TransformCase MakeTransformCase(CheckContext& context, const DataShape& shape) {
  const DataPtr data = MakeData(shape, context.SeedOf("data"));
  TransformCase made{context.Defaults(),
                     shape,
                     data,
                     RowTable::ForTraining(*data, nullptr),
                     RowTable::ForPrediction(*data, nullptr),
                     {}};
  made.expected = made.Run(made.train.get(), made.rows.get());
  return made;
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

Applied Chosen(Applied all, const RowIds& positions) {
  for (Applied::Column& column : all.columns) {
    std::vector<double> entries;
    for (const std::int64_t i : positions) {
      entries.push_back(column.entries[static_cast<std::size_t>(i)]);
    }
    column.entries = std::move(entries);
  }
  return all;
}

Applied Declarations(Applied applied) { return Chosen(std::move(applied), {}); }

bool DependsOnSeed(const TransformCase& transform_case) {
  for (const std::uint64_t seed : {2, 3}) {
    ProbeOptions options;
    options.seed = seed;
    const Applied other =
        transform_case.Run(transform_case.train.get(), transform_case.rows.get(), options);
    if (!Difference(other, transform_case.expected).empty()) return true;
  }
  return false;
}

}  // namespace crossfold::check
