#pragma once
#include <stdint.h>
#include <xf86drm.h>
#include <xf86drmMode.h>
#include <drm_fourcc.h>

/* fourcc_code() is a function-like macro. */
static const uint32_t CLibdrm_FORMAT_XRGB8888 = DRM_FORMAT_XRGB8888;
static const uint32_t CLibdrm_FORMAT_RGB565 = DRM_FORMAT_RGB565;
