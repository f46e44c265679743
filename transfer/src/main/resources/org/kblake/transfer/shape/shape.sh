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

set -u
LC_ALL=C
PATH=/usr/sbin:/sbin:$PATH
export LC_ALL PATH
device='@DEVICE@'
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

rules() {
    @RULES@
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

# Ends a pending confirmation. Only one of confirm, remove and the end of the time can.
take_pending() {
    mv "$state"/pending-* "$state/$1" 2>/dev/null
}

# Waits in the background, and restores. Its number is that of this call: a later apply has another one.
revert_later() {
    (
        trap '' HUP INT
        sleep "$seconds"
        if mv "$state/pending-$$" "$state/reverting" 2>/dev/null; then
            restore
        fi
    ) </dev/null >/dev/null 2>&1 &
}

apply() {
    show >/dev/null || fail "there is no interface $device, or no tc (package iproute2)"
    ! is_ours || fail "$device is shaped already; remove it first"
    found=$(foreign)
    [ -z "$found" ] || fail "$device has a qdisc that kblake did not make, and nothing was changed: $found"
    rm -rf "$state"
    mkdir -m 700 "$state" || fail "cannot write $state; this needs root"
    kinds >"$state/before"
    : >"$state/pending-$$"
    revert_later
    if rules; then
        echo "$device is shaped. If all works, call: sh $0 confirm (within $seconds s)"
    elif take_pending failed && restore; then
        fail "$device cannot be shaped, and is as before; kblake gather can limit itself instead"
    else
        fail "$device cannot be shaped; look at: tc qdisc show dev $device"
    fi
}

confirm() {
    is_ours || fail "$device is not shaped; the time to confirm it may be over"
    take_pending confirmed || fail "there is nothing to confirm: $device"
    echo "$device stays shaped until remove"
}

remove() {
    is_ours || fail "$device is not shaped by kblake, and nothing was changed"
    take_pending removing
    restore || fail "the rules of $device cannot be removed; this needs root"
    echo "$device is as before"
}

status() {
    if is_ours; then
        [ -f "$state/confirmed" ] || echo "not confirmed"
        tc -s class show dev "$device"
    else
        echo "$device is not shaped by kblake"
        show
    fi
}

case "${1:-}" in
    apply | confirm | remove | status) "$1" ;;
    *) fail "call: sh $0 apply, confirm, remove or status" ;;
esac
