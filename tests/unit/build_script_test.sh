#!/bin/sh
# What `./build.sh test` counts and when it fails: `build_script_test.sh BUILD_SCRIPT`. cmake and ctest are
# played by scripts that print what the folder has in store for them.
set -eu
folder=$(mktemp -d "${TMPDIR:-/tmp}/crossfold-XXXXXX")
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/project"
cp "$1" "$folder/project/build.sh"
for name in cmake dpkg-query; do
  printf '#!/bin/sh\nprintf installed\n' >"$folder/bin/$name"
done
cat >"$folder/bin/ctest" <<'END'
#!/bin/sh
# ctest --preset NAME ... [--rerun-failed]
again=first
for word in "$@"; do [ "$word" = --rerun-failed ] && again=again; done
mkdir -p "build/$2/Testing/Temporary"
cp "$STORE/$2.$again.cases" "build/$2/Testing/Temporary/LastTest.log"
cat "$STORE/$2.$again"
# Two steps of ninja: milliseconds from, to, the time of the output in nanoseconds, the output. One is old.
printf '0\t90000\t1000\told.o\tx\n500\t3000\t9999999999000000000\tnew.o\tx\n' >"build/$2/.ninja_log"
! grep -q "FAILED" "$STORE/$2.$again"
END
chmod +x "$folder"/bin/*
export STORE="$folder/store"
failures=0

# outcome PRESET RUN BAD ALL NAMES CASES: what ctest prints in its first run or "again".
outcome() {
  {
    printf '1/2 Test  #1: unit.A.B .....   Passed    1.50 sec\n2/2 Test #12: unit.B.A ...***Failed   12.25 sec\n'
    printf '%s\n' "90% tests passed, $3 tests failed out of $4"
    if [ "$3" -gt 0 ]; then printf 'The following tests FAILED:\n\t%s\nErrors while running CTest\n' "$5"; fi
  } >"$STORE/$1.$2"
  printf '%b' "$6" >"$STORE/$1.$2.cases"
}

# expect NAME STATUS TEXT: of a run of build.sh.
expect() {
  status=0
  output=$(cd "$folder/project" && PATH="$folder/bin:$PATH" ./build.sh test 2>&1) || status=$?
  case $output in *"$3"*) ;; *) status="$status, output: $output" ;; esac
  if [ "$status" != "$2" ]; then
    printf '%s: wanted status %s and "%s", got %s\n' "$1" "$2" "$3" "$status"
    failures=$((failures + 1))
  fi
  rm -rf "$STORE" "$folder/project/build"
  mkdir "$STORE"
}

mkdir "$STORE"
outcome release first 0 10 '' ''
outcome asan-ubsan first 0 4 '' 'cases: 5 passed, 0 failed\ncases: 7 passed, 0 failed\n'
expect 'all pass' 0 '24 passed, 0 failed'

outcome release first 1 10 '3 - unit.A.B (Failed)' ''
outcome release again 1 1 '3 - unit.A.B (Failed)' ''
outcome asan-ubsan first 0 4 '' ''
expect 'one fails twice' 1 '13 passed, 1 failed'

outcome release first 2 10 '3 - unit.A.B (Failed)\n\t4 - unit.A.C (Timeout)' ''
outcome release again 0 2 '' ''
outcome asan-ubsan first 0 4 '' ''
expect 'two fail beside others only' 0 'release: these failed beside others, and 0 of them when they ran alone:
  unit.A.B'

outcome release first 0 10 '' ''
outcome asan-ubsan first 1 2 '1 - unit.text.0 (Failed)' 'cases: 5 passed, 0 failed\ncases: 6 passed, 2 failed\n'
outcome asan-ubsan again 1 1 '1 - unit.text.0 (Failed)' 'cases: 7 passed, 1 failed\n'
expect 'a case of a part fails' 1 '22 passed, 1 failed'

outcome release first 0 0 '' ''
outcome asan-ubsan first 0 4 '' ''
expect 'nothing runs' 1 'release: no tests were run to their end'

outcome release first 0 10 '' ''
outcome asan-ubsan first 0 4 '' ''
expect 'the slowest steps and tests are shown' 0 'the slowest steps of the builds, in seconds
     2.5  release: new.o
     2.5  asan-ubsan: new.o
the slowest tests, in seconds
    12.2  release: unit.B.A
    12.2  asan-ubsan: unit.B.A
     1.5  release: unit.A.B
     1.5  asan-ubsan: unit.A.B
14 passed, 0 failed'

exit "$failures"
