// crossfold run --sandbox SCRIPT: the script runs in a sandbox inside a child process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "programs/cli/script_command.h"

namespace crossfold::cli {

// The option by which the program starts itself as that child, with its own process id; users do
// not give it.
inline constexpr char kSandboxChild[] = "--sandbox-child";

struct SandboxOptions {
  bool sandbox = false;  // as the user asks for it
  int parent = 0;        // process id; not 0 = this process is the child
  double seconds = 60;
  std::uint64_t memory = std::uint64_t{1} << 30;  // bytes of everything that the script uses
  std::string root;                               // "" = the script's folder
  std::string output;                             // "" = crossfold-output in the root
};

// Starts the child with the same arguments, waits, and stops it when its time is up. Returns an
// ExitCode: that of the child, or kError if it was killed.
int RunSandboxParent(const SandboxOptions& options, const ScriptOptions& script,
                     const std::vector<std::string>& arguments);

// In the child: gives up privileges that it does not need, then runs the script. Returns an
// ExitCode.
int RunSandboxChild(const SandboxOptions& options, const ScriptOptions& script,
                    std::shared_ptr<PluginHost> plugins);

}  // namespace crossfold::cli
