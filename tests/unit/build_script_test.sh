#!/bin/sh
# What `./build.sh test`, `./build.sh sanitize` and .ci/run count and when they fail: `build_script_test.sh FOLDER`, the
# root of the project. cmake and ctest are played by scripts that print what the folder has in store for them.
set -eu
folder=$(mktemp -d "${TMPDIR:-/tmp}/crossfold-XXXXXX")
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/project/.ci"
cp "$1/build.sh" "$folder/project/build.sh"
cp "$1/.ci/run" "$folder/project/.ci/run"
mkdir -p "$folder/project/tests/lint/rules" "$folder/project/tests/few"
for name in budget.lua tree.lua source_files.lua rules/budget.lua; do
  cp "$1/tests/lint/$name" "$folder/project/tests/lint/$name"
done
printf 'tests/few 1 lines\ndemo 0 reference compiles\ntest 9000 reference compiles\n' >"$folder/project/tests/budget.txt"
printf '1\n2\n3\n' >"$folder/project/tests/few/lines.txt"
printf '#!/bin/sh\nprintf installed\n' >"$folder/bin/dpkg-query"
for name in cmake g++; do  # need some processor time
  printf '#!/bin/sh\nawk "BEGIN { for (i = 0; i < 1000000; ++i); }"\n' >"$folder/bin/$name"
done
cat >"$folder/bin/ctest" <<'END'
#!/bin/sh
# ctest --preset NAME ... [--rerun-failed]
again=first
for word in "$@"; do [ "$word" = --rerun-failed ] && again=again; done
preset=${2%-all}
mkdir -p "build/$preset/Testing/Temporary"
cp "$STORE/$2.$again.cases" "build/$preset/Testing/Temporary/LastTest.log"
cat "$STORE/$2.$again"
# Two steps of ninja: milliseconds from, to, the time of the output in nanoseconds, the output. One is old.
printf '0\t90000\t1000\told.o\tx\n500\t3000\t9999999999000000000\tnew.o\tx\n' >"build/$preset/.ninja_log"
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

# expect NAME STATUS TEXT COMMAND...: the status and a part of the output of a run in the project.
expect() {
  name=$1
  wanted=$2
  part=$3
  shift 3
  status=0
  output=$(cd "$folder/project" && PATH="$folder/bin:$PATH" "$@" 2>&1) || status=$?
  case $output in *"$part"*) ;; *) status="$status, output: $output" ;; esac
  if [ "$status" != "$wanted" ]; then
    printf '%s: wanted status %s and "%s", got %s\n' "$name" "$wanted" "$part" "$status"
    failures=$((failures + 1))
  fi
  rm -rf "$STORE" "$folder/project/build"
  mkdir "$STORE"
}

mkdir "$STORE"
outcome release first 0 10 '' 'cases: 5 passed, 0 failed\ncases: 7 passed, 0 failed\n'
expect 'all pass' 0 '20 passed, 0 failed' ./build.sh test

outcome release first 1 10 '3 - unit.A.B (Failed)' ''
outcome release again 1 1 '3 - unit.A.B (Failed)' ''
expect 'one fails twice' 1 '9 passed, 1 failed' ./build.sh test

outcome release first 2 10 '3 - unit.A.B (Failed)\n\t4 - unit.A.C (Timeout)' ''
outcome release again 0 2 '' ''
expect 'two fail beside others only' 0 'release: these failed beside others, and 0 of them when they ran alone:
  unit.A.B' ./build.sh test

outcome asan-ubsan first 1 2 '1 - unit.engine.0 (Failed)' 'cases: 5 passed, 0 failed\ncases: 6 passed, 2 failed\n'
outcome asan-ubsan again 1 1 '1 - unit.engine.0 (Failed)' 'cases: 7 passed, 1 failed\n'
expect 'a case of a part fails' 1 '12 passed, 1 failed' ./build.sh sanitize

outcome release first 0 0 '' ''
expect 'nothing runs' 1 'release: no tests were run to their end' ./build.sh test

outcome release first 0 10 '' ''
outcome release-all first 0 30 '' ''
expect 'all tests' 0 '30 passed, 0 failed' ./build.sh test --all
expect 'an option that does not exist' 2 "there is no option '--al'" ./build.sh test --al

outcome release first 0 10 '' ''
expect 'the slowest steps and tests are shown' 0 'the slowest steps of the builds, in seconds
     2.5  release: new.o
the slowest tests, in seconds
    12.2  release: unit.B.A
     1.5  release: unit.A.B' ./build.sh test

outcome release first 0 10 '' ''
expect 'lines are shown beside the budget' 0 'tests/few                    3         1 lines, more than allowed' ./build.sh test
outcome release first 0 10 '' ''
expect 'processor time is shown beside the budget' 0 '0 reference compiles, more than allowed
test ' ./build.sh test
outcome release first 0 10 '' ''
mkdir -p "$folder/project/build/release"
expect 'a build that was not from nothing' 0 'processor time of a build that began with what was in build/release' \
  ./build.sh test

outcome release first 0 10 '' ''
outcome asan-ubsan first 0 4 '' ''
expect 'continuous integration runs both' 0 'test: 10 passed, 0 failed
sanitize: 4 passed, 0 failed
14 passed, 0 failed' ./.ci/run

outcome release first 0 10 '' ''
outcome asan-ubsan first 1 4 '1 - unit.engine.0 (Failed)' ''
outcome asan-ubsan again 1 1 '1 - unit.engine.0 (Failed)' ''
expect 'a failure under sanitizers fails both' 1 '13 passed, 1 failed' ./.ci/run

outcome release first 0 0 '' ''
outcome asan-ubsan first 0 4 '' ''
expect 'sanitizers run after a failure' 1 'test: 0 passed, 1 failed
sanitize: 4 passed, 0 failed
4 passed, 1 failed' ./.ci/run

exit "$failures"
