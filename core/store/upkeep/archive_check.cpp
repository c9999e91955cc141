#include "store/upkeep/archive_check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "crossfold/error.h"
#include "engine/data/sha256.h"
#include "engine/plugin/foreign_text.h"
#include "store/upkeep/run_tables.h"

namespace crossfold {
namespace {

// Kind and seed of each experiment of the run, in order. A study, such as a learning curve, has
// its own kind and seed beside those of its evaluation.
JsonList ExperimentsOf(StoreReader& reader) {
  JsonList experiments;
  Statement row(reader.db(),
                "SELECT kind, body FROM findings WHERE name = '' ORDER BY experiment, kind");
  while (row.Step()) {
    const std::optional<JsonValue> body = ParseJson(row.Text(1));
    if (!body) continue;
    const JsonValue* of = &*body;
    for (const char* part : {"study", "where_from"}) {
      if (const JsonValue* found = body->Find(part)) of = found;
    }
    const std::string* kind = of->FindAs<std::string>("kind");
    const JsonValue* seed = of->Find("seed");
    if (seed == nullptr) continue;
    experiments.push_back(
        JsonObject{{"kind", kind != nullptr ? *kind : row.Text(0)}, {"seed", *seed}});
  }
  return experiments;
}

// Far more than any manifest: it is read into memory.
constexpr std::uint64_t kMostManifest = std::uint64_t{64} << 20;

std::string Quoted(const std::string& name) { return "'" + CleanText(name.c_str()) + "'"; }

[[noreturn]] void Refuse(const ZipReader& archive, const std::string& finding,
                         const std::string& way_out = "get the archive from its author again") {
  throw Error(ErrorKind::kBadData,
              "cannot verify '" + archive.path().string() + "': " + finding + "; " + way_out);
}

bool Has(const ZipReader& archive, const std::string& name) {
  return std::ranges::find(archive.names(), name) != archive.names().end();
}

JsonValue ReadManifest(const ZipReader& archive) {
  std::string text, problem;
  archive.Read(kManifestFile, kMostManifest, [&](std::string_view bytes) { text += bytes; });
  std::optional<JsonValue> manifest = ParseJson(text, &problem);
  if (!manifest) Refuse(archive, Quoted(kManifestFile) + " " + problem);
  return *std::move(manifest);
}

std::int64_t FormatOf(const JsonValue& manifest) {
  const auto* format = manifest.FindAs<std::int64_t>("format");
  return format == nullptr ? 0 : *format;
}

// nullopt = the manifest has no list, because an older Crossfold wrote it.
std::optional<std::vector<ArchiveFile>> ListedFiles(const ZipReader& archive,
                                                    const JsonValue& manifest) {
  const auto* list = manifest.FindAs<JsonList>("files");
  if (list == nullptr && FormatOf(manifest) == 1) return std::nullopt;
  std::vector<ArchiveFile> files;
  for (const JsonValue& one : list == nullptr ? JsonList{JsonValue()} : *list) {
    const auto* name = one.FindAs<std::string>("name");
    const auto* bytes = one.FindAs<std::int64_t>("bytes");
    const auto* sha256 = one.FindAs<std::string>("sha256");
    if (name == nullptr || bytes == nullptr || *bytes < 0 || sha256 == nullptr) {
      Refuse(archive, Quoted(kManifestFile) + " has no readable list of files");
    }
    files.push_back({*name, static_cast<std::uint64_t>(*bytes), *sha256});
  }
  return files;
}

bool IsAsListed(const ZipReader& archive, const ArchiveFile& file) {
  Sha256 hash;
  std::uint64_t bytes = 0;
  try {
    archive.Read(file.name, file.bytes, [&](std::string_view portion) {
      hash.Add(portion.data(), portion.size());
      bytes += portion.size();
    });
  } catch (const Error& e) {  // damaged, or longer
    if (e.kind() != ErrorKind::kBadData) throw;
    return false;
  }
  return bytes == file.bytes && ToHex(hash.Finish()) == file.sha256;
}

// The finding is "" for a file with these bytes.
VerifiedFile Compare(const ZipReader& archive, const std::string& name, std::istream& expected,
                     std::uint64_t size) {
  VerifiedFile file{name, VerifyResult::kDifferent, "it is missing"};
  if (!Has(archive, name)) return file;
  bool is_equal = true;
  std::int64_t line = 1;
  std::string block;
  archive.Read(name, std::max(archive.most(), size), [&](std::string_view bytes) {
    if (!is_equal) return;
    block.resize(bytes.size());
    expected.read(block.data(), static_cast<std::streamsize>(block.size()));
    const std::string_view wanted(block.data(), static_cast<std::size_t>(expected.gcount()));
    const auto [differs, ignored] = std::ranges::mismatch(bytes, wanted);
    line += std::count(bytes.begin(), differs, '\n');
    is_equal = differs == bytes.end();
  });
  if (is_equal && expected.peek() == std::istream::traits_type::eof()) {
    return {name, VerifyResult::kEqual, ""};
  }
  file.finding = "line " + std::to_string(line) + " is not what the store gives";
  return file;
}

VerifiedFile CompareTable(const ZipReader& archive, const std::string& name,
                          const std::filesystem::path& expected) {
  std::ifstream file(expected, std::ios::binary);
  return Compare(archive, name, file, std::filesystem::file_size(expected));
}

VerifiedFile CompareScript(const ZipReader& archive, const StoredRun& run) {
  std::istringstream text(run.script_text);
  return Compare(archive, kScriptFile, text, run.script_text.size());
}

// Except the list of files and the names of damaged rows.
VerifiedFile CompareManifest(const JsonValue& manifest, StoreReader& store, const StoredRun& run) {
  JsonObject expected = MakeManifest(store, run, false, {}, {});
  std::erase_if(expected, [](const JsonMember& member) { return member.name == "files"; });
  for (const JsonMember& member : expected) {
    const JsonValue* found = manifest.Find(member.name);
    if (member.name == "format") continue;
    if (found == nullptr || JsonText(*found) != JsonText(member.value)) {
      return {kManifestFile, VerifyResult::kDifferent,
              "'" + member.name + "' is not what the store gives"};
    }
  }
  const auto* members = manifest.As<JsonObject>();
  for (const JsonMember& member : *members) {
    const bool is_known =
        member.name == "files" || member.name == "damaged" ||
        std::ranges::find(expected, member.name, &JsonMember::name) != expected.end();
    if (!is_known) {
      return {kManifestFile, VerifyResult::kDifferent,
              "crossfold export writes no " + Quoted(member.name)};
    }
  }
  return {kManifestFile, VerifyResult::kEqual, ""};
}

VerifiedFile CheckStore(const JsonValue& manifest, std::size_t n_runs) {
  if (n_runs != 1) {
    return {kStoreFile, VerifyResult::kDifferent,
            "it has " + std::to_string(n_runs) + " runs; an archive has one"};
  }
  if (manifest.Find("files") == nullptr) {
    return {kStoreFile, VerifyResult::kUnchecked,
            "an older Crossfold made the archive, without the SHA-256 of its files; only its cells "
            "can be compared"};
  }
  return {kStoreFile, VerifyResult::kEqual, ""};
}

// Whether the tables can be made again.
bool HasData(StoreReader& store) {
  return store.db().Number("SELECT count(id) FROM datasets") == 0 ||
         store.db().Number("SELECT max(image_bytes) FROM datasets") != 0;
}

std::vector<VerifiedFile> CompareKnown(const ZipReader& archive, const JsonValue& manifest,
                                       const std::filesystem::path& path) {
  StoreReader store(path);
  const std::vector<StoredRun> runs = store.Runs();
  const StoredRun run = store.Choose(1);
  const bool has_data = HasData(store);
  std::vector<VerifiedFile> files = {CompareManifest(manifest, store, run),
                                     CompareScript(archive, run)};
  WriteRunTables(path, path.parent_path(), has_data);
  for (const char* name : kTableFiles) {
    const bool needs_data = std::string_view(name) != "scores.csv";
    if (has_data || !needs_data || !Has(archive, name)) {
      files.push_back(CompareTable(archive, name, path.parent_path() / name));
    } else {
      files.push_back({name, VerifyResult::kUnchecked,
                       "the archive has no data to make it again, so its author may "
                       "have changed it"});
    }
  }
  files.push_back(CheckStore(manifest, runs.size()));
  return files;
}

}  // namespace

JsonObject MakeManifest(StoreReader& reader, const StoredRun& run, bool without_data,
                        const std::vector<std::string>& damaged,
                        const std::vector<ArchiveFile>& files) {
  JsonList plugins, datasets, listed;
  Statement plugin(reader.db(),
                   "SELECT id, version, sha256, build_info FROM plugins ORDER BY id, sha256");
  while (plugin.Step()) {
    plugins.push_back(JsonObject{{"id", plugin.Text(0)},
                                 {"version", plugin.Text(1)},
                                 {"sha256", plugin.Text(2)},
                                 {"build", plugin.Text(3)}});
  }
  Statement data(reader.db(),
                 "SELECT hash, n_rows, n_features, image_bytes FROM datasets ORDER BY id");
  while (data.Step()) {
    datasets.push_back(JsonObject{{"hash", data.Text(0)},
                                  {"rows", data.Number(1)},
                                  {"features", data.Number(2)},
                                  {"kept", data.Number(3) != 0 && !without_data}});
  }
  JsonObject manifest = {{"format", kArchiveFormat},       {"crossfold", run.crossfold},
                         {"default_seed", run.seed},       {"experiments", ExperimentsOf(reader)},
                         {"arguments", run.arguments},     {"plugins", std::move(plugins)},
                         {"datasets", std::move(datasets)}};
  if (!damaged.empty()) manifest.push_back({"damaged", damaged});
  for (const ArchiveFile& file : files) {
    listed.push_back(
        JsonObject{{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  }
  manifest.push_back({"files", std::move(listed)});
  return manifest;
}

std::string ManifestText(JsonObject manifest) { return JsonText(std::move(manifest), 2) + "\n"; }

void RequireListedFiles(const ZipReader& archive) {
  const JsonValue manifest = ReadManifest(archive);
  if (const std::int64_t format = FormatOf(manifest); format > kArchiveFormat) {
    Refuse(archive,
           "it has format " + std::to_string(format) + ", and this Crossfold knows format " +
               std::to_string(kArchiveFormat),
           "use a newer Crossfold");
  }
  const auto listed = ListedFiles(archive, manifest);
  std::vector<std::string> problems;
  std::set<std::string> met;
  for (const std::string& name : archive.names()) {
    if (!met.insert(name).second) problems.push_back(Quoted(name) + " is in it twice");
  }
  met.erase(kManifestFile);
  for (const ArchiveFile& file : listed.value_or(std::vector<ArchiveFile>())) {
    if (!Has(archive, file.name)) {
      problems.push_back(Quoted(file.name) + " is missing");
    } else if (!IsAsListed(archive, file)) {
      problems.push_back(Quoted(file.name) + " is not the file that its manifest lists");
    }
    met.erase(file.name);
  }
  if (listed) {
    for (const std::string& name : met) problems.push_back(Quoted(name) + " was added");
  }
  std::string all;
  for (const std::string& problem : problems) all += (all.empty() ? "" : ", ") + problem;
  if (!all.empty()) Refuse(archive, all);
}

std::vector<VerifiedFile> CompareFiles(const ZipReader& archive,
                                       const std::filesystem::path& store) {
  const JsonValue manifest = ReadManifest(archive);
  std::vector<VerifiedFile> files = CompareKnown(archive, manifest, store);
  for (const std::string& name : archive.names()) {
    if (std::ranges::find(files, name, &VerifiedFile::name) == files.end()) {
      files.push_back({name, VerifyResult::kDifferent, "crossfold export writes no such file"});
    }
  }
  return files;
}

}  // namespace crossfold
