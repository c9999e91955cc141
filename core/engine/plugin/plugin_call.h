// One call into a plugin: its context, the message of a failure, and the guard around it.
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
  std::string message;  // if status != CF_OK: the plugin's reason, or that it gave none
  std::vector<std::string>
      warnings;  // "changed the rounding mode", "changed the locale to 'de_DE'"
  bool ok() const { return status == CF_OK; }
};

// Calls `body` with a new cf_call. The floating-point environment and the locale are saved before
// it, and compared and restored after it (a change is a warning). The plugin's lock is held if the
// component declares CF_MT_NONE. Scratch memory lives until the call returns. Thread-safe.
CallResult CallPlugin(const Component& component, const CallOptions& options,
                      const std::function<cf_status(const cf_call*)>& body);

// Destroys a model of that learner or transform (null is allowed), with the same guard. Exceptions
// of the plugin are caught. Returns warnings as above; `destroy` needs no cf_call. REQUIRES: no
// call of this thread into the plugin is under way.
std::vector<std::string> DestroyModel(const Component& component, cf_model* model) noexcept;

// Returns a status for people: "invalid parameter", "not converged".
std::string_view StatusName(cf_status status);

}  // namespace crossfold
