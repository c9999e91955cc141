// Runs untrusted scripts inside the host's process, with few libraries, limits on memory and time,
// and the files of one folder. docs/sandbox.md says what this protects from and what it does not.
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
  // The maximum size of Lua values, datasets and worker processes together, in bytes; 0 = no limit.
  // Models, predictions and splits of this process do not count.
  std::uint64_t memory = std::uint64_t{256} << 20;
  double seconds = 60;         // wall-clock time of one script; 0 = no limit
  std::filesystem::path root;  // the folder whose files a script may read; empty = none
  // The only folder in which a script may make new files; it is made with the first file. Empty =
  // none.
  std::filesystem::path output;
  std::uint64_t pattern_steps = 20'000'000;  // for one string.find, match, gmatch step or gsub
};

// Gets what a script prints, piece by piece, in the thread that runs the script.
using ScriptOutput = std::function<void(std::string_view)>;

struct ScriptSource {
  std::string text = {};               // Lua, as text
  std::string name = "script";         // for messages, as in "script:3: ..."; arg[0] of the script
  std::vector<std::string> args = {};  // the script gets them in `arg` and `...`
  bool json = false;                   // whether the returned value is also given as JSON

  // Throws Error(kIo) if the file cannot be read.
  static ScriptSource FromFile(const std::filesystem::path& path);
};

enum class ScriptEnd {
  kFinished,
  kFailed,     // it raised an error, or is not valid Lua
  kTime,       // SandboxLimits.seconds
  kMemory,     // SandboxLimits.memory
  kCancelled,  // LuaOptions.cancel
  kPlanned     // LuaOptions.plan: its work was planned, see GetLuaPlan
};

struct ScriptResult {
  ScriptEnd end = ScriptEnd::kFailed;
  std::string text;       // the returned value as print shows it; empty if it is nil
  std::string json;       // of a result by its method `to`, of other values by their form
  std::string error;      // one message, empty if the script finished
  std::string traceback;  // where the error was raised
  LuaRunCounts counts;    // of this script

  bool ok() const { return end == ScriptEnd::kFinished; }
};

// A lua_State of its own with the restricted libraries and Crossfold. Only one thread at a time may
// use it. The program must contain a Lua 5.4, as for crossfold/lua.h.
class Sandbox {
 public:
  // Without an `output`, what scripts print is dropped. Throws Error(kInvalidArgument) for limits
  // that cannot be enforced, and Error(kFailed) if `limits.memory` is too small to start.
  explicit Sandbox(const LuaOptions& options = {}, const SandboxLimits& limits = {},
                   ScriptOutput output = {});
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // Runs one script in an environment of its own: it does not see the scripts before it.
  ScriptResult Run(const ScriptSource& source);

  // Functions that the host sets as globals here are in the environment of every later script; they
  // must be safe for untrusted callers.
  lua_State* state() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Runs one script in a Sandbox of its own.
ScriptResult RunLuaScript(const ScriptSource& source, const LuaOptions& options = {},
                          const SandboxLimits& limits = {}, ScriptOutput output = {});

// Runs one script with all of Lua's libraries and without limits, for scripts that may do
// everything that this process may do. It prints to standard output.
ScriptResult RunTrustedLuaScript(const ScriptSource& source, const LuaOptions& options = {});

}  // namespace crossfold
