#!/bin/sh
# A Slurm cluster on this machine alone: a controller and the nodes n1 and n2, with keys, ports and files of its own.
#   cluster.sh start DIR      starts it; slurm.conf is in DIR
#   cluster.sh lose DIR NODE  ends a node with all that runs there, at once
#   cluster.sh stop DIR       ends all of it
set -eu
folder=$2
conf=$folder/slurm.conf

# Whether a process has a variable of this cluster in its environment, and another one.
has() {
    tr '\0' '\n' 2> /dev/null < "/proc/$1/environ" | grep -qx "SLURM_CONF=$conf" &&
        tr '\0' '\n' 2> /dev/null < "/proc/$1/environ" | grep -qx "$2"
}

# Ends what runs on a node: the daemon, those that watch its jobs, and the jobs. In this order nobody is left to tell the
# controller.
lose() {
    if [ -f "$folder/slurmd-$1.pid" ]; then kill -9 "$(cat "$folder/slurmd-$1.pid")" 2> /dev/null || true; fi
    for step in $(pgrep -x slurmstepd || true); do
        if has "$step" "SLURM_CONF=$conf" && ls -l "/proc/$step/fd" 2> /dev/null | grep -q "slurmd-$1.log"; then
            kill -9 "$step" 2> /dev/null || true
        fi
    done
    for place in /proc/[0-9]*; do
        if has "${place#/proc/}" "SLURMD_NODENAME=$1"; then kill -9 "${place#/proc/}" 2> /dev/null || true; fi
    done
}

start() {
    host=$(hostname -s)
    port=$((20000 + $$ % 10000))
    mkdir -p "$folder/state" "$folder/spool-n1" "$folder/spool-n2"
    chmod 755 "$folder"
    dd if=/dev/urandom of="$folder/munge.key" bs=1024 count=1 2> /dev/null
    chmod 400 "$folder/munge.key"
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munge.pid" \
        --log-file="$folder/munge.log" --seed-file="$folder/munge.seed"
    cat > "$conf" << END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
SlurmctldPort=$port
SlurmdTimeout=10
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=4000 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF="$conf"
    slurmctld -f "$conf"
    slurmd -N n1 -f "$conf"
    slurmd -N n2 -f "$conf"
    for _ in $(seq 1 60); do
        if [ "$(sinfo --noheader --Node --format='%T' 2> /dev/null | grep -c idle)" = 2 ]; then exit 0; fi
        sleep 1
    done
    echo "the nodes do not come up" >&2
    sinfo >&2 || true
    tail -n 20 "$folder"/*.log >&2
    exit 1
}

case $1 in
start) start ;;
lose) lose "$3" ;;
stop)
    lose n1
    lose n2
    for name in slurmctld munge; do
        if [ -f "$folder/$name.pid" ]; then kill -9 "$(cat "$folder/$name.pid")" 2> /dev/null || true; fi
    done
    ;;
*) exit 64 ;;
esac
