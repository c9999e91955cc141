// The host's side of crossfold.cross-predict/1, where a learner stores the predictions of several
// settings for the rows of a partition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/outcome.h"
#include "crossfold_plugin.h"

namespace crossfold {

class CrossSink {
 public:
  // Returns the seed of the fit of a setting on a fold. Thread-safe.
  using SeedOf = std::function<std::uint64_t(std::size_t setting, std::size_t fold)>;

  // `like` has the arrays that are needed, with one entry per row, filled with values that are not
  // predictions.
  CrossSink(std::size_t n_settings, std::span<const std::int32_t> fold_of_row, std::size_t n_folds,
            SeedOf seed_of, const Prediction& like);
  CrossSink(const CrossSink&) = delete;
  CrossSink& operator=(const CrossSink&) = delete;

  // The sink for the plugin, which any thread may use.
  const cf_cross_sink* get() const { return &sink_; }

  // After the call, the predictions by row, and why a setting has none in a fold (null = it has).
  const Prediction& prediction(std::size_t setting) const { return predictions_[setting]; }
  Prediction Take(std::size_t setting) { return std::move(predictions_[setting]); }
  const std::pair<cf_status, std::string>* FindFailure(std::size_t setting, std::size_t fold) const;
  bool has_failures() const { return !failures_.empty(); }

 private:
  static std::uint64_t CF_CALL Seed(const cf_cross_sink* sink, std::size_t setting,
                                    std::int32_t fold) noexcept;
  static cf_status CF_CALL Emit(const cf_cross_sink* sink, std::size_t setting,
                                const std::int64_t* positions, std::int64_t n,
                                const cf_prediction_view* prediction) noexcept;
  static void CF_CALL Fail(const cf_cross_sink* sink, std::size_t setting, std::int32_t fold,
                           cf_status code, const char* message) noexcept;

  bool Fits(std::size_t setting, std::span<const std::int64_t> positions,
            const cf_prediction_view& given) const;
  void Copy(Prediction& to, std::span<const std::int64_t> positions,
            const cf_prediction_view& given) const;

  cf_cross_sink sink_{};
  std::span<const std::int32_t> fold_of_row_;
  std::size_t n_folds_;
  SeedOf seed_of_;
  std::vector<Prediction> predictions_;  // one per setting
  std::mutex mutex_;
  std::map<std::pair<std::size_t, std::int32_t>, std::pair<cf_status, std::string>> failures_;
};

}  // namespace crossfold
