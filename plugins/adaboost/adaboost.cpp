// AdaBoost over stumps and trees: see README.md.
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

#include "../onnx_parts.h"
#include "../tree/attribute_lists.h"
#include "../tree/columns.h"
#include "../tree/fit_bytes.h"
#include "../tree/grow.h"
#include "../tree/onnx.h"
#include "../tree/ordered_rows.h"
#include "../tree/tree.h"
#include "../validation_rows.h"
#include "boosting.h"
#include "crossfold_plugin.hpp"
#include "description.h"
#include "votes.h"

namespace crossfold::bundled::adaboost {
namespace {

namespace cf = crossfold::plugin;

constexpr std::array<const char*, 2> kAlgorithmNames = {"m1", "samme"};

class AdaBoost {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.adaboost",
                    .title = "AdaBoost",
                    .doc = "A weighted vote of small decision trees, each grown on the rows that "
                           "the earlier ones got wrong: AdaBoost.M1, and SAMME for more than two "
                           "classes.",
                    .source = "Y. Freund and R. E. Schapire, Journal of Computer and System "
                              "Sciences 55 (1997) 119-139; J. Zhu, H. Zou, S. Rosset and T. "
                              "Hastie, Statistics and Its Interface 2 (2009) 349-360",
                    .determinism =
                        CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER | CF_DET_UNSEEDED},
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                 CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES};

  using Params = BoostParams;
  static constexpr auto kSchema = cf::Schema(
      cf::Integer("rounds", &Params::rounds, {.low = 1, .high = 1000000},
                  "Maximum number of trees.", {.flags = CF_PF_LOG | CF_PF_SUBMODEL}),
      cf::Integer("max_depth", &Params::max_depth, {.low = 1, .high = 1000},
                  "Maximum depth of a tree; 1 gives stumps."),
      cf::Choice("algorithm", &Params::algorithm, kAlgorithmNames,
                 "Weight of a vote: ln((1 - e) / e) / 2 (m1), or ln((1 - e) / e) + ln(classes - 1) "
                 "(samme)."),
      cf::Real("learning_rate", &Params::learning_rate, {.low = 1e-6, .high = 10},
               "Factor that multiplies the weight of every vote.", {.flags = CF_PF_LOG}),
      cf::Choice(
          "growth", &Params::growth, tree::kGrowthNames,
          "Grow trees from columns in memory, or, with the same result, from sorted lists in "
          "temporary files, for data larger than memory.",
          {.flags = CF_PF_PREPARE}));

  static AdaBoost Fit(const Params& params, const cf::TrainingView& train,
                      const cf::Context& context) {
    return FitTo({params.rounds}, params, nullptr, train, context);
  }

  static AdaBoost FitPath(const Params& params, std::string_view, std::span<const cf_value> values,
                          const cf::TrainingView& train, const cf::Context& context) {
    return FitTo(RoundsOf(values), params, nullptr, train, context);
  }

  static AdaBoost FitValidated(const Params& params, const cf::TrainingView& train,
                               const cf::TrainingView& validation, const cf::Context& context) {
    AdaBoost fitted = Fit(params, train, context);
    fitted.KeepRounds(fitted.BestRounds(validation, context));
    return fitted;
  }

  // The columns, sorted once for all settings.
  using Prepared = tree::PresortedColumns;
  static Prepared Prepare(const Params& params, const cf::FeatureView& all, const cf::Context&) {
    return params.growth == tree::Growth::kSliq ? Prepared() : Prepared(all);
  }

  static std::uint64_t FitBytes(const Params& params, const cf_shape& shape, const cf::Context&) {
    const tree::FitShape fit{shape, params.max_depth, 0};
    const auto n_rows = static_cast<std::uint64_t>(shape.n_rows);
    const auto n_features = static_cast<std::uint64_t>(shape.n_features);
    const std::uint64_t models =
        sizeof(AdaBoost) + (static_cast<std::uint64_t>(params.rounds) + 1) * fit.ModelBytes();
    if (params.growth == tree::Growth::kSliq) return models + fit.LevelBytes();
    // Runs and entries of stumps, or the rows of deeper trees one after the other.
    return models + fit.MemoryBytes() + n_rows * (28 * n_features + 64);
  }

  static AdaBoost FitPrepared(const Params& params, const Prepared& prepared,
                              const cf::TrainingView& train, const cf::Context& context) {
    return FitTo({params.rounds}, params, &prepared, train, context);
  }

  static AdaBoost FitPathPrepared(const Params& params, std::string_view,
                                  std::span<const cf_value> values, const Prepared& prepared,
                                  const cf::TrainingView& train, const cf::Context& context) {
    return FitTo(RoundsOf(values), params, &prepared, train, context);
  }

  cf::ModelShape shape() const {
    return {.n_features = std::ssize(names_.features), .n_classes = std::ssize(names_.classes)};
  }
  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    PredictProbaAt(0, rows, probabilities, context);
  }

  void PredictProbaAt(std::size_t index, const cf::FeatureView& rows,
                      std::span<double> probabilities, const cf::Context& context) const {
    const std::size_t n_classes = boosted_.priors.size();
    const Range used = UsedAt(rounds_.at(index));
    voters_.Vote(boosted_, used, rows, probabilities, context);
    for (std::size_t at = 0; at < probabilities.size(); at += n_classes) {
      ToProbabilities(used, probabilities.subspan(at, n_classes));
    }
  }

  // Shares of the decrease of impurity within each tree, averaged with the weights of the votes.
  void Importance(std::span<double> importance, const cf::Context&) const {
    std::fill(importance.begin(), importance.end(), 0.0);
    const Range used = UsedAt(rounds_.at(0));
    std::vector<double> decrease(importance.size());
    double total = 0;
    for (std::size_t t = used.begin; t < used.end; ++t) {
      const Hypothesis& h = boosted_.hypotheses[t];
      std::fill(decrease.begin(), decrease.end(), 0.0);
      tree::AddImpurityDecrease(h.tree, decrease);
      double sum = 0;
      for (const double d : decrease) sum += d;
      if (!(sum > 0)) continue;
      const double weight = std::abs(h.weight);
      total += weight;
      for (std::size_t j = 0; j < decrease.size(); ++j) {
        importance[j] += weight * (decrease[j] / sum);
      }
    }
    if (!(total > 0)) return;
    for (double& x : importance) x /= total;
  }

  static constexpr std::array<const char*, 1> kExportFormats = {"text"};
  std::string Export(std::size_t, const cf::Context&) const { return Describe(boosted_, names_); }

  void AddOnnx(const cf::FeatureView& columns, cf::OnnxGraph& graph, const cf::Context&) const {
    SetClassOutputs(graph, AddProbabilities(columns, graph));
  }

  static constexpr std::uint32_t kFormatVersion = 1;

  void Save(cf::Writer& writer) const {
    names_.Save(writer);
    writer.WriteSpan<std::int64_t>(rounds_);
    writer.WriteSpan<double>(boosted_.priors);
    writer.Write(static_cast<std::uint8_t>(boosted_.stop));
    writer.Write(static_cast<std::uint64_t>(boosted_.hypotheses.size()));
    for (const Hypothesis& h : boosted_.hypotheses) {
      writer.Write(h.error);
      writer.Write(h.weight);
      tree::SaveTree(h.tree, writer);
    }
  }

  static AdaBoost Load(cf::Reader& reader) {
    AdaBoost loaded;
    loaded.names_ = Names::Load(reader);
    loaded.rounds_ = reader.ReadVector<std::int64_t>();
    Boosted& boosted = loaded.boosted_;
    boosted.priors = reader.ReadVector<double>();
    constexpr auto kLast = static_cast<std::uint8_t>(Stop::kChance);
    boosted.stop = static_cast<Stop>(reader.ReadWithin<std::uint8_t>(0, kLast));
    const auto n = reader.Read<std::uint64_t>();
    const std::vector<std::int64_t> n_levels = loaded.names_.num_levels();
    loaded.CheckClasses();
    for (std::uint64_t t = 0; t < n; ++t) {
      Hypothesis h;
      h.error = reader.ReadWithin(0.0, 1.0);
      h.weight = reader.ReadWithin(-kLargestWeight, kLargestWeight);
      h.tree = tree::LoadTree(reader, boosted.priors.size(), n_levels);
      Require(!tree::HasObliqueSplits(h.tree));  // Names are of single features only
      boosted.hypotheses.push_back(std::move(h));
    }
    loaded.CheckHypotheses();
    loaded.voters_ = Voters(boosted);
    return loaded;
  }

 private:
  static constexpr double kLargestWeight = 1e6;  // of any log odds with any learning rate

  // The longest value of a path has the rounds of all others.
  static AdaBoost FitTo(std::vector<std::int64_t> rounds, Params params, const Prepared* prepared,
                        const cf::TrainingView& train, const cf::Context& context) {
    params.rounds = rounds.empty() ? 1 : *std::max_element(rounds.begin(), rounds.end());
    AdaBoost fitted;
    fitted.names_ = Names::Of(train);
    if (params.growth == tree::Growth::kSliq) {
      const tree::OrderedRows rows(train);
      fitted.boosted_ = BoostByLists(params, rows, tree::AttributeLists(rows, &context), context);
    } else {
      fitted.boosted_ = Boost(params, tree::MakeTrainingColumns(train, prepared), context);
    }
    fitted.voters_ = Voters(fitted.boosted_);
    fitted.rounds_ = std::move(rounds);
    return fitted;
  }

  static std::vector<std::int64_t> RoundsOf(std::span<const cf_value> values) {
    std::vector<std::int64_t> rounds;
    for (const cf_value& value : values) rounds.push_back(value.u.i);
    return rounds;
  }

  // The result of a fit with that number of rounds.
  Range UsedAt(std::int64_t rounds) const {
    const std::size_t n = boosted_.hypotheses.size();
    const std::size_t used = std::min(n, static_cast<std::size_t>(rounds));
    const bool alone = boosted_.stop == Stop::kPerfect && used == n;
    return {alone ? n - 1 : 0, used};
  }

  // Returns the number of rounds whose model gets the least weight of these rows wrong; the fewest
  // of equal ones.
  std::size_t BestRounds(const cf::TrainingView& rows, const cf::Context& context) const {
    const std::size_t n = boosted_.hypotheses.size(), n_classes = boosted_.priors.size();
    std::vector<std::int32_t> present;
    for (std::size_t c = 0; c < n_classes; ++c) {
      if (boosted_.priors[c] > 0) present.push_back(static_cast<std::int32_t>(c));
    }
    const std::vector<std::int64_t> counted = UsedValidationRows(rows, present);
    std::vector<double> votes(static_cast<std::size_t>(rows.num_rows()) * n_classes);
    std::vector<double> of_one(votes.size());
    std::size_t best = n;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < n; ++t) {
      context.Progress(static_cast<double>(t) / static_cast<double>(n));
      const Range used = UsedAt(static_cast<std::int64_t>(t) + 1);
      voters_.Vote(boosted_, {t, t + 1}, rows, of_one, context);
      for (std::size_t i = 0; i < votes.size(); ++i) {
        votes[i] = used.begin == t ? of_one[i] : votes[i] + of_one[i];
      }
      const double wrong = WrongWeight(used, rows, counted, votes);
      if (wrong < lowest) {
        lowest = wrong;
        best = t + 1;
      }
    }
    return best;
  }

  // Returns the weight of those of the counted rows whose most probable class is not theirs.
  double WrongWeight(Range used, const cf::TrainingView& rows,
                     std::span<const std::int64_t> counted, std::vector<double> votes) const {
    const std::size_t n_classes = boosted_.priors.size();
    double wrong = 0;
    for (const std::int64_t i : counted) {
      const auto of_row =
          std::span(votes).subspan(static_cast<std::size_t>(i) * n_classes, n_classes);
      ToProbabilities(used, of_row);
      const auto label = std::max_element(of_row.begin(), of_row.end()) - of_row.begin();
      if (label != rows.label(i)) wrong += rows.weight(i);
    }
    return wrong;
  }

  // Makes this the result of a fit with that number of rounds.
  void KeepRounds(std::size_t rounds) {
    rounds_ = {std::max<std::int64_t>(static_cast<std::int64_t>(rounds), 1)};
    if (rounds >= boosted_.hypotheses.size()) return;
    boosted_.hypotheses.resize(rounds);
    boosted_.stop = Stop::kRounds;
    voters_ = Voters(boosted_);
  }

  // exp(share of the votes / (classes - 1)), made to sum to 1, over the classes that the training
  // rows have; without any hypothesis the shares of the classes.
  void ToProbabilities(Range used, std::span<double> votes) const {
    const std::vector<double>& priors = boosted_.priors;
    if (used.begin == used.end) {
      std::copy(priors.begin(), priors.end(), votes.begin());
      return;
    }
    double total = 0, sum = 0;
    for (const double v : votes) total += v;
    const auto others = static_cast<double>(std::max<std::size_t>(NumPresent(priors), 2) - 1);
    for (std::size_t c = 0; c < votes.size(); ++c) {
      votes[c] = priors[c] > 0 ? std::exp(votes[c] / total / others) : 0;
      sum += votes[c];
    }
    for (double& v : votes) v /= sum;
  }

  // The same as ONNX operators.
  cf::OnnxGraph::Value AddProbabilities(const cf::FeatureView& columns,
                                        cf::OnnxGraph& graph) const {
    const std::vector<double>& priors = boosted_.priors;
    const Range used = UsedAt(rounds_.at(0));
    if (used.begin == used.end) {
      return OnEveryRow(graph, graph.Numbers(priors, {1, priors.size()}));
    }
    const auto votes = voters_.AddOnnxVotes(boosted_, used, columns, graph);
    const auto shares = graph.Node("Div", {votes, SumOfRow(graph, votes)});
    const auto others = static_cast<double>(std::max<std::size_t>(NumPresent(priors), 2) - 1);
    const auto powers = graph.Node("Exp", {graph.Node("Div", {shares, graph.Number(others)})});
    std::vector<double> present;
    for (const double prior : priors) present.push_back(prior > 0 ? 1 : 0);
    const auto parts = graph.Node("Mul", {powers, graph.Numbers(present, {1, present.size()})});
    return graph.Node("Div", {parts, SumOfRow(graph, parts)});
  }

  static void Require(bool holds) {
    if (!holds) throw cf::Error(CF_E_BAD_BLOB, "the parts of the saved model do not fit together");
  }
  void CheckClasses() const {
    const std::vector<double>& priors = boosted_.priors;
    Require(!priors.empty() && priors.size() == names_.classes.size());
    Require(std::all_of(priors.begin(), priors.end(), [](double p) { return p >= 0 && p <= 1; }));
    Require(NumPresent(priors) > 0);
  }
  void CheckHypotheses() const {
    Require(!rounds_.empty());
    Require(std::all_of(rounds_.begin(), rounds_.end(), [](std::int64_t r) { return r >= 1; }));
    Require(boosted_.stop != Stop::kPerfect || !boosted_.hypotheses.empty());
    for (const Hypothesis& h : boosted_.hypotheses) Require(h.weight != 0);
  }

  Names names_;
  Boosted boosted_;
  Voters voters_;                     // of boosted_
  std::vector<std::int64_t> rounds_;  // of each value of a path; one if there is none
};

}  // namespace
}  // namespace crossfold::bundled::adaboost

CROSSFOLD_PLUGIN("crossfold.adaboost", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::adaboost::AdaBoost)
