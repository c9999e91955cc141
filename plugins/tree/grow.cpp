#include "grow.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "chi_squared.h"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/random.hpp"
#include "split_search.h"

namespace crossfold::bundled::tree {

namespace {

constexpr std::uint32_t kEverywhere = 0xFFFFFFFFu;  // a row whose entry is missing

// Columns kept sorted down the tree: a node's rows are one stretch of every column, and a split
// divides the stretch stably. Only without missing entries, so that a row is in one node.
class SortedStretches {
 public:
  SortedStretches(const GrowOptions& options, const TrainingColumns& columns,
                  std::span<const double> weights) {
    spans_.resize(columns.num_features());
    items_.resize(columns.num_features());
    if (columns.has_missing) return;
    const auto tried = static_cast<std::size_t>(options.features_per_node);
    // Dividing all columns costs more than sorting the few that a node looks at.
    if (tried > 0 && tried * 4 < columns.num_features()) return;
    for (std::size_t j = 0; j < columns.num_features(); ++j) {
      const TrainingColumn& column = columns.columns[j];
      if (column.kind == ColumnKind::kNominal || column.distinct.size() <= kFewValues) continue;
      for (const std::uint32_t row : column.order) {
        if (weights[row] > 0) items_[j].push_back(PackItem(column.ranks[row], row));
      }
    }
  }

  std::span<const std::span<const std::uint64_t>> At(std::size_t begin, std::size_t size) {
    for (std::size_t j = 0; j < items_.size(); ++j) {
      if (!items_[j].empty()) spans_[j] = {items_[j].data() + begin, size};
    }
    return spans_;
  }

  // `part_of_row`: which part each row of the stretch goes to; `sizes`: of the parts.
  void Divide(std::size_t begin, std::size_t size, std::span<const std::uint32_t> part_of_row,
              std::span<const std::size_t> sizes) {
    scratch_.resize(size);
    for (auto& column : items_) {
      if (column.empty()) continue;
      std::uint64_t* items = column.data() + begin;
      sizes.size() == 2 ? DivideInTwo(items, size, part_of_row)
                        : DivideInMany(items, size, part_of_row, sizes);
    }
  }

 private:
  // Columns with so few values are sorted faster than they are kept sorted.
  static constexpr std::size_t kFewValues = 64;

  void DivideInTwo(std::uint64_t* items, std::size_t size,
                   std::span<const std::uint32_t> part_of_row) {
    std::size_t left = 0, right = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t item = items[i];
      const std::uint32_t part = part_of_row[RowOf(item)];
      items[left] = item;
      scratch_[right] = item;
      left += 1 - part;
      right += part;
    }
    std::copy_n(scratch_.begin(), right, items + left);
  }

  void DivideInMany(std::uint64_t* items, std::size_t size,
                    std::span<const std::uint32_t> part_of_row,
                    std::span<const std::size_t> sizes) {
    std::vector<std::size_t> next;
    std::size_t begin = 0;
    for (const std::size_t n : sizes) next.push_back(std::exchange(begin, begin + n));
    for (std::size_t i = 0; i < size; ++i) {
      scratch_[next[part_of_row[RowOf(items[i])]]++] = items[i];
    }
    std::copy_n(scratch_.begin(), size, items);
  }

  std::vector<std::vector<std::uint64_t>> items_;
  std::vector<std::span<const std::uint64_t>> spans_;
  std::vector<std::uint64_t> scratch_;
};

// A node that is still to be looked at.
struct Work {
  std::size_t node = 0;
  std::int64_t depth = 0;
  std::uint64_t seed = 0;
  std::size_t begin = 0;            // of its stretch
  std::vector<std::uint32_t> rows;  // ascending
  std::vector<double> weights;      // of `rows`
  std::vector<double> sums;
};

std::uint64_t SeedOfChild(std::uint64_t seed, std::uint64_t child) {
  plugin::Random random(seed + 0x632BE59BD9B4E019u * (child + 1));
  return random.Next();
}

class Grower {
 public:
  Grower(const GrowOptions& options, const TrainingColumns& columns,
         std::span<const double> row_weights, const plugin::Context* context)
      : options_(options),
        columns_(columns),
        context_(context),
        weight_of_row_(row_weights.begin(), row_weights.end()),
        total_weight_(Total(row_weights)),
        target_(columns, row_weights),
        search_(MakeSplitSearch(options, columns, target_, total_weight_)),
        stretches_(options, columns, row_weights),
        part_of_row_(columns.num_rows()) {
    tree_.n_classes = columns.n_classes;
  }

  Tree Run() {
    waiting_.push_back(Root());
    AddNodes(1);
    Describe(waiting_.back());
    if (IsTerminal(waiting_.back())) waiting_.pop_back();
    while (!waiting_.empty()) {
      const Work work = std::move(waiting_.back());
      waiting_.pop_back();
      Split(work);
      ReportProgress(work.rows.size());
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

  Work Root() const {
    Work root;
    root.seed = options_.seed;
    for (std::size_t i = 0; i < weight_of_row_.size(); ++i) {
      if (!(weight_of_row_[i] > 0)) continue;
      root.rows.push_back(static_cast<std::uint32_t>(i));
      root.weights.push_back(weight_of_row_[i]);
    }
    return root;
  }

  void AddNodes(std::size_t n) {
    tree_.nodes.resize(tree_.nodes.size() + n);
    tree_.outputs.resize(tree_.nodes.size() * tree_.n_outputs(), 0.0);
  }

  void ReportProgress(std::size_t n_rows) {
    steps_ += n_rows * columns_.num_features();
    if (context_ == nullptr || steps_ < 1000000) return;
    steps_ = 0;
    // How deep a tree will be is not known before; what is certain is that it goes on.
    context_->Progress(0.5);
  }

  // ---- what is known of a node -----------------------------------------------------------------

  // Sets sums, and weight, impurity and output of the node.
  void Describe(Work& work) {
    work.sums.assign(target_.size(), 0.0);
    for (std::size_t i = 0; i < work.rows.size(); ++i) {
      target_.Add(work.sums.data(), work.rows[i], work.weights[i]);
    }
    Node& node = tree_.nodes[work.node];
    const std::span<double> output = tree_.output(work.node);
    if (target_.has_classes()) {
      node.weight = 0;
      for (const double w : work.sums) node.weight += w;
      std::copy(work.sums.begin(), work.sums.end(), output.begin());
      node.impurity = node.weight > 0 ? search_->ImpurityOf(work.sums) / node.weight : 0;
    } else {
      node.weight = work.sums[0];
      DescribeMean(work, node, output[0]);
    }
    node.impurity = std::max(node.impurity, 0.0);
  }

  void DescribeMean(const Work& work, Node& node, double& mean) const {
    if (work.rows.empty()) return;
    const double centre = work.sums[1] / work.sums[0];
    double squares = 0;
    for (std::size_t i = 0; i < work.rows.size(); ++i) {
      const double away = target_.centred(work.rows[i]) - centre;
      squares += work.weights[i] * away * away;
    }
    node.impurity = squares / node.weight;
    mean = target_.offset() + centre;
    if (!IsPure(work)) return;
    mean = columns_.values[work.rows.front()];
    node.impurity = 0;
  }

  bool IsPure(const Work& work) const {
    const auto same = [&](std::uint32_t row) {
      return target_.has_classes() ? columns_.labels[row] == columns_.labels[work.rows.front()]
                                   : columns_.values[row] == columns_.values[work.rows.front()];
    };
    return std::all_of(work.rows.begin(), work.rows.end(), same);
  }

  bool IsTerminal(const Work& work) const {
    return work.depth >= options_.max_depth || work.rows.size() < 1 || IsPure(work) ||
           tree_.nodes[work.node].weight < options_.min_rows - 1e-6;
  }

  // ---- splitting -------------------------------------------------------------------------------

  void Split(const Work& work) {
    for (std::size_t i = 0; i < work.rows.size(); ++i) {
      weight_of_row_[work.rows[i]] = work.weights[i];
    }
    const Node& node = tree_.nodes[work.node];
    NodeRows rows;
    rows.rows = work.rows;
    rows.weight_of_row = weight_of_row_;
    rows.weight = node.weight;
    rows.sums = work.sums;
    rows.impurity = node.impurity * node.weight;
    rows.seed = work.seed;
    rows.sorted = stretches_.At(work.begin, work.rows.size());
    const std::optional<Candidate> split = search_->Best(rows);
    if (!split || split->gain < options_.min_gain) return;
    std::vector<Work> children = SendRows(work, *split);
    if (!children.empty()) Attach(work, *split, std::move(children));
  }

  std::size_t NumChildren(const Candidate& split) const {
    return split.kind == NodeKind::kMultiway ? columns_.columns[split.feature].distinct.size() : 2;
  }

  std::uint32_t PartOf(const Candidate& split, std::uint32_t row) const {
    if (split.kind == NodeKind::kOblique) return PartOfOblique(split, row);
    const std::uint32_t rank = columns_.columns[split.feature].ranks[row];
    if (rank == kMissingRank) return kEverywhere;
    if (split.kind == NodeKind::kThreshold) return rank <= split.cut ? 0 : 1;
    return split.kind == NodeKind::kMultiway ? rank : split.sides[rank];
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

  // The known rows part by part, and the share of each part in their weight.
  struct Parting {
    std::vector<double> weights, shares;
    std::vector<double> table;        // parts x sums
    std::vector<std::size_t> n_rows;  // without those whose part is not known
  };
  Parting Part(const Work& work, const Candidate& split) {
    Parting parting;
    const std::size_t n = NumChildren(split), size = target_.size();
    parting.weights.assign(n, 0.0);
    parting.n_rows.assign(n, 0);
    parting.table.assign(n * size, 0.0);
    double known = 0;
    for (std::size_t i = 0; i < work.rows.size(); ++i) {
      const std::uint32_t part = PartOf(split, work.rows[i]);
      part_of_row_[work.rows[i]] = part;
      if (part == kEverywhere) continue;
      parting.weights[part] += work.weights[i];
      ++parting.n_rows[part];
      target_.Add(parting.table.data() + part * size, work.rows[i], work.weights[i]);
      known += work.weights[i];
    }
    for (const double w : parting.weights) parting.shares.push_back(w / known);
    return parting;
  }

  // The children with their rows; none if the split says nothing by the test of independence.
  std::vector<Work> SendRows(const Work& work, const Candidate& split) {
    const Parting parting = Part(work, split);
    if (options_.chi_squared_p < 1 && target_.has_classes() &&
        IndependenceTest(parting.table, target_.size()) > options_.chi_squared_p) {
      return {};
    }
    shares_ = parting.shares;
    std::vector<Work> children(parting.weights.size());
    for (std::size_t c = 0; c < children.size(); ++c) {
      children[c].rows.reserve(parting.n_rows[c]);
      children[c].weights.reserve(parting.n_rows[c]);
    }
    for (std::size_t i = 0; i < work.rows.size(); ++i) {
      const std::uint32_t part = part_of_row_[work.rows[i]];
      if (part != kEverywhere) {
        children[part].rows.push_back(work.rows[i]);
        children[part].weights.push_back(work.weights[i]);
        continue;
      }
      for (std::size_t c = 0; c < children.size(); ++c) {
        if (parting.shares[c] <= 0) continue;
        children[c].rows.push_back(work.rows[i]);
        children[c].weights.push_back(work.weights[i] * parting.shares[c]);
      }
    }
    return children;
  }

  void WriteSplit(std::size_t index, const Candidate& split, std::size_t n_children) {
    Node& node = tree_.nodes[index];
    node.kind = split.kind;
    node.feature = split.kind == NodeKind::kOblique ? -1 : static_cast<std::int32_t>(split.feature);
    node.threshold = split.threshold;
    node.first_child = static_cast<std::uint32_t>(tree_.nodes.size());
    node.n_children = static_cast<std::uint32_t>(n_children);
    node.gain = split.gain;
    node.merit = split.merit;
    if (split.kind == NodeKind::kSubset) {
      node.first_detail = static_cast<std::uint32_t>(tree_.sides.size());
      node.n_details = static_cast<std::uint32_t>(split.sides.size());
      tree_.sides.insert(tree_.sides.end(), split.sides.begin(), split.sides.end());
    } else if (split.kind == NodeKind::kOblique) {
      node.first_detail = static_cast<std::uint32_t>(tree_.terms.size());
      node.n_details = static_cast<std::uint32_t>(split.terms.size());
      tree_.terms.insert(tree_.terms.end(), split.terms.begin(), split.terms.end());
    }
    AddNodes(n_children);
  }

  void Attach(const Work& work, const Candidate& split, std::vector<Work> children) {
    WriteSplit(work.node, split, children.size());
    const std::size_t first = tree_.nodes[work.node].first_child;
    std::vector<std::size_t> sizes;
    std::size_t begin = work.begin;
    bool all_terminal = true;
    for (std::size_t c = 0; c < children.size(); ++c) {
      Work& child = children[c];
      child.node = first + c;
      child.depth = work.depth + 1;
      child.seed = SeedOfChild(work.seed, c);
      child.begin = begin;
      begin += child.rows.size();
      sizes.push_back(child.rows.size());
      tree_.nodes[child.node].share = shares_[c];
      Describe(child);
      if (child.rows.empty()) InheritOutput(work.node, child.node);
      all_terminal = all_terminal && IsTerminal(child);
    }
    if (all_terminal) return;
    if (!columns_.has_missing) {
      stretches_.Divide(work.begin, work.rows.size(), part_of_row_, sizes);
    }
    for (std::size_t c = children.size(); c > 0; --c) {
      if (!IsTerminal(children[c - 1])) waiting_.push_back(std::move(children[c - 1]));
    }
  }

  // A level that no row has says what its parent says.
  void InheritOutput(std::size_t parent, std::size_t child) {
    const std::span<const double> from = tree_.output(parent);
    std::copy(from.begin(), from.end(), tree_.output(child).begin());
  }

  const GrowOptions& options_;
  const TrainingColumns& columns_;
  const plugin::Context* context_;
  std::vector<double> weight_of_row_;  // at the node at hand
  double total_weight_;
  Target target_;
  std::unique_ptr<SplitSearch> search_;
  SortedStretches stretches_;
  std::vector<std::uint32_t> part_of_row_;
  std::vector<double> shares_;  // of the children of the node at hand
  std::vector<Work> waiting_;
  Tree tree_;
  std::size_t steps_ = 0;
};

}  // namespace

Tree Grow(const GrowOptions& options, const TrainingColumns& columns,
          std::span<const double> row_weights, const plugin::Context* context) {
  return Grower(options, columns, row_weights, context).Run();
}

}  // namespace crossfold::bundled::tree
