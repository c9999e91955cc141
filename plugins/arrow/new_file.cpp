#include "new_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <system_error>
#include <utility>

#include "../reading/refusal.h"

namespace crossfold::reading {
namespace {

constexpr std::size_t kBuffered = std::size_t{1} << 16;

}  // namespace

NewFile::NewFile(std::string path)
    : path_(std::move(path)),
      beside_(path_ + ".part-" + std::to_string(::getpid())),
      descriptor_(::open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) Refuse();
}

NewFile::~NewFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(beside_.c_str());
}

void NewFile::Refuse() const {
  RefuseFile("it cannot be written (" + std::generic_category().message(errno) +
             "); check the folder, its permissions and the free space on the disk");
}

void NewFile::Write(std::string_view bytes) {
  size_ += static_cast<std::int64_t>(bytes.size());
  if (bytes.size() >= kBuffered) {
    Flush();
    WriteOut(bytes);
    return;
  }
  buffered_ += bytes;
  if (buffered_.size() >= kBuffered) Flush();
}

void NewFile::Pad(std::int64_t alignment) {
  const std::int64_t rest = size_ % alignment;
  if (rest > 0) Write(std::string(static_cast<std::size_t>(alignment - rest), '\0'));
}

void NewFile::Flush() {
  WriteOut(buffered_);
  buffered_.clear();
}

void NewFile::WriteOut(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) Refuse();
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void NewFile::Finish() {
  Flush();
  if (::fsync(descriptor_) != 0 || std::rename(beside_.c_str(), path_.c_str()) != 0) Refuse();
  ::close(std::exchange(descriptor_, -1));
}

}  // namespace crossfold::reading
