// The law of crossfold.cross-predict/1: see capability_laws.h.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unit/plugins/path_laws.h"

namespace crossfold {
namespace laws {

// Which settings and folds a call is about: setting 0 and fold 0 of the call are these.
struct FirstCell {
  std::size_t setting = 0;
  std::int32_t fold = 0;
};

// What a host keeps of a cross prediction, whose settings and folds each have a seed of their own.
class CrossCollector {
 public:
  CrossCollector(const Spec& spec, const DataView& rows, std::size_t n_settings,
                 FirstCell first = {})
      : n_classes_(rows.data->num_classes()),
        first_(first),
        times_(n_settings, std::vector<int>(static_cast<std::size_t>(rows.num_rows()))),
        predictions_(n_settings, Predicted::For(spec, rows.num_rows(), n_classes_)) {
    const Predicted& arrays = predictions_.at(0);
    sink_.struct_size = sizeof(cf_cross_sink);
    if (!arrays.labels.empty()) sink_.wanted |= CF_NEEDS_LABELS;
    if (!arrays.values.empty()) sink_.wanted |= CF_NEEDS_VALUES;
    if (!arrays.probabilities.empty()) sink_.wanted |= CF_NEEDS_PROBABILITIES;
    sink_.sink_data = this;
    sink_.seed = [](const cf_cross_sink* sink, std::size_t setting, std::int32_t fold) {
      const FirstCell& at = static_cast<const CrossCollector*>(sink->sink_data)->first_;
      return SeedOf(at.setting + setting, at.fold + fold);
    };
    sink_.emit = &Emit;
    sink_.fail = &Fail;
  }
  CrossCollector(const CrossCollector&) = delete;

  static std::uint64_t SeedOf(std::size_t setting, std::int32_t fold) {
    return kSeed + 1000 * setting + static_cast<std::uint64_t>(fold);
  }
  const cf_cross_sink* sink() const { return &sink_; }
  // How often a position of a setting was emitted, and what came last.
  int times(std::size_t setting, std::size_t position) const { return times_[setting][position]; }
  Predicted At(std::size_t setting, const RowIds& positions) const {
    const Predicted& from = predictions_[setting];
    Predicted p;
    for (const std::int64_t position : positions) {
      const auto i = static_cast<std::size_t>(position);
      const auto k = static_cast<std::ptrdiff_t>(n_classes_);
      if (!from.labels.empty()) p.labels.push_back(from.labels[i]);
      if (!from.values.empty()) p.values.push_back(from.values[i]);
      if (from.probabilities.empty()) continue;
      const auto first = from.probabilities.begin() + position * k;
      p.probabilities.insert(p.probabilities.end(), first, first + k);
    }
    return p;
  }
  // Why a setting has no prediction in a fold; "" = it did not fail.
  std::string FailureOf(std::size_t setting, std::int32_t fold) const {
    for (const std::int32_t f : {fold, -1}) {
      const auto found = failures_.find({setting, f});
      if (found != failures_.end()) return found->second;
    }
    return "";
  }

 private:
  static cf_status CF_CALL Emit(const cf_cross_sink* sink, std::size_t setting,
                                const std::int64_t* positions, std::int64_t n,
                                const cf_prediction_view* p) {
    auto& self = *static_cast<CrossCollector*>(sink->sink_data);
    const std::lock_guard lock(self.mutex_);
    Predicted& to = self.predictions_.at(setting);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(positions[i]);
      ++self.times_.at(setting).at(at);
      if (p->labels != nullptr) to.labels.at(at) = p->labels[i];
      if (p->values != nullptr) to.values.at(at) = p->values[i];
      for (std::int64_t c = 0; p->probabilities != nullptr && c < self.n_classes_; ++c) {
        to.probabilities.at(static_cast<std::size_t>(positions[i] * self.n_classes_ + c)) =
            p->probabilities[i * self.n_classes_ + c];
      }
    }
    return CF_OK;
  }
  static void CF_CALL Fail(const cf_cross_sink* sink, std::size_t setting, std::int32_t fold,
                           cf_status, const char* message) {
    auto& self = *static_cast<CrossCollector*>(sink->sink_data);
    const std::lock_guard lock(self.mutex_);
    self.failures_.emplace(std::pair(setting, fold), message);
  }

  std::int64_t n_classes_;
  FirstCell first_;
  cf_cross_sink sink_{};
  std::mutex mutex_;
  std::vector<std::vector<int>> times_;
  std::vector<Predicted> predictions_;  // of all positions, one a setting
  std::map<std::pair<std::size_t, std::int32_t>, std::string> failures_;
};

// What one setting and fold should have got: fit on the other rows, predict these.
struct SeparateFit {
  SeparateFit(const Spec& spec, const DataView& rows, const std::vector<std::int32_t>& fold_of_row,
              std::int32_t fold, std::uint64_t seed) {
    RowIds train, test;
    for (std::size_t i = 0; i < fold_of_row.size(); ++i) {
      const auto position = static_cast<std::int64_t>(i);
      (fold_of_row[i] == fold ? test : train).push_back(rows.row_id(position));
      if (fold_of_row[i] == fold) positions.push_back(position);
    }
    const Made made = TryFit(spec, RowTable::ForTraining(*rows.data, &train).get(), seed);
    failure = made.message;
    if (made.model == nullptr) return;
    prediction = TryPredict(spec, made.model.get(), RowsOf(rows.data, test), seed);
    failure = prediction.failure;
  }
  RowIds positions;  // of the tested rows
  Predicted prediction;
  std::string failure;
};

// A partition, and what the learner may have prepared of its rows.
struct CrossProblem {
  const DataView& rows;
  const std::vector<std::int32_t>& fold_of_row;
  std::int32_t n_folds;
  const cf_prepared* prepared;
};

inline void CallCrossPredict(const std::vector<SpecPtr>& specs, const CrossProblem& problem,
                             const CrossCollector& collector) {
  const Spec& first = *specs.at(0);
  const auto* table = first.component().capability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT);
  std::vector<cf_setting> settings;
  for (const SpecPtr& spec : specs) settings.push_back({spec->args().data(), spec->args().size()});
  const RowTable all = RowTable::ForTraining(*problem.rows.data, problem.rows.rows.get());
  const CallResult result = CallPlugin(first.component(), {}, [&](const cf_call* call) {
    return table->cross_predict(call, settings.data(), settings.size(), &all.get(),
                                problem.fold_of_row.data(), problem.n_folds, problem.prepared,
                                collector.sink());
  });
  EXPECT_EQ(result.message, "");
}

// What came for a setting and a fold, against another call in which they are others by number.
inline void ExpectSameCell(const CrossCollector& got, FirstCell in_got,
                           const CrossCollector& expected, FirstCell in_expected,
                           const std::vector<std::int32_t>& fold_of_row) {
  EXPECT_EQ(got.FailureOf(in_got.setting, in_got.fold),
            expected.FailureOf(in_expected.setting, in_expected.fold));
  RowIds positions;
  for (std::size_t i = 0; i < fold_of_row.size(); ++i) {
    if (fold_of_row[i] == in_expected.fold) positions.push_back(static_cast<std::int64_t>(i));
  }
  EXPECT_TRUE(SamePrediction(got.At(in_got.setting, positions),
                             expected.At(in_expected.setting, positions)));
}

// A setting and fold must not depend on the rest of the call: one fold alone, the rows of the
// others being always trained on, and one setting alone, give the bytes that both gave in `whole`.
inline void ExpectEachAloneIsTheSame(const std::vector<SpecPtr>& specs, const CrossProblem& problem,
                                     const CrossCollector& whole) {
  const Spec& spec = *specs.at(0);
  for (std::int32_t fold = 0; fold < problem.n_folds; ++fold) {
    std::vector<std::int32_t> only_fold;
    for (const std::int32_t f : problem.fold_of_row) only_fold.push_back(f == fold ? 0 : -1);
    CrossCollector alone(spec, problem.rows, specs.size(), {0, fold});
    CallCrossPredict(specs, {problem.rows, only_fold, 1, problem.prepared}, alone);
    for (std::size_t s = 0; s < specs.size(); ++s) {
      SCOPED_TRACE(specs[s]->ToString() + ", fold " + std::to_string(fold) + " alone");
      ExpectSameCell(alone, {s, 0}, whole, {s, fold}, problem.fold_of_row);
    }
  }
  for (std::size_t s = 0; specs.size() > 1 && s < specs.size(); ++s) {
    CrossCollector alone(spec, problem.rows, 1, {s, 0});
    CallCrossPredict({specs[s]}, problem, alone);
    for (std::int32_t fold = 0; fold < problem.n_folds; ++fold) {
      SCOPED_TRACE(specs[s]->ToString() + " alone, fold " + std::to_string(fold));
      ExpectSameCell(alone, {0, fold}, whole, {s, fold}, problem.fold_of_row);
    }
  }
}

inline void ExpectCrossPrediction(const std::vector<SpecPtr>& specs, const CrossProblem& problem) {
  const Spec& first = *specs.at(0);
  const auto* table = first.component().capability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT);
  CrossCollector collected(first, problem.rows, specs.size());
  CallCrossPredict(specs, problem, collected);
  for (std::size_t s = 0; s < specs.size(); ++s) {
    for (std::int32_t fold = 0; fold < problem.n_folds; ++fold) {
      SCOPED_TRACE(specs[s]->ToString() + ", fold " + std::to_string(fold) +
                   (problem.prepared != nullptr ? ", prepared" : ""));
      const SeparateFit separate(*specs[s], problem.rows, problem.fold_of_row, fold,
                                 CrossCollector::SeedOf(s, fold));
      EXPECT_EQ(collected.FailureOf(s, fold), separate.failure);
      for (const std::int64_t position : separate.positions) {
        EXPECT_EQ(collected.times(s, static_cast<std::size_t>(position)),
                  separate.failure.empty() ? 1 : 0)
            << "how often position " << position << " was predicted";
      }
      if (!separate.failure.empty()) continue;
      EXPECT_TRUE(SamePrediction(collected.At(s, separate.positions), separate.prediction,
                                 table->tolerance));
    }
  }
  ExpectEachAloneIsTheSame(specs, problem, collected);
}

// Whether all settings agree in what prepare() may look at.
inline bool CanShareOnePreparation(const std::vector<SpecPtr>& specs) {
  const std::vector<ParamSpec>& params = specs.at(0)->component().params;
  for (std::size_t i = 0; i < params.size(); ++i) {
    if ((params[i].flags & CF_PF_PREPARE) == 0) continue;
    for (const SpecPtr& spec : specs) {
      if (spec->values()[i] != specs[0]->values()[i]) return false;
    }
  }
  return true;
}

}  // namespace laws

// crossfold.cross-predict/1: `fold_of_row` has one entry a row of `rows`, -1 = always trained on.
// Settings that fail must fail as separate fits do, and no setting or fold may depend on which
// others are in the call. Also with prepared rows where the learner offers them and the settings
// agree on what they depend on.
inline void ExpectCrossPredictLaw(std::string_view id, const std::vector<ParamValues>& settings,
                                  const DataView& rows,
                                  const std::vector<std::int32_t>& fold_of_row,
                                  std::int32_t n_folds) {
  std::vector<laws::SpecPtr> specs;
  for (const ParamValues& params : settings) specs.push_back(laws::LearnerSpec(id, params));
  const Spec& first = *specs.at(0);
  if (laws::Required<cf_cap_cross_predict>(first, CF_CAP_CROSS_PREDICT) == nullptr) return;
  laws::ExpectCrossPrediction(specs, {rows, fold_of_row, n_folds, nullptr});
  const bool prepares = first.component().capability<cf_cap_prepare>(CF_CAP_PREPARE) != nullptr;
  if (!prepares || !laws::CanShareOnePreparation(specs)) return;
  const PreparedRows prepared(id, settings[0], rows);
  laws::ExpectCrossPrediction(specs, {rows, fold_of_row, n_folds, prepared.get()});
}

// Folds 0, 1 .. n_folds - 1, 0 ... and every eleventh row always trained on.
inline std::vector<std::int32_t> SomeFolds(std::int64_t n_rows, std::int32_t n_folds) {
  std::vector<std::int32_t> folds;
  for (std::int64_t i = 0; i < n_rows; ++i) {
    folds.push_back(i % 11 == 10 ? -1 : static_cast<std::int32_t>(i % n_folds));
  }
  return folds;
}

}  // namespace crossfold
