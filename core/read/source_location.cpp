#include "read/source_location.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "files/file_descriptor.h"

namespace crossfold {
namespace {

constexpr std::size_t kHeadBytes = 4096;

// Reads at most kHeadBytes; fewer at the end of the file or if it cannot be read.
std::vector<std::uint8_t> ReadHead(const FileDescriptor& file) {
  std::vector<std::uint8_t> head(kHeadBytes);
  std::size_t used = 0;
  while (used < head.size()) {
    const ssize_t n = ::read(file.get(), head.data() + used, head.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    used += static_cast<std::size_t>(n);
  }
  head.resize(used);
  return head;
}

}  // namespace

SourceLocation::SourceLocation(const std::string& location) : location_(location) {
  struct stat facts = {};
  if (::stat(location.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return;
  // Opening does not wait, even if the file has become a pipe meanwhile.
  const FileDescriptor file(::open(location.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open() || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return;
  n_bytes_ = facts.st_size;
  head_ = ReadHead(file);
}

cf_source_input SourceLocation::Input(const ReadRequest& request) const {
  static constexpr std::uint8_t kNothing = 0;  // an empty file has a head of no bytes
  cf_source_input input{};
  input.struct_size = sizeof input;
  input.location = location_.c_str();
  if (n_bytes_ >= 0) input.head = head_.empty() ? &kNothing : head_.data();
  input.n_head = static_cast<std::int64_t>(head_.size());
  input.n_bytes = n_bytes_;
  input.max_bytes = request.limits.memory;
  if (request.sandboxed) input.flags |= CF_INPUT_NOT_TRUSTED;
  return input;
}

bool SourceLocation::IsUri(const std::string& location) {
  return location.find("://") != std::string::npos;
}

}  // namespace crossfold
