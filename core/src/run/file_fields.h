// What the files of models are made of: their frame with a checksum, and the fields inside. Numbers
// are little-endian, texts are their length (8 bytes) and their bytes, lists their length and their
// elements. A declaration is text name, type (4), ordered (1), list of level names. A value is its
// kind (1: the place in crossfold::Value) and its content; reals are stored as their bits. An
// outline is
//   text Crossfold version, seed (8)
//   training data: text name, text content hash, rows (8), task (1: 1 = classification,
//     2 = regression), the target's declaration, list of class names
//   list of declarations of the features
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "crossfold/fitted_model.h"
#include "crossfold/value.h"
#include "crossfold_plugin/stream.hpp"

namespace crossfold {

inline constexpr const char* kDamagedFile = "it is damaged or cut short; save it again";
inline constexpr std::size_t kMagicSize = 8;

// The frame of a kind of file: its first eight bytes, and the newest format that is read.
struct FileFrame {
  std::string_view magic;
  std::uint32_t version;
};

// Callbacks of cf_writer and cf_reader; the stream is a std::string, or a std::string_view that is
// consumed from the front.
std::int64_t AppendBytes(void* stream, const void* bytes, std::size_t n) noexcept;
std::int64_t TakeBytes(void* stream, void* bytes, std::size_t n) noexcept;

// Magic, format version (4 bytes), fields, SHA-256 (32 bytes) over all that.
class FieldWriter {
 public:
  explicit FieldWriter(const FileFrame& frame);
  FieldWriter(const FieldWriter&) = delete;
  FieldWriter& operator=(const FieldWriter&) = delete;

  template <plugin::Storable T>
  void Number(T number) {
    w_.Write(number);
  }
  void Length(std::size_t n) { w_.Write(static_cast<std::uint64_t>(n)); }
  void Text(std::string_view text);
  void Texts(std::span<const std::string> texts);
  void Declaration(const ColumnDeclaration& column);
  void Declarations(std::span<const ColumnDeclaration> columns);
  void Parameter(const Value& value);
  void Outline(const TrainingFacts& training, std::span<const ColumnDeclaration> features,
               std::uint64_t seed);

  // The whole file. REQUIRES: called once.
  std::string Finish();

 private:
  std::string bytes_;
  const cf_writer sink_;
  plugin::Writer w_;
};

// The bytes between the header and the checksum. Throws Error "<attempt><finding>"; bytes that do
// not begin with the magic are for the caller to tell.
std::string_view CheckedBody(std::string_view bytes, const FileFrame& frame,
                             const std::string& attempt);

// Throws plugin::Error for what cannot be.
class FieldReader {
 public:
  explicit FieldReader(std::string_view body)
      : rest_(body), stream_{&rest_, &TakeBytes}, r_(stream_) {}
  FieldReader(const FieldReader&) = delete;
  FieldReader& operator=(const FieldReader&) = delete;

  [[noreturn]] static void Fail() { throw plugin::Error(CF_E_BAD_BLOB, kDamagedFile); }

  template <plugin::Storable T>
  T Number() {
    return r_.Read<T>();
  }
  std::string Text() { return std::string(Bytes()); }
  // A text that stays in the bytes given.
  std::string_view Bytes();
  // Elements take bytes, so a length that is a lie ends with the bytes.
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
  ModelOutline Outline();
  // Throws if bytes are left over.
  void End() const;

 private:
  std::string_view rest_;
  const cf_reader stream_;
  plugin::Reader r_;
};

}  // namespace crossfold
