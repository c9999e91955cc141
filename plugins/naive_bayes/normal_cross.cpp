#include "normal_cross.h"

#include <algorithm>
#include <numeric>

#include "left_out_class.h"
#include "normal_column.h"
#include "scaled_product.h"

namespace crossfold::bundled {

FeatureNames::FeatureNames(const plugin::TrainingView& rows) {
  for (std::int64_t j = 0; j < rows.num_features(); ++j) features.emplace_back(rows.name(j));
  for (std::int64_t c = 0; c < rows.num_classes(); ++c) classes.emplace_back(rows.class_name(c));
}

NormalCross::NormalCross(GroupedRows& rows, const BayesParams& params, const FeatureNames& names,
                         std::size_t setting, const plugin::CrossSink& sink,
                         const plugin::Context& context)
    : rows_(&rows),
      params_(&params),
      names_(&names),
      setting_(setting),
      sink_(&sink),
      context_(&context) {}

void NormalCross::Run() {
  for (const FoldGroups& fold : rows_->folds()) {
    const auto groups = rows_->groups(fold);
    const std::size_t first = groups.empty() ? 0 : groups[0].first;
    std::size_t n = 0;
    for (const RowGroup& group : groups) n += group.n;
    ReportAt(first);
    sink_->Try(setting_, fold.number, [&] { PredictFold({groups, rows_->sums(fold)}, first, n); });
  }
  for (const RowGroup& group : rows_->single_rows()) PredictSingleRows(group);
}

void NormalCross::ReportAt(std::size_t place) const {
  context_->Progress(static_cast<double>(place) / static_cast<double>(rows_->n_rows() + 1));
}

// ---- moments ------------------------------------------------------------------------------------

std::string NormalCross::Subject(std::size_t k, std::size_t c) const {
  return OfClass(names_->features[rows_->feature(k)], names_->classes[c]);
}

// Of rows with these sums.
ColumnMoments NormalCross::MomentsOf(const ColumnSums& sums, double weight) const {
  const bool sample = params_->variance == Denominator::kTotalWeightMinusOne;
  ColumnMoments moments(rows_->n_columns());
  if (weight <= 1) return moments;  // nothing is certain: one row has no sample variance
  SupportedKernels()[0]->moments({.sums = rows_->arrays(sums),
                                  .n_columns = rows_->n_columns(),
                                  .weight = weight,
                                  .divisor = sample ? weight - 1 : weight,
                                  .mean = moments.means.data(),
                                  .variance = moments.variances.data(),
                                  .certain = moments.certain.data()});
  return moments;
}

// The class of group g without the rows that leave.
ColumnMoments NormalCross::OfClassWithout(const Leaving& leaving, std::size_t g) {
  const RowGroup& group = leaving.groups[g];
  ColumnSums sums = rows_->class_sums(group.c);
  sums.Subtract(leaving.sums[g]);
  ColumnMoments moments =
      MomentsOf(sums, rows_->class_counts()[group.c] - static_cast<double>(group.n));
  for (std::size_t k = 0; k < rows_->n_columns(); ++k) {
    if (moments.certain[k] != 0) continue;
    const NormalMoments exact = rows_->ExactSumsWithout(k, leaving.groups)
                                    .OfClass(group.c, params_->variance, Subject(k, group.c));
    moments.means[k] = exact.mean;
    moments.variances[k] = exact.variance;
  }
  return moments;
}

ColumnMoments NormalCross::OverallWithout(const Leaving& leaving) {
  ColumnSums sums = rows_->all_sums();
  auto weight = static_cast<double>(rows_->n_rows());
  for (std::size_t g = 0; g < leaving.groups.size(); ++g) {
    sums.Subtract(leaving.sums[g]);
    weight -= static_cast<double>(leaving.groups[g].n);
  }
  ColumnMoments moments = MomentsOf(sums, weight);
  for (std::size_t k = 0; k < rows_->n_columns(); ++k) {
    if (moments.certain[k] != 0) continue;
    const NormalMoments exact =
        rows_->ExactSumsWithout(k, leaving.groups)
            .Overall(params_->variance, FeatureText(names_->features[rows_->feature(k)]));
    moments.means[k] = exact.mean;
    moments.variances[k] = exact.variance;
  }
  return moments;
}

const ColumnMoments& NormalCross::OfWholeClass(std::size_t c) {
  if (whole_classes_.empty()) {
    for (std::size_t each = 0; each < rows_->n_classes(); ++each) {
      const RowGroup nothing{.c = each};
      const ColumnSums zero = rows_->all_sums().Zeros();
      whole_classes_.push_back(OfClassWithout({{&nothing, 1}, {&zero, 1}}, 0));
    }
  }
  return whole_classes_[c];
}

// ---- models -------------------------------------------------------------------------------------

std::vector<double> NormalCross::CountsWithout(const Leaving& leaving) const {
  std::vector<double> counts(rows_->class_counts().begin(), rows_->class_counts().end());
  for (const RowGroup& group : leaving.groups) counts[group.c] -= static_cast<double>(group.n);
  return counts;
}

NormalCross::Model NormalCross::ModelWithout(const Leaving& leaving) {
  const std::size_t n_classes = rows_->n_classes(), n_columns = rows_->n_columns();
  const std::vector<double> counts = CountsWithout(leaving);
  Model model{PriorsOf(*params_, counts), NormalScores(n_classes, n_columns)};
  const ColumnMoments overall = OverallWithout(leaving);
  std::vector<ColumnMoments> changed;
  changed.reserve(leaving.groups.size());
  std::vector<const ColumnMoments*> of_class(n_classes);
  for (std::size_t g = 0; g < leaving.groups.size(); ++g) {
    changed.push_back(OfClassWithout(leaving, g));
    of_class[leaving.groups[g].c] = &changed.back();
  }
  for (std::size_t c = 0; c < n_classes; ++c) {
    if (of_class[c] == nullptr) of_class[c] = &OfWholeClass(c);
    if (counts[c] == 0) of_class[c] = &overall;
  }
  SetScores(of_class, overall, &model.scores);
  return model;
}

// As NormalColumn::Finish() does, column by column.
void NormalCross::SetScores(std::span<const ColumnMoments* const> of_class,
                            const ColumnMoments& overall, NormalScores* scores) const {
  double largest = 0;
  for (const double variance : overall.variances) largest = std::max(largest, variance);
  const double added = params_->var_smoothing > 0 ? params_->var_smoothing * largest : 0;
  for (std::size_t k = 0; k < rows_->n_columns(); ++k) {
    const double floor = FloorVariance(params_->min_sd, overall.variances[k]);
    for (std::size_t c = 0; c < of_class.size(); ++c) {
      if (overall.variances[k] == 0) {
        scores->Silence(c, k);
        continue;
      }
      const double variance = UsedVariance(of_class[c]->variances[k], added, floor);
      if (variance == 0) RefuseConstant(Subject(k, c));
      scores->Set(c, k, of_class[c]->means[k], variance);
    }
  }
  for (std::size_t c = 0; c < of_class.size(); ++c) scores->FinishClass(c);
}

// ---- predictions --------------------------------------------------------------------------------

void NormalCross::Append(ScoreBlock& block, std::size_t n, const ClassPriors& priors,
                         Output& output) const {
  if (sink_->wants_labels()) {
    output.labels.resize(output.labels.size() + n);
    block.ToLabels(priors, std::span(output.labels).last(n));
  }
  if (sink_->wants_probabilities()) {
    const std::size_t size = n * rows_->n_classes();
    output.probabilities.resize(output.probabilities.size() + size);
    block.ToProbabilities(priors, std::span(output.probabilities).last(size));
  }
}

void NormalCross::Emit(std::size_t first, std::size_t n, const Output& output) const {
  if (n == 0) return;
  sink_->Emit(setting_, rows_->positions().subspan(first, n),
              {.labels = output.labels, .probabilities = output.probabilities});
}

// The rows that leave are those at places first .. first + n - 1.
void NormalCross::PredictFold(const Leaving& leaving, std::size_t first, std::size_t n) {
  const Model model = ModelWithout(leaving);
  ScoreBlock block(rows_->n_classes());
  Output output;
  for (std::size_t i = 0; i < n; i += ScoreBlock::kRows) {
    const std::size_t size = std::min(ScoreBlock::kRows, n - i);
    for (std::size_t c = 0; c < rows_->n_classes(); ++c) {
      std::fill_n(block.of_class(c), ScoreBlock::kRows,
                  model.priors.logs[c] - model.scores.half_volume(c));
    }
    model.scores.SubtractDistances(rows_->x() + first + i, rows_->stride(), size, 0,
                                   rows_->n_classes(), block.of_class(0), ScoreBlock::kRows);
    Append(block, size, model.priors, output);
  }
  Emit(first, n, output);
}

// ---- leaving one row out ------------------------------------------------------------------------

// As a fold of its own.
void NormalCross::PredictAlone(std::size_t c, std::size_t place) {
  ReportAt(place);
  const RowGroup row{.c = c, .first = place, .n = 1};
  const ColumnSums sums = rows_->SumsOfRow(place);
  sink_->Try(setting_, rows_->fold_of(place), [&] {
    PredictFold({{&row, 1}, {&sums, 1}}, place, 1);
  });
}

bool NormalCross::OthersStay(const LeftOutClass& left_out, std::size_t c) {
  if (params_->var_smoothing > 0) return false;
  for (std::size_t other = 0; other < rows_->n_classes(); ++other) {
    if (other == c || rows_->class_counts()[other] == 0) continue;
    const ColumnMoments& moments = OfWholeClass(other);
    for (std::size_t k = 0; k < rows_->n_columns(); ++k) {
      if (!(moments.variances[k] > left_out.least_variance(k))) return false;
    }
  }
  return true;
}

NormalCross::Model NormalCross::OtherClasses(std::size_t c) {
  std::vector<double> counts(rows_->class_counts().begin(), rows_->class_counts().end());
  counts[c] -= 1;
  Model model{PriorsOf(*params_, counts), NormalScores(rows_->n_classes(), rows_->n_columns())};
  for (std::size_t other = 0; other < rows_->n_classes(); ++other) {
    const ColumnMoments& moments = OfWholeClass(other);
    for (std::size_t k = 0; k < rows_->n_columns(); ++k) {
      // A class without rows is impossible, whatever it is like.
      if (counts[other] == 0) {
        model.scores.Silence(other, k);
      } else {
        model.scores.Set(other, k, moments.means[k], UsedVariance(moments.variances[k], 0, 0));
      }
    }
    model.scores.FinishClass(other);
  }
  return model;
}

void NormalCross::ScoreOthers(const Model& model, std::size_t c, std::size_t first, std::size_t n,
                              ScoreBlock& block) const {
  const NormalScores& scores = model.scores;
  for (std::size_t other = 0; other < rows_->n_classes(); ++other) {
    std::fill_n(block.of_class(other), ScoreBlock::kRows,
                model.priors.logs[other] - scores.half_volume(other));
  }
  const double* x = rows_->x() + first;
  scores.SubtractDistances(x, rows_->stride(), n, 0, c, block.of_class(0), ScoreBlock::kRows);
  scores.SubtractDistances(x, rows_->stride(), n, c + 1, rows_->n_classes(),
                           block.of_class(0) + (c + 1) * ScoreBlock::kRows, ScoreBlock::kRows);
}

// Rows whose own class is known for certain are predicted; the others are returned.
std::vector<std::size_t> NormalCross::PredictWithoutOne(const RowGroup& group,
                                                        const LeftOutClass& left_out) {
  constexpr std::size_t kRows = ScoreBlock::kRows;
  const Model model = OtherClasses(group.c);
  ScoreBlock block(rows_->n_classes());
  std::vector<double> distance(kRows), mantissa(kRows), exponent(kRows), certain(kRows);
  std::vector<std::size_t> uncertain;
  Output output;
  for (std::size_t i = 0; i < group.n; i += kRows) {
    const std::size_t first = group.first + i, size = std::min(kRows, group.n - i);
    ReportAt(first);
    ScoreOthers(model, group.c, first, size, block);
    SupportedKernels()[0]->without_one({.x = rows_->x() + first,
                                        .x_stride = rows_->stride(),
                                        .n_rows = size,
                                        .n_columns = rows_->n_columns(),
                                        .of_class = left_out.constants(),
                                        .distance = distance.data(),
                                        .mantissa = mantissa.data(),
                                        .exponent = exponent.data(),
                                        .certain = certain.data()});
    double* own = block.of_class(group.c);
    for (std::size_t row = 0; row < size; ++row) {
      const double half_volume = 0.5 * ScaledProduct{mantissa[row], exponent[row]}.Log();
      own[row] = (model.priors.logs[group.c] - half_volume) - 0.5 * distance[row];
      if (certain[row] == 0) uncertain.push_back(first + row);
    }
    Append(block, size, model.priors, output);
  }
  EmitBetween(group, uncertain, output);
  return uncertain;
}

// Emits what lies between the rows at some places of the group.
void NormalCross::EmitBetween(const RowGroup& group, std::span<const std::size_t> without,
                              const Output& output) const {
  const std::size_t n_classes = rows_->n_classes();
  std::size_t first = group.first;
  const auto emit_to = [&](std::size_t end) {
    const std::size_t from = first - group.first, n = end - first;
    if (n == 0) return;
    plugin::CrossPrediction part;
    if (sink_->wants_labels()) part.labels = std::span(output.labels).subspan(from, n);
    if (sink_->wants_probabilities()) {
      part.probabilities = std::span(output.probabilities).subspan(from * n_classes, n * n_classes);
    }
    sink_->Emit(setting_, rows_->positions().subspan(first, n), part);
  };
  for (const std::size_t place : without) {
    emit_to(place);
    first = place + 1;
  }
  emit_to(group.first + group.n);
}

void NormalCross::PredictSingleRows(const RowGroup& group) {
  constexpr double kFewRows = 4;
  std::vector<std::size_t> alone;  // rows that need a model of their own
  bool all_alone = rows_->class_counts()[group.c] < kFewRows;
  if (!all_alone) {
    const LeftOutClass left_out(*rows_, group.c, *params_);
    all_alone = !OthersStay(left_out, group.c);
    if (!all_alone) alone = PredictWithoutOne(group, left_out);
  }
  if (all_alone) {
    alone.resize(group.n);
    std::iota(alone.begin(), alone.end(), group.first);
  }
  for (const std::size_t place : alone) PredictAlone(group.c, place);
}

}  // namespace crossfold::bundled
