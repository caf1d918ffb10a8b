/* superblock.c - the superblock of an HDF5 file, version 3. */
#include "sink/superblock.h"

/* Byte offsets in the superblock. */
enum { FLAGS = 11, MORE = 20, LENGTH = 28, CHECKSUM = 44 };

static uint32_t turn(uint32_t x, int bits) {
    return (x << bits) | (x >> (32 - bits));
}

static uint32_t word(const unsigned char *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* One round of lookup3: 12 bytes are added to a, b, c and stirred. */
static void add(uint32_t v[3], const unsigned char *p) {
    for (int i = 0; i < 3; i++) v[i] += word(p + 4 * i);
}

static void mix(uint32_t v[3], const unsigned char *p) {
    static const int bits[6] = {4, 6, 8, 16, 19, 4};
    add(v, p);
    for (int i = 0; i < 6; i++) {
        uint32_t *a = &v[i % 3], *b = &v[(i + 1) % 3], *c = &v[(i + 2) % 3];
        *a -= *c, *a ^= turn(*c, bits[i]), *c += *b;
    }
}

/* Jenkins' lookup3 ("hashlittle"): rounds of 12 bytes, then the last 1 to 12 and the final stir. */
uint32_t wy_superblock_checksum(const unsigned char *data, size_t size) {
    static const int bits[7] = {14, 11, 25, 16, 4, 14, 24};
    unsigned char last[12] = {0};
    uint32_t v[3];
    for (int i = 0; i < 3; i++) v[i] = 0xdeadbeefu + (uint32_t)size;
    if (size == 0) return v[2];
    for (; size > 12; data += 12, size -= 12) mix(v, data);
    memcpy(last, data, size);
    add(v, last);
    for (int i = 0; i < 7; i++) {
        const uint32_t from = v[(i + 1) % 3];
        uint32_t *to = &v[(i + 2) % 3];
        *to ^= from, *to -= turn(from, bits[i]);
    }
    return v[2];
}

static void put(unsigned char *to, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> 8 * i);
}

bool wy_superblock_is(const unsigned char *head) {
    return memcmp(head, "\211HDF\r\n\032\n\003\010\010", FLAGS) == 0;
}

void wy_superblock_set(unsigned char *head, uint64_t length) {
    head[FLAGS] = 0;
    put(head + LENGTH, length, 8);
    put(head + CHECKSUM, wy_superblock_checksum(head, CHECKSUM), 4);
}

static uint64_t get(const unsigned char *from, int bytes) {
    uint64_t value = 0;
    for (int i = bytes; i-- > 0;) value = value << 8 | from[i];
    return value;
}

/* Object header, version 2: signature, version, flags, four times of four bytes where flag 5 is set, two counts where flag 4 is,
 * the size of the messages in 2^(flags 0-1) bytes, messages, checksum (HDF5 File Format Specification 3.0, IV.A.1.b). */
void wy_superblock_clear_times(unsigned char *image, size_t size) {
    enum { TIMES = 6, TIMES_SIZE = 16, COUNTS_SIZE = 4, SUM = 4 };
    const uint64_t from = get(image + MORE, 8);
    if (from >= size || size - from < 64) return; /* there is none */
    unsigned char *head = image + from;
    const int flags = head[5], width = 1 << (flags & 3);
    if (memcmp(head, "OHDR", 4) != 0 || !(flags & 0x20)) return;
    const size_t fixed = TIMES + TIMES_SIZE + (flags & 0x10 ? COUNTS_SIZE : 0);
    const uint64_t messages = get(head + fixed, width);
    const size_t before = fixed + (size_t)width;
    if (messages > size - from - before - SUM) return;
    memset(head + TIMES, 0, TIMES_SIZE);
    const size_t all = before + (size_t)messages;
    put(head + all, wy_superblock_checksum(head, all), SUM);
}
