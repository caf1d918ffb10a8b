#!/usr/bin/env python3
"""What libwithy_core.a needs from outside: functions of C17 and, where built with them, LAPACK and SUNDIALS.

usage: check_core.py libwithy_core.a
"""
import re
import subprocess
import sys

C17 = set("""abs acos acosh asinh atanh cabs carg cbrt cexp cimag clog conj cpow creal csqrt exp2 remainder asin atan atan2 calloc ceil copysign cos cosh erf erfc exp expm1 fabs floor fma fmax fmin fmod free
 frexp getenv hypot isfinite ldexp lgamma llround log log10 log1p log2 lround malloc memchr memcmp memcpy memmove memset modf
 nearbyint pow qsort realloc rint round sin sinh snprintf sqrt sscanf strchr strcmp strcpy strcspn strlen strncmp
 strncpy strpbrk strrchr strspn strstr strtod strtol tan tanh clock timespec_get tolower toupper trunc vsnprintf""".split())
# What compilers insert themselves: sincos, complex products, the table behind <ctype.h>, position
# independence, the stack guard, checked copies, the kind of processor.
COMPILER = set("""sincos __muldc3 __divdc3 __ctype_tolower_loc __ctype_toupper_loc __ctype_b_loc __isoc99_sscanf
 _GLOBAL_OFFSET_TABLE_ __stack_chk_fail __snprintf_chk __vsnprintf_chk __memcpy_chk __memset_chk __memmove_chk __strcat_chk
 __cpu_model __cpu_features2 __cpu_indicator_init""".split())
LIBRARY = re.compile(r"(LAPACKE_|cblas_|CVode|ERKStep|ARKStep|SUN|N_V)")


def main():
    text = subprocess.run(["nm", "-A", sys.argv[1]], capture_output=True, text=True, check=True).stdout
    defined, wanted = set(), {}
    for line in text.splitlines():
        match = re.match(r"[^:]*:([^:]*):\s*[0-9a-f]*\s+(\w)\s+(\S+)$", line)
        if not match:
            continue
        file, kind, symbol = match.groups()
        if kind == "U":
            wanted.setdefault(symbol, file)
        else:
            defined.add(symbol)
    outside = set(wanted) - defined - C17 - COMPILER
    bad = sorted(s for s in outside if not LIBRARY.match(s))
    for symbol in bad:
        print(f"{wanted[symbol]}: {symbol} is not of C17; withy_core may not need it (hide it behind an interface, as src/base/wall_clock.c)")
    if not bad:
        print(f"core: {len(defined)} symbols, nothing outside C17 is needed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
