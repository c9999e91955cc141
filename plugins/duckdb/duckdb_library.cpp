#include "duckdb_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "../reading/refusal.h"

namespace crossfold::reading::duckdb {
namespace {

void* Open(const char* path, std::string& reason) {
  void* handle = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) reason = ShownWhole(::dlerror());
  return handle;
}

void* OpenAny() {
  std::string reason;
  void* handle = nullptr;
  const char* named = std::getenv("CROSSFOLD_DUCKDB_LIBRARY");
  const std::string built = CROSSFOLD_DUCKDB_LIBRARY;
  if (named != nullptr && *named != '\0') {
    handle = Open(named, reason);
  } else {
    if (!built.empty()) handle = Open(built.c_str(), reason);
    if (handle == nullptr) handle = Open("libduckdb.so", reason);
  }
  if (handle == nullptr) {
    RefuseFile("it is read through DuckDB, which cannot be loaded (" + reason +
               "); install libduckdb.so, or name its path in the variable "
               "CROSSFOLD_DUCKDB_LIBRARY");
  }
  return handle;
}

class Functions {
 public:
  explicit Functions(void* handle) : handle_(handle) {}

  template <class F>
  void Find(const char* name, F& function) const {
    function = reinterpret_cast<F>(::dlsym(handle_, name));
    if (function != nullptr) return;
    RefuseFile(std::string("the library libduckdb has no function ") + name +
               "; install DuckDB 1.0 or newer");
  }

 private:
  void* handle_;
};

Library Load() {
  const Functions functions(OpenAny());
  Library library{};
  functions.Find("duckdb_create_config", library.create_config);
  functions.Find("duckdb_set_config", library.set_config);
  functions.Find("duckdb_destroy_config", library.destroy_config);
  functions.Find("duckdb_open_ext", library.open_ext);
  functions.Find("duckdb_close", library.close);
  functions.Find("duckdb_connect", library.connect);
  functions.Find("duckdb_disconnect", library.disconnect);
  functions.Find("duckdb_prepare", library.prepare);
  functions.Find("duckdb_prepare_error", library.prepare_error);
  functions.Find("duckdb_destroy_prepare", library.destroy_prepare);
  functions.Find("duckdb_prepared_statement_type", library.prepared_statement_type);
  functions.Find("duckdb_pending_prepared", library.pending_prepared);
  functions.Find("duckdb_pending_execute_task", library.pending_execute_task);
  functions.Find("duckdb_pending_error", library.pending_error);
  functions.Find("duckdb_destroy_pending", library.destroy_pending);
  functions.Find("duckdb_execute_pending", library.execute_pending);
  functions.Find("duckdb_result_error", library.result_error);
  functions.Find("duckdb_destroy_result", library.destroy_result);
  functions.Find("duckdb_column_count", library.column_count);
  functions.Find("duckdb_column_name", library.column_name);
  functions.Find("duckdb_column_logical_type", library.column_logical_type);
  functions.Find("duckdb_get_type_id", library.get_type_id);
  functions.Find("duckdb_destroy_logical_type", library.destroy_logical_type);
  functions.Find("duckdb_decimal_width", library.decimal_width);
  functions.Find("duckdb_decimal_scale", library.decimal_scale);
  functions.Find("duckdb_decimal_internal_type", library.decimal_internal_type);
  functions.Find("duckdb_decimal_to_double", library.decimal_to_double);
  functions.Find("duckdb_hugeint_to_double", library.hugeint_to_double);
  functions.Find("duckdb_uhugeint_to_double", library.uhugeint_to_double);
  functions.Find("duckdb_enum_internal_type", library.enum_internal_type);
  functions.Find("duckdb_enum_dictionary_size", library.enum_dictionary_size);
  functions.Find("duckdb_enum_dictionary_value", library.enum_dictionary_value);
  functions.Find("duckdb_free", library.free);
  functions.Find("duckdb_fetch_chunk", library.fetch_chunk);
  functions.Find("duckdb_destroy_data_chunk", library.destroy_data_chunk);
  functions.Find("duckdb_data_chunk_get_size", library.data_chunk_get_size);
  functions.Find("duckdb_data_chunk_get_vector", library.data_chunk_get_vector);
  functions.Find("duckdb_vector_get_data", library.vector_get_data);
  functions.Find("duckdb_vector_get_validity", library.vector_get_validity);
  return library;
}

}  // namespace

const Library& OpenLibrary() {
  static const Library library = Load();  // tried again after a failure
  return library;
}

}  // namespace crossfold::reading::duckdb
