// The learner: keeps the training rows and answers from the nearest of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ballot.h"
#include "crossfold_plugin.hpp"
#include "index.h"
#include "kept_neighbours.h"
#include "params.h"
#include "prepared.h"
#include "rows.h"
#include "space.h"

namespace crossfold::knn {

class Knn {
 public:
  static constexpr plugin::LearnerInfo kInfo{
      .component = {.id = "crossfold.knn",
                    .title = "k nearest neighbours",
                    .doc = "Predicts from the k nearest training rows: the class with the most "
                           "votes (ties go to the lower class index) or the mean target. Equal "
                           "distances are in the order of the row ids.",
                    .source = "T. M. Cover and P. E. Hart, Nearest neighbor pattern "
                              "classification, IEEE Transactions on Information Theory 13 (1967)",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING};
  using Params = knn::Params;
  static constexpr auto kSchema = knn::kSchema;
  static constexpr std::uint32_t kFormatVersion = 1;

  static void Check(const Params& params, const cf_shape& shape, const plugin::Context&);
  static Knn Fit(const Params& params, const plugin::TrainingView& train, const plugin::Context&);
  static std::uint64_t FitBytes(const Params&, const cf_shape& shape, const plugin::Context&);
  // Of more than 2^26 numbers only what is known of every row.
  static std::uint64_t CrossBytes(const Params&, const cf_shape& shape, const plugin::Context&);
  plugin::ModelShape shape() const {
    return {.n_features = static_cast<std::int64_t>(index_.num_features()),
            .n_classes = static_cast<std::int64_t>(n_classes_)};
  }
  void Predict(const plugin::FeatureView& rows, std::span<double> values,
               const plugin::Context& context) const;
  // Labels follow from these.
  void PredictProba(const plugin::FeatureView& rows, std::span<double> probabilities,
                    const plugin::Context& context) const;

  // The fit does not depend on k, so one fit serves every k; a k that is too large fails when it is
  // used.
  static Knn FitPath(const Params& params, std::string_view param, std::span<const cf_value> values,
                     const plugin::TrainingView& train, const plugin::Context&);
  void PredictAt(std::size_t index, const plugin::FeatureView& rows, std::span<double> values,
                 const plugin::Context& context) const;
  void PredictProbaAt(std::size_t index, const plugin::FeatureView& rows,
                      std::span<double> probabilities, const plugin::Context& context) const;

  // Prepares the nearest rows of every row, for all folds and settings of a distance.
  using Prepared = knn::Prepared;
  static Prepared Prepare(const Params& params, const plugin::FeatureView& all,
                          const plugin::Context& context);
  // A model does not use the neighbours of the training rows, so these are Fit and FitPath.
  static Knn FitPrepared(const Params& params, const Prepared&, const plugin::TrainingView& train,
                         const plugin::Context& context);
  static Knn FitPathPrepared(const Params& params, std::string_view param,
                             std::span<const cf_value> values, const Prepared&,
                             const plugin::TrainingView& train, const plugin::Context& context);

  // One search for the neighbours of each tested row serves every k and both weights; with prepared
  // lists it searches only for rows whose list is too short.
  static void CrossPredict(std::span<const Params> settings, const plugin::TrainingView& rows,
                           std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                           plugin::CrossSink& sink, const plugin::Context& context);
  static void CrossPredictPrepared(std::span<const Params> settings, const Prepared& prepared,
                                   const plugin::TrainingView& rows,
                                   std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                                   plugin::CrossSink& sink, const plugin::Context& context);

  void AddOnnx(const plugin::FeatureView& columns, plugin::OnnxGraph& graph,
               const plugin::Context&) const;

  void Save(plugin::Writer& w) const;
  static Knn Load(plugin::Reader& r);
  std::uint64_t Bytes() const;

 private:
  // `rows` as the space has mapped them, in the order of their ids.
  Knn(const Params& params, std::size_t n_classes, Rows rows, Space space);

  Targets targets() const { return {n_classes_, labels_, values_}; }
  void PredictValues(std::int64_t k, const plugin::FeatureView& rows, std::span<double> values,
                     const plugin::Context& context) const;
  void PredictShares(std::int64_t k, const plugin::FeatureView& rows,
                     std::span<double> probabilities, const plugin::Context& context) const;
  template <class Use>
  void ForEachRow(std::int64_t k, const plugin::FeatureView& rows, const plugin::Context& context,
                  const Use& use) const;

  Params params_;
  std::vector<std::int64_t> path_;        // of k; empty unless fitted by FitPath
  std::shared_ptr<KeptNeighbours> kept_;  // for the values of the path; null = none
  std::size_t n_classes_;
  Space space_;
  Index index_;
  std::vector<std::int64_t> row_ids_;
  std::vector<std::int32_t> labels_;  // classification
  std::vector<double> values_;        // regression
};

// Throws Error if there are fewer training rows than neighbours.
void RequireEnoughRows(std::int64_t k, std::int64_t n_rows);

}  // namespace crossfold::knn
