// Components with their parameters as packed fields (encoding/fields.h), for processes and files
// that have to find the same plugin again: kind (1), texts component id, component version, plugin
// id, plugin version, SHA-256 of the plugin's file, its path, list of given parameters (text,
// value).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crossfold/pipeline.h"
#include "crossfold/plugin_host.h"
#include "crossfold/plugin_lock.h"
#include "crossfold/spec.h"
#include "encoding/fields.h"

namespace crossfold {

struct SpecRecord {
  Kind kind = Kind::kLearner;
  std::string component, component_version, plugin, plugin_version, sha256, path;
  ParamValues given;
};

SpecRecord RecordOf(const Spec& spec);

void WriteSpec(const SpecRecord& record, FieldWriter& fields);
void WriteSpec(const Spec& spec, FieldWriter& fields);
// Throws plugin::Error for bytes that WriteSpec did not write.
SpecRecord ReadSpec(FieldReader& fields);

void WriteSpecs(std::span<const std::shared_ptr<const Spec>> specs, FieldWriter& fields);
std::vector<SpecRecord> ReadSpecs(FieldReader& fields);

// Writes LoadedPlugin::libraries of each plugin, which a process needs to load the plugins under a
// lock.
void WriteLibraries(std::span<const std::shared_ptr<const Spec>> specs, FieldWriter& fields);
std::vector<std::vector<LockedLibrary>> ReadLibraries(FieldReader& fields);

// Makes a spec of the component that the host has under that id. Throws Error unless it comes from
// the same file content: "cannot make learner 'knn': its plugin differs from that of the record
// (SHA-256 1234567890ab instead of ba0987654321)".
std::shared_ptr<const Spec> MakeSpec(const SpecRecord& record, const PluginHost& plugins);

}  // namespace crossfold
