#include "crossfold/known_registries.h"

#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "discovery/installed_plugins.h"
#include "files/file_bytes.h"
#include "files/successor_file.h"
#include "registry/json_fields.h"
#include "registry/plugin_fields.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kKnownVersion = 1;

KnownRegistry ReadKnown(const JsonFields& fields) {
  KnownRegistry known;
  known.id = IdIn(fields);
  known.location = fields.Line("location");
  known.serial = fields.Count("serial");
  known.index_sha256 = fields.Sha256("index_sha256");
  known.threshold = fields.Count("threshold");
  for (const std::string& key : fields.Lines("keys")) {
    known.keys.push_back(ParsePublicKey(key, fields.place()));
  }
  for (const JsonFields& key : fields.Objects("revoked", "revoked key")) {
    known.revoked.push_back({key.Line("id"), key.OptionalLine("reason")});
  }
  return known;
}

std::vector<KnownRegistry> ReadList(std::string_view text) {
  const JsonValue json = ReadDocument(text, "it ");
  const JsonFields fields(json, "it");
  fields.CheckVersion("crossfold_registries", kKnownVersion);
  std::vector<KnownRegistry> list;
  for (const JsonFields& entry : fields.Objects("registries", "registry")) {
    list.push_back(ReadKnown(entry));
  }
  return list;
}

std::string TextOf(const std::vector<KnownRegistry>& registries) {
  JsonList list;
  for (const KnownRegistry& known : registries) {
    JsonList keys, revoked;
    for (const PublicKey& key : known.keys) keys.emplace_back(key.ToText());
    for (const RevokedKey& key : known.revoked) {
      revoked.push_back(JsonObject{{"id", key.id}, {"reason", key.reason}});
    }
    list.push_back(JsonObject{{"id", known.id},
                              {"location", known.location},
                              {"serial", known.serial},
                              {"index_sha256", known.index_sha256},
                              {"threshold", known.threshold},
                              {"keys", std::move(keys)},
                              {"revoked", std::move(revoked)}});
  }
  return JsonText(
             JsonObject{{"crossfold_registries", kKnownVersion}, {"registries", std::move(list)}},
             1) +
         "\n";
}

}  // namespace

fs::path KnownRegistriesFile() {
  const fs::path data = UserDataFolder();
  if (!data.empty()) return data / "registries.json";
  throw Error(ErrorKind::kIo,
              "cannot find the user's data folder: HOME is not an absolute path; set "
              "XDG_DATA_HOME or HOME");
}

std::vector<KnownRegistry> ReadKnownRegistries(const fs::path& file) {
  const std::string attempt = "cannot read known registries '" + file.string() + "'";
  std::error_code failure;
  if (fs::status(file, failure).type() == fs::file_type::not_found) return {};
  try {
    return ReadList(ReadFileBytes(file, attempt));
  } catch (const Defect& defect) {
    throw Error(ErrorKind::kBadData, attempt + ": " + defect.text);
  }
}

void ChangeKnownRegistries(const fs::path& file,
                           const std::function<void(std::vector<KnownRegistry>&)>& change) {
  const std::string attempt = "cannot write known registries '" + file.string() + "'";
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  SuccessorFile successor(file, attempt);
  std::vector<KnownRegistry> registries = ReadKnownRegistries(file);
  change(registries);
  const std::string text = TextOf(registries);
  try {
    ReadList(text);  // what cannot be read again is not written
  } catch (const Defect& defect) {
    throw Error(ErrorKind::kInvalidArgument, attempt + ": " + defect.text);
  }
  successor.Become(text);
}

}  // namespace crossfold
