// Boosting: hypotheses grown one after the other, each on the rows that the earlier ones got wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../tree/attribute_lists.h"
#include "../tree/columns.h"
#include "../tree/grow.h"
#include "../tree/ordered_rows.h"
#include "../tree/tree.h"
#include "crossfold_plugin/context.hpp"

namespace crossfold::bundled::adaboost {

// Grows a tree on the same rows again and again, with other weights.
class WeakLearner {
 public:
  virtual ~WeakLearner() = default;
  virtual std::size_t label(std::size_t row) const = 0;
  // Returns the tree by these weights, and sets which rows it gets wrong: 1 = wrong, 0 = right.
  virtual tree::Tree Grow(std::span<const double> weights, std::span<double> wrong) = 0;
};

enum class Algorithm { kM1, kSamme };

struct BoostParams {
  std::int64_t rounds = 50;
  std::int64_t max_depth = 1;
  Algorithm algorithm = Algorithm::kSamme;
  double learning_rate = 1;
  tree::Growth growth = tree::Growth::kMemory;
};

struct Hypothesis {
  tree::Tree tree;
  double error = 0;   // weighted share of the training rows that it gets wrong
  double weight = 1;  // how much its vote counts; below 0 = its sign is flipped
};

enum class Stop : std::uint8_t {
  kRounds,   // the requested number
  kPerfect,  // the last hypothesis makes no error: it stays alone
  kChance    // a further hypothesis would be no better than chance
};

struct Boosted {
  std::vector<double> priors;  // one per class: its share in the weight of the training rows
  std::vector<Hypothesis> hypotheses;
  Stop stop = Stop::kRounds;
};

// The class that the tree gives the row, before any flip; `scratch` has one entry per class.
std::size_t LabelOf(const tree::Tree& tree, const double* row, std::vector<double>& scratch);

// Returns the number of classes with a prior above 0.
std::size_t NumPresent(const std::vector<double>& priors);

// Boosts trees on `columns`, which are of a classification. Hypothesis t does not depend on the
// number of rounds.
Boosted Boost(const BoostParams& params, const tree::TrainingColumns& columns,
              const plugin::Context& context);
// The same from lists in scratch memory, where everything is that it keeps per row.
Boosted BoostByLists(const BoostParams& params, const tree::OrderedRows& rows,
                     const tree::AttributeLists& lists, const plugin::Context& context);

}  // namespace crossfold::bundled::adaboost
