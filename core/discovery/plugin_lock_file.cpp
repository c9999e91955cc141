#include "crossfold/plugin_lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "crossfold/error.h"
#include "engine/text/format_number.h"
#include "files/file_descriptor.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The successor of the lock file. The process that has the flock on the file of this name may
// change the lock.
class Successor {
 public:
  Successor(const fs::path& lock, std::chrono::milliseconds patience)
      : lock_(lock), name_(lock.string() + ".new"), file_(Open()) {
    const Clock::time_point until = Clock::now() + patience;
    for (Wait(until, patience); !IsNamed(); Wait(until, patience)) file_ = Open();
  }
  Successor(const Successor&) = delete;
  Successor& operator=(const Successor&) = delete;
  ~Successor() {
    if (!renamed_) ::unlink(name_.c_str());  // while it is ours; the next process makes its own
  }

  void Become(std::string_view bytes) {
    // A process that was killed may have left some bytes.
    if (::ftruncate(file_.get(), 0) != 0) Refuse();
    if (!WriteAll(file_.get(), bytes) || ::fsync(file_.get()) != 0 ||
        ::rename(name_.c_str(), lock_.c_str()) != 0)
      Refuse();
    renamed_ = true;
  }

 private:
  FileDescriptor Open() const {
    FileDescriptor file(
        ::open(name_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
    struct stat status {};
    if (file.get() < 0 || ::fstat(file.get(), &status) != 0) Refuse();
    if (!S_ISREG(status.st_mode)) Fail("'" + name_ + "' is not a regular file; remove it");
    return file;
  }

  // Waits for the flock.
  void Wait(Clock::time_point until, std::chrono::milliseconds patience) const {
    constexpr std::chrono::milliseconds kPause{2};
    while (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) Refuse();
      if (Clock::now() >= until) {
        const std::chrono::duration<double> seconds = patience;
        Fail("another process has been writing it for " + FormatShortest(seconds.count()) +
             " s; wait for it, or end it");
      }
      std::this_thread::sleep_for(kPause);
    }
  }

  // Whether the previous process has left the file in its place; else another file has its name
  // now.
  bool IsNamed() const { return IsAt(file_, name_); }

  [[noreturn]] void Refuse() const {
    Fail("it cannot be written (" + std::generic_category().message(errno) +
         "); choose another place");
  }
  [[noreturn]] void Fail(const std::string& finding) const {
    throw Error(ErrorKind::kIo, "cannot write lock '" + lock_.string() + "': " + finding);
  }

  fs::path lock_;
  std::string name_;
  FileDescriptor file_;
  bool renamed_ = false;
};

PluginLock ReadOrBegin(const fs::path& path) {
  std::error_code failure;
  if (fs::status(path, failure).type() != fs::file_type::not_found) return ReadPluginLock(path);
  return {path, {}};
}

}  // namespace

PluginLock ChangePluginLock(const fs::path& path, const std::function<void(PluginLock&)>& change,
                            std::chrono::milliseconds patience) {
  ReadOrBegin(path);  // a file that is not a lock gets no successor
  // A symbolic link stays, and all links to a file share its `.new`.
  Successor successor(RealPath(path), patience);
  PluginLock lock = ReadOrBegin(path);
  change(lock);
  successor.Become(ToText(lock));
  return lock;
}

}  // namespace crossfold
