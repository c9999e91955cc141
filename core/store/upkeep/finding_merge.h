// Copies the rows of `findings` of one store into another.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "store/cells/finding_row.h"
#include "store/cells/sqlite.h"

namespace crossfold {

class FindingMerge {
 public:
  // The run of the store written to that a run of the part became; 0 = none.
  using RunOf = std::function<std::int64_t(std::int64_t run)>;
  using Tell = std::function<void(std::string text)>;

  // `from` has the table (HasFindings). `damaged` gets what is left out, `differs` what differs
  // between the two stores; what was there first then stays.
  FindingMerge(Database& from, Database& to, RunOf run_of, Tell damaged, Tell differs);

  void Merge();

 private:
  void Add(std::int64_t run, std::int64_t run_of_part, const FindingRow& row);
  std::optional<ReadFinding> FindStored(std::int64_t run, const FindingRow& row);
  bool IsOldMark(std::int64_t run, std::int64_t run_of_part, const FindingRow& row);
  bool IsSuperseded(std::int64_t run, std::int64_t run_of_part, const FindingRow& row);

  Database& from_;
  Database& to_;
  const RunOf run_of_;
  const Tell damaged_, differs_;
  Statement insert_, replace_, find_, find_later_;
};

}  // namespace crossfold
