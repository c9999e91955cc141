#include "isolate/sealed_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "crossfold/error.h"
#include "data/dataset_image.h"

namespace crossfold {
namespace {

[[noreturn]] void RefuseSharing(const Dataset& data, int error) {
  throw Error(ErrorKind::kIo, "cannot share dataset '" + data.name() + "' with worker processes: " +
                                  std::generic_category().message(error));
}

// Through a mapping that is gone before the seals, which a writable one would forbid.
int WriteImage(const DatasetImage& image, int fd) {
  if (::ftruncate(fd, static_cast<off_t>(image.size())) != 0) return errno;
  // So that a lack of memory is an error here and no SIGBUS.
  if (const int error = ::posix_fallocate(fd, 0, static_cast<off_t>(image.size()))) return error;
  void* place = ::mmap(nullptr, image.size(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (place == MAP_FAILED) return errno;
  image.WriteTo(static_cast<char*>(place));
  ::munmap(place, image.size());
  const int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  return ::fcntl(fd, F_ADD_SEALS, seals) == 0 ? 0 : errno;
}

}  // namespace

SealedMemory::SealedMemory(const Dataset& data) {
  const DatasetImage image(data);
  size_ = image.size();
  fd_ = ::memfd_create("crossfold-data", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd_ < 0) RefuseSharing(data, errno);
  if (const int error = WriteImage(image, fd_); error != 0) {
    ::close(fd_);
    RefuseSharing(data, error);
  }
}

SealedMemory::~SealedMemory() { ::close(fd_); }

std::shared_ptr<const Dataset> MapDataset(int fd, std::uint64_t size) {
  const auto n = static_cast<std::size_t>(size);
  void* place = n == 0 ? MAP_FAILED : ::mmap(nullptr, n, PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  if (place == MAP_FAILED) {
    throw Error(ErrorKind::kBadData, "cannot map the image of a dataset");
  }
  const std::shared_ptr<const void> owner(
      place, [n](const void* bytes) { ::munmap(const_cast<void*>(bytes), n); });
  return ReadDatasetImage({static_cast<const char*>(place), n}, owner);
}

}  // namespace crossfold
