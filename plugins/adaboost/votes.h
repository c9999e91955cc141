// The votes of the hypotheses of a boosted model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "boosting.h"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/onnx_graph.hpp"
#include "crossfold_plugin/view.hpp"

namespace crossfold::bundled::adaboost {

// The hypotheses that take part: begin .. end-1.
struct Range {
  std::size_t begin = 0, end = 0;
};

// The hypotheses of a model laid out for voting. Made once; holds no reference to the model.
class Voters {
 public:
  Voters() = default;
  explicit Voters(const Boosted& boosted);

  // Returns for each row the summed weights of the votes for each class, row-major. `boosted` is
  // the one given to the constructor. Throws Error for an infinite entry.
  void Vote(const Boosted& boosted, Range used, const plugin::FeatureView& rows,
            std::span<double> votes, const plugin::Context& context) const;

  // Adds the same to a graph: [rows, classes]. REQUIRES: some hypotheses take part.
  plugin::OnnxGraph::Value AddOnnxVotes(const Boosted& boosted, Range used,
                                        const plugin::FeatureView& columns,
                                        plugin::OnnxGraph& graph) const;

 private:
  static constexpr std::size_t kRowsPerBlock = 64;
  // A stump that votes for labels[0] up to its threshold and for labels[1] above it.
  struct StumpVoter {
    std::size_t feature;
    double threshold, weight;
    std::array<std::size_t, 2> labels;  // after any flip
  };
  // Entries of some rows, column by column, kRowsPerBlock apart.
  struct Block {
    std::size_t n_rows = 0;
    std::vector<double> entries;
    std::array<bool, kRowsPerBlock> is_complete{};  // no entry of the row is missing
  };

  static void Read(const plugin::FeatureView& rows, std::size_t first, Block& block);
  void VoteByStumps(Range used, const Block& block, std::vector<double>& planes) const;
  void VoteByTrees(const Boosted& boosted, Range used, const Block& block, std::size_t i,
                   std::span<double> votes) const;
  // The class that the hypothesis votes for where its tree says `label`.
  std::size_t VotedClass(const Hypothesis& h, std::size_t label) const {
    return h.weight < 0 ? OtherClass(label) : label;
  }
  std::size_t OtherClass(std::size_t label) const;

  std::vector<StumpVoter> stumps_;  // one per hypothesis; none if any is more than a threshold
  std::vector<bool> is_present_;    // of each class
};

}  // namespace crossfold::bundled::adaboost
