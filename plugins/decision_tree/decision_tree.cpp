// Decision trees for classification and regression: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../tree/attribute_lists.h"
#include "../tree/columns.h"
#include "../tree/fit_bytes.h"
#include "../tree/flat_tree.h"
#include "../tree/grow.h"
#include "../tree/level_growth.h"
#include "../tree/onnx.h"
#include "../tree/ordered_rows.h"
#include "../tree/predict.h"
#include "../tree/prune.h"
#include "../tree/row_blocks.h"
#include "crossfold_plugin.hpp"
#include "export.h"
#include "params.h"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kValidationSeed = 0x76616C6964617465u;  // "validate"

// Returns which training rows are held out for reduced-error pruning: of every class (or of all
// rows in regression) the given share, rounded down.
std::vector<bool> DrawValidation(const tree::TrainingColumns& columns, double share,
                                 std::uint64_t seed) {
  std::vector<std::vector<std::uint32_t>> groups(std::max<std::size_t>(columns.n_classes, 1));
  for (std::size_t i = 0; i < columns.num_rows(); ++i) {
    const std::size_t group =
        columns.labels.empty() ? 0 : static_cast<std::size_t>(columns.labels[i]);
    groups[group].push_back(static_cast<std::uint32_t>(i));
  }
  // In the order of their first rows, as the order of the classes says nothing.
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  std::ranges::sort(groups, {}, [](const auto& group) { return group.front(); });
  cf::Random random(seed ^ kValidationSeed);
  std::vector<bool> chosen(columns.num_rows(), false);
  bool any = false;
  for (auto& group : groups) {
    random.Shuffle(std::span<std::uint32_t>(group));
    const auto n = static_cast<std::size_t>(share * static_cast<double>(group.size()));
    for (std::size_t i = 0; i < n; ++i) chosen[group[i]] = any = true;
  }
  if (!any) {
    throw cf::Error(CF_E_UNSUPPORTED_DATA,
                    "validation_share leaves no row to prune with; raise it or use other pruning");
  }
  return chosen;
}

// `training` and `validation` are read by the methods that send rows down the tree.
tree::Tree PrunedTree(const TreeParams& params, tree::Tree t, double ccp_alpha,
                      const tree::LabelledRows& training, const tree::LabelledRows& validation) {
  switch (params.pruning) {
    case TreePruning::kNone:
      return t;
    case TreePruning::kReducedError:
      PruneReducedError(t, validation);
      break;
    case TreePruning::kPessimistic:
      PrunePessimistic(t, params.leaf_penalty);
      break;
    case TreePruning::kErrorBased: {
      const bool gini =
          params.criterion == TreeCriterion::kAuto || params.criterion == TreeCriterion::kGini;
      PruneErrorBased(t, {params.confidence, params.subtree_raising, gini}, training);
      break;
    }
    case TreePruning::kCostComplexity:
      PruneCostComplexity(t, ccp_alpha);
      break;
  }
  return Compact(t);
}

// One set of training rows in memory: grows the tree once, then prunes copies of it.
class TreeFitter {
 public:
  TreeFitter(const TreeParams& params, const tree::PresortedColumns* presorted,
             const cf::TrainingView& train, const cf::Context& context)
      : params_(params),
        columns_(MakeTrainingColumns(train, presorted)),
        grow_weights_(columns_.weights) {
    if (params.pruning == TreePruning::kReducedError) HoldBack(context.seed());
    if (params.pruning == TreePruning::kReducedError ||
        params.pruning == TreePruning::kErrorBased) {
      entries_ = tree::RowMajor(columns_);
    }
  }

  tree::Tree Grow(std::int64_t max_depth, const cf::Context& context) const {
    tree::GrowOptions options = GrowOptionsOf(params_, columns_.n_classes > 0, context.seed());
    options.max_depth = max_depth;
    return tree::Grow(options, columns_, grow_weights_, &context);
  }

  tree::Tree Prune(tree::Tree t, double ccp_alpha) const {
    return PrunedTree(params_, std::move(t), ccp_alpha, Rows(grow_weights_),
                      Rows(validation_weights_));
  }

 private:
  void HoldBack(std::uint64_t seed) {
    const std::vector<bool> held = DrawValidation(columns_, params_.validation_share, seed);
    validation_weights_.assign(held.size(), 0.0);
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (held[i]) std::swap(grow_weights_[i], validation_weights_[i]);
    }
  }

  tree::LabelledRows Rows(std::span<const double> weights) const {
    return {entries_, columns_.num_features(), columns_.labels, columns_.values, weights};
  }

  const TreeParams& params_;
  tree::TrainingColumns columns_;
  std::vector<double> grow_weights_, validation_weights_;
  std::vector<double> entries_;  // row-major, where pruning sends rows down the tree
};

// The same with attribute lists in scratch memory.
class LevelFitter {
 public:
  LevelFitter(const TreeParams& params, const cf::TrainingView& train, const cf::Context& context)
      : params_(params), rows_(train), lists_(rows_, &context) {}

  tree::Tree Grow(std::int64_t max_depth, const cf::Context& context) const {
    tree::GrowOptions options = GrowOptionsOf(params_, rows_.num_classes() > 0, context.seed());
    options.max_depth = max_depth;
    return tree::GrowByLevels(options, rows_, lists_, {}, &context);
  }

  tree::Tree Prune(tree::Tree t, double ccp_alpha) const {
    return PrunedTree(params_, std::move(t), ccp_alpha, {}, {});
  }

 private:
  const TreeParams& params_;
  tree::OrderedRows rows_;
  tree::AttributeLists lists_;
};

class DecisionTree {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.decision_tree",
                    .title = "decision tree",
                    .doc =
                        "Splits the rows by one feature at a time (or a linear combination) "
                        "where the impurity falls most, and predicts the class shares or the "
                        "mean of the leaf; ties go to the earlier feature and the lower threshold.",
                    .source = "J. R. Quinlan, C4.5: Programs for Machine Learning, 1993; L. "
                              "Breiman, J. Friedman, R. Olshen and C. Stone, Classification and "
                              "Regression Trees, 1984",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                 CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES};

  using Params = TreeParams;
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("criterion", &Params::criterion, kTreeCriterionNames,
                 "Criterion by which a split is chosen; auto = gini for classes, squared_error for "
                 "numbers."),
      cf::Boolean("average_gain", &Params::average_gain,
                  "Only splits of at least average gain compete by gain ratio, as in C4.5.",
                  {.active_if = "criterion=gain_ratio"}),
      cf::Boolean("mdl_correction", &Params::mdl_correction,
                  "Charge a threshold for the number of candidates that it was chosen from, as in "
                  "C4.5 release 8.",
                  {.active_if = "criterion=entropy,gain_ratio"}),
      cf::Choice("nominal_split", &Params::nominal, kNominalSplitNames,
                 "Split a nominal feature into one child per level, or its levels into two sets."),
      cf::Choice("threshold", &Params::threshold, kThresholdNames,
                 "Place a threshold midway between two values, or at the largest training value "
                 "not above that."),
      cf::Choice("missing_gain", &Params::missing_gain, kMissingGainNames,
                 "Rows from which a gain is computed if entries of the feature are missing."),
      cf::Choice("splits", &Params::splits, kTreeSplitsNames,
                 "Splits on one feature, or also on linear combinations of numeric features."),
      cf::Integer("oblique_restarts", &Params::oblique_restarts, {.low = 0, .high = 1000},
                  "Random starts of the search for a linear combination at each node.",
                  {.active_if = "splits=oblique"}),
      cf::Integer("max_depth", &Params::max_depth, {.low = 0}, "Maximum tree depth.",
                  {.flags = CF_PF_SUBMODEL}),
      cf::Real("min_rows", &Params::min_rows, {.low = 0}, "Minimum weight of a node that is split.",
               {.unit = "rows"}),
      cf::Real("min_leaf", &Params::min_leaf, {.low = 0},
               "Minimum known weight of both children of a split; of two children if it has more.",
               {.unit = "rows"}),
      cf::Real("min_gain", &Params::min_gain, {.low = 0},
               "Minimum gain of a split, in units of the criterion's impurity."),
      cf::Real("chi_squared_p", &Params::chi_squared_p, {.low = 0, .high = 1},
               "Maximum p-value of a split in the chi-squared test of independence from the class.",
               {.flags = CF_PF_LO_OPEN}),
      cf::Integer("features_per_node", &Params::features_per_node, {.low = 1},
                  "Number of features sampled at each node; none = all."),
      cf::Choice("ties", &Params::ties, kTreeTiesNames,
                 "Of equally good splits, take the one on the earlier feature, or a random one."),
      cf::Choice("growth", &Params::growth, tree::kGrowthNames,
                 "Grow the tree from columns in memory, or, with the same result, level by level "
                 "from sorted lists in temporary files, for data larger than memory.",
                 {.flags = CF_PF_PREPARE}),
      cf::Choice("pruning", &Params::pruning, kTreePruningNames, "How the grown tree is pruned."),
      cf::Real("validation_share", &Params::validation_share, {.low = 0, .high = 1},
               "Share of each class's training rows that is held out for pruning.",
               {.flags = CF_PF_LO_OPEN | CF_PF_HI_OPEN, .active_if = "pruning=reduced_error"}),
      cf::Real("leaf_penalty", &Params::leaf_penalty, {.low = 0}, "Errors added for every leaf.",
               {.active_if = "pruning=pessimistic", .unit = "errors"}),
      cf::Real("confidence", &Params::confidence, {.low = 0, .high = 0.5},
               "Confidence level of the error estimates; smaller prunes more.",
               {.flags = CF_PF_LO_OPEN, .active_if = "pruning=error_based"}),
      cf::Boolean("subtree_raising", &Params::subtree_raising,
                  "A subtree may also be replaced by its largest branch.",
                  {.active_if = "pruning=error_based"}),
      cf::Real("ccp_alpha", &Params::ccp_alpha, {.low = 0},
               "Minimum decrease of impurity for each leaf that is kept.",
               {.flags = CF_PF_LOG | CF_PF_SUBMODEL, .active_if = "pruning=cost_complexity"}),
      cf::Real("laplace", &Params::laplace, {.low = 0},
               "Added to the weight of every class of the training rows in every leaf.",
               {.unit = "rows"}));

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    CheckTask(params, shape.n_classes > 0);
    CheckGrowth(params);
    CheckFeatures(params, shape.n_features);
  }

  // ---- fitting ---------------------------------------------------------------------------------

  static std::uint64_t FitBytes(const Params& params, const cf_shape& shape, const cf::Context&) {
    const tree::FitShape fit{shape, params.max_depth, params.min_leaf};
    return sizeof(DecisionTree) + fit.ModelBytes() +
           (params.growth == tree::Growth::kSliq ? fit.LevelBytes() : fit.MemoryBytes());
  }

  using Prepared = tree::PresortedColumns;
  static Prepared Prepare(const Params& params, const cf::FeatureView& all, const cf::Context&) {
    return params.growth == tree::Growth::kSliq ? Prepared() : Prepared(all);
  }

  static DecisionTree Fit(const Params& params, const cf::TrainingView& train,
                          const cf::Context& context) {
    return FitMany(params, {}, {}, nullptr, train, context);
  }
  static DecisionTree FitPrepared(const Params& params, const Prepared& prepared,
                                  const cf::TrainingView& train, const cf::Context& context) {
    return FitMany(params, {}, {}, &prepared, train, context);
  }
  static DecisionTree FitPath(const Params& params, std::string_view name,
                              std::span<const cf_value> values, const cf::TrainingView& train,
                              const cf::Context& context) {
    return FitMany(params, name, values, nullptr, train, context);
  }
  static DecisionTree FitPathPrepared(const Params& params, std::string_view name,
                                      std::span<const cf_value> values, const Prepared& prepared,
                                      const cf::TrainingView& train, const cf::Context& context) {
    return FitMany(params, name, values, &prepared, train, context);
  }

  // ---- predicting ------------------------------------------------------------------------------

  cf::ModelShape shape() const {
    return {.n_features = std::ssize(columns_), .n_classes = std::ssize(classes_)};
  }
  void Predict(const cf::FeatureView& rows, std::span<double> values,
               const cf::Context& context) const {
    PredictAt(0, rows, values, context);
  }
  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    PredictProbaAt(0, rows, probabilities, context);
  }
  void Predict(const cf::FeatureView& rows, std::span<std::int32_t> labels,
               const cf::Context& context) const {
    PredictAt(0, rows, labels, context);
  }
  void PredictAt(std::size_t index, const cf::FeatureView& rows, std::span<double> values,
                 const cf::Context&) const {
    AddPredictions(index, rows, values);
  }
  void PredictAt(std::size_t index, const cf::FeatureView& rows, std::span<std::int32_t> labels,
                 const cf::Context&) const {
    const tree::FlatTree& flat = flat_trees_.at(index);
    std::vector<double> shares(classes_.size());
    for (tree::RowBlocks blocks(rows); blocks.Next();) {
      const bool walks = flat.is_complete() && !blocks.has_missing();
      const auto width = static_cast<std::size_t>(rows.num_features());
      std::size_t i = 0;
      for (; walks && i + tree::FlatTree::kTogether <= blocks.size();
           i += tree::FlatTree::kTogether) {
        const auto leaves = flat.LeavesOf(blocks.row(i), width);
        for (std::size_t k = 0; k < leaves.size(); ++k) {
          labels[blocks.first() + i + k] = flat.label(leaves[k]);
        }
      }
      for (; i < blocks.size(); ++i) {
        labels[blocks.first() + i] =
            walks ? flat.LabelOf(blocks.row(i)) : LabelFromShares(index, blocks.row(i), shares);
      }
    }
  }
  void PredictProbaAt(std::size_t index, const cf::FeatureView& rows,
                      std::span<double> probabilities, const cf::Context&) const {
    AddPredictions(index, rows, probabilities);
    tree::LimitShares(probabilities);
  }

  // ---- looking at the model --------------------------------------------------------------------

  void Importance(std::span<double> one_a_feature, const cf::Context&) const {
    std::fill(one_a_feature.begin(), one_a_feature.end(), 0.0);
    AddImpurityDecrease(trees_[0], one_a_feature);
    double total = 0;
    for (const double decrease : one_a_feature) total += decrease;
    if (!(total > 0)) return;
    for (double& decrease : one_a_feature) decrease /= total;
  }

  static constexpr std::array<const char*, 3> kExportFormats = {"text", "rules", "dot"};
  std::string Export(std::size_t format, const cf::Context&) const {
    const TreeNames names{columns_, classes_, with_ratio_};
    if (format == 0) return TreeAsText(trees_[0], names);
    if (format == 1) return TreeAsRules(trees_[0], names);
    return TreeAsDot(trees_[0], names);
  }

  void AddOnnx(const cf::FeatureView& columns, cf::OnnxGraph& graph, const cf::Context&) const {
    const tree::Tree* const t = &trees_[0];
    tree::OnnxTrees trees({&t, 1}, columns, graph);
    tree::SetTreeOutputs(graph, trees.SumOutputs(laplace_), classes_.size());
  }

  std::uint64_t Bytes() const {
    std::uint64_t bytes = sizeof(*this);
    for (const tree::Tree& t : trees_) bytes += sizeof(t) + t.Bytes();
    for (const tree::FlatTree& t : flat_trees_) bytes += sizeof(t) + t.Bytes();
    for (const std::string& name : classes_) bytes += sizeof(name) + name.size();
    for (const tree::ColumnInfo& column : columns_) {
      bytes += sizeof(column) + column.name.size();
      for (const std::string& level : column.levels) bytes += sizeof(level) + level.size();
    }
    return bytes;
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    w.Write(laplace_);
    w.Write(with_ratio_);
    w.Write(static_cast<std::uint64_t>(classes_.size()));
    for (const std::string& name : classes_) w.WriteText(name);
    w.Write(static_cast<std::uint64_t>(columns_.size()));
    for (const tree::ColumnInfo& column : columns_) {
      w.WriteText(column.name);
      w.Write(static_cast<std::uint8_t>(column.kind));
      w.Write(static_cast<std::uint64_t>(column.levels.size()));
      for (const std::string& level : column.levels) w.WriteText(level);
    }
    w.Write(static_cast<std::uint64_t>(trees_.size()));
    for (const tree::Tree& t : trees_) SaveTree(t, w);
  }

  static DecisionTree Load(cf::Reader& r) {
    DecisionTree model;
    model.laplace_ = r.ReadWithin<double>(0, std::numeric_limits<double>::max());
    model.with_ratio_ = r.Read<bool>();
    const auto n_classes = r.Read<std::uint64_t>();
    for (std::uint64_t c = 0; c < n_classes; ++c) model.classes_.push_back(r.ReadText());
    const auto n_columns = r.Read<std::uint64_t>();
    std::vector<std::int64_t> n_levels;
    for (std::uint64_t j = 0; j < n_columns; ++j) {
      model.columns_.push_back(LoadColumn(r));
      n_levels.push_back(static_cast<std::int64_t>(model.columns_.back().levels.size()));
    }
    const auto n_trees = r.Read<std::uint64_t>();
    for (std::uint64_t t = 0; t < n_trees; ++t) {
      model.trees_.push_back(tree::LoadTree(r, model.classes_.size(), n_levels));
    }
    if (model.trees_.empty()) throw cf::Error(CF_E_BAD_BLOB, "the saved model has no tree");
    model.Flatten();
    return model;
  }

 private:
  DecisionTree() = default;
  DecisionTree(const Params& params, const cf::TrainingView& train)
      : laplace_(params.laplace),
        with_ratio_(params.criterion == TreeCriterion::kGainRatio),
        columns_(tree::DescribeColumns(train)) {
    for (std::int64_t c = 0; c < train.num_classes(); ++c) {
      classes_.emplace_back(train.class_name(c));
    }
  }

  static DecisionTree FitMany(const Params& params, std::string_view name,
                              std::span<const cf_value> values,
                              const tree::PresortedColumns* presorted,
                              const cf::TrainingView& train, const cf::Context& context) {
    CheckFeatures(params, train.num_features());
    CheckGrowth(params);
    DecisionTree model(params, train);
    if (params.growth == tree::Growth::kSliq) {
      model.trees_ = FitTrees(LevelFitter(params, train, context), params, name, values, context);
    } else {
      model.trees_ =
          FitTrees(TreeFitter(params, presorted, train, context), params, name, values, context);
    }
    model.Flatten();
    return model;
  }

  // One tree for each value of the parameter `name`; "" = one by the parameters. The deepest tree
  // is grown; the others are its tops, and each is pruned by itself.
  template <class Fitter>
  static std::vector<tree::Tree> FitTrees(const Fitter& fitter, const Params& params,
                                          std::string_view name, std::span<const cf_value> values,
                                          const cf::Context& context) {
    const bool by_depth = name == "max_depth";
    const auto depth_of = [](const cf_value& v) { return v.is_null != 0 ? kNoLimit : v.u.i; };
    std::int64_t deepest = by_depth ? 0 : params.max_depth.value_or(kNoLimit);
    for (const cf_value& value : values) {
      if (by_depth) deepest = std::max(deepest, depth_of(value));
    }
    tree::Tree grown = fitter.Grow(deepest, context);
    std::vector<tree::Tree> trees;
    if (name.empty()) {
      trees.push_back(fitter.Prune(std::move(grown), params.ccp_alpha));
      return trees;
    }
    for (const cf_value& value : values) {
      trees.push_back(by_depth ? fitter.Prune(Truncated(grown, depth_of(value)), params.ccp_alpha)
                               : fitter.Prune(grown, value.u.r));
    }
    return trees;
  }

  static void CheckFeatures(const Params& params, std::int64_t n_features) {
    if (params.features_per_node && *params.features_per_node > n_features) {
      throw cf::Error(CF_E_INVALID_PARAM,
                      "features_per_node = " + std::to_string(*params.features_per_node) +
                          " exceeds the " + std::to_string(n_features) + " feature" +
                          (n_features == 1 ? "" : "s"));
    }
  }

  void AddPredictions(std::size_t index, const cf::FeatureView& rows, std::span<double> out) const {
    const tree::Tree& t = trees_.at(index);
    const tree::FlatTree& flat = flat_trees_.at(index);
    std::fill(out.begin(), out.end(), 0.0);
    for (tree::RowBlocks blocks(rows); blocks.Next();) {
      const bool walks = flat.is_complete() && !blocks.has_missing();
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::span<double> here =
            out.subspan((blocks.first() + i) * t.n_outputs(), t.n_outputs());
        if (walks) {
          AddLeaf(t, flat.LeafOf(blocks.row(i)), 1, laplace_, here);
        } else {
          AddPrediction(t, blocks.row(i), 1, laplace_, here);
        }
      }
    }
  }

  // As PredictProbaAt has it: the largest share; ties go to the lower index.
  std::int32_t LabelFromShares(std::size_t index, const double* row,
                               std::vector<double>& shares) const {
    std::fill(shares.begin(), shares.end(), 0.0);
    AddPrediction(trees_[index], row, 1, laplace_, shares);
    tree::LimitShares(shares);
    return static_cast<std::int32_t>(std::max_element(shares.begin(), shares.end()) -
                                     shares.begin());
  }

  // Call it once, when all trees are there.
  void Flatten() {
    flat_trees_.reserve(trees_.size());
    for (const tree::Tree& t : trees_) flat_trees_.emplace_back(t, laplace_);
  }

  static tree::ColumnInfo LoadColumn(cf::Reader& r) {
    tree::ColumnInfo column;
    column.name = r.ReadText();
    column.kind = static_cast<tree::ColumnKind>(
        r.ReadWithin<std::uint8_t>(0, static_cast<std::uint8_t>(tree::ColumnKind::kNominal)));
    const auto n_levels = r.Read<std::uint64_t>();
    for (std::uint64_t level = 0; level < n_levels; ++level) column.levels.push_back(r.ReadText());
    if (column.kind == tree::ColumnKind::kOrdinal && column.levels.empty()) {
      throw cf::Error(CF_E_BAD_BLOB, "an ordered feature of the saved model has no levels");
    }
    return column;
  }

  double laplace_ = 0;
  bool with_ratio_ = false;
  std::vector<std::string> classes_;  // empty in regression
  std::vector<tree::ColumnInfo> columns_;
  std::vector<tree::Tree> trees_;           // one, or one per value of a path
  std::vector<tree::FlatTree> flat_trees_;  // of each
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.decision_tree", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::DecisionTree)
