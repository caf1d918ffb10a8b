/* setjmp.h - wasi-libc has none; see web/longjmp.c. */
#pragma once

typedef unsigned long jmp_buf[1];

int setjmp(jmp_buf at) __attribute__((returns_twice));
_Noreturn void longjmp(jmp_buf at, int value);
