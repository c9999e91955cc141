#!/bin/sh
# Builds and tests everything: sh ci.sh [FOLDER OF AN INSTALLED CROSSFOLD]
set -eu
cd "$(dirname "$0")"
cmake -S . -B build -DCMAKE_PREFIX_PATH="${1:-${CMAKE_PREFIX_PATH:-}}"
cmake --build build
ctest --test-dir build --output-on-failure --no-tests=error
