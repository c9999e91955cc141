// Checks a plugin. The checks have stable names, and each runs in a process of its own, so that a
// plugin that crashes, hangs or changes its process fails only that check.
//
// Which checks apply follows from what the plugin declares. A page about every check is in
// docs/checks.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/cancel_token.h"

namespace crossfold {

// What a check is about: the file as a whole, or every component of one kind.
enum class CheckScope { kFile, kLearner, kTransform, kSplitter, kMetric, kSource };
std::string_view CheckScopeName(CheckScope scope);  // "file", "learner" ...

// A check that this version knows.
struct CheckDescription {
  std::string name;  // "fit-idempotent"; stable
  CheckScope scope = CheckScope::kFile;
  int level = 1;       // the lowest strictness at which it is run, 1 to 10
  bool warns = false;  // a finding is a warning up to strictness 7, a failure from 8 on
  std::string needs;   // the check that must pass, or this one is skipped; "" = none
  std::string summary;
};
// Every check, in the order in which they are run.
std::vector<CheckDescription> KnownChecks();
// [{"check", "of", "level", "finding", "needs", "summary"}], on one line; "finding" is "failure" or
// "warning", "needs" may be null.
std::string ToJson(const std::vector<CheckDescription>& checks);
// The page about the checks of that name, from docs/checks.md. Throws Error(kInvalidArgument) for
// an unknown name.
std::string_view CheckPage(std::string_view name);

enum class CheckOutcome {
  kOk,
  kFailed,
  kCrashed,  // the process ended by a signal or by itself
  kTimeout,
  kSkipped,
  kWarning,
  kExpectedFailure  // failed as the plugin's manifest expects
};
// "ok", "failed", "crashed", "timeout", "skipped", "warning", "expected-failure"
std::string_view CheckOutcomeName(CheckOutcome outcome);
// Whether the plugin does not pass with this outcome: failed, crashed or timeout.
bool IsBad(CheckOutcome outcome);

struct CheckResult {
  std::string check;
  std::string component;  // its id; "" = the file
  CheckOutcome outcome = CheckOutcome::kSkipped;
  std::string text;  // findings, or why it was skipped; may be ""
  double seconds = 0;
};

struct CheckOptions {
  // The program crossfold-checker; empty = the one next to this program or library, or the
  // installed one.
  std::filesystem::path checker;
  std::uint64_t seed = 1;
  std::string include, exclude;  // regular expressions over names; "" = all, none
  std::string component;         // only the one with this id; "" = all
  // Files that sources must be able to read, "FILE" or "FILE{NAME=VALUE,...}" with parameters: each
  // goes to the sources that declare its ending.
  std::vector<std::string> data;
  int strictness = 5;   // 5 = what a plugin must pass to be listed
  int jobs = 0;         // number of checks at the same time; 0 = one per core
  double seconds = 30;  // limit of one check; must be positive
  // Whether checks run in this process, one after the other and without a time limit, for
  // debuggers.
  bool in_process = false;
  const CancelToken* cancel = nullptr;  // may be null; no check starts after it is set
  std::function<void(const CheckResult&)> on_finished;  // on the calling thread; may be empty
};

struct CheckReport {
  std::filesystem::path file;
  std::uint64_t seed = 0;
  std::vector<CheckResult> results;  // in the order of KnownChecks, components in theirs

  std::size_t Count(CheckOutcome outcome) const;
  bool passed() const;
  // "44 checks: 39 ok, 1 warning, 4 skipped because: it has no parameters (3); ..."
  std::string Summary() const;
};

// {"file", "seed", "results": [{"check", "component", "outcome", "text", "seconds"}], "counts":
// {outcome: n}, "passed"}, on one line.
std::string ToJson(const CheckReport& report);

// The checks that would be run on the plugin, as results without an outcome.
// Throws Error(kInvalidArgument) for a wrong option, Error(kIo) if the checker cannot be started.
std::vector<CheckResult> PlanChecks(const std::filesystem::path& plugin,
                                    const CheckOptions& options);
// [{"check", "component"}], on one line.
std::string PlanToJson(const std::vector<CheckResult>& planned);

// Runs the checks. For a file that is not a shared library, the report has a failed check. Throws
// as PlanChecks.
CheckReport CheckPlugin(const std::filesystem::path& plugin, const CheckOptions& options);

// Makes calls with random data, settings and order for `seconds`, in `jobs` processes. A failure
// has a seed, with which `ReproduceFuzz` repeats it.
CheckReport FuzzPlugin(const std::filesystem::path& plugin, const CheckOptions& options,
                       double seconds);
CheckReport ReproduceFuzz(const std::filesystem::path& plugin, const CheckOptions& options,
                          std::uint64_t fuzz_seed);

}  // namespace crossfold
