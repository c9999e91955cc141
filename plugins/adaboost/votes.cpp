#include "votes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "../feature_text.h"
#include "stump_tree.h"

namespace crossfold::bundled::adaboost {

Voters::Voters(const Boosted& boosted) {
  for (const double prior : boosted.priors) is_present_.push_back(prior > 0);
  for (const Hypothesis& h : boosted.hypotheses) {
    const std::optional<Stump> stump = AsStump(h.tree);
    if (!stump) {
      stumps_.clear();
      return;
    }
    StumpVoter voter{static_cast<std::size_t>(stump->feature), stump->threshold, std::abs(h.weight),
                     stump->labels};
    if (h.weight < 0) {
      for (std::size_t& label : voter.labels) label = OtherClass(label);
    }
    stumps_.push_back(voter);
  }
}

void Voters::Vote(const Boosted& boosted, Range used, const plugin::FeatureView& rows,
                  std::span<double> votes, const plugin::Context& context) const {
  const std::size_t n_classes = is_present_.size();
  const auto n_rows = static_cast<std::size_t>(rows.num_rows());
  const bool by_stumps = stumps_.size() == boosted.hypotheses.size();
  Block block;
  std::vector<double> planes(n_classes * kRowsPerBlock);
  for (std::size_t first = 0; first < n_rows; first += kRowsPerBlock) {
    context.Progress(static_cast<double>(first) / static_cast<double>(n_rows));
    Read(rows, first, block);
    if (by_stumps) VoteByStumps(used, block, planes);
    for (std::size_t i = 0; i < block.n_rows; ++i) {
      const std::span<double> out = votes.subspan((first + i) * n_classes, n_classes);
      if (by_stumps && block.is_complete[i]) {
        for (std::size_t c = 0; c < n_classes; ++c) out[c] = planes[c * kRowsPerBlock + i];
      } else {
        VoteByTrees(boosted, used, block, i, out);
      }
    }
  }
}

void Voters::Read(const plugin::FeatureView& rows, std::size_t first, Block& block) {
  block.n_rows = std::min(kRowsPerBlock, static_cast<std::size_t>(rows.num_rows()) - first);
  block.entries.resize(static_cast<std::size_t>(rows.num_features()) * kRowsPerBlock);
  block.is_complete.fill(true);
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    double* entries = block.entries.data() + static_cast<std::size_t>(j) * kRowsPerBlock;
    for (std::size_t i = 0; i < block.n_rows; ++i) {
      entries[i] = rows.x(static_cast<std::int64_t>(first + i), j);
      if (std::isfinite(entries[i])) continue;
      RefuseInfinite(rows, j, entries[i]);
      block.is_complete[i] = false;
    }
  }
}

// `planes`: class by class, kRowsPerBlock apart. Adding 0 where a row has another label changes no
// bit of a sum, so that rows can be taken side by side.
void Voters::VoteByStumps(Range used, const Block& block, std::vector<double>& planes) const {
  std::fill(planes.begin(), planes.end(), 0.0);
  for (std::size_t t = used.begin; t < used.end; ++t) {
    const StumpVoter& voter = stumps_[t];
    double* below = planes.data() + voter.labels[0] * kRowsPerBlock;
    double* above = planes.data() + voter.labels[1] * kRowsPerBlock;
    const double weight = voter.weight, threshold = voter.threshold;
    if (below == above) {
      for (std::size_t i = 0; i < kRowsPerBlock; ++i) below[i] += weight;
      continue;
    }
    const double* entries = block.entries.data() + voter.feature * kRowsPerBlock;
    for (std::size_t i = 0; i < kRowsPerBlock; ++i) {
      below[i] += entries[i] <= threshold ? weight : 0;
    }
    for (std::size_t i = 0; i < kRowsPerBlock; ++i) {
      above[i] += entries[i] <= threshold ? 0 : weight;
    }
  }
}

// Row i of the block. A flipped hypothesis votes for the other one of the two classes that the
// training rows have.
void Voters::VoteByTrees(const Boosted& boosted, Range used, const Block& block, std::size_t i,
                         std::span<double> votes) const {
  std::vector<double> row, scratch(votes.size());
  for (std::size_t e = i; e < block.entries.size(); e += kRowsPerBlock) {
    row.push_back(block.entries[e]);
  }
  std::fill(votes.begin(), votes.end(), 0.0);
  for (std::size_t t = used.begin; t < used.end; ++t) {
    const Hypothesis& h = boosted.hypotheses[t];
    votes[VotedClass(h, LabelOf(h.tree, row.data(), scratch))] += std::abs(h.weight);
  }
}

std::size_t Voters::OtherClass(std::size_t label) const {
  for (std::size_t c = 0; c < is_present_.size(); ++c) {
    if (c != label && is_present_[c]) return c;
  }
  return label;
}

}  // namespace crossfold::bundled::adaboost
