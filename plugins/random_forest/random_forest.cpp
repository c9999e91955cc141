// Random forests for classification and regression: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../tree/attribute_lists.h"
#include "../tree/columns.h"
#include "../tree/fit_bytes.h"
#include "../tree/grow.h"
#include "../tree/level_growth.h"
#include "../tree/onnx.h"
#include "../tree/ordered_rows.h"
#include "../tree/predict.h"
#include "../tree/scratch_memory.h"
#include "../tree/tree.h"
#include "crossfold_plugin.hpp"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/random.hpp"

namespace cf = crossfold::plugin;
namespace tree = crossfold::bundled::tree;

namespace {

// Bootstrap samples of weighted rows, as whole-number weights.
class Bootstrap {
 public:
  // A row with a whole weight counts that many times: a sample then has as many draws as the
  // weights sum to, and equals that of the rows written out. With other weights it has as many
  // draws as there are rows, each with a chance in proportion to its weight. REQUIRES: weights > 0.
  // Throws Error if whole weights sum to more than 2^31.
  // `weights`: one per row; empty = each is 1.
  Bootstrap(std::span<const double> weights, std::size_t n_rows);

  // Sets how often each row was drawn.
  void Draw(cf::Random random, std::span<double> counts) const;

 private:
  bool whole_ = false;
  bool all_equal_one_ = false;
  std::uint64_t n_draws_ = 0;
  std::vector<double> cumulative_;  // of the weights, if not all are 1
};

constexpr double kMostDraws = 2147483648.0;

Bootstrap::Bootstrap(std::span<const double> weights, std::size_t n_rows)
    : whole_(
          std::all_of(weights.begin(), weights.end(), [](double w) { return w == std::floor(w); })),
      all_equal_one_(std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1; })),
      n_draws_(n_rows) {
  double sum = all_equal_one_ ? static_cast<double>(n_rows) : 0;
  if (!all_equal_one_) {
    for (const double w : weights) cumulative_.push_back(sum += w);
  }
  if (!whole_) return;
  if (sum > kMostDraws) {
    throw cf::Error(CF_E_UNSUPPORTED_DATA,
                    "the weights stand for more than 2147483648 rows, too many to draw from; "
                    "use bootstrap = false");
  }
  n_draws_ = static_cast<std::uint64_t>(sum);
}

void Bootstrap::Draw(cf::Random random, std::span<double> counts) const {
  std::fill(counts.begin(), counts.end(), 0.0);
  for (std::uint64_t d = 0; d < n_draws_; ++d) {
    if (all_equal_one_) {
      ++counts[random.Below(n_draws_)];
      continue;
    }
    const double at = whole_ ? static_cast<double>(random.Below(n_draws_))
                             : random.Uniform() * cumulative_.back();
    // The first row whose cumulated weight is above `at`.
    const auto row = std::upper_bound(cumulative_.begin(), cumulative_.end(), at);
    ++counts[std::min(static_cast<std::size_t>(row - cumulative_.begin()), counts.size() - 1)];
  }
}

struct ForestParams {
  std::int64_t trees = 100;
  std::optional<std::int64_t> features_per_node;  // none = by the task; 0 = all
  bool bootstrap = true;
  std::optional<std::int64_t> max_depth;
  double min_leaf = 1;
  tree::Growth growth = tree::Growth::kMemory;
};

// How many features a node tries; 0 = all.
std::int64_t FeaturesPerNode(const ForestParams& params, const cf::TrainingView& train) {
  const std::int64_t p = train.num_features();
  if (!params.features_per_node) {
    if (p == 0) return 0;
    const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(p)));
    return std::max<std::int64_t>(train.is_classification() ? root : p / 3, 1);
  }
  if (*params.features_per_node > p) {
    throw cf::Error(CF_E_INVALID_PARAM,
                    "features_per_node = " + std::to_string(*params.features_per_node) +
                        " exceeds the " + std::to_string(p) + " feature" + (p == 1 ? "" : "s"));
  }
  return *params.features_per_node;
}

tree::GrowOptions GrowOptionsOf(const ForestParams& params, const cf::TrainingView& train) {
  tree::GrowOptions options;
  options.criterion =
      train.is_classification() ? tree::Criterion::kGini : tree::Criterion::kSquaredError;
  options.nominal = tree::NominalSplit::kSubset;
  options.max_depth = params.max_depth.value_or(std::numeric_limits<std::int64_t>::max());
  options.min_rows = 0;
  options.min_leaf = params.min_leaf;
  options.features_per_node = FeaturesPerNode(params, train);
  options.ties_by_draw = options.features_per_node > 0;
  return options;
}

class RandomForest {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.random_forest",
                    .title = "random forest",
                    .doc = "The mean of many unpruned trees, each grown on a bootstrap sample of "
                           "the rows and trying a random choice of features at every node.",
                    .source = "L. Breiman, Random Forests, Machine Learning 45 (2001) 5-32",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                 CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES};

  using Params = ForestParams;
  static constexpr auto kSchema =
      cf::Schema(cf::Integer("trees", &Params::trees, {.low = 1, .high = 1000000},
                             "Number of trees.", {.flags = CF_PF_LOG | CF_PF_SUBMODEL}),
                 cf::Integer("features_per_node", &Params::features_per_node, {.low = 0},
                             "Number of features sampled at each node; none = the square root of "
                             "their number (classes) or a third of it (numbers); 0 = all."),
                 cf::Boolean("bootstrap", &Params::bootstrap,
                             "Grow each tree on its own sample of the rows, drawn with "
                             "replacement; otherwise on all rows."),
                 cf::Integer("max_depth", &Params::max_depth, {.low = 0},
                             "Maximum tree depth; none = no limit."),
                 cf::Real("min_leaf", &Params::min_leaf, {.low = 0},
                          "Minimum known weight of both children.", {.unit = "rows"}),
                 cf::Choice("growth", &Params::growth, tree::kGrowthNames,
                            "Grow trees from columns in memory, or, with the same result, level by "
                            "level from sorted lists in temporary files, for data larger than "
                            "memory.",
                            {.flags = CF_PF_PREPARE}));

  // ---- fitting ---------------------------------------------------------------------------------

  // The rank of every entry: samples and folds are other weights of the same columns.
  using Prepared = tree::PresortedColumns;
  static Prepared Prepare(const Params& params, const cf::FeatureView& all, const cf::Context&) {
    return params.growth == tree::Growth::kSliq ? Prepared() : Prepared(all);
  }

  static std::uint64_t FitBytes(const Params& params, const cf_shape& shape, const cf::Context&) {
    const tree::FitShape fit{shape, params.max_depth, params.min_leaf};
    const std::uint64_t models = (static_cast<std::uint64_t>(params.trees) + 1) * fit.ModelBytes();
    if (params.growth == tree::Growth::kSliq)
      return sizeof(RandomForest) + models + fit.LevelBytes();
    return sizeof(RandomForest) + models + fit.MemoryBytes() +
           2 * sizeof(double) * static_cast<std::uint64_t>(shape.n_rows);
  }

  static RandomForest Fit(const Params& params, const cf::TrainingView& train,
                          const cf::Context& context) {
    return FitOne(params, nullptr, train, context);
  }
  static RandomForest FitPrepared(const Params& params, const Prepared& prepared,
                                  const cf::TrainingView& train, const cf::Context& context) {
    return FitOne(params, &prepared, train, context);
  }
  static RandomForest FitPath(const Params& params, std::string_view,
                              std::span<const cf_value> values, const cf::TrainingView& train,
                              const cf::Context& context) {
    return FitMany(params, values, nullptr, train, context);
  }
  static RandomForest FitPathPrepared(const Params& params, std::string_view,
                                      std::span<const cf_value> values, const Prepared& prepared,
                                      const cf::TrainingView& train, const cf::Context& context) {
    return FitMany(params, values, &prepared, train, context);
  }

  // ---- predicting ------------------------------------------------------------------------------

  cf::ModelShape shape() const {
    return {.n_features = std::ssize(n_levels_),
            .n_classes = static_cast<std::int64_t>(n_classes_)};
  }
  void Predict(const cf::FeatureView& rows, std::span<double> values,
               const cf::Context& context) const {
    PredictAt(0, rows, values, context);
  }
  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    PredictProbaAt(0, rows, probabilities, context);
  }
  void PredictAt(std::size_t index, const cf::FeatureView& rows, std::span<double> values,
                 const cf::Context& context) const {
    Average(index, rows, values, context);
  }
  void PredictProbaAt(std::size_t index, const cf::FeatureView& rows,
                      std::span<double> probabilities, const cf::Context& context) const {
    Average(index, rows, probabilities, context);
    tree::LimitShares(probabilities);
  }

  // ---- looking at the model --------------------------------------------------------------------

  // Shares of the decrease of impurity within each tree, averaged over the trees that split.
  void Importance(std::span<double> importance, const cf::Context&) const {
    std::fill(importance.begin(), importance.end(), 0.0);
    std::vector<double> decrease(importance.size());
    std::size_t n_split = 0;
    for (std::size_t t = 0; t < NumTreesAt(0); ++t) {
      std::fill(decrease.begin(), decrease.end(), 0.0);
      tree::AddImpurityDecrease(trees_[t], decrease);
      double sum = 0;
      for (const double d : decrease) sum += d;
      if (!(sum > 0)) continue;
      ++n_split;
      for (std::size_t j = 0; j < decrease.size(); ++j) importance[j] += decrease[j] / sum;
    }
    for (double& x : importance) x /= static_cast<double>(std::max<std::size_t>(n_split, 1));
  }

  void AddOnnx(const cf::FeatureView& columns, cf::OnnxGraph& graph, const cf::Context&) const {
    std::vector<const tree::Tree*> used;
    for (std::size_t t = 0; t < NumTreesAt(0); ++t) used.push_back(&trees_[t]);
    tree::OnnxTrees trees(used, columns, graph);
    const auto n_trees = static_cast<double>(used.size());
    const auto mean = graph.Node("Div", {trees.SumOutputs(0), graph.Number(n_trees)});
    tree::SetTreeOutputs(graph, mean, n_classes_);
  }

  std::uint64_t Bytes() const {
    std::uint64_t bytes = sizeof(*this) + n_levels_.size() * sizeof(n_levels_[0]);
    for (const tree::Tree& t : trees_) bytes += sizeof(t) + t.Bytes();
    return bytes;
  }

  static constexpr std::uint32_t kFormatVersion = 1;

  void Save(cf::Writer& writer) const {
    writer.Write(static_cast<std::uint64_t>(n_classes_));
    writer.WriteSpan<std::int64_t>(n_levels_);
    writer.WriteSpan<std::int64_t>(n_trees_);
    writer.Write(static_cast<std::uint64_t>(trees_.size()));
    for (const tree::Tree& t : trees_) tree::SaveTree(t, writer);
  }

  static RandomForest Load(cf::Reader& reader) {
    RandomForest forest;
    constexpr std::uint64_t kMostClasses = 0x7FFFFFFF;
    forest.n_classes_ = static_cast<std::size_t>(reader.ReadWithin<std::uint64_t>(0, kMostClasses));
    forest.n_levels_ = reader.ReadVector<std::int64_t>();
    forest.n_trees_ = reader.ReadVector<std::int64_t>();
    const auto n = reader.Read<std::uint64_t>();
    for (std::uint64_t t = 0; t < n; ++t) {
      forest.trees_.push_back(tree::LoadTree(reader, forest.n_classes_, forest.n_levels_));
    }
    const auto fits = [&](std::int64_t k) {
      return k >= 1 && static_cast<std::uint64_t>(k) <= forest.trees_.size();
    };
    const auto& counts = forest.n_trees_;
    if (counts.empty() || !std::all_of(counts.begin(), counts.end(), fits) ||
        std::any_of(forest.n_levels_.begin(), forest.n_levels_.end(),
                    [](std::int64_t levels) { return levels < 0; })) {
      throw cf::Error(CF_E_BAD_BLOB, "the parts of the saved model do not fit together");
    }
    return forest;
  }

 private:
  RandomForest() = default;
  explicit RandomForest(const cf::TrainingView& train)
      : n_classes_(static_cast<std::size_t>(train.num_classes())) {
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      n_levels_.push_back(train.num_levels(j));
    }
  }

  static RandomForest FitOne(const Params& params, const Prepared* prepared,
                             const cf::TrainingView& train, const cf::Context& context) {
    RandomForest forest(train);
    forest.n_trees_ = {params.trees};
    forest.GrowTrees(params, prepared, train, context);
    return forest;
  }

  // Tree t is the same for any number of trees, so the longest forest has all others in it.
  static RandomForest FitMany(Params params, std::span<const cf_value> values,
                              const Prepared* prepared, const cf::TrainingView& train,
                              const cf::Context& context) {
    RandomForest forest(train);
    params.trees = 1;
    for (const cf_value& value : values) {
      forest.n_trees_.push_back(value.u.i);
      params.trees = std::max(params.trees, value.u.i);
    }
    forest.GrowTrees(params, prepared, train, context);
    return forest;
  }

  std::size_t num_outputs() const { return std::max<std::size_t>(n_classes_, 1); }

  void GrowTrees(const Params& params, const Prepared* prepared, const cf::TrainingView& train,
                 const cf::Context& context) {
    const tree::GrowOptions options = GrowOptionsOf(params, train);
    if (params.growth == tree::Growth::kSliq) {
      GrowByLists(params, options, train, context);
      return;
    }
    const tree::TrainingColumns columns = tree::MakeTrainingColumns(train, prepared);
    std::optional<Bootstrap> samples;
    if (params.bootstrap) samples.emplace(columns.weights, columns.num_rows());
    std::vector<double> weights = columns.weights;
    GrowEach(params, options, context, [&](const tree::GrowOptions& of_tree, cf::Random draws) {
      if (samples) samples->Draw(draws, weights);
      return tree::Grow(of_tree, columns, weights, &context);
    });
  }

  void GrowByLists(const Params& params, const tree::GrowOptions& options,
                   const cf::TrainingView& train, const cf::Context& context) {
    const tree::OrderedRows rows(train);
    const tree::AttributeLists lists(rows, &context);
    std::optional<Bootstrap> samples;
    tree::ScratchArray<double> weights;
    if (params.bootstrap) {
      samples.emplace(rows.weights(), rows.size());
      weights = tree::ScratchArray<double>(rows.size());
    }
    GrowEach(params, options, context, [&](const tree::GrowOptions& of_tree, cf::Random draws) {
      if (samples) samples->Draw(draws, weights.all());
      return tree::GrowByLevels(of_tree, rows, lists, weights.all(), &context);
    });
  }

  // grow(options, generator of the tree's sample).
  template <class GrowTree>
  void GrowEach(const Params& params, tree::GrowOptions options, const cf::Context& context,
                const GrowTree& grow) {
    // Two numbers per tree, so tree t depends on the call's seed and t alone.
    cf::Random seeds = context.MakeRandom();
    for (std::int64_t t = 0; t < params.trees; ++t) {
      context.Progress(static_cast<double>(t) / static_cast<double>(params.trees));
      const cf::Random draws(seeds.Next());
      options.seed = seeds.Next();
      trees_.push_back(grow(options, draws));
    }
  }

  std::size_t NumTreesAt(std::size_t index) const {
    return static_cast<std::size_t>(n_trees_.at(index));
  }

  // Trees outside, rows inside: a tree then stays in the cache. Sums go in the order of the trees.
  void Average(std::size_t index, const cf::FeatureView& rows, std::span<double> out,
               const cf::Context& context) const {
    const auto width = static_cast<std::size_t>(rows.num_features());
    const std::vector<double> entries = tree::PredictionRows(rows);
    const auto n_rows = static_cast<std::size_t>(rows.num_rows());
    const std::size_t n_trees = NumTreesAt(index);
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t t = 0; t < n_trees; ++t) {
      context.Progress(static_cast<double>(t) / static_cast<double>(n_trees));
      for (std::size_t i = 0; i < n_rows; ++i) {
        tree::AddPrediction(trees_[t], entries.data() + i * width, 1, 0,
                            out.subspan(i * num_outputs(), num_outputs()));
      }
    }
    for (double& x : out) x /= static_cast<double>(n_trees);
  }

  std::size_t n_classes_ = 0;           // 0 in regression
  std::vector<std::int64_t> n_levels_;  // one per feature; 0 = numeric
  std::vector<tree::Tree> trees_;
  std::vector<std::int64_t> n_trees_;  // of each value of a path; one if there is none
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.random_forest", "1.0.0", "The Crossfold Authors", "MIT", RandomForest)
