#include "description.h"

#include <utility>

#include "../number_text.h"
#include "../saved_texts.h"
#include "stump_tree.h"

namespace crossfold::bundled::adaboost {
namespace {

class TreeText {
 public:
  TreeText(const tree::Tree& tree, const Names& names) : tree_(tree), names_(names) {}

  // Depth first, without recursion: a tree may be as deep as it has nodes.
  std::string Make() const {
    if (tree_.nodes[0].n_children == 0) return "  always: " + ClassOf(0) + "\n";
    std::string text;
    std::vector<Line> waiting;
    AddChildren(0, 1, waiting);
    while (!waiting.empty()) {
      const Line line = std::move(waiting.back());
      waiting.pop_back();
      const bool is_leaf = tree_.nodes[line.node].n_children == 0;
      text += std::string(2 * line.depth, ' ') + line.condition +
              (is_leaf ? ": " + ClassOf(line.node) : "") + "\n";
      AddChildren(line.node, line.depth + 1, waiting);
    }
    return text;
  }

 private:
  struct Line {
    std::size_t node, depth;
    std::string condition;  // leads from the parent to the node
  };

  // The first child comes off first.
  void AddChildren(std::size_t parent, std::size_t depth, std::vector<Line>& waiting) const {
    const tree::Node& node = tree_.nodes[parent];
    for (std::uint32_t c = node.n_children; c > 0; --c) {
      waiting.push_back({node.first_child + c - 1, depth, Condition(node, c - 1)});
    }
  }

  std::string ClassOf(std::size_t index) const {
    return names_.classes[HeaviestClass(tree_.output(index))];
  }

  std::string Condition(const tree::Node& node, std::uint32_t child) const {
    const tree::ColumnInfo& feature = names_.features[static_cast<std::size_t>(node.feature)];
    if (node.kind == tree::NodeKind::kThreshold) {
      return feature.name + (child == 0 ? " <= " : " > ") + NumberText(node.threshold);
    }
    std::string levels;
    for (std::size_t level = 0; level < feature.levels.size(); ++level) {
      const bool here = node.kind == tree::NodeKind::kSubset
                            ? tree_.sides[node.first_detail + level] == child
                            : level == child;
      if (here) levels += (levels.empty() ? "" : ", ") + feature.levels[level];
    }
    return feature.name + " in {" + levels + "}";
  }

  const tree::Tree& tree_;
  const Names& names_;
};

}  // namespace

Names Names::Of(const plugin::TrainingView& train) {
  Names names;
  names.features = tree::DescribeColumns(train);
  for (std::int64_t c = 0; c < train.num_classes(); ++c) {
    names.classes.emplace_back(train.class_name(c));
  }
  return names;
}

void Names::Save(plugin::Writer& writer) const {
  writer.Write(static_cast<std::uint64_t>(features.size()));
  for (const tree::ColumnInfo& feature : features) {
    writer.WriteText(feature.name);
    writer.Write(static_cast<std::uint8_t>(feature.kind));
    SaveTexts(writer, feature.levels);
  }
  SaveTexts(writer, classes);
}

Names Names::Load(plugin::Reader& reader) {
  Names names;
  const auto n = reader.Read<std::uint64_t>();
  constexpr auto kLast = static_cast<std::uint8_t>(tree::ColumnKind::kNominal);
  for (std::uint64_t j = 0; j < n; ++j) {
    tree::ColumnInfo feature;
    feature.name = reader.ReadText();
    feature.kind = static_cast<tree::ColumnKind>(reader.ReadWithin<std::uint8_t>(0, kLast));
    feature.levels = LoadTexts(reader);
    names.features.push_back(std::move(feature));
  }
  names.classes = LoadTexts(reader);
  return names;
}

std::vector<std::int64_t> Names::num_levels() const {
  std::vector<std::int64_t> n;
  for (const tree::ColumnInfo& feature : features) {
    n.push_back(static_cast<std::int64_t>(feature.levels.size()));
  }
  return n;
}

std::string Describe(const Boosted& boosted, const Names& names) {
  std::string text;
  for (std::size_t t = 0; t < boosted.hypotheses.size(); ++t) {
    const Hypothesis& h = boosted.hypotheses[t];
    const bool perfect = boosted.stop == Stop::kPerfect && t + 1 == boosted.hypotheses.size();
    text += "round " + std::to_string(t + 1) + ": error " + NumberText(h.error) +
            (perfect ? ", stays alone" : ", alpha " + NumberText(h.weight)) + "\n";
    text += TreeText(h.tree, names).Make();
  }
  if (boosted.stop == Stop::kChance) text += "stopped: the next tree is no better than chance\n";
  return text;
}

}  // namespace crossfold::bundled::adaboost
