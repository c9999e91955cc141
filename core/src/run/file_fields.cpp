#include "run/file_fields.h"

#include <algorithm>
#include <cstring>
#include <variant>

#include "crossfold/error.h"
#include "crossfold/version.h"
#include "data/column_entries.h"
#include "data/sha256.h"

namespace crossfold {
namespace {

constexpr std::size_t kHeaderSize = kMagicSize + 4;  // magic and version
constexpr std::size_t kDigestSize = 32;

// Writes the content of a value.
struct ContentWriter {
  plugin::Writer& w;

  void operator()(Null) const {}
  void operator()(bool b) const { w.Write(b); }
  void operator()(std::int64_t i) const { w.Write(i); }
  void operator()(double d) const { w.Write(d); }
  void operator()(const std::string& text) const { w.WriteText(text); }
  template <class T>
  void operator()(const std::vector<T>& list) const {
    w.WriteSpan<T>(list);
  }
};

}  // namespace

std::int64_t AppendBytes(void* stream, const void* bytes, std::size_t n) noexcept {
  try {
    static_cast<std::string*>(stream)->append(static_cast<const char*>(bytes), n);
    return static_cast<std::int64_t>(n);
  } catch (...) {  // no memory
    return -1;
  }
}

std::int64_t TakeBytes(void* stream, void* bytes, std::size_t n) noexcept {
  auto& rest = *static_cast<std::string_view*>(stream);
  const std::size_t given = std::min(n, rest.size());
  std::memcpy(bytes, rest.data(), given);
  rest.remove_prefix(given);
  return static_cast<std::int64_t>(given);
}

// ---- writing -----------------------------------------------------------------------------------

FieldWriter::FieldWriter(const FileFrame& frame) : sink_{&bytes_, &AppendBytes}, w_(sink_) {
  w_.WriteRaw(frame.magic);
  w_.Write(frame.version);
}

void FieldWriter::Text(std::string_view text) { w_.WriteText(text); }

void FieldWriter::Texts(std::span<const std::string> texts) {
  Length(texts.size());
  for (const std::string& text : texts) Text(text);
}

void FieldWriter::Declaration(const ColumnDeclaration& column) {
  Text(column.name);
  Number(column.dtype);
  Number(column.ordered);
  Texts(column.levels);
}

void FieldWriter::Declarations(std::span<const ColumnDeclaration> columns) {
  Length(columns.size());
  for (const ColumnDeclaration& column : columns) Declaration(column);
}

void FieldWriter::Parameter(const Value& value) {
  Number(static_cast<std::uint8_t>(value.index()));
  std::visit(ContentWriter{w_}, value);
}

void FieldWriter::Outline(const TrainingFacts& training,
                          std::span<const ColumnDeclaration> features, std::uint64_t seed) {
  Text(Version());
  Number(seed);
  Text(training.dataset);
  Text(training.content_hash);
  Number(training.n_rows);
  Number(static_cast<std::uint8_t>(training.task));
  Declaration(training.target);
  Texts(training.class_names);
  Declarations(features);
}

std::string FieldWriter::Finish() {
  const Digest digest = Sha256Of(bytes_);
  bytes_.append(reinterpret_cast<const char*>(digest.data()), digest.size());
  return std::move(bytes_);
}

// ---- reading -----------------------------------------------------------------------------------

std::string_view CheckedBody(std::string_view bytes, const FileFrame& frame,
                             const std::string& attempt) {
  const auto refuse = [&](const std::string& finding) {
    throw Error(ErrorKind::kBadData, attempt + finding);
  };
  if (bytes.size() < kHeaderSize + kDigestSize) refuse(kDamagedFile);
  std::uint32_t version = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    version |= std::uint32_t{static_cast<unsigned char>(bytes[kMagicSize + i])} << (8 * i);
  }
  if (version > frame.version) {
    refuse("it has format " + std::to_string(version) + ", Crossfold " + std::string(Version()) +
           " reads up to " + std::to_string(frame.version) + "; use a newer Crossfold");
  }
  if (version == 0) refuse(kDamagedFile);
  const std::string_view covered = bytes.substr(0, bytes.size() - kDigestSize);
  const Digest digest = Sha256Of(covered);
  const std::string_view stored = bytes.substr(covered.size());
  if (std::memcmp(digest.data(), stored.data(), kDigestSize) != 0) refuse(kDamagedFile);
  return covered.substr(kHeaderSize);
}

std::string_view FieldReader::Bytes() {
  const auto size = r_.Read<std::uint64_t>();
  if (size > rest_.size()) Fail();
  const std::string_view bytes = rest_.substr(0, static_cast<std::size_t>(size));
  rest_.remove_prefix(bytes.size());
  return bytes;
}

std::vector<std::string> FieldReader::Texts() {
  return List([this] { return Text(); });
}

ColumnDeclaration FieldReader::Declaration() {
  ColumnDeclaration column;
  column.name = Text();
  column.dtype = Number<std::int32_t>();
  column.ordered = Number<bool>();
  column.levels = Texts();
  if (EntrySize(column.dtype) == 0) Fail();
  if (column.dtype != CF_CAT32 && !column.levels.empty()) Fail();
  return column;
}

std::vector<ColumnDeclaration> FieldReader::Declarations() {
  return List([this] { return Declaration(); });
}

Value FieldReader::Parameter() {
  switch (r_.Read<std::uint8_t>()) {
    case 0:
      return Null{};
    case 1:
      return r_.Read<bool>();
    case 2:
      return r_.Read<std::int64_t>();
    case 3:
      return r_.Read<double>();
    case 4:
      return Text();
    case 5:
      return r_.ReadVector<std::int64_t>();
    case 6:
      return r_.ReadVector<double>();
    default:
      Fail();
  }
}

ModelOutline FieldReader::Outline() {
  ModelOutline outline;
  Text();  // the Crossfold version, for people who look into the file
  outline.seed = Number<std::uint64_t>();
  TrainingFacts& training = outline.training;
  training.dataset = Text();
  training.content_hash = Text();
  training.n_rows = Number<std::int64_t>();
  training.task =
      r_.ReadWithin<std::uint8_t>(1, 2) == 1 ? Task::kClassification : Task::kRegression;
  training.target = Declaration();
  training.class_names = Texts();
  if ((training.task == Task::kClassification) == training.class_names.empty()) Fail();
  outline.features = Declarations();
  return outline;
}

void FieldReader::End() const {
  if (!rest_.empty()) Fail();
}

}  // namespace crossfold
