// A store in a file of its own, or inside an archive that ExportRun wrote.
#pragma once

#include <filesystem>
#include <optional>

#include "files/scratch_folder.h"

namespace crossfold {

// Extracts an archive's store into a folder that goes away with this object.
class StorePlace {
 public:
  // Throws Error.
  explicit StorePlace(const std::filesystem::path& file);
  StorePlace(const StorePlace&) = delete;
  StorePlace& operator=(const StorePlace&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::optional<ScratchFolder> folder_;
};

}  // namespace crossfold
