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

. /control.sh
poweroff -f
