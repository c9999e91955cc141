#include "sqlite_query.h"

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "../reading/known_names.h"
#include "../reading/refusal.h"

namespace crossfold::reading {
namespace {

// Only what has a meaning in a URI is escaped. `immutable`: SQLite takes no locks and reads no
// write-ahead log, because no program changes the file.
std::string SqliteUri(const std::filesystem::path& path, bool immutable) {
  std::string uri = "file:";
  if (path.is_absolute()) uri += "//";  // an empty authority: //a/b would name the host a
  for (const char c : path.string()) {
    if (c == '%') {
      uri += "%25";
    } else if (c == '?') {
      uri += "%3f";
    } else if (c == '#') {
      uri += "%23";
    } else {
      uri += c;
    }
  }
  return uri + (immutable ? "?immutable=1" : "");
}

constexpr int kBusyMilliseconds = 10'000;
constexpr int kStepsBetweenProgress = 100'000;  // of SQLite's machine: some milliseconds
constexpr int kFewSteps =
    4;  // for queries that may be deliberately slow, as with instr() of long strings

bool IsPipeOrDevice(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

// Returns the path without symbolic links; unchanged if it cannot be resolved.
std::filesystem::path RealPath(const std::filesystem::path& path) {
  std::error_code failure;
  std::filesystem::path real = std::filesystem::canonical(path, failure);
  return failure ? path : real;
}

std::string QuotedIdentifier(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

const char* WordsFor(int action) {
  switch (action) {
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
      return "attaches another file";
    case SQLITE_PRAGMA:
      return "asks for a PRAGMA";
    case SQLITE_FUNCTION:
      return "loads an extension";
    default:
      return "changes the database";
  }
}

void RefuseSlowFunction(sqlite3_context* context, int, sqlite3_value**) {
  sqlite3_result_error(context,
                       "printf, format and trim with two arguments cannot be interrupted and are "
                       "not allowed here",
                       -1);
}

// SQL functions cannot be interrupted. The allowed ones take less than a second for strings of
// 256 KiB.
void BoundFunctions(sqlite3* db, int most_text_bytes) {
  constexpr int kLongestPattern = 1000;  // of LIKE and GLOB
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, most_text_bytes);
  sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, kLongestPattern);
  const std::pair<const char*, int> slow[] = {
      {"printf", -1}, {"format", -1}, {"trim", 2}, {"ltrim", 2}, {"rtrim", 2}};
  for (const auto& [name, n_arguments] : slow) {
    sqlite3_create_function(db, name, n_arguments, SQLITE_UTF8, nullptr, &RefuseSlowFunction,
                            nullptr, nullptr);
  }
}

}  // namespace

SqliteQuery::SqliteQuery(const std::filesystem::path& path, std::int64_t most_text_bytes,
                         const cf::Context& context, bool may_be_alone)
    : path_(path), real_(RealPath(path)), context_(context), most_text_bytes_(most_text_bytes) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    RefuseFile("there is no such file");
  }
  if (std::filesystem::is_directory(status)) {
    RefuseFile("it is a folder");
  }
  try {
    Open(false);
    if (!may_be_alone || !OpenAlone()) OpenShared();
  } catch (...) {
    Close();
    throw;
  }
}

// Continues with the open file.
void SqliteQuery::OpenShared() {
  // The first access shows whether SQLite can share the file with programs that write.
  const int code = sqlite3_exec(db_, "SELECT 1 FROM sqlite_master", nullptr, nullptr, nullptr);
  const int primary = code & 0xFF;
  if ((primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY) && !HasUnfinishedWrites()) {
    Close();
    Open(true);
  } else if (code != SQLITE_OK) {
    Throw(code);
  }
}

// Without a log the file has everything that was written, and a program that writes later makes a
// log first. The file itself then changes only by a checkpoint, which WasChanged() notices.
bool SqliteQuery::OpenAlone() {
  if (!IsInWalMode()) return false;
  const auto state = FileState::Settled(path_);
  if (!state) return false;
  for (const char* ending : {"-wal", "-shm"}) {
    std::error_code error;
    const auto status = std::filesystem::symlink_status(real_.string() + ending, error);
    if (status.type() != std::filesystem::file_type::not_found) return false;
  }
  Close();
  Open(true);
  alone_ = state;
  return true;
}

// By bytes 18 and 19 of the file (https://www.sqlite.org/fileformat.html), through the handle of
// SQLite, because closing another one would release the locks of this process.
bool SqliteQuery::IsInWalMode() const {
  sqlite3_file* file = nullptr;
  const int code = sqlite3_file_control(db_, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK || file == nullptr || file->pMethods == nullptr) return false;
  unsigned char versions[2] = {0, 0};
  if (file->pMethods->xRead(file, versions, 2, 18) != SQLITE_OK) return false;
  return versions[0] == 2 || versions[1] == 2;
}

bool SqliteQuery::WasChanged() const { return alone_ && FileState::Of(path_) != alone_; }

SqliteQuery::~SqliteQuery() { Close(); }

void SqliteQuery::Open(bool immutable) {
  if (IsPipeOrDevice(path_)) {
    RefuseFile("it is a device or a pipe; name a file");
  }
  const int code =
      sqlite3_open_v2(SqliteUri(path_, immutable).c_str(), &db_,
                      SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, nullptr);
  if (code != SQLITE_OK) Throw(code);
  sqlite3_busy_timeout(db_, kBusyMilliseconds);
  // A forged file must not run more than the query.
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, nullptr);
  sqlite3_limit(db_, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_set_authorizer(db_, &Authorize, this);
  if (most_text_bytes_ > 0) BoundFunctions(db_, static_cast<int>(most_text_bytes_));
  const int steps = most_text_bytes_ > 0 ? kFewSteps : kStepsBetweenProgress;
  sqlite3_progress_handler(db_, steps, &Progress, this);
}

void SqliteQuery::Close() {
  sqlite3_finalize(statement_);
  sqlite3_close_v2(db_);
  statement_ = nullptr;
  db_ = nullptr;
}

// Whether there is a journal or log next to the file that is not empty.
bool SqliteQuery::HasUnfinishedWrites() const {
  for (const char* ending : {"-wal", "-journal"}) {
    std::error_code error;
    const auto size = std::filesystem::file_size(real_.string() + ending, error);
    if (!error && size > 0) return true;
  }
  return false;
}

int SqliteQuery::Authorize(void* query, int action, const char*, const char* second, const char*,
                           const char*) {
  auto& self = *static_cast<SqliteQuery*>(query);
  // The second one reveals addresses, and calls what is passed as one; Debian's SQLite has it.
  const bool loads = action == SQLITE_FUNCTION && second != nullptr &&
                     (sqlite3_stricmp(second, "load_extension") == 0 ||
                      sqlite3_stricmp(second, "fts3_tokenizer") == 0);
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      if (!loads) return SQLITE_OK;
      break;
    default:
      break;
  }
  if (self.forbidden_ == nullptr) self.forbidden_ = WordsFor(action);
  return SQLITE_DENY;
}

int SqliteQuery::Progress(void* query) {
  try {
    static_cast<SqliteQuery*>(query)->context_.Progress(0);
    return 0;
  } catch (const cf::Error&) {  // cancelled
    return 1;
  }
}

void SqliteQuery::Compile(const std::string& sql) {
  sqlite3_finalize(statement_);
  statement_ = nullptr;
  forbidden_ = nullptr;
  const int code =
      sqlite3_prepare_v2(db_, sql.c_str(), static_cast<int>(sql.size()) + 1, &statement_, &tail_);
  if (forbidden_ != nullptr) {
    RefuseQuery("it " + std::string(forbidden_) +
                "; a query must be a SELECT that reads this file");
  }
  const int primary = code & 0xFF;
  if (primary == SQLITE_ERROR || primary == SQLITE_AUTH || primary == SQLITE_RANGE) {
    RefuseQuery(ShownWhole(sqlite3_errmsg(db_)) + "; fix the query");
  }
  if (code != SQLITE_OK) Throw(code);
}

void SqliteQuery::Prepare(const std::string& sql) {
  if (sql.find('\0') != std::string::npos) RefuseQuery("it holds a NUL; fix the query");
  if (sql.size() > 1'000'000) RefuseQuery("it is longer than 1,000,000 bytes; make a view of it");
  Compile(sql);
  if (statement_ == nullptr) RefuseQuery("it is empty; write a SELECT");
  sqlite3_stmt* next = nullptr;
  const int code = sqlite3_prepare_v2(db_, tail_, -1, &next, nullptr);
  const bool has_more = next != nullptr || code != SQLITE_OK;
  sqlite3_finalize(next);
  if (has_more) RefuseQuery("it has several statements; write one SELECT");
  if (sqlite3_bind_parameter_count(statement_) > 0) {
    RefuseQuery("it has parameters, which have no values here; write the values");
  }
  if (sqlite3_stmt_readonly(statement_) == 0 || sqlite3_column_count(statement_) == 0) {
    RefuseQuery("it gives no rows; write a SELECT");
  }
}

std::vector<std::string> SqliteQuery::TableNames() {
  Compile(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE "
      "'sqlite\\_%' ESCAPE '\\' ORDER BY name");
  std::vector<std::string> names;
  while (Step()) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, 0));
    if (text != nullptr) names.emplace_back(text);
  }
  return names;
}

void SqliteQuery::PrepareTable(const std::string& name) {
  const std::vector<std::string> known = TableNames();
  const auto is_name = [&](const std::string& other) {
    return sqlite3_stricmp(name.c_str(), other.c_str()) == 0;
  };
  if (std::none_of(known.begin(), known.end(), is_name)) {
    RefuseOption("there is no table '" + name + "'; " + KnownNames(name, known));
  }
  const std::string all = "SELECT * FROM " + QuotedIdentifier(name);
  try {
    Compile(all + " ORDER BY rowid");
  } catch (const cf::Error&) {  // a view, or a table WITHOUT ROWID
    Compile(all);
  }
}

std::vector<std::string> SqliteQuery::column_names() const {
  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(statement_); ++i) {
    const char* name = sqlite3_column_name(statement_, i);
    names.emplace_back(name == nullptr ? "" : name);
  }
  return names;
}

bool SqliteQuery::Step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) Throw(code);
  return false;
}

void SqliteQuery::RefuseQuery(const std::string& finding) const {
  RefuseOption("query refused: " + finding);
}

void SqliteQuery::Throw(int code) const {
  const int primary = code & 0xFF;
  // The message may quote any bytes of the file.
  const std::string words = ShownWhole(db_ != nullptr ? sqlite3_errmsg(db_) : sqlite3_errstr(code));
  if (primary == SQLITE_INTERRUPT) throw cf::Error(CF_E_CANCELLED, "cancelled by the host");
  if (primary == SQLITE_NOTADB) {
    RefuseContent("it is not an SQLite database; read text files by their path");
  }
  if (primary == SQLITE_CORRUPT) {
    RefuseContent("the database is damaged (" + words +
                  "); `sqlite3 FILE .recover` recovers what is intact");
  }
  if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED) {
    RefuseFile("another program writes to it; read it when that is done");
  }
  if (primary == SQLITE_READONLY) {
    RefuseFile(
        "another program left unfinished writes in it; open it once with a program that may "
        "write to it");
  }
  if (primary == SQLITE_CANTOPEN || primary == SQLITE_PERM || primary == SQLITE_IOERR) {
    RefuseFile("it cannot be opened (" + words + "); check its permissions");
  }
  if (primary == SQLITE_NOMEM) throw std::bad_alloc();
  if (primary == SQLITE_TOOBIG && most_text_bytes_ > 0) {
    RefuseContent("a string or row exceeds the limit of " + std::to_string(most_text_bytes_) +
                  " bytes; shorten it in the query, as in substr(...)");
  }
  RefuseContent(words + "; fix the query or the data");
}

}  // namespace crossfold::reading
