/* longjmp.c - what clang asks for where it turns setjmp and longjmp into exceptions of WebAssembly
 * (-mllvm -wasm-enable-sjlj).
 *
 * A function that calls setjmp keeps a table of the calls it has made: the number of the call, which setjmp also writes
 * into the jmp_buf, and the label to go on at.  longjmp throws; such a function catches, looks for the number of the
 * jmp_buf in its own table, and goes on there or throws again.
 */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct entry {
    uintptr_t number; /* 0: the end of the table */
    uint32_t label;
} entry;

typedef struct thrown {
    void *at;
    int value;
} thrown;

entry *saveSetjmp(uintptr_t *at, uint32_t label, entry *table, uint32_t size);
uint32_t testSetjmp(uintptr_t number, entry *table, uint32_t size);
void setTempRet0(uint32_t value);
uint32_t getTempRet0(void);
_Noreturn void __wasm_longjmp(void *at, int value);

static uint32_t second; /* a second result of the calls below */
void setTempRet0(uint32_t value) {
    second = value;
}
uint32_t getTempRet0(void) {
    return second;
}

/* Enters a call; returns the table, and its size as the second result.  There is room for one entry more than size. */
entry *saveSetjmp(uintptr_t *at, uint32_t label, entry *table, uint32_t size) {
    static uintptr_t calls;
    uint32_t i = 0;
    while (i < size && table[i].number != 0) i++;
    if (i == size) {
        entry *more = realloc(table, (2 * (size_t)size + 1) * sizeof *table);
        if (!more) __builtin_trap(); /* nobody could be told */
        table = more, size *= 2;
    }
    *at = ++calls;
    table[i] = (entry){*at, label};
    table[i + 1].number = 0;
    setTempRet0(size);
    return table;
}

/* The label of a call, or 0: it was made by another function. */
uint32_t testSetjmp(uintptr_t number, entry *table, uint32_t size) {
    for (uint32_t i = 0; i < size && table[i].number != 0; i++)
        if (table[i].number == number) return table[i].label;
    return 0;
}

_Noreturn void __wasm_longjmp(void *at, int value) {
    static thrown what;
    what = (thrown){at, value};
    __builtin_wasm_throw(1, &what); /* 1: __c_longjmp */
}
