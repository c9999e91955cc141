// Scripts that are not trusted, run inside the host's process: few libraries, a cap on memory, a
// limit on time, files of one folder. What this keeps out and what it does not: docs/sandbox.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/lua.h"

namespace crossfold {

struct SandboxLimits {
  // Bytes of Lua values, datasets and worker processes together; 0 = no limit. Models, predictions
  // and splits of this process do not count.
  std::uint64_t memory = std::uint64_t{256} << 20;
  double seconds = 60;         // of wall clock, for one script; 0 = no limit
  std::filesystem::path root;  // the folder whose files a script may read; empty = none
  // The only folder in which a script may make new files, made with the first; empty = none.
  std::filesystem::path output;
  std::uint64_t pattern_steps = 20'000'000;  // of one string.find, match, gmatch step or gsub
};

// Gets what a script prints, in pieces as they come; in the thread that runs the script.
using ScriptOutput = std::function<void(std::string_view)>;

struct ScriptSource {
  std::string text = {};               // Lua, as text
  std::string name = "script";         // in messages, as in "script:3: ..."; arg[0] of the script
  std::vector<std::string> args = {};  // arrive in `arg` and `...`
  bool json = false;                   // the returned value also as JSON

  // Throws Error(kIo) if the file cannot be read.
  static ScriptSource FromFile(const std::filesystem::path& path);
};

enum class ScriptEnd {
  kFinished,
  kFailed,     // it raised an error, or is no Lua
  kTime,       // SandboxLimits.seconds
  kMemory,     // SandboxLimits.memory
  kCancelled,  // LuaOptions.cancel
  kPlanned     // LuaOptions.plan: its work was planned, see GetLuaPlan
};

struct ScriptResult {
  ScriptEnd end = ScriptEnd::kFailed;
  std::string text;       // the returned value as print shows it; empty if it is nil
  std::string json;       // a result by its method `to`, other values by their own form
  std::string error;      // one message, empty if the script finished
  std::string traceback;  // where the error was raised
  LuaRunCounts counts;    // of this script

  bool ok() const { return end == ScriptEnd::kFinished; }
};

// A lua_State of its own with the restricted libraries and Crossfold. For one thread at a time.
// Needs a Lua 5.4 in the program, as crossfold/lua.h does.
class Sandbox {
 public:
  // Without an `output` what scripts print is dropped. Throws Error(kInvalidArgument) for limits
  // that cannot be kept, and Error(kFailed) if `limits.memory` is too little to begin with.
  explicit Sandbox(const LuaOptions& options = {}, const SandboxLimits& limits = {},
                   ScriptOutput output = {});
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // Runs one script in an environment of its own: it sees nothing of the scripts before it.
  ScriptResult Run(const ScriptSource& source);

  // Functions that the host sets as globals here are in the environment of every later script;
  // they must be fit for untrusted callers.
  lua_State* state() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// One script in a Sandbox of its own.
ScriptResult RunLuaScript(const ScriptSource& source, const LuaOptions& options = {},
                          const SandboxLimits& limits = {}, ScriptOutput output = {});

// One script with all of Lua's libraries and without limits: for scripts of people who may do
// everything that this process may do. It prints to standard output.
ScriptResult RunTrustedLuaScript(const ScriptSource& source, const LuaOptions& options = {});

}  // namespace crossfold
