#!/bin/sh
# What the rockspec runs: rock.sh build | rock.sh install PREFIX. CROSSFOLD_BUILD names a build tree that
# is there already, else one is made in build/rock.
set -eu
cd "$(dirname "$0")/.."
tree=${CROSSFOLD_BUILD:-build/rock}
case $1 in
  build)
    [ -n "${CROSSFOLD_BUILD:-}" ] ||
      cmake -S . -B "$tree" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCROSSFOLD_BUILD_TESTS=OFF
    cmake --build "$tree" --target rock
    ;;
  install) cmake --install "$tree" --component rock --prefix "$2" ;;
  *)
    echo "usage: rock.sh build | rock.sh install PREFIX" >&2
    exit 2
    ;;
esac
