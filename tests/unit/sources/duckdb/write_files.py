"""Writes the files of this folder with DuckDB: write_files.py libduckdb.so FOLDER."""

import ctypes
import os
import sys

library, folder = sys.argv[1:]
duckdb = ctypes.CDLL(library)
database, connection = ctypes.c_void_p(), ctypes.c_void_p()
assert duckdb.duckdb_open(None, ctypes.byref(database)) == 0
assert duckdb.duckdb_connect(database, ctypes.byref(connection)) == 0
duckdb.duckdb_query.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

TYPES = """
SELECT * FROM (VALUES
  (true, (-128)::TINYINT, (-32768)::SMALLINT, 1::INTEGER, 2::BIGINT, 255::UTINYINT, 65535::USMALLINT,
   4294967295::UINTEGER, 9223372036854775807::UBIGINT, 0.5::FLOAT, 0.1::DOUBLE, 12.25::DECIMAL(9, 2),
   'b', DATE '1970-01-03', TIMESTAMP '1970-01-01 00:00:01', TIME '00:00:01', 'red'::colour, NULL),
  (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (false, 127, 32767, -3, -4, 0, 0, 0, 0, -2, -1.5e300, -0.01, 'a longer text than twelve bytes', DATE '1969-12-31',
   TIMESTAMP '1970-01-01 00:00:00', TIME '00:00:00', 'blue'::colour, NULL)
) t(bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, dec, text, day, stamp, clock, kind, nothing)
"""


def run(sql):
    result = (ctypes.c_uint64 * 6)()
    if duckdb.duckdb_query(connection, sql.encode(), result) != 0:
        duckdb.duckdb_result_error.restype = ctypes.c_char_p
        sys.exit(duckdb.duckdb_result_error(result).decode())


def copy(query, name, form="parquet"):
    run(f"COPY ({query}) TO '{os.path.join(folder, name)}' (FORMAT {form})")


run("CREATE TYPE colour AS ENUM ('red', 'blue', 'green')")
copy(TYPES, "types.parquet")
copy("SELECT i AS id, i / 4 AS x, CASE WHEN i % 3 = 0 THEN 'u' ELSE 'v' END AS y FROM range(0, 5) r(i)", "part-1.parquet")
copy("SELECT i AS id, i / 4 AS x, CASE WHEN i % 3 = 0 THEN 'u' ELSE 'v' END AS y FROM range(5, 8) r(i)", "part-2.parquet")
copy("SELECT 1 AS x, [1, 2] AS tags UNION ALL SELECT 2, [3]", "nested.parquet")
copy("SELECT i AS n, i / 2 AS half, 'k' || i AS name FROM range(3) r(i)", "rows.ndjson", "json")
copy("SELECT i AS id, sin(i) AS x, 'v' || i % 17 AS y FROM range(300000) r(i)", "large.parquet")
with open(os.path.join(folder, "types.parquet"), "rb") as whole, open(os.path.join(folder, "cut.parquet"), "wb") as cut:
    cut.write(whole.read()[:-100])
base = os.path.join(folder, "small.duckdb")
if os.path.exists(base):
    os.remove(base)
run(f"ATTACH '{base}' AS small")
run("USE small")
run("CREATE TYPE colour AS ENUM ('red', 'blue', 'green')")
run(f"CREATE TABLE rows AS {TYPES}")
run("USE memory")
run("DETACH small")
