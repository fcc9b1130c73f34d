#!/bin/busybox sh
# The guest's init: mount, load the modules, then do what the host says through the port named "control".
/bin/busybox --install -s /bin
export PATH=/usr/bin:/bin HOME=/root
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs run /run
mount -t tmpfs tmp /tmp
mkdir -p /dev/pts /dev/shm
# A text cursor that blinks would make two pictures of the same console differ.
echo 0 >/sys/class/graphics/fbcon/cursor_blink
hold=$(sed -n 's/.*hold=\([^ ]*\).*/\1/p' /proc/cmdline)
while read -r module; do
    name=${module##*/}
    # A test loads these itself, when it wants.
    case ",$hold," in *",${name%.ko},"*) continue ;; esac
    insmod "$module" || echo "kernel: could not load $module"
done </lib/modules/order

# Without udev nobody names the ports of the host.
mkdir /dev/virtio-ports
for port in /sys/class/virtio-ports/*; do
    ln -s "../${port##*/}" "/dev/virtio-ports/$(cat "$port/name")"
done

# A request is "NUMBER SCRIPT-LENGTH INPUT-LENGTH", then the script and its input; an answer is "NUMBER STATUS LENGTH"
# and what the script wrote. The host asks again only after an answer, so nothing can be read ahead of its turn.
answer() {
    while read -r number script input; do
        head -c $((script + input)) >/run/control.all
        head -c "$script" /run/control.all >/run/control.sh
        tail -c +$((script + 1)) /run/control.all >/run/control.in
        sh /run/control.sh </run/control.in >/run/control.out 2>&1 3>&-
        echo "$number $? $(stat -c %s /run/control.out)" >&3
        cat /run/control.out >&3
    done
}
# A port can be opened only once: for both directions, then.
exec 3<>/dev/virtio-ports/control
echo "GUEST ready"
answer <&3
poweroff -f
