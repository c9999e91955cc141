#include "export.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "../number_text.h"

namespace crossfold::bundled {

namespace {

using tree::ColumnKind;
using tree::Node;
using tree::NodeKind;
using tree::Tree;

std::string Rows(double weight) { return RoundedText(weight, 6); }
std::string Gain(double gain) { return RoundedText(gain, 10); }

class Writer {
 public:
  Writer(const Tree& t, const TreeNames& names) : tree_(t), names_(names) {}

  std::string Text() {
    std::string out;
    ForEachNode([&](std::size_t node, const std::vector<std::string>& path) {
      for (std::size_t d = 1; d < path.size(); ++d) out += "|  ";
      if (!path.empty()) out += path.back();
      out += IsLeaf(node) ? (path.empty() ? "" : ": ") + LeafText(node)
                          : (path.empty() ? "" : " ") + SplitText(node);
      out += '\n';
    });
    return out;
  }

  std::string Rules() {
    std::string out;
    ForEachNode([&](std::size_t node, const std::vector<std::string>& path) {
      if (!IsLeaf(node)) return;
      for (std::size_t d = 0; d < path.size(); ++d) out += (d == 0 ? "if " : " and ") + path[d];
      out += (path.empty() ? "always " : " then ") + LeafText(node) + '\n';
    });
    return out;
  }

  std::string Dot() {
    std::string out = "digraph tree {\n  node [shape=box];\n";
    ForEachNode([&](std::size_t node, const std::vector<std::string>&) {
      const Node& n = tree_.nodes[node];
      out += "  n" + std::to_string(node) + " [label=" +
             Quoted(IsLeaf(node) ? LeafText(node) : Subject(n) + ' ' + SplitText(node)) + "];\n";
      for (std::uint32_t c = 0; c < n.n_children; ++c) {
        out += "  n" + std::to_string(node) + " -> n" + std::to_string(n.first_child + c) +
               " [label=" + Quoted(Answer(n, c)) + "];\n";
      }
    });
    return out + "}\n";
  }

 private:
  bool IsLeaf(std::size_t node) const { return tree_.nodes[node].n_children == 0; }

  // Depth first; `path` holds the conditions from the root to the node.
  template <class Visit>
  void ForEachNode(Visit&& visit) {
    struct Waiting {
      std::size_t node, depth;
      std::string condition;
    };
    std::vector<Waiting> waiting;
    waiting.push_back({0, 0, ""});
    std::vector<std::string> path;
    while (!waiting.empty()) {
      Waiting next = std::move(waiting.back());
      waiting.pop_back();
      if (next.depth > 0) {
        path.resize(next.depth - 1);
        path.push_back(std::move(next.condition));
      }
      visit(next.node, path);
      const Node& n = tree_.nodes[next.node];
      for (std::uint32_t c = n.n_children; c > 0; --c) {
        waiting.push_back(
            {n.first_child + c - 1, next.depth + 1, Subject(n) + ' ' + Answer(n, c - 1)});
      }
    }
  }

  const tree::ColumnInfo& ColumnOf(const Node& n) const {
    return names_.columns[static_cast<std::size_t>(n.feature)];
  }

  // Returns the text of the node's test.
  std::string Subject(const Node& n) const {
    if (n.kind != NodeKind::kOblique) return ColumnOf(n).name;
    std::string text;
    for (std::uint32_t t = 0; t < n.n_details; ++t) {
      const tree::Term& term = tree_.terms[n.first_detail + t];
      const bool minus = term.coefficient < 0;
      if (t > 0) text += minus ? " - " : " + ";
      if (t == 0 && minus) text += '-';
      text += NumberText(std::abs(term.coefficient)) + ' ' +
              names_.columns[static_cast<std::size_t>(term.feature)].name;
    }
    return text;
  }

  // Returns the answer that leads to child c.
  std::string Answer(const Node& n, std::uint32_t c) const {
    if (n.kind == NodeKind::kMultiway) return "= " + ColumnOf(n).levels[c];
    if (n.kind == NodeKind::kSubset) return "in " + LevelSet(n, c);
    const std::string relation = c == 0 ? "<= " : "> ";
    if (n.kind == NodeKind::kThreshold && ColumnOf(n).kind == ColumnKind::kOrdinal) {
      const std::vector<std::string>& levels = ColumnOf(n).levels;
      if (levels.size() == 2) return "= " + levels[c];
      const auto last = static_cast<double>(levels.size() - 1);
      return relation + levels[static_cast<std::size_t>(std::clamp(n.threshold, 0.0, last))];
    }
    return relation + NumberText(n.threshold);
  }

  std::string LevelSet(const Node& n, std::uint32_t side) const {
    std::string text;
    for (std::uint32_t level = 0; level < n.n_details; ++level) {
      if (tree_.sides[n.first_detail + level] != side) continue;
      text += (text.empty() ? "{" : ", ") + ColumnOf(n).levels[level];
    }
    return text + '}';
  }

  // "(14, gain 0.2467498198)".
  std::string SplitText(std::size_t node) const {
    const Node& n = tree_.nodes[node];
    std::string text = "(" + Rows(n.weight) + ", gain " + Gain(n.gain);
    if (names_.with_ratio) text += ", ratio " + Gain(n.merit);
    return text + ')';
  }

  // "yes (4)", "no (3/1)" with the weight of the other classes, "12.5 (4)" in regression.
  std::string LeafText(std::size_t node) const {
    const std::span<const double> output = tree_.output(node);
    const double weight = tree_.nodes[node].weight;
    if (names_.classes.empty()) return NumberText(output[0]) + " (" + Rows(weight) + ')';
    const auto best = std::max_element(output.begin(), output.end());
    // A level without rows predicts like its parent and has no errors.
    const double errors = weight > 0 ? weight - *best : 0;
    std::string text = names_.classes[static_cast<std::size_t>(best - output.begin())];
    text += " (" + Rows(weight);
    if (errors > 1e-9 * weight) text += '/' + Rows(errors);
    return text + ')';
  }

  static std::string Quoted(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return quoted + '"';
  }

  const Tree& tree_;
  const TreeNames& names_;
};

}  // namespace

std::string TreeAsText(const Tree& t, const TreeNames& names) { return Writer(t, names).Text(); }
std::string TreeAsRules(const Tree& t, const TreeNames& names) { return Writer(t, names).Rules(); }
std::string TreeAsDot(const Tree& t, const TreeNames& names) { return Writer(t, names).Dot(); }

}  // namespace crossfold::bundled
