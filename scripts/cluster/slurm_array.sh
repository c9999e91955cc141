#!/bin/sh
# A script as a job array of Slurm: each task computes one shard, then one job merges their stores and
# runs the script on the result, which finds all cells and computes what is missing.
#
#   N=100 scripts/cluster/slurm_array.sh script.lua [ARGUMENTS]
#
# The same line again goes on where the last one stopped. What is set in the environment:
#   N          number of shards (default 100)
#   STORE      the merged store (default SCRIPT's name with .cfdb)
#   PARTS      folder for the stores of the shards, seen by all nodes (default STORE-parts)
#   RUN_ARGS   options of crossfold run, such as "--isolate worker --workers 4"
#   SBATCH     options of sbatch for the shards, such as "--cpus-per-task=4 --time=2:00:00 --mem=8G"
#   CROSSFOLD  the program (default crossfold)
# Any other scheduler: start this file with the task's number as TASK=i for every i from 1 to N, and at
# the end with TASK=merge.
set -eu

if [ $# -eq 0 ]; then
  echo "usage: [N=100] [STORE=FILE] slurm_array.sh SCRIPT [ARGUMENTS]" >&2
  exit 2
fi
: "${N:=100}" "${CROSSFOLD:=crossfold}" "${RUN_ARGS:=}" "${SBATCH:=}"
: "${STORE:=$(basename "$1" .lua).cfdb}"
: "${PARTS:=$STORE-parts}"
export N CROSSFOLD RUN_ARGS STORE PARTS

# SQLite is not safe on network folders while it writes, so a shard works in a folder of its node and
# takes its store there and back. A task that is killed loses what it has not brought back; where the
# folder of the parts is local, or safe, set PART_FOLDER to it.
run_shard() {
  number=$1
  shift
  local_folder=${PART_FOLDER:-$(mktemp -d "${TMPDIR:-/tmp}/crossfold-XXXXXX")}
  part=part_$number.cfdb
  if [ "$local_folder" != "$PARTS" ] && [ -e "$PARTS/$part" ]; then
    cp "$PARTS/$part" "$local_folder/"
  fi
  status=0
  # shellcheck disable=SC2086
  "$CROSSFOLD" run --shard "$number/$N" --store "$local_folder/$part" $RUN_ARGS "$@" || status=$?
  if [ "$local_folder" != "$PARTS" ]; then
    # One file with everything in it, under its name only when it is whole.
    "$CROSSFOLD" merge "$local_folder/whole.cfdb" "$local_folder/$part"
    cp "$local_folder/whole.cfdb" "$PARTS/$part.new" && mv "$PARTS/$part.new" "$PARTS/$part"
    rm -r "$local_folder"
  fi
  return $status
}

merge_and_run() {
  "$CROSSFOLD" merge "$STORE" "$PARTS"/part_*.cfdb
  # shellcheck disable=SC2086
  "$CROSSFOLD" run --store "$STORE" $RUN_ARGS "$@"
}

mkdir -p "$PARTS"
case ${TASK:-${SLURM_ARRAY_TASK_ID:-}} in
  merge) merge_and_run "$@" ;;
  "")
    # shellcheck disable=SC2086
    array=$(sbatch --parsable --array="1-$N" --job-name=shard $SBATCH "$0" "$@")
    # afterany: shards with failed cells leave with 3, and what one did not do is done at the end.
    TASK=merge sbatch --parsable --dependency="afterany:${array%%;*}" --job-name=merge --export=ALL \
      "$0" "$@"
    ;;
  *) run_shard "${TASK:-$SLURM_ARRAY_TASK_ID}" "$@" ;;
esac
