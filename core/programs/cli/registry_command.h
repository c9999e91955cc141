// crossfold registry: making and keeping a registry of plugins, and the registries that one uses.
#pragma once

#include <memory>

namespace crossfold::cli {

class Command;

class RegistryCommands {
 public:
  // Declares the command under the program, which must outlive this.
  explicit RegistryCommands(Command& app);
  ~RegistryCommands();
  RegistryCommands(const RegistryCommands&) = delete;
  RegistryCommands& operator=(const RegistryCommands&) = delete;

  bool was_given() const;
  // Returns an ExitCode; throws Error.
  int Run() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold::cli
