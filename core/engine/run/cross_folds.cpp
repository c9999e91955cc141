// Running folds of one repeat by crossfold.cross-predict/1 (Route::kCross).
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "engine/run/cross_sink.h"
#include "engine/run/fold_rows.h"
#include "engine/run/item_cells.h"

namespace crossfold {
namespace {

using Clock = std::chrono::steady_clock;

class CrossFolds {
 public:
  CrossFolds(const CellRunner& runner, ItemCells& cells, const PreparedRows* prepared,
             std::uint64_t memory)
      : runner_(runner),
        cells_(cells),
        prepared_(prepared),
        memory_(memory),
        splits_(*block(0).splits),
        data_(*splits_.view().data),
        component_(block(0).learner->learner().component()),
        table_(*component_.capability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT)),
        rows_(splits_, cells.split(0), static_cast<std::int64_t>(cells.num_splits())) {
    request_ = {data_.num_classes(), WantsProbabilities(block(0))};
  }

  void Run() {
    const RowTable train = RowTable::ForTraining(data_, rows_.ids());
    CallSite site = runner_.MakeSite();
    RequireAcceptedTraining(component_, train.get());
    std::vector<std::size_t> able;
    for (std::size_t i = 0; i < cells_.num_blocks(); ++i) {
      if (CheckSetting(i, train.get())) able.push_back(i);
    }
    const std::size_t most = MaxSettings();
    for (std::size_t first = 0; first < able.size(); first += most) {
      const std::size_t n = std::min(most, able.size() - first);
      cells_.Try([&] { Call(train.get(), std::span(able).subspan(first, n)); });
    }
  }

 private:
  const CellBlock& block(std::size_t i) const { return runner_.block(cells_.block(i)); }
  bool IsRefused(std::size_t i, std::size_t fold) const {
    return std::ranges::find(refused_, std::pair(i, rows_.num_tested(fold))) != refused_.end();
  }

  // Asks the learner about each size of a training set. Returns whether any of them may be fitted.
  bool CheckSetting(std::size_t i, const cf_table& all) {
    if (component_.capability<cf_cap_check>(CF_CAP_CHECK) == nullptr) return true;
    std::vector<std::size_t> sizes;
    for (std::size_t f = 0; f < rows_.num_folds(); ++f) sizes.push_back(rows_.num_tested(f));
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    std::size_t n_refused = 0;
    for (const std::size_t size : sizes) {
      cf_table train = all;
      train.n_rows -= static_cast<std::int64_t>(size);
      CallSite site = runner_.MakeSite();
      try {
        CheckShape(block(i).learner->learner(), train, site);
        if (site.warnings.empty() || table_.tolerance > 0) continue;
        refused_.emplace_back(i, size);  // its cells report this on their own
        ++n_refused;
      } catch (const StepError& e) {
        refused_.emplace_back(i, size);
        NoteFailure(i, size, e.failure());
        ++n_refused;
      }
    }
    return n_refused < sizes.size();
  }

  // Notes a failure for learners with a tolerance, whose cells fail here; other cells fail again on
  // their own.
  void NoteFailure(std::size_t i, std::size_t size, const Failure& failure) {
    for (std::size_t f = 0; f < rows_.num_folds(); ++f) {
      if (rows_.num_tested(f) == size) cells_.SetFailure(i, f, failure);
    }
  }

  // Returns the number of settings whose predictions and seeds fit into the memory at the same
  // time.
  std::size_t MaxSettings() const {
    const auto width =
        static_cast<std::uint64_t>(request_.probabilities ? request_.n_classes + 1 : 1);
    const std::uint64_t bytes =
        8 * (static_cast<std::uint64_t>(rows_.num_rows()) * width + rows_.num_folds());
    return static_cast<std::size_t>(
        std::max<std::uint64_t>(memory_ / std::max<std::uint64_t>(bytes, 1), 1));
  }

  void Call(const cf_table& train, std::span<const std::size_t> places) {
    std::vector<cf_setting> settings;
    for (const std::size_t i : places) {
      const std::span<const cf_arg> args = block(i).learner->learner().args();
      settings.push_back({args.data(), args.size()});
    }
    const auto seed_of = [&](std::size_t k, std::size_t fold) {
      return runner_.cell(cells_.block(places[k]), cells_.split(fold)).seeds().Fit();
    };
    CrossSink sink(settings.size(), rows_.fold_of_row(), rows_.num_folds(), seed_of,
                   EmptyPrediction(component_, rows_.num_rows(), request_));
    CallSite site = runner_.MakeSite();
    const Clock::time_point start = Clock::now();
    CallStep("cross-predict", component_, 0, site, [&](const cf_call* call) {
      return table_.cross_predict(call, settings.data(), settings.size(), &train,
                                  rows_.fold_of_row().data(),
                                  static_cast<std::int32_t>(rows_.num_folds()),
                                  prepared_ != nullptr ? prepared_->get() : nullptr, sink.get());
    });
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count() /
                           static_cast<double>(places.size() * rows_.num_folds());
    // A warning belongs to the cells whose calls caused it, so these cells are run alone. With a
    // tolerance, that is a call with one setting and fold.
    const bool is_one = table_.tolerance > 0 && places.size() * rows_.num_folds() == 1;
    if (!site.warnings.empty() && !is_one) return;
    for (std::size_t k = 0; k < places.size(); ++k) {
      DeliverSetting(places[k], k, sink, seconds, site.warnings);
    }
  }

  // Returns the predictions of the rows at these places.
  Prediction Gather(const Prediction& all, std::span<const std::int64_t> places) const {
    Prediction p;
    p.n_classes = all.n_classes;
    p.rows.assign(places.begin(), places.end());
    if (rows_.ids() != nullptr) {
      for (std::int64_t& row : p.rows) row = rows_.id(row);
    }
    const auto gather = [&](const auto& from, auto& to) {
      if (from.empty()) return;
      to.resize(places.size());
      for (std::size_t i = 0; i < places.size(); ++i) {
        to[i] = from[static_cast<std::size_t>(places[i])];
      }
    };
    gather(all.labels, p.labels);
    gather(all.values, p.values);
    if (all.probabilities.empty()) return p;
    const auto k = static_cast<std::size_t>(all.n_classes);
    p.probabilities.reserve(places.size() * k);
    for (const std::int64_t place : places) {
      const double* first = all.probabilities.data() + static_cast<std::size_t>(place) * k;
      p.probabilities.insert(p.probabilities.end(), first, first + k);
    }
    return p;
  }

  void Check(const Prediction& p, const std::vector<std::int64_t>* rows) const {
    const RowTable table = RowTable::ForPrediction(data_, rows);
    CheckPrediction(component_, p, table.get());
  }

  void DeliverSetting(std::size_t i, std::size_t k, CrossSink& sink, double seconds,
                      const std::vector<std::string>& warnings) {
    // Results that are verified are delivered cell by cell.
    if (runner_.take_folds() && !runner_.options().verify && DeliverWhole(i, k, sink)) return;
    for (std::size_t f = 0; f < rows_.num_folds(); ++f) {
      if (IsRefused(i, f)) continue;
      try {
        if (const auto* failure = sink.FindFailure(k, f)) {
          ThrowStepError("fit", component_, failure->first, failure->second);
        }
        SharedResult result;
        result.prediction = Gather(sink.prediction(k), rows_.tested(f));
        Check(result.prediction, &result.prediction.rows);
        result.warnings = warnings;
        result.n_train = rows_.num_rows() - static_cast<std::int64_t>(rows_.num_tested(f));
        result.predict_s = seconds;
        result.via = CF_CAP_CROSS_PREDICT;
        result.tolerance = table_.tolerance;
        cells_.Deliver(i, f, std::move(result));
      } catch (const StepError& e) {
        cells_.SetFailure(i, f, e.failure());
      }
    }
  }

  // Delivers all folds at once, if none of them failed.
  bool DeliverWhole(std::size_t i, std::size_t k, CrossSink& sink) {
    for (std::size_t f = 0; f < rows_.num_folds(); ++f) {
      if (IsRefused(i, f)) return false;
    }
    if (sink.has_failures()) return false;
    const bool is_all = rows_.is_in_view_order() && std::ssize(rows_.tested()) == rows_.num_rows();
    Prediction whole;
    if (!is_all) whole = Gather(sink.prediction(k), rows_.tested());
    try {
      Check(is_all ? sink.prediction(k) : whole, is_all ? rows_.ids() : &whole.rows);
    } catch (const StepError&) {
      return false;
    }
    if (is_all) whole = sink.Take(k);
    std::vector<std::int64_t> positions;
    if (!is_all) {
      positions.reserve(whole.rows.size());
      for (const std::int64_t place : rows_.tested()) positions.push_back(rows_.position(place));
    }
    runner_.take_folds()(cells_.block(i), cells_.split(0), positions, std::move(whole));
    for (std::size_t f = 0; f < rows_.num_folds(); ++f) cells_.SetServed(i, f);
    return true;
  }

  const CellRunner& runner_;
  ItemCells& cells_;
  const PreparedRows* prepared_;
  const std::uint64_t memory_;
  const SplitPlan& splits_;
  const Dataset& data_;
  const Component& component_;
  const cf_cap_cross_predict& table_;
  const FoldRows rows_;
  PredictionRequest request_;
  std::vector<std::pair<std::size_t, std::size_t>> refused_;  // settings, sizes of folds
};

}  // namespace

std::vector<LeftCell> RunCrossFolds(const CellRunner& runner, BlockList blocks,
                                    const WorkItem& item, const PreparedRows* prepared,
                                    std::uint64_t memory, const DeliverResult& deliver) {
  ItemCells cells(blocks, item.split, item.n_splits, deliver);
  cells.Try([&] { CrossFolds(runner, cells, prepared, memory).Run(); });
  return cells.Left();
}

}  // namespace crossfold
