#!/bin/sh
# A script as shards under GNU parallel, several at the same time on this machine: then their stores are
# merged, and the script runs on the result.
#
#   N=16 JOBS=4 scripts/cluster/parallel.sh script.lua [ARGUMENTS]
#
# A shard that is killed is started again, and continues where it was. The same line again runs the
# shards that have not come to their end. What is set in the environment, next to what slurm_array.sh
# takes:
#   N          number of shards (default 100)
#   JOBS       number of shards at the same time (default one per core)
#   TRIES      how often a shard is started at most (default 3)
#   PARALLEL_ARGS  more options of parallel, such as "--memfree 4G --load 80%"
set -eu

if [ $# -eq 0 ]; then
  echo "usage: [N=100] [JOBS=4] [STORE=FILE] parallel.sh SCRIPT [ARGUMENTS]" >&2
  exit 2
fi
: "${N:=100}" "${JOBS:=100%}" "${TRIES:=3}" "${PARALLEL_ARGS:=}" "${STORE:=$(basename "$1" .lua).cfdb}"
: "${PARTS:=$STORE-parts}"
case "$*" in
  *"{"*)
    echo "parallel.sh: cannot pass arguments with '{': parallel would replace it; put it into the script" >&2
    exit 2
    ;;
esac
PART_FOLDER=$PARTS
task=$(dirname "$0")/slurm_array.sh
export N STORE PARTS PART_FOLDER

# A shard with failed cells (3) has come to its end. Its log is in the folder of the parts.
missing=$(TASK=missing "$task" "$@")
if [ -n "$missing" ]; then
  # shellcheck disable=SC2016,SC2086
  printf '%s\n' "$missing" |
    parallel --will-cite --quote --jobs "$JOBS" --retries "$TRIES" --joblog "$PARTS/joblog" $PARALLEL_ARGS \
      sh -c 'TASK=$1 && export TASK && shift && "$@" >"$PARTS/part_$TASK.log" 2>&1 || [ $? -eq 3 ]' \
      shard {} "$task" "$@" || echo "some shards have not come to their end; the rest is computed here" >&2
fi
TASK=merge exec "$task" "$@"
