/* SPDX-License-Identifier: MIT */
#ifndef BAILEY_BAILEY_H
#define BAILEY_BAILEY_H

/** bailey/bailey.h - the whole of libbailey's interface */

#include <bailey/command.h>
#include <bailey/environment.h>
#include <bailey/error.h>
#include <bailey/export.h>
#include <bailey/manager.h>
#include <bailey/policy.h>
#include <bailey/sandbox.h>
#include <bailey/scene.h>
#include <bailey/version.h>

#endif /* BAILEY_BAILEY_H */
