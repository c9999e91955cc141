#include "store/catalog/catalog_query.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/store_catalog.h"
#include "store/catalog/catalog_file.h"

namespace crossfold {
namespace {

constexpr std::size_t kMaxResultBytes = std::size_t{256} << 20;
constexpr int kMaxValueBytes = 64 << 20;
constexpr int kStepsBetweenLooks = 100'000;

// Allows what a SELECT needs and nothing else.
int Authorize(void*, int action, const char*, const char* name, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:  // these two take code
      return std::string_view(name) == "load_extension" ||
                     std::string_view(name) == "fts3_tokenizer"
                 ? SQLITE_DENY
                 : SQLITE_OK;
    default:
      return SQLITE_DENY;
  }
}

int IsCancelled(void* cancel) {
  const auto* token = static_cast<const CancelToken*>(cancel);
  return token != nullptr && token->cancelled() ? 1 : 0;
}

struct Finalizer {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Prepared = std::unique_ptr<sqlite3_stmt, Finalizer>;

class Query {
 public:
  Query(Database& catalog, const std::string& sql, const CancelToken* cancel)
      : db_(catalog), sql_(sql), cancel_(cancel) {
    sqlite3* db = db_.get();
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_set_authorizer(db, &Authorize, nullptr);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kMaxValueBytes);
    sqlite3_progress_handler(db, kStepsBetweenLooks, &IsCancelled,
                             const_cast<CancelToken*>(cancel));
  }

  Table Run() {
    const Prepared statement = PrepareOne();
    Table table;
    table.columns = ColumnsOf(statement.get());
    for (int code = sqlite3_step(statement.get()); code != SQLITE_DONE;
         code = sqlite3_step(statement.get())) {
      if (code != SQLITE_ROW) Fail(code);
      table.rows.push_back(ReadRow(statement.get()));
    }
    return table;
  }

 private:
  [[noreturn]] void Refuse(const std::string& finding) const {
    std::string shown = sql_.substr(0, 200);
    std::ranges::replace_if(
        shown, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    throw Error(ErrorKind::kInvalidArgument, "cannot query catalog '" + db_.path().string() +
                                                 "': " + finding + "; the query is: " + shown);
  }

  [[noreturn]] void Fail(int code) const {
    if (code == SQLITE_INTERRUPT) StopIfCancelled(cancel_);
    if (code == SQLITE_AUTH) Refuse("it may only be read, by one SELECT");
    if (code == SQLITE_ERROR || code == SQLITE_TOOBIG || code == SQLITE_MISMATCH)
      Refuse(sqlite3_errmsg(db_.get()));
    db_.Throw(code);
  }

  // The statement at the beginning of `text`, which becomes the rest; null = there is none.
  Prepared Prepare(std::string_view& text) const {
    sqlite3_stmt* statement = nullptr;
    const char* tail = nullptr;
    const int code = sqlite3_prepare_v2(db_.get(), text.data(), static_cast<int>(text.size()),
                                        &statement, &tail);
    Prepared prepared(statement);
    if (code != SQLITE_OK) Fail(code);
    text.remove_prefix(static_cast<std::size_t>(tail - text.data()));
    return prepared;
  }

  Prepared PrepareOne() const {
    if (sql_.find('\0') != std::string::npos) Refuse("it has a zero byte");
    std::string_view rest = sql_;
    Prepared first = Prepare(rest);
    if (first == nullptr) Refuse("it has no statement");
    if (Prepare(rest) != nullptr) Refuse("it has several statements; use one");
    if (sqlite3_stmt_readonly(first.get()) == 0 || sqlite3_column_count(first.get()) == 0) {
      Refuse("it may only be read, by one SELECT");
    }
    return first;
  }

  // Distinct names: the second "k" is "k (2)".
  static std::vector<std::string> ColumnsOf(sqlite3_stmt* statement) {
    std::vector<std::string> names;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const std::string name = sqlite3_column_name(statement, i);
      std::string distinct = name;
      for (int n = 2; std::ranges::find(names, distinct) != names.end(); ++n) {
        distinct = name + " (" + std::to_string(n) + ")";
      }
      names.push_back(std::move(distinct));
    }
    return names;
  }

  std::vector<TableCell> ReadRow(sqlite3_stmt* statement) {
    std::vector<TableCell> row;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      row.push_back(ReadCell(statement, i));
      n_bytes_ += sizeof(TableCell) + static_cast<std::size_t>(sqlite3_column_bytes(statement, i));
    }
    if (n_bytes_ > kMaxResultBytes) Refuse("its result has more than 256 MiB; use LIMIT");
    return row;
  }

  TableCell ReadCell(sqlite3_stmt* statement, int i) const {
    switch (sqlite3_column_type(statement, i)) {
      case SQLITE_NULL:
        return Null();
      case SQLITE_INTEGER:
        return std::int64_t{sqlite3_column_int64(statement, i)};
      case SQLITE_FLOAT:
        return sqlite3_column_double(statement, i);
      case SQLITE_BLOB:
        Refuse("column " + std::to_string(i + 1) + " is a blob; use hex() of it");
      default:
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
        const auto n = static_cast<std::size_t>(sqlite3_column_bytes(statement, i));
        return std::string(text == nullptr ? "" : text, text == nullptr ? 0 : n);
    }
  }

  Database& db_;
  const std::string& sql_;
  const CancelToken* cancel_;
  std::size_t n_bytes_ = 0;
};

}  // namespace

Table RunQuery(Database& catalog, const std::string& sql, const CancelToken* cancel) {
  return Query(catalog, sql, cancel).Run();
}

Table QueryCatalog(const std::filesystem::path& catalog, const std::string& sql,
                   const CancelToken* cancel) {
  return OnCatalog(catalog, [&] { return RunQuery(*OpenCatalogToRead(catalog), sql, cancel); });
}

}  // namespace crossfold
