#!/bin/busybox sh
# Loads what the disk needs, and leaves the rest to systemd and udev on it.
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t devtmpfs dev /dev
while read -r module; do $b insmod "$module"; done </lib/modules/order
until [ -b /dev/vda ]; do $b usleep 10000; done
$b mount -t ext4 /dev/vda /mnt
$b mount --move /dev /mnt/dev
$b umount /proc
exec $b switch_root /mnt /sbin/init
