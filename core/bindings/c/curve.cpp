#include <utility>

#include "bindings/c/guarded_call.h"
#include "bindings/c/json_arguments.h"
#include "crossfold/curve_table.h"

namespace crossfold::c_api {
namespace {

constexpr char kDrawing[] = "cannot draw a curve";

[[noreturn]] void RefuseCurve(const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, std::string(kDrawing) + ": " + finding);
}

template <class T>
void AppendPart(std::vector<T>& part, const std::vector<T>& all, std::size_t first, std::size_t n) {
  if (all.empty()) return;
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  part.insert(part.end(), begin, begin + static_cast<std::ptrdiff_t>(n));
}

// The predictions of one split, or of all (nullopt).
Prediction PredictionOf(const FoldPredictions& kept, std::int64_t n_classes,
                        std::optional<std::int64_t> repeat, std::optional<std::int64_t> fold) {
  const auto k = static_cast<std::size_t>(n_classes);
  Prediction part;
  part.n_classes = n_classes;
  for (std::size_t i = 0; i < kept.rows.size(); ++i) {
    if (repeat && kept.repeats[i] != *repeat) continue;
    if (fold && kept.folds[i] != *fold) continue;
    part.rows.push_back(kept.rows[i]);
    AppendPart(part.labels, kept.labels, i, 1);
    AppendPart(part.probabilities, kept.probabilities, i * k, k);
  }
  return part;
}

CurveTable DrawPooled(const crossfold_result& result, const FoldPredictions& kept,
                      std::int64_t positive, const CurveRequest& request) {
  const Dataset& data = *result.found.data;
  const Prediction part = PredictionOf(kept, data.num_classes(), request.repeat, request.fold);
  CurveTable table =
      TabulateCurve(request.kind, OneAgainstRest(data, part, positive).view(), request.curve);
  if (part.rows.empty()) table.undefined = "there are no predictions";
  return table;
}

CurveTable DrawVertical(const crossfold_result& result, std::size_t learner, std::int64_t positive,
                        const CurveRequest& request) {
  const Dataset& data = *result.found.data;
  const FoldPredictions& kept = result.found.predictions[learner];
  std::vector<RocCurve> curves;
  for (const FoldResult& fold : result.found.folds) {
    if (fold.learner != learner || fold.outcome.status != OutcomeStatus::kOk) continue;
    const Prediction part = PredictionOf(kept, data.num_classes(), fold.repeat, fold.fold);
    curves.push_back(DrawRocCurve(OneAgainstRest(data, part, positive).view()));
  }
  return TabulateRocAverage(curves, request.average);
}

// Refuses a split that the experiment does not have.
void CheckSplit(const crossfold_result& result, const CurveRequest& request) {
  if (request.fold.has_value() != request.repeat.has_value()) {
    RefuseCurve("'repeat' and 'fold' together name a split; give both or neither");
  }
  if (!request.fold) return;
  for (const FoldResult& fold : result.found.folds) {
    if (fold.repeat == *request.repeat && fold.fold == *request.fold) return;
  }
  RefuseCurve("there is no fold " + std::to_string(*request.fold) + " in a repeat " +
              std::to_string(*request.repeat) + "; they count from 0");
}

std::unique_ptr<crossfold_curve> Draw(const crossfold_result& result, std::size_t learner,
                                      const CurveRequest& request) {
  const ExperimentResult& found = result.found;
  if (learner >= found.learners.size()) {
    RefuseCurve("there is no learner " + std::to_string(learner) + ", only 0 .. " +
                std::to_string(found.learners.size() - 1));
  }
  if (found.data->task() != Task::kClassification) RefuseCurve("the target is not categorical");
  if (result.experiment.keep != Keep::kProbabilities) {
    RefuseCurve("no probabilities were kept; run the experiment with keep 'probabilities'");
  }
  CheckSplit(result, request);
  const std::int64_t positive = FindPositiveClass(request.positive, *found.data);
  auto made = std::make_unique<crossfold_curve>();
  made->positive = found.data->class_names()[static_cast<std::size_t>(positive)];
  made->table = request.vertical
                    ? DrawVertical(result, learner, positive, request)
                    : DrawPooled(result, found.predictions[learner], positive, request);
  for (const auto& [name, value] : made->table.figures) {
    made->figures.push_back(name);
    made->figure_values.push_back(value);
  }
  return made;
}

}  // namespace
}  // namespace crossfold::c_api

using namespace crossfold;
using namespace crossfold::c_api;

crossfold_status crossfold_result_curve(crossfold_context* context, const crossfold_result* result,
                                        size_t learner, const char* options,
                                        crossfold_curve** curve) {
  return CallToMake(context, curve, kDrawing, "curve", [&] {
    Alive(result, kDrawing, "result");
    const CurveRequest request = ReadCurve(NotNull(options, kDrawing, "options"), kDrawing);
    return Draw(*result, learner, request);
  });
}

crossfold_status crossfold_curve_describe(const crossfold_curve* curve,
                                          crossfold_curve_info* info) {
  if (!IsAlive(curve)) return CROSSFOLD_INVALID_ARGUMENT;
  const CurveTable& table = curve->table;
  crossfold_curve_info filled{};
  filled.n_columns = table.columns.size();
  filled.n_rows = table.columns.empty() ? 0 : table.cells.size() / table.columns.size();
  filled.columns = table.columns.data();
  filled.values = OrNull(table.cells);
  filled.figures = curve->figures.data();
  filled.figure_values = OrNull(curve->figure_values);
  filled.n_figures = curve->figures.size();
  filled.positive = curve->positive.c_str();
  if (!table.undefined.empty()) filled.undefined = table.undefined.c_str();
  return WriteStruct(filled, info);
}

void crossfold_curve_destroy(crossfold_curve* curve) { Destroy(curve); }
