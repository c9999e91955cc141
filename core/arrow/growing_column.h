// A column that is assembled from parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/category_levels.h"
#include "crossfold/dataset.h"

namespace crossfold {

// Memory that grows at its end. Large blocks grow in place or move without a copy, so that no
// second block is needed meanwhile. It is anonymous memory, or the pages of a scratch file.
class GrowingMemory {
 public:
  // Moves what there is, and all that follows, into a file without a name, which ends with the
  // memory. It is in the folder TMPDIR of the environment, else in /var/tmp, because /tmp is in
  // memory on many systems. It is open until Finish(). Throws Error(kIo) "<attempt>...".
  void MoveToFile(const std::string& attempt);
  bool is_in_file() const { return file_ != nullptr; }
  // Returns the address of `n_bytes` more, which are not cleared. Throws std::bad_alloc.
  void* Extend(std::size_t n_bytes);
  // Returns the memory, without the part that was not used.
  std::shared_ptr<void> Finish();

 private:
  struct Free {
    void operator()(void* memory) const;
  };
  struct Mapping;
  void Resize(std::size_t n_bytes);

  std::unique_ptr<void, Free> memory_;
  std::shared_ptr<Mapping> file_;  // instead of it
  std::size_t size_ = 0, capacity_ = 0;
};

class GrowingColumn {
 public:
  // Copies all rows. Categories are matched by the names of their levels; new levels come after the
  // known ones. REQUIRES: all parts have the same name and type. Returns what is wrong with the
  // levels, such as "has the level 'x' twice" or ordered levels in another order; "" = nothing.
  std::string Append(const Column& part);
  // Keeps the entries in a scratch file from now on, as GrowingMemory says.
  void MoveToFile(const std::string& attempt) { entries_.MoveToFile(attempt); }
  // Makes Finish() sort the levels as OrderLevels() does.
  void SortLevels() { sorts_levels_ = true; }
  std::int64_t bytes() const;  // in memory
  Column Finish();

 private:
  std::string AppendCodes(const Column& part, std::int32_t* codes);
  void AppendValidity(const Column& part);

  std::string name_;
  std::int32_t dtype_ = CF_F64;
  bool ordered_ = false, sorts_levels_ = false;
  std::size_t n_rows_ = 0;
  GrowingMemory entries_;
  std::vector<std::uint8_t> validity_;  // empty = all present
  LevelSet levels_;
};

}  // namespace crossfold
