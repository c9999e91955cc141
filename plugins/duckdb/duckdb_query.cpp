#include "duckdb_query.h"

#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

#include "../reading/column_plan.h"
#include "../reading/refusal.h"
#include "duckdb_column.h"
#include "duckdb_library.h"

namespace crossfold::reading {
namespace {

// An object of the API that is destroyed at the end.
template <class T>
class Owned {
 public:
  explicit Owned(void (*destroy)(T*)) : destroy_(destroy) {}
  ~Owned() { destroy_(&value_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  T* out() { return &value_; }
  T get() const { return value_; }

 private:
  T value_{};
  void (*destroy_)(T*);
};

std::string TextOf(const char* text) { return text == nullptr ? "" : ShownWhole(text); }

class Session {
 public:
  Session(const duckdb::Library& library, const DuckDbRequest& request, const cf::Context& context)
      : library_(library),
        context_(context),
        database_(library.close),
        connection_(library.disconnect) {
    Owned<duckdb::Config> config(library.destroy_config);
    if (library.create_config(config.out()) != duckdb::kSuccess)
      RefuseFile("DuckDB is out of memory");
    const auto set = [&](const char* name, const std::string& value) {
      if (library.set_config(config.get(), name, value.c_str()) == duckdb::kSuccess) return;
      RefuseFile(std::string("this DuckDB has no setting ") + name +
                 "; install version 1.0 or newer");
    };
    set("threads", std::to_string(request.threads));
    set("preserve_insertion_order", "true");
    set("autoinstall_known_extensions", "false");
    set("autoload_known_extensions", "false");
    if (!request.database.empty()) set("access_mode", "READ_ONLY");
    char* error = nullptr;
    const char* path = request.database.empty() ? nullptr : request.database.c_str();
    if (library.open_ext(path, database_.out(), config.get(), &error) != duckdb::kSuccess) {
      const std::string reason = TextOf(error);
      if (error != nullptr) library.free(error);
      RefuseFile(reason);
    }
    if (library.connect(database_.get(), connection_.out()) != duckdb::kSuccess) {
      RefuseFile("DuckDB cannot connect to it");
    }
  }

  // Runs a statement to its end; `result` is destroyed by the caller. Only a SELECT if `is_query`.
  void Run(const std::string& sql, bool is_query, duckdb::Result* result) {
    Owned<duckdb::Statement> statement(library_.destroy_prepare);
    if (library_.prepare(connection_.get(), sql.c_str(), statement.out()) != duckdb::kSuccess) {
      Refuse(TextOf(library_.prepare_error(statement.get())), is_query);
    }
    if (is_query && library_.prepared_statement_type(statement.get()) != duckdb::kSelect) {
      RefuseOption("query refused: it is not a SELECT; a query can only read");
    }
    Owned<duckdb::Pending> pending(library_.destroy_pending);
    if (library_.pending_prepared(statement.get(), pending.out()) != duckdb::kSuccess) {
      Refuse(TextOf(library_.pending_error(pending.get())), is_query);
    }
    Wait(pending.get(), is_query);
    if (library_.execute_pending(pending.get(), result) != duckdb::kSuccess) {
      Refuse(TextOf(library_.result_error(result)), is_query);
    }
  }

 private:
  // Task by task, so that the host can stop it between them.
  void Wait(duckdb::Pending pending, bool is_query) {
    for (;;) {
      context_.Progress(0);
      switch (library_.pending_execute_task(pending)) {
        case duckdb::kReady:
          return;
        case duckdb::kFailed:
          Refuse(TextOf(library_.pending_error(pending)), is_query);
        case duckdb::kNoTask:
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          break;
        default:
          break;
      }
    }
  }

  [[noreturn]] static void Refuse(const std::string& reason, bool is_query) {
    if (reason.find("No files found") != std::string::npos) RefuseFile("there is no such file");
    if (is_query) RefuseContent(reason + "; change the query or the data");
    RefuseContent(reason);
  }

  const duckdb::Library& library_;
  const cf::Context& context_;
  Owned<duckdb::Database> database_;
  Owned<duckdb::Connection> connection_;
};

std::vector<DuckDbColumn> ColumnsOf(const duckdb::Library& library, duckdb::Result* result,
                                    const cf::SourceInput& input) {
  std::vector<DuckDbColumn> columns;
  const std::uint64_t n = library.column_count(result);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::string name = library.column_name(result, i);
    Owned<duckdb::LogicalType> type(library.destroy_logical_type);
    *type.out() = library.column_logical_type(result, i);
    const bool is_unused = HasFlag(input.HintOf(name), CF_HINT_UNUSED);
    columns.emplace_back(library, std::move(name), type.get(), is_unused);
  }
  return columns;
}

}  // namespace

cf::Columns ReadDuckDb(const DuckDbRequest& request, const cf::SourceInput& input,
                       const cf::Context& context) {
  const duckdb::Library& library = duckdb::OpenLibrary();
  Session session(library, request, context);
  if (!request.view.empty()) {
    Owned<duckdb::Result> made(library.destroy_result);
    session.Run("CREATE TEMP VIEW data AS SELECT * FROM " + request.view, false, made.out());
  }
  Owned<duckdb::Result> result(library.destroy_result);
  session.Run(request.query.empty() ? "SELECT * FROM data" : request.query, !request.query.empty(),
              result.out());
  std::vector<DuckDbColumn> columns = ColumnsOf(library, result.out(), input);
  for (;;) {
    context.Progress(0);
    Owned<duckdb::Chunk> chunk(library.destroy_data_chunk);
    *chunk.out() = library.fetch_chunk(result.get());
    if (chunk.get() == nullptr) break;
    const auto n_rows = static_cast<std::int64_t>(library.data_chunk_get_size(chunk.get()));
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i].Append(library.data_chunk_get_vector(chunk.get(), i), n_rows);
      bytes += columns[i].size_in_bytes();
    }
    if (bytes > input.max_bytes()) {
      RefuseContent("its columns take more than the " + std::to_string(input.max_bytes()) +
                    " bytes of memory that are left for them; choose columns or rows in the query");
    }
  }
  cf::Columns finished;
  for (DuckDbColumn& column : columns) finished.push_back(std::move(column).Finish());
  return finished;
}

}  // namespace crossfold::reading
