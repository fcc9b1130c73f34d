#!/bin/sh
# The guest's end of the port named "control", as init.sh has it, for a machine that systemd boots.
until [ -e /dev/virtio-ports/control ]; do sleep 0.05; done
exec 3<>/dev/virtio-ports/control
echo "GUEST ready" >/dev/ttyS0
while read -r number script input <&3; do
    head -c $((script + input)) <&3 >/run/control.all
    head -c "$script" /run/control.all >/run/control.sh
    tail -c +$((script + 1)) /run/control.all >/run/control.in
    sh /run/control.sh </run/control.in >/run/control.out 2>&1 3>&-
    echo "$number $? $(stat -c %s /run/control.out)" >&3
    cat /run/control.out >&3
done
