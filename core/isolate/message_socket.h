// The worker's end of the socket. The program's end is worker_process.h, which never blocks.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "files/file_descriptor.h"
#include "isolate/messages.h"

namespace crossfold {

// Not thread-safe. Throws Error(kIo) if the other side is gone or sends invalid bytes.
class MessageSocket {
 public:
  explicit MessageSocket(int fd);
  MessageSocket(const MessageSocket&) = delete;
  MessageSocket& operator=(const MessageSocket&) = delete;

  // Waits for the next message; nothing = the other side has closed the socket. The body is valid
  // until the next call.
  std::optional<Frame> Receive();
  // A file descriptor that came along, in order; closed = there is none.
  FileDescriptor TakeDescriptor();

  // Whether a message has arrived that Receive has not returned.
  bool HasInput() const;

  // Keeps a message until Flush. True = many or old ones are waiting, so Flush is due.
  bool Keep(MessageType type, std::string_view body);
  bool has_kept() const { return !out_.empty(); }
  void Flush();

 private:
  using Clock = std::chrono::steady_clock;

  // False = the other side has closed the socket.
  bool ReceiveMore();

  int fd_;
  FrameBuffer in_;
  std::deque<FileDescriptor> descriptors_;
  std::string out_;
  Clock::time_point flushed_;
};

}  // namespace crossfold
