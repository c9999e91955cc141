#include "present_classes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "softmax.h"

namespace crossfold::bundled {

PresentClasses::PresentClasses(const plugin::TrainingView& train) {
  for (std::int64_t c = 0; c < train.num_classes(); ++c) {
    all_names_.emplace_back(train.class_name(c));
  }
  all_weights_.resize(all_names_.size());
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    all_weights_[static_cast<std::size_t>(train.label(i))] += train.weight(i);
  }
  FindPresent();
}

void PresentClasses::set_all_weights(std::vector<double> weights) {
  all_weights_ = std::move(weights);
  FindPresent();
}

void PresentClasses::Probabilities(std::span<double> scores, std::span<double> out) const {
  if (!std::isfinite(*std::max_element(scores.begin(), scores.end()))) {
    throw plugin::Error(CF_E_NUMERIC, "the scores of a row exceed the range of numbers");
  }
  Softmax(scores);
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    out[static_cast<std::size_t>(indices_[k])] = scores[k];
  }
}

OnnxValue PresentClasses::AddOnnxProbabilities(plugin::OnnxGraph& graph,
                                               const OnnxValue& scores) const {
  return SpreadClasses(graph, graph.Node("Softmax", {scores}, {{"axis", 1}}), indices_,
                       num_classes());
}

OnnxValue PresentClasses::AddOnnxLabel(plugin::OnnxGraph& graph, const OnnxValue& scores) const {
  const std::vector<std::int64_t> classes(indices_.begin(), indices_.end());
  return graph.Node("Gather",
                    {graph.Integers(classes, {classes.size()}), LargestOf(graph, scores)});
}

void PresentClasses::Save(plugin::Writer& w) const {
  w.WriteSpan<double>(all_weights_);
  for (const std::string& name : all_names_) w.WriteText(name);
}

PresentClasses PresentClasses::Load(plugin::Reader& r) {
  PresentClasses classes;
  classes.all_weights_ = r.ReadVector<double>();
  for (const double weight : classes.all_weights_) {
    if (!(weight >= 0)) throw plugin::Error(CF_E_BAD_BLOB, "a class of the model has no weight");
    classes.all_names_.push_back(r.ReadText());
  }
  classes.FindPresent();
  return classes;
}

void PresentClasses::FindPresent() {
  indices_.clear();
  for (std::size_t c = 0; c < all_weights_.size(); ++c) {
    if (all_weights_[c] > 0) indices_.push_back(static_cast<std::int32_t>(c));
  }
}

}  // namespace crossfold::bundled
