// crossfold plugin check.
#pragma once

#include <memory>

namespace crossfold::cli {

class Command;

class CheckCommand {
 public:
  // Declares the command under "plugin", which must outlive this.
  explicit CheckCommand(Command& plugin);
  ~CheckCommand();
  CheckCommand(const CheckCommand&) = delete;
  CheckCommand& operator=(const CheckCommand&) = delete;

  bool was_given() const;
  // Prints every result as it comes, and the counts. Returns an ExitCode: kError if a check failed.
  // Throws Error.
  int Run() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold::cli
