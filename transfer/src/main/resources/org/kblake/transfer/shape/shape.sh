#!/bin/sh
# Shapes what kblake gather sends over the interface @DEVICE@, with the scheduler HTB of Linux. It needs root.
#
#   apply      shapes. If it is not confirmed within 60 s, all is as before again
#   confirm    keeps it, until remove or a restart of the machine
#   remove     makes all as before
#   status     shows what is shaped, and how much was sent
#
# Control connections get at least @CONTROL@, data connections at most @DATA@ together. Other traffic is not shaped.
# If someone else has configured a qdisc on the interface, nothing is changed.

device='@DEVICE@'
line=@LINE@
control=@CONTROL@
data=@DATA@
ports='@PORTS@'
# A builder in a line: what it gets of data at least and at most, and its addresses.
builders='
@BUILDERS@
'

set -u
LC_ALL=C
PATH=/usr/sbin:/sbin:$PATH
export LC_ALL PATH
handle=6b62
seconds=60
# An interface is one of a network name space. The directory goes with a restart, as the rules do.
state="/run/kblake-tc-$device-$(readlink /proc/self/ns/net | tr -dc '0-9')"

fail() {
    echo "kblake-tc: $*" >&2
    exit 1
}

show() {
    tc qdisc show dev "$device"
}

# What is compared: kind, handle, and parent of each qdisc.
kinds() {
    show | awk '{print $2, $3, $4, ($4 == "parent" ? $5 : "")}'
}

is_ours() {
    show | grep -q "^qdisc htb $handle: root "
}

# Prints the qdiscs that someone configured. Those of the kernel have the handle 0, and ingress is another direction.
foreign() {
    show | grep -Ev '^qdisc [^ ]+ 0: |^qdisc (ingress|clsact) '
}

# Only one call at a time changes something. The lock is that of the name space, and ends with the process.
lock() {
    exec 9</proc/self/ns/net
    flock -w "$1" 9
}

# A class NAME below PARENT, with its rate at least and at most, and its turn. A turn is ten frames of Ethernet.
class() {
    tc class add dev "$device" parent "$handle:$1" classid "$handle:$2" htb rate "$3" ceil "$4" prio "$5" quantum 15140
}

# Traffic to an address, with a port at either end, is of the class NAME.
filters() {
    case $1 in
        *:*) version='ipv6 prio 2' match="ip6 dst $1/128" ip=ip6 ;;
        *) version='ip prio 1' match="ip dst $1/32" ip=ip ;;
    esac
    for end in sport dport; do
        # shellcheck disable=SC2086
        tc filter add dev "$device" parent "$handle:" protocol $version u32 match $match match $ip protocol 6 0xff \
            match $ip $end "$2" 0xffff flowid "$handle:$3" || return 1
    done
    # Datagrams of events are marked, because only the first packet of a long one has its ports.
    case $1 in
        *:*) mark='ip6 priority' ;;
        *) mark='ip tos' ;;
    esac
    # shellcheck disable=SC2086
    [ "$3" = 10 ] || tc filter add dev "$device" parent "$handle:" protocol $version u32 match $match \
        match $mark 0x28 0xfc flowid "$handle:$3"
}

# Classes: 1 the line, 10 control, 20 data, from 100 on a builder each. What no filter knows passes at once (default 0).
rules() {
    tc qdisc add dev "$device" root handle "$handle:" htb default 0 \
        && class '' 1 "$line" "$line" 0 \
        && class 1 10 "$control" "$line" 0 \
        && class 1 20 "$data" "$data" 1 || return 1
    number=256
    echo "$builders" | while read -r least most addresses; do
        [ -n "$least" ] || continue
        name=$(printf %x "$number")
        number=$((number + 1))
        class 20 "$name" "$least" "$most" 1 || return 1
        for address in $addresses; do
            filters "$address" "${ports% *}" 10 && filters "$address" "${ports#* }" "$name" || return 1
        done
    done
}

restore() {
    if is_ours; then
        tc qdisc del dev "$device" root || return 1
    fi
    if [ -f "$state/before" ] && [ "$(kinds)" != "$(cat "$state/before")" ]; then
        echo "kblake-tc: $device has other qdiscs than before: $(kinds)" >&2
    fi
    rm -rf "$state"
}

apply() {
    [ -f "$0" ] || fail "call: sh FILE apply"
    show >/dev/null || fail "there is no interface $device, or no tc (package iproute2)"
    lock 0 || fail "another call changes $device; or there is no flock (package util-linux)"
    ! is_ours || fail "$device is shaped already; remove it first"
    found=$(foreign)
    [ -z "$found" ] || fail "$device has a qdisc that kblake did not make, and nothing was changed: $found"
    rm -rf "$state"
    mkdir -m 700 "$state" || fail "cannot write $state; this needs root"
    kinds >"$state/before"
    echo $$ >"$state/pending"
    setsid sh "$0" revert $$ </dev/null >/dev/null 2>&1 9<&- &
    if grep -Eq '^(mq|fq) ' "$state/before"; then
        echo "$device had queues of its own (mq, fq), and has them again after remove: until then HTB alone sends"
    fi
    if rules; then
        echo "$device is shaped. If all works, call: sh $0 confirm (within $seconds s)"
    elif restore; then
        fail "$device cannot be shaped, and is as before; kblake gather can limit itself instead"
    else
        fail "$device cannot be shaped; look at: tc qdisc show dev $device"
    fi
}

# Waits in a session of its own, and restores what the apply of this number did. The end of a login or of a unit does
# not end it: systemd kills 90 s after it asks.
revert() {
    trap '' HUP INT QUIT TERM
    sleep "$seconds"
    lock 10
    [ "$(cat "$state/pending" 2>/dev/null)" != "$1" ] || restore
}

confirm() {
    lock 10 || fail "another call changes $device"
    is_ours || fail "$device is not shaped; the time to confirm it may be over"
    rm "$state/pending" 2>/dev/null || fail "there is nothing to confirm: $device"
    echo "$device stays shaped until remove"
}

remove() {
    lock 10 || fail "another call changes $device"
    is_ours || fail "$device is not shaped by kblake, and nothing was changed"
    restore || fail "the rules of $device cannot be removed; this needs root"
    echo "$device is as before"
}

status() {
    if is_ours; then
        [ ! -f "$state/pending" ] || echo "not confirmed"
        tc -s class show dev "$device"
    else
        echo "$device is not shaped by kblake"
        show
    fi
}

case "${1:-}" in
    apply | confirm | remove | status) "$1" ;;
    revert) revert "${2:-}" ;;
    *) fail "call: sh $0 apply, confirm, remove or status" ;;
esac
