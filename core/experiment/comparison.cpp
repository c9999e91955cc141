#include "crossfold/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/facts/split_facts.h"
#include "crossfold/error.h"
#include "crossfold/score.h"
#include "crossfold/stats/mcnemar.h"
#include "crossfold/stats/paired_proportions.h"
#include "crossfold/stats/t_test.h"
#include "crossfold/summary.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

// As a share of the larger one; rounding leaves some 1e-16, and no experiment has that number of
// rows (scripts/crossfold/stats/equal_means.lua).
constexpr double kEqualMeans = 1e-12;

[[noreturn]] void RefuseComparison(const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, "cannot compare the learners: " + finding);
}

[[noreturn]] void RefuseTest(PairTest test, const std::string& finding) {
  RefuseComparison(std::string("test '") + kPairTestNames[static_cast<std::size_t>(test)] +
                   "' is not valid: " + finding);
}

enum class Design { kOneSplit, kLeaveOneOut, kFolds, kLists };

struct SplitDesign {
  Design kind = Design::kLists;
  std::size_t repeats = 1;
  std::int32_t folds = 0;
  std::string text;  // for people
};

SplitDesign DesignOf(const SplitPlan& splits) {
  if (splits.size() == 1) return {Design::kOneSplit, 1, 0, "one split"};
  if (splits.partitions().empty()) {
    return {Design::kLists, 1, 0, std::to_string(splits.size()) + " splits"};
  }
  const std::size_t repeats = splits.partitions().size();
  const std::int32_t folds = splits.partitions().front().n_folds;
  if (folds == splits.view().num_rows()) {
    return {Design::kLeaveOneOut, repeats, folds, "leave-one-out"};
  }
  std::string text = std::to_string(folds) + " folds";
  if (repeats > 1) text = std::to_string(repeats) + " times " + text;
  return {Design::kFolds, repeats, folds, text};
}

// Scores of both learners in the splits in which both have a finite one, and the distinct rows of
// these splits.
struct CommonScores {
  std::vector<double> first, second, differences;
  std::set<std::int64_t> distinct;  // the first split with the same rows, of each
  std::int64_t n_train = 0, n_test = 0, n_splits = 0;
  std::string reason;  // why the first split was left out

  std::int64_t n_distinct() const { return std::ssize(distinct); }
};

// 1 = the share of right rows, -1 = of wrong ones, 0 = neither.
int SignOfRightRows(const Spec& metric) {
  if (!metric.given().empty()) return 0;
  if (metric.component().id == "crossfold.accuracy") return 1;
  return metric.component().id == "crossfold.error_rate" ? -1 : 0;
}

class LearnerComparer {
 public:
  LearnerComparer(const Experiment& experiment, const ExperimentResult& result,
                  const ComparisonOptions& options)
      : experiment_(experiment),
        result_(result),
        options_(options),
        metric_(*experiment.metrics[options.metric]),
        design_(DesignOf(*experiment.splits)),
        right_sign_(SignOfRightRows(metric_)),
        rope_(options.rope ? options.rope : DefaultRope()),
        same_as_(FirstSameSplits(*experiment.splits)),
        units_(CountUnits(*experiment.splits)) {
    test_ = ChooseTest();
    for (std::size_t l = 0; l < result.learners.size(); ++l) {
      values_.push_back(SplitValues(result, l, options.metric));
      as_worst_.push_back(TakeWorst(l));
    }
    if (test_ == PairTest::kCorrectedT) CountRows();
  }

  ComparedPair Compare(std::size_t first, std::size_t second) const {
    ComparedPair pair;
    pair.first = first;
    pair.second = second;
    pair.as_worst = as_worst_[first].empty() ? as_worst_[second] : as_worst_[first];
    switch (test_) {
      case PairTest::kCorrectedT:
        CorrectedT(pair);
        break;
      case PairTest::kMcNemar:
        McNemar(pair);
        break;
      case PairTest::kFiveByTwoT:
      case PairTest::kFiveByTwoF:
        FiveByTwo(pair);
        break;
      case PairTest::kAgreement:
        Agreement(pair);
        break;
    }
    return pair;
  }

  // The sign of the difference if the first learner is better; 0 = the tests cannot say.
  double LeadOf(const ComparedPair& pair) const {
    // The numerator of Dietterich's t is the first of ten differences, whose sign may differ from
    // that of the mean.
    if (test_ == PairTest::kFiveByTwoT && !(pair.statistic * pair.difference > 0)) return 0;
    return pair.difference * direction();
  }

 private:
  int direction() const { return metric_.component().metric->direction; }
  std::size_t n_splits() const { return static_cast<std::size_t>(experiment_.splits->size()); }
  const std::string& NameOf(std::size_t learner) const { return result_.learners[learner]; }

  std::optional<double> DefaultRope() const {
    const cf_metric& metric = *metric_.component().metric;
    const bool bounded =
        std::min(metric.worst, metric.best) == 0 && std::max(metric.worst, metric.best) == 1;
    return bounded ? std::optional(0.01) : std::nullopt;
  }

  PairTest ChooseTest() const {
    if (options_.test) {
      CheckTest(*options_.test);
      return *options_.test;
    }
    if (design_.kind == Design::kOneSplit || design_.kind == Design::kLeaveOneOut) {
      if (right_sign_ == 0) {
        RefuseComparison(
            "there is " +
            std::string(design_.kind == Design::kOneSplit ? "one split" : "one row per split") +
            ", which gives no test of '" + metric_.ToString() +
            "'; use a splitter with several splits of several rows, or the metric "
            "'accuracy'");
      }
      CheckMcNemar();
      return design_.kind == Design::kOneSplit ? PairTest::kMcNemar : PairTest::kAgreement;
    }
    return PairTest::kCorrectedT;
  }

  void CheckTest(PairTest test) const {
    if (test == PairTest::kCorrectedT && n_splits() < 2) {
      RefuseTest(test,
                 "there is one split; use a splitter with several, or test 'mcnemar' for the "
                 "accuracy");
    }
    if (test == PairTest::kMcNemar) CheckMcNemar();
    const bool five = test == PairTest::kFiveByTwoT || test == PairTest::kFiveByTwoF;
    if (five && (design_.kind != Design::kFolds || design_.repeats != 5 || design_.folds != 2)) {
      RefuseTest(test, "it needs 5 repeats of 2 folds, these are " + design_.text +
                           "; use kfold{folds=2,repeats=5}, or test 'corrected_t'");
    }
  }

  void CheckMcNemar() const {
    constexpr PairTest kTest = PairTest::kMcNemar;
    if (right_sign_ == 0) {
      RefuseTest(kTest, "it counts right and wrong labels, which '" + metric_.ToString() +
                            "' does not; use the metric 'accuracy'");
    }
    if (design_.kind == Design::kLists || design_.repeats > 1) {
      RefuseTest(kTest, "it takes every row once, and " + design_.text +
                            " test rows repeatedly; use test 'corrected_t'");
    }
    const Roles& roles = result_.data->roles();
    if (!roles.groups.empty()) {
      RefuseTest(kTest,
                 "it takes rows for independent, and these come in groups; use a splitter with "
                 "several splits, and test 'corrected_t'");
    }
    if (!roles.weights.empty()) {
      RefuseTest(kTest,
                 "it counts rows, and these have weights; use a splitter with several splits, and "
                 "test 'corrected_t'");
    }
    if (result_.predictions.empty()) {
      RefuseTest(kTest, "no predictions were kept; run the experiment with keep 'labels'");
    }
  }

  // Distinct rows: a bootstrap sample repeats some.
  void CountRows() {
    for (std::size_t s = 0; s < n_splits(); ++s) {
      SplitRows rows = experiment_.splits->Rows(static_cast<std::int64_t>(s));
      std::ranges::sort(rows.train);
      const auto end = std::unique(rows.train.begin(), rows.train.end());
      n_train_.push_back(end - rows.train.begin());
      n_test_.push_back(static_cast<std::int64_t>(rows.test.size()));
    }
  }

  // Gives a learner the worst value of the metric where it has none because of its prediction,
  // which may be constant. Left out, the split would spare it. Returns what is to be said of it.
  std::string TakeWorst(std::size_t learner) {
    const double worst = metric_.component().metric->worst;
    std::int64_t n = 0;
    std::string reason;
    for (std::size_t s = 0; s < n_splits() && std::isfinite(worst); ++s) {
      const Outcome& outcome = result_.folds[learner * n_splits() + s].outcome;
      if (outcome.status != OutcomeStatus::kOk || outcome.scores[options_.metric].defined ||
          values_[learner][s].defined || !TruthAllows(s)) {
        continue;
      }
      if (n++ == 0) reason = values_[learner][s].undefined;
      values_[learner][s] = {true, worst, ""};
    }
    if (n == 0) return "";
    return "'" + NameOf(learner) + "' has no " + metric_.ToString() + " in " + std::to_string(n) +
           " of " + std::to_string(n_splits()) + " splits because of its predictions (" + reason +
           "); there it counts as the worst value";
  }

  // Whether the truth of the test rows of a split has a score as its own prediction.
  bool TruthAllows(std::size_t split) const {
    const Dataset& data = *result_.data;
    Prediction p;
    p.n_classes = data.num_classes();
    p.rows = experiment_.splits->TestRows(static_cast<std::int64_t>(split));
    for (const std::int64_t id : p.rows) {
      const auto row = static_cast<std::size_t>(id);
      if (data.task() == Task::kRegression) p.values.push_back(data.values()[row]);
      if (data.task() != Task::kClassification) continue;
      p.labels.push_back(data.labels()[row]);
      for (std::int32_t c = 0; c < p.n_classes; ++c) {
        p.probabilities.push_back(c == p.labels.back() ? 1 : 0);
      }
    }
    return ScorePrediction(metric_, data, p).defined;
  }

  const Score& ScoreAt(std::size_t learner, std::size_t split) const {
    return values_[learner][split];
  }

  // An infinite score is the worst or best there is: leaving out its split would spare the learner
  // that has it, and with it the mean is not a number.
  bool HasInfinite(ComparedPair& pair) const {
    for (const std::size_t learner : {pair.first, pair.second}) {
      for (std::size_t s = 0; s < n_splits(); ++s) {
        const Score& score = ScoreAt(learner, s);
        if (!score.defined || !std::isinf(score.value)) continue;
        pair.undefined = "'" + NameOf(learner) + "' has an infinite score in split " +
                         std::to_string(s + 1) + ", so its mean is not a number";
        pair.splits_of = static_cast<std::int64_t>(n_splits());
        return true;
      }
    }
    return false;
  }

  CommonScores CommonOf(const ComparedPair& pair) const {
    CommonScores both;
    both.n_splits = static_cast<std::int64_t>(n_splits());
    for (std::size_t s = 0; s < n_splits(); ++s) {
      const Score &a = ScoreAt(pair.first, s), &b = ScoreAt(pair.second, s);
      if (a.defined && b.defined && std::isfinite(a.value) && std::isfinite(b.value)) {
        both.first.push_back(a.value);
        both.second.push_back(b.value);
        both.differences.push_back(a.value - b.value);
        both.distinct.insert(same_as_[s]);
        if (!n_train_.empty()) both.n_train += n_train_[s];
        if (!n_test_.empty()) both.n_test += n_test_[s];
      } else if (both.reason.empty()) {
        both.reason = a.defined ? b.undefined : a.undefined;
      }
    }
    return both;
  }

  static void FillMeans(const CommonScores& both, ComparedPair& pair) {
    pair.splits = static_cast<std::int64_t>(both.first.size());
    pair.splits_of = both.n_splits;
    if (pair.splits < pair.splits_of) pair.left_out = both.reason;
    if (both.first.empty()) return;
    pair.mean_first = MeanOf(both.first);
    pair.mean_second = MeanOf(both.second);
    pair.difference = MeanOf(both.differences);
  }

  // Differences without any variance are given p = 0 by convention; that is not evidence, and two
  // splits of few rows come to it by chance. p = 1, of learners that never differ, stays.
  static void SetP(double p, const std::string& undefined, ComparedPair& pair) {
    pair.undefined = undefined;
    if (undefined.empty() || p != 0) {
      pair.p = p;
    } else {
      pair.undefined = undefined.substr(0, undefined.find("; p = 0 by convention"));
    }
  }

  // The splits that count: the different ones, at most one for each group (or row).
  std::int64_t CountedOf(const CommonScores& both) const {
    return std::min(both.n_distinct(), units_);
  }

  void CorrectedT(ComparedPair& pair) const {
    pair.test = "corrected resampled t";
    if (HasInfinite(pair)) return;
    const CommonScores both = CommonOf(pair);
    FillMeans(both, pair);
    if (both.differences.size() < 2) {
      pair.undefined = "both learners have a score in " + std::to_string(both.differences.size()) +
                       " of " + std::to_string(both.n_splits) + " splits; the test needs 2: " +
                       (both.reason.empty() ? "there is only one split" : both.reason);
      return;
    }
    const double ratio = static_cast<double>(both.n_test) / static_cast<double>(both.n_train);
    const stats::TTest t =
        stats::CorrectedT(both.differences, ratio, options_.confidence, CountedOf(both));
    pair.statistic = t.statistic;
    pair.df = t.df;
    pair.low = t.low;
    pair.high = t.high;
    SetP(t.p, t.undefined, pair);
    AddRope(both, pair);
    SettleEqual(pair);
  }

  // Probabilities that the first learner is worse, alike and better in practice.
  void AddRope(const CommonScores& both, ComparedPair& pair) const {
    if (!rope_ || std::isnan(pair.p)) return;
    const double rho =
        static_cast<double>(both.n_test) / static_cast<double>(both.n_train + both.n_test);
    const stats::CorrelatedBayes posterior = stats::BayesCorrelatedT(
        both.differences, rho, *rope_, options_.confidence, CountedOf(both));
    if (!posterior.undefined.empty()) return;
    pair.rope = *rope_;
    pair.p_alike = posterior.rope;
    if (direction() == 0) return;
    pair.p_worse = direction() < 0 ? posterior.right : posterior.left;
    pair.p_better = direction() < 0 ? posterior.left : posterior.right;
  }

  // Means that are equal but for rounding give the figures of equal ones.
  static void SettleEqual(ComparedPair& pair) {
    if (std::isnan(pair.mean_first) || std::isnan(pair.statistic)) return;
    const double larger = std::max(std::fabs(pair.mean_first), std::fabs(pair.mean_second));
    if (std::fabs(pair.mean_first - pair.mean_second) > kEqualMeans * larger) return;
    pair.difference = 0;
    pair.statistic = 0;
    pair.p = 1;
  }

  void FiveByTwo(ComparedPair& pair) const {
    const bool is_t = test_ == PairTest::kFiveByTwoT;
    pair.test = is_t ? "5x2cv t" : "5x2cv F";
    if (HasInfinite(pair)) return;
    const CommonScores both = CommonOf(pair);
    FillMeans(both, pair);
    if (both.differences.size() < 10) {
      pair.undefined = std::to_string(both.differences.size()) +
                       " of the 10 splits have both scores: " + both.reason;
      return;
    }
    if (both.n_distinct() < 10) {
      pair.undefined = "the 10 splits are " + std::to_string(both.n_distinct()) +
                       " different ones, and the test takes 5 different divisions into halves";
      return;
    }
    std::array<std::array<double, 2>, 5> differences;
    for (std::size_t i = 0; i < 10; ++i) differences[i / 2][i % 2] = both.differences[i];
    const stats::FiveByTwoTest test = stats::FiveByTwoCv(differences);
    pair.statistic = is_t ? test.t : test.f;
    if (is_t) pair.df = test.t_df;
    SetP(is_t ? test.t_p : test.f_p, test.undefined, pair);
  }

  // The labels of all splits of a learner, as one prediction; no rows if a split has none.
  Prediction PooledOf(std::size_t learner) const {
    for (std::size_t s = 0; s < n_splits(); ++s) {
      const Outcome& outcome = result_.folds[learner * n_splits() + s].outcome;
      if (outcome.status != OutcomeStatus::kOk) return {};
    }
    const FoldPredictions& kept = result_.predictions[learner];
    Prediction pooled;
    pooled.rows = kept.rows;
    pooled.labels = kept.labels;
    pooled.n_classes = result_.data->num_classes();
    return pooled;
  }

  // Counts the rows on which only one learner is right. Whether there are predictions of both.
  bool CountAgreement(ComparedPair& pair) const {
    const CommonScores both = CommonOf(pair);
    pair.splits = static_cast<std::int64_t>(both.first.size());
    pair.splits_of = both.n_splits;
    const Prediction first = PooledOf(pair.first), second = PooledOf(pair.second);
    if (first.rows.empty() || second.rows.empty()) {
      pair.undefined =
          "a split has no predictions, so the rows cannot be compared one by one: " + both.reason;
      return false;
    }
    const Dataset& data = *result_.data;
    for (std::size_t i = 0; i < first.rows.size(); ++i) {
      const std::int32_t truth = data.labels()[static_cast<std::size_t>(first.rows[i])];
      const bool right_first = first.labels[i] == truth, right_second = second.labels[i] == truth;
      ++pair.rows;
      if (right_first && !right_second) ++pair.only_first;
      if (right_second && !right_first) ++pair.only_second;
    }
    pair.mean_first = ScorePrediction(metric_, data, first).value;
    pair.mean_second = ScorePrediction(metric_, data, second).value;
    pair.difference = right_sign_ * (static_cast<double>(pair.only_first - pair.only_second) /
                                     static_cast<double>(pair.rows));
    return true;
  }

  void McNemar(ComparedPair& pair) const {
    pair.test = "McNemar mid-p";
    if (!CountAgreement(pair)) return;
    const stats::PairedProportions interval =
        stats::ComparePaired(pair.only_first, pair.only_second, pair.rows, options_.confidence);
    pair.low = right_sign_ > 0 ? interval.low : -interval.high;
    pair.high = right_sign_ > 0 ? interval.high : -interval.low;
    const stats::McNemarTest test =
        stats::McNemar(pair.only_first, pair.only_second, stats::McNemarMethod::kMidP);
    pair.p = test.p;
    pair.undefined = test.undefined;
  }

  void Agreement(ComparedPair& pair) const {
    pair.test = "agreement on the rows";
    if (!CountAgreement(pair)) return;
    pair.undefined =
        "leave-one-out has no valid test: McNemar's takes the rows for independent; use kfold or "
        "repeated holdout, or request test 'mcnemar'";
  }

  const Experiment& experiment_;
  const ExperimentResult& result_;
  const ComparisonOptions& options_;
  const Spec& metric_;
  const SplitDesign design_;
  const int right_sign_;
  const std::optional<double> rope_;
  const std::vector<std::int64_t> same_as_;  // of each split, FirstSameSplits
  const std::int64_t units_;                 // groups or rows
  PairTest test_ = PairTest::kCorrectedT;
  std::vector<std::int64_t> n_train_, n_test_;  // by split
  std::vector<std::vector<Score>> values_;      // by learner and split
  std::vector<std::string> as_worst_;  // by learner: in how many splits it has the worst value
};

void CheckRange(const char* name, double value) {
  if (value > 0 && value < 1) return;
  RefuseComparison(std::string(name) + " = " + FormatShortest(value) +
                   " is outside (0, 1); use a number between them");
}

void CheckComparison(const Experiment& experiment, const ComparisonOptions& options,
                     std::span<const std::size_t> learners) {
  CheckRange("alpha", options.alpha);
  CheckRange("confidence", options.confidence);
  if (options.rope && !(*options.rope >= 0 && std::isfinite(*options.rope))) {
    RefuseComparison("rope = " + FormatShortest(*options.rope) +
                     " is not the half-width of a region; use 0.01, or 0 for none");
  }
  if (options.metric >= experiment.metrics.size()) {
    RefuseComparison("the experiment has no metric; name one in it");
  }
  if (learners.size() < 2) RefuseComparison("a comparison needs two learners; name another one");
  std::vector<std::size_t> sorted(learners.begin(), learners.end());
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) {
    RefuseComparison("learner '" + experiment.learners[*twice].name +
                     "' is named twice; name it once");
  }
  if (options.control && !std::ranges::binary_search(sorted, *options.control)) {
    RefuseComparison("the control '" + experiment.learners[*options.control].name +
                     "' is not among the learners; add it to them");
  }
}

// Adjusts the p-values over the pairs that have one, and names the better learners.
void Adjust(const LearnerComparer& comparer, const ComparisonOptions& options,
            std::vector<ComparedPair>& pairs) {
  std::vector<double> p;
  for (const ComparedPair& pair : pairs) {
    if (!std::isnan(pair.p)) p.push_back(pair.p);
  }
  if (p.size() > 1) p = stats::AdjustP(p, options.adjust);
  std::size_t next = 0;
  for (ComparedPair& pair : pairs) {
    if (std::isnan(pair.p)) continue;
    pair.p_adjusted = p[next++];
    pair.significant = pair.p_adjusted < options.alpha;
    const double lead = comparer.LeadOf(pair);
    if (!pair.significant || lead == 0) continue;
    pair.better = lead > 0 ? pair.first : pair.second;
  }
}

}  // namespace

std::vector<ComparedPair> CompareLearners(const Experiment& experiment,
                                          const ExperimentResult& result,
                                          const ComparisonOptions& options) {
  std::vector<std::size_t> learners = options.learners;
  for (std::size_t l = 0; options.learners.empty() && l < result.learners.size(); ++l) {
    learners.push_back(l);
  }
  CheckComparison(experiment, options, learners);
  const LearnerComparer comparer(experiment, result, options);
  std::vector<ComparedPair> pairs;
  for (std::size_t i = 0; i < learners.size(); ++i) {
    if (options.control && learners[i] != *options.control) {
      pairs.push_back(comparer.Compare(learners[i], *options.control));
    }
    for (std::size_t j = i + 1; !options.control && j < learners.size(); ++j) {
      pairs.push_back(comparer.Compare(learners[i], learners[j]));
    }
  }
  Adjust(comparer, options, pairs);
  return pairs;
}

}  // namespace crossfold
