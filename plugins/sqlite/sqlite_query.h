// One query to an SQLite file that can do nothing but read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold_plugin/context.hpp"
#include "file_state.h"

struct sqlite3;
struct sqlite3_stmt;

namespace crossfold::reading {

namespace cf = crossfold::plugin;

class SqliteQuery {
 public:
  // Opens the file. Throws Error. A file in a folder that cannot be written to is read as one that
  // does not change, if it has no unfinished writes.
  //
  // So is, if it `may_be_alone`, a database in WAL mode without a log: to share it with programs
  // that write, SQLite would make files next to it and leave them there. The caller checks
  // WasChanged() after reading.
  SqliteQuery(const std::filesystem::path& path, std::int64_t most_text_bytes,
              const cf::Context& context, bool may_be_alone);
  ~SqliteQuery();
  SqliteQuery(const SqliteQuery&) = delete;
  SqliteQuery& operator=(const SqliteQuery&) = delete;

  // Prepares the query of a script. Throws Error unless it is one statement that reads.
  void Prepare(const std::string& sql);
  // Prepares a query for all rows of a table or view, by rowid if there is one.
  void PrepareTable(const std::string& name);

  // Whether another program changed the file while it was read alone: then rows may be of two
  // states, or an error may be wrong.
  bool WasChanged() const;

  std::vector<std::string> column_names() const;
  // Whether there is a row.
  bool Step();
  sqlite3_stmt* row() const { return statement_; }

 private:
  void Open(bool immutable);
  void OpenShared();
  bool OpenAlone();
  bool IsInWalMode() const;
  void Close();
  void Compile(const std::string& sql);
  bool HasUnfinishedWrites() const;
  std::vector<std::string> TableNames();
  [[noreturn]] void Throw(int code) const;
  [[noreturn]] void RefuseQuery(const std::string& finding) const;
  static int Authorize(void* query, int action, const char* first, const char* second,
                       const char* database, const char* trigger);
  static int Progress(void* query);

  const std::filesystem::path path_, real_;  // as given, and without symbolic links
  const cf::Context& context_;
  const std::int64_t most_text_bytes_;
  std::optional<FileState> alone_;  // how the file was when it was opened alone
  sqlite3* db_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
  const char* tail_ = nullptr;       // of the last statement compiled
  const char* forbidden_ = nullptr;  // what the query wanted to do
};

}  // namespace crossfold::reading
