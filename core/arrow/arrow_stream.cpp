#include "arrow/arrow_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <system_error>

#include "arrow/arrow_field.h"
#include "arrow/arrow_struct.h"
#include "arrow/growing_column.h"
#include "crossfold/arrow.h"
#include "engine/data/column_entries.h"
#include "engine/text/shown_text.h"

namespace crossfold {
namespace {

constexpr int kMaxEmptyArrays = 1 << 16;  // one after the other
constexpr std::size_t kMaxReason = 4096;  // bytes
// Each has a descriptor while it grows, and a process may have no more than 1024 in all.
constexpr std::size_t kMaxScratchFiles = 256;

// The pages of mapped files, which are not memory of this process alone.
class FilePages {
 public:
  FilePages();
  bool Has(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto next = std::ranges::upper_bound(ranges_, at, {}, &Range::second);
    return next != ranges_.end() && next->first <= at;
  }

 private:
  using Range = std::pair<std::uintptr_t, std::uintptr_t>;  // begin and end
  std::vector<Range> ranges_;                               // ascending
};

FilePages::FilePages() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    std::uint64_t inode = 0;
    char dash = 0;
    std::string flags, offset, device;
    std::istringstream words(line);
    words.setf(std::istringstream::hex, std::istringstream::basefield);
    words >> begin >> dash >> end >> flags >> offset >> device >> inode;  // 0 is 0 in any base
    if (words && inode != 0) ranges_.emplace_back(begin, end);
  }
}

// A stream that stays in its place, because its functions may know its address.
class OpenStream {
 public:
  OpenStream(ArrowArrayStream* stream, const std::string& attempt)
      : stream_(stream), attempt_(attempt) {
    if (stream_->release == nullptr) Refuse("its stream has been released already");
    if (stream_->get_schema == nullptr || stream_->get_next == nullptr) {
      Release();
      Refuse("its stream lacks get_schema() or get_next()");
    }
  }
  ~OpenStream() { Release(); }
  OpenStream(const OpenStream&) = delete;
  OpenStream& operator=(const OpenStream&) = delete;

  std::unique_ptr<const Taken<ArrowSchema>> Schema() {
    ArrowSchema schema{};
    Check(stream_->get_schema(stream_, &schema));
    if (schema.release == nullptr) Refuse("its stream gave a schema that has been released");
    Taken<ArrowSchema> taken(&schema);  // until there is memory to keep it
    return std::make_unique<const Taken<ArrowSchema>>(taken.source());
  }

  // The next array; null at the end.
  TakenArray Next() {
    ArrowArray array{};
    Check(stream_->get_next(stream_, &array));
    if (array.release == nullptr) return nullptr;
    Taken<ArrowArray> taken(&array);
    return std::make_shared<const Taken<ArrowArray>>(taken.source());
  }

 private:
  [[noreturn]] void Refuse(const std::string& finding) const {
    throw Error(ErrorKind::kBadData, attempt_ + finding);
  }

  void Release() {
    if (stream_->release != nullptr) stream_->release(stream_);
    stream_->release = nullptr;
  }

  void Check(int code) const {
    if (code == 0) return;
    const char* text =
        stream_->get_last_error == nullptr ? nullptr : stream_->get_last_error(stream_);
    std::string reason = text == nullptr ? "" : std::string(text, strnlen(text, kMaxReason));
    if (reason.empty()) {
      reason = "its stream failed: " + std::generic_category().message(code) + " (code " +
               std::to_string(code) + ")";
    }
    throw StreamFailure(attempt_, code, std::move(reason));
  }

  ArrowArrayStream* stream_;
  const std::string& attempt_;
};

class StreamReader {
 public:
  StreamReader(OpenStream& stream, const ArrowReading& reading)
      : stream_(stream),
        reading_(reading),
        schema_(stream.Schema()),
        fields_(schema_->value(), reading.attempt, reading.unused) {}

  ArrowColumns Run() {
    ArrowColumns result;
    CheckBytes(0);
    result.roles = fields_.FindRoles();
    if (reading_.check) reading_.check(fields_.names(), result.roles);
    TakenArray first = Next();
    TakenArray second = first == nullptr ? nullptr : Next();
    if (second == nullptr) {
      result.columns = first == nullptr ? fields_.EmptyColumns() : fields_.ColumnsOf(first);
      CheckColumns(result.columns);
      return result;
    }
    Start();
    for (TakenArray* array : {&first, &second}) Append(std::move(*array));
    while (TakenArray array = Next()) Append(std::move(array));
    for (GrowingColumn& column : columns_) result.columns.push_back(column.Finish());
    return result;
  }

 private:
  TakenArray Next() {
    StopIfCancelled(reading_.limits.cancel);
    TakenArray array = stream_.Next();
    if (array == nullptr || array->value().length != 0) {
      n_empty_ = 0;
    } else if (++n_empty_ > kMaxEmptyArrays) {
      Refuse("its stream gives arrays without rows and does not end");
    }
    return array;
  }

  void Start() {
    columns_.resize(fields_.used().size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const ArrowSchema& field = *fields_.used()[i];
      const bool is_text = field.format != nullptr && IsArrowText(field.format);
      if (is_text && field.dictionary == nullptr) columns_[i].SortLevels();
    }
  }

  void Append(TakenArray array) {
    const std::vector<Column> parts = fields_.ColumnsOf(array, n_rows_);
    n_rows_ += array->value().length;
    MoveIfLarge(parts);
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string problem = columns_[i].Append(parts[i]);
      if (!problem.empty()) {
        throw Error(ErrorKind::kBadData,
                    ArrowSubject(*fields_.used()[i], reading_.attempt) + problem);
      }
      bytes += columns_[i].bytes();
    }
    CheckBytes(bytes);
  }

  // Moves the columns to scratch files if they would be too large for memory with these parts.
  void MoveIfLarge(const std::vector<Column>& parts) {
    if (columns_.size() > kMaxScratchFiles) return;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      bytes += columns_[i].bytes() + EntryBytes(parts[i]);
    }
    if (bytes <= reading_.limits.in_memory) return;
    for (GrowingColumn& column : columns_) column.MoveToFile(reading_.attempt);
  }

  static std::int64_t EntryBytes(const Column& column) {
    return column.n_rows * static_cast<std::int64_t>(EntrySize(column.dtype));
  }

  void CheckColumns(const std::vector<Column>& columns) const {
    if (reading_.limits.memory == std::numeric_limits<std::int64_t>::max()) return;
    const FilePages in_files;
    std::int64_t bytes = 0;
    for (const Column& column : columns) {
      if (!in_files.Has(column.data)) bytes += EntryBytes(column);
      for (const std::string& level : column.levels) {
        bytes += static_cast<std::int64_t>(sizeof level + level.size());
      }
    }
    CheckBytes(bytes);
  }

  void CheckBytes(std::int64_t bytes) const {
    const auto n_columns = static_cast<std::int64_t>(fields_.used().size());
    if (bytes + n_columns * ReadingLimits::kColumnBytes <= reading_.limits.memory) return;
    Refuse("its columns take more than the " + std::to_string(reading_.limits.memory) +
           " bytes of memory that are left for them; read fewer columns or rows, or give it more "
           "memory");
  }

  [[noreturn]] void Refuse(const std::string& finding) const {
    throw Error(ErrorKind::kBadData, reading_.attempt + finding);
  }

  OpenStream& stream_;
  const ArrowReading& reading_;
  std::unique_ptr<const Taken<ArrowSchema>> schema_;
  ArrowFields fields_;
  int n_empty_ = 0;
  std::int64_t n_rows_ = 0;
  std::vector<GrowingColumn> columns_;
};

std::string AttemptOn(const std::string& name) { return "cannot import '" + Shown(name) + "'"; }
std::string ImportAttempt(const std::string& name) { return AttemptOn(name) + ": "; }

}  // namespace

cf_status StreamFailure::status() const {
  switch (code_) {
    case EINVAL:
      return CF_E_INVALID_PARAM;
    case ENOMEM:
      return CF_E_OUT_OF_MEMORY;
    case ECANCELED:
      return CF_E_CANCELLED;
    default:
      return CF_E_UNSUPPORTED_DATA;
  }
}

ArrowColumns ReadArrowStream(ArrowArrayStream* stream, const ArrowReading& reading) {
  OpenStream open(stream, reading.attempt);
  return StreamReader(open, reading).Run();
}

std::shared_ptr<const Dataset> ImportArrow(ArrowSchema* schema, ArrowArray* array,
                                           const std::string& name, const Roles& roles,
                                           InfiniteEntries infinite) {
  const std::string attempt = ImportAttempt(name);
  const bool was_released = schema->release == nullptr || array->release == nullptr;
  const Taken<ArrowSchema> types(schema);
  Taken<ArrowArray> taken(array);  // until there is memory to keep it
  const TakenArray entries = std::make_shared<const Taken<ArrowArray>>(taken.source());
  if (was_released) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "its schema or array has been released already");
  }
  const ArrowFields fields(types.value(), attempt, {});
  std::vector<Column> columns = fields.ColumnsOf(entries);
  SettleInfiniteEntries(columns, infinite, AttemptOn(name));
  return Dataset::Create(name, std::move(columns), WithFoundRoles(roles, fields.FindRoles()));
}

std::shared_ptr<const Dataset> ImportArrowStream(ArrowArrayStream* stream, const std::string& name,
                                                 const Roles& roles, InfiniteEntries infinite) {
  ArrowColumns read = ReadArrowStream(stream, {.attempt = ImportAttempt(name)});
  SettleInfiniteEntries(read.columns, infinite, AttemptOn(name));
  return Dataset::Create(name, std::move(read.columns), WithFoundRoles(roles, read.roles));
}

}  // namespace crossfold
