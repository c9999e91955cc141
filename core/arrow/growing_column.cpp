#include "arrow/growing_column.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "engine/data/column_entries.h"
#include "engine/text/shown_text.h"

namespace crossfold {

void GrowingMemory::Free::operator()(void* memory) const { std::free(memory); }

// Pages of a file without a name.
struct GrowingMemory::Mapping {
  explicit Mapping(std::string prefix) : attempt(std::move(prefix)) {
    const char* const wanted = std::getenv("TMPDIR");
    const std::string folder = wanted != nullptr && *wanted != '\0' ? wanted : "/var/tmp";
    std::string path = folder + "/crossfold-XXXXXX";
    descriptor = ::mkostemp(path.data(), O_CLOEXEC);
    if (descriptor < 0) Refuse("make a scratch file in '" + folder + "'");
    ::unlink(path.c_str());
  }
  ~Mapping() {
    if (pages != nullptr) ::munmap(pages, size);
    if (descriptor >= 0) ::close(descriptor);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  void Resize(std::size_t n_bytes) {
    // Space that is taken now cannot be missing when a page is written.
    const int code = n_bytes > size ? Take(n_bytes - size) : 0;
    if (code != 0) {
      errno = code;
      Refuse("write " + std::to_string(n_bytes) + " bytes of a scratch file");
    }
    void* made = pages == nullptr
                     ? ::mmap(nullptr, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
                     : ::mremap(pages, size, n_bytes, MREMAP_MAYMOVE);
    if (made == MAP_FAILED) Refuse("map a scratch file");
    pages = made;
    size = n_bytes;
  }

  // The pages stay; what they do not use goes back to the disk.
  void Close() {
    static_cast<void>(::ftruncate(descriptor, static_cast<off_t>(size)) == 0);
    ::close(descriptor);
    descriptor = -1;
  }

  [[noreturn]] void Refuse(const std::string& what) const {
    throw Error(ErrorKind::kIo, attempt + "cannot " + what + ": " +
                                    std::generic_category().message(errno) +
                                    "; set TMPDIR to a folder with enough room");
  }

  // Takes space after the end of the file. Returns a code of errno.h; 0 = it is there.
  int Take(std::size_t n_bytes) const {
    // posix_fallocate() would fill a small disk before it fails.
    struct statvfs disk {};
    const bool is_known = ::fstatvfs(descriptor, &disk) == 0 && disk.f_blocks > 0;
    if (is_known && n_bytes / disk.f_frsize > disk.f_bavail) return ENOSPC;
    int code = EINTR;
    while (code == EINTR) {
      code = ::posix_fallocate(descriptor, static_cast<off_t>(size), static_cast<off_t>(n_bytes));
    }
    return code;
  }

  const std::string attempt;
  int descriptor = -1;
  void* pages = nullptr;
  std::size_t size = 0;
};

void GrowingMemory::MoveToFile(const std::string& attempt) {
  if (file_ != nullptr) return;
  auto file = std::make_shared<Mapping>(attempt);
  file->Resize(std::max<std::size_t>(capacity_, 1));
  if (size_ > 0) std::memcpy(file->pages, memory_.get(), size_);
  capacity_ = file->size;
  memory_.reset();
  file_ = std::move(file);
}

void GrowingMemory::Resize(std::size_t n_bytes) {
  if (file_ != nullptr) {
    file_->Resize(n_bytes);
    capacity_ = n_bytes;
    return;
  }
  void* moved = std::realloc(memory_.get(), n_bytes);
  if (moved == nullptr) throw std::bad_alloc();
  static_cast<void>(memory_.release());
  memory_.reset(moved);
  capacity_ = n_bytes;
}

void* GrowingMemory::Extend(std::size_t n_bytes) {
  constexpr std::size_t kSmallest = 64;
  const std::size_t begin = size_;
  if (capacity_ - size_ < n_bytes || capacity_ == 0) {
    Resize(std::max({kSmallest, size_ + n_bytes, capacity_ / 2 * 3}));
  }
  size_ += n_bytes;
  return static_cast<char*>(file_ != nullptr ? file_->pages : memory_.get()) + begin;
}

std::shared_ptr<void> GrowingMemory::Finish() {
  if (size_ > 0) Resize(size_);
  if (file_ != nullptr) {
    file_->Close();
    return {file_, file_->pages};
  }
  return {memory_.release(), Free()};
}

std::string GrowingColumn::Append(const Column& part) {
  name_ = part.name;
  dtype_ = part.dtype;
  const auto n = static_cast<std::size_t>(part.n_rows);
  void* entries = entries_.Extend(n * EntrySize(dtype_));
  if (n > 0) std::memcpy(entries, part.data, n * EntrySize(dtype_));
  std::string problem;
  if (dtype_ == CF_CAT32) {
    problem = AppendCodes(part, static_cast<std::int32_t*>(entries));
  } else {
    AppendValidity(part);
  }
  n_rows_ += n;
  return problem;
}

// Appends codes. Missing entries become -1, whatever marks them.
std::string GrowingColumn::AppendCodes(const Column& part, std::int32_t* codes) {
  ordered_ = part.ordered;
  std::vector<std::int32_t> code_of;
  std::vector<bool> is_known(levels_.size() + part.levels.size());
  for (const std::string& level : part.levels) {
    const std::int32_t code = levels_.CodeOf(level);
    const auto place = static_cast<std::size_t>(code);
    if (is_known[place]) return "has the level '" + Shown(level) + "' twice";
    if (ordered_ && !code_of.empty() && code < code_of.back()) {
      return "has the level '" + Shown(level) + "' in another order than in an earlier array";
    }
    is_known[place] = true;
    code_of.push_back(code);
  }
  for (std::size_t row = 0; row < static_cast<std::size_t>(part.n_rows); ++row) {
    const bool is_missing = codes[row] < 0 || !IsValid(part, row);
    codes[row] = is_missing ? -1 : code_of[static_cast<std::size_t>(codes[row])];
  }
  return "";
}

void GrowingColumn::AppendValidity(const Column& part) {
  const auto n = static_cast<std::size_t>(part.n_rows);
  if (validity_.empty()) {
    if (part.validity == nullptr) return;
    validity_.assign((n_rows_ + 7) / 8, 0xFF);
  }
  validity_.resize((n_rows_ + n + 7) / 8, 0);
  for (std::size_t row = 0; row < n; ++row) {
    const std::size_t bit = n_rows_ + row;
    const auto mask = static_cast<std::uint8_t>(1U << (bit & 7));
    std::uint8_t& byte = validity_[bit >> 3];
    byte = static_cast<std::uint8_t>(IsValid(part, row) ? byte | mask : byte & ~mask);
  }
}

std::int64_t GrowingColumn::bytes() const {
  const std::size_t entries = entries_.is_in_file() ? 0 : n_rows_ * EntrySize(dtype_);
  return static_cast<std::int64_t>(entries + validity_.size() + levels_.bytes());
}

Column GrowingColumn::Finish() {
  struct Buffers {
    std::shared_ptr<void> entries;
    std::vector<std::uint8_t> validity;
  };
  auto buffers = std::make_shared<Buffers>();
  buffers->entries = entries_.Finish();
  buffers->validity = std::move(validity_);
  Column column;
  column.name = std::move(name_);
  column.dtype = dtype_;
  column.n_rows = static_cast<std::int64_t>(n_rows_);
  column.data = buffers->entries.get();
  column.validity = buffers->validity.empty() ? nullptr : buffers->validity.data();
  column.ordered = ordered_;
  if (sorts_levels_) {
    OrderedLevels ordered = OrderLevels(levels_, {});
    auto* codes = static_cast<std::int32_t*>(buffers->entries.get());
    for (std::size_t row = 0; row < n_rows_; ++row) {
      if (codes[row] >= 0) codes[row] = ordered.code_of_found[static_cast<std::size_t>(codes[row])];
    }
    column.levels = std::move(ordered.levels);
  } else {
    for (std::size_t code = 0; code < levels_.size(); ++code) {
      column.levels.push_back(levels_.level(code));
    }
  }
  column.owner = std::move(buffers);
  return column;
}

}  // namespace crossfold
