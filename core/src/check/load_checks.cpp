// Checks of the file, and of loading it.
#include <dlfcn.h>

#include <memory>

#include "check/check_context.h"
#include "check/check_list.h"
#include "crossfold/error.h"
#include "crossfold/plugin_host.h"
#include "plugin/load_error.h"
#include "plugin/manifest.h"
#include "plugin/plugin_loader.h"

namespace crossfold::check {
namespace {

void FileArch(CheckContext& context) {
  const ManifestReading reading = ReadManifestFile(context.file());
  if (!reading.problem.empty()) context.Fail(reading.problem);
}

void LoadNowLocal(CheckContext& context) {
  if (::dlopen(context.file().c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return;
  const char* complaint = ::dlerror();
  context.Fail(ExplainLoadError(complaint == nullptr ? "" : complaint, context.file()));
}

void DescriptorComplete(CheckContext& context) {
  const LoadResult result = LoadPlugin(context.file(), ReadManifestFile(context.file()).manifest);
  if (!result.problem.empty()) context.Fail(result.problem);
}

constexpr Check kChecks[] = {
    {"file-arch", CheckScope::kFile, 1, false, "",
     "an ELF library for this machine with a sound manifest", &FileArch},
    {"load-now-local", CheckScope::kFile, 1, false, "file-arch",
     "dlopen(RTLD_NOW | RTLD_LOCAL) succeeds", &LoadNowLocal},
    {"descriptor-complete", CheckScope::kFile, 1, false, "load-now-local",
     "the entry function gives tables that are complete and agree with the manifest",
     &DescriptorComplete},
};

}  // namespace

std::span<const Check> LoadChecks() { return kChecks; }

}  // namespace crossfold::check
