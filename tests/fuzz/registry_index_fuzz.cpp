// Any bytes as the index of a registry, as a signature and as a public key. An index that was read
// is written and read again as the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "crossfold/registry_index.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"

namespace {

void ReadIndex(std::string_view text) {
  crossfold::fuzz::Attempted([&] {
    const std::string written = ToText(crossfold::ParseRegistryIndex(text, "cannot use 'fuzz'"));
    const auto again = crossfold::ParseRegistryIndex(written, "cannot use 'fuzz'");
    crossfold::fuzz::Demand(ToText(again) == written, "a written index reads back");
  });
}

void ReadKey(std::string_view text) {
  crossfold::fuzz::Attempted([&] {
    const crossfold::PublicKey key = crossfold::ParsePublicKey(text, "cannot read 'fuzz'");
    crossfold::fuzz::Demand(crossfold::ParsePublicKey(key.ToText(), "") == key, "a key reads back");
  });
}

}  // namespace

int crossfold::fuzz::FeedRegistryIndex(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  ReadIndex(text);
  ReadKey(text);
  const std::string problem = crossfold::SignatureProblem(text, text, crossfold::PublicKey());
  crossfold::fuzz::Demand(!problem.empty(), "nothing is signed by a key of zeros");
  return 0;
}
