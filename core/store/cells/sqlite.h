// SQLite as objects: a connection, prepared statements, transactions. Failures are Errors that say
// what to do.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "crossfold/error.h"
#include "files/file_bytes.h"

struct sqlite3;
struct sqlite3_stmt;

namespace crossfold {

// An Error of kind kBadData for a damaged file, and of kIo for everything else. `code` is SQLite's
// primary result code.
class SqliteError : public Error {
 public:
  SqliteError(ErrorKind kind, int code, const std::string& message)
      : Error(kind, message), code_(code) {}
  int code() const { return code_; }
  bool is_damage() const { return kind() == ErrorKind::kBadData; }

 private:
  int code_;
};

// A connection. Not thread-safe.
class Database {
 public:
  // kImmutable reads a file that no process changes, as in a read-only folder.
  enum class Access { kCreate, kWrite, kRead, kImmutable };

  Database(const std::filesystem::path& path, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // The name for messages, instead of the path that was opened.
  void set_name(const std::filesystem::path& name) { path_ = name; }
  sqlite3* get() const { return db_; }
  // Runs statements without results.
  void Execute(const char* sql);
  // The first column of the first row; 0 if there is none.
  std::int64_t Number(const std::string& sql);
  std::string Text(const std::string& sql);
  // The size of all pages. No table can have more rows.
  std::int64_t num_bytes();
  // Allows statements any number of steps from now on. REQUIRES: every page has one place.
  void LiftBound();
  // The number of rows that the last statement changed.
  std::int64_t changes() const;
  // Writes all rows into a new file, also those of a file that has no name any more.
  void CopyTo(const std::filesystem::path& copy);
  // Closing the connection removes no write-ahead log: one of its name may be another file's.
  void LeaveWriteAheadLog();

  // Throws the error for `code`.
  [[noreturn]] void Throw(int code) const;
  void Check(int code) const;
  // The error of a file with impossible content.
  [[noreturn]] void ThrowDamaged() const;

 private:
  friend class Statement;

  // A forged file that refers to its pages from many places would keep a statement busy for ever. A
  // count(*) of a whole table is one step, however long it takes: ask for the count of a column.
  static int CountSteps(void* db);
  std::int64_t MostSteps() const;

  std::filesystem::path path_;
  sqlite3* db_ = nullptr;
  std::optional<DatabaseInUse> use_;  // until SQLite has closed it
  bool writes_;
  std::int64_t n_steps_ = 0;  // of SQLite's machine, by the statement that runs
};

// Bytes as a value of BindAll, where a string is a text.
struct Blob {
  std::string_view bytes;
};
inline std::optional<Blob> BlobOf(const std::optional<std::string>& bytes) {
  return bytes ? std::optional(Blob{*bytes}) : std::nullopt;
}

// Columns and parameters count from 0 and 1, as in SQLite.
class Statement {
 public:
  Statement(Database& db, const std::string& sql);
  template <class... Values>
  Statement(Database& db, const std::string& sql, const Values&... values) : Statement(db, sql) {
    BindAll(values...);
  }
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& Bind(int place, std::int64_t value);
  Statement& Bind(int place, double value);
  Statement& BindText(int place, std::string_view text);
  Statement& BindBlob(int place, std::string_view bytes);
  Statement& BindNull(int place);
  // A column of a row of another statement, with its type.
  Statement& BindFrom(int place, const Statement& row, int column);
  // Binds the parameters from 1 on: to whole numbers, reals, texts, Blobs, and optional ones.
  template <class... Values>
  Statement& BindAll(const Values&... values) {
    int place = 0;
    (BindValue(++place, values), ...);
    return *this;
  }

  // Whether there is a row.
  bool Step();
  // Ends the statement, so that it can be bound again.
  void Reset();
  // Runs a statement without results, and resets it.
  void Run();

  bool IsNull(int column) const;
  std::int64_t Number(int column) const;
  double Real(int column) const;
  // Valid until the next step.
  std::string_view Bytes(int column) const;
  std::string Text(int column) const { return std::string(Bytes(column)); }

 private:
  void CheckBound(int code);
  template <std::integral T>
  void BindValue(int place, T value) {
    Bind(place, static_cast<std::int64_t>(value));
  }
  void BindValue(int place, double value) { Bind(place, value); }
  void BindValue(int place, std::string_view text) { BindText(place, text); }
  void BindValue(int place, Blob blob) { BindBlob(place, blob.bytes); }
  template <class T>
  void BindValue(int place, const std::optional<T>& value) {
    if (value) {
      BindValue(place, *value);
    } else {
      BindNull(place);
    }
  }

  Database& db_;
  sqlite3_stmt* statement_ = nullptr;
  std::int64_t n_steps_ = 0;  // since it was reset
};

// Resets a statement that is kept for later, however the block is left.
class ResetAtEnd {
 public:
  explicit ResetAtEnd(Statement& statement) : statement_(statement) {}
  ~ResetAtEnd() {
    try {
      statement_.Reset();
    } catch (...) {  // the step that failed has said so
    }
  }
  ResetAtEnd(const ResetAtEnd&) = delete;
  ResetAtEnd& operator=(const ResetAtEnd&) = delete;

 private:
  Statement& statement_;
};

// Rolled back unless Commit() was called.
class Transaction {
 public:
  // Gets the write lock at once, so that no transaction fails half way because another process
  // writes.
  explicit Transaction(Database& db);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void Commit();

 private:
  Database& db_;
  bool open_ = true;
};

// Whether a file with these first 16 bytes or more is a database, as stores are.
bool BeginsDatabase(std::string_view bytes);

// Whether the file begins like a database; false if it cannot be read. This process may have the
// database open. Pipes and devices, which can be read only once, are not opened.
bool IsDatabaseFile(const std::filesystem::path& path);

}  // namespace crossfold
