/* SPDX-License-Identifier: MIT */
#ifndef BAILEY_VERSION_H
#define BAILEY_VERSION_H

/** bailey/version.h - the version of the headers and of the library that is linked */

#include <bailey/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BAILEY_VERSION "0.1.0"

/** The library's own version, as BAILEY_VERSION was when it was built. Static, never NULL. */
BAILEY_API const char *bailey_version(void);

#ifdef __cplusplus
}
#endif

#endif /* BAILEY_VERSION_H */
