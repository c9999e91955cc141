#include "check/output_capture.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "crossfold/error.h"

namespace crossfold::check {
namespace {

// The beginning of the output of a plugin is enough.
constexpr std::size_t kMaxRead = std::size_t{1} << 16;

[[noreturn]] void ThrowSystem() {
  throw Error(ErrorKind::kIo,
              "cannot watch stdout and stderr: " + std::generic_category().message(errno));
}

std::string ContentOf(int file) {
  std::string content(kMaxRead, '\0');
  const ssize_t n = ::pread(file, content.data(), content.size(), 0);
  content.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return content;
}

}  // namespace

OutputCapture::Stream OutputCapture::Replace(int descriptor) {
  Stream stream{descriptor, ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3), -1};
  if (stream.saved < 0) ThrowSystem();
  // Opened for appending, so that writes through a copy of the descriptor do not overwrite.
  stream.file = ::memfd_create("crossfold-output", MFD_CLOEXEC);
  if (stream.file < 0 || ::fcntl(stream.file, F_SETFL, O_APPEND) != 0 ||
      ::dup2(stream.file, descriptor) < 0) {
    ThrowSystem();
  }
  return stream;
}

void OutputCapture::GiveBack(const Stream& stream) {
  const std::string content = ContentOf(stream.file);
  ::dup2(stream.saved, stream.descriptor);
  ::close(stream.saved);
  ::close(stream.file);
  if (::write(stream.descriptor, content.data(), content.size()) < 0) {
    return;  // it has no reader
  }
}

OutputCapture::OutputCapture() {
  std::fflush(nullptr);
  out_ = Replace(STDOUT_FILENO);
  err_ = Replace(STDERR_FILENO);
}

OutputCapture::~OutputCapture() {
  std::fflush(nullptr);
  GiveBack(out_);
  GiveBack(err_);
}

OutputCapture::Written OutputCapture::Read() const {
  std::fflush(nullptr);
  return {ContentOf(out_.file), ContentOf(err_.file)};
}

}  // namespace crossfold::check
