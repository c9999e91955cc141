#include "experiment/time_left.h"

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

}  // namespace crossfold
