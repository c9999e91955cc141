// The arrays of a record batch, with buffers that have been checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "entry_type.h"
#include "ipc_tables.h"

namespace crossfold::reading {

// A column of a batch. Buffers that can be used in the file stay there.
struct IpcArray {
  std::int64_t n_rows = 0, n_nulls = 0;
  const std::uint8_t* validity = nullptr;  // null = all are present
  const char* data = nullptr;  // aligned; of strings: offsets that never fall and end in `text`
  const char* text = nullptr;
  std::vector<std::shared_ptr<const void>> owners = {};  // owns what is not in the file

  bool is_null(std::int64_t row) const;
  // REQUIRES: strings with offsets of `width` bytes.
  std::string_view Text(std::int64_t row, std::int64_t width) const;
};

// Reads the columns of a batch one after the other.
class IpcBatch {
 public:
  // All arguments outlive this. `most_bytes` bounds what is decompressed. Throws Error.
  IpcBatch(const ipc::RecordBatch& table, std::string_view body, std::int64_t most_bytes);

  std::int64_t n_rows() const { return table_.n_rows(); }
  // `column` is for messages. Throws Error.
  IpcArray Next(const EntryType& type, const std::string& column);
  void Skip(const FieldShare& share);

 private:
  struct Bytes {
    const char* data = nullptr;
    std::size_t size = 0;
  };
  // Returns the next buffer, which has at least `needed` bytes. Memory that it owns is added to
  // `array`.
  Bytes NextBuffer(std::size_t needed, const std::string& column, IpcArray& array);
  Bytes Unpacked(Bytes packed, const std::string& column, IpcArray& array);
  static void CheckUtf8(const EntryType& type, const std::string& column, const IpcArray& array);
  void ReadTexts(const EntryType& type, const std::string& column, IpcArray& array);
  void ReadViews(const EntryType& type, const std::string& column, IpcArray& array);
  std::size_t NextViewCount(const std::string& column);

  const ipc::RecordBatch& table_;
  std::string_view body_;
  std::int64_t bytes_left_;  // to decompress
  std::size_t node_ = 0, buffer_ = 0, view_ = 0;
};

}  // namespace crossfold::reading
