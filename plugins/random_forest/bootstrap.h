// Bootstrap samples of weighted rows, as whole-number weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin/random.hpp"

namespace crossfold::bundled {

class Bootstrap {
 public:
  // A row with a whole weight counts that many times: a sample then has as many draws as the
  // weights sum to, and equals that of the rows written out. With other weights it has as many
  // draws as there are rows, each with a chance in proportion to its weight. REQUIRES: weights > 0.
  // Throws Error if whole weights sum to more than 2^31.
  // `weights`: one per row; empty = each is 1.
  Bootstrap(std::span<const double> weights, std::size_t n_rows);

  // Sets how often each row was drawn.
  void Draw(plugin::Random random, std::span<double> counts) const;

 private:
  bool whole_ = false;
  bool all_equal_one_ = false;
  std::uint64_t n_draws_ = 0;
  std::vector<double> cumulative_;  // of the weights, if not all are 1
};

}  // namespace crossfold::bundled
