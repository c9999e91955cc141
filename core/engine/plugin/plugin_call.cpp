#include "engine/plugin/plugin_call.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <string>

#include "engine/plugin/call_state.h"
#include "engine/plugin/foreign_text.h"
#include "engine/plugin/process_state.h"

namespace crossfold {
namespace {

constexpr const char* kEscaped = "a C++ exception crossed the plugin boundary: ";

// Runs the body. An exception that leaves the plugin becomes an ordinary failure.
cf_status RunBody(const std::function<cf_status(const cf_call*)>& body, const cf_call& call,
                  std::string& escaped) {
  try {
    return body(&call);
  } catch (const std::exception& e) {
    escaped = CleanText(e.what());
  } catch (...) {
    escaped = "of an unknown type";
  }
  if (escaped.empty()) escaped = "without a text";
  return CF_E_INTERNAL;
}

// Returns the lock that is held during each call of a component that takes one call at a time.
std::unique_lock<std::mutex> LockOf(const Component& component) {
  if (component.threading != CF_MT_NONE || component.plugin == nullptr) return {};
  return std::unique_lock(component.plugin->call_lock);
}

std::string NoReason(cf_status status) {
  std::string name(StatusName(status));
  if (name == "unknown status") name += " " + std::to_string(status);
  return "the plugin gave no reason (status: " + name + ")";
}

}  // namespace

CallResult CallPlugin(const Component& component, const CallOptions& options,
                      const std::function<cf_status(const cf_call*)>& body) {
  CallState state(options.seed, options.cancel);
  const cf_host host = MakeHostTable(options.log);
  const cf_call call{sizeof(cf_call), std::max<std::uint32_t>(options.n_threads, 1),
                     &host,           &state,
                     options.seed,    component.info()};
  CallResult result;
  std::string escaped;
  {
    const std::unique_lock<std::mutex> lock = LockOf(component);
    ProcessStateGuard guard;
    result.status = RunBody(body, call, escaped);
    result.warnings = guard.Restore();
  }
  if (!escaped.empty()) {
    result.message = kEscaped + escaped;
  } else if (result.status != CF_OK) {
    result.message = state.message().empty() ? NoReason(result.status) : state.message();
  } else if (state.has_failed()) {
    result.warnings.push_back("reported success after it had called fail() with '" +
                              state.message() + "'");
  }
  return result;
}

std::vector<std::string> DestroyModel(const Component& component, cf_model* model) noexcept {
  std::vector<std::string> warnings;
  const auto destroy =
      component.learner ? component.learner->destroy : component.transform->destroy;
  if (model == nullptr || destroy == nullptr) return warnings;
  try {
    std::string escaped;
    const std::unique_lock<std::mutex> lock = LockOf(component);
    ProcessStateGuard guard;
    const auto body = [&](const cf_call*) -> cf_status {
      return destroy(component.info(), model), CF_OK;
    };
    RunBody(std::cref(body), cf_call{}, escaped);
    warnings = guard.Restore();
    if (!escaped.empty()) warnings.push_back(kEscaped + escaped);
  } catch (const std::exception&) {  // no memory for the text of a warning
  }
  return warnings;
}

std::string_view StatusName(cf_status status) {
  switch (status) {
    case CF_OK:
      return "ok";
    case CF_E_INVALID_ARGUMENT:
      return "invalid argument";
    case CF_E_INVALID_PARAM:
      return "invalid parameter";
    case CF_E_UNSUPPORTED_DATA:
      return "unsupported data";
    case CF_E_NOT_CONVERGED:
      return "not converged";
    case CF_E_NUMERIC:
      return "numeric error";
    case CF_E_OUT_OF_MEMORY:
      return "out of memory";
    case CF_E_CANCELLED:
      return "cancelled";
    case CF_E_BAD_BLOB:
      return "unreadable model";
    case CF_E_UNSUPPORTED:
      return "unsupported";
    case CF_E_UNDEFINED:
      return "undefined";
    case CF_E_IO:
      return "input or output error";
    case CF_E_INTERNAL:
      return "internal error";
    default:
      return "unknown status";
  }
}

}  // namespace crossfold
