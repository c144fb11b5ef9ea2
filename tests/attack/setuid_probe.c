/* SPDX-License-Identifier: MIT */

/* Tells which user it runs as. run.py makes it setuid root where it can. */

#include <stdio.h>
#include <unistd.h>

int
main(void)
{
	(void)printf("euid=%d\n", (int)geteuid());
	return 0;
}
