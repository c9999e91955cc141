// What is removed from a CSV text, or changed in it, before its records are read.
#pragma once

#include <string>
#include <string_view>

#include "csv_options.h"
#include "csv_records.h"

namespace crossfold::reading {

// Without such options the text is used as it is and not copied.
class CsvLayout {
 public:
  // Checks the options that concern the form of the text, leaves out the first lines, one that
  // names the separator and those of comments, makes a tab of each run of blanks between cells, and
  // finds the separator. `skip_blank_lines`: leaves out all blank lines. Throws Error. `file` must
  // outlive this.
  CsvLayout(const TextSource& file, const CsvOptions& options, bool skip_blank_lines);
  CsvLayout(const CsvLayout&) = delete;
  CsvLayout& operator=(const CsvLayout&) = delete;

  const TextSource& source() const { return source_; }
  char separator() const { return separator_; }

 private:
  void SkipByteOrderMark();
  void SkipLines();
  void TakeNamedSeparator();
  void CopyLines();
  bool IsLeftOut(std::size_t at) const;
  bool BeginsComment(std::size_t at) const;
  std::size_t CopyLine(std::size_t at);

  const CsvOptions& options_;
  const bool skip_blank_lines_;
  TextSource source_;
  std::string copy_;
  char separator_;
};

}  // namespace crossfold::reading
