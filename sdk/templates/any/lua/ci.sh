#!/bin/sh
# Runs the test scripts, and compares what the first one prints: sh ci.sh [FOLDER OF AN INSTALLED CROSSFOLD]
set -eu
cd "$(dirname "$0")"
crossfold=${1:+$1/bin/}crossfold
mkdir -p build
"$crossfold" run tests/use.lua > build/use.out
diff tests/use.expected build/use.out
echo "tests/use.lua: as expected"
if [ -f tests/check.lua ]; then "$crossfold" run tests/check.lua; fi
