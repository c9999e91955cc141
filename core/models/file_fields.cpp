#include "models/file_fields.h"

#include <cstring>

#include "crossfold/error.h"
#include "crossfold/version.h"
#include "engine/data/sha256.h"

namespace crossfold {
namespace {

constexpr std::size_t kHeaderSize = kMagicSize + 4;  // magic and version
constexpr std::size_t kDigestSize = 32;

}  // namespace

std::string Framed(const FileFrame& frame, std::string_view fields) {
  FieldWriter file;
  file.Raw(frame.magic);
  file.Number(frame.version);
  file.Raw(fields);
  const Digest digest = Sha256Of(file.bytes());
  file.Raw({reinterpret_cast<const char*>(digest.data()), digest.size()});
  return file.Take();
}

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

void WriteOutline(const TrainingFacts& training, std::span<const ColumnDeclaration> features,
                  std::uint64_t seed, FieldWriter& fields) {
  fields.Text(Version());
  fields.Number(seed);
  fields.Text(training.dataset);
  fields.Text(training.content_hash);
  fields.Number(training.n_rows);
  fields.Number(static_cast<std::uint8_t>(training.task));
  fields.Declaration(training.target);
  fields.Texts(training.class_names);
  fields.Declarations(features);
}

ModelOutline ReadOutline(FieldReader& fields) {
  ModelOutline outline;
  fields.Text();  // the Crossfold version, which only people read
  outline.seed = fields.Number<std::uint64_t>();
  TrainingFacts& training = outline.training;
  training.dataset = fields.Text();
  training.content_hash = fields.Text();
  training.n_rows = fields.Number<std::int64_t>();
  const auto task = fields.Number<std::uint8_t>();
  if (task < 1 || task > 2) FieldReader::Fail();
  training.task = task == 1 ? Task::kClassification : Task::kRegression;
  training.target = fields.Declaration();
  training.class_names = fields.Texts();
  if ((training.task == Task::kClassification) == training.class_names.empty()) FieldReader::Fail();
  outline.features = fields.Declarations();
  return outline;
}

}  // namespace crossfold
