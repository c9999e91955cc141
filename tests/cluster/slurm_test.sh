#!/bin/sh
# slurm_test.sh PROGRAM MPI_PROGRAM ROOT: the scripts of scripts/cluster under a Slurm of one node
# of its own, whose stores must equal that of one machine. MPI_PROGRAM may be "". Leaves with 77, which
# means skipped, where no Slurm can be started: it needs root and the packages slurm-wlm and munge.
set -eu
program=$1 mpi_program=$2 root=$3 folder=$(mktemp -d /tmp/crossfold-slurm-XXXXXX)
PATH=$PATH:/usr/sbin
daemons="slurmd slurmctld munged"
if [ "$(id -u)" -ne 0 ]; then echo "skipped: not root"; exit 77; fi
for name in $daemons sbatch; do
  command -v "$name" >/dev/null || { echo "skipped: there is no $name"; exit 77; }
done

stop() {
  for name in $daemons; do
    if [ -e "$folder/$name.pid" ]; then kill "$(cat "$folder/$name.pid")" || true; fi
  done
  sleep 1
  rm -rf "$folder"
}
trap stop EXIT

# munged wants folders that others cannot write to, and slurm.conf names them all.
chmod 711 "$folder"
mkdir "$folder/state" "$folder/spool" "$folder/job"
(umask 077 && head -c 128 /dev/urandom >"$folder/munge.key")
host=$(hostname)
port=$((20000 + $$ % 20000))
cat >"$folder/slurm.conf" <<END
ClusterName=crossfold
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.sock
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=500 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$folder/slurm.conf"
munged --force --key-file="$folder/munge.key" --socket="$folder/munge.sock" \
  --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" --seed-file="$folder/seed"
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF" -N "$host"
i=0
until sinfo -h -o %T 2>/dev/null | grep -q idle; do
  i=$((i + 1))
  if [ $i -gt 60 ]; then
    echo "skipped: Slurm does not start here"
    tail -n 5 "$folder"/*.log
    exit 77
  fi
  sleep 0.5
done

wait_for_jobs() {
  i=0
  while [ -n "$(squeue -h)" ]; do
    i=$((i + 1))
    [ $i -lt 180 ] || { echo "jobs do not end"; squeue; exit 1; }
    sleep 1
  done
}
require_same() {
  "$program" export "$1.cfdb" "$1.zip"
  cmp one.zip "$1.zip" || { cat slurm-*.out; exit 1; }
  echo "$1: the bytes of one machine"
}

cd "$folder/job"
export HOME=/nowhere CROSSFOLD_PLUGIN_PATH='' CROSSFOLD="$program" CROSSFOLD_MPI="$mpi_program"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
set -- "$root/tests/cluster/experiment.lua" "$root/scripts/data" 200
"$program" run --store one.cfdb "$@" >one.txt 2>one.err || [ $? -eq 3 ]
"$program" export one.cfdb one.zip
N=5 STORE="$PWD/array.cfdb" "$root/scripts/cluster/slurm_array.sh" "$@"
wait_for_jobs
require_same array
grep -q "array.cfdb: 420 cells found, 0 computed" slurm-*.out

# One task is cancelled while it runs; the same line again submits this one only.
submit_again() { N=4 STORE="$PWD/retried.cfdb" "$root/scripts/cluster/slurm_array.sh" "$@"; }
submit_again "$@"
cancelled=
until [ -n "$cancelled" ]; do
  cancelled=$(squeue -h -r -n shard -t RUNNING -o "%F_%K" | head -n 1)
done
sleep 0.5  # of the two seconds that it takes
scancel "$cancelled"
wait_for_jobs
missing=$("$program" status --missing --shards 4 retried.cfdb-parts)
[ "$missing" = "${cancelled#*_}" ] || { echo "cancelled: $cancelled, missing: $missing"; exit 1; }
tasks=$(find . -name "slurm-*_*.out" | wc -l)
submit_again "$@"
wait_for_jobs
[ "$(find . -name "slurm-*_*.out" | wc -l)" -eq $((tasks + 1)) ]
[ -z "$("$program" status --missing --shards 4 retried.cfdb-parts)" ]
require_same retried
[ -n "$mpi_program" ] || exit 0
STORE="$PWD/mpi.cfdb" sbatch --nodes=1 --ntasks-per-node=1 "$root/scripts/cluster/slurm_mpi.sh" "$@"
wait_for_jobs
require_same mpi
