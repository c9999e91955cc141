#!/bin/sh
# steps.sh STAGE SCRATCH: types what docs/first_plugin.md says, in the folder SCRATCH, with the Crossfold
# that is installed in STAGE. Prints what the page shows; steps.expected holds it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2" && mkdir -p "$2" && cd "$2"
HOME=$PWD && export HOME
ln -s "$1" crossfold
PATH=$HOME/crossfold/bin:$PATH

echo "####begin made"
{
####begin new
crossfold plugin new --kind learner --id org.example.nearest --vendor "Example Org" nearest
####end new
} | sed "s,=$1,=/home/you/crossfold,"
echo "####end made"
cd nearest

{
####begin build
cmake -S . -B build -DCMAKE_PREFIX_PATH="$HOME/crossfold"
cmake --build build
ctest --test-dir build --output-on-failure
####end build
} > log 2>&1 || { cat log; exit 1; }

# The reader writes the plugin of the page, and changes what its test expects.
grep -v '###' "$here/../learner_plugin/nearest.cpp" > src/nearest.cpp
{
####begin edit
sed -i 's/cf.learner("org.example.nearest")/cf.learner("org.example.nearest", { k = 1 })/' tests/use.lua
printf 'predicted: a a a b b b a\ncorrect: 5 of 7\n' > tests/use.expected
cmake --build build && ctest --test-dir build --output-on-failure
####end edit
} > log 2>&1 || { cat log; exit 1; }

{
####begin check
crossfold plugin check build/nearest.crossfold.so
####end check
} > log || { cat log; exit 1; }

echo "####begin checked"
####begin one
crossfold plugin check --include '^fit-smoke$' build/nearest.crossfold.so
####end one
echo "####end checked"

# A slip: labels that count from 1.
sed -i 's/ - votes.begin());/ - votes.begin() + 1);/' src/nearest.cpp
cmake --build build > log
echo "####begin failed"
crossfold plugin check --include '^fit-smoke$' build/nearest.crossfold.so && exit 1
echo "####end failed"
crossfold plugin check --explain fit-smoke | grep -q '^# '
sed -i 's/ - votes.begin() + 1);/ - votes.begin());/' src/nearest.cpp
cmake --build build > log

{
####begin gtest
build/tests/nearest_conformance --gtest_filter='*fit_smoke*'
####end gtest
} > log || { cat log; exit 1; }
grep -q "1 test from 1 test suite ran" log

cp "$here/use.lua" .
echo "####begin used"
####begin run
crossfold --plugin-path build run use.lua
####end run
echo "####end used"

{
####begin trust
crossfold plugin trust --installed
crossfold plugin trust build/nearest.crossfold.so
crossfold --plugin-path build run --locked use.lua
####end trust
} > log
grep -q "^nearest  accuracy  0.9600" log
# Another build is another file.
cp build/nearest.crossfold.so trusted
printf x >> build/nearest.crossfold.so
if crossfold --plugin-path build run --locked use.lua > log 2>&1; then exit 1; fi
grep -q "its SHA-256 is" log
mv trusted build/nearest.crossfold.so

{
####begin install
cmake --install build --prefix "$HOME/plugins"
export CROSSFOLD_PLUGIN_PATH="$HOME/plugins/lib/crossfold/plugins"
crossfold plugin describe org.example.nearest
####end install
} > log
grep -q "Number of neighbours" log

{
####begin ship
cmake -S . -B ship -DCMAKE_PREFIX_PATH="$HOME/crossfold" -DSTATIC_RUNTIME=ON -DBUILD_TESTING=OFF
cmake --build ship
strip ship/nearest.crossfold.so
crossfold plugin check ship/nearest.crossfold.so
objdump -T ship/nearest.crossfold.so | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1
####end ship
} > log || { cat log; exit 1; }
tail -1 log | grep -q '^GLIBC_[0-9]'
! objdump -p ship/nearest.crossfold.so | grep -q 'NEEDED.*libstdc++'

cd "$HOME"
{
####begin others
crossfold plugin new --kind metric --lang c --id org.example.balanced balanced
crossfold plugin new --kind metric --lang lua --id org.example.balanced --output in_lua balanced
cd in_lua && sh ci.sh "$HOME/crossfold"
####end others
} > log || { cat log; exit 1; }

cd "$HOME"
cp "$here/largest_miss.lua" "$here/use_metric.lua" .
echo "####begin metric"
crossfold run use_metric.lua
echo "####end metric"
