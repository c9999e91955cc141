#!/bin/sh
# Runs the script of the tests, compares what it prints, and checks the plugin:
# sh ci.sh [FOLDER OF AN INSTALLED CROSSFOLD]
set -eu
cd "$(dirname "$0")"
crossfold=${1:+$1/bin/}crossfold
mkdir -p build
"$crossfold" --plugin-path @FILE@.crossfold run tests/use.lua > build/use.out
diff tests/use.expected build/use.out
echo "tests/use.lua: as expected"
"$crossfold" plugin check @FILE@.crossfold
