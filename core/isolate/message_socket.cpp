#include "isolate/message_socket.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "crossfold/error.h"

namespace crossfold {
namespace {

// The other side is this program's own parent, so it is trusted.
constexpr std::uint64_t kMaxBytesFromParent = std::uint64_t{1} << 40;
constexpr std::size_t kManyBytes = 64 * 1024;
constexpr std::chrono::milliseconds kLongAgo(2);

[[noreturn]] void RefuseMessage(const char* what, int error) {
  throw Error(ErrorKind::kIo, std::string("cannot ") + what + ": " + std::strerror(error));
}

}  // namespace

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

}  // namespace crossfold
