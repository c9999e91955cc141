#include "store/cells/cell_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <iterator>
#include <system_error>

#include "crossfold/error.h"
#include "files/file_bytes.h"
#include "store/cells/packed_bytes.h"

namespace crossfold {
namespace {

constexpr std::string_view kLogMagic = "CFXLOG01";
constexpr const char* kLogInfix = "-log-";

[[noreturn]] void ThrowIo(const char* attempt, const std::filesystem::path& path) {
  throw Error(ErrorKind::kIo, std::string("cannot ") + attempt + " '" + path.string() +
                                  "': " + std::generic_category().message(errno) +
                                  "; the folder of a store must be writable");
}

std::string ReadLog(int fd, const std::filesystem::path& path) {
  std::string bytes;
  for (;;) {
    const std::size_t old = bytes.size();
    bytes.resize(old + (1u << 20));
    const ssize_t n = pread(fd, bytes.data() + old, bytes.size() - old, static_cast<off_t>(old));
    bytes.resize(old + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ThrowIo("read", path);
    if (n == 0) return bytes;
  }
}

// Whether this follows the name of a store and the infix in the name of a log: PID-N.
bool IsLogNumber(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return false;
  const auto is_number = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return is_number(text.substr(0, dash)) && is_number(text.substr(dash + 1));
}

// Only names that processes give to logs, so that other files next to a store are left alone.
// REQUIRES: `store` is not a symbolic link.
std::vector<std::filesystem::path> FindLogs(const std::filesystem::path& store) {
  const std::string start = store.filename().string() + kLogInfix;
  const std::filesystem::path folder = store.has_parent_path() ? store.parent_path() : ".";
  std::vector<std::filesystem::path> logs;
  std::error_code ignored;
  for (std::filesystem::directory_iterator i(folder, ignored), end; !ignored && i != end;
       i.increment(ignored)) {
    const std::string name = i->path().filename().string();
    if (!name.starts_with(start) || !IsLogNumber(std::string_view(name).substr(start.size()))) {
      continue;
    }
    if (!IsPipeOrDevice(i->path())) logs.push_back(i->path());
  }
  std::ranges::sort(logs);
  return logs;
}

// Whether a file of these bytes is a log, perhaps one that was truncated while it was made.
bool IsLog(std::string_view bytes) {
  return bytes.starts_with(kLogMagic) || kLogMagic.starts_with(bytes);
}

// Ends at the first incomplete record: what follows it was never reported as kept.
std::vector<FinishedCell> ReadRecords(std::string_view bytes) {
  std::vector<FinishedCell> cells;
  if (!bytes.starts_with(kLogMagic)) return cells;
  bytes.remove_prefix(kLogMagic.size());
  try {
    FieldReader fields(bytes);
    while (!fields.rest().empty()) {
      const auto length = fields.Number<std::uint32_t>();
      const auto checksum = fields.Number<std::uint32_t>();
      const std::string_view body = fields.Raw(length);
      if (AddToChecksum(0, body) != checksum) break;
      FieldReader record(body);
      cells.push_back(ReadFinishedCell(record));
    }
  } catch (const plugin::Error&) {  // cut off
  }
  return cells;
}

}  // namespace

CellLog::CellLog(const std::filesystem::path& store)
    : segments_{Make(RealPath(store)), Make(RealPath(store))} {}

CellLog::Segment CellLog::Make(const std::filesystem::path& store) {
  for (int n = 1;; ++n) {
    Segment segment;
    segment.path = store;
    segment.path += kLogInfix + std::to_string(getpid()) + "-" + std::to_string(n);
    segment.file = FileDescriptor(
        open(segment.path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_APPEND | O_CLOEXEC, 0666));
    if (segment.file.get() < 0 && errno == EEXIST) continue;
    if (segment.file.get() < 0) ThrowIo("make", segment.path);
    // Until it is locked, another process may take it for one of a process that has ended.
    if (flock(segment.file.get(), LOCK_EX) != 0) ThrowIo("lock", segment.path);
    if (!IsAt(segment.file, segment.path)) continue;
    if (!WriteAll(segment.file.get(), kLogMagic)) ThrowIo("write to", segment.path);
    segment.size = static_cast<std::int64_t>(kLogMagic.size());
    return segment;
  }
}

bool CellLog::Append(const std::string& record) {
  if (broken_) return false;
  Segment& segment = segments_[active_];
  if (WriteAll(segment.file.get(), record)) {
    segment.size += static_cast<std::int64_t>(record.size());
    return true;
  }
  const int failure = errno;
  // A partial record would hide those that come after it.
  if (ftruncate(segment.file.get(), segment.size) != 0) broken_ = true;
  errno = failure;
  return false;
}

void CellLog::Turn() {
  const int other = 1 - active_;
  if (segments_[other].size == static_cast<std::int64_t>(kLogMagic.size())) active_ = other;
}

void CellLog::DropTurned() {
  Segment& segment = segments_[1 - active_];
  const auto empty = static_cast<std::int64_t>(kLogMagic.size());
  // Records that stay are found again and left alone.
  if (ftruncate(segment.file.get(), empty) == 0) segment.size = empty;
}

void CellLog::Remove() {
  for (const Segment& segment : segments_) {
    if (IsAt(segment.file, segment.path)) unlink(segment.path.c_str());
  }
}

std::string PackLogRecord(const FinishedCell& cell) {
  FieldWriter body;
  WriteFinishedCell(cell, body);
  FieldWriter record;
  record.Number(static_cast<std::uint32_t>(body.bytes().size()));
  record.Number(AddToChecksum(0, body.bytes()));
  record.Raw(body.bytes());
  return record.Take();
}

void TakeOverLogs(const std::filesystem::path& store,
                  const std::function<void(const std::vector<FinishedCell>&)>& keep) {
  for (const std::filesystem::path& path : FindLogs(RealPath(store))) {
    const FileDescriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (file.get() < 0 && errno == ENOENT) continue;  // another process was faster
    if (file.get() < 0) ThrowIo("read", path);
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) continue;  // its process lives
    if (!IsAt(file, path)) continue;
    const std::string bytes = ReadLog(file.get(), path);
    if (!IsLog(bytes)) continue;
    keep(ReadRecords(bytes));
    unlink(path.c_str());
  }
}

std::vector<FinishedCell> ReadLeftLogs(const std::filesystem::path& store) {
  std::vector<FinishedCell> cells;
  for (const std::filesystem::path& path : FindLogs(RealPath(store))) {
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0 || flock(file.get(), LOCK_SH | LOCK_NB) != 0) continue;
    std::vector<FinishedCell> found = ReadRecords(ReadLog(file.get(), path));
    std::ranges::move(found, std::back_inserter(cells));
  }
  return cells;
}

std::vector<std::int64_t> FindUsers(const std::filesystem::path& store) {
  const std::filesystem::path real = RealPath(store);
  const std::size_t start = real.filename().string().size() + std::string(kLogInfix).size();
  std::vector<std::int64_t> users;
  for (const std::filesystem::path& path : FindLogs(real)) {
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0 || flock(file.get(), LOCK_SH | LOCK_NB) == 0) continue;
    const std::string numbers = path.filename().string().substr(start);
    std::int64_t pid = 0;
    std::from_chars(numbers.data(), numbers.data() + numbers.size(), pid);
    if (std::ranges::find(users, pid) == users.end()) users.push_back(pid);
  }
  return users;
}

bool HasLogs(const std::filesystem::path& store) { return !FindLogs(RealPath(store)).empty(); }

}  // namespace crossfold
