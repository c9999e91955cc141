#include "check/forked.h"

#include <malloc.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <exception>
#include <fstream>
#include <system_error>

#include "crossfold/error.h"
#include "discovery/child_program.h"
#include "engine/text/format_number.h"
#include "isolate/failure_text.h"

namespace crossfold::check {
namespace {

using Clock = std::chrono::steady_clock;

void SendAll(int fd, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::send(fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // the other side has ended, which waiting for it will report
    sent += static_cast<std::size_t>(n);
  }
}

// Until the other side has sent all, or the time is over: then false.
bool ReceiveAll(int fd, Clock::time_point until, std::string& bytes) {
  constexpr std::chrono::milliseconds kPatience{1000};
  std::array<char, 4096> part;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    pollfd watched{fd, POLLIN, 0};
    if (::poll(&watched, 1, static_cast<int>(std::min(left.count(), kPatience.count()))) <= 0) {
      continue;
    }
    const ssize_t n = ::recv(fd, part.data(), part.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    bytes.append(part.data(), static_cast<std::size_t>(n));
  }
}

[[noreturn]] void WorkInCopy(int fd, const std::function<std::string(const std::string&)>& work) {
  constexpr int kThrew = 70;  // EX_SOFTWARE
  try {
    std::string given;
    ReceiveAll(fd, Clock::time_point::max(), given);
    SendAll(fd, work(given));
  } catch (...) {
    ::_exit(kThrew);
  }
  ::_exit(0);
}

[[noreturn]] void RefuseCopy(int error) {
  throw Error(ErrorKind::kIo,
              "cannot copy the process of a check: " + std::generic_category().message(error));
}

// The first two numbers of /proc/self/statm, in bytes; 0 where there is no such file.
struct Pages {
  std::uint64_t size = 0, resident = 0;
};

Pages ReadPages() {
  Pages pages;
  std::ifstream file("/proc/self/statm");
  file >> pages.size >> pages.resident;
  const auto bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return {pages.size * bytes, pages.resident * bytes};
}

}  // namespace

MemoryLimit::MemoryLimit(std::uint64_t room) {
  const std::uint64_t size = ReadPages().size;
  ::getrlimit(RLIMIT_AS, &before_);
  rlimit limit = before_;
  limit.rlim_cur = size + room;
  if (limit.rlim_cur < limit.rlim_max || limit.rlim_max == RLIM_INFINITY) {
    ::setrlimit(RLIMIT_AS, &limit);
  }
}

bool MemoryLimit::Works() {
  constexpr std::uint64_t kNoSanitizer = std::uint64_t{1} << 40;
  const std::uint64_t size = ReadPages().size;
  return size > 0 && size < kNoSanitizer;
}

std::uint64_t AllocatedBytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

std::uint64_t ResidentBytes() { return ReadPages().resident; }

Forked RunForked(const std::function<std::string()>& here,
                 const std::function<std::string(const std::string&)>& work, double seconds) {
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) RefuseCopy(errno);
  FileDescriptor ours(ends[0]), theirs(ends[1]);
  const pid_t pid = ::fork();
  if (pid < 0) RefuseCopy(errno);
  if (pid == 0) {
    ours.Close();
    WorkInCopy(theirs.get(), work);
  }
  theirs.Close();
  Forked forked;
  std::exception_ptr failure;
  bool is_in_time = false;
  try {
    SendAll(ours.get(), here());
    ::shutdown(ours.get(), SHUT_WR);
    const auto time = std::chrono::duration<double>(seconds);
    const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
    is_in_time = ReceiveAll(ours.get(), until, forked.text);
  } catch (...) {
    failure = std::current_exception();
  }
  const Ending ending = KillChild(pid);
  if (failure) std::rethrow_exception(failure);
  if (!is_in_time) {
    forked.ended = "it had not ended after " + FormatShortest(seconds) + " s";
  } else if (ending.code != 0) {
    forked.ended = DescribeEnding(ending);
  }
  return forked;
}

Forked RunForked(const std::function<std::string()>& work, double seconds) {
  return RunForked([] { return std::string(); }, [&](const std::string&) { return work(); },
                   seconds);
}

Forked RunWithin(std::uint64_t room, const std::function<Reply()>& call,
                 const std::function<void()>& before, double seconds) {
  const auto work = [&]() -> std::string {
    before();
    ::malloc_trim(0);
    Reply reply;
    {
      const MemoryLimit limit(room);
      reply = call();
    }
    return reply.ok() ? "" : reply.Describe();
  };
  return RunForked(work, seconds);
}

}  // namespace crossfold::check
