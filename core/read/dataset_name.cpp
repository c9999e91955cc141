#include "read/dataset_name.h"

#include "engine/text/ascii.h"

namespace crossfold {

std::string DatasetNameOf(const std::filesystem::path& path) {
  const std::string ending = LowerCase(path.extension().string());
  return (ending == ".gz" ? path.stem() : path).stem().string();
}

}  // namespace crossfold
