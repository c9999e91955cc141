// Bayesian networks whose features have the class and at most one feature as parents: see
// README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../bytes_of_rows.h"
#include "../feature_text.h"
#include "../level_names.h"
#include "../number_text.h"
#include "../softmax.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

// The tree of features within a tree-augmented naive Bayes.
constexpr std::int32_t kNoLevel = -1;   // of a missing entry
constexpr std::int32_t kNoParent = -1;  // of the root
// Informations that differ by at most this much are equal, in nats: far above the rounding of their
// sums, which depends on the order of rows and levels.
constexpr double kEqualInformation = 1e-12;

// Training rows as level codes, one list per feature.
struct LevelTable {
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<std::size_t> n_levels;
  std::vector<std::size_t> classes;
  std::vector<double> weights;
  std::size_t n_classes = 0;
};

// The mutual information of features i and j given the class, in nats, over the rows that have
// both; 0 if there are none.
double ConditionalMutualInformation(const LevelTable& table, std::size_t i, std::size_t j) {
  const std::size_t n_i = table.n_levels[i], n_j = table.n_levels[j], n_c = table.n_classes;
  std::vector<double> both(n_c * n_i * n_j), of_i(n_c * n_i), of_j(n_c * n_j), of_class(n_c);
  double total = 0;
  for (std::size_t row = 0; row < table.classes.size(); ++row) {
    if (table.codes[i][row] == kNoLevel || table.codes[j][row] == kNoLevel) continue;
    const auto a = static_cast<std::size_t>(table.codes[i][row]);
    const auto b = static_cast<std::size_t>(table.codes[j][row]);
    const std::size_t c = table.classes[row];
    const double weight = table.weights[row];
    both[(c * n_i + a) * n_j + b] += weight;
    of_i[c * n_i + a] += weight;
    of_j[c * n_j + b] += weight;
    of_class[c] += weight;
    total += weight;
  }
  double sum = 0;
  for (std::size_t c = 0; c < n_c; ++c) {
    for (std::size_t a = 0; a < n_i; ++a) {
      for (std::size_t b = 0; b < n_j; ++b) {
        const double n = both[(c * n_i + a) * n_j + b];
        if (n == 0) continue;
        sum += n * std::log(n * of_class[c] / (of_i[c * n_i + a] * of_j[c * n_j + b]));
      }
    }
  }
  return total > 0 ? sum / total : 0;
}

using Edge = std::pair<std::size_t, std::size_t>;

// From the heaviest down; equal edges in the order of their features.
std::vector<Edge> EdgesByWeight(std::span<const double> weights, std::size_t d) {
  const auto weight = [&](const Edge& edge) { return weights[edge.first * d + edge.second]; };
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i + 1; j < d; ++j) edges.emplace_back(i, j);
  }
  std::sort(edges.begin(), edges.end(),
            [&](const Edge& a, const Edge& b) { return weight(a) > weight(b); });
  for (auto first = edges.begin(); first != edges.end();) {
    const double least = weight(*first) - kEqualInformation;
    const auto end = std::partition_point(first, edges.end(),
                                          [&](const Edge& edge) { return weight(edge) >= least; });
    std::sort(first, end);
    first = end;
  }
  return edges;
}

// Returns the parents in the spanning tree of the largest total weight, directed away from feature
// 0. `weights` is d x d, the entries above the diagonal are read; ties (see kEqualInformation) go
// to the edge with the lower first feature, then to the lower second one.
std::vector<std::int32_t> MaximumSpanningTree(std::span<const double> weights, std::size_t d) {
  std::vector<std::size_t> part(d);
  std::iota(part.begin(), part.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> neighbours(d);
  // Kruskal: an edge is taken unless both ends are joined already.
  for (const auto& [i, j] : EdgesByWeight(weights, d)) {
    if (part[i] == part[j]) continue;
    std::replace(part.begin(), part.end(), std::size_t{part[j]}, std::size_t{part[i]});
    neighbours[i].push_back(j);
    neighbours[j].push_back(i);
  }
  std::vector<std::int32_t> parents(d, kNoParent);
  std::vector<std::size_t> open;
  if (d > 0) open.push_back(0);
  while (!open.empty()) {
    const std::size_t from = open.back();
    open.pop_back();
    for (const std::size_t to : neighbours[from]) {
      if (parents[from] == static_cast<std::int32_t>(to)) continue;
      parents[to] = static_cast<std::int32_t>(from);
      open.push_back(to);
    }
  }
  return parents;
}

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

enum class Structure { kTan, kNaive };
constexpr std::array<const char*, 2> kStructureNames = {"tan", "naive"};

LevelTable ReadTable(const cf::TrainingView& train) {
  LevelTable table;
  table.n_classes = static_cast<std::size_t>(train.num_classes());
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    table.classes.push_back(static_cast<std::size_t>(train.label(i)));
    table.weights.push_back(train.weight(i));
  }
  for (std::int64_t j = 0; j < train.num_features(); ++j) {
    RequireLevels(train, j, "bayes_net");
    table.n_levels.push_back(LevelNames(train, j).size());
    std::vector<std::int32_t>& codes = table.codes.emplace_back();
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      const double x = train.x(i, j);
      codes.push_back(std::isnan(x) ? kNoLevel : static_cast<std::int32_t>(x));
    }
  }
  return table;
}

// One feature given the class, and given the class and the parent.
struct Node {
  std::string name;
  std::size_t n_levels = 0;
  std::int32_t parent = kNoParent;
  std::vector<double> alone;        // log probabilities, levels x classes
  std::vector<double> with_parent;  // parent levels x levels x classes
};

// Turns counts into log probabilities over the levels, for every class: (n + laplace) / (N +
// laplace K).
void TakeLogs(std::span<double> counts, std::size_t n_levels, std::size_t n_classes,
              double laplace) {
  for (std::size_t c = 0; c < n_classes; ++c) {
    double all = laplace * static_cast<double>(n_levels);
    for (std::size_t l = 0; l < n_levels; ++l) all += counts[l * n_classes + c];
    for (std::size_t l = 0; l < n_levels; ++l) {
      double& entry = counts[l * n_classes + c];
      // Without any row, takes the limit of vanishing smoothing.
      entry =
          all > 0 ? std::log((entry + laplace) / all) : -std::log(static_cast<double>(n_levels));
    }
  }
}

void FitTables(const LevelTable& table, std::size_t j, double laplace, Node& node) {
  const std::size_t n_classes = table.n_classes;
  const std::size_t block = node.n_levels * n_classes;
  const bool has_parent = node.parent != kNoParent;
  const auto parent = static_cast<std::size_t>(has_parent ? node.parent : 0);
  node.alone.assign(block, 0);
  if (has_parent) node.with_parent.assign(table.n_levels[parent] * block, 0);
  for (std::size_t i = 0; i < table.classes.size(); ++i) {
    if (table.codes[j][i] == kNoLevel) continue;
    const std::size_t place =
        static_cast<std::size_t>(table.codes[j][i]) * n_classes + table.classes[i];
    node.alone[place] += table.weights[i];
    if (!has_parent || table.codes[parent][i] == kNoLevel) continue;
    node.with_parent[static_cast<std::size_t>(table.codes[parent][i]) * block + place] +=
        table.weights[i];
  }
  TakeLogs(node.alone, node.n_levels, n_classes, laplace);
  for (std::size_t start = 0; start < node.with_parent.size(); start += block) {
    TakeLogs(std::span(node.with_parent).subspan(start, block), node.n_levels, n_classes, laplace);
  }
}

class BayesNet {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.bayes_net",
                    .title = "Bayesian network (tree-augmented naive Bayes)",
                    .doc = "Every feature depends on the class and, with structure = tan, on one "
                           "other feature, chosen by a spanning tree of the largest conditional "
                           "mutual information.",
                    .source = "N. Friedman, D. Geiger and M. Goldszmidt, Bayesian network "
                              "classifiers, Machine Learning 29 (1997) 131-163",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                 CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES};

  struct Params {
    Structure structure = Structure::kTan;
    double laplace = 1;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("structure", &Params::structure, kStructureNames,
                 "Whether features depend on one another (tan), or on the class only (naive)."),
      cf::Real("laplace", &Params::laplace, {.low = 0},
               "Added to every count, including the counts of the classes.", {.unit = "rows"}));

  static BayesNet Fit(const Params& params, const cf::TrainingView& train,
                      const cf::Context& context) {
    BayesNet fitted;
    const LevelTable table = ReadTable(train);
    for (std::int64_t c = 0; c < train.num_classes(); ++c) {
      fitted.class_names_.emplace_back(train.class_name(c));
    }
    fitted.FitClasses(table, params.laplace);
    const std::size_t d = table.codes.size();
    std::vector<std::int32_t> parents(d, kNoParent);
    if (params.structure == Structure::kTan) parents = FindParents(table, context);
    for (std::size_t j = 0; j < d; ++j) {
      Node& node = fitted.nodes_.emplace_back();
      node.name = std::string(train.name(static_cast<std::int64_t>(j)));
      node.n_levels = table.n_levels[j];
      node.parent = parents[j];
      FitTables(table, j, params.laplace, node);
    }
    return fitted;
  }

  static std::uint64_t FitBytes(const Params&, const cf_shape& shape, const cf::Context&) {
    // Codes of levels, classes and weights.
    return BytesOfRows(shape, 4, 48);
  }

  cf::ModelShape shape() const {
    return {.n_features = std::ssize(nodes_), .n_classes = std::ssize(class_names_)};
  }
  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    const std::size_t n_classes = log_priors_.size();
    const auto n = static_cast<std::size_t>(rows.num_rows());
    for (std::size_t i = 0; i < n; ++i) {
      std::copy(log_priors_.begin(), log_priors_.end(), probabilities.begin() + i * n_classes);
    }
    std::vector<double> x(n), parent(n);
    for (std::size_t j = 0; j < nodes_.size(); ++j) {
      context.Progress(static_cast<double>(j) / static_cast<double>(nodes_.size()));
      rows.CopyColumn(static_cast<std::int64_t>(j), x);
      if (nodes_[j].parent != kNoParent) rows.CopyColumn(nodes_[j].parent, parent);
      for (std::size_t i = 0; i < n; ++i) {
        const double* logs = LogsOf(nodes_[j], x[i], parent[i]);
        if (logs == nullptr) continue;
        double* to = probabilities.data() + i * n_classes;
        for (std::size_t c = 0; c < n_classes; ++c) to[c] += logs[c];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      Normalise(probabilities.subspan(i * n_classes, n_classes));
    }
  }

  static constexpr std::array<const char*, 2> kExportFormats = {"text", "dot"};
  std::string Export(std::size_t format, const cf::Context&) const {
    return format == 0 ? AsText() : AsDot();
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    w.Write(static_cast<std::uint64_t>(class_names_.size()));
    for (const std::string& name : class_names_) w.WriteText(name);
    w.WriteSpan<double>(log_priors_);
    w.Write(static_cast<std::uint64_t>(nodes_.size()));
    for (const Node& node : nodes_) {
      w.WriteText(node.name);
      w.Write(static_cast<std::uint64_t>(node.n_levels));
      w.Write(node.parent);
      w.WriteSpan<double>(node.alone);
      w.WriteSpan<double>(node.with_parent);
    }
  }
  static BayesNet Load(cf::Reader& r) {
    BayesNet loaded;
    const auto n_classes = r.Read<std::uint64_t>();
    for (std::uint64_t c = 0; c < n_classes; ++c) loaded.class_names_.push_back(r.ReadText());
    loaded.log_priors_ = r.ReadVector<double>();
    const auto n_nodes = r.Read<std::uint64_t>();
    for (std::uint64_t j = 0; j < n_nodes; ++j) {
      Node& node = loaded.nodes_.emplace_back();
      node.name = r.ReadText();
      node.n_levels = static_cast<std::size_t>(
          r.ReadWithin<std::uint64_t>(0, std::numeric_limits<std::int32_t>::max()));
      node.parent = r.Read<std::int32_t>();
      node.alone = r.ReadVector<double>();
      node.with_parent = r.ReadVector<double>();
    }
    if (!loaded.HoldsTogether()) {
      throw cf::Error(CF_E_BAD_BLOB, "the saved network is inconsistent");
    }
    return loaded;
  }

 private:
  void FitClasses(const LevelTable& table, double laplace) {
    std::vector<double> weights(table.n_classes);
    for (std::size_t i = 0; i < table.classes.size(); ++i) {
      weights[table.classes[i]] += table.weights[i];
    }
    double all = 0;
    for (const double weight : weights) all += weight > 0 ? weight + laplace : 0;
    if (!(all > 0)) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA, "the training rows have a total weight of 0");
    }
    for (const double weight : weights) {
      // A class that the training rows lack is impossible.
      log_priors_.push_back(weight > 0 ? std::log((weight + laplace) / all) : kMinusInfinity);
    }
  }

  static std::vector<std::int32_t> FindParents(const LevelTable& table,
                                               const cf::Context& context) {
    const std::size_t d = table.codes.size();
    std::vector<double> information(d * d);
    for (std::size_t i = 0; i < d; ++i) {
      context.Progress(static_cast<double>(i) / static_cast<double>(d));
      for (std::size_t j = i + 1; j < d; ++j) {
        information[i * d + j] = ConditionalMutualInformation(table, i, j);
      }
    }
    return MaximumSpanningTree(information, d);
  }

  // One entry per class; nullptr if the feature is missing. A missing parent leaves the class
  // alone.
  const double* LogsOf(const Node& node, double x, double parent) const {
    if (std::isnan(x)) return nullptr;
    const std::size_t n_classes = log_priors_.size();
    const std::size_t place = LevelWithin(node, x) * n_classes;
    if (node.parent == kNoParent || std::isnan(parent)) return node.alone.data() + place;
    const std::size_t block = node.n_levels * n_classes;
    const Node& above = nodes_[static_cast<std::size_t>(node.parent)];
    return node.with_parent.data() + LevelWithin(above, parent) * block + place;
  }
  static std::size_t LevelWithin(const Node& node, double x) {
    if (x >= 0 && x < static_cast<double>(node.n_levels)) return static_cast<std::size_t>(x);
    throw cf::Error(CF_E_UNSUPPORTED_DATA, FeatureText(node.name) + " has an unknown level");
  }

  // Turns scores into probabilities, in place. If every class is impossible, the priors remain.
  void Normalise(std::span<double> scores) const {
    if (*std::max_element(scores.begin(), scores.end()) == kMinusInfinity) {
      std::copy(log_priors_.begin(), log_priors_.end(), scores.begin());
    }
    Softmax(scores);
  }

  std::string AsText() const {
    std::string text;
    for (std::size_t c = 0; c < class_names_.size(); ++c) {
      text += "P(" + class_names_[c] + ") = " + NumberText(std::exp(log_priors_[c])) + "\n";
    }
    for (const Node& node : nodes_) {
      text += node.name + " <- class";
      if (node.parent != kNoParent)
        text += ", " + nodes_[static_cast<std::size_t>(node.parent)].name;
      text += "\n";
    }
    return text;
  }
  std::string AsDot() const {
    std::string text = "digraph bayes_net {\n  class [shape=box];\n";
    for (std::size_t j = 0; j < nodes_.size(); ++j) {
      const std::string id = "f" + std::to_string(j);
      text += "  " + id + " [label=\"" + Escaped(nodes_[j].name) + "\"];\n  class -> " + id + ";\n";
      if (nodes_[j].parent != kNoParent) {
        text += "  f" + std::to_string(nodes_[j].parent) + " -> " + id + ";\n";
      }
    }
    return text + "}\n";
  }
  static std::string Escaped(const std::string& name) {
    std::string text;
    for (const char ch : name) {
      if (ch == '"' || ch == '\\') text += '\\';
      text += ch;
    }
    return text;
  }

  bool HoldsTogether() const {
    const std::size_t n_classes = class_names_.size();
    const auto is_log = [](double x) { return x <= 0; };
    const auto all_logs = [&](const std::vector<double>& x) {
      return std::all_of(x.begin(), x.end(), is_log);
    };
    if (n_classes == 0 || log_priors_.size() != n_classes || !all_logs(log_priors_) ||
        *std::max_element(log_priors_.begin(), log_priors_.end()) == kMinusInfinity) {
      return false;
    }
    for (const Node& node : nodes_) {
      const auto n_nodes = static_cast<std::int64_t>(nodes_.size());
      if (node.parent < kNoParent || node.parent >= n_nodes) return false;
      const std::size_t above =
          node.parent == kNoParent ? 0 : nodes_[static_cast<std::size_t>(node.parent)].n_levels;
      if (node.alone.size() != node.n_levels * n_classes ||
          node.with_parent.size() != above * node.alone.size() || !all_logs(node.alone) ||
          !all_logs(node.with_parent)) {
        return false;
      }
    }
    return true;
  }

  std::vector<std::string> class_names_;
  std::vector<double> log_priors_;  // minus infinity for a class that the training rows lack
  std::vector<Node> nodes_;         // one per feature
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.bayes_net", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::BayesNet)
