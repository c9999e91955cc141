// Claims on cells, by which processes that use one store at the same time share the work instead of
// computing the same cells. A claim is a lock on bytes of a file next to the store,
// "<store>-claims" (an open file description lock, so that objects of one process exclude each
// other, too). The kernel drops it when its process ends, however it ends.
//
// Protocol: claim cells, check that no other process has stored them meanwhile, compute them, put
// them into the tables, drop the claim. A process that does not get a claim looks the cells up
// later.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "files/file_descriptor.h"

namespace crossfold {

// Folds first .. first + count - 1 of a series. REQUIRES: series and folds < 2^31.
struct CellRange {
  std::int64_t series, first, count;
};

// A claim is held as long as the object lives.
class CellClaim {
 public:
  CellClaim(std::shared_ptr<const FileDescriptor> file, std::vector<CellRange> ranges)
      : file_(std::move(file)), ranges_(std::move(ranges)) {}
  ~CellClaim();
  CellClaim(const CellClaim&) = delete;
  CellClaim& operator=(const CellClaim&) = delete;

 private:
  const std::shared_ptr<const FileDescriptor> file_;
  const std::vector<CellRange> ranges_;
};

// The claims of one run. Thread-safe.
class CellClaimer {
 public:
  explicit CellClaimer(std::shared_ptr<const FileDescriptor> file) : file_(std::move(file)) {}

  // Claims all cells or none: null if another run has a claim on one. Without a file every claim is
  // granted. REQUIRES: this run has no claim on one of them.
  std::shared_ptr<const CellClaim> TryTake(std::vector<CellRange> ranges) const;

 private:
  const std::shared_ptr<const FileDescriptor> file_;
};

// The file of claims, which exists as long as a process has the store open. Thread-safe.
class ClaimsFile {
 public:
  // Works without a file if it cannot be made.
  explicit ClaimsFile(const std::filesystem::path& store);
  // The last object, of any process, removes the file.
  ~ClaimsFile();
  ClaimsFile(const ClaimsFile&) = delete;
  ClaimsFile& operator=(const ClaimsFile&) = delete;

  CellClaimer NewClaimer() const;

  // Signals to other processes that cells were stored, or that a process waits for cells.
  void GiveSign();
  // The number of signals from others. If it has grown, look again. It may be too large while
  // another thread signals.
  std::uint64_t signs_of_others() const;

 private:
  const std::filesystem::path path_;
  FileDescriptor file_;
  std::atomic<std::uint64_t> own_signs_{0};
};

}  // namespace crossfold
