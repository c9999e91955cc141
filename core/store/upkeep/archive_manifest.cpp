#include "store/upkeep/archive_manifest.h"

#include <optional>
#include <utility>

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

}  // namespace crossfold
