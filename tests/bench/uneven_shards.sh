#!/bin/sh
# uneven_shards.sh PROGRAM DATA_FOLDER: processor seconds of the shards of uneven_shards.lua, cut by entries and
# turns, and by costs; and the largest divided by the mean (docs/scaling.md).
set -eu
program=$1 data=$2 script=$(cd "$(dirname "$0")" && pwd)/uneven_shards.lua folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
"$program" run --plan --shard-costs "$folder/costs.json" "$script" "$data" >/dev/null
for shards in 4 8; do
  for how in "" "--shard-costs $folder/costs.json"; do
    i=0
    while [ $i -lt $shards ]; do
      i=$((i + 1))
      # shellcheck disable=SC2086
      LC_ALL=C bash -c 'TIMEFORMAT="%U %S"; time "$@" 2>/dev/null' time "$program" run --quiet --workers 1 \
        --shard "$i/$shards" $how --store "$folder/part.cfdb" "$script" "$data" 2>&1
      rm -f "$folder"/part.cfdb*
    done | awk -v what="$shards shards $([ -z "$how" ] || echo by cost)" '
      { seconds = $1 + $2; sum += seconds; if (seconds > most) most = seconds; all = all sprintf(" %.2f", seconds) }
      END { printf "%s:%s; largest / mean = %.2f\n", what, all, most / (sum / NR) }'
  done
done
