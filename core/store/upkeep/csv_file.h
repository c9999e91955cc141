// A long table that is written to a CSV file in portions.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/table.h"

namespace crossfold {

class CsvFile {
 public:
  CsvFile(std::filesystem::path path, std::vector<std::string> columns)
      : path_(std::move(path)), file_(path_, std::ios::binary) {
    table_.columns = std::move(columns);
    const std::string header = ToCsv(table_);
    header_size_ = header.size();
    file_ << header;
  }

  void Add(std::vector<TableCell> row) {
    table_.rows.push_back(std::move(row));
    if (table_.rows.size() == kPortion) WriteRows();
  }

  // Throws Error(kIo).
  void Finish() {
    WriteRows();
    file_.close();
    if (!file_) {
      throw Error(ErrorKind::kIo, "cannot write '" + path_.string() + "'; make room on the disk");
    }
  }

 private:
  static constexpr std::size_t kPortion = 10'000;

  void WriteRows() {
    const std::string text = ToCsv(table_);
    file_.write(text.data() + header_size_,
                static_cast<std::streamsize>(text.size() - header_size_));
    table_.rows.clear();
  }

  const std::filesystem::path path_;
  std::ofstream file_;
  Table table_;
  std::size_t header_size_ = 0;
};

}  // namespace crossfold
