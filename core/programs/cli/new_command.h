// crossfold plugin new: makes the project of a plugin.
#pragma once

#include <memory>

namespace crossfold::cli {

class Command;

class NewCommand {
 public:
  // Declares it below "plugin". The app must outlive this.
  explicit NewCommand(Command& plugin);
  ~NewCommand();
  NewCommand(const NewCommand&) = delete;
  NewCommand& operator=(const NewCommand&) = delete;

  bool was_given() const;
  // Writes the project and says what to type next. Returns an ExitCode; throws Error.
  int Run() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold::cli
