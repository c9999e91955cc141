// A column of few levels within naive Bayes: categories, bools, and numbers taken as 0 or 1.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "../exact_sums.h"
#include "batch.h"
#include "onnx_scores.h"

namespace crossfold::bundled {

class LevelColumn {
 public:
  // `levels` names the values 0, 1, 2 ... of the column.
  LevelColumn(std::string name, std::vector<std::string> levels, std::size_t n_classes);

  void Update(const Batch& batch, std::span<const double> x);
  void Finish(const Shared& shared);
  void Score(std::span<const double> x, const ScoreTable& table) const;
  OnnxValue AddOnnx(plugin::OnnxGraph& graph, const OnnxValue& column) const {
    return OnnxLevelScores(graph, column, log_shares_, n_classes_);
  }
  std::string Describe(const Shared& shared) const;
  void Save(plugin::Writer& w) const;
  static LevelColumn Load(plugin::Reader& r, std::string name, std::size_t n_classes);

 private:
  std::size_t LevelOf(double x) const;

  std::string name_;
  std::vector<std::string> levels_;
  std::size_t n_classes_;
  ExactSums counts_;                // levels x classes
  std::vector<double> shares_;      // levels x classes
  std::vector<double> log_shares_;  // levels x classes
};

}  // namespace crossfold::bundled
