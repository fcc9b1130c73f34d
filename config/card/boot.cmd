# U-Boot's part of the boot: chooses a slot, counts the try, and starts its kernel.
#
# order.1 and order.2 on the fifth partition say the order of the slots and how many tries each has left. Each file is an
# environment with a checksum and a serial number: the valid one with the higher number counts, and the other one is
# written, so that a power cut leaves one of them whole. /usr/lib/paraph-card/boot-order writes them for RAUC. A confirmed
# slot has ff tries, which are not counted: switching the pad off three times in a row must not bring an old root back.
# All numbers are hexadecimal.
setenv store ${devtype} ${devnum}:5
setenv at ${kernel_addr_r}
setenv best 0
setenv newest
setenv order A B
setenv tries_A 3
setenv tries_B 0
for copy in 1 2; do
  setenv serial
  if load ${store} ${at} order.${copy} && env import -c ${at} ${filesize} serial; then
    if itest 0x${serial} -gt 0x${best}; then
      setenv best ${serial}
      setenv newest ${copy}
      env import -c ${at} ${filesize} order tries_A tries_B
    fi
  fi
done

setenv slot
for candidate in ${order}; do
  if test -z "${slot}"; then
    if test ${candidate} = A; then setenv left ${tries_A}; else setenv left ${tries_B}; fi
    if itest 0x${left} -gt 0; then setenv slot ${candidate}; fi
  fi
done
setexpr next ${best} + 1
if test "${newest}" = 1; then setenv copy 2; else setenv copy 1; fi
setenv save 'setenv serial ${next}; env export -c -s 0x200 ${at} order serial tries_A tries_B && fatwrite ${store} ${at} order.${copy} 0x200'
# No slot has a try left: the first one of the order, which was the last to be confirmed.
if test -z "${slot}"; then
  for candidate in ${order}; do
    if test -z "${slot}"; then setenv slot ${candidate}; fi
  done
  setenv left 0
elif itest 0x${left} != 0xff; then
  setexpr left ${left} - 1
  setenv tries_${slot} ${left}
  run save
fi

if test ${slot} = A; then setenv part 2; else setenv part 3; fi
setenv bootargs root=PARTUUID=50617261-0${part} ro rootwait fsck.mode=skip rauc.slot=${slot} panic=5 quiet loglevel=0 vt.global_cursor_default=0 systemd.show_status=no rd.systemd.show_status=no ${board_bootargs}
if test -n "${fdt_addr}"; then setenv tree ${fdt_addr}; else setenv tree ${fdtcontroladdr}; fi
load ${devtype} ${devnum}:${part} ${kernel_addr_r} /boot/vmlinuz &&
  load ${devtype} ${devnum}:${part} ${ramdisk_addr_r} /boot/initrd.img &&
  booti ${kernel_addr_r} ${ramdisk_addr_r}:${filesize} ${tree}
# The kernel cannot be read or started. A confirmed slot may have met a passing error of the card: it is counted now.
if itest 0x${left} == 0xff; then
  setenv tries_${slot} 3
  run save
elif itest 0x${left} -gt 0; then
  setenv tries_${slot} 0
  run save
fi
reset
