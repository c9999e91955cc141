#include "store/cells/sqlite.h"

#include <sqlite3.h>

#include <limits>

#include "files/file_bytes.h"
#include "store/cells/stored_table.h"

namespace crossfold {
namespace {

// Only what has a meaning in a URI is escaped. `immutable` means that SQLite takes no locks and
// ignores the write-ahead log, as no process changes the file.
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

// Other processes write for milliseconds; a longer wait is a real problem.
constexpr int kBusyMilliseconds = 120'000;
// Steps of SQLite's machine. A statement takes 0.35 or fewer for each byte of a file with 30,000
// small cells (measured, of all that read or change stores); uncommitted data may be only in
// memory, up to 2 MB.
constexpr int kStepsBetweenLooks = 100'000;
constexpr std::int64_t kFreeSteps = 1'000'000;
constexpr std::int64_t kMaxStepsPerByte = 4;

const char* WayOut(int code) {
  switch (code) {
    case SQLITE_FULL:
      return "make room on the disk and run it again: stored results are reused";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return "make the file and its folder writable, or use another path";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process holds it; try again when that has ended";
    default:
      return "check the disk and run it again: stored results are reused";
  }
}

}  // namespace

Database::Database(const std::filesystem::path& path, Access access)
    : path_(path), writes_(access == Access::kCreate || access == Access::kWrite) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
  flags |= writes_ ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  if (access == Access::kCreate) flags |= SQLITE_OPEN_CREATE;
  if (IsPipeOrDevice(path)) {
    throw Error(ErrorKind::kIo,
                "cannot open store '" + path.string() + "': it is a device or a pipe; name a file");
  }
  const std::string uri = SqliteUri(path, access == Access::kImmutable);
  const int code = sqlite3_open_v2(uri.c_str(), &db_, flags, nullptr);
  try {
    Check(code);
    use_.emplace(path);
    sqlite3_extended_result_codes(db_, 0);
    sqlite3_busy_timeout(db_, kBusyMilliseconds);
    AddChecksumFunction(*this);
    sqlite3_progress_handler(db_, kStepsBetweenLooks, &CountSteps, this);
    // As https://www.sqlite.org/security.html advises for untrusted files.
    sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  } catch (...) {
    sqlite3_close_v2(db_);
    throw;
  }
}

Database::~Database() { sqlite3_close_v2(db_); }

int Database::CountSteps(void* db) {
  auto& self = *static_cast<Database*>(db);
  self.n_steps_ += kStepsBetweenLooks;
  return self.n_steps_ > kFreeSteps && self.n_steps_ > self.MostSteps() ? 1 : 0;
}

// Uses the handles of SQLite, as the file may have no name any more.
std::int64_t Database::MostSteps() const {
  std::int64_t n_bytes = 0;
  for (const int which : {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER}) {
    sqlite3_file* file = nullptr;
    sqlite3_int64 size = 0;
    const bool is_open = sqlite3_file_control(db_, "main", which, &file) == SQLITE_OK &&
                         file != nullptr && file->pMethods != nullptr;
    if (is_open && file->pMethods->xFileSize(file, &size) == SQLITE_OK) n_bytes += size;
  }
  return kFreeSteps + kMaxStepsPerByte * n_bytes;
}

void Database::LiftBound() { sqlite3_progress_handler(db_, 0, nullptr, nullptr); }

void Database::Throw(int code) const {
  if (code == SQLITE_INTERRUPT) ThrowDamaged();  // by CountSteps
  const int primary = code & 0xFF;
  const std::string words =
      db_ != nullptr && sqlite3_errcode(db_) == code ? sqlite3_errmsg(db_) : sqlite3_errstr(code);
  const std::string name = "'" + path_.string() + "'";
  if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB) {
    throw SqliteError(ErrorKind::kBadData, primary,
                      "cannot read store " + name + ": " + words + "; `crossfold repair " +
                          path_.string() + " NEW` recovers what is intact");
  }
  throw SqliteError(ErrorKind::kIo, primary,
                    std::string("cannot ") + (writes_ ? "write to" : "read") + " store " + name +
                        ": " + words + "; " + WayOut(primary));
}

void Database::Check(int code) const {
  if (code != SQLITE_OK) Throw(code);
}

void Database::ThrowDamaged() const { Throw(SQLITE_CORRUPT); }

void Database::Execute(const char* sql) {
  n_steps_ = 0;
  Check(sqlite3_exec(db_, sql, nullptr, nullptr, nullptr));
}

std::int64_t Database::Number(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.Step() ? statement.Number(0) : 0;
}

std::string Database::Text(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.Step() ? statement.Text(0) : "";
}

std::int64_t Database::num_bytes() {
  return Number("PRAGMA page_count") * Number("PRAGMA page_size");
}

std::int64_t Database::changes() const { return sqlite3_changes64(db_); }

void Database::CopyTo(const std::filesystem::path& copy) {
  Statement vacuum(*this, "VACUUM INTO ?");
  vacuum.BindText(1, copy.string()).Run();
}

void Database::LeaveWriteAheadLog() {
  int persist = 1;
  sqlite3_file_control(db_, nullptr, SQLITE_FCNTL_PERSIST_WAL, &persist);
}

Statement::Statement(Database& db, const std::string& sql) : db_(db) {
  db_.n_steps_ = 0;  // of reading the schema
  db_.Check(sqlite3_prepare_v3(db.get(), sql.c_str(), static_cast<int>(sql.size()) + 1,
                               SQLITE_PREPARE_PERSISTENT, &statement_, nullptr));
}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::CheckBound(int code) { db_.Check(code); }

Statement& Statement::Bind(int place, std::int64_t value) {
  CheckBound(sqlite3_bind_int64(statement_, place, value));
  return *this;
}

Statement& Statement::Bind(int place, double value) {
  CheckBound(sqlite3_bind_double(statement_, place, value));
  return *this;
}

Statement& Statement::BindText(int place, std::string_view text) {
  CheckBound(sqlite3_bind_text64(statement_, place, text.data() == nullptr ? "" : text.data(),
                                 text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::BindBlob(int place, std::string_view bytes) {
  // A null pointer would be null.
  CheckBound(sqlite3_bind_blob64(statement_, place, bytes.data() == nullptr ? "" : bytes.data(),
                                 bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::BindNull(int place) {
  CheckBound(sqlite3_bind_null(statement_, place));
  return *this;
}

Statement& Statement::BindFrom(int place, const Statement& row, int column) {
  CheckBound(sqlite3_bind_value(statement_, place, sqlite3_column_value(row.statement_, column)));
  return *this;
}

bool Statement::Step() {
  db_.n_steps_ = n_steps_;
  const int code = sqlite3_step(statement_);
  n_steps_ = code == SQLITE_ROW ? db_.n_steps_ : 0;  // else the next step starts again
  if (code != SQLITE_ROW && code != SQLITE_DONE) db_.Throw(code);
  return code == SQLITE_ROW;
}

void Statement::Reset() {
  sqlite3_reset(statement_);
  n_steps_ = 0;
}

void Statement::Run() {
  const ResetAtEnd reset(*this);
  Step();
}

bool Statement::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t Statement::Number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double Statement::Real(int column) const { return sqlite3_column_double(statement_, column); }

std::string_view Statement::Bytes(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  const int n = sqlite3_column_bytes(statement_, column);
  if (bytes == nullptr || n <= 0) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(n)};
}

Transaction::Transaction(Database& db) : db_(db) { db_.Execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  // Some failures have rolled back already.
  if (open_) sqlite3_exec(db_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::Commit() {
  db_.Execute("COMMIT");
  open_ = false;
}

bool BeginsDatabase(std::string_view bytes) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  return bytes.starts_with(kMagic);
}

bool IsDatabaseFile(const std::filesystem::path& path) {
  constexpr std::size_t kBytes = 16;
  return BeginsDatabase(ReadBeginning(path, kBytes).value_or(""));
}

}  // namespace crossfold
