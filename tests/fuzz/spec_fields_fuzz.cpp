// Any bytes as the fields of specs. Those that the bundled plugins can make are written and read
// back as the same.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "encoding/spec_fields.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "unit/plugins/bundled_plugins.h"

namespace {

using crossfold::SpecRecord;

std::string FieldsOf(const crossfold::Spec& spec) {
  crossfold::FieldWriter writer;
  crossfold::WriteSpec(spec, writer);
  return writer.Take();
}

std::shared_ptr<const crossfold::Spec> Make(const SpecRecord& record) {
  return crossfold::fuzz::Attempted(
      [&] { return crossfold::MakeSpec(record, crossfold::BundledPlugins()); });
}

// With the hash of the plugin of this build, so that parameters are looked at.
void MakeHere(SpecRecord record) {
  Make(record);
  try {
    const auto component = crossfold::BundledPlugins().Find(record.kind, record.component);
    record.sha256 = component->plugin->sha256;
  } catch (const crossfold::Error& error) {
    crossfold::fuzz::DemandMessage(error);
    return;
  }
  const auto spec = Make(record);
  if (spec == nullptr) return;
  const std::string fields = FieldsOf(*spec);
  crossfold::FieldReader reader(fields);
  const auto again = Make(crossfold::ReadSpec(reader));
  crossfold::fuzz::Demand(again != nullptr && FieldsOf(*again) == fields, "specs read back");
}

}  // namespace

int crossfold::fuzz::FeedSpecFields(const std::uint8_t* bytes, std::size_t size) {
  crossfold::FieldReader reader({reinterpret_cast<const char*>(bytes), size});
  try {
    for (SpecRecord& record : crossfold::ReadSpecs(reader)) MakeHere(std::move(record));
  } catch (const crossfold::plugin::Error&) {
  }
  return 0;
}
