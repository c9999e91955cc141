#include "isolate/worker_session.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/score.h"
#include "crossfold/version.h"
#include "encoding/outcome_fields.h"
#include "files/file_descriptor.h"
#include "isolate/cell_definitions.h"
#include "isolate/messages.h"
#include "isolate/process_limits.h"
#include "isolate/sealed_memory.h"

namespace crossfold {
namespace {

// The worker's end of the socket. The program's end is worker_process.h, which never blocks. Not
// thread-safe. Throws Error(kIo) if the other side is gone or sends invalid bytes.
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

// The other side is this program's own parent, so it is trusted.
constexpr std::uint64_t kMaxBytesFromParent = std::uint64_t{1} << 40;
constexpr std::size_t kManyBytes = 64 * 1024;
constexpr std::chrono::milliseconds kLongAgo(2);

[[noreturn]] void RefuseMessage(const char* what, int error) {
  throw Error(ErrorKind::kIo, std::string("cannot ") + what + ": " + std::strerror(error));
}

MessageSocket::MessageSocket(int fd) : fd_(fd), in_(kMaxBytesFromParent), flushed_(Clock::now()) {}

std::optional<Frame> MessageSocket::Receive() {
  for (;;) {
    if (const auto frame = in_.Next()) return frame;
    if (!ReceiveMore()) return std::nullopt;
  }
}

bool MessageSocket::ReceiveMore() {
  std::array<char, kManyBytes> bytes;
  constexpr std::size_t kMaxDescriptors = 16;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMaxDescriptors)> control;
  iovec place{bytes.data(), bytes.size()};
  msghdr message{};
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t n = 0;
  do {
    n = ::recvmsg(fd_, &message, MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR);
  if (n < 0) RefuseMessage("receive a message", errno);
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
      descriptors_.emplace_back(fd);
    }
  }
  in_.Append({bytes.data(), static_cast<std::size_t>(n)});
  return n > 0;
}

FileDescriptor MessageSocket::TakeDescriptor() {
  if (descriptors_.empty()) return FileDescriptor();
  FileDescriptor taken = std::move(descriptors_.front());
  descriptors_.pop_front();
  return taken;
}

bool MessageSocket::HasInput() const {
  if (in_.has_bytes()) return true;
  pollfd watched{fd_, POLLIN, 0};
  return ::poll(&watched, 1, 0) > 0;
}

bool MessageSocket::Keep(MessageType type, std::string_view body) {
  AppendFrame(type, body, out_);
  return out_.size() >= kManyBytes || Clock::now() - flushed_ >= kLongAgo;
}

void MessageSocket::Flush() {
  std::string_view rest = out_;
  while (!rest.empty()) {
    const ssize_t n = ::send(fd_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) RefuseMessage("send a message", errno);
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  out_.clear();
  flushed_ = Clock::now();
}

// Plugins may have registered exit handlers that never end. This comes before them, unless they
// were registered while the same item ran.
void LeaveAtOnce(int code, void*) { ::_exit(code); }

// Ends the process when the program is gone. Polled by a thread that does nothing else, so that no
// plugin can keep the process alive. Closing the socket ends the process as well; if a plugin opens
// something else in its place, the new parent process shows that the program is gone.
void EndWithTheOtherSide(int socket, pid_t parent) {
  constexpr int kMilliseconds = 1000;
  constexpr int kEnds = POLLRDHUP | POLLHUP | POLLERR | POLLNVAL;
  pollfd watched{socket, POLLRDHUP, 0};
  while (::getppid() == parent &&
         (::poll(&watched, 1, kMilliseconds) <= 0 || (watched.revents & kEnds) == 0)) {
  }
  if (::getpgrp() == ::getpid()) ::kill(0, SIGKILL);
  ::_exit(0);
}

// Whether half of the file descriptors are open: plugins leak them.
bool LacksDescriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  const int lowest = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);  // of those that are free
  if (lowest < 0) return errno == EMFILE;
  ::close(lowest);
  return static_cast<rlim_t>(lowest) > limit.rlim_cur / 2;
}

class WorkerSession {
 public:
  explicit WorkerSession(int socket) : socket_(socket) {}

  void Serve() {
    FieldWriter ready;
    ready.Text(Version());
    Send(MessageType::kReady, ready.bytes());
    for (;;) {
      // Sends kept messages before it sleeps; while more items wait, many at once.
      if (!socket_.HasInput()) Flush();
      const auto frame = socket_.Receive();
      if (!frame) return;
      FieldReader fields(frame->body);
      Handle(frame->type, fields);
    }
  }

 private:
  void Handle(MessageType type, FieldReader& fields) {
    switch (type) {
      case MessageType::kSettings:
        return Apply(ReadSettings(fields));
      case MessageType::kItem:
        return RunItem(ReadItem(fields));
      case MessageType::kEndRun:
        return definitions_.Forget();
      default:
        limits_.WithoutCounting([&] { Define(type, fields); });
    }
  }

  void Apply(WorkerSettings settings) {
    settings_ = std::move(settings);
    definitions_.set_locked(settings_.locked);
    limits_.set_limits(settings_.limits);
    if (shared_ == nullptr || shared_->memory() != settings_.shared_memory) {
      shared_ = std::make_shared<SharedWork>(settings_.shared_memory);
    }
    std::setlocale(LC_ALL, settings_.locale.c_str());
    fesetenv(&settings_.floating_point);
  }

  void Define(MessageType type, FieldReader& fields) {
    if (type != MessageType::kDataset) return definitions_.Define(type, fields);
    const auto number = fields.Number<std::uint64_t>();
    const auto size = fields.Number<std::uint64_t>();
    const std::lock_guard lock(sending_);
    definitions_.SetDataset(number, images_.Map(socket_.TakeDescriptor(), size));
  }

  void RunItem(const std::vector<ItemBlock>& items) {
    ::on_exit(&LeaveAtOnce, nullptr);
    const auto begin = std::chrono::steady_clock::now();
    std::vector<CellBlock> blocks;
    std::vector<std::uint64_t> places;  // in the item, of the cells of `blocks`
    std::uint64_t place = 0;
    for (const ItemBlock& item : items) {
      const std::string problem = definitions_.AddBlock(item, blocks);
      for (std::int64_t i = 0; i < item.count; ++i, ++place) {
        if (problem.empty()) {
          places.push_back(place);
        } else {
          Deliver(place, CellDefinitions::CannotRun(problem));
        }
      }
    }
    RunOptions options;
    options.workers = 1;
    options.share = settings_.share;
    options.verify = settings_.verify;
    options.shared = shared_;
    if (settings_.limits.seconds > 0) {
      Send(MessageType::kItemBegun, "");
      Flush();
    }
    limits_.Begin();
    options.log = [this](std::int32_t level, const std::string& line) { Log(level, line); };
    RunAndScore(blocks, options,
                [&](std::size_t i, Outcome&& outcome) { Deliver(places[i], outcome); });
    limits_.End();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    FieldWriter fields;
    fields.Number(taken.count());
    Send(MessageType::kItemDone, fields.bytes());
    if (LacksDescriptors()) EndBeforeTheNext();
  }

  // If another plugin fails for lack of descriptors, that would be reported as its own failure.
  void EndBeforeTheNext() {
    std::fputs("crossfold-worker: plugins left half of the file descriptors open\n", stderr);
    Flush();
    ::_exit(kUsedUp);
  }

  void Deliver(std::uint64_t place, const Outcome& outcome) {
    limits_.End();  // what this takes is not the cell's
    FieldWriter fields;
    fields.Number(place);
    WriteOutcome(outcome, fields);
    Send(MessageType::kOutcome, fields.bytes());
    limits_.Begin();
  }

  // Plugins may log on threads of their own.
  void Log(std::int32_t level, const std::string& line) {
    FieldWriter fields;
    fields.Number(level);
    fields.Text(line);
    Send(MessageType::kLog, fields.bytes());
  }

  void Send(MessageType type, std::string_view body) {
    const std::lock_guard lock(sending_);
    if (socket_.Keep(type, body)) FlushLocked();
  }
  void Flush() {
    const std::lock_guard lock(sending_);
    if (socket_.has_kept()) FlushLocked();
  }

  // Never sends outcomes that were computed on data other than the program's: the process ends, and
  // the cells without outcome run again, each by itself. REQUIRES: sending_ is held.
  void FlushLocked() {
    if (!images_.AreInPlace()) {
      std::fputs("crossfold-worker: a plugin mapped other memory in place of the dataset\n",
                 stderr);
      ::_exit(kLostData);
    }
    socket_.Flush();
  }

  // Of sysexits.h: EX_SOFTWARE, EX_OSERR.
  static constexpr int kLostData = 70, kUsedUp = 71;

  MessageSocket socket_;
  MappedImages images_;
  std::mutex sending_;  // the two above
  ProcessLimits limits_;
  WorkerSettings settings_;
  std::shared_ptr<SharedWork> shared_;
  CellDefinitions definitions_;
};

}  // namespace

void ServeItems(int socket) {
  std::thread(EndWithTheOtherSide, socket, ::getppid()).detach();
  WorkerSession(socket).Serve();
}

}  // namespace crossfold
