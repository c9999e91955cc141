// Finished cells go to the kernel before they are reported: one write() each to a file of this
// process next to the store, "<store>-log-<pid>-<n>", which is locked (flock) while its process
// lives. When the cells are in SQLite, the file is emptied. After a kill the next process that
// opens the store adds the cells.
//   "CFXLOG01", then records: length (4) and CRC-32 (4) of the body, body (WriteFinishedCell)
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "files/file_descriptor.h"
#include "store/cells/cell_row.h"

namespace crossfold {

// Two files in turn: one takes new cells while those of the other are put into SQLite. Not
// thread-safe, but DropTurned may be called while another thread appends.
class CellLog {
 public:
  // Throws Error(kIo).
  explicit CellLog(const std::filesystem::path& store);
  CellLog(const CellLog&) = delete;
  CellLog& operator=(const CellLog&) = delete;

  // Appends a `record` from PackLogRecord. False = it could not be written, with the reason in
  // errno; then no part of it is in the file.
  bool Append(const std::string& record);
  // Writes to the other file from now on, if it is empty.
  void Turn();
  // Empties the other file, which is not written to.
  void DropTurned();
  // Removes both files: everything in them is in SQLite.
  void Remove();

 private:
  struct Segment {
    std::filesystem::path path;
    FileDescriptor file;
    std::int64_t size = 0;
  };
  static Segment Make(const std::filesystem::path& store);

  Segment segments_[2];
  int active_ = 0;
  bool broken_ = false;
};

std::string PackLogRecord(const FinishedCell& cell);

// The cells of every log next to the store whose process has ended go to `keep`, which must write
// them to the disk; then the logs are removed. A truncated record is left out. Throws what `keep`
// throws, and Error(kIo) for a log that cannot be read.
void TakeOverLogs(const std::filesystem::path& store,
                  const std::function<void(const std::vector<FinishedCell>&)>& keep);

// Reads the same cells without a change: the logs stay.
std::vector<FinishedCell> ReadLeftLogs(const std::filesystem::path& store);

// The ids of the processes that have the store open, perhaps with this one.
std::vector<std::int64_t> FindUsers(const std::filesystem::path& store);
// Whether there are logs.
bool HasLogs(const std::filesystem::path& store);

}  // namespace crossfold
