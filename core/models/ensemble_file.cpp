#include "models/ensemble_file.h"

#include <utility>

#include "crossfold/error.h"
#include "models/model_file.h"
#include "models/model_outline.h"

namespace crossfold {
namespace {

constexpr FileFrame kEnsembleFrame{"CFXENSEM", 1};

EnsembleMember ReadMember(FieldReader& fields) {
  EnsembleMember member;
  member.name = fields.Text();
  if (fields.Number<bool>()) member.features = fields.Texts();
  member.bytes = fields.Text();
  return member;
}

// Throws plugin::Error or Error for invalid bytes.
SavedEnsemble ReadEnsembleFields(std::string_view body) {
  FieldReader fields(body);
  SavedEnsemble saved;
  saved.kind = fields.Text();
  saved.name = fields.Text();
  saved.outline = ReadOutline(fields);
  const auto n_options = fields.Number<std::uint64_t>();
  for (std::uint64_t i = 0; i < n_options; ++i) {
    std::string name = fields.Text();
    if (!saved.options.emplace(std::move(name), fields.Parameter()).second) FieldReader::Fail();
  }
  saved.members = fields.List([&] { return ReadMember(fields); });
  fields.End();
  if (saved.members.empty()) FieldReader::Fail();
  EmptyData(saved.outline);
  return saved;
}

}  // namespace

bool IsEnsembleModel(std::string_view bytes) {
  return bytes.substr(0, kMagicSize) == kEnsembleFrame.magic;
}

std::string WriteEnsemble(const SavedEnsemble& ensemble) {
  FieldWriter fields;
  fields.Text(ensemble.kind);
  fields.Text(ensemble.name);
  const ModelOutline& outline = ensemble.outline;
  WriteOutline(outline.training, outline.features, outline.seed, fields);
  fields.Length(ensemble.options.size());
  for (const auto& [name, value] : ensemble.options) {
    fields.Text(name);
    fields.Parameter(value);
  }
  fields.Length(ensemble.members.size());
  for (const EnsembleMember& member : ensemble.members) {
    fields.Text(member.name);
    fields.Number(member.features.has_value());
    if (member.features) fields.Texts(*member.features);
    fields.Text(member.bytes);
  }
  return Framed(kEnsembleFrame, fields.bytes());
}

SavedEnsemble ReadEnsemble(std::string_view bytes, const std::string& attempt) {
  const std::string_view body = CheckedBody(bytes, kEnsembleFrame, attempt);
  try {
    return ReadEnsembleFields(body);
  } catch (const plugin::Error&) {  // right checksum, wrong content: not written by WriteEnsemble
  } catch (const Error&) {
  }
  throw Error(ErrorKind::kBadData, attempt + kDamagedFile);
}

}  // namespace crossfold
