#include "level_growth.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../weight_unit.h"
#include "chi_squared.h"
#include "crossfold_plugin/error.hpp"
#include "grow.h"
#include "impurity.h"
#include "level_search.h"
#include "scratch_memory.h"
#include "split_rating.h"
#include "tree_writer.h"

namespace crossfold::bundled::tree {

namespace {

constexpr std::uint32_t kMoved = std::uint32_t{1} << 31;  // see Regrouping
constexpr std::size_t kAheadInList = 24, kAheadInRows = 12;

// A node that is still to be looked at.
struct Waiting {
  std::size_t node = 0;
  std::int64_t depth = 0;
  std::uint64_t seed = 0;
  std::size_t n_rows = 0;
  std::array<double, 2> moments{};  // regression: see impurity.h
};

// Rows with open nodes, and all that is known of them.
struct Part {
  std::span<std::uint32_t> codes;                     // the class list
  std::vector<std::span<const std::uint32_t>> lists;  // by feature; of rows of open nodes, and more
  std::vector<LevelCodes> levels;                     // by feature
  const double* weights = nullptr;
  const double* targets = nullptr;
  std::span<const std::uint32_t> rows;  // of the tree; empty = the same
  std::vector<Waiting> open;
  bool in_memory = false;
  // In memory: the place of each row's entry among the part's different entries, feature by
  // feature.
  std::vector<std::vector<std::uint16_t>> ranks;

  std::size_t num_open_rows() const {
    std::size_t n = 0;
    for (const Waiting& node : open) n += node.n_rows;
    return n;
  }
  std::size_t row_of_tree(std::size_t row) const { return rows.empty() ? row : rows[row]; }
};

// How an open node sends its rows to its children, which have numbers of their own in the level.
struct Division {
  NodeKind kind = NodeKind::kLeaf;
  std::size_t feature = 0;
  double threshold = 0;
  std::uint32_t cut = 0;  // in memory: ranks up to this one go left
  const std::uint8_t* sides = nullptr;
  std::size_t first = 0, n = 0;  // children
};

// The children of a level's nodes.
struct Children {
  std::vector<double> sums;  // children x sums
  std::vector<std::size_t> n_rows;
  // Regression:
  std::vector<double> squares;  // about the mean
  std::vector<double> first_target;
  std::vector<bool> is_pure;
};

class LevelGrower {
 public:
  LevelGrower(const GrowOptions& options, const OrderedRows& rows, const AttributeLists& lists,
              std::span<const double> row_weights, const plugin::Context* context,
              std::size_t rows_in_memory)
      : options_(options),
        rows_(rows),
        lists_(lists),
        row_weights_(row_weights.empty() ? rows.weights() : row_weights),
        n_classes_(rows.num_classes()),
        n_sums_(n_classes_ > 0 ? n_classes_ : 2),
        code_(n_classes_) {
    codes_.reserve(rows.size());
    PreferLargePages(codes_.data(), rows.size() * sizeof(codes_[0]));
    codes_.resize(rows.size());
    if (rows_in_memory == 0) {
      constexpr std::size_t kEntries = std::size_t{1} << 22;
      rows_in_memory = kEntries / std::max({lists.size(), n_classes_, std::size_t{1}});
    }
    rows_in_memory_ = std::bit_floor(std::clamp<std::size_t>(rows_in_memory, 2, 65536));
    row_bits_ = static_cast<unsigned>(std::bit_width(rows_in_memory_ - 1));
    for (std::size_t j = 0; j < lists.size(); ++j) entries_.emplace_back(rows, j);
    TakeTotals();
    search_ = MakeLevelSearch(options, lists, totals_, code_, context);
    tree_.n_classes = n_classes_;
  }

  Tree Run() {
    TakeAll();
    TakeRoot();
    while (!all_.open.empty() || !set_aside_.empty()) {
      if (!all_.open.empty()) GrowLevel(all_);
      if (all_.open.empty() && set_aside_.empty()) break;
      if (all_.num_open_rows() <= n_listed_ / 2) Regroup();
    }
    codes_ = {};  // makes room for the copy of the tree
    regrouped_.clear();
    return Compact(tree_);
  }

 private:
  // ---- all rows --------------------------------------------------------------------------------

  void TakeTotals() {
    totals_.n_classes = n_classes_;
    totals_.whole = totals_.counted = true;
    if (row_weights_.empty()) {
      totals_.weight = static_cast<double>(rows_.size());
      totals_.counted = rows_.size() <= WholeXLog2X::kLargest;
    } else {
      for (const double w : row_weights_) {
        totals_.weight += w;
        totals_.whole = totals_.whole && w == std::floor(w);
      }
      totals_.counted = totals_.whole && totals_.weight <= WholeXLog2X::kLargest;
    }
    totals_.counted = totals_.counted && n_classes_ > 0;
    if (!(totals_.weight > 0)) {
      throw plugin::Error(CF_E_UNSUPPORTED_DATA, "the weights of the training rows are all 0");
    }
  }

  void TakeAll() {
    if (!row_weights_.empty()) {
      weights_ = ScratchArray<double>(rows_.size());
      std::copy(row_weights_.begin(), row_weights_.end(), weights_.all().begin());
      if (n_classes_ > 0) WeightUnit(totals_.weight).Round(weights_.all());
      all_.weights = weights_.all().data();
    }
    if (n_classes_ == 0) {
      targets_ = ScratchArray<double>(rows_.size());
      double sum = 0;
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        targets_.all()[row] = rows_.value(row);
        sum += WeightOf(row) * targets_.all()[row];
      }
      offset_ = sum / totals_.weight;
      all_.targets = targets_.all().data();
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      codes_[row] =
          WeightOf(row) > 0 ? code_.Of(0, n_classes_ > 0 ? rows_.label(row) : 0) : ClassCode::kDone;
    }
    all_.codes = codes_;
    for (std::size_t j = 0; j < lists_.size(); ++j) {
      all_.lists.push_back(lists_.list(j));
      all_.levels.push_back({nullptr, &entries_[j]});
    }
    n_listed_ = rows_.size();
    regrouped_.resize(lists_.size());
  }
  double WeightOf(std::size_t row) const {
    return all_.weights != nullptr ? all_.weights[row] : 1.0;
  }

  // The root is the only child of a level above it.
  void TakeRoot() {
    Children root = NoChildren(1);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (codes_[row] != ClassCode::kDone) AddUp(all_, row, codes_[row], 0, root);
    }
    AddSquares(all_, root);
    AddNodes(tree_, 1);
    Describe(0, root, 0);
    Accept({0, 0, options_.seed, root.n_rows[0], {}}, root, 0);
  }

  LevelRows RowsOf(const Part& part) const {
    return {part.codes, part.lists, part.levels, part.weights, part.targets, offset_};
  }

  // ---- one level -------------------------------------------------------------------------------

  void GrowLevel(Part& part) {
    std::vector<OpenNode> nodes;
    for (const Waiting& w : part.open) {
      const Node& node = tree_.nodes[w.node];
      const std::span<const double> sums =
          n_classes_ > 0 ? std::as_const(tree_).output(w.node) : std::span<const double>(w.moments);
      nodes.push_back({w.node, w.seed, w.n_rows, node.weight, node.impurity * node.weight, sums});
    }
    std::vector<std::optional<LevelSplit>> splits = search_->Best(RowsOf(part), nodes);
    std::vector<Division> divisions(splits.size());
    std::size_t n_children = 0;
    for (std::size_t k = 0; k < splits.size(); ++k) {
      if (!splits[k] || splits[k]->gain < options_.min_gain) continue;
      divisions[k] = DivisionBy(part, *splits[k]);
      divisions[k].first = n_children;
      n_children += divisions[k].n;
    }
    RequireNumbers(2 * n_children + set_aside_.size());
    Children children = NoChildren(n_children);
    SendRows(part, divisions, children);
    AddSquares(part, children);
    Attach(part, splits, divisions, children);
  }

  void RequireNumbers(std::size_t n) const {
    if (n <= code_.num_nodes()) return;
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        "with " + std::to_string(n_classes_) +
                            " classes, growth = sliq takes at most " +
                            std::to_string(code_.num_nodes() / 2) +
                            " nodes per level; raise min_leaf, or use growth = memory");
  }

  Division DivisionBy(const Part& part, LevelSplit& split) const {
    Division d;
    d.kind = split.kind;
    d.feature = split.feature;
    d.n = split.kind == NodeKind::kMultiway ? lists_.num_values(split.feature) : 2;
    d.sides = split.sides.data();
    if (split.kind == NodeKind::kThreshold) {
      split.threshold = d.threshold = ThresholdOf(part, split);
      if (part.in_memory) d.cut = part.ranks[split.feature][split.cut];
    }
    return d;
  }

  double ThresholdOf(const Part& part, const LevelSplit& split) const {
    const ColumnEntries& entries = entries_[split.feature];
    const double low = entries[part.row_of_tree(split.cut)];
    const double high = entries[part.row_of_tree(split.above)];
    const double middle = MiddleBetween(low, high);
    if (options_.threshold == Threshold::kMidpoint || middle == low) return middle;
    const std::span<const std::uint32_t> list = lists_.list(split.feature);
    const auto above = std::partition_point(list.begin(), list.end(), [&](std::uint32_t item) {
      return entries[item & ~kNewValue] <= middle;
    });
    return entries[*(above - 1) & ~kNewValue];
  }

  Children NoChildren(std::size_t n) const {
    Children children;
    children.sums.assign(n * n_sums_, 0.0);
    children.n_rows.assign(n, 0);
    return children;
  }

  void AddUp(const Part& part, std::size_t row, std::uint32_t code, std::size_t child,
             Children& children) const {
    double* const sums = children.sums.data() + child * n_sums_;
    const double weight = part.weights != nullptr ? part.weights[row] : 1.0;
    if (n_classes_ > 0) {
      sums[code_.label(code)] += weight;
    } else {
      sums[0] += weight;
      sums[1] += weight * (part.targets[row] - offset_);
    }
    ++children.n_rows[child];
  }

  // Which child a row of the node goes to.
  std::size_t PartOf(const Part& part, const Division& d, std::size_t row) const {
    if (d.kind == NodeKind::kThreshold) {
      if (part.in_memory) return part.ranks[d.feature][row] <= d.cut ? 0 : 1;
      return entries_[d.feature][row] <= d.threshold ? 0 : 1;
    }
    const std::size_t level = part.levels[d.feature][row];
    return d.kind == NodeKind::kMultiway ? level : d.sides[level];
  }

  // Gives the rows of open nodes the numbers of the children, in the order of the rows.
  void SendRows(Part& part, std::span<const Division> divisions, Children& children) const {
    const std::size_t n = part.codes.size();
    for (std::size_t row = 0; row < n; ++row) {
      if (!part.in_memory && row + kAheadInRows < n) {
        const std::size_t ahead = code_.node(part.codes[row + kAheadInRows]);
        if (ahead < divisions.size() && divisions[ahead].n > 0) {
          entries_[divisions[ahead].feature].Prefetch(row + kAheadInRows);
        }
      }
      const std::uint32_t code = part.codes[row];
      const std::size_t k = code_.node(code);
      if (k >= divisions.size()) continue;
      const Division& d = divisions[k];
      if (d.kind == NodeKind::kLeaf) {
        part.codes[row] = ClassCode::kDone;
        continue;
      }
      const std::size_t child = d.first + PartOf(part, d, row);
      AddUp(part, row, code, child, children);
      part.codes[row] = code_.Of(child, code_.label(code));
    }
  }

  // Of the rows that have the numbers of children.
  void AddSquares(const Part& part, Children& children) const {
    if (n_classes_ > 0) return;
    const std::size_t n = children.n_rows.size();
    children.squares.assign(n, 0.0);
    children.first_target.assign(n, 0.0);
    children.is_pure.assign(n, true);
    std::vector<bool> has_first(n, false);
    for (std::size_t row = 0; row < part.codes.size(); ++row) {
      const std::size_t child = code_.node(part.codes[row]);
      if (child >= n) continue;
      const double target = part.targets[row];
      const double centre = children.sums[2 * child + 1] / children.sums[2 * child];
      const double away = target - offset_ - centre;
      children.squares[child] += (part.weights != nullptr ? part.weights[row] : 1.0) * away * away;
      if (!has_first[child]) {
        has_first[child] = true;
        children.first_target[child] = target;
      } else if (target != children.first_target[child]) {
        children.is_pure[child] = false;
      }
    }
  }

  // ---- the tree --------------------------------------------------------------------------------

  std::span<const double> SumsOf(const Children& children, std::size_t child) const {
    return {children.sums.data() + child * n_sums_, n_sums_};
  }

  bool IsPure(const Children& children, std::size_t child) const {
    if (n_classes_ == 0) return children.is_pure[child];
    const std::span<const double> sums = SumsOf(children, child);
    return std::count_if(sums.begin(), sums.end(), [](double w) { return w > 0; }) < 2;
  }

  // Sets weight, impurity and output of the node.
  void Describe(std::size_t index, const Children& children, std::size_t child) {
    Node& node = tree_.nodes[index];
    const std::span<double> output = tree_.output(index);
    const std::span<const double> sums = SumsOf(children, child);
    if (n_classes_ > 0) {
      node.weight = 0;
      for (const double w : sums) node.weight += w;
      std::copy(sums.begin(), sums.end(), output.begin());
      node.impurity = node.weight > 0 ? search_->ImpurityOf(sums) / node.weight : 0;
    } else {
      node.weight = sums[0];
      if (children.n_rows[child] > 0) {
        const bool is_pure = children.is_pure[child];
        node.impurity = is_pure ? 0 : children.squares[child] / node.weight;
        output[0] = is_pure ? children.first_target[child] : offset_ + sums[1] / sums[0];
      }
    }
    node.impurity = std::max(node.impurity, 0.0);
  }

  // Splits the nodes of the level, opens their children and gives the rows the numbers of those.
  void Attach(Part& part, std::vector<std::optional<LevelSplit>>& splits,
              std::span<const Division> divisions, const Children& children) {
    const std::vector<Waiting> parents = std::exchange(part.open, {});
    std::vector<std::uint32_t> new_number(children.n_rows.size(), ClassCode::kDone);
    for (std::size_t k = 0; k < parents.size(); ++k) {
      const Division& d = divisions[k];
      if (d.kind == NodeKind::kLeaf || IsIndependent(d, children)) continue;
      WriteSplit(tree_, parents[k].node, *splits[k], d.n);
      WriteShares(parents[k].node, d, children);
      const std::size_t first = tree_.nodes[parents[k].node].first_child;
      for (std::size_t c = 0; c < d.n; ++c) {
        Describe(first + c, children, d.first + c);
        if (children.n_rows[d.first + c] == 0) InheritOutput(tree_, parents[k].node, first + c);
        const Waiting child{first + c,
                            parents[k].depth + 1,
                            SeedOfChild(parents[k].seed, c),
                            children.n_rows[d.first + c],
                            {}};
        new_number[d.first + c] = OpenNumber(part, child, children, d.first + c);
      }
    }
    for (std::uint32_t& code : part.codes) {
      const std::size_t child = code_.node(code);
      if (child >= new_number.size()) continue;
      code = new_number[child] == ClassCode::kDone ? ClassCode::kDone
                                                   : code_.Of(new_number[child], code_.label(code));
    }
  }

  void Accept(const Waiting& node, const Children& children, std::size_t child) {
    const std::uint32_t number = OpenNumber(all_, node, children, child);
    if (number == ClassCode::kDone) return;
    for (std::uint32_t& code : codes_) {
      if (code != ClassCode::kDone) code = code_.Of(number, code_.label(code));
    }
  }

  // The number of a node if it is to be looked at: among the open ones of the part, or, if it is
  // small, among those set aside, which count down from the highest number.
  std::uint32_t OpenNumber(Part& part, Waiting node, const Children& children, std::size_t child) {
    if (IsTerminal(node, children, child)) return ClassCode::kDone;
    if (n_classes_ == 0) {
      node.moments = {children.sums[2 * child], children.sums[2 * child + 1]};
    }
    if (!part.in_memory && node.n_rows <= rows_in_memory_) {
      set_aside_.push_back(node);
      return static_cast<std::uint32_t>(code_.num_nodes() - set_aside_.size());
    }
    part.open.push_back(node);
    return static_cast<std::uint32_t>(part.open.size() - 1);
  }

  bool IsTerminal(const Waiting& node, const Children& children, std::size_t child) const {
    return node.depth >= options_.max_depth || node.n_rows == 0 ||
           tree_.nodes[node.node].weight < options_.min_rows - 1e-6 || IsPure(children, child);
  }

  bool IsIndependent(const Division& d, const Children& children) const {
    if (!(options_.chi_squared_p < 1) || n_classes_ == 0) return false;
    const std::span<const double> table(children.sums.data() + d.first * n_sums_, d.n * n_sums_);
    return IndependenceTest(table, n_sums_) > options_.chi_squared_p;
  }

  // Of the weight of the node, by child.
  void WriteShares(std::size_t parent, const Division& d, const Children& children) {
    std::vector<double> shares;
    double known = 0;
    for (std::size_t c = 0; c < d.n; ++c) {
      const std::span<const double> sums = SumsOf(children, d.first + c);
      shares.push_back(0);
      if (n_classes_ > 0) {
        for (const double w : sums) shares.back() += w;
      } else {
        shares.back() = sums[0];
      }
      known += shares.back();
    }
    // Of classes any order of the sum is exact; the weight of the node was summed row by row.
    if (n_classes_ == 0) known = tree_.nodes[parent].weight;
    const std::size_t first = tree_.nodes[parent].first_child;
    for (std::size_t c = 0; c < d.n; ++c) tree_.nodes[first + c].share = shares[c] / known;
  }

  // ---- small nodes -----------------------------------------------------------------------------

  // Some nodes that were set aside, with their rows one after the other in arrays of all groups.
  struct Group {
    std::size_t begin = 0, n_rows = 0;
    std::vector<Waiting> open;
  };
  // The rows of all groups, in scratch memory.
  struct Regrouping {
    std::vector<Group> groups;
    std::size_t n_rows = 0;
    ScratchArray<std::uint32_t> codes, rows;
    ScratchArray<double> weights, targets;
    std::vector<ScratchArray<std::uint32_t>> levels;  // by feature
  };

  // Moves the rows of the nodes that were set aside to lists of their own, drops rows that are
  // done, and grows those nodes to their end.
  void Regroup() {
    Regrouping moved;
    MakeGroups(moved);
    MoveRows(moved);
    const std::size_t n_open = all_.num_open_rows();
    for (std::size_t j = 0; j < lists_.size(); ++j) {
      if (lists_.kind(j) != ColumnKind::kNominal) MoveList(j, moved, n_open);
    }
    n_listed_ = n_open;
    for (Group& group : moved.groups) Finish(group, moved);
  }

  // Also gives the rows of set-aside nodes the numbers of groups and rows.
  void MakeGroups(Regrouping& moved) {
    for (const Waiting& node : set_aside_) {
      if (moved.groups.empty() || moved.groups.back().n_rows + node.n_rows > rows_in_memory_) {
        moved.groups.push_back({moved.n_rows, 0, {}});
      }
      moved.groups.back().n_rows += node.n_rows;
      moved.groups.back().open.push_back(node);
      moved.n_rows += node.n_rows;
    }
  }

  void MoveRows(Regrouping& moved) {
    std::vector<std::uint32_t> group_of_node, place_of_node, next(moved.groups.size(), 0);
    for (std::size_t g = 0; g < moved.groups.size(); ++g) {
      for (std::size_t k = 0; k < moved.groups[g].open.size(); ++k) {
        group_of_node.push_back(static_cast<std::uint32_t>(g));
        place_of_node.push_back(static_cast<std::uint32_t>(k));
      }
    }
    set_aside_.clear();
    moved.codes = ScratchArray<std::uint32_t>(moved.n_rows);
    moved.rows = ScratchArray<std::uint32_t>(moved.n_rows);
    if (all_.weights != nullptr) moved.weights = ScratchArray<double>(moved.n_rows);
    if (n_classes_ == 0) moved.targets = ScratchArray<double>(moved.n_rows);
    moved.levels.resize(lists_.size());
    for (std::size_t j = 0; j < lists_.size(); ++j) {
      if (lists_.kind(j) != ColumnKind::kNominal) continue;
      moved.levels[j] = ScratchArray<std::uint32_t>(moved.n_rows);
    }
    for (std::size_t row = 0; row < codes_.size(); ++row) {
      const std::uint32_t code = codes_[row];
      const std::size_t aside =
          code_.num_nodes() - 1 - code_.node(code);  // wraps around for others
      if (aside >= group_of_node.size()) continue;
      const std::size_t g = group_of_node[aside], to = moved.groups[g].begin + next[g];
      moved.codes.all()[to] = code_.Of(place_of_node[aside], code_.label(code));
      moved.rows.all()[to] = static_cast<std::uint32_t>(row);
      if (all_.weights != nullptr) moved.weights.all()[to] = all_.weights[row];
      if (n_classes_ == 0) moved.targets.all()[to] = all_.targets[row];
      for (std::size_t j = 0; j < lists_.size(); ++j) {
        if (lists_.kind(j) != ColumnKind::kNominal) continue;
        moved.levels[j].all()[to] = static_cast<std::uint32_t>(all_.levels[j][row]);
      }
      codes_[row] = kMoved | static_cast<std::uint32_t>(g << row_bits_) | next[g]++;
    }
  }

  // Deals the items of a list to the groups, then come those of open nodes.
  void MoveList(std::size_t j, const Regrouping& moved, std::size_t n_open) {
    const std::span<const std::uint32_t> from = all_.lists[j];
    ScratchArray<std::uint32_t> to(moved.n_rows + n_open);
    std::uint32_t* const items = to.all().data();
    struct Target {
      std::size_t next = 0;
      std::uint32_t rank = 0;  // of the last item
    };
    std::vector<Target> targets;
    for (const Group& group : moved.groups) targets.push_back({group.begin, 0});
    targets.push_back({moved.n_rows, 0});
    const std::uint32_t row_mask = (std::uint32_t{1} << row_bits_) - 1;
    const auto n_open_nodes = static_cast<std::uint32_t>(all_.open.size());
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (i + kAheadInList < from.size()) {
        __builtin_prefetch(codes_.data() + (from[i + kAheadInList] & ~kNewValue));
      }
      rank += from[i] >> 31;
      std::uint32_t row = from[i] & ~kNewValue;
      const std::uint32_t code = codes_[row];
      Target* target = &targets.back();
      if (code >= kMoved) {
        if (code == ClassCode::kDone) continue;
        target = &targets[(code & ~kMoved) >> row_bits_];
        row = code & row_mask;
      } else if (code_.node(code) >= n_open_nodes) {
        continue;
      }
      items[target->next++] = row | (target->rank != rank ? kNewValue : 0);
      target->rank = rank;
    }
    regrouped_[j] = std::move(to);
    all_.lists[j] = regrouped_[j].all().subspan(moved.n_rows);
  }

  void Finish(Group& group, const Regrouping& moved) {
    const auto of_group = [&](auto& array) {
      return array.all().empty() ? array.all() : array.all().subspan(group.begin, group.n_rows);
    };
    Part part;
    part.open = std::move(group.open);
    part.codes = of_group(moved.codes);
    part.rows = of_group(moved.rows);
    if (all_.weights != nullptr) part.weights = of_group(moved.weights).data();
    if (n_classes_ == 0) part.targets = of_group(moved.targets).data();
    part.in_memory = true;
    part.ranks.resize(lists_.size());
    std::vector<std::vector<std::uint32_t>> lists(lists_.size());
    for (std::size_t j = 0; j < lists_.size(); ++j) {
      part.levels.push_back({of_group(moved.levels[j]).data(), nullptr});
      const std::span<const std::uint32_t> items = of_group(regrouped_[j]);
      lists[j].assign(items.begin(), items.end());
      part.lists.push_back(lists[j]);
      if (!items.empty()) Rank(items, part.ranks[j]);
    }
    std::size_t n_listed = group.n_rows;
    while (!part.open.empty()) {
      GrowLevel(part);
      const std::size_t n_open = part.num_open_rows();
      if (n_open > n_listed / 2) continue;
      for (std::size_t j = 0; j < lists_.size(); ++j) {
        DropDone(part, lists[j]);
        part.lists[j] = lists[j];
      }
      n_listed = n_open;
    }
  }

  static void Rank(std::span<const std::uint32_t> list, std::vector<std::uint16_t>& ranks) {
    ranks.resize(list.size());
    std::uint32_t rank = 0;
    for (const std::uint32_t item : list) {
      rank += item >> 31;
      ranks[item & ~kNewValue] = static_cast<std::uint16_t>(rank - 1);
    }
  }

  void DropDone(const Part& part, std::vector<std::uint32_t>& list) const {
    std::size_t n = 0;
    std::uint32_t new_value = 0;
    for (const std::uint32_t item : list) {
      new_value |= item & kNewValue;
      if (code_.node(part.codes[item & ~kNewValue]) >= part.open.size()) continue;
      list[n++] = (item & ~kNewValue) | std::exchange(new_value, 0u);
    }
    list.resize(n);
  }

  const GrowOptions& options_;
  const OrderedRows& rows_;
  const AttributeLists& lists_;
  std::span<const double> row_weights_;  // empty = each is 1
  std::size_t n_classes_, n_sums_;
  ClassCode code_;
  std::size_t rows_in_memory_ = 0;
  unsigned row_bits_ = 0;  // of a row's number in a group
  std::vector<ColumnEntries> entries_;
  RowTotals totals_;
  std::unique_ptr<LevelSearch> search_;

  std::vector<std::uint32_t> codes_;  // of all rows
  ScratchArray<double> weights_, targets_;
  double offset_ = 0;
  Part all_;
  std::vector<Waiting> set_aside_;
  std::vector<ScratchArray<std::uint32_t>> regrouped_;  // by feature: the lists after moving rows
  std::size_t n_listed_ = 0;                            // items of each list of all_
  Tree tree_;
};

}  // namespace

Tree GrowByLevels(const GrowOptions& options, const OrderedRows& rows, const AttributeLists& lists,
                  std::span<const double> row_weights, const plugin::Context* context,
                  std::size_t rows_in_memory) {
  return LevelGrower(options, rows, lists, row_weights, context, rows_in_memory).Run();
}

}  // namespace crossfold::bundled::tree
