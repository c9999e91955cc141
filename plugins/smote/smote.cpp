// Synthetic minority over-sampling: see README.md.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../class_rows.h"
#include "../feature_text.h"
#include "../level_names.h"
#include "../moments.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

// Beyond it, doubles cannot represent every integer.
constexpr double kLargestInteger = 0x1p53;

void RequireUsable(const cf::TrainingView& train) {
  bool has_numbers = false;
  for (std::int64_t j = 0; j < train.num_features(); ++j) {
    if (HasLevels(train, j)) continue;
    has_numbers = true;
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      const double x = train.x(i, j);
      const bool is_integer = train.column(j).dtype == CF_I64;
      if (std::isfinite(x) && !(is_integer && std::abs(x) > kLargestInteger)) continue;
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      FeatureText(train, j) + " has " +
                          (is_integer ? "an integer beyond 2^53" : "an infinite entry"));
    }
  }
  if (!has_numbers) {
    throw cf::Error(CF_E_UNSUPPORTED_DATA,
                    "there is no numeric feature to interpolate; use oversample");
  }
}

// The rows of one class, and which of them are near each other.
class ClassNeighbours {
 public:
  ClassNeighbours(const cf::TrainingView& train, const Positions& rows, std::int64_t k)
      : train_(&train),
        rows_(rows),
        k_(std::min<std::size_t>(static_cast<std::size_t>(k), rows.size() - 1)) {
    const double median = MedianSd();
    nominal_difference_ = median * median;
  }

  // The k nearest other rows, nearest first, equal distances in the order of the row ids.
  Positions Of(std::int64_t base) const {
    std::vector<std::pair<double, std::size_t>> near;  // rows_ are in the order of the row ids
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i] != base) near.emplace_back(SquaredDistance(base, rows_[i]), i);
    }
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(k_), near.end());
    Positions nearest;
    for (std::size_t i = 0; i < k_; ++i) {
      if (!std::isfinite(near[i].first)) {
        throw cf::Error(CF_E_NUMERIC,
                        "a distance exceeds the range of numbers; rescale the "
                        "features");
      }
      nearest.push_back(rows_[near[i].second]);
    }
    return nearest;
  }

 private:
  // Of the standard deviations of the numeric features in this class.
  double MedianSd() const {
    std::vector<double> sds, values(rows_.size());
    const std::vector<double> weights(rows_.size(), 1.0);
    for (std::int64_t j = 0; j < train_->num_features(); ++j) {
      if (HasLevels(*train_, j)) continue;
      for (std::size_t i = 0; i < rows_.size(); ++i) values[i] = train_->x(rows_[i], j);
      sds.push_back(
          ComputeMoments(values, weights, Denominator::kTotalWeight, FeatureText(*train_, j)).sd);
    }
    std::sort(sds.begin(), sds.end());
    const std::size_t middle = sds.size() / 2;
    return sds.size() % 2 == 1 ? sds[middle] : (sds[middle - 1] + sds[middle]) / 2;
  }

  double SquaredDistance(std::int64_t a, std::int64_t b) const {
    double sum = 0;
    for (std::int64_t j = 0; j < train_->num_features(); ++j) {
      const double difference = train_->x(a, j) - train_->x(b, j);
      if (HasLevels(*train_, j)) {
        sum += difference != 0 ? nominal_difference_ : 0;
      } else {
        sum += difference * difference;
      }
    }
    return sum;
  }

  const cf::TrainingView* train_;
  Positions rows_;
  std::size_t k_;
  double nominal_difference_ = 0;  // what two different categories add to a squared distance
};

// A new row between `base` and `partner`, one of the neighbours of `base`.
struct NewRow {
  std::int64_t base, partner;
  double gap;  // the place between them, 0 to 1
  Positions neighbours;
};

// For the positions after those of the training rows themselves.
std::vector<NewRow> DrawNewRows(const cf::TrainingView& train, std::span<const std::int64_t> bases,
                                std::int64_t k, const cf::Context& context) {
  const auto classes = RowsByClass(train);
  // Different numbers from those that chose the bases.
  cf::Random random(context.MakeRandom().Next());
  std::vector<NewRow> made;
  std::int32_t label = -1;
  std::vector<ClassNeighbours> of_class;  // of that label
  for (std::size_t i = 0; i < bases.size(); ++i) {
    if (i % 64 == 0) context.Progress(static_cast<double>(i) / static_cast<double>(bases.size()));
    if (train.label(bases[i]) != label) {
      label = train.label(bases[i]);
      const auto rows = std::ranges::find(
          classes, label, [&](const Positions& of_one) { return train.label(of_one.front()); });
      of_class.assign(1, ClassNeighbours(train, *rows, k));
    }
    NewRow row{bases[i], 0, 0, {}};
    row.neighbours =
        i > 0 && bases[i - 1] == bases[i] ? made.back().neighbours : of_class.front().Of(bases[i]);
    row.partner = row.neighbours[static_cast<std::size_t>(random.Below(row.neighbours.size()))];
    row.gap = random.Uniform();
    made.push_back(std::move(row));
  }
  return made;
}

// The most frequent of the entries; ties go to the smaller.
template <class E>
E MostFrequent(const E* entries, const cf::TrainingView& train, const Positions& rows) {
  std::vector<E> sorted;
  for (const std::int64_t row : rows) sorted.push_back(entries[train.entry(row)]);
  std::sort(sorted.begin(), sorted.end());
  E best = sorted.front();
  std::ptrdiff_t most = 0;
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto end = std::upper_bound(first, sorted.end(), *first);
    if (end - first > most) {
      most = end - first;
      best = *first;
    }
    first = end;
  }
  return best;
}

template <class E>
E Interpolate(const cf::TrainingView& train, std::int64_t j, const NewRow& row) {
  const double from = train.x(row.base, j);
  const double x = from + row.gap * (train.x(row.partner, j) - from);
  if constexpr (std::is_integral_v<E>) return static_cast<E>(std::round(x));
  return static_cast<E>(x);
}

template <class E>
void WriteColumn(const cf::TrainingView& train, std::int64_t j, const std::vector<NewRow>& made,
                 cf::ColumnSink& out) {
  const cf_column& from = train.column(j);
  const E* entries = static_cast<const E*>(from.data);
  const std::span<E> to = out.AddLike<E>(from);
  const auto n = static_cast<std::size_t>(train.num_rows());
  for (std::size_t i = 0; i < n; ++i) {
    to[i] = entries[train.entry(static_cast<std::int64_t>(i))];
  }
  const bool is_nominal = HasLevels(train, j);
  for (std::size_t i = 0; i < made.size(); ++i) {
    to[n + i] = is_nominal ? MostFrequent(entries, train, made[i].neighbours)
                           : Interpolate<E>(train, j, made[i]);
  }
}

struct Smote : PassesColumns<Smote> {
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "crossfold.smote",
                    .title = "SMOTE",
                    .doc = "Makes new training rows of the smaller classes, each between a row "
                           "and one of its nearest neighbours of the same class (SMOTE; with "
                           "nominal features SMOTE-NC). Rows to predict are left alone.",
                    .source = "N. V. Chawla, K. W. Bowyer, L. O. Hall and W. P. Kegelmeyer, "
                              "SMOTE: synthetic minority over-sampling technique, Journal of "
                              "Artificial Intelligence Research 16 (2002)"},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL};
  struct Params {
    std::int64_t k = 5;
    double ratio = 1;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Integer("k", &Params::k, {.low = 1}, "Number of neighbours."),
                 cf::Real("ratio", &Params::ratio, {.low = 0, .high = 1},
                          "Size of every smaller class, relative to the largest."));

  static void Resample(const Params& params, const cf::TrainingView& train, cf::RowSink& out,
                       const cf::Context& context) {
    RequireUsable(train);
    const auto classes = RowsByClass(train);
    const auto largest = static_cast<double>(LargestClass(classes));
    const auto wanted = static_cast<std::size_t>(std::round(params.ratio * largest));
    Positions positions = AllPositions(train.num_rows());
    cf::Random random = context.MakeRandom();
    for (const Positions& rows : classes) {
      if (rows.size() >= wanted) continue;
      if (rows.size() == 1) {
        throw cf::Error(CF_E_UNSUPPORTED_DATA,
                        "class '" + std::string(train.class_name(train.label(rows.front()))) +
                            "' has one training row, which has no neighbour");
      }
      WarnOfFewNeighbours(train, rows, params.k, context);
      AppendBases(rows, wanted - rows.size(), random, positions);
    }
    out.Emit(positions);
  }

  static void Synthesize(const Params& params, const cf::TrainingView& train,
                         std::span<const std::int64_t> positions, cf::ColumnSink& out,
                         const cf::Context& context) {
    const auto n = static_cast<std::size_t>(train.num_rows());
    const std::vector<NewRow> made = DrawNewRows(train, positions.subspan(n), params.k, context);
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      switch (train.column(j).dtype) {
        case CF_F64:
          WriteColumn<double>(train, j, made, out);
          break;
        case CF_F32:
          WriteColumn<float>(train, j, made, out);
          break;
        case CF_I64:
          WriteColumn<std::int64_t>(train, j, made, out);
          break;
        case CF_BOOL8:
          WriteColumn<std::uint8_t>(train, j, made, out);
          break;
        default:  // CF_I32, CF_CAT32
          WriteColumn<std::int32_t>(train, j, made, out);
      }
    }
  }

 private:
  static void WarnOfFewNeighbours(const cf::TrainingView& train, const Positions& rows,
                                  std::int64_t k, const cf::Context& context) {
    const std::size_t n_rows = rows.size();
    if (static_cast<std::int64_t>(n_rows) > k) return;
    context.Log(
        CF_LOG_WARN,
        ("smote: class '" + std::string(train.class_name(train.label(rows.front()))) + "' has " +
         std::to_string(n_rows) + " training rows, so new ones come from " +
         std::to_string(n_rows - 1) + " neighbours of each, not from k = " + std::to_string(k))
            .c_str());
  }

  // Every row is used equally often, except for a remainder that is drawn.
  static void AppendBases(const Positions& rows, std::size_t n, cf::Random& random,
                          Positions& positions) {
    std::vector<std::size_t> order(rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    random.Shuffle(std::span<std::size_t>(order));
    std::vector<std::size_t> times(rows.size(), n / rows.size());
    for (std::size_t i = 0; i < n % rows.size(); ++i) ++times[order[i]];
    for (std::size_t i = 0; i < rows.size(); ++i)
      positions.insert(positions.end(), times[i], rows[i]);
  }
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.smote", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Smote)
