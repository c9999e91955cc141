#!/bin/sh
# Builds, tests and measures Crossfold. `./build.sh help` says how.
set -u
cd "$(dirname "$0")" || exit 1

packages="g++ cmake ninja-build pkg-config binutils libboost-dev liblua5.4-dev lua5.4 \
libssl-dev nlohmann-json3-dev libcli11-dev libfast-float-dev libgtest-dev libgmock-dev \
libbenchmark-dev libeigen3-dev libsqlite3-dev libzip-dev zlib1g-dev liblz4-dev libzstd-dev libflatbuffers-dev \
flatbuffers-compiler libedit-dev lua-unit lua-check \
locales python3"
# Libraries that some plugins wrap, and tools and libraries of some tests: installed if that is possible;
# without them those plugins and tests are left out.
optional_packages="libsvm-dev liblinear-dev libxgboost-dev libopenmpi-dev openmpi-bin doxygen \
liblua5.3-dev luarocks chromium chromium-driver fonts-dejavu-core curl minisign mkdocs python3-pygments \
slurm-wlm munge parallel python3-yaml python3-jsonschema dpkg-dev file mold rustc \
python3-numpy python3-pandas python3-pip python3-setuptools python3-wheel python3-sklearn python3-onnx \
r-base-core r-cran-rpart r-cran-nnet r-cran-mass r-cran-glmnet r-cran-randomforest r-cran-e1071"
jobs=$(nproc 2>/dev/null || echo 2)
started=$(date +%s)
passed=0
failed=0
# What `demo` builds.
demo_targets="crossfold_program crossfold_worker bundled_plugins"
built_before=$(ls build 2>/dev/null)
configured=
demo=

usage() {
  cat <<END
usage: ./build.sh COMMAND
  demo    build the program and its plugins, run scripts/examples/quickstart.lua, write its report
          build/quickstart.html
  build   build the product: programs, plugins, libcrossfold and the module for Lua
  test [--all]
          build it and the tests that optimisation can break, and run these; --all: also those that take
          a minute or more, every outside project, and the build of the benchmarks
  sanitize
          run the other unit tests and the tests in Lua under the address and undefined-behaviour sanitizers
  tsan    run all unit tests under the thread sanitizer
  fuzz [SECONDS]
          build the fuzz targets with clang and run each for so long (default 5): tests/fuzz/README.md
  bench [micro | peers | whole | growth] [OPTION...]
          build and run the benchmarks, compare with scikit-learn, R and Weka where they are
          installed, and measure how time and memory grow; only one of the four with its name;
          options: tests/bench/README.md
  clean   remove the folder build/
  help    this text
Missing Debian packages are installed with apt-get when that is possible without a password.
Logs of every stage are in build/*.log. 'test', 'sanitize' and 'tsan' end with what took the most time.
END
}

# missing_of PACKAGE...: prints those that are not installed.
missing_of() {
  for package in "$@"; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)
    [ "$state" = installed ] || printf ' %s' "$package"
  done
}

# as_root COMMAND...: REQUIRES root or sudo without a password.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

# install_packages PACKAGE...
install_packages() {
  if ! apt-cache show "$@" >/dev/null 2>&1; then
    as_root apt-get update || return 1
  fi
  as_root apt-get install -y --no-install-recommends "$@" && return 0
  as_root apt-get update && as_root apt-get install -y --no-install-recommends "$@"
}

require_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "not a Debian system; needed, by their Debian names: $packages"
    return
  fi
  # Word splitting of the lists is wanted, here and below.
  # shellcheck disable=SC2086
  missing=$(missing_of $packages)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ] && ! sudo -n true 2>/dev/null; then
    echo "cannot install packages without a password; run this, then ./build.sh again:"
    echo "  sudo apt-get install --no-install-recommends$missing"
    exit 1
  fi
  # shellcheck disable=SC2086
  stage "installing with apt-get:$missing" apt install_packages $missing || exit 1
}

# Never fails: one package after the other, as any of them may be unavailable.
install_optional_packages() {
  command -v dpkg-query >/dev/null 2>&1 || return 0
  # shellcheck disable=SC2086
  for package in $(missing_of $optional_packages); do
    if [ "$(id -u)" -ne 0 ] && ! sudo -n true 2>/dev/null; then
      echo "left out, as it cannot be installed without a password: $package"
    else
      stage "installing with apt-get, optional: $package" "apt-$package" install_packages "$package" ||
        echo "left out: what needs $package"
    fi
  done
}

# stage TEXT LOG COMMAND...: one line on the screen; the output goes to build/LOG.log, and its end to
# the screen if the command fails. build/stages.txt gets its seconds and TEXT.
stage() {
  text=$1
  log=build/$2.log
  shift 2
  mkdir -p build
  printf '%s ... ' "$text"
  began=$(date +%s)
  "$@" >"$log" 2>&1
  ended=$?
  seconds=$(($(date +%s) - began))
  printf '%s\t%s\n' "$seconds" "$text" >>build/stages.txt
  if [ "$ended" -eq 0 ]; then
    printf 'ok (%s s)\n' "$seconds"
    return 0
  fi
  printf 'FAILED; the end of %s:\n' "$log"
  tail -n 40 "$log"
  return 1
}

# configure PRESET: once in a run of this script.
configure() {
  [ "$configured" = "$1" ] || stage "$1: configuring" "$1-configure" cmake --preset "$1" || return 1
  configured=$1
}

# build PRESET [TARGET...]
build() {
  preset=$1
  shift
  configure "$preset" || return 1
  if [ $# -gt 0 ]; then set -- --target "$@"; fi
  stage "$preset: building" "$preset-build" cmake --build --preset "$preset" -j "$jobs" "$@"
}

# cases_of PRESET: what tests that run many cases each say, in a line "cases: 118 passed, 2 failed" of
# their output (tests/unit/run_cases.lua): tests that passed, their cases; tests that failed, their cases
# that passed and that failed.
cases_of() {
  awk '
    /^cases: [0-9]+ passed, [0-9]+ failed$/ {
      if ($4 == 0) { ++good_tests; good += $2 } else { ++bad_tests; beside += $2; bad += $4 }
    }
    END { print good_tests + 0, good + 0, bad_tests + 0, beside + 0, bad + 0 }
  ' "build/$1/Testing/Temporary/LastTest.log"
}

# count_tests PRESET LOG STATUS: what passed and failed in a run of ctest with this log and status, where a
# test of many cases counts as these: sets $good, $bad, $bad_tests, and $beside to the cases that passed in
# tests that failed. Fails if ctest did not come to its end.
count_tests() {
  # "97% tests passed, 4 tests failed out of 155"
  counts=$(sed -n 's/^.*tests passed, \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$2" |
    tail -n 1)
  bad_tests=${counts% *}
  all=${counts#* }
  if [ -z "$counts" ] || [ "$all" -eq 0 ] || { [ "$3" -ne 0 ] && [ "$bad_tests" -eq 0 ]; }; then
    echo "$1: no tests were run to their end, see $2"
    return 1
  fi
  # shellcheck disable=SC2046
  set -- $(cases_of "$1")
  good=$((all - bad_tests - $1 + $2))
  beside=$4
  bad=$((bad_tests - $3 + $5))
}

# run_tests PRESET TESTS [TARGET...]: adds to $passed and $failed what ctest counted of its preset TESTS. What failed
# runs once more, one test at a time: it is named, and has passed if it passes then. A preset that cannot be built, or
# in which no test runs, is one failure.
run_tests() {
  preset=$1
  tests=$2
  shift 2
  if ! build "$preset" "$@"; then
    failed=$((failed + 1))
    return
  fi
  set -- "$preset"
  stage "$1: testing" "$1-test" ctest --preset "$tests" -j "$((jobs + 1))" --timeout 900
  if ! count_tests "$1" "build/$1-test.log" $?; then
    failed=$((failed + 1))
    return
  fi
  passed=$((passed + good))
  [ "$bad_tests" -gt 0 ] || return
  names=$(sed -n '/^The following tests FAILED:/,$s/^[[:space:]]*[0-9]* - \(.*\) (.*)$/  \1/p' "build/$1-test.log")
  stage "$1: testing what failed, one at a time" "$1-again" ctest --preset "$tests" -j 1 --timeout 600 --rerun-failed
  if ! count_tests "$1" "build/$1-again.log" $?; then
    passed=$((passed + beside))
    failed=$((failed + bad))
    return
  fi
  passed=$((passed + good + beside))
  failed=$((failed + bad))
  printf '%s: these failed beside others, and %s of them when they ran alone:\n%s\n' "$1" "$bad_tests" "$names"
}

run_micro_benchmarks() {
  for program in build/release/bench/*_bench; do
    echo
    "$program" || return 1
  done
}

# run_bench SCRIPT OPTION...: a script of tests/bench, with its options.
run_bench() {
  script=$1
  shift
  echo
  /usr/bin/python3 "tests/bench/$script" --program build/release/bin/crossfold "$@"
}

# has_module MODULE WHAT: whether Python has it; if not, prints what is left out.
has_module() {
  /usr/bin/python3 -c "import $1" 2>/dev/null && return 0
  echo "left out: $2, which needs python3-$1"
  return 1
}

# compare_with_peers OPTION...
compare_with_peers() {
  has_module numpy "the comparison with other programs" || return 0
  run_bench peers/compare.py "$@"
}

# compare_whole OPTION...
compare_whole() {
  has_module sklearn "the whole experiment beside other programs" || return 0
  run_bench whole/run.py "$@"
}

# measure_growth OPTION...
measure_growth() {
  run_bench growth/grow.py "$@"
}

# Both, even if the accuracies of the whole experiment disagree.
measure_all() {
  compare_whole
  whole_status=$?
  measure_growth && return "$whole_status"
}

# slowest TITLE: the ten lines of standard input, "seconds<TAB>text", with the most seconds.
slowest() {
  echo "$1"
  sort -rn | head -n 10 | awk -F '\t' '{ printf "%8.1f  %s\n", $1, $2 }'
}

# built_steps PRESET: "seconds<TAB>PRESET: output" for every step that ninja has finished since this script
# started; its log holds start and end in milliseconds, the time of the output in nanoseconds, the output.
built_steps() {
  [ -f "build/$1/.ninja_log" ] || return 0
  awk -F '\t' -v preset="$1" -v started="$started" '
    NF == 5 && $3 / 1e9 >= started { printf "%.1f\t%s: %s\n", ($2 - $1) / 1000, preset, $4 }
  ' "build/$1/.ninja_log"
}

# run_times PRESET: "seconds<TAB>PRESET: test" for every test of the last run of ctest.
run_times() {
  [ -f "build/$1-test.log" ] || return 0
  sed -n "s/^.*Test *#[0-9]*: \([^ ]*\) .* \([0-9.]*\) sec.*\$/\2\t$1: \1/p" "build/$1-test.log"
}

# report_times PRESET...: where the time of this run of the script went, so that what grows is seen.
report_times() {
  printf 'seconds of each stage, %s in all\n' "$(($(date +%s) - started))"
  awk -F '\t' '{ printf "%6d    %s\n", $1, $2 }' build/stages.txt
  for preset in "$@"; do built_steps "$preset"; done | slowest 'the slowest steps of the builds, in seconds'
  for preset in "$@"; do run_times "$preset"; done | slowest 'the slowest tests, in seconds'
}

# spend: sets $spent to the milliseconds of processor time of all that this script has run and waited for.
spend() {
  mkdir -p build
  times >build/times.txt
  spent=$(awk 'NR == 2 {
    gsub(",", ".")
    split($0, part, /[ms ]+/)
    printf "%d", ((part[1] + part[3]) * 60 + part[2] + part[4]) * 1000
  }' build/times.txt)
}

# build_demo: the first part of the optimised build, whose processor time it puts into $demo.
build_demo() {
  spend
  before=$spent
  configure release || return
  # shellcheck disable=SC2086
  stage "release: building what the demo needs" release-demo \
    cmake --build --preset release -j "$jobs" --target $demo_targets || return
  spend
  demo="demo=$((spent - before))"
}

# report_budget PRESET COMMAND START: lines and processor time beside what tests/budget.txt allows. START: what was
# spent before COMMAND began.
report_budget() {
  spend
  set -- "$1" ${demo:+"$demo"} "$2=$((spent - $3))"
  before=$spent
  g++ -std=c++20 -O2 -c tests/reference_compile.cpp -o build/reference_compile.o || return
  spend
  case $built_before in
    *"$1"*) echo "processor time of a build that began with what was in build/$1:" ;;
  esac
  shift
  lua5.4 tests/lint/budget.lua . "reference=$((spent - before))" "$@"
}

# The last line, and the status of the program.
report_tests() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

# fuzz SECONDS: builds every target and runs one after the other. What it finds stays in
# build/fuzz/finds.
fuzz() {
  if ! command -v clang++ >/dev/null 2>&1; then
    echo "left out: fuzzing, which needs clang++ with libFuzzer (packages clang and libclang-rt-dev)"
    return
  fi
  build fuzz || return 1
  status=0
  for program in build/fuzz/bin/*_fuzz; do
    name=$(basename "$program" _fuzz)
    stage "fuzz: $name" "fuzz-$name" \
      tests/fuzz/run_target "$program" "tests/fuzz/corpus/$name" "$1" || status=1
  done
  return $status
}

rm -f build/stages.txt
case "${1:-help}" in
  demo)
    require_packages
    # shellcheck disable=SC2086
    build release $demo_targets || exit 1
    echo
    rm -f build/quickstart.cfdb build/quickstart.cfdb-*
    build/release/bin/crossfold --quiet run --store build/quickstart.cfdb \
      scripts/examples/quickstart.lua || exit
    echo
    echo "The report, a file for a browser:"
    exec build/release/bin/crossfold report build/quickstart.cfdb --title "Quickstart: k nearest neighbours on iris"
    ;;
  build)
    require_packages
    install_optional_packages
    build release all
    ;;
  test)
    require_packages
    install_optional_packages
    spend
    start=$spent
    case "${2:-}" in
      --all) build_demo; run_tests release release-all all tests benchmarks ;;
      '') build_demo; run_tests release release ;;
      *)
        echo "cannot run command 'test': there is no option '$2'; see ./build.sh help" >&2
        exit 2
        ;;
    esac
    report_times release
    report_budget release "test${2:-}" "$start"
    report_tests
    ;;
  sanitize)
    require_packages
    install_optional_packages
    spend
    start=$spent
    run_tests asan-ubsan asan-ubsan
    report_times asan-ubsan
    report_budget asan-ubsan sanitize "$start"
    report_tests
    ;;
  tsan)
    require_packages
    run_tests tsan tsan
    report_times tsan
    report_tests
    ;;
  fuzz)
    require_packages
    fuzz "${2:-5}"
    ;;
  bench)
    require_packages
    build release all benchmarks || exit 1
    shift
    case "${1:-}" in
      micro) run_micro_benchmarks ;;
      peers) shift; compare_with_peers "$@" ;;
      whole) shift; compare_whole "$@" ;;
      growth) shift; measure_growth "$@" ;;
      *) run_micro_benchmarks && compare_with_peers "$@" && measure_all ;;
    esac
    ;;
  clean)
    rm -rf build
    ;;
  help | -h | --help)
    usage
    ;;
  *)
    echo "cannot run command '$1': there is no such command; see ./build.sh help" >&2
    exit 2
    ;;
esac
