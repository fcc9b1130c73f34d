// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// The kernel lends what this needs to modules under the GPL alone.
//
// What a PC's firmware leaves to the kernel: a display that shows a mode, and the device "simple-framebuffer" over its
// pixels, which simpledrm drives until the display's own driver comes (drivers/firmware/sysfb.c, sysfb_simplefb.c).
// A machine whose kernel is started without a boot loader has no such display, so it is lit here: QEMU's VGA, by the
// registers of Bochs (QEMU, docs/specs/standard-vga.rst).
//
// insmod boot_display.ko width=800 height=480. There is no way back, as there is none from a firmware.
#include <linux/device.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/platform_data/simplefb.h>
#include <linux/platform_device.h>

#define DISPI_INDEX 0x1ce
#define DISPI_DATA 0x1cf

enum dispi { DISPI_ID, DISPI_WIDTH, DISPI_HEIGHT, DISPI_BITS, DISPI_ENABLE };

#define DISPI_ENABLED 0x01
#define DISPI_LINEAR 0x40

static ushort width = 1024, height = 768;
module_param(width, ushort, 0444);
module_param(height, ushort, 0444);

static u16 dispi_read(enum dispi index)
{
    outw(index, DISPI_INDEX);
    return inw(DISPI_DATA);
}

static void dispi_write(enum dispi index, u16 value)
{
    outw(index, DISPI_INDEX);
    outw(value, DISPI_DATA);
}

static int light(void)
{
    if ((dispi_read(DISPI_ID) & 0xfff0) != 0xb0c0)
        return -ENODEV;
    dispi_write(DISPI_ENABLE, 0);
    dispi_write(DISPI_BITS, 32);
    dispi_write(DISPI_WIDTH, width);
    dispi_write(DISPI_HEIGHT, height);
    dispi_write(DISPI_ENABLE, DISPI_ENABLED | DISPI_LINEAR);
    return dispi_read(DISPI_WIDTH) == width && dispi_read(DISPI_HEIGHT) == height ? 0 : -EINVAL;
}

// A kernel that has simpledrm has no simplefb, whose driver is named and matched alike (FB_SIMPLE depends on
// !DRM_SIMPLEDRM in drivers/video/fbdev/Kconfig).
static void leave_to_simpledrm(void)
{
    struct device_driver *simplefb = driver_find("simple-framebuffer", &platform_bus_type);

    if (simplefb)
        driver_unregister(simplefb);
}

static int __init boot_display_init(void)
{
    struct pci_dev *display = pci_get_device(0x1234, 0x1111, NULL);
    struct simplefb_platform_data mode = {
        .width = width, .height = height, .stride = width * 4, .format = "x8r8g8b8",
    };
    struct resource pixels = { .flags = IORESOURCE_MEM, .name = "BOOTFB" };
    int error;

    if (!display)
        return -ENODEV;
    pixels.start = pci_resource_start(display, 0);
    pixels.end = pixels.start + PAGE_ALIGN(mode.stride * mode.height) - 1;
    pci_dev_put(display);
    error = light();
    if (error)
        return error;
    leave_to_simpledrm();
    return PTR_ERR_OR_ZERO(platform_device_register_resndata(
        NULL, "simple-framebuffer", 0, &pixels, 1, &mode, sizeof(mode)));
}

module_init(boot_display_init);
MODULE_DESCRIPTION("a display as a PC's firmware leaves it");
MODULE_LICENSE("GPL");
