// Which checks a plugin gets, and how they run at the same time.
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <regex>
#include <system_error>
#include <utility>

#include "check/check_list.h"
#include "check/check_task.h"
#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "crossfold/plugin_check.h"
#include "crossfold/seed.h"
#include "discovery/manifest_file.h"
#include "discovery/plugin_search.h"
#include "discovery/program_search.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using check::Check;
using check::CheckTask;

// A task and the index of the one that must pass before it; kNone = no such task.
struct Planned {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  CheckTask task;
  bool warns = false;
  std::size_t needs = kNone;
  std::string expected;  // why the manifest expects it to fail; "" = it does not
};

[[noreturn]] void RefuseCheck(const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, "cannot check a plugin: " + finding);
}

std::regex RegexOf(const std::string& text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error&) {
    RefuseCheck("'" + text + "' is not a regular expression");
  }
}

// The ids of the components that checks of that scope are run on; "" means the file.
std::vector<std::string> SubjectsOf(CheckScope scope, const Manifest& manifest) {
  const std::optional<Kind> kind = check::KindOf(scope);
  if (!kind) return {""};
  return manifest.ids[*kind];
}

// Which checks are run: chosen by name, component and strictness, with what they need.
class Plan {
 public:
  Plan(const fs::path& file, const CheckOptions& options)
      : file_(file),
        options_(options),
        include_(RegexOf(options.include)),
        exclude_(RegexOf(options.exclude)) {
    manifest_ = ReadManifestFile(file).manifest;
    RefuseUnknownComponent();
    for (const Check& check : checks_) {
      for (const std::string& component : SubjectsOf(check.scope, manifest_)) {
        if (Wants(check, component)) Add(check, component);
      }
    }
  }
  std::vector<Planned>& planned() { return planned_; }

 private:
  void RefuseUnknownComponent() const {
    if (options_.component.empty()) return;
    const std::vector<std::string> known = manifest_.ids.all();
    if (std::find(known.begin(), known.end(), options_.component) != known.end()) return;
    RefuseCheck("'" + file_.string() + "' has no component '" + options_.component + "'; " +
                KnownNames(options_.component, known));
  }

  bool Wants(const Check& check, const std::string& component) const {
    const std::string name(check.name);
    if (check.level > options_.strictness) return false;
    if (!options_.include.empty() && !std::regex_search(name, include_)) return false;
    if (!options_.exclude.empty() && std::regex_search(name, exclude_)) return false;
    return options_.component.empty() || component == options_.component;
  }

  // The index of the check in the plan, with what it needs before it.
  std::size_t Add(const Check& check, const std::string& component) {
    for (std::size_t i = 0; i < planned_.size(); ++i) {
      const CheckTask& task = planned_[i].task;
      if (task.check == check.name && task.component == component) return i;
    }
    std::size_t needs = Planned::kNone;
    if (!check.needs.empty()) {
      const Check* needed = check::FindCheck(checks_, check.needs, check.scope);
      if (needed != nullptr) {
        needs = Add(*needed, component);
      } else {
        needs = Add(*check::FindCheck(checks_, check.needs, CheckScope::kFile), "");
      }
    }
    const std::string name(check.name);
    const std::uint64_t seed =
        SeedOfPath(options_.seed, {"check", std::string_view(name), std::string_view(component)});
    planned_.push_back({{file_, name, check.scope, component, seed, options_.strictness, "",
                         check::WholeTexts(options_.data)},
                        check.warns,
                        needs,
                        ""});
    for (const ExpectedFailure& failure : manifest_.expected_failures) {
      if (failure.check == name && failure.component == component) {
        planned_.back().expected = failure.reason;
      }
    }
    return planned_.size() - 1;
  }

  fs::path file_;
  const CheckOptions& options_;
  std::regex include_, exclude_;
  std::vector<Check> checks_ = check::AllChecks();
  Manifest manifest_;
  std::vector<Planned> planned_;
};

// Changes a result as the manifest expects. A warning is also a failure: the check found something.
CheckResult Judged(CheckResult result, const std::string& expected) {
  if (expected.empty()) return result;
  if (IsBad(result.outcome) || result.outcome == CheckOutcome::kWarning) {
    result.text = "expected, as " + expected + ": " + result.text;
    result.outcome = CheckOutcome::kExpectedFailure;
  } else if (result.outcome == CheckOutcome::kOk) {
    result.text = "passes although the manifest expects it to fail: " + expected +
                  "; remove it from the manifest's expected_failures";
    result.outcome = CheckOutcome::kFailed;
  }
  return result;
}

// Runs planned checks on several threads, each in a process. A check begins when the one that it
// needs has ended.
class Runner {
 public:
  Runner(const std::vector<Planned>& planned, const CheckOptions& options)
      : planned_(planned),
        options_(options),
        states_(planned.size(), State::kWaiting),
        results_(planned.size()) {
    if (!options.in_process) program_ = FindProgram(CheckerProgram(), options.checker);
  }

  std::vector<CheckResult> Run() {
    if (options_.in_process) {
      Work();
      Report();
    } else {
      const std::size_t wanted = std::min(check::NumberOfJobs(options_), planned_.size());
      const auto threads = check::StartJobs(wanted, [this] { Work(); });
      Report();
    }
    if (failure_) std::rethrow_exception(failure_);
    return std::move(results_);
  }

 private:
  enum class State { kWaiting, kRunning, kDone };

  bool is_stopped() const {
    return failure_ != nullptr || (options_.cancel != nullptr && options_.cancel->cancelled());
  }
  static bool Passed(const CheckResult& result) {
    return result.outcome == CheckOutcome::kOk || result.outcome == CheckOutcome::kWarning;
  }

  // A check that may begin now; kNone = none may. REQUIRES: the mutex is held.
  std::size_t NextReady() const {
    for (std::size_t i = 0; i < planned_.size(); ++i) {
      const std::size_t needs = planned_[i].needs;
      if (states_[i] != State::kWaiting) continue;
      if (needs == Planned::kNone || states_[needs] == State::kDone) return i;
    }
    return Planned::kNone;
  }

  // Why the check is not run; "" = it is. REQUIRES: the mutex is held.
  std::string WhyNot(std::size_t i) const {
    if (is_stopped()) return "cancelled";
    const std::size_t needs = planned_[i].needs;
    if (needs == Planned::kNone || Passed(results_[needs])) return "";
    const bool was_skipped = results_[needs].outcome == CheckOutcome::kSkipped;
    return "needs " + results_[needs].check +
           (was_skipped ? ", which was skipped" : ", which did not pass");
  }

  void Work() {
    std::unique_lock lock(mutex_);
    while (std::count(states_.begin(), states_.end(), State::kWaiting) > 0) {
      const std::size_t i = NextReady();
      if (i == Planned::kNone) {
        changed_.wait(lock);
        continue;
      }
      states_[i] = State::kRunning;
      CheckResult result{planned_[i].task.check, planned_[i].task.component, CheckOutcome::kSkipped,
                         WhyNot(i)};
      if (result.text.empty()) {
        lock.unlock();
        result = Judged(RunOne(planned_[i]), planned_[i].expected);
        lock.lock();
      }
      results_[i] = std::move(result);
      states_[i] = State::kDone;
      finished_.push_back(i);
      changed_.notify_all();
    }
  }

  CheckResult RunOne(const Planned& planned) {
    try {
      if (options_.in_process) return check::RunInThisProcess(planned.task, planned.warns);
      return check::RunInProcess(program_, planned.task, planned.warns, options_.seconds,
                                 options_.cancel);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (failure_ == nullptr) failure_ = std::current_exception();
      return {planned.task.check, planned.task.component, CheckOutcome::kSkipped, "cancelled"};
    }
  }

  // Reports results until all are there.
  void Report() {
    std::unique_lock lock(mutex_);
    for (std::size_t n_reported = 0; n_reported < planned_.size(); ++n_reported) {
      changed_.wait(lock, [this] { return !finished_.empty(); });
      const CheckResult result = results_[finished_.front()];
      finished_.pop_front();
      lock.unlock();
      if (options_.on_finished) options_.on_finished(result);
      lock.lock();
    }
  }

  const std::vector<Planned>& planned_;
  const CheckOptions& options_;
  fs::path program_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<State> states_;
  std::vector<CheckResult> results_;
  std::deque<std::size_t> finished_;  // not yet reported
  std::exception_ptr failure_;
};

void CheckOptionsAreSound(const CheckOptions& options) {
  if (options.strictness < 1 || options.strictness > 10) {
    RefuseCheck("strictness " + std::to_string(options.strictness) + " is not between 1 and 10");
  }
  for (const std::string& text : options.data) {
    const fs::path file = check::SampleText::Parse(text).path;
    std::error_code error;
    if (!fs::is_regular_file(file, error)) {
      RefuseCheck("there is no file '" + file.string() + "', which --data names");
    }
  }
  if (!(options.seconds > 0)) RefuseCheck("the time of a check must be positive");
}

}  // namespace

std::vector<CheckResult> PlanChecks(const fs::path& plugin, const CheckOptions& options) {
  CheckOptionsAreSound(options);
  Plan plan(PluginPath(plugin), options);
  std::vector<CheckResult> results;
  for (const Planned& planned : plan.planned()) {
    CheckResult& result = results.emplace_back();
    result.check = planned.task.check;
    result.component = planned.task.component;
  }
  return results;
}

CheckReport CheckPlugin(const fs::path& plugin, const CheckOptions& options) {
  CheckOptionsAreSound(options);
  CheckReport report;
  report.file = PluginPath(plugin);
  report.seed = options.seed;
  Plan plan(report.file, options);
  if (plan.planned().empty()) {  // nothing looked at is not passed
    RefuseCheck("none of the checks of '" + report.file.string() +
                "' is what the options ask for; crossfold plugin check --list names them");
  }
  report.results = Runner(plan.planned(), options).Run();
  return report;
}

}  // namespace crossfold
