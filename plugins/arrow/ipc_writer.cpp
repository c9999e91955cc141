#include "ipc_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "../reading/refusal.h"
#include "entry_type.h"
#include "ipc_file.h"
#include "ipc_tables.h"
#include "written_array.h"

namespace crossfold::reading {
namespace {

// A file that is complete or absent. Writes next to `path`, and moves the file there when it is
// complete. Functions throw Error(CF_E_IO).
class NewFile {
 public:
  explicit NewFile(std::string path);
  // Removes what was not finished.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void Write(std::string_view bytes);
  // Writes zeros until the size is a multiple of `alignment`, at most 64.
  void Pad(std::int64_t alignment);
  std::int64_t size() const { return size_; }
  // Writes the file to the disk and moves it to `path`.
  void Finish();

 private:
  void Flush();
  void WriteOut(std::string_view bytes);
  [[noreturn]] void Refuse() const;  // by errno

  const std::string path_, beside_;
  int descriptor_;
  std::int64_t size_ = 0;
  std::string buffered_;
};

constexpr std::size_t kBuffered = std::size_t{1} << 16;

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

constexpr std::int64_t kBodyAlignment = 64;  // of bodies and buffers, as the format recommends
using Builder = flatbuffers::FlatBufferBuilder;

// A struct of the C data interface that is released at the end.
template <class T>
struct Released {
  T part{};
  Released() = default;
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  ~Released() {
    if (part.release != nullptr) part.release(&part);
  }
};

struct WrittenColumn {
  EntryType type;  // with levels: of the indices
  std::optional<EntryType> level_type = {};
  std::optional<std::vector<std::string>> levels = {};  // the buffers of the dictionary, once known
};

class IpcWriter {
 public:
  IpcWriter(const std::string& path, ArrowArrayStream& columns, const plugin::Context& context)
      : columns_(columns), context_(context), is_stream_(path.ends_with(".arrows")), file_(path) {}

  void Run() {
    Check(columns_.get_schema(&columns_, &schema_.part));
    DescribeColumns();
    if (!is_stream_) {
      file_.Write(kArrowMagic);
      file_.Pad(8);
    }
    WriteSchemaMessage();
    for (;;) {
      context_.Progress(0);
      Released<ArrowArray> array;
      Check(columns_.get_next(&columns_, &array.part));
      if (array.part.release == nullptr) break;
      WriteArray(array.part);
    }
    WriteNumber(-1);  // the end of the messages
    WriteNumber(0);
    if (!is_stream_) WriteFooter();
    file_.Finish();
  }

 private:
  void Check(int code) const {
    if (code == 0) return;
    if (code == ECANCELED) throw plugin::Error(CF_E_CANCELLED, "cancelled by the host");
    const char* reason =
        columns_.get_last_error == nullptr ? nullptr : columns_.get_last_error(&columns_);
    RefuseContent(reason != nullptr
                      ? ShownWhole(reason)
                      : "the columns cannot be read: " + std::generic_category().message(code));
  }

  const ArrowSchema& field(std::size_t i) const { return *schema_.part.children[i]; }

  [[noreturn]] void Refuse(std::size_t column, const std::string& finding) const {
    RefuseContent("column '" + Shown(field(column).name) + "' " + finding);
  }

  void DescribeColumns() {
    written_.resize(static_cast<std::size_t>(schema_.part.n_children));
    for (std::size_t i = 0; i < written_.size(); ++i) {
      const ArrowSchema* levels = field(i).dictionary;
      const auto type = EntryTypeOf(field(i).format);
      if (!type) {
        Refuse(i, "is of type " + Shown(field(i).format) + ", which cannot be written");
      }
      written_[i].type = *type;
      if (levels == nullptr) continue;
      written_[i].level_type = EntryTypeOf(levels->format);
      if (!written_[i].level_type || written_[i].level_type->layout != EntryLayout::kText) {
        Refuse(i, "has a dictionary of a type other than string, which cannot be written");
      }
    }
  }

  // As the C data interface encodes them: numbers of pairs and of bytes as int32, without NUL.
  static flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<ipc::KeyValue>>> MakeMetadata(
      const char* encoded, Builder& builder) {
    if (encoded == nullptr) return 0;
    const auto take_size = [&] {
      std::int32_t size = 0;
      std::memcpy(&size, encoded, sizeof size);
      encoded += sizeof size;
      return size;
    };
    const auto take_text = [&] {
      const auto size = static_cast<std::size_t>(take_size());
      const auto text = builder.CreateString(encoded, size);
      encoded += size;
      return text;
    };
    std::vector<flatbuffers::Offset<ipc::KeyValue>> pairs;
    for (std::int32_t left = take_size(); left > 0; --left) {
      const auto key = take_text();
      const auto value = take_text();
      pairs.push_back(ipc::CreateKeyValue(builder, key, value));
    }
    return builder.CreateVector(pairs);
  }

  flatbuffers::Offset<ipc::Schema> MakeSchema(Builder& builder) const {
    std::vector<flatbuffers::Offset<ipc::Field>> fields;
    for (std::size_t i = 0; i < written_.size(); ++i) {
      const WrittenColumn& column = written_[i];
      const auto name = builder.CreateString(field(i).name);
      const TypeTable type = MakeTypeTable(column.level_type.value_or(column.type), builder);
      flatbuffers::Offset<ipc::DictionaryEncoding> dictionary = 0;
      if (column.level_type) {
        const bool is_ordered = (field(i).flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0;
        dictionary = ipc::CreateDictionaryEncoding(builder, static_cast<std::int64_t>(i),
                                                   MakeIntTable(column.type, builder), is_ordered);
      }
      const auto metadata = MakeMetadata(field(i).metadata, builder);
      // Other readers need a list of children, even an empty one.
      const auto children = builder.CreateVector(std::vector<flatbuffers::Offset<ipc::Field>>());
      const bool is_nullable = (field(i).flags & ARROW_FLAG_NULLABLE) != 0;
      fields.push_back(ipc::CreateField(builder, name, is_nullable, type.type, type.table,
                                        dictionary, children, metadata));
    }
    return ipc::CreateSchema(builder, ipc::ByteOrder::Little, builder.CreateVector(fields));
  }

  void WriteSchemaMessage() {
    Builder builder;
    const auto schema = MakeSchema(builder);
    WriteHead(builder, ipc::Header::Schema, schema.Union(), 0);
  }

  // Returns how many bytes precede the body.
  std::int32_t WriteHead(Builder& builder, ipc::Header type, flatbuffers::Offset<void> table,
                         std::int64_t body_size) {
    builder.Finish(ipc::CreateMessage(builder, ipc::Version::V5, type, table, body_size));
    const std::int64_t begin = file_.size();
    const std::int64_t end = begin + 8 + static_cast<std::int64_t>(builder.GetSize());
    const std::int64_t body = (end + kBodyAlignment - 1) / kBodyAlignment * kBodyAlignment;
    WriteNumber(-1);
    WriteNumber(static_cast<std::int32_t>(body - begin - 8));
    WriteBytes(builder);
    file_.Pad(kBodyAlignment);
    return static_cast<std::int32_t>(body - begin);
  }

  void WriteBytes(const Builder& builder) {
    file_.Write({reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()});
  }
  void WriteNumber(std::int32_t number) {
    file_.Write({reinterpret_cast<const char*>(&number), sizeof number});
  }

  // Writes a message of these columns; a dictionary if it has a number.
  ipc::Block WriteColumns(const std::vector<WrittenArray>& columns, std::int64_t n_rows,
                          std::optional<std::int64_t> dictionary) {
    std::vector<ipc::Node> nodes;
    std::vector<ipc::Buffer> buffers;
    std::int64_t size = 0;
    for (const WrittenArray& column : columns) {
      const bool has_entries = !column.buffers.empty();
      nodes.emplace_back(column.n_rows, has_entries ? column.n_nulls : column.n_rows);
      for (const std::string_view buffer : column.buffers) {
        const auto bytes = static_cast<std::int64_t>(buffer.size());
        buffers.emplace_back(size, bytes);
        size += (bytes + kBodyAlignment - 1) / kBodyAlignment * kBodyAlignment;
      }
    }
    Builder builder;
    const auto batch = ipc::CreateRecordBatch(builder, n_rows, builder.CreateVectorOfStructs(nodes),
                                              builder.CreateVectorOfStructs(buffers));
    const std::int64_t begin = file_.size();
    const std::int32_t head =
        dictionary
            ? WriteHead(builder, ipc::Header::DictionaryBatch,
                        ipc::CreateDictionaryBatch(builder, *dictionary, batch).Union(), size)
            : WriteHead(builder, ipc::Header::RecordBatch, batch.Union(), size);
    for (const WrittenArray& column : columns) {
      context_.Progress(0);
      for (const std::string_view buffer : column.buffers) {
        file_.Write(buffer);
        file_.Pad(kBodyAlignment);
      }
    }
    return {begin, head, size};
  }

  void WriteArray(const ArrowArray& array) {
    if (array.n_children != schema_.part.n_children) {
      RefuseContent("an array has different columns from the schema");
    }
    std::vector<WrittenArray> columns;
    for (std::size_t i = 0; i < written_.size(); ++i) {
      const ArrowArray& child = *array.children[i];
      if (written_[i].level_type) WriteLevels(i, child);
      columns.push_back(ToWritten(child, written_[i].type, array.offset, array.length));
    }
    batches_.push_back(WriteColumns(columns, array.length, std::nullopt));
  }

  void WriteLevels(std::size_t i, const ArrowArray& child) {
    if (child.dictionary == nullptr) Refuse(i, "has no dictionary in its array");
    std::vector<WrittenArray> levels;
    levels.push_back(
        ToWritten(*child.dictionary, *written_[i].level_type, 0, child.dictionary->length));
    std::vector<std::string> bytes(levels[0].buffers.begin(), levels[0].buffers.end());
    if (written_[i].levels) {
      if (written_[i].levels != bytes) {
        Refuse(i, "has different levels in a later part, which an Arrow IPC file cannot hold");
      }
      return;
    }
    written_[i].levels = std::move(bytes);
    dictionaries_.push_back(WriteColumns(levels, levels[0].n_rows, static_cast<std::int64_t>(i)));
  }

  void WriteFooter() {
    Builder builder;
    const auto schema = MakeSchema(builder);
    const auto dictionaries = builder.CreateVectorOfStructs(dictionaries_);
    const auto batches = builder.CreateVectorOfStructs(batches_);
    builder.Finish(ipc::CreateFooter(builder, ipc::Version::V5, schema, dictionaries, batches));
    WriteBytes(builder);
    WriteNumber(static_cast<std::int32_t>(builder.GetSize()));
    file_.Write(kArrowMagic);
  }

  ArrowArrayStream& columns_;
  const plugin::Context& context_;
  const bool is_stream_;
  NewFile file_;
  Released<ArrowSchema> schema_;
  std::vector<WrittenColumn> written_;
  std::vector<ipc::Block> dictionaries_, batches_;
};

}  // namespace

void WriteIpcFile(const std::string& path, ArrowArrayStream& columns,
                  const plugin::Context& context) {
  IpcWriter(path, columns, context).Run();
}

}  // namespace crossfold::reading
