#!/bin/sh
# arrow_js_test.sh PROGRAM DATA SCRATCH: what apache-arrow (the JavaScript implementation) reads of files that
# Crossfold wrote, and that it still writes the files of this folder. Where node, npm or the package cannot be had, the
# test is left out (77).
program=$1
data=$2
scratch=$3
here=$(dirname "$(realpath "$0")")
version=21.2.0

leave_out() {
  echo "LEFT OUT: the comparison with apache-arrow $version needs $1"
  exit 77
}
command -v node >/dev/null 2>&1 || leave_out "node"
command -v npm >/dev/null 2>&1 || leave_out "npm"
packages=$scratch/npm
if [ ! -d "$packages/node_modules/apache-arrow" ]; then
  mkdir -p "$packages" && cd "$packages" || exit 1
  timeout 60 npm install --no-audit --no-fund "apache-arrow@$version" >npm.log 2>&1 ||
    leave_out "the package, which npm cannot install: $(tail -n 1 npm.log)"
fi

failed=0
rm -rf "$scratch/files" && mkdir -p "$scratch/files" && cd "$scratch/files" || exit 1
for name in breast_cancer diabetes_regr iris penguins wine digits house_votes_84 weather_nominal; do
  for ending in arrow arrows; do
    "$program" data convert "$data/$name.csv" "$name.$ending" >/dev/null || failed=1
    differences=$(node "$here/compare_csv.mjs" "$packages" "$data/$name.csv" "$name.$ending" 2>&1)
    if [ -n "$differences" ]; then
      echo "$name.$ending, as apache-arrow reads it:"
      echo "$differences" | head -n 5
      failed=1
    fi
  done
done
if command -v lz4 >/dev/null 2>&1 && command -v zstd >/dev/null 2>&1; then
  mkdir written && node "$here/write_files.mjs" "$packages" written || failed=1
  for file in "$here"/*.arrow "$here"/*.arrows; do
    # Compressed bytes change with the version of the programs; their content does not.
    "$program" data describe --json "$file" >expected 2>&1
    "$program" data describe --json "written/${file##*/}" >got 2>&1
    sed "s#$here#written#" expected | cmp -s - got || { echo "${file##*/} is written in another way now"; failed=1; }
  done
else
  echo "LEFT OUT: the files of this folder are not written again, which needs lz4 and zstd"
fi
exit $failed
