// Rounds of random calls, each in a process of its own and with a seed that is known before.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check/check_list.h"
#include "check/check_task.h"
#include "crossfold/error.h"
#include "crossfold/plugin_check.h"
#include "crossfold/seed.h"
#include "discovery/manifest_file.h"
#include "discovery/plugin_search.h"
#include "discovery/program_search.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using check::CheckTask;
using Clock = std::chrono::steady_clock;

[[noreturn]] void RefuseFuzzing(const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, "cannot fuzz a plugin: " + finding);
}

struct FuzzedComponent {
  CheckScope scope;
  std::string id;
};

std::vector<FuzzedComponent> ComponentsOf(const Manifest& manifest) {
  std::vector<FuzzedComponent> components;
  for (const CheckScope scope : {CheckScope::kLearner, CheckScope::kTransform,
                                 CheckScope::kSplitter, CheckScope::kMetric, CheckScope::kSource}) {
    for (const std::string& id : manifest.ids[*check::KindOf(scope)]) {
      components.push_back({scope, id});
    }
  }
  return components;
}

// What a seed stands for in a file: one of its components, and what is done with it.
class Rounds {
 public:
  Rounds(const fs::path& file, const CheckOptions& options) : file_(file), options_(options) {
    if (!(options.seconds > 0)) RefuseFuzzing("the time of a round must be positive");
    const ManifestReading reading = ReadManifestFile(file);
    problem_ = reading.problem;
    components_ = ComponentsOf(reading.manifest);
    if (!options.in_process) program_ = FindProgram(CheckerProgram(), options.checker);
    const auto is_wanted = [&](const FuzzedComponent& c) { return c.id == options.component; };
    if (!problem_.empty() || options.component.empty()) return;
    if (std::none_of(components_.begin(), components_.end(), is_wanted)) {
      RefuseFuzzing("'" + file.string() + "' has no component '" + options.component + "'");
    }
  }

  // "" = it is a plugin with components.
  std::string problem() const {
    return problem_.empty() && components_.empty() ? "it has no components" : problem_;
  }
  const std::vector<FuzzedComponent>& components() const { return components_; }
  const FuzzedComponent& ComponentOf(std::uint64_t seed) const {
    return components_[SeedOfPath(seed, {"component"}) % components_.size()];
  }
  // The round with that number, as a seed that is short enough to be typed.
  std::uint64_t SeedOf(std::uint64_t round) const {
    constexpr std::uint64_t kMost = 1000000000000;
    return SeedOfPath(options_.seed, {"fuzz", round}) % kMost;
  }

  CheckResult Run(std::uint64_t seed, const std::string& part) const {
    const FuzzedComponent& component = ComponentOf(seed);
    const CheckTask task{file_,
                         std::string(check::kFuzzRound),
                         component.scope,
                         component.id,
                         seed,
                         options_.strictness,
                         part,
                         check::WholeTexts(options_.data)};
    CheckResult result = options_.in_process
                             ? check::RunInThisProcess(task, /*warns=*/false)
                             : check::RunInProcess(program_, task, /*warns=*/false,
                                                   options_.seconds, options_.cancel);
    if (IsBad(result.outcome)) {
      result.text += "; again with --reproduce " + std::to_string(seed);
    }
    return result;
  }

 private:
  fs::path file_;
  const CheckOptions& options_;
  fs::path program_;
  std::string problem_;
  std::vector<FuzzedComponent> components_;
};

CheckReport ReportOfProblem(const fs::path& file, const CheckOptions& options,
                            const std::string& problem) {
  CheckReport report{file, options.seed, {}};
  CheckResult& result = report.results.emplace_back();
  result.check = check::kFuzzRound;
  result.outcome = CheckOutcome::kFailed;
  result.text = problem;
  if (options.on_finished) options.on_finished(result);
  return report;
}

// Runs rounds on several threads until the time is over. Failures are reported as they come, the
// same finding of a component once.
class Fuzzer {
 public:
  Fuzzer(const Rounds& rounds, const CheckOptions& options, double seconds)
      : rounds_(rounds),
        options_(options),
        until_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(seconds))) {}

  std::vector<CheckResult> Run() {
    if (options_.in_process) {
      Work();
      TellUntilDone(0);
    } else {
      const auto threads = check::StartJobs(check::NumberOfJobs(options_), [this] { Work(); });
      TellUntilDone(threads.size());
    }
    if (failure_) std::rethrow_exception(failure_);
    for (const FuzzedComponent& component : rounds_.components()) Conclude(component);
    return std::move(results_);
  }

 private:
  // Findings of a component, after which it is left alone.
  static constexpr std::size_t kMostFindings = 5;

  bool is_over() const {
    return failure_ != nullptr || Clock::now() >= until_ ||
           (options_.cancel != nullptr && options_.cancel->cancelled());
  }
  bool IsWanted(const FuzzedComponent& component) {
    if (!options_.component.empty() && component.id != options_.component) return false;
    return found_[component.id].size() < kMostFindings;
  }
  bool HasAnyWanted() {
    const auto& all = rounds_.components();
    return std::any_of(all.begin(), all.end(), [this](const auto& c) { return IsWanted(c); });
  }

  void Work() {
    std::unique_lock lock(mutex_);
    while (!is_over() && HasAnyWanted()) {
      const std::uint64_t seed = rounds_.SeedOf(next_++);
      if (!IsWanted(rounds_.ComponentOf(seed))) continue;
      lock.unlock();
      CheckResult result;
      std::exception_ptr failure;
      try {
        result = rounds_.Run(seed, "");
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      if (failure) failure_ = failure;
      if (!failure) Take(result);
      changed_.notify_all();
    }
    ++n_done_;
    changed_.notify_all();
  }

  // REQUIRES: the mutex is held.
  void Take(const CheckResult& result) {
    if (result.text == "cancelled") return;
    ++n_rounds_[result.component];
    seconds_[result.component] += result.seconds;
    if (result.outcome == CheckOutcome::kSkipped) skipped_[result.component] = result.text;
    if (!IsBad(result.outcome)) return;
    const std::string finding = result.text.substr(0, result.text.rfind("; again with"));
    if (!found_[result.component].insert(finding).second) return;
    finished_.push_back(result);
  }

  void Tell(const CheckResult& result) {
    results_.push_back(result);
    if (options_.on_finished) options_.on_finished(result);
  }

  void TellUntilDone(std::size_t n_threads) {
    std::unique_lock lock(mutex_);
    for (;;) {
      while (!finished_.empty()) {
        const CheckResult result = std::move(finished_.front());
        finished_.pop_front();
        lock.unlock();
        Tell(result);
        lock.lock();
      }
      if (n_done_ >= n_threads) return;
      changed_.wait(lock);
    }
  }

  // One result for a component in which nothing was found.
  void Conclude(const FuzzedComponent& component) {
    if (!options_.component.empty() && component.id != options_.component) return;
    if (!found_[component.id].empty()) return;
    const int n = n_rounds_[component.id];
    CheckResult result;
    result.check = check::kFuzzRound;
    result.component = component.id;
    result.seconds = seconds_[component.id];
    result.outcome =
        n > 0 && skipped_[component.id].empty() ? CheckOutcome::kOk : CheckOutcome::kSkipped;
    result.text = result.outcome == CheckOutcome::kOk
                      ? std::to_string(n) + (n == 1 ? " round" : " rounds")
                  : n == 0 ? "no round in that time"
                           : skipped_[component.id];
    Tell(result);
  }

  const Rounds& rounds_;
  const CheckOptions& options_;
  Clock::time_point until_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;
  std::size_t n_done_ = 0;
  std::map<std::string, int> n_rounds_;
  std::map<std::string, double> seconds_;
  std::map<std::string, std::string> skipped_;          // why, of the last
  std::map<std::string, std::set<std::string>> found_;  // findings of a component
  std::deque<CheckResult> finished_;                    // not yet reported
  std::vector<CheckResult> results_;
  std::exception_ptr failure_;
};

}  // namespace

CheckReport FuzzPlugin(const fs::path& plugin, const CheckOptions& options, double seconds) {
  if (!(seconds > 0)) RefuseFuzzing("the time must be positive");
  const fs::path file = PluginPath(plugin);
  const Rounds rounds(file, options);
  if (!rounds.problem().empty()) return ReportOfProblem(file, options, rounds.problem());
  return {file, options.seed, Fuzzer(rounds, options, seconds).Run()};
}

CheckReport ReproduceFuzz(const fs::path& plugin, const CheckOptions& options,
                          std::uint64_t fuzz_seed) {
  const fs::path file = PluginPath(plugin);
  const Rounds rounds(file, options);
  if (!rounds.problem().empty()) return ReportOfProblem(file, options, rounds.problem());
  CheckReport report{file, fuzz_seed, {rounds.Run(fuzz_seed, "tell")}};
  if (options.on_finished) options.on_finished(report.results.front());
  return report;
}

}  // namespace crossfold
