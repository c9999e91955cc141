#include "encoding/spec_fields.h"

#include <utility>

#include "crossfold/error.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold {

SpecRecord RecordOf(const Spec& spec) {
  const Component& component = spec.component();
  const LoadedPlugin& plugin = *component.plugin;
  return {component.kind, component.id,  component.version,    plugin.id,
          plugin.version, plugin.sha256, plugin.path.native(), spec.given()};
}

void WriteSpec(const SpecRecord& record, FieldWriter& fields) {
  fields.Number(static_cast<std::uint8_t>(record.kind));
  for (const std::string* text : {&record.component, &record.component_version, &record.plugin,
                                  &record.plugin_version, &record.sha256, &record.path}) {
    fields.Text(*text);
  }
  fields.Length(record.given.size());
  for (const auto& [name, value] : record.given) {
    fields.Text(name);
    fields.Parameter(value);
  }
}

void WriteSpec(const Spec& spec, FieldWriter& fields) { WriteSpec(RecordOf(spec), fields); }

SpecRecord ReadSpec(FieldReader& fields) {
  SpecRecord record;
  const auto kind = fields.Number<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(kKinds.back())) FieldReader::Fail();
  record.kind = static_cast<Kind>(kind);
  for (std::string* text : {&record.component, &record.component_version, &record.plugin,
                            &record.plugin_version, &record.sha256, &record.path}) {
    *text = fields.Text();
  }
  for (auto& [name, value] : fields.List([&fields] {
         std::string name = fields.Text();
         return std::pair(std::move(name), fields.Parameter());
       })) {
    record.given.emplace(std::move(name), std::move(value));
  }
  return record;
}

void WriteSpecs(std::span<const std::shared_ptr<const Spec>> specs, FieldWriter& fields) {
  fields.Length(specs.size());
  for (const std::shared_ptr<const Spec>& spec : specs) WriteSpec(*spec, fields);
}

std::vector<SpecRecord> ReadSpecs(FieldReader& fields) {
  return fields.List([&fields] { return ReadSpec(fields); });
}

void WriteLoadedFiles(std::span<const std::shared_ptr<const Spec>> specs, FieldWriter& fields) {
  fields.Length(specs.size());
  for (const std::shared_ptr<const Spec>& spec : specs) {
    const LoadedPlugin& plugin = *spec->component().plugin;
    fields.Length(plugin.libraries.size());
    for (const LockedLibrary& library : plugin.libraries) {
      fields.Text(library.file);
      fields.Text(library.sha256);
    }
    fields.Text(plugin.copy.native());
  }
}

std::vector<LoadedFiles> ReadLoadedFiles(FieldReader& fields) {
  return fields.List([&fields] {
    LoadedFiles files;
    files.libraries = fields.List([&fields] {
      std::string file = fields.Text();
      return LockedLibrary{std::move(file), fields.Text()};
    });
    files.copy = fields.Text();
    return files;
  });
}

std::shared_ptr<const Spec> MakeSpec(const SpecRecord& record, const PluginHost& plugins) {
  std::shared_ptr<const Component> component = plugins.Find(record.kind, record.component);
  const std::string& sha256 = component->plugin->sha256;
  if (sha256 != record.sha256) {
    throw Error(ErrorKind::kBadPlugin,
                "cannot make " + std::string(KindName(record.kind)) + " '" +
                    std::string(ShortId(record.component)) +
                    "': its plugin differs from that of the record (SHA-256 " +
                    sha256.substr(0, 12) + " instead of " +
                    CleanText(record.sha256.substr(0, 12).c_str()) + "); install " +
                    CleanText(record.plugin.c_str()) + " " +
                    CleanText(record.plugin_version.c_str()) + " from the build that was recorded");
  }
  return Spec::Make(std::move(component), record.given);
}

std::string VersionDifference(const SpecRecord& record, const Component& component) {
  if (record.component_version == component.version) return "";
  return "'" + std::string(ShortId(component.id)) + "' is now " + component.version + ", it was " +
         CleanText(record.component_version.c_str());
}

}  // namespace crossfold
