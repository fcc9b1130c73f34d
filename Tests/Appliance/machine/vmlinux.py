"""Taking the ELF kernel out of a bzImage.

QEMU boots an ELF vmlinux through its PVH entry, which spares the emulated processor the decompression.
"""
import lzma
import struct
import subprocess
import zlib

ELF = b"\x7fELF"


def bootable(image):
    """What QEMU is to boot: the ELF kernel in a bzImage; kernels of other processors as they are."""
    if image[0x1FE:0x206] != b"\x55\xaa" + image[0x200:0x202] + b"HdrS":
        return image
    elf = decompressed(payload(image))
    if not elf.startswith(ELF):
        raise ValueError("the kernel's payload is no ELF file")
    return elf


def payload(image):
    """The compressed kernel (Documentation/arch/x86/boot.rst: setup_sects, payload_offset, payload_length)."""
    setup = (image[0x1F1] or 4) + 1
    offset, length = struct.unpack_from("<II", image, 0x248)
    return image[setup * 512 + offset :][:length]


def decompressed(packed):
    if packed.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMADecompressor().decompress(packed)
    if packed.startswith(b"\x1f\x8b"):
        return zlib.decompressobj(31).decompress(packed)
    if packed.startswith(b"\x28\xb5\x2f\xfd"):
        # The build appends the size to the frame; zstd writes the whole frame, then complains about those four bytes.
        return subprocess.run(["zstd", "-dcq"], input=packed, capture_output=True).stdout
    raise ValueError(f"the kernel is compressed in an unknown way ({packed[:4].hex()})")
