// Changing a file that other processes may change at the same time.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "files/file_descriptor.h"

namespace crossfold {

// The next content of a file. It is in a file of its name with ".new", which exists only meanwhile.
// The process that has the flock on that may change the file; the others wait for their turn.
// Whatever interrupts it, the file has either its old bytes or the new ones.
class SuccessorFile {
 public:
  // Waits for its turn. `attempt` begins messages: "cannot write lock 'crossfold.lock'". A symbolic
  // link stays, and all links to a file share its successor. Throws Error(kIo) if the file cannot
  // be written or another process holds its turn for longer than `patience`.
  SuccessorFile(const std::filesystem::path& file, std::string attempt,
                std::chrono::milliseconds patience = std::chrono::seconds(30));
  // Ends the turn. Without Become() the file stays as it was.
  ~SuccessorFile();
  SuccessorFile(const SuccessorFile&) = delete;
  SuccessorFile& operator=(const SuccessorFile&) = delete;

  // Replaces the file by these bytes, on the disk. Throws Error(kIo). REQUIRES: it is called once.
  void Become(std::string_view bytes);

 private:
  using Clock = std::chrono::steady_clock;

  FileDescriptor Open() const;
  void Wait(Clock::time_point until, std::chrono::milliseconds patience) const;
  bool IsNamed() const;
  [[noreturn]] void Refuse() const;
  [[noreturn]] void Fail(const std::string& finding) const;

  std::filesystem::path path_;
  std::string attempt_, name_;
  FileDescriptor file_;
  bool renamed_ = false;
};

}  // namespace crossfold
