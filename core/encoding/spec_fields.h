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

// What another process needs in addition to a spec, to load its plugin under a lock.
struct LoadedFiles {
  std::vector<LockedLibrary> libraries;  // LoadedPlugin::libraries
  std::string copy;                      // LoadedPlugin::copy
};
void WriteLoadedFiles(std::span<const std::shared_ptr<const Spec>> specs, FieldWriter& fields);
std::vector<LoadedFiles> ReadLoadedFiles(FieldReader& fields);

// Makes a spec of the component that the host has under that id. Throws Error unless it comes from
// the same file content: "cannot make learner 'knn': its plugin differs from that of the record
// (SHA-256 1234567890ab instead of ba0987654321)".
std::shared_ptr<const Spec> MakeSpec(const SpecRecord& record, const PluginHost& plugins);

// Returns how the component's version differs from that of the record, or "". The version of a
// component with a program of its own contains those of its interpreter and packages, so that it
// can differ for the same file: "'org.example.forest' is now 1.0.0 (numpy 1.26.0), it was 1.0.0
// (numpy 1.24.2)".
std::string VersionDifference(const SpecRecord& record, const Component& component);

}  // namespace crossfold
