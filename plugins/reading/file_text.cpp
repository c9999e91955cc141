#include "file_text.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>

#include "file_bytes.h"
#include "refusal.h"

namespace crossfold::reading {
namespace {

// Whether the lease is held and no signal is sent when another program wants to write.
bool TakeLease(int descriptor) {
#ifdef F_SETLEASE
  // The signal would go to this process. Chooses one that is ignored by default, and then no
  // receiver.
  return ::fcntl(descriptor, F_SETSIG, SIGURG) == 0 &&
         ::fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0 && ::fcntl(descriptor, F_SETOWN, 0) == 0;
#else
  return static_cast<void>(descriptor), false;
#endif
}

bool HoldsLease(int descriptor) {
#ifdef F_SETLEASE
  return ::fcntl(descriptor, F_GETLEASE) == F_RDLCK;
#else
  return static_cast<void>(descriptor), false;
#endif
}

// Whether every change of the file goes through this kernel. FUSE (sshfs, virtiofs) and 9P grant
// leases, but their servers may shorten a file without asking.
bool IsLocal(int descriptor) {
  constexpr std::array<std::uint32_t, 2> kRemote = {0x65735546, 0x01021997};  // statfs(2)
  struct statfs facts = {};
  if (::fstatfs(descriptor, &facts) != 0) return false;
  return std::ranges::find(kRemote, static_cast<std::uint32_t>(facts.f_type)) == kRemote.end();
}

}  // namespace

FileText::FileText(const std::filesystem::path& path, std::size_t smallest_map,
                   std::int64_t most_bytes) {
  if (Map(path, smallest_map)) return;
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  copy_ = ReadFileBytes(path, most_bytes);
  text_ = copy_;
}

FileText::~FileText() {
  if (map_ != nullptr) ::munmap(map_, text_.size());
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileText::Map(const std::filesystem::path& path, std::size_t smallest_map) {
  std::error_code error;
  if (smallest_map == kNeverMap || !std::filesystem::is_regular_file(path, error)) return false;
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0 || !IsLocal(descriptor_) || !TakeLease(descriptor_)) return false;
  // The size is read under the lease, when it is final.
  struct stat facts = {};
  if (::fstat(descriptor_, &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size == 0 || size < smallest_map) return false;
  void* map = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (map == MAP_FAILED) return false;
  ::madvise(map, size, MADV_SEQUENTIAL);
  map_ = map;
  text_ = {static_cast<const char*>(map), size};
  return true;
}

void FileText::CheckUnchanged() const {
  if (map_ == nullptr || HoldsLease(descriptor_)) return;
  RefuseFile("another program opened it for writing; read it when that is done");
}

}  // namespace crossfold::reading
