// The functions of DuckDB's C API that are used here
// (https://duckdb.org/docs/stable/clients/c/api), from the library libduckdb that is opened when it
// is first needed.
#pragma once

#include <cstdint>

namespace crossfold::reading::duckdb {

// Handles, which the API passes as pointers.
struct DatabaseHandle;
struct ConnectionHandle;
struct ConfigHandle;
struct StatementHandle;
struct PendingHandle;
struct ChunkHandle;
struct VectorHandle;
struct TypeHandle;
using Database = DatabaseHandle*;
using Connection = ConnectionHandle*;
using Config = ConfigHandle*;
using Statement = StatementHandle*;
using Pending = PendingHandle*;
using Chunk = ChunkHandle*;
using Vector = VectorHandle*;
using LogicalType = TypeHandle*;

struct Result {
  std::uint64_t deprecated_counts[3];
  void* deprecated_columns;
  char* deprecated_error;
  void* internal;
};
struct HugeInt {
  std::uint64_t lower;
  std::int64_t upper;
};
struct UnsignedHugeInt {
  std::uint64_t lower, upper;
};
struct Decimal {
  std::uint8_t width, scale;
  HugeInt value;
};
// Up to 12 bytes are in the struct.
struct String {
  std::uint32_t length;
  char start[4];
  const char* rest;
  static constexpr std::uint32_t kInlined = 12;
  const char* data() const { return length <= kInlined ? start : rest; }
};

enum State : int { kSuccess = 0 };
enum PendingState : int { kReady = 0, kNotReady = 1, kFailed = 2, kNoTask = 3 };
enum StatementType : int { kSelect = 1 };
enum class Type : int {
  kBoolean = 1,
  kTinyInt = 2,
  kSmallInt = 3,
  kInteger = 4,
  kBigInt = 5,
  kUTinyInt = 6,
  kUSmallInt = 7,
  kUInteger = 8,
  kUBigInt = 9,
  kFloat = 10,
  kDouble = 11,
  kTimestamp = 12,
  kDate = 13,
  kTime = 14,
  kHugeInt = 16,
  kVarchar = 17,
  kDecimal = 19,
  kTimestampS = 20,
  kTimestampMs = 21,
  kTimestampNs = 22,
  kEnum = 23,
  kTimestampTz = 31,
  kUHugeInt = 32,
  kSqlNull = 36
};

struct Library {
  State (*create_config)(Config*);
  State (*set_config)(Config, const char* name, const char* value);
  void (*destroy_config)(Config*);
  State (*open_ext)(const char* path, Database*, Config, char** error);
  void (*close)(Database*);
  State (*connect)(Database, Connection*);
  void (*disconnect)(Connection*);
  State (*prepare)(Connection, const char* sql, Statement*);
  const char* (*prepare_error)(Statement);
  void (*destroy_prepare)(Statement*);
  StatementType (*prepared_statement_type)(Statement);
  State (*pending_prepared)(Statement, Pending*);
  PendingState (*pending_execute_task)(Pending);
  const char* (*pending_error)(Pending);
  void (*destroy_pending)(Pending*);
  State (*execute_pending)(Pending, Result*);
  const char* (*result_error)(Result*);
  void (*destroy_result)(Result*);
  std::uint64_t (*column_count)(Result*);
  const char* (*column_name)(Result*, std::uint64_t);
  LogicalType (*column_logical_type)(Result*, std::uint64_t);
  Type (*get_type_id)(LogicalType);
  void (*destroy_logical_type)(LogicalType*);
  std::uint8_t (*decimal_width)(LogicalType);
  std::uint8_t (*decimal_scale)(LogicalType);
  Type (*decimal_internal_type)(LogicalType);
  double (*decimal_to_double)(Decimal);
  double (*hugeint_to_double)(HugeInt);
  double (*uhugeint_to_double)(UnsignedHugeInt);
  Type (*enum_internal_type)(LogicalType);
  std::uint32_t (*enum_dictionary_size)(LogicalType);
  char* (*enum_dictionary_value)(LogicalType, std::uint64_t);
  void (*free)(void*);
  Chunk (*fetch_chunk)(Result);
  void (*destroy_data_chunk)(Chunk*);
  std::uint64_t (*data_chunk_get_size)(Chunk);
  Vector (*data_chunk_get_vector)(Chunk, std::uint64_t);
  void* (*vector_get_data)(Vector);
  std::uint64_t* (*vector_get_validity)(Vector);
};

// Opened once, and open until the process ends. It is searched by the variable
// CROSSFOLD_DUCKDB_LIBRARY, then where the build found it, then as the dynamic linker finds
// libduckdb.so. Throws Error(CF_E_IO) if there is none. Thread-safe.
const Library& OpenLibrary();

}  // namespace crossfold::reading::duckdb
