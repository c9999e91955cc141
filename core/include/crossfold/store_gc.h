// Makes a store smaller by removing what no recent run asked for.
#pragma once

#include <cstdint>
#include <filesystem>

namespace crossfold {

struct GcOptions {
  // The number of finished runs to keep for each script. What they asked for stays, and what later
  // runs asked for that were stopped or are still running. 0 = nothing stays.
  std::int64_t runs = 1;
};

struct GcReport {
  std::int64_t runs = 0, cells = 0, predictions = 0, learners = 0, datasets = 0;  // removed
  std::int64_t bytes_before = 0, bytes_after = 0;
  // Another process reads the file, so the file shrinks only when it is opened again after that
  // process ends.
  bool is_read = false;
};

// Removes what is not needed. Throws Error if the file cannot be written, or while another process
// uses it.
GcReport CollectStoreGarbage(const std::filesystem::path& path, const GcOptions& options = {});

}  // namespace crossfold
