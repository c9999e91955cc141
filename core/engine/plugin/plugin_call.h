// One call into a plugin: its context, the text of a failure, and the guard around it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/component.h"
#include "crossfold/log_sink.h"

namespace crossfold {

struct CallOptions {
  std::uint64_t seed = 0;
  std::uint32_t n_threads = 1;
  const CancelToken* cancel = nullptr;  // may be null
  const LogSink* log = nullptr;         // may be null
};

struct CallResult {
  cf_status status = CF_OK;
  std::string message;  // if status != CF_OK: what the plugin said, or that it said nothing
  std::vector<std::string>
      warnings;  // "changed the rounding mode", "changed the locale to 'de_DE'"
  bool ok() const { return status == CF_OK; }
};

// Calls `body` with a fresh cf_call. Around it, the floating-point environment and the locale are
// saved, compared and restored (a change is a warning), and the plugin's lock is held if the
// component declares CF_MT_NONE. Thread-safe. Scratch memory lives until it returns.
CallResult CallPlugin(const Component& component, const CallOptions& options,
                      const std::function<cf_status(const cf_call*)>& body);

// Destroys a model of that learner or transform (null is allowed), with the same guard: what the
// plugin throws stays inside. Returns warnings as above; `destroy` needs no cf_call.
// REQUIRES: no call of this thread into the plugin is under way.
std::vector<std::string> DestroyModel(const Component& component, cf_model* model) noexcept;

// "invalid parameter", "not converged": a status for people.
std::string_view StatusName(cf_status status);

}  // namespace crossfold
