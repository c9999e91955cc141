// One worker process, as the program that started it sees it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "discovery/child_program.h"
#include "isolate/messages.h"
#include "isolate/sealed_memory.h"

namespace crossfold {

// Not thread-safe. Never blocks longer than requested, whatever the process does.
class WorkerProcess {
 public:
  using Clock = std::chrono::steady_clock;

  // Throws Error(kIo) if the program cannot be started.
  explicit WorkerProcess(const std::filesystem::path& program);
  // Kills it.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // Puts a message into the queue, which Wait sends.
  void Send(MessageType type, std::string_view body,
            std::shared_ptr<const SealedMemory> memory = nullptr);

  // Moves bytes both ways until there is a message, the process has ended (and everything that it
  // sent was read), or it is `until`. Nothing in the last two cases. The body is valid until the
  // next call. Throws plugin::Error for bytes that are not a message.
  std::optional<Frame> Wait(Clock::time_point until);
  bool has_ended() const { return has_ended_; }

  // Ends the process and all that it started in its group, and says how it ended: by itself, if it
  // already has.
  Ending Kill();

  // The last 2 KiB that it wrote to standard output and standard error since Forget.
  const std::string& written() const { return written_; }
  void ForgetWritten() {
    ReadWritten(output_, written_);
    written_.clear();
  }

  pid_t pid() const { return pid_; }
  std::set<std::uint64_t>& datasets() { return datasets_; }
  std::int64_t& items_served() { return items_served_; }

 private:
  struct Outgoing {
    std::string bytes;
    std::shared_ptr<const SealedMemory> memory;  // its descriptor goes with the bytes; may be null
  };

  void SendQueued();
  enum class Received { kBytes, kNothing, kEnd };
  Received ReceiveSome();
  void HangUp();

  pid_t pid_ = -1;
  FileDescriptor socket_, output_, pidfd_;
  bool has_ended_ = false, is_hung_up_ = false;
  std::deque<Outgoing> out_;
  std::size_t sent_ = 0;  // bytes of the first of them
  FrameBuffer in_;
  std::string written_;
  std::set<std::uint64_t> datasets_;  // that it has
  std::int64_t items_served_ = 0;
};

}  // namespace crossfold
