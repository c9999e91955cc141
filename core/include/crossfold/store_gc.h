// Making a store smaller: what no recent run asked for is removed.
#pragma once

#include <cstdint>
#include <filesystem>

namespace crossfold {

struct GcOptions {
  // For each script, what its last so many finished runs asked for stays, and what later ones did
  // that were stopped or still go on. 0 = nothing stays.
  std::int64_t runs = 1;
};

struct GcReport {
  std::int64_t runs = 0, cells = 0, predictions = 0, learners = 0, datasets = 0;  // removed
  std::int64_t bytes_before = 0, bytes_after = 0;
  // Another process reads the file: its room is given back when that ends and somebody else comes.
  bool is_read = false;
};

// Throws Error if the file cannot be written to, or while another process uses it.
GcReport CollectStoreGarbage(const std::filesystem::path& path, const GcOptions& options = {});

}  // namespace crossfold
