#!/bin/sh
# A script on several nodes by MPI: one rank a node, all of its cores, and one rank more that runs the
# script. Started again with the same line it goes on where it stopped:
#
#   sbatch --nodes=8 --ntasks-per-node=1 --cpus-per-task=32 scripts/cluster/slurm_mpi.sh script.lua
#
#   STORE      the store (default SCRIPT's name with .cfdb), on a local disk of the first node or a
#              folder that is safe for SQLite
#   RUN_ARGS   options of crossfold run
#   CROSSFOLD_MPI, MPIRUN   the programs (default crossfold-mpi, mpirun)
#   MPI_ARGS   more options of mpirun
#SBATCH --job-name=crossfold
set -eu

if [ $# -eq 0 ]; then
  echo "usage: sbatch --nodes=N [OPTIONS] slurm_mpi.sh SCRIPT [ARGUMENTS]" >&2
  exit 2
fi
: "${STORE:=$(basename "$1" .lua).cfdb}" "${RUN_ARGS:=}" "${MPI_ARGS:=}"
: "${CROSSFOLD_MPI:=crossfold-mpi}" "${MPIRUN:=mpirun}"
nodes=${SLURM_JOB_NUM_NODES:-1}
cores=${SLURM_CPUS_PER_TASK:-$(nproc)}

# The first node has two ranks; the one that runs the script takes little. Slurm has given each node
# one task, so mpirun is told that it may start more.
# shellcheck disable=SC2086
exec "$MPIRUN" -n "$((nodes + 1))" --map-by node --bind-to none --oversubscribe $MPI_ARGS \
  "$CROSSFOLD_MPI" run --workers "$cores" --store "$STORE" $RUN_ARGS "$@"
