// One query to an SQLite file that can do nothing but read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/cancel_token.h"

struct sqlite3;
struct sqlite3_stmt;

namespace crossfold {

class SqliteQuery {
 public:
  // Opens the file. Throws Error(kIo, kBadData) "<attempt>: <finding>". A file in a folder that
  // cannot be written to is read as one that nobody changes, if it has no unfinished writes.
  SqliteQuery(const std::filesystem::path& path, const std::string& attempt,
              const CancelToken* cancel);
  ~SqliteQuery();
  SqliteQuery(const SqliteQuery&) = delete;
  SqliteQuery& operator=(const SqliteQuery&) = delete;

  // The query of a script. Throws Error(kInvalidArgument) unless it is one statement that reads.
  void Prepare(const std::string& sql);
  // All rows of a table or view, by rowid where there is one.
  void PrepareTable(const std::string& name);

  std::vector<std::string> column_names() const;
  // Whether there is a row.
  bool Step();
  sqlite3_stmt* row() const { return statement_; }

 private:
  void Open(bool immutable);
  void Close();
  void Compile(const std::string& sql);
  bool HasUnfinishedWrites() const;
  std::vector<std::string> TableNames();
  [[noreturn]] void Throw(int code) const;
  [[noreturn]] void RefuseQuery(const std::string& finding) const;
  static int Authorize(void* query, int action, const char* first, const char* second,
                       const char* database, const char* trigger);
  static int Progress(void* query);

  const std::filesystem::path path_;
  const std::string attempt_;
  const CancelToken* const cancel_;
  sqlite3* db_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
  const char* tail_ = nullptr;       // of the last text compiled
  const char* forbidden_ = nullptr;  // what the query wanted to do
};

}  // namespace crossfold
