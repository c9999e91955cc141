#include "isolate/sealed_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include "crossfold/error.h"
#include "encoding/dataset_image.h"

namespace crossfold {
namespace {

[[noreturn]] void RefuseSharing(const Dataset& data, int error) {
  throw Error(ErrorKind::kIo, "cannot share dataset '" + data.name() + "' with worker processes: " +
                                  std::generic_category().message(error));
}

// Through a mapping that is gone before the seals, which a writable one would forbid.
int WriteImage(const DatasetImage& image, int fd) {
  if (::ftruncate(fd, static_cast<off_t>(image.size())) != 0) return errno;
  // So that a lack of memory is an error here and not a SIGBUS.
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
  file_ = FileDescriptor(::memfd_create("crossfold-data", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file_.is_open()) RefuseSharing(data, errno);
  if (const int error = WriteImage(image, file_.get()); error != 0) RefuseSharing(data, error);
}

std::shared_ptr<const Dataset> MappedImages::Map(const FileDescriptor& file, std::uint64_t size) {
  const auto n = static_cast<std::size_t>(size);
  void* place = n == 0 ? MAP_FAILED : ::mmap(nullptr, n, PROT_READ, MAP_SHARED, file.get(), 0);
  if (place == MAP_FAILED) {
    throw Error(ErrorKind::kBadData, "cannot map the image of a dataset");
  }
  const std::shared_ptr<const void> owner(
      place, [n](const void* bytes) { ::munmap(const_cast<void*>(bytes), n); });
  // Now, because a plugin may use up all file descriptors later.
  if (!maps_file_.is_open()) {
    maps_file_ = FileDescriptor(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
  }
  ReadMaps();
  mappings_.push_back({owner, LineOf(place)});
  return ReadDatasetImage({static_cast<const char*>(place), n}, owner);
}

bool MappedImages::AreInPlace() {
  std::erase_if(mappings_, [](const Mapping& mapping) { return mapping.owner.expired(); });
  if (mappings_.empty()) return true;
  ReadMaps();
  return std::all_of(mappings_.begin(), mappings_.end(), [this](const Mapping& mapping) {
    return maps_.find(mapping.line) != std::string::npos;
  });
}

void MappedImages::ReadMaps() {
  constexpr std::size_t kMany = 64 * 1024;
  maps_.clear();
  if (::lseek(maps_file_.get(), 0, SEEK_SET) != 0) return;
  for (;;) {
    const std::size_t before = maps_.size();
    maps_.resize(before + kMany);
    const ssize_t n = ::read(maps_file_.get(), maps_.data() + before, kMany);
    maps_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    if (n <= 0) break;
  }
}

// "" without /proc, where nothing can be checked.
std::string MappedImages::LineOf(const void* place) const {
  std::array<char, 32> start{};
  std::snprintf(start.data(), start.size(), "%lx-", reinterpret_cast<unsigned long>(place));
  const std::size_t begin = maps_.find(start.data());
  if (begin == std::string::npos) return "";
  return maps_.substr(begin, maps_.find('\n', begin) - begin);
}

}  // namespace crossfold
