/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_MUST_H
#define TESTS_FUZZ_MUST_H

/*
 * What every fuzz target has: its entry point, and a way to say what must hold.
 */

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process, which the fuzzer takes for a finding. */
#define MUST(condition) ((condition) ? (void)0 : check_failed(#condition, __FILE__, __LINE__))

_Noreturn void check_failed(const char *condition, const char *file, int line);

#endif /* TESTS_FUZZ_MUST_H */
