// Packed fields, which files, stored rows and messages to workers consist of. Numbers are
// little-endian, texts are their length (8 bytes) and their bytes, and lists their length and their
// elements. A declaration is text name, type (4), ordered (1), list of level names. A value is its
// kind (1: the index in crossfold::Value) and its content; reals are stored as their bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/value.h"
#include "crossfold_plugin/stream.hpp"

namespace crossfold {

// Callbacks of cf_writer and cf_reader; the stream is a std::string, or a std::string_view that is
// consumed from its beginning.
std::int64_t AppendBytes(void* stream, const void* bytes, std::size_t n) noexcept;
std::int64_t TakeBytes(void* stream, void* bytes, std::size_t n) noexcept;

class FieldWriter {
 public:
  FieldWriter() : sink_{&bytes_, &Append}, w_(sink_) {}
  FieldWriter(const FieldWriter&) = delete;
  FieldWriter& operator=(const FieldWriter&) = delete;

  template <plugin::Storable T>
  void Number(T number) {
    w_.Write(number);
  }
  void Length(std::size_t n) { w_.Write(static_cast<std::uint64_t>(n)); }
  void Text(std::string_view text);
  void Texts(std::span<const std::string> texts);
  // Writes the length and the entries, which are arithmetic and take the same number of bytes as in
  // memory.
  template <class T>
  void Numbers(std::span<const T> numbers) {
    static_assert(std::is_arithmetic_v<T> && std::endian::native == std::endian::little);
    Length(numbers.size());
    Raw({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  }
  // Takes memory for that many more bytes at once.
  void Reserve(std::size_t n) { bytes_.reserve(bytes_.size() + n); }
  // Writes the bytes alone, without their number.
  void Raw(std::string_view bytes) { bytes_.append(bytes); }
  void Declaration(const ColumnDeclaration& column);
  void Declarations(std::span<const ColumnDeclaration> columns);
  void Parameter(const Value& value);

  const std::string& bytes() const { return bytes_; }
  // REQUIRES: no other function is called afterwards.
  std::string Take() { return std::move(bytes_); }

 private:
  // Does what AppendBytes does for callers in C++. Throws std::bad_alloc if there is no memory.
  static std::int64_t Append(void* stream, const void* bytes, std::size_t n);

  std::string bytes_;
  const cf_writer sink_;
  plugin::Writer w_;
};

// Reads fields. Throws plugin::Error for invalid bytes. Memory grows with the bytes that exist,
// never with a length that they claim.
class FieldReader {
 public:
  explicit FieldReader(std::string_view body)
      : rest_(body), stream_{&rest_, &TakeBytes}, r_(stream_) {}
  FieldReader(const FieldReader&) = delete;
  FieldReader& operator=(const FieldReader&) = delete;

  [[noreturn]] static void Fail();

  template <plugin::Storable T>
  T Number() {
    return r_.Read<T>();
  }
  std::string Text() { return std::string(Bytes()); }
  // Reads a text, which stays in the given bytes.
  std::string_view Bytes();
  // Reads what FieldWriter::Numbers wrote.
  template <class T>
  std::vector<T> Numbers() {
    static_assert(std::is_arithmetic_v<T> && std::endian::native == std::endian::little);
    const auto n = r_.Read<std::uint64_t>();
    if (n > rest_.size() / sizeof(T)) Fail();
    std::vector<T> numbers(static_cast<std::size_t>(n));
    if (n > 0) std::memcpy(numbers.data(), rest_.data(), numbers.size() * sizeof(T));
    rest_.remove_prefix(numbers.size() * sizeof(T));
    return numbers;
  }
  // Reads the next n bytes, which stay in the given bytes.
  std::string_view Raw(std::size_t n);
  // Elements take bytes, so a false length ends with the bytes.
  template <class ReadOne>
  std::vector<std::invoke_result_t<ReadOne>> List(const ReadOne& read_one) {
    std::vector<std::invoke_result_t<ReadOne>> list;
    const auto n = r_.Read<std::uint64_t>();
    for (std::uint64_t i = 0; i < n; ++i) list.push_back(read_one());
    return list;
  }
  std::vector<std::string> Texts();
  ColumnDeclaration Declaration();
  std::vector<ColumnDeclaration> Declarations();
  Value Parameter();
  // The bytes that were not read yet.
  std::string_view rest() const { return rest_; }
  // Throws if bytes are left over.
  void End() const;

 private:
  std::string_view rest_;
  const cf_reader stream_;
  plugin::Reader r_;
};

}  // namespace crossfold
