// The classes that a model can predict: those that training rows of a weight above 0 have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "class_labels.h"
#include "crossfold_plugin.hpp"
#include "matrices.h"
#include "onnx_parts.h"

namespace crossfold::bundled {

class PresentClasses {
 public:
  PresentClasses() = default;
  explicit PresentClasses(const plugin::TrainingView& train);

  // Classes of the dataset.
  std::size_t num_classes() const { return all_names_.size(); }
  // Total weight of the training rows of each of them.
  const std::vector<double>& all_weights() const { return all_weights_; }
  // REQUIRES: as many as there are classes, all >= 0.
  void set_all_weights(std::vector<double> weights);

  // Classes that are present; `k` below counts these.
  Index size() const { return static_cast<Index>(indices_.size()); }
  std::int32_t index(Index k) const { return indices_[static_cast<std::size_t>(k)]; }
  const std::string& name(Index k) const { return all_names_[Place(k)]; }
  double weight(Index k) const { return all_weights_[Place(k)]; }
  // Returns the index of the dataset's class `label` among the present ones. REQUIRES: it is
  // present.
  Index place_of(std::int32_t label) const { return static_cast<Index>(PlaceOf(indices_, label)); }

  // Turns log scores of the present classes into probabilities of all classes. The scores become
  // shares, too.
  void Probabilities(std::span<double> scores, std::span<double> out) const;

  // Adds Probabilities of scores [rows, size()] to a graph: [rows, num_classes()].
  OnnxValue AddOnnxProbabilities(plugin::OnnxGraph& graph, const OnnxValue& scores) const;
  // Adds the class with the largest score: [rows].
  OnnxValue AddOnnxLabel(plugin::OnnxGraph& graph, const OnnxValue& scores) const;

  void Save(plugin::Writer& w) const;
  static PresentClasses Load(plugin::Reader& r);

 private:
  std::size_t Place(Index k) const { return static_cast<std::size_t>(index(k)); }

  void FindPresent();

  std::vector<std::string> all_names_;
  std::vector<double> all_weights_;
  std::vector<std::int32_t> indices_;  // of the present ones, ascending
};

}  // namespace crossfold::bundled
