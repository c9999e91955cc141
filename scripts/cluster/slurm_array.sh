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
#   SHARD_ARGS more of them for the shards, such as "--shard-costs costs.json"
#   SBATCH     options of sbatch for the shards, such as "--cpus-per-task=4 --time=2:00:00 --mem=8G"
#   SAVE       seconds after which a shard copies its store to PARTS (default 300; 0 = at its end)
#   ALL        1 = submit the shards that have come to their end, too, such as for the next round
#   CROSSFOLD  the program (default crossfold)
#   FAILED_CELLS_PASS  if it is set, a shard with failed cells leaves with 0 and not with 3
# Any other scheduler: start this file with the task's number as TASK=i for every i from 1 to N, and at
# the end with TASK=merge. TASK=missing prints the numbers of the shards that have not come to their end.
set -eu

if [ $# -eq 0 ]; then
  echo "usage: [N=100] [STORE=FILE] slurm_array.sh SCRIPT [ARGUMENTS]" >&2
  exit 2
fi
: "${N:=100}" "${CROSSFOLD:=crossfold}" "${RUN_ARGS:=}" "${SHARD_ARGS:=}" "${SBATCH:=}" "${SAVE:=300}"
: "${STORE:=$(basename "$1" .lua).cfdb}"
: "${PARTS:=$STORE-parts}"
export N CROSSFOLD RUN_ARGS SHARD_ARGS STORE PARTS SAVE

# publish FILE PART: the part gets its name when it is whole.
publish() {
  cp "$1" "$PARTS/$2.new" && mv "$PARTS/$2.new" "$PARTS/$2"
}

# save_part FOLDER PART: one file with everything in it that is not damaged. It never continues an older
# one, with which a cell that was computed again would be in conflict.
save_part() {
  rm -f "$1"/whole.cfdb*
  "$CROSSFOLD" merge "$1/whole.cfdb" "$1/$2" || true
  publish "$1/whole.cfdb" "$2"
}

# save_often FOLDER PART: until there is a file FOLDER/ended, or this task was killed.
save_often() {
  waited=0
  until [ -e "$1/ended" ] || ! kill -0 $$; do
    sleep 1
    waited=$((waited + 1))
    if [ $((waited % SAVE)) -eq 0 ] && [ -e "$1/$2" ]; then save_part "$1" "$2" >/dev/null || true; fi
  done
}

# recover_part PART: what is intact of a damaged store takes its place; the damaged one is kept.
recover_part() {
  if [ ! -s "$PARTS/$1" ]; then return 0; fi
  finding=$("$CROSSFOLD" status "$PARTS/$1" 2>&1 >/dev/null) || true
  case $finding in
    *"crossfold repair"* | *"is not a Crossfold store"*) ;;
    *) return 0 ;;
  esac
  damaged=$(mktemp -d "$PARTS/damaged-XXXXXX")
  mv "$PARTS/$1"* "$damaged/"
  echo "slurm_array.sh: '$1' was damaged, and is in '$damaged' now" >&2
  repaired=$(mktemp -d "${TMPDIR:-/tmp}/crossfold-XXXXXX")
  "$CROSSFOLD" repair "$damaged/$1" "$repaired/$1" >&2 || true
  if [ -e "$repaired/$1" ]; then
    publish "$repaired/$1" "$1" || true
  else
    echo "slurm_array.sh: nothing of it can be read, so all of it is computed again" >&2
  fi
  rm -r "$repaired"
}

# SQLite is not safe on network folders while it writes, so a shard works in a folder of its node and
# takes its store there and back. A task that is killed loses what it has not brought back; where the
# folder of the parts is local, or safe, set PART_FOLDER to it.
run_shard() {
  number=$1
  shift
  local_folder=${PART_FOLDER:-$(mktemp -d "${TMPDIR:-/tmp}/crossfold-XXXXXX")}
  part=part_$number.cfdb
  recover_part "$part"
  saver=
  if [ "$local_folder" != "$PARTS" ]; then
    if [ -e "$PARTS/$part" ]; then cp "$PARTS/$part" "$local_folder/"; fi
    if [ "$SAVE" -gt 0 ]; then
      save_often "$local_folder" "$part" &
      saver=$!
    fi
  fi
  # What asks this task to end asks the run, which saves its store.
  # shellcheck disable=SC2086
  "$CROSSFOLD" run --shard "$number/$N" --store "$local_folder/$part" $RUN_ARGS $SHARD_ARGS "$@" &
  runner=$!
  trap 'kill -TERM "$runner"' TERM INT
  status=-1
  while [ $status -eq -1 ] || kill -0 "$runner" 2>/dev/null; do  # a signal ends a wait
    status=0
    wait "$runner" || status=$?
  done
  trap - TERM INT
  if [ "$local_folder" != "$PARTS" ]; then
    : >"$local_folder/ended"
    if [ -n "$saver" ]; then wait "$saver"; fi
    if [ -e "$local_folder/$part" ] && ! save_part "$local_folder" "$part"; then
      echo "slurm_array.sh: cannot save shard $number; its store stays in '$local_folder'" >&2
      return 74
    fi
    rm -r "$local_folder"
  fi
  if [ $status -eq 3 ] && [ -n "${FAILED_CELLS_PASS:-}" ]; then return 0; fi
  return $status
}

# missing_shards OPTIONS SCRIPT...: the shards whose stores do not record an end since this line was first
# given with this script. With ALL they are all missing.
missing_shards() {
  form=$1
  shift
  { echo "$N $SHARD_ARGS" && printf '%s\n' "$@" && cat "$1"; } >"$PARTS/line.new"
  if [ -z "${ALL:-}" ] && [ ! -e "$PARTS/line" ]; then
    touch -d @0 "$PARTS/line.new"  # shards that were started by other means may have ended
    mv "$PARTS/line.new" "$PARTS/line"
  elif [ -z "${ALL:-}" ] && cmp -s "$PARTS/line.new" "$PARTS/line"; then
    rm "$PARTS/line.new"
  else
    mv "$PARTS/line.new" "$PARTS/line"
  fi
  # One folder with links to the parts that count, however many they are; there may be none.
  counting=$(mktemp -d "${TMPDIR:-/tmp}/crossfold-XXXXXX")
  find "$(cd "$PARTS" && pwd)" -maxdepth 1 -name 'part_*.cfdb' -newer "$PARTS/line" -exec ln -s -t "$counting" {} +
  found=0
  # shellcheck disable=SC2086
  "$CROSSFOLD" status --missing --shards "$N" $form "$counting" 2>"$counting/errors" || found=$?
  sed "s|$counting|PARTS|" "$counting/errors" >&2
  rm -r "$counting"
  return $found
}

# Results that differ from shard to shard (3) are reported; the script runs on those that came first.
merge_and_run() {
  merged=0
  "$CROSSFOLD" merge "$STORE" "$PARTS"/part_*.cfdb || merged=$?
  if [ $merged -ne 0 ] && [ $merged -ne 3 ]; then return $merged; fi
  # shellcheck disable=SC2086
  "$CROSSFOLD" run --store "$STORE" $RUN_ARGS "$@"
  return $merged
}

mkdir -p "$PARTS"
case ${TASK:-${SLURM_ARRAY_TASK_ID:-}} in
  merge) merge_and_run "$@" ;;
  missing)
    missing=$(missing_shards --csv "$@")
    printf '%s\n' "$missing" | tail -n +2
    ;;
  "")
    missing=$(missing_shards "" "$@")
    after=
    if [ -n "$missing" ]; then
      # shellcheck disable=SC2086
      array=$(sbatch --parsable --array="$missing" --job-name=shard $SBATCH "$0" "$@")
      # afterany: shards with failed cells leave with 3, and what one did not do is done at the end.
      after=--dependency=afterany:${array%%;*}
    fi
    # shellcheck disable=SC2086
    TASK=merge sbatch --parsable $after --job-name=merge --export=ALL "$0" "$@"
    ;;
  *) run_shard "${TASK:-$SLURM_ARRAY_TASK_ID}" "$@" ;;
esac
