#include <cstddef>
#include <memory>
#include <utility>

#include "bindings/c/guarded_call.h"
#include "crossfold/plugin_lock.h"
#include "crossfold/version.h"

namespace crossfold::c_api {
namespace {

LogSink LogSinkOf(const crossfold_options& options) {
  if (options.log == nullptr) return {};
  return [log = options.log, user = options.user](std::int32_t level, const std::string& message) {
    log(user, level, message.c_str());
  };
}

void Open(crossfold_context& context, const crossfold_options* given) {
  crossfold_options options{};
  constexpr std::size_t kFirstVersion = offsetof(crossfold_options, lock);
  if (given != nullptr && !ReadStruct(given, options, kFirstVersion)) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot make a context: struct_size of the options is too small; set it to "
                "sizeof(crossfold_options)");
  }
  constexpr std::uint32_t kKnown = CROSSFOLD_NO_ENVIRONMENT | CROSSFOLD_NO_USER_FOLDER |
                                   CROSSFOLD_NO_INSTALLATION | CROSSFOLD_NO_SHARING;
  if ((options.flags & ~kKnown) != 0) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot make a context: the flags have unknown "
                "bits; use CROSSFOLD_NO_...");
  }
  if (options.workers < 0 || options.workers > 4096) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot make a context: workers = " + std::to_string(options.workers) +
                    " is outside 0 .. 4096");
  }
  PluginHostOptions plugins;
  for (std::size_t i = 0; i < options.n_plugin_paths; ++i) {
    plugins.paths.emplace_back(
        NotNull(options.plugin_paths[i], "cannot make a context", "plugin_paths"));
  }
  plugins.use_environment = (options.flags & CROSSFOLD_NO_ENVIRONMENT) == 0;
  plugins.use_user_folder = (options.flags & CROSSFOLD_NO_USER_FOLDER) == 0;
  plugins.use_installation = (options.flags & CROSSFOLD_NO_INSTALLATION) == 0;
  plugins.log = LogSinkOf(options);
  if (options.lock != nullptr) plugins.lock = ReadPluginLock(options.lock);
  options.lock = nullptr;
  options.plugin_paths = nullptr;
  options.n_plugin_paths = 0;
  context.options = options;
  context.shared = std::make_shared<SharedWork>(options.memory);
  context.plugins = std::make_shared<PluginHost>(std::move(plugins));
}

}  // namespace
}  // namespace crossfold::c_api

using namespace crossfold;
using namespace crossfold::c_api;

RunOptions crossfold_context::run_options() const {
  RunOptions made;
  made.workers = options.workers;
  made.cancel = &cancel;
  made.log = plugins->log();
  made.share = (options.flags & CROSSFOLD_NO_SHARING) == 0;
  made.shared = shared;
  return made;
}

const char* crossfold_version(void) {
  return Version().data();  // of a literal, so it ends in NUL
}

const char* crossfold_status_name(crossfold_status status) {
  static constexpr const char* kNames[] = {
      "ok",        "invalid argument", "bad data",      "bad plugin", "input or output",
      "cancelled", "failed",           "out of memory", "busy",       "internal"};
  const bool is_known = status >= CROSSFOLD_OK && status <= CROSSFOLD_INTERNAL;
  return is_known ? kNames[status] : "unknown";
}

crossfold_status crossfold_context_create(const crossfold_options* options,
                                          crossfold_context** context) {
  if (context == nullptr) return CROSSFOLD_INVALID_ARGUMENT;
  *context = nullptr;
  const crossfold_status made = Quietly([&] {
    *context = HandOut(std::make_unique<crossfold_context>());
    return crossfold_status{CROSSFOLD_OK};
  });
  if (made != CROSSFOLD_OK) return made;
  return Translate(**context, [&] { Open(**context, options); });
}

void crossfold_context_destroy(crossfold_context* context) { Destroy(context); }

const char* crossfold_last_error(const crossfold_context* context) {
  if (!IsAlive(context)) return "";
  return context->plain_error != nullptr ? context->plain_error : context->error.c_str();
}

void crossfold_cancel(crossfold_context* context) {
  if (context != nullptr && context->tag == &kKind<crossfold_context>) context->cancel.Cancel();
}

void crossfold_cancel_reset(crossfold_context* context) {
  if (IsAlive(context)) context->cancel.Reset();
}
