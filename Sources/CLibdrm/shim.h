#pragma once
#include <stdint.h>
#include <xf86drm.h>
#include <xf86drmMode.h>
#include <drm_fourcc.h>

/* fourcc_code() is a function-like macro. */
static const uint32_t CLibdrm_FORMAT_XRGB8888 = DRM_FORMAT_XRGB8888;
static const uint32_t CLibdrm_FORMAT_ARGB8888 = DRM_FORMAT_ARGB8888;
static const uint32_t CLibdrm_FORMAT_XBGR8888 = DRM_FORMAT_XBGR8888;
static const uint32_t CLibdrm_FORMAT_ABGR8888 = DRM_FORMAT_ABGR8888;
static const uint32_t CLibdrm_FORMAT_RGBX8888 = DRM_FORMAT_RGBX8888;
static const uint32_t CLibdrm_FORMAT_RGBA8888 = DRM_FORMAT_RGBA8888;
static const uint32_t CLibdrm_FORMAT_BGRX8888 = DRM_FORMAT_BGRX8888;
static const uint32_t CLibdrm_FORMAT_BGRA8888 = DRM_FORMAT_BGRA8888;
static const uint32_t CLibdrm_FORMAT_RGB888 = DRM_FORMAT_RGB888;
static const uint32_t CLibdrm_FORMAT_BGR888 = DRM_FORMAT_BGR888;
static const uint32_t CLibdrm_FORMAT_RGB565 = DRM_FORMAT_RGB565;

/* _IOWR() numbers are not imported. libdrm's own functions allocate on the way (atomic), or hide the
   errno (AddFB2 with modifiers). */
static const unsigned long CLibdrm_ADDFB2 = DRM_IOCTL_MODE_ADDFB2;
static const unsigned long CLibdrm_ATOMIC = DRM_IOCTL_MODE_ATOMIC;
static const unsigned long CLibdrm_PAGE_FLIP = DRM_IOCTL_MODE_PAGE_FLIP;
static const unsigned long CLibdrm_DIRTYFB = DRM_IOCTL_MODE_DIRTYFB;
static const unsigned long CLibdrm_SETCRTC = DRM_IOCTL_MODE_SETCRTC;
static const unsigned long CLibdrm_CRTC_GET_SEQUENCE = DRM_IOCTL_CRTC_GET_SEQUENCE;
