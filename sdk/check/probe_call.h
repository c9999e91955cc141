// Calls a plugin as a host that watches, and that misbehaves on demand: it cancels, gives no
// scratch memory, or has an older version; and finds what is wrong with a failure. Unlike
// CallPlugin it restores nothing afterwards, so that a check sees what the plugin did to the
// process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "crossfold/spec.h"
#include "crossfold_plugin.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold::check {

struct ProbeOptions {
  std::uint64_t seed = 1;
  std::uint32_t n_threads = 1;
  // The call of progress(), counted from 1, from which on it asks to stop; 0 = never.
  std::int64_t cancel_at = 0;
  // The call of scratch(), counted from 1, from which on it returns null; 0 = never.
  std::int64_t no_scratch_at = 0;
  // The size of cf_host; less than sizeof(cf_host) = an older host.
  std::uint32_t host_struct_size = sizeof(cf_host);
  std::uint32_t abi_minor = CF_ABI_MINOR;
  // Called in progress(), on the thread that calls it; may be empty.
  std::function<void()> on_progress = {};
};

// The result of a call.
struct Reply {
  cf_status status = CF_OK;
  bool said_why = false;    // it called fail() with a message
  cf_status said_code = 0;  // the code of the first fail()
  std::string message;      // the bytes of the first fail(), as they came
  std::string escaped;  // the message of a C++ exception that crossed the boundary; "" = none did
  std::int64_t n_random = 0, n_progress = 0, n_scratch = 0;
  std::vector<std::string> logged;

  bool ok() const { return status == CF_OK && escaped.empty(); }
  // For findings: "invalid parameter: 'k = 0 is ...'", "threw through the boundary: ..." or "ok".
  std::string Describe() const;
};

// Calls `body` with a fresh cf_call of the spec's component. Thread-safe.
Reply ProbeCall(const Spec& spec, const ProbeOptions& options,
                const std::function<cf_status(const cf_call*)>& body);

// The messages of plugins to one host. Adding is thread-safe.
struct ProbeLog {
  std::mutex mutex;
  std::vector<std::string> lines;
};

// The table of a host that only logs, for the entry function of a plugin: functions that need a
// call must not be used. `log` must outlive the table.
cf_host MakeProbeHost(ProbeLog& log, const ProbeOptions& options);

// REQUIRES: !reply.ok(). "" = it failed properly: with a known status and with a message of one
// line of UTF-8, at most 4096 bytes. Otherwise the words after the name of the call: "ended with
// status 77, which is not defined".
std::string FindBadError(const Reply& reply);

// What is wrong with the failure of a splitter or metric on rows or settings that it may refuse: it
// must say why, with a status for such refusals, and not throw. "" = nothing, or it did not fail.
// (For learners and transforms see FindImproperRefusal; they have no settings that depend on what
// the classes are called, which is an invalid argument here.)
std::string FindImproper(const Reply& reply);

}  // namespace crossfold::check
