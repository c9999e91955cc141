// Rules on one feature: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../feature_text.h"
#include "../level_names.h"
#include "../number_text.h"
#include "../weight_unit.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

// Weights of training rows, rounded so that their sums do not depend on the order of the rows.
class RowWeights {
 public:
  explicit RowWeights(const cf::TrainingView& train) : train_(&train), unit_(Total(train)) {}

  bool are_equal() const { return !train_->has_weights(); }
  double of(std::int64_t i) const {
    const double weight = train_->weight(i);
    return are_equal() || !(weight > 0) ? weight : unit_.Round(weight);
  }

 private:
  static double Total(const cf::TrainingView& train) {
    double total = 0;
    for (std::int64_t i = 0; i < train.num_rows(); ++i) total += train.weight(i);
    return total;
  }

  const cf::TrainingView* train_;
  WeightUnit unit_;
};

// An entry of a row of weight 1, or with its weight.
struct PlainEntry {
  PlainEntry() = default;
  PlainEntry(double x, double) : value(x) {}
  double weight() const { return 1; }

  double value;
};
struct WeightedEntry {
  WeightedEntry() = default;
  WeightedEntry(double x, double w) : value(x), row_weight(w) {}
  double weight() const { return row_weight; }

  double value, row_weight;
};

// The distinct values of a numeric feature in ascending order, each with the weight of every class.
// Entries are kept class by class, so that nothing but numbers is sorted: 8 bytes per row without
// weights, 16 with weights.
template <class Entry>
class ValueCounts {
 public:
  // Leaves out missing entries and rows of weight 0. Throws Error for an infinite entry.
  ValueCounts(const cf::TrainingView& train, const RowWeights& weights, std::int64_t j)
      : ends_(static_cast<std::size_t>(train.num_classes())), counts_(ends_.size()) {
    Visit(train, weights, j, [&](std::size_t c, double, double) { ++ends_[c]; });
    std::size_t n = 0;
    for (std::size_t& end : ends_) n += std::exchange(end, n);  // where each begins
    next_ = ends_;
    entries_.resize(n);
    Visit(train, weights, j,
          [&](std::size_t c, double x, double weight) { entries_[ends_[c]++] = Entry(x, weight); });
    for (std::size_t c = 0; c < ends_.size(); ++c) {
      std::sort(entries_.begin() + static_cast<std::ptrdiff_t>(next_[c]),
                entries_.begin() + static_cast<std::ptrdiff_t>(ends_[c]),
                [](const Entry& a, const Entry& b) { return a.value < b.value; });
      Push(c);
    }
    Next();
  }

  // Whether there is a value; the two functions below are about it.
  bool has_value() const { return has_value_; }
  double value() const { return value_; }
  std::span<const double> counts() const { return counts_; }

  // Goes to the next value.
  void Next() {
    has_value_ = !heads_.empty();
    if (!has_value_) return;
    value_ = heads_.front().first;
    std::fill(counts_.begin(), counts_.end(), 0.0);
    while (!heads_.empty() && heads_.front().first == value_) {
      const std::size_t c = heads_.front().second;
      std::pop_heap(heads_.begin(), heads_.end(), std::greater<>());
      heads_.pop_back();
      for (; next_[c] < ends_[c] && entries_[next_[c]].value == value_; ++next_[c]) {
        counts_[c] += entries_[next_[c]].weight();
      }
      Push(c);
    }
  }

 private:
  template <class Use>
  static void Visit(const cf::TrainingView& train, const RowWeights& weights, std::int64_t j,
                    const Use& use) {
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      const double x = train.x(i, j), weight = weights.of(i);
      if (std::isnan(x) || !(weight > 0)) continue;
      RefuseInfinite(train, j, x);
      use(static_cast<std::size_t>(train.label(i)), x, weight);
    }
  }

  // The next entry of the class takes its place among those of the others.
  void Push(std::size_t c) {
    if (next_[c] == ends_[c]) return;
    heads_.emplace_back(entries_[next_[c]].value, c);
    std::push_heap(heads_.begin(), heads_.end(), std::greater<>());
  }

  std::vector<std::size_t> next_, ends_;               // per class
  std::vector<Entry> entries_;                         // per class, ascending
  std::vector<std::pair<double, std::size_t>> heads_;  // a heap: one entry per class
  std::vector<double> counts_;
  double value_ = 0;
  bool has_value_ = false;
};

struct OneRParams {
  std::int64_t min_bucket_size = 6;
};

// Training weight of every class.
using Counts = std::span<const double>;

double Total(Counts counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); }

// The heaviest class; ties go to the lower index.
std::size_t Majority(Counts counts) {
  return static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

void Add(std::span<double> to, Counts from) {
  for (std::size_t c = 0; c < to.size(); ++c) to[c] += from[c];
}

// The values of one feature in buckets: one per level, or one per interval; the last is that of
// missing entries.
struct Rule {
  std::int64_t feature = 0;
  std::string name;
  std::vector<std::string> levels;  // empty for a numeric feature
  std::vector<double> cuts;         // interval b holds the values below cuts[b], the last the rest
  std::size_t n_classes = 0;
  std::vector<double> counts;  // buckets x classes

  std::size_t num_buckets() const { return counts.size() / n_classes; }
  Counts bucket(std::size_t b) const { return Counts(counts).subspan(b * n_classes, n_classes); }
  std::span<double> bucket(std::size_t b) {
    return std::span(counts).subspan(b * n_classes, n_classes);
  }

  double Correct() const {
    double sum = 0;
    for (std::size_t b = 0; b < num_buckets(); ++b) sum += bucket(b)[Majority(bucket(b))];
    return sum;
  }

  std::size_t BucketOf(double x) const {
    if (std::isnan(x)) return num_buckets() - 1;
    if (levels.empty()) {
      RefuseInfinite(name, x);
      return static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), x) - cuts.begin());
    }
    if (x < 0 || x >= static_cast<double>(levels.size())) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA, FeatureText(name) + " has an unknown level");
    }
    return static_cast<std::size_t>(x);
  }
};

// Between two neighbouring values, so that `low` is below it and `high` is not.
double CutBetween(double low, double high) {
  const double middle = low / 2 + high / 2;
  return middle > low ? middle : high;
}

// A bucket takes values until one class has `least` rows, and then all further values with the same
// majority. Neighbours with the same majority are merged.
template <class Entry>
void FillIntervals(ValueCounts<Entry> values, double least, Rule& rule) {
  std::vector<double> counts(rule.n_classes);
  double below = 0;  // the last value of the interval before
  while (values.has_value()) {
    const double first = values.value();
    const double cut = rule.counts.empty() ? first : CutBetween(below, first);
    const auto take = [&] {
      Add(counts, values.counts());
      below = values.value();
      values.Next();
    };
    std::fill(counts.begin(), counts.end(), 0.0);
    while (values.has_value() && counts[Majority(counts)] < least) take();
    const std::size_t majority = Majority(counts);
    while (values.has_value() && Majority(values.counts()) == majority) take();
    const std::size_t n = rule.num_buckets();
    if (n > 0 && Majority(std::as_const(rule).bucket(n - 1)) == majority) {
      Add(rule.bucket(n - 1), counts);
      continue;
    }
    if (n > 0) rule.cuts.push_back(cut);
    rule.counts.insert(rule.counts.end(), counts.begin(), counts.end());
  }
}

Rule MakeRule(const OneRParams& params, const cf::TrainingView& train, const RowWeights& weights,
              std::int64_t j) {
  Rule rule;
  rule.feature = j;
  rule.name = std::string(train.name(j));
  rule.levels = LevelNames(train, j);
  rule.n_classes = static_cast<std::size_t>(train.num_classes());
  const bool numeric = rule.levels.empty() && !train.is_categorical(j);
  if (numeric) {
    const auto least = static_cast<double>(params.min_bucket_size);
    if (weights.are_equal()) {
      FillIntervals(ValueCounts<PlainEntry>(train, weights, j), least, rule);
    } else {
      FillIntervals(ValueCounts<WeightedEntry>(train, weights, j), least, rule);
    }
  }
  const std::size_t n_buckets = numeric ? rule.cuts.size() + 1 : rule.levels.size();
  rule.counts.resize((n_buckets + 1) * rule.n_classes);
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    const double x = train.x(i, j);
    if (numeric && !std::isnan(x)) continue;
    rule.bucket(rule.BucketOf(x))[static_cast<std::size_t>(train.label(i))] += weights.of(i);
  }
  return rule;
}

class OneR {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.one_r",
                    .title = "OneR",
                    .doc = "Rules on the values or intervals of one feature, the feature with the "
                           "fewest errors on the training rows.",
                    .source = "R. C. Holte, Very simple classification rules perform well on most "
                              "commonly used datasets, Machine Learning 11 (1993) 63-91",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .accepts =
          CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING | CF_ACCEPTS_WEIGHTS};
  using Params = OneRParams;
  static constexpr auto kSchema =
      cf::Schema(cf::Integer("min_bucket_size", &Params::min_bucket_size, {.low = 1},
                             "Minimum number of rows of the majority class in an interval of a "
                             "numeric feature (the last interval may have fewer).",
                             {.flags = CF_PF_LOG, .unit = "rows"}));

  static OneR Fit(const Params& params, const cf::TrainingView& train, const cf::Context& context) {
    OneR fitted;
    for (std::int64_t c = 0; c < train.num_classes(); ++c) {
      fitted.class_names_.emplace_back(train.class_name(c));
    }
    const RowWeights weights(train);
    fitted.all_.resize(fitted.class_names_.size());
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      fitted.all_[static_cast<std::size_t>(train.label(i))] += weights.of(i);
    }
    if (!(Total(fitted.all_) > 0)) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA, "the training rows have a total weight of 0");
    }
    double most = -1;
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      context.Progress(static_cast<double>(j) / static_cast<double>(train.num_features()));
      Rule rule = MakeRule(params, train, weights, j);
      if (rule.Correct() <= most) continue;  // ties go to the earlier feature
      most = rule.Correct();
      fitted.rule_ = std::move(rule);
    }
    return fitted;
  }

  // The entries of one feature, and the intervals of the best rule and of the one in the making:
  // few intervals have as few rows as they may.
  static std::uint64_t FitBytes(const Params& params, const cf_shape& shape, const cf::Context&) {
    constexpr std::uint64_t kFixed = 4096;
    const auto n_rows = static_cast<std::uint64_t>(shape.n_rows);
    const std::uint64_t n_intervals =
        n_rows / 4 / static_cast<std::uint64_t>(params.min_bucket_size) + 1;
    const std::uint64_t interval =
        sizeof(double) * (static_cast<std::uint64_t>(shape.n_classes) + 1);
    const std::uint64_t entries = shape.n_numeric > 0 ? sizeof(double) * n_rows : 0;
    return kFixed + entries + 2 * interval * n_intervals;
  }

  // The saved bytes do not say how many features there were.
  cf::ModelShape shape() const { return {.n_classes = std::ssize(class_names_)}; }
  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context&) const {
    if (rule_.feature >= rows.num_features()) {
      throw cf::Error(CF_E_INVALID_ARGUMENT, "the rows have no feature '" + rule_.name + "'");
    }
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      const Counts counts = CountsOf(rule_.BucketOf(rows.x(i, rule_.feature)));
      const double total = Total(counts);
      double* out = probabilities.data() + static_cast<std::size_t>(i) * counts.size();
      for (std::size_t c = 0; c < counts.size(); ++c) out[c] = counts[c] / total;
    }
  }

  static constexpr std::array<const char*, 1> kExportFormats = {"text"};
  std::string Export(std::size_t, const cf::Context&) const {
    std::string text;
    for (std::size_t b = 0; b < rule_.num_buckets(); ++b) {
      text += rule_.name + BucketText(b) + " -> " + class_names_[Majority(CountsOf(b))] + " (" +
              NumberText(rule_.bucket(b)[Majority(CountsOf(b))]) + "/" +
              NumberText(Total(rule_.bucket(b))) + ")\n";
    }
    return text + "correct: " + NumberText(rule_.Correct()) + "/" + NumberText(Total(all_)) + "\n";
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    w.Write(static_cast<std::uint64_t>(class_names_.size()));
    for (const std::string& name : class_names_) w.WriteText(name);
    for (const double count : all_) w.Write(count);
    w.Write(rule_.feature);
    w.WriteText(rule_.name);
    w.Write(static_cast<std::uint64_t>(rule_.levels.size()));
    for (const std::string& level : rule_.levels) w.WriteText(level);
    w.WriteSpan<double>(rule_.cuts);
    w.Write(static_cast<std::uint64_t>(rule_.num_buckets()));
    for (const double count : rule_.counts) w.Write(count);
  }
  static OneR Load(cf::Reader& r) {
    OneR loaded;
    const auto n_classes = r.ReadWithin<std::uint64_t>(1, std::numeric_limits<std::int32_t>::max());
    for (std::uint64_t c = 0; c < n_classes; ++c) loaded.class_names_.push_back(r.ReadText());
    loaded.all_ = ReadCounts(r, n_classes);
    loaded.rule_.feature = r.ReadWithin<std::int64_t>(0, std::numeric_limits<std::int32_t>::max());
    loaded.rule_.name = r.ReadText();
    const auto n_levels = r.Read<std::uint64_t>();
    for (std::uint64_t l = 0; l < n_levels; ++l) loaded.rule_.levels.push_back(r.ReadText());
    loaded.rule_.cuts = r.ReadVector<double>();
    const auto n_buckets = r.Read<std::uint64_t>();
    const std::vector<double>& cuts = loaded.rule_.cuts;
    const std::size_t expected = n_levels > 0 ? n_levels + 1 : cuts.size() + 2;
    if (!std::is_sorted(cuts.begin(), cuts.end()) || n_buckets != expected ||
        !(Total(loaded.all_) > 0)) {
      throw cf::Error(CF_E_BAD_BLOB, "the saved rule is inconsistent");
    }
    loaded.rule_.n_classes = n_classes;
    for (std::uint64_t b = 0; b < n_buckets; ++b) {
      const std::vector<double> counts = ReadCounts(r, n_classes);
      loaded.rule_.counts.insert(loaded.rule_.counts.end(), counts.begin(), counts.end());
    }
    return loaded;
  }

 private:
  static std::vector<double> ReadCounts(cf::Reader& r, std::uint64_t n_classes) {
    std::vector<double> counts;
    for (std::uint64_t c = 0; c < n_classes; ++c) {
      counts.push_back(r.ReadWithin<double>(0, std::numeric_limits<double>::max()));
    }
    return counts;
  }

  // A value that no training row has is predicted without any feature.
  Counts CountsOf(std::size_t bucket) const {
    return Total(rule_.bucket(bucket)) > 0 ? rule_.bucket(bucket) : Counts(all_);
  }

  std::string BucketText(std::size_t b) const {
    if (b + 1 == rule_.num_buckets()) return " missing";
    if (!rule_.levels.empty()) return " = " + rule_.levels[b];
    if (b < rule_.cuts.size()) return " < " + NumberText(rule_.cuts[b]);
    return rule_.cuts.empty() ? " present" : " >= " + NumberText(rule_.cuts.back());
  }

  std::vector<std::string> class_names_;
  std::vector<double> all_;  // of all training rows
  Rule rule_;
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.one_r", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::OneR)
