// Any bytes as the package of a plugin, which is unpacked.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "crossfold/plugin_package.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "temporary_folder.h"

int crossfold::fuzz::FeedPluginPackage(const std::uint8_t* bytes, std::size_t size) {
  static const crossfold::test::TemporaryFolder folder;
  const auto package =
      folder.Write("package.zip", std::string_view(reinterpret_cast<const char*>(bytes), size));
  const auto unpacked = folder.path() / "in" / "unpacked";
  std::filesystem::create_directories(unpacked);
  Attempted([&] {
    const crossfold::RegistryPlugin plugin = crossfold::UnpackPackage(package, unpacked);
    crossfold::fuzz::Demand(std::filesystem::exists(unpacked / plugin.file), "it has its plugin");
  });
  const auto n = std::distance(std::filesystem::directory_iterator(folder.path()), {}) +
                 std::distance(std::filesystem::directory_iterator(folder.path() / "in"), {});
  crossfold::fuzz::Demand(n == 3, "nothing is written out of its folder");
  if (!std::filesystem::is_empty(unpacked)) std::filesystem::remove_all(unpacked);
  return 0;
}
