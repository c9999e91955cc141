#include "check/probe_call.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>

#include "engine/plugin/foreign_text.h"
#include "engine/plugin/plugin_call.h"

namespace crossfold::check {

namespace {

// More than the maximum of 4096 bytes, so that a message that is too long is noticed.
constexpr std::size_t kKeptOfMessage = 8192;

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};

// cf_call.call_data points to it.
struct Watched {
  explicit Watched(const ProbeOptions& wanted) : options(wanted), random(wanted.seed) {}

  const ProbeOptions& options;
  std::mutex mutex;
  Reply reply;
  plugin::Random random;
  std::vector<std::unique_ptr<void, FreeMemory>> scratch;
};

Watched& WatchedOf(const cf_call* call) { return *static_cast<Watched*>(call->call_data); }

void CF_CALL Log(const cf_host* host, std::int32_t, const char* message) {
  auto& log = *static_cast<ProbeLog*>(host->host_data);
  const std::lock_guard lock(log.mutex);
  log.lines.emplace_back(message == nullptr ? "" : message);
}

const void* CF_CALL GetExtension(const cf_host*, const char*) { return nullptr; }

cf_status CF_CALL Fail(const cf_call* call, cf_status code, const char* message) {
  Watched& watched = WatchedOf(call);
  const std::lock_guard lock(watched.mutex);
  Reply& reply = watched.reply;
  if (reply.said_why) return code;
  reply.said_code = code;
  reply.said_why = message != nullptr && *message != '\0';
  // Fits into the reserved memory: nothing may be thrown through the plugin if memory is short.
  if (reply.said_why) reply.message.assign(message, ::strnlen(message, kKeptOfMessage));
  return code;
}

std::int32_t CF_CALL CountProgress(const cf_call* call, double) {
  Watched& watched = WatchedOf(call);
  if (watched.options.on_progress) watched.options.on_progress();
  const std::lock_guard lock(watched.mutex);
  const std::int64_t n = ++watched.reply.n_progress;
  return watched.options.cancel_at > 0 && n >= watched.options.cancel_at ? 1 : 0;
}

void CF_CALL RandomU64(const cf_call* call, std::uint64_t* out, std::size_t n) {
  Watched& watched = WatchedOf(call);
  const std::lock_guard lock(watched.mutex);
  watched.reply.n_random += static_cast<std::int64_t>(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = watched.random.Next();
}

void* CF_CALL Scratch(const cf_call* call, std::size_t bytes, std::size_t align) {
  Watched& watched = WatchedOf(call);
  const std::lock_guard lock(watched.mutex);
  const std::int64_t n = ++watched.reply.n_scratch;
  if (watched.options.no_scratch_at > 0 && n >= watched.options.no_scratch_at) return nullptr;
  void* memory = nullptr;
  const std::size_t at_least = align < sizeof(void*) ? sizeof(void*) : align;
  if (::posix_memalign(&memory, at_least, bytes == 0 ? 1 : bytes) != 0) return nullptr;
  std::fill_n(static_cast<unsigned char*>(memory), bytes, static_cast<unsigned char>(0));
  watched.scratch.emplace_back(memory);
  return memory;
}

}  // namespace

std::string Reply::Describe() const {
  if (!escaped.empty()) return "a C++ exception crossed the plugin boundary: " + escaped;
  if (status == CF_OK) return "ok";
  std::string text(StatusName(status));
  if (text == "unknown status") text += " " + std::to_string(status);
  return text + (said_why ? ": '" + CleanText(message.c_str()) + "'" : ", without a reason");
}

Reply ProbeCall(const Spec& spec, const ProbeOptions& options,
                const std::function<cf_status(const cf_call*)>& body) {
  Watched watched(options);
  watched.reply.message.reserve(kKeptOfMessage);
  ProbeLog log;
  const cf_host host = MakeProbeHost(log, options);
  const cf_call call{sizeof(cf_call), options.n_threads, &host,
                     &watched,        options.seed,      spec.component().info()};
  try {
    watched.reply.status = body(&call);
  } catch (const std::exception& e) {
    watched.reply.escaped = CleanText(e.what());
    if (watched.reply.escaped.empty()) watched.reply.escaped = "without a text";
  } catch (...) {
    watched.reply.escaped = "of an unknown type";
  }
  watched.reply.logged = std::move(log.lines);
  return std::move(watched.reply);
}

cf_host MakeProbeHost(ProbeLog& log, const ProbeOptions& options) {
  cf_host host{};
  host.struct_size = options.host_struct_size;
  host.abi_minor = options.abi_minor;
  host.host_data = &log;
  host.name = "crossfold-checker";
  host.version = "1";
  host.log = &Log;
  host.get_extension = &GetExtension;
  host.fail = &Fail;
  host.progress = &CountProgress;
  host.random_u64 = &RandomU64;
  host.scratch = &Scratch;
  return host;
}

namespace {

// The maximum that a host keeps of a message (engine/plugin/foreign_text.h).
constexpr std::size_t kLongest = 4096;

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

std::string FindBadError(const Reply& reply) {
  if (!reply.escaped.empty()) {
    return "let a C++ exception cross the plugin boundary: " + reply.escaped;
  }
  const std::string status(StatusName(reply.status));
  if (status == "unknown status") {
    return "ended with status " + std::to_string(reply.status) + ", which is not defined";
  }
  if (reply.status == CF_E_UNDEFINED) return "ended with a status that only metrics may use";
  if (!reply.said_why) return "ended with " + status + " and gave no reason to host->fail()";
  if (reply.said_code != reply.status) {
    return "called host->fail() with " + std::string(StatusName(reply.said_code)) +
           " and returned " + status;
  }
  const std::string& text = reply.message;
  if (text.size() > kLongest) {
    return "ended with a message of more than " + std::to_string(kLongest) + " bytes";
  }
  if (std::any_of(text.begin(), text.end(), IsControl)) {
    return "ended with a message that is not one line: '" + CleanText(text.c_str()) + "'";
  }
  if (!IsUtf8Text(text)) {
    return "ended with a message that is not UTF-8: '" + CleanText(text.c_str()) + "'";
  }
  return "";
}

std::string FindImproper(const Reply& reply) {
  if (reply.ok()) return "";
  if (!reply.escaped.empty()) return reply.Describe();
  switch (reply.status) {
    case CF_E_INVALID_ARGUMENT:
    case CF_E_INVALID_PARAM:
    case CF_E_UNSUPPORTED_DATA:
    case CF_E_NOT_CONVERGED:
    case CF_E_NUMERIC:
    case CF_E_OUT_OF_MEMORY:
    case CF_E_UNSUPPORTED:
    case CF_E_UNDEFINED:
      if (reply.said_why && !reply.message.empty()) return "";
      break;
    default:
      break;
  }
  return "it ended with " + reply.Describe();
}

}  // namespace crossfold::check
