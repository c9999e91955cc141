#include "discovery/plugin_trials.h"

#include <cassert>
#include <utility>

#include "discovery/program_search.h"

namespace crossfold {

using Where = ScanOptions::Where;

PluginTrials::PluginTrials(ScanOptions options)
    : options_(std::move(options)),
      cache_(options_.where == Where::kInProcess ? options_.cache : std::filesystem::path()) {}

std::optional<ScanOutcome> PluginTrials::Known(const std::filesystem::path& path,
                                               const PluginFile& file) {
  return cache_.Find(path, file);
}

ScanOutcome PluginTrials::Try(const std::filesystem::path& path, const PluginFile& file,
                              const std::optional<LockedPlugin>& wanted) {
  assert(options_.where != Where::kNowhere);
  if (options_.where == Where::kHere) return ScanHere(path, wanted);
  if (std::optional<ScanOutcome> known = cache_.Find(path, file)) return *std::move(known);
  options_.program = FindProgram(WorkerProgram(), options_.program);
  ScanOutcome outcome = ScanInProcess(options_.program, path, wanted);
  cache_.Keep(path, file, outcome);
  return outcome;
}

std::string RefusalText(const ScanOutcome& outcome, const std::filesystem::path& path) {
  const std::string again =
      "; it is not loaded until its file changes or 'crossfold plugin scan --again " +
      path.string() + "' succeeds";
  switch (outcome.end) {
    case ScanOutcome::End::kWorks:
      break;
    case ScanOutcome::End::kRefused:
      return outcome.reason;
    case ScanOutcome::End::kCrashed:
      return "crashed while it was scanned (" + outcome.reason + ")" + again;
    case ScanOutcome::End::kHung:
      return "did not return while it was scanned (" + outcome.reason + ")" + again;
  }
  return "";
}

}  // namespace crossfold
