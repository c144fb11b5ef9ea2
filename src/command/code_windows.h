/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_CODE_WINDOWS_H
#define COMMAND_CODE_WINDOWS_H

/*
 * Paths of Windows, for cmd.exe, PowerShell and the models of the programs that come with them.
 * Places (place.h) know only paths of Unix, so what lies on a drive is decided here.
 */

#include "command/model.h"

/* Is it C:\..., \..., \\server\..., or below the home directory by a variable or ~? */
bool windows_is_absolute(const struct field *path);

/* Is it a key of the registry: HKLM:\..., HKEY_LOCAL_MACHINE\..., Registry::...? */
bool windows_is_registry(const struct field *path);

/* The deed on a path: with a path of Windows that is absolute, a deletion is a rule of its own and
 * anything else goes without a place; other paths become deeds with slashes. */
void windows_deed(struct findings *found, enum deed deed, const struct field *path);

extern const struct rule windows_registry_rule; /* changes the registry */

#endif /* COMMAND_CODE_WINDOWS_H */
