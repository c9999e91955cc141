#include "check/trial.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "check/proper_refusal.h"
#include "text/format_number.h"

namespace crossfold::check {
namespace {

constexpr std::int64_t kRows = 30;

// Of a column that a transform made of data without missing entries.
std::string FindUnusable(const Applied& applied) {
  if (!applied.problem.empty()) return applied.problem;
  for (const Applied::Column& column : applied.columns) {
    for (std::size_t i = 0; i < column.entries.size(); ++i) {
      if (std::isfinite(column.entries[i])) continue;
      return "entry " + std::to_string(i) + " of '" + column.name + "' is " +
             FormatShortest(column.entries[i]);
    }
  }
  return "";
}

}  // namespace

Trials::Trials(CheckContext& context) {
  const Component& component = context.component();
  if (component.kind == Kind::kSplitter) {
    split_shapes_ = EverySplitShape(component, kRows);
    for (const SplitShape& shape : split_shapes_) {
      roles_.push_back(MakeRoles(shape, context.SeedOf("data")));
    }
    return;
  }
  for (DataShape shape : UsualShapes(component)) {
    shape.n_rows = kRows;
    shapes_.push_back(shape);
    data_.push_back(MakeData(shape, context.SeedOf("data")));
  }
}

std::size_t Trials::size() const { return data_.size() + roles_.size(); }

std::string Trials::name(std::size_t i) const {
  return roles_.empty() ? "a " + Describe(shapes_[i]) : Describe(split_shapes_[i]);
}

TrialResult Trials::Run(std::size_t i, const Spec& spec, const ProbeOptions& options) const {
  if (!roles_.empty()) return RunSplitter(roles_[i], spec, options);
  if (spec.component().learner != nullptr) return RunLearner(data_[i], spec, options);
  return RunTransform(data_[i], spec, options);
}

TrialResult Trials::RunLearner(const DataPtr& data, const Spec& spec,
                               const ProbeOptions& options) const {
  const Predicted p = FitPredict(spec, AllRows(data), AllRows(data), options);
  TrialResult result{p.reply, FindImproper(p.reply), {}};
  if (!p.reply.ok()) return result;
  result.problem = check::FindUnusable(p, data->num_classes());
  result.numbers.assign(p.labels.begin(), p.labels.end());
  for (const auto* more : {&p.values, &p.probabilities}) {
    result.numbers.insert(result.numbers.end(), more->begin(), more->end());
  }
  return result;
}

TrialResult Trials::RunTransform(const DataPtr& data, const Spec& spec,
                                 const ProbeOptions& options) const {
  Made made = Fit(spec, AllRows(data), options);
  if (!made.reply.ok()) return {made.reply, FindImproper(made.reply), {}};
  const Applied applied = Apply(spec, made.model.get(), AllRows(data), options);
  TrialResult result{applied.reply, FindImproper(applied.reply), {}};
  if (!applied.reply.ok()) return result;
  result.problem = FindUnusable(applied);
  for (const Applied::Column& column : applied.columns) {
    result.numbers.insert(result.numbers.end(), column.entries.begin(), column.entries.end());
  }
  return result;
}

TrialResult Trials::RunSplitter(const SplitRoles& roles, const Spec& spec,
                                const ProbeOptions& options) const {
  const Emitted emitted = Split(spec, roles, options);
  TrialResult result{emitted.reply, FindProblem(emitted), {}};
  if (!emitted.ok()) return result;
  for (const SplitRows& split : emitted.Splits()) {
    result.numbers.push_back(static_cast<double>(split.train.size()));
    for (const auto* rows : {&split.train, &split.test}) {
      result.numbers.insert(result.numbers.end(), rows->begin(), rows->end());
    }
  }
  return result;
}

}  // namespace crossfold::check
