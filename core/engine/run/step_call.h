// Calls into the plugins of one cell (or of one model). A call that fails ends the cell.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/log_sink.h"
#include "crossfold/outcome.h"
#include "crossfold/spec.h"
#include "engine/plugin/plugin_call.h"

namespace crossfold {

// Thrown inside a cell and caught where the cell ends. It never leaves this folder's functions.
class StepError : public std::exception {
 public:
  StepError(Failure failure, bool cancelled)
      : failure_(std::move(failure)), cancelled_(cancelled) {}
  const char* what() const noexcept override { return failure_.message.c_str(); }
  const Failure& failure() const { return failure_; }
  // Whether the plugin stopped because the host asked it to.
  bool cancelled() const { return cancelled_; }

 private:
  Failure failure_;
  bool cancelled_;
};

// The state that all calls of one cell share. Not thread-safe.
struct CallSite {
  const CancelToken* cancel = nullptr;
  const LogSink* log = nullptr;
  std::uint32_t n_threads = 1;        // budget of each call
  std::vector<std::string> warnings;  // of all calls so far, with their stages

  CallSite(const CancelToken* cancel_token, const LogSink& sink)
      : cancel(cancel_token), log(sink ? &sink : nullptr) {}

  // Logs the warnings of calls without an outcome to keep them.
  void LogWarnings() {
    for (const std::string& warning : warnings) {
      if (log != nullptr) (*log)(CF_LOG_WARN, warning);
    }
    warnings.clear();
  }
};

// Returns "fit knn".
inline std::string StageName(std::string_view verb, const Component& component) {
  std::string stage(verb);
  stage += ' ';
  stage += ShortId(component.id);
  return stage;
}

[[noreturn]] inline void ThrowStepError(std::string_view verb, const Component& component,
                                        cf_status code, std::string message) {
  throw StepError({StageName(verb, component), code, std::move(message)}, false);
}

// Adds warnings such as "fit knn: changed the rounding mode".
inline void AddWarnings(std::string_view verb, const Component& component,
                        const std::vector<std::string>& warnings, CallSite& site) {
  for (const std::string& warning : warnings) {
    site.warnings.push_back(StageName(verb, component) + ": " + warning);
  }
}

// Calls the plugin. Its message stays in the result, its warnings go to the site.
template <class Body>
CallResult TryStep(std::string_view verb, const Component& component, std::uint64_t seed,
                   CallSite& site, const Body& body) {
  CallOptions options;
  options.seed = seed;
  options.cancel = site.cancel;
  options.log = site.log;
  options.n_threads = site.n_threads;
  CallResult result = CallPlugin(component, options, std::cref(body));  // cref: no allocation
  AddWarnings(verb, component, result.warnings, site);
  return result;
}

// Throws StepError if the plugin failed.
inline void RequireOk(std::string_view verb, const Component& component, CallResult result,
                      const CallSite& site) {
  if (result.ok()) return;
  const bool cancelled = result.status == CF_E_CANCELLED && site.cancel && site.cancel->cancelled();
  throw StepError({StageName(verb, component), result.status, std::move(result.message)},
                  cancelled);
}

// Calls the plugin, and throws StepError if it failed.
template <class Body>
void CallStep(std::string_view verb, const Component& component, std::uint64_t seed, CallSite& site,
              const Body& body) {
  RequireOk(verb, component, TryStep(verb, component, seed, site, body), site);
}

}  // namespace crossfold
