#!/bin/sh
# exported_symbols.sh LIBRARY HEADER_FOLDER: what the library exports is what crossfold.h declares.
set -eu
exported=$(nm -D --defined-only --format=just-symbols "$1" | sort)
declared=$(cat "$2"/crossfold_c/*.h | grep -o 'CROSSFOLD_API [^(]*(' | grep -o 'crossfold_[a-z_]*(' |
  tr -d '(' | sort)
if [ "$exported" != "$declared" ]; then
  echo "exported: $exported"
  echo "declared: $declared"
  exit 1
fi
if nm -D --undefined-only "$1" | grep -q ' lua_'; then
  echo "it wants a Lua"
  exit 1
fi
echo "$(echo "$exported" | wc -l) functions"
