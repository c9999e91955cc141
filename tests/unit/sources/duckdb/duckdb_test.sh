#!/bin/sh
# duckdb_test.sh TEST PROGRAM PLUGIN SCRATCH: runs duckdb_source_test with a libduckdb and files that it wrote. The library is
# the one that CROSSFOLD_DUCKDB_LIBRARY names, that of the system, or that of DuckDB's package for node, if npm can get
# it. Else the test is left out (77).
test=$1
program=$2
plugin=$3
scratch=$4
here=$(dirname "$(realpath "$0")")
package=@duckdb/node-bindings-linux-x64
version=1.5.6-r.1

leave_out() {
  echo "LEFT OUT: reading Parquet, JSON and databases through DuckDB needs libduckdb.so, or $1"
  exit 77
}

mkdir -p "$scratch/files" && cd "$scratch" || exit 1
library=$CROSSFOLD_DUCKDB_LIBRARY
[ -n "$library" ] || library=$(ldconfig -p 2>/dev/null | sed -n 's/^.*libduckdb\.so .* => //p' | head -n 1)
if [ -z "$library" ]; then
  library=$scratch/node_modules/$package/libduckdb.so
  if [ ! -f "$library" ]; then
    command -v npm >/dev/null 2>&1 || leave_out "npm"
    [ "$(uname -m)" = x86_64 ] || leave_out "a machine with x86-64"
    timeout 120 npm install --no-audit --no-fund "$package@$version" >npm.log 2>&1 ||
      leave_out "its package, which npm cannot install: $(tail -n 1 npm.log)"
  fi
fi
python3 "$here/write_files.py" "$library" files || exit 1
failed=0
CROSSFOLD_DUCKDB_LIBRARY=$library CROSSFOLD_DUCKDB_FILES=$scratch/files "$test" || failed=1

# Without the library the way out is named.
said=$(CROSSFOLD_DUCKDB_LIBRARY=/nosuch/libduckdb.so "$program" data describe files/types.parquet 2>&1)
expected="crossfold: cannot read 'files/types.parquet': it is read through DuckDB, which cannot be loaded \
(/nosuch/libduckdb.so: cannot open shared object file: No such file or directory); install libduckdb.so, or name its \
path in the variable CROSSFOLD_DUCKDB_LIBRARY"
if [ "$said" != "$expected" ]; then
  printf 'it says:\n%s\nexpected:\n%s\n' "$said" "$expected"
  failed=1
fi
# As a user has it.
cat >read.lua <<'LUA'
local cf = require "crossfold"
local data = cf.read("files/part-*.parquet", { target = "y", query = "SELECT x, y FROM data ORDER BY id" })
print(data)
LUA
said=$(CROSSFOLD_DUCKDB_LIBRARY=$library "$program" run read.lua 2>&1)
expected="dataset 'part-*': 8 rows, 1 features"
[ "$said" = "$expected" ] || { printf 'it says:\n%s\nexpected:\n%s\n' "$said" "$expected"; failed=1; }
# The memory that DuckDB holds goes up and down by some hundred bytes from read to read.
CROSSFOLD_DUCKDB_LIBRARY=$library "$program" plugin check --exclude '^leak$' --data files/types.parquet --data files/rows.ndjson \
  "$plugin" >check.txt 2>&1 || { cat check.txt; failed=1; }
exit $failed
