#include "grow.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "../weight_unit.h"
#include "chi_squared.h"
#include "counted_rows.h"
#include "crossfold_plugin/error.hpp"
#include "sorted_stretches.h"
#include "split_search.h"
#include "tree_writer.h"

namespace crossfold::bundled::tree {

namespace {

constexpr std::uint32_t kEverywhere = 0xFFFFFFFFu;  // a row whose entry is missing

// A node that is still to be looked at. The data of its rows are the last of WaitingRows.
struct Work {
  std::size_t node = 0;
  std::int64_t depth = 0;
  std::uint64_t seed = 0;
  std::size_t n_rows = 0;
};

// The rows of a node, and their data.
struct NodeState {
  std::vector<std::uint32_t> rows;  // ascending
  std::vector<double> weights;      // of `rows`, if parts of rows go to several nodes; else empty
  std::vector<double> sums;
  std::vector<Stretch> stretches;

  void Clear() {
    rows.clear();
    weights.clear();
    sums.clear();
    stretches.clear();
  }
};

// The rows of all waiting nodes one after the other: the last node comes first.
class WaitingRows {
 public:
  void Push(const NodeState& from) {
    Append(from.rows, all_.rows);
    Append(from.weights, all_.weights);
    Append(from.sums, all_.sums);
    Append(from.stretches, all_.stretches);
  }
  void Pop(std::size_t n_rows, std::size_t n_sums, std::size_t n_stretches, NodeState& to) {
    Take(n_rows, all_.rows, to.rows);
    Take(std::min(n_rows, all_.weights.size()), all_.weights, to.weights);
    Take(n_sums, all_.sums, to.sums);
    Take(n_stretches, all_.stretches, to.stretches);
  }

 private:
  template <class T>
  static void Append(const std::vector<T>& from, std::vector<T>& to) {
    to.insert(to.end(), from.begin(), from.end());
  }
  template <class T>
  static void Take(std::size_t n, std::vector<T>& from, std::vector<T>& to) {
    to.assign(from.end() - static_cast<std::ptrdiff_t>(n), from.end());
    from.resize(from.size() - n);
  }

  NodeState all_;
};

class Grower {
 public:
  Grower(const GrowOptions& options, const TrainingColumns& columns,
         std::span<const double> row_weights, const plugin::Context* context)
      : options_(options),
        columns_(columns),
        context_(context),
        weight_of_row_(row_weights.begin(), row_weights.end()),
        total_weight_(Total(row_weights)),
        unit_(total_weight_),
        counted_(CountedRows::Make(columns, row_weights)),
        target_(columns, row_weights),
        search_(MakeSplitSearch(options, columns, target_, total_weight_,
                                counted_ ? &*counted_ : nullptr)),
        stretches_(options, columns, row_weights, counted_.has_value()),
        part_of_row_(columns.num_rows()) {
    tree_.n_classes = columns.n_classes;
    if (columns.n_classes > 0) unit_.Round(weight_of_row_);
  }

  Tree Run() {
    TakeRoot();
    AddNodes(tree_, 1);
    AddUp(here_);
    Describe(0, here_);
    const Work root{0, 0, options_.seed, here_.rows.size()};
    if (!IsTerminal(root, here_)) Wait(root, here_);
    const std::size_t n_stretches = here_.stretches.size();
    while (!waiting_.empty()) {
      const Work work = waiting_.back();
      waiting_.pop_back();
      waiting_rows_.Pop(work.n_rows, target_.size(), n_stretches, here_);
      Split(work);
      ReportProgress(work.n_rows);
    }
    return std::move(tree_);
  }

 private:
  static double Total(std::span<const double> weights) {
    double total = 0;
    for (const double w : weights) total += w;
    if (!(total > 0)) {
      throw plugin::Error(CF_E_UNSUPPORTED_DATA, "the weights of the training rows are all 0");
    }
    return total;
  }

  void TakeRoot() {
    for (std::size_t i = 0; i < weight_of_row_.size(); ++i) {
      if (!(weight_of_row_[i] > 0)) continue;
      here_.rows.push_back(static_cast<std::uint32_t>(i));
      if (columns_.has_missing) here_.weights.push_back(weight_of_row_[i]);
    }
    here_.stretches = stretches_.Root();
  }

  void Wait(const Work& work, const NodeState& state) {
    waiting_.push_back(work);
    waiting_rows_.Push(state);
  }

  void ReportProgress(std::size_t n_rows) {
    steps_ += n_rows * columns_.num_features();
    if (context_ == nullptr || steps_ < 1000000) return;
    steps_ = 0;
    // How deep a tree will be is not known before; it is only certain that it continues.
    context_->Progress(0.5);
  }

  // ---- what is known of a node -----------------------------------------------------------------

  double WeightOfRow(const NodeState& state, std::size_t i) const {
    return state.weights.empty() ? weight_of_row_[state.rows[i]] : state.weights[i];
  }

  void AddUp(NodeState& state) const {
    state.sums.assign(target_.size(), 0.0);
    for (std::size_t i = 0; i < state.rows.size(); ++i) {
      target_.Add(state.sums.data(), state.rows[i], WeightOfRow(state, i));
    }
  }

  // Sets weight, impurity and output of the node.
  void Describe(std::size_t index, const NodeState& state) {
    Node& node = tree_.nodes[index];
    const std::span<double> output = tree_.output(index);
    if (target_.has_classes()) {
      node.weight = WeightOfClasses(state.sums);
      std::copy(state.sums.begin(), state.sums.end(), output.begin());
      node.impurity = node.weight > 0 ? search_->ImpurityOf(state.sums) / node.weight : 0;
    } else {
      node.weight = state.sums[0];
      DescribeMean(state, node, output[0]);
    }
    node.impurity = std::max(node.impurity, 0.0);
  }

  double WeightOfClasses(std::span<const double> sums) const {
    if (counted_) return SumOfWhole(sums);
    double weight = 0;
    for (const double w : sums) weight += w;
    return weight;
  }

  void DescribeMean(const NodeState& state, Node& node, double& mean) const {
    if (state.rows.empty()) return;
    const double centre = state.sums[1] / state.sums[0];
    double squares = 0;
    for (std::size_t i = 0; i < state.rows.size(); ++i) {
      const double away = target_.centred(state.rows[i]) - centre;
      squares += WeightOfRow(state, i) * away * away;
    }
    node.impurity = squares / node.weight;
    mean = target_.offset() + centre;
    if (!IsPure(state)) return;
    mean = columns_.values[state.rows.front()];
    node.impurity = 0;
  }

  bool IsPure(const NodeState& state) const {
    if (target_.has_classes()) {
      return std::count_if(state.sums.begin(), state.sums.end(), [](double w) { return w > 0; }) <
             2;
    }
    return std::all_of(state.rows.begin(), state.rows.end(), [&](std::uint32_t row) {
      return columns_.values[row] == columns_.values[state.rows.front()];
    });
  }

  bool IsTerminal(const Work& work, const NodeState& state) const {
    return work.depth >= options_.max_depth || state.rows.empty() ||
           tree_.nodes[work.node].weight < options_.min_rows - 1e-6 || IsPure(state);
  }

  // ---- splitting -------------------------------------------------------------------------------

  void Split(const Work& work) {
    if (columns_.has_missing) {
      for (std::size_t i = 0; i < here_.rows.size(); ++i) {
        weight_of_row_[here_.rows[i]] = here_.weights[i];
      }
    }
    const Node& node = tree_.nodes[work.node];
    NodeRows rows;
    rows.rows = here_.rows;
    rows.weight_of_row = weight_of_row_;
    rows.weight = node.weight;
    rows.sums = here_.sums;
    rows.impurity = node.impurity * node.weight;
    rows.seed = work.seed;
    rows.sorted = stretches_.At(here_.stretches);
    const std::optional<Candidate> split = search_->Best(rows);
    if (!split || split->gain < options_.min_gain) return;
    if (!SendRows(*split)) return;
    Attach(work, *split);
  }

  std::size_t NumChildren(const Candidate& split) const {
    return split.kind == NodeKind::kMultiway ? columns_.columns[split.feature].distinct.size() : 2;
  }

  // Sets part_of_row_ of the node's rows.
  void FindParts(const Candidate& split) {
    if (split.kind == NodeKind::kOblique) {
      for (const std::uint32_t row : here_.rows) part_of_row_[row] = PartOfOblique(split, row);
      return;
    }
    const std::uint32_t* ranks = columns_.columns[split.feature].ranks.data();
    const auto find = [&](auto&& part_of_rank) {
      for (const std::uint32_t row : here_.rows) {
        part_of_row_[row] = ranks[row] == kMissingRank ? kEverywhere : part_of_rank(ranks[row]);
      }
    };
    if (split.kind == NodeKind::kThreshold) {
      find([cut = split.cut](std::uint32_t rank) -> std::uint32_t { return rank <= cut ? 0 : 1; });
    } else if (split.kind == NodeKind::kMultiway) {
      find([](std::uint32_t rank) { return rank; });
    } else {
      find([&](std::uint32_t rank) -> std::uint32_t { return split.sides[rank]; });
    }
  }

  std::uint32_t PartOfOblique(const Candidate& split, std::uint32_t row) const {
    double sum = 0;
    for (const Term& term : split.terms) {
      const TrainingColumn& column = columns_.columns[static_cast<std::size_t>(term.feature)];
      if (column.ranks[row] == kMissingRank) return kEverywhere;
      sum += term.coefficient * column.distinct[column.ranks[row]];
    }
    return sum <= split.threshold ? 0 : 1;
  }

  // The rows of the children, and their shares of the known weight. Returns false if the test of
  // independence rejects the split.
  bool SendRows(const Candidate& split) {
    const std::size_t n = NumChildren(split);
    children_.resize(std::max(children_.size(), n));
    for (std::size_t c = 0; c < n; ++c) children_[c].Clear();
    if (split.kind == NodeKind::kThreshold && counted_ && here_.stretches.empty()) {
      SendByRank(split);  // nothing else needs the parts
    } else {
      FindParts(split);
      if (n == 2 && !columns_.has_missing) {
        SendToTwo([this](std::uint32_t row) { return part_of_row_[row]; });
      } else {
        SendKnownRows();
      }
    }
    if (counted_ && n == 2) {
      AddUpByDifference();
    } else {
      for (std::size_t c = 0; c < n; ++c) AddUp(children_[c]);
    }
    if (IsIndependent(n)) return false;
    SetShares(n);
    if (columns_.has_missing) SendAllRows(n);
    return true;
  }

  void SendByRank(const Candidate& split) {
    const std::vector<std::uint32_t>& narrow = columns_.narrow_columns;
    const auto at = std::lower_bound(narrow.begin(), narrow.end(), split.feature);
    if (at != narrow.end() && *at == split.feature) {
      // Counting has just read these.
      const std::uint8_t* ranks = columns_.narrow_ranks.data() + (at - narrow.begin());
      SendToTwo([ranks, width = narrow.size(), cut = split.cut](std::size_t row) {
        return ranks[row * width] > cut ? 1u : 0u;
      });
    } else {
      const std::uint32_t* ranks = columns_.columns[split.feature].ranks.data();
      SendToTwo([ranks, cut = split.cut](std::size_t row) { return ranks[row] > cut ? 1u : 0u; });
    }
  }

  // There are no branches, because the next side cannot be predicted.
  template <class PartOf>
  void SendToTwo(const PartOf& part_of) {
    const std::size_t n = here_.rows.size();
    std::vector<std::uint32_t>&left = children_[0].rows, &right = children_[1].rows;
    left.resize(n);
    right.resize(n);
    std::size_t n_left = 0, n_right = 0;
    for (const std::uint32_t row : here_.rows) {
      const std::uint32_t part = part_of(row);
      left[n_left] = row;
      right[n_right] = row;
      n_left += 1 - part;
      n_right += part;
    }
    left.resize(n_left);
    right.resize(n_right);
  }

  void SendKnownRows() {
    for (std::size_t i = 0; i < here_.rows.size(); ++i) {
      const std::uint32_t part = part_of_row_[here_.rows[i]];
      if (part == kEverywhere) continue;
      children_[part].rows.push_back(here_.rows[i]);
      if (columns_.has_missing) children_[part].weights.push_back(here_.weights[i]);
    }
  }

  // Whole weights: the sums of the larger child are what the smaller one leaves.
  void AddUpByDifference() {
    const std::size_t smaller = children_[0].rows.size() <= children_[1].rows.size() ? 0 : 1;
    AddUp(children_[smaller]);
    const std::vector<double>& known = children_[smaller].sums;
    std::vector<double>& rest = children_[1 - smaller].sums;
    rest.resize(known.size());
    for (std::size_t c = 0; c < rest.size(); ++c) rest[c] = here_.sums[c] - known[c];
  }

  void SetShares(std::size_t n) {
    shares_.assign(n, 0.0);
    double known = 0;
    if (counted_) {
      for (std::size_t c = 0; c < n; ++c) {
        shares_[c] = WeightOfClasses(children_[c].sums);
        known += shares_[c];
      }
    } else {
      for (std::size_t i = 0; i < here_.rows.size(); ++i) {
        const std::uint32_t part = part_of_row_[here_.rows[i]];
        if (part == kEverywhere) continue;
        shares_[part] += WeightOfRow(here_, i);
        known += WeightOfRow(here_, i);
      }
    }
    for (double& share : shares_) share /= known;
  }

  bool IsIndependent(std::size_t n) const {
    if (!(options_.chi_squared_p < 1) || !target_.has_classes()) return false;
    std::vector<double> table;
    for (std::size_t c = 0; c < n; ++c) {
      table.insert(table.end(), children_[c].sums.begin(), children_[c].sums.end());
    }
    return IndependenceTest(table, target_.size()) > options_.chi_squared_p;
  }

  // Rows whose part is not known go everywhere with a part of their weight.
  void SendAllRows(std::size_t n) {
    for (std::size_t c = 0; c < n; ++c) children_[c].Clear();
    for (std::size_t i = 0; i < here_.rows.size(); ++i) {
      const std::uint32_t part = part_of_row_[here_.rows[i]];
      const std::size_t first = part == kEverywhere ? 0 : part;
      const std::size_t end = part == kEverywhere ? n : part + std::size_t{1};
      for (std::size_t c = first; c < end; ++c) {
        if (part == kEverywhere && shares_[c] <= 0) continue;
        children_[c].rows.push_back(here_.rows[i]);
        children_[c].weights.push_back(
            part == kEverywhere ? unit_.Round(here_.weights[i] * shares_[c]) : here_.weights[i]);
      }
    }
    for (std::size_t c = 0; c < n; ++c) AddUp(children_[c]);
  }

  void Attach(const Work& work, const Candidate& split) {
    const std::size_t n = NumChildren(split);
    WriteSplit(tree_, work.node, split, n);
    const std::size_t first = tree_.nodes[work.node].first_child;
    is_waiting_.assign(n, false);
    for (std::size_t c = 0; c < n; ++c) {
      tree_.nodes[first + c].share = shares_[c];
      Describe(first + c, children_[c]);
      if (children_[c].rows.empty()) InheritOutput(tree_, work.node, first + c);
      is_waiting_[c] = !IsTerminal(ChildOf(work, first, c), children_[c]);
    }
    if (std::find(is_waiting_.begin(), is_waiting_.end(), true) == is_waiting_.end()) return;
    const std::size_t n_stretches = here_.stretches.size();
    if (n_stretches > 0) stretches_.Divide(here_.stretches, part_of_row_, n, parts_);
    for (std::size_t c = n; c > 0; --c) {
      if (!is_waiting_[c - 1]) continue;
      const auto part = parts_.begin() + static_cast<std::ptrdiff_t>((c - 1) * n_stretches);
      children_[c - 1].stretches.assign(part, part + static_cast<std::ptrdiff_t>(n_stretches));
      Wait(ChildOf(work, first, c - 1), children_[c - 1]);
    }
  }

  Work ChildOf(const Work& work, std::size_t first, std::size_t c) const {
    return {first + c, work.depth + 1, SeedOfChild(work.seed, c), children_[c].rows.size()};
  }

  const GrowOptions& options_;
  const TrainingColumns& columns_;
  const plugin::Context* context_;
  std::vector<double> weight_of_row_;  // at the node at hand
  double total_weight_;
  WeightUnit unit_;  // of the weights of classes
  std::optional<CountedRows> counted_;
  Target target_;
  std::unique_ptr<SplitSearch> search_;
  SortedStretches stretches_;

  NodeState here_;                   // the node at hand
  std::vector<NodeState> children_;  // its children; there may be more than it has
  std::vector<std::uint32_t> part_of_row_;
  std::vector<double> shares_;    // of its children
  std::vector<bool> is_waiting_;  // of its children
  std::vector<Stretch> parts_;    // of its stretches

  std::vector<Work> waiting_;
  WaitingRows waiting_rows_;
  Tree tree_;
  std::size_t steps_ = 0;
};

}  // namespace

Tree Grow(const GrowOptions& options, const TrainingColumns& columns,
          std::span<const double> row_weights, const plugin::Context* context) {
  return Grower(options, columns, row_weights, context).Run();
}

}  // namespace crossfold::bundled::tree
