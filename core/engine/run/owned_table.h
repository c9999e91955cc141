// The columns that one apply() of a transform makes, in buffers of the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "crossfold_plugin.h"

namespace crossfold {

// Memory aligned to 64 bytes, as vector units and Arrow recommend.
struct FreeAligned {
  void operator()(std::byte* bytes) const;
};
using AlignedBytes = std::unique_ptr<std::byte[], FreeAligned>;

// Not thread-safe while it is filled; it is read-only after Finish().
class OwnedTable {
 public:
  // Gets columns for the rows of `input`, which must live until Finish() or PassBy().
  explicit OwnedTable(const cf_table& input);
  OwnedTable(const OwnedTable&) = delete;
  OwnedTable& operator=(const OwnedTable&) = delete;

  // The sink for the plugin. It refuses columns without a name, of an unknown type, or with a
  // repeated name.
  const cf_column_sink* sink() const { return &sink_; }
  // Copies the rows of the features that the plugin did not get, and puts all columns in the order
  // of PlacesOf. `rows` holds the features of `input` and these, with a flag for each.
  void PassBy(const cf_table& rows, const std::vector<bool>& chosen);
  // Ends the filling; counts missing entries and checks category codes.
  void Finish();
  // The first problem; "" = none.
  const std::string& problem() const { return problem_; }

  std::int64_t num_rows() const { return n_rows_; }
  std::span<const cf_column> columns() const { return columns_; }

 private:
  // The memory that a cf_column points to. It is in a deque, so that the pointers stay valid.
  struct Buffers {
    std::string name;
    std::vector<std::string> levels;
    std::vector<const char*> level_pointers;
    AlignedBytes data, validity;
  };

  static void* CF_CALL AddColumnCall(const cf_column_sink* sink, const char* name,
                                     std::int32_t dtype, const char* const* levels,
                                     std::int64_t n_levels, std::uint32_t flags,
                                     std::uint8_t** validity) noexcept;
  static cf_status CF_CALL PassColumnCall(const cf_column_sink* sink,
                                          std::int64_t feature) noexcept;

  // These return what is wrong, or null.
  const char* AddColumn(const char* name, std::int32_t dtype, std::span<const char* const> levels,
                        std::uint32_t flags, bool with_validity);
  const char* PassColumn(std::int64_t feature);
  void GatherValidity(const cf_column& from, Buffers& to) const;
  void KeepProblem(const char* problem) noexcept;
  void CheckCodes(const cf_column& column);

  const cf_table* input_;
  std::int64_t n_rows_;
  cf_column_sink sink_;
  std::deque<Buffers> buffers_;
  std::vector<cf_column> columns_;
  std::string problem_;
};

}  // namespace crossfold
