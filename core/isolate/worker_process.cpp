#include "isolate/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "crossfold/error.h"

namespace crossfold {
namespace {

// Predictions of a hundred million rows fit.
constexpr std::uint64_t kMaxBytesFromWorker = std::uint64_t{1} << 36;

// Milliseconds for poll, rounded up, so that it is not called again and again in the last one.
int MillisecondsUntil(WorkerProcess::Clock::time_point until) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(until - WorkerProcess::Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

}  // namespace

WorkerProcess::WorkerProcess(const std::filesystem::path& program) : in_(kMaxBytesFromWorker) {
  ChannelEnds socket = MakeChildSocket(program);
  ChannelEnds output = MakeChildPipe(program);
  // Libraries of plugins start no threads of their own, because cells run at the same time.
  pid_ = SpawnChild(program, {}, {"OMP_NUM_THREADS=1"}, socket.theirs.get(), output.theirs.get());
  pidfd_ = FileDescriptor(OpenProcess(pid_));
  socket_ = std::move(socket.ours);
  output_ = std::move(output.ours);
  if (pidfd_.is_open()) return;
  const int error = errno;
  Kill();
  throw Error(ErrorKind::kIo, "cannot start worker process '" + program.string() +
                                  "': " + std::generic_category().message(error));
}

WorkerProcess::~WorkerProcess() { Kill(); }

void WorkerProcess::Send(MessageType type, std::string_view body,
                         std::shared_ptr<const SealedMemory> memory) {
  if (out_.empty() || memory != nullptr || out_.back().memory != nullptr) {
    out_.push_back({"", std::move(memory)});
  }
  AppendFrame(type, body, out_.back().bytes);
}

std::optional<Frame> WorkerProcess::Wait(Clock::time_point until) {
  for (;;) {
    if (!out_.empty()) SendQueued();
    if (auto frame = in_.Next()) return frame;
    if (has_ended_) return std::nullopt;
    const auto wanted = static_cast<short>(POLLIN | (out_.empty() ? 0 : POLLOUT));
    std::array<pollfd, 3> watched = {pollfd{is_hung_up_ ? -1 : socket_.get(), wanted, 0},
                                     pollfd{output_.get(), POLLIN, 0},
                                     pollfd{pidfd_.get(), POLLIN, 0}};
    const int n = ::poll(watched.data(), watched.size(), MillisecondsUntil(until));
    if (n == 0 && Clock::now() >= until) return std::nullopt;
    if (n <= 0) continue;  // a signal, perhaps
    const bool ended = watched[2].revents != 0;
    if (watched[1].revents != 0) ReadWritten(output_, written_);
    if (watched[0].revents != 0 && ReceiveSome() == Received::kEnd) HangUp();
    if (!ended && !is_hung_up_) continue;
    while (!is_hung_up_ && ReceiveSome() == Received::kBytes) {  // all that came before the end
    }
    ReadWritten(output_, written_);
    has_ended_ = true;
  }
}

void WorkerProcess::SendQueued() {
  while (!out_.empty()) {
    Outgoing& next = out_.front();
    iovec place{next.bytes.data() + sent_, next.bytes.size() - sent_};
    msghdr message{};
    message.msg_iov = &place;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    if (next.memory != nullptr && sent_ == 0) {
      message.msg_control = control.data();
      message.msg_controllen = control.size();
      cmsghdr* part = CMSG_FIRSTHDR(&message);
      part->cmsg_level = SOL_SOCKET;
      part->cmsg_type = SCM_RIGHTS;
      part->cmsg_len = CMSG_LEN(sizeof(int));
      const int fd = next.memory->fd();
      std::memcpy(CMSG_DATA(part), &fd, sizeof(int));
    }
    const ssize_t n = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (n < 0) return out_.clear();  // it is gone, as the poll will report
    sent_ += static_cast<std::size_t>(n);
    if (sent_ < next.bytes.size()) continue;
    out_.pop_front();
    sent_ = 0;
  }
}

// A process that has closed its socket is unusable, and is about to end.
void WorkerProcess::HangUp() {
  constexpr int kMilliseconds = 1000;
  is_hung_up_ = true;
  pollfd watched{pidfd_.get(), POLLIN, 0};
  ::poll(&watched, 1, kMilliseconds);
}

WorkerProcess::Received WorkerProcess::ReceiveSome() {
  std::array<char, 64 * 1024> bytes;
  for (;;) {
    const ssize_t n = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n > 0) {
      in_.Append({bytes.data(), static_cast<std::size_t>(n)});
      return Received::kBytes;
    }
    const bool is_empty = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    return is_empty ? Received::kNothing : Received::kEnd;
  }
}

Ending WorkerProcess::Kill() {
  if (pid_ < 0) return {};
  const Ending ending = KillChild(pid_);
  pid_ = -1;
  has_ended_ = true;
  for (FileDescriptor* fd : {&socket_, &output_, &pidfd_}) fd->Close();
  return ending;
}

}  // namespace crossfold
