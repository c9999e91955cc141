#include "normal_cross.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "left_out_class.h"
#include "normal_column.h"

namespace crossfold::bundled {
namespace {

// If a mean is this large, the squares of its entries are normal doubles, and a variance of 0 shows
// that they are equal.
constexpr double kLeastTold = 1e-100;

}  // namespace

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
      context_(&context),
      x_(MakeAlignedNumbers(rows.BlockSize())),
      block_(rows.n_classes()) {}

void NormalCross::Run() {
  // Folds take turns, a block of rows each, so that rows near each other are read together.
  constexpr std::size_t kTogether = 16;
  const std::span<const FoldGroups> folds = rows_->folds();
  for (std::size_t f = 0; f < folds.size(); f += kTogether) {
    const auto some = folds.subspan(f, std::min(kTogether, folds.size() - f));
    ReportAt(some[0].places.first);
    std::vector<OpenFold> open = ModelsOf(some);
    while (!open.empty()) {
      for (std::size_t i = 0; i < open.size(); ++i) {
        OpenFold& one = open[i];
        const PlaceRange places = one.Next();
        one.n_done += places.n;
        const PlaceRange next = open[(i + 1) % open.size()].Next();
        sink_->Try(setting_, one.fold->number, [&] { PredictBlock(one.model, places, next); });
      }
      std::erase_if(open, [](const OpenFold& one) { return one.n_done == one.fold->places.n; });
    }
  }
  for (const SingleRows& rows : rows_->single_rows()) PredictSingleRows(rows);
}

// Leaves out those that fail.
std::vector<NormalCross::OpenFold> NormalCross::ModelsOf(std::span<const FoldGroups> folds) {
  std::vector<OpenFold> open;
  for (const FoldGroups& fold : folds) {
    sink_->Try(setting_, fold.number, [&] {
      open.push_back({&fold, ModelWithout(rows_->leaving(fold))});
    });
  }
  return open;
}

void NormalCross::ReportAt(std::size_t place) const {
  context_->Progress(static_cast<double>(place) / static_cast<double>(rows_->n_rows() + 1));
}

// ---- moments ------------------------------------------------------------------------------------

std::string NormalCross::Subject(std::size_t k, std::size_t c) const {
  return OfClass(names_->features[rows_->feature(k)], names_->classes[c]);
}

// Finds the moments of rows with these sums.
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
ColumnMoments NormalCross::OfClassWithout(const LeavingRows& leaving, std::size_t g) {
  const RowGroup& group = leaving.groups[g];
  ColumnSums sums = rows_->class_sums(group.c);
  sums.Subtract(leaving.sums_of(g));
  ColumnMoments moments =
      MomentsOf(sums, rows_->class_counts()[group.c] - static_cast<double>(group.n));
  for (std::size_t k = 0; k < rows_->n_columns(); ++k) {
    if (moments.certain[k] != 0) continue;
    const NormalMoments exact = rows_->ExactSumsWithout(k, leaving.places)
                                    .OfClass(group.c, params_->variance, Subject(k, group.c));
    moments.means[k] = exact.mean;
    moments.variances[k] = exact.variance;
  }
  return moments;
}

ColumnMoments NormalCross::OverallWithout(const LeavingRows& leaving) {
  ColumnSums sums = rows_->all_sums();
  auto weight = static_cast<double>(rows_->n_rows());
  for (std::size_t g = 0; g < leaving.groups.size(); ++g) {
    sums.Subtract(leaving.sums_of(g));
    weight -= static_cast<double>(leaving.groups[g].n);
  }
  ColumnMoments moments = MomentsOf(sums, weight);
  for (std::size_t k = 0; k < rows_->n_columns(); ++k) {
    if (moments.certain[k] != 0) continue;
    const NormalMoments exact =
        rows_->ExactSumsWithout(k, leaving.places)
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
      whole_classes_.push_back(OfClassWithout({{}, {&nothing, 1}, zero.numbers(), zero.size()}, 0));
    }
  }
  return whole_classes_[c];
}

// ---- models -------------------------------------------------------------------------------------

std::vector<double> NormalCross::CountsWithout(const LeavingRows& leaving) const {
  std::vector<double> counts(rows_->class_counts().begin(), rows_->class_counts().end());
  for (const RowGroup& group : leaving.groups) counts[group.c] -= static_cast<double>(group.n);
  return counts;
}

NormalCross::Model NormalCross::ModelWithout(const LeavingRows& leaving) {
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
  for (std::size_t k = 0; k < rows_->n_columns(); ++k) {
    largest = std::max(largest, overall.variances[k]);
  }
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

void NormalCross::Emit(PlaceRange places, const Output& output) const {
  sink_->Emit(setting_, rows_->positions().subspan(places.first, places.n),
              {.labels = output.labels, .probabilities = output.probabilities});
}

void NormalCross::PredictBlock(const Model& model, PlaceRange places, PlaceRange next) {
  if (places.n == 0) return;
  rows_->CopyBlock(places, x_.get(), next);
  for (std::size_t c = 0; c < rows_->n_classes(); ++c) {
    std::fill_n(block_.of_class(c), ScoreBlock::kRows,
                model.priors.logs[c] - model.scores.half_volume(c));
  }
  model.scores.SubtractDistances(x_.get(), GroupedRows::kBlockStride, places.n, 0,
                                 rows_->n_classes(), block_.of_class(0), ScoreBlock::kRows);
  Output output;
  Append(block_, places.n, model.priors, output);
  Emit(places, output);
}

// ---- leaving one row out ------------------------------------------------------------------------

// As a fold of its own.
void NormalCross::PredictAlone(std::size_t c, std::size_t place) {
  ReportAt(place);
  const RowGroup row{.c = c, .n = 1};
  const ColumnSums sums = rows_->SumsOfRow(place);
  sink_->Try(setting_, rows_->fold_of(place), [&] {
    PredictBlock(ModelWithout({{place, 1}, {&row, 1}, sums.numbers(), sums.size()}), {place, 1},
                 {});
  });
}

// Not if only spreads whose squares may underflow show it.
bool NormalCross::SurelyVaries(std::size_t k) {
  constexpr double kLeastVariance = 1e-250;
  std::optional<double> mean;  // of the first class
  for (std::size_t c = 0; c < rows_->n_classes(); ++c) {
    if (rows_->class_counts()[c] == 0) continue;
    const ColumnMoments& moments = OfWholeClass(c);
    if (moments.variances[k] > kLeastVariance) return true;
    if (!mean.has_value()) mean = moments.means[k];
    const double larger = std::max(std::fabs(*mean), std::fabs(moments.means[k]));
    if (*mean != moments.means[k] && larger >= kLeastTold) return true;
  }
  return false;
}

// Without a row of a class whose variance is 0: whether the mean and the variance stay.
bool NormalCross::StaysConstant(const SingleRows& rows, std::size_t k) {
  const double mean = OfWholeClass(rows.c).means[k];
  if (std::fabs(mean) >= kLeastTold || rows_->is_whole(k)) return true;
  if (mean != 0) return false;
  // The squares of entries may be 0 though the entries are not. A row of 0 leaves their sum alone.
  for (std::size_t i = 0; i < rows.places.n; ++i) {
    if (rows_->x(k, rows.places.first + i) != 0) return false;
  }
  return true;
}

// Returns false if a column may be unused, or the class may differ from what is set.
bool NormalCross::SetConstants(const SingleRows& rows, LeftOutClass* left_out) {
  const ColumnMoments& own = OfWholeClass(rows.c);
  for (std::size_t k = 0; k < rows_->n_columns(); ++k) {
    if (own.variances[k] != 0) continue;
    if (!SurelyVaries(k) || !StaysConstant(rows, k)) return false;
    left_out->SetConstant(k, own.means[k]);
  }
  return true;
}

bool NormalCross::OthersExceedFloor(std::size_t c, const LeftOutClass& left_out) {
  for (std::size_t other = 0; other < rows_->n_classes(); ++other) {
    if (other == c || rows_->class_counts()[other] == 0) continue;
    const ColumnMoments& moments = OfWholeClass(other);
    for (std::size_t k = 0; k < rows_->n_columns(); ++k) {
      if (!(moments.variances[k] > left_out.least_variance(k))) return false;
    }
  }
  return true;
}

std::optional<LeftOutClass> NormalCross::LeftOut(const SingleRows& rows) {
  constexpr double kFewRows = 4;
  if (rows_->class_counts()[rows.c] < kFewRows) return std::nullopt;
  LeftOutClass left_out(*rows_, rows.c, *params_);
  // What is added makes up for a variance of 0.
  const bool may_be_zero = params_->var_smoothing > 0 && params_->min_sd == 0;
  const bool usable =
      may_be_zero ? SetConstants(rows, &left_out) : OthersExceedFloor(rows.c, left_out);
  if (!usable) return std::nullopt;
  return left_out;
}

NormalScores NormalCross::OtherClasses(std::size_t c) {
  NormalScores scores(rows_->n_classes(), rows_->n_columns());
  for (std::size_t other = 0; other < rows_->n_classes(); ++other) {
    const ColumnMoments& moments = OfWholeClass(other);
    // A class without rows is impossible, whatever it is like.
    const bool is_there = other != c && rows_->class_counts()[other] != 0;
    for (std::size_t k = 0; k < rows_->n_columns(); ++k) {
      if (is_there) {
        scores.Set(other, k, moments.means[k], UsedVariance(moments.variances[k], 0, 0));
      } else {
        scores.Silence(other, k);
      }
    }
    scores.FinishClass(other);
  }
  return scores;
}

void NormalCross::ScoreOthers(const ClassPriors& priors, const NormalScores& others, std::size_t c,
                              std::size_t n) {
  for (std::size_t other = 0; other < rows_->n_classes(); ++other) {
    std::fill_n(block_.of_class(other), ScoreBlock::kRows,
                priors.logs[other] - others.half_volume(other));
  }
  constexpr std::size_t kStride = GroupedRows::kBlockStride;
  others.SubtractDistances(x_.get(), kStride, n, 0, c, block_.of_class(0), ScoreBlock::kRows);
  others.SubtractDistances(x_.get(), kStride, n, c + 1, rows_->n_classes(),
                           block_.of_class(0) + (c + 1) * ScoreBlock::kRows, ScoreBlock::kRows);
}

void NormalCross::ScoreOthersSmoothed(const ClassPriors& priors, const double* added, std::size_t c,
                                      std::size_t n) {
  for (std::size_t other = 0; other < rows_->n_classes(); ++other) {
    if (other == c) continue;
    if (rows_->class_counts()[other] == 0) {
      std::fill_n(block_.of_class(other), ScoreBlock::kRows, priors.logs[other]);
      continue;
    }
    const ColumnMoments& moments = OfWholeClass(other);
    SupportedKernels()[0]->smoothed({.x = x_.get(),
                                     .x_stride = GroupedRows::kBlockStride,
                                     .n_rows = n,
                                     .n_columns = rows_->n_columns(),
                                     .means = moments.means.data(),
                                     .variances = moments.variances.data(),
                                     .added = added,
                                     .to = density_.arrays()});
    density_.ToScores(priors.logs[other], n, block_.of_class(other));
  }
}

// Rows of which everything is known for certain are predicted; the others are returned.
std::vector<std::size_t> NormalCross::PredictWithoutOne(const SingleRows& rows,
                                                        const LeftOutClass& left_out) {
  constexpr std::size_t kRows = ScoreBlock::kRows;
  std::vector<double> counts(rows_->class_counts().begin(), rows_->class_counts().end());
  counts[rows.c] -= 1;
  const ClassPriors priors = PriorsOf(*params_, counts);
  const bool is_smoothed = params_->var_smoothing > 0;
  const NormalScores others = is_smoothed ? NormalScores() : OtherClasses(rows.c);
  if (!added_variances_.has_value()) added_variances_.emplace(*rows_, *params_);
  std::array<double, kRows> added, added_certain, certain;
  std::vector<std::size_t> uncertain;
  Output output;
  for (std::size_t i = 0; i < rows.places.n; i += kRows) {
    const std::size_t first = rows.places.first + i, size = std::min(kRows, rows.places.n - i);
    ReportAt(first);
    const PlaceRange next{first + size, std::min(kRows, rows.places.n - i - size)};
    rows_->CopyBlock({first, size}, x_.get(), next);
    added_variances_->Find(x_.get(), size, added.data(), added_certain.data());
    if (is_smoothed) {
      ScoreOthersSmoothed(priors, added.data(), rows.c, size);
    } else {
      ScoreOthers(priors, others, rows.c, size);
    }
    SupportedKernels()[0]->without_one({.x = x_.get(),
                                        .x_stride = GroupedRows::kBlockStride,
                                        .n_rows = size,
                                        .n_columns = rows_->n_columns(),
                                        .of_class = left_out.constants(),
                                        .added = added.data(),
                                        .to = density_.arrays(),
                                        .certain = certain.data()});
    density_.ToScores(priors.logs[rows.c], size, block_.of_class(rows.c));
    for (std::size_t row = 0; row < size; ++row) {
      if (certain[row] == 0 || added_certain[row] == 0) uncertain.push_back(first + row);
    }
    Append(block_, size, priors, output);
  }
  EmitBetween(rows.places, uncertain, output);
  return uncertain;
}

// Emits the predictions between the rows at some of the places.
void NormalCross::EmitBetween(PlaceRange places, std::span<const std::size_t> without,
                              const Output& output) const {
  const std::size_t n_classes = rows_->n_classes();
  std::size_t first = places.first;
  const auto emit_to = [&](std::size_t end) {
    const std::size_t from = first - places.first, n = end - first;
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
  emit_to(places.first + places.n);
}

void NormalCross::PredictSingleRows(const SingleRows& rows) {
  std::vector<std::size_t> alone;  // rows that need a model of their own
  if (const std::optional<LeftOutClass> left_out = LeftOut(rows)) {
    alone = PredictWithoutOne(rows, *left_out);
  } else {
    alone.resize(rows.places.n);
    std::iota(alone.begin(), alone.end(), rows.places.first);
  }
  for (const std::size_t place : alone) PredictAlone(rows.c, place);
}

}  // namespace crossfold::bundled
