// A C++ plugin throws if a call failed. The adapters turn every exception into a status and a
// message, so none crosses the boundary.
#pragma once

#include <cerrno>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "crossfold_plugin/host.h"

namespace crossfold::plugin {

class Error : public std::runtime_error {
 public:
  // `code` is one of CF_E_...; `what` is one sentence that names the finding.
  Error(cf_status code, const std::string& what) : std::runtime_error(what), code_(code) {}
  cf_status code() const { return code_; }

 private:
  cf_status code_;
};

// A metric throws it, with the reason, if these rows have no value.
class Undefined : public Error {
 public:
  explicit Undefined(const std::string& reason) : Error(CF_E_UNDEFINED, reason) {}
};

namespace internal {

// Whether a disk is full or failed: the host may try again.
inline bool IsOfDisk(const std::error_code& code) noexcept {
  const auto condition = code.default_error_condition();
  if (condition.category() != std::generic_category()) return false;
  return condition.value() == ENOSPC || condition.value() == EDQUOT || condition.value() == EIO;
}

// Passes the exception in flight to `report`, with `to`, as a status and a message. One function
// for all calls, so that each of them has one short handler.
[[gnu::cold]] inline cf_status ReportException(void (*report)(const void* to, cf_status code,
                                                              const char* text),
                                               const void* to) noexcept {
  const auto fail = [&](cf_status code, const char* text) noexcept {
    report(to, code, text);
    return code;
  };
  try {
    throw;
  } catch (const Error& e) {
    return fail(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    return fail(CF_E_OUT_OF_MEMORY, "out of memory");
  } catch (const std::system_error& e) {
    return fail(IsOfDisk(e.code()) ? CF_E_IO : CF_E_INTERNAL, e.what());
  } catch (const std::exception& e) {
    return fail(CF_E_INTERNAL, e.what());
  } catch (...) {
    return fail(CF_E_INTERNAL, "unknown C++ exception");
  }
}

// Runs `body` and passes an exception to `report` as a status and a message.
template <class Body, class Report>
cf_status Translate(Body&& body, const Report& report) noexcept {
  try {
    body();
    return CF_OK;
  } catch (...) {
    return ReportException([](const void* to, cf_status code,
                              const char* text) { (*static_cast<const Report*>(to))(code, text); },
                           &report);
  }
}

// Reports through call->host->fail.
struct CallReport {
  const cf_call* call;
  void operator()(cf_status code, const char* text) const {
    if (call != nullptr && CF_HAS(call->host, cf_host, fail) && call->host->fail != nullptr) {
      call->host->fail(call, code, text);
    }
  }
};

}  // namespace internal

// Runs `body` and reports an exception through call->host->fail.
template <class Body>
cf_status Guard(const cf_call* call, Body&& body) noexcept {
  return internal::Translate(body, internal::CallReport{call});
}

}  // namespace crossfold::plugin
