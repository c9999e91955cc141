#include "files/successor_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "crossfold/error.h"
#include "engine/text/format_number.h"

namespace crossfold {

SuccessorFile::SuccessorFile(const std::filesystem::path& file, std::string attempt,
                             std::chrono::milliseconds patience)
    : path_(RealPath(file)),
      attempt_(std::move(attempt)),
      name_(path_.string() + ".new"),
      file_(Open()) {
  const Clock::time_point until = Clock::now() + patience;
  for (Wait(until, patience); !IsNamed(); Wait(until, patience)) file_ = Open();
}

SuccessorFile::~SuccessorFile() {
  if (!renamed_) ::unlink(name_.c_str());  // while it is ours; the next process makes its own
}

void SuccessorFile::Become(std::string_view bytes) {
  // A process that was killed may have left some bytes.
  if (::ftruncate(file_.get(), 0) != 0) Refuse();
  if (!WriteAll(file_.get(), bytes) || ::fsync(file_.get()) != 0 ||
      ::rename(name_.c_str(), path_.c_str()) != 0)
    Refuse();
  renamed_ = true;
  SyncFolderOf(path_);
}

FileDescriptor SuccessorFile::Open() const {
  FileDescriptor file(
      ::open(name_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) Refuse();
  if (!S_ISREG(status.st_mode)) Fail("'" + name_ + "' is not a regular file; remove it");
  return file;
}

// Waits for the flock.
void SuccessorFile::Wait(Clock::time_point until, std::chrono::milliseconds patience) const {
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

// Whether the previous process has left the file in its place; else another file has its name now.
bool SuccessorFile::IsNamed() const { return IsAt(file_, name_); }

void SuccessorFile::Refuse() const {
  Fail("it cannot be written (" + std::generic_category().message(errno) +
       "); choose another place");
}

void SuccessorFile::Fail(const std::string& finding) const {
  throw Error(ErrorKind::kIo, attempt_ + ": " + finding);
}

}  // namespace crossfold
