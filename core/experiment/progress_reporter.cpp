#include "experiment/progress_reporter.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace crossfold {
namespace {

std::string StepsOf(const Pipeline& learner) {
  std::string ids;
  for (const auto& step : learner.steps()) ids += step->component().id + "|";
  return ids;
}

// An estimate takes a loop over all settings of a run, so it is not made after every cell.
constexpr std::chrono::milliseconds kEstimateEvery{100};

double SecondsBetween(std::chrono::steady_clock::time_point from,
                      std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

bool IsInner(const CellBlock& block) { return block.purpose != nullptr && block.purpose->inner; }

// Whether the cells are folds of an experiment.
bool IsFold(const CellBlock& block) { return block.purpose != nullptr && !block.purpose->inner; }

}  // namespace

TimeLeft::TimeLeft(std::span<const CellBlock> blocks) {
  std::map<std::pair<const Pipeline*, const Dataset*>, std::size_t> settings;
  std::map<std::pair<std::string, const Dataset*>, std::size_t> learners;
  std::size_t first = 0;
  for (const CellBlock& block : blocks) {
    const DataView& view = block.splits->view();
    const auto [setting, is_new] =
        settings.try_emplace({block.learner.get(), view.data.get()}, settings_.size());
    if (is_new) {
      const auto learner =
          learners.try_emplace({StepsOf(*block.learner), view.data.get()}, learners_.size()).first;
      if (learner->second == learners_.size()) learners_.emplace_back();
      settings_.emplace_back().learner = learner->second;
    }
    first_.push_back(first);
    setting_.push_back(setting->second);
    cost_.push_back(static_cast<double>(view.num_rows()) *
                    static_cast<double>(view.data->num_features() + 1));
    settings_[setting->second].left += cost_.back() * static_cast<double>(block.count);
    first += static_cast<std::size_t>(block.count);
  }
}

void TimeLeft::Finished(std::size_t i, double seconds) {
  assert(!first_.empty());
  const auto b = static_cast<std::size_t>(std::ranges::upper_bound(first_, i) - first_.begin()) - 1;
  Setting& setting = settings_[setting_[b]];
  setting.left -= cost_[b];
  for (Work* work : {static_cast<Work*>(&setting), &learners_[setting.learner]}) {
    work->done += cost_[b];
    work->seconds += seconds;
  }
}

std::optional<double> TimeLeft::Seconds(double elapsed) const {
  Work all;
  for (const Work& learner : learners_) {
    all.done += learner.done;
    all.seconds += learner.seconds;
  }
  if (all.done <= 0) return std::nullopt;
  double left = 0, cost_left = 0;
  for (const Setting& setting : settings_) {
    const Work& learner = learners_[setting.learner];
    const Work& known = setting.done > 0 ? setting : learner.done > 0 ? learner : all;
    left += setting.left * (known.seconds / known.done);
    cost_left += setting.left;
  }
  // If cells are too short for the clock, only their costs are used.
  return all.seconds > 0 ? elapsed * left / all.seconds : elapsed * cost_left / all.done;
}

ProgressReporter::ProgressReporter(const ProgressSink& sink, std::span<const CellBlock> blocks,
                                   CancelToken& stop, const Progress& before)
    : sink_(sink), stop_(stop) {
  progress_.folds_finished = before.folds_finished;
  progress_.folds_total = before.folds_total;
  for (const CellBlock& block : blocks) {
    progress_.total += static_cast<std::size_t>(block.count);
    if (IsInner(block)) progress_.inner_total += static_cast<std::size_t>(block.count);
  }
}

RunEngine ProgressReporter::Watch(RunEngine engine) {
  if (!sink_) return engine;
  watching_ = true;
  return [this, engine = std::move(engine)](std::span<const CellBlock> blocks,
                                            const RunOptions& options, const TakeOutcome& take) {
    BeginComputing(blocks);
    engine(blocks, options, [&](std::size_t i, Outcome&& outcome) {
      if (outcome.status != OutcomeStatus::kCancelled) {
        const std::lock_guard lock(mutex_);
        time_left_->Finished(i, outcome.fit_s + outcome.predict_s);
      }
      take(i, std::move(outcome));
    });
  };
}

void ProgressReporter::BeginComputing(std::span<const CellBlock> blocks) {
  const std::lock_guard lock(mutex_);
  watching_ = false;  // cells of a store were delivered before
  time_left_.emplace(blocks);
  computing_since_ = Clock::now();
}

void ProgressReporter::Estimate() {
  const Clock::time_point now = Clock::now();
  progress_.seconds = SecondsBetween(begin_, now);
  const bool is_last = progress_.finished == progress_.total;
  if (!time_left_ || (!is_last && now - estimated_ < kEstimateEvery)) return;
  estimated_ = now;
  progress_.seconds_left = time_left_->Seconds(SecondsBetween(computing_since_, now));
}

void ProgressReporter::CellFinished(const CellBlock& block, OutcomeStatus status) noexcept {
  if (!sink_ || status == OutcomeStatus::kCancelled) return;
  const std::lock_guard lock(mutex_);
  ++progress_.finished;
  if (status == OutcomeStatus::kFailed) ++progress_.failed;
  if (IsInner(block)) ++progress_.inner_finished;
  if (IsFold(block) && progress_.folds_finished < progress_.folds_total) ++progress_.folds_finished;
  if (watching_) ++progress_.found;
  if (thrown_) return;
  try {
    Estimate();
    sink_(progress_);
  } catch (...) {
    thrown_ = std::current_exception();
    stop_.Cancel();
  }
}

void ProgressReporter::CellLeftOut(const CellBlock& block) noexcept {
  const std::lock_guard lock(mutex_);
  --progress_.total;
  if (IsInner(block)) --progress_.inner_total;
}

void ProgressReporter::Rethrow() const {
  if (thrown_) std::rethrow_exception(thrown_);
}

}  // namespace crossfold
