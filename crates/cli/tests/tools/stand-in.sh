#!/bin/bash
# Stands in for another tool: the first line of the file says what it does.
case "$(head -n 1 "$1")" in
*forks*)
    # Processes that hide where they come from, leave the group and the session, and use the processor.
    for _ in 1 2 3 4; do env -i "$(command -v setsid)" /bin/bash -c 'while :; do :; done' & done
    trap '' TERM
    wait
    ;;
*eats*) exec python3 -c 'l = []
while True: l.append(bytearray(50_000_000))' ;;
*stubborn*)
    trap '' TERM INT
    while :; do :; done
    ;;
*chatty*)
    head -c 2147483648 /dev/zero
    echo
    echo SAFE
    ;;
*leaves*)
    env -i "$(command -v setsid)" /bin/bash -c 'sleep 1000' &
    echo SAFE
    ;;
*crashes*) kill -SEGV $$ ;;
*unsafe*) echo "UNSAFE" && exit 1 ;;
*slow*)
    # Each start is noted, for those who count them.
    echo "$1" >> "$2/started"
    sleep 0.1
    echo SAFE
    ;;
*waits*)
    echo "$SLURMD_NODENAME" >> "$2/started"
    sleep 2
    echo SAFE
    ;;
*words*) printf '%s\n' "$@" "$TOOL_MOOD" ;;
*) echo SAFE ;;
esac
