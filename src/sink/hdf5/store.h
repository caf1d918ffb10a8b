/* store.h - a result file as bytes that may hold anything.
 *
 * Results are read here and in object.c, rows.c without the HDF5 library, which crashes or does not
 * return on some damaged files.  What withy writes needs few structures of the format (HDF5 File Format
 * Specification 3.0), and all of them have checksums: superblock version 3, object headers version 2 with
 * the links and attributes inside, texts of fixed length, rows in chunks behind an extensible array.
 * Anything else is refused: links out of the file, storage elsewhere, filters, other versions.
 *
 * Bounds: nothing beyond the end of the file is read, and a file holds each of its bytes once.  So the
 * structures that are read are together no longer than the file, the rows neither, and the memory taken is
 * at most a fixed multiple of its length.
 */
#pragma once

#include "base/base.h"
#include "withy/problem.h"
#include "withy/result.h"

/* ---- checksums of numbers and texts.
 *
 * HDF5 protects its own structures by checksums, not the numbers.  Here every row of a table has one,
 * so that a lost sector is found when the row is read, and a row cut short by a kill is found too.  It
 * is the sum over the columns of a hash of name and numbers, so that it does not depend on their order;
 * 53 bits of it are kept, which a number holds exactly.
 */

#define WY_CHECK "check" /* its name in the file */

/* One step of a multiplicative hash: every bit of x reaches the upper half of the product. */
static inline uint64_t wy_check_mix(uint64_t hash, uint64_t x) {
    hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static inline uint64_t wy_check_bytes(const char *text, size_t size) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325) + size;
    for (size_t i = 0; i < size; i++) hash = wy_check_mix(hash, (unsigned char)text[i]);
    return hash;
}

/* `seed`: wy_check_bytes() of the name of the column. */
static inline uint64_t wy_check_row(uint64_t seed, const double *value, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        seed = wy_check_mix(seed, bits);
    }
    return seed;
}

static inline double wy_check_number(uint64_t sum) {
    return (double)(sum >> 11);
}

enum { WY_STORE_WHY = 160 };
#define WY_STORE_NOWHERE UINT64_MAX         /* the address of what is not there                */
#define WY_STORE_ELSEWHERE (UINT64_MAX - 1) /* of what another file or name holds: not followed */

typedef struct wy_store {
    int descriptor;
    uint64_t length;    /* of the file                                        */
    uint64_t structure; /* bytes of structures that may still be read         */
    uint64_t rows;      /* bytes of rows that may still be referred to        */
    uint64_t memory;    /* bytes of memory that may still be taken            */
    uint64_t root;      /* where the root group is                            */
    char why[WY_STORE_WHY];
} wy_store;

/* Open a regular file and read its superblock; WITHY_BAD_INPUT: no such HDF5 file, WITHY_IO otherwise. */
withy_status wy_store_open(wy_store *store, const char *path, withy_error *err);
void wy_store_close(wy_store *store);

/* Note why something cannot be read; false, so that `return wy_store_fail(...)` reads well. */
bool wy_store_fail(wy_store *store, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Are there `size` bytes at `at`?  A file that is being written may have grown. */
bool wy_store_within(wy_store *store, uint64_t at, uint64_t size);

/* Bytes as they are. */
bool wy_store_get(wy_store *store, uint64_t at, void *out, size_t size);

/* A structure: it begins with the signature (4 characters) and ends with its checksum. */
bool wy_store_block(wy_store *store, uint64_t at, const char *signature, unsigned char *out,
                    size_t size);

/* Memory within the bounds; NULL when there is none. */
void *wy_store_take(wy_store *store, wy_arena *arena, uint64_t count, size_t size);

/* Whole numbers in the file have their lowest byte first. */
static inline uint64_t wy_store_whole(const unsigned char *from, int bytes) {
    uint64_t value = 0;
    for (int i = bytes; i-- > 0;) value = value << 8 | from[i];
    return value;
}

/* ---- object.c: an object of a result file: its messages, attributes and links (see store.h). */

/* Types of messages in an object header. */
enum {
    WY_MESSAGE_SPACE = 0x01,
    WY_MESSAGE_LINKS = 0x02,
    WY_MESSAGE_TYPE = 0x03,
    WY_MESSAGE_LINK = 0x06,
    WY_MESSAGE_ELSEWHERE = 0x07, /* data in other files */
    WY_MESSAGE_LAYOUT = 0x08,
    WY_MESSAGE_FILTER = 0x0b,
    WY_MESSAGE_ATTRIBUTE = 0x0c,
    WY_MESSAGE_MORE = 0x10 /* the header continues elsewhere */
};

typedef struct wy_message {
    int type;
    bool shared; /* the content is elsewhere */
    const unsigned char *data;
    size_t size;
} wy_message;

typedef struct wy_constraint {
    const char *name; /* not ended by NUL */
    size_t length;
    uint64_t at;    /* or WY_STORE_ELSEWHERE */
    uint64_t order; /* of creation, 0 where it was not kept */
} wy_constraint;

/* An object whose header is in memory.  Messages follow one another without gaps. */
typedef struct wy_object {
    wy_store *store;
    wy_arena arena;
    unsigned char *bytes;
    size_t size, room;
    int head;            /* bytes before the content of a message: 4, or 6 with its order */
    wy_constraint *link; /* [links] in the order of creation, once asked for */
    int links, advice;
} wy_object;

bool wy_object_open(wy_object *object, wy_store *store, uint64_t at);
void wy_object_close(wy_object *object);

/* The next message; start with *at = 0. */
bool wy_object_next(const wy_object *object, size_t *at, wy_message *message);

/* The first message of a type; false when the type has no message, or its content is elsewhere. */
bool wy_object_find(const wy_object *object, int type, wy_message *message);

/* What an element is, of the few types that withy writes. */
typedef enum wy_value_kind {
    WY_KIND_OTHER,
    WY_KIND_REAL,
    WY_KIND_WHOLE,
    WY_KIND_TEXT,
    WY_KIND_LOOSE
} wy_value_kind;

/* Kind and size in bytes; WY_KIND_LOOSE: a text of variable length. */
wy_value_kind wy_object_kind(const unsigned char *data, size_t size, uint64_t *bytes);

/* The number of dimensions, 0 for a scalar; negative: not one that withy writes. */
enum { WY_OBJECT_RANK = 3 };
int wy_object_space(const unsigned char *data, size_t size, uint64_t shape[WY_OBJECT_RANK]);

/* A scalar attribute: its content, or NULL. */
const unsigned char *wy_object_attribute(const wy_object *object, const char *name,
                                         wy_value_kind *kind, uint64_t *bytes);

/* Names of attributes that are numbers, in the order of the file: at most `most` of less than WITHY_NAME
 * characters; returns how many. */
int wy_object_numbers(const wy_object *object, char (*name)[WITHY_NAME], int most);

/* Texts from the arena, NULL (a number: 0) when it is missing or of another kind. */
char *wy_object_text(const wy_object *object, const char *name, wy_arena *arena);
double wy_object_number(const wy_object *object, const char *name);

/* The links of a group, then where the one of this name leads; WY_STORE_NOWHERE when no link has it. */
bool wy_object_links(wy_object *object);
uint64_t wy_object_at(wy_object *object, const char *name);
static inline bool wy_object_has(wy_object *object, const char *name) {
    return wy_object_at(object, name) != WY_STORE_NOWHERE;
}

/* ---- rows.c: a data set of a result file: rows of numbers, or one text (see store.h). */

typedef struct wy_rows {
    bool there;
    bool whole;      /* whole numbers in the file                       */
    uint64_t size;   /* numbers per row                                 */
    uint64_t count;  /* rows                                            */
    uint64_t per;    /* rows per chunk                                  */
    uint64_t *chunk; /* where the chunks are [ceil(count / per)]        */
    uint64_t seed;   /* of the checksum: the name of the column         */
} wy_rows;

#define WY_ROWS_ALL UINT64_MAX

/* The data set `name` of the group, whose rows hold `size` numbers; at least `need` rows, of which the
 * others are not looked at (WY_ROWS_ALL: as many as there are). */
bool wy_rows_open(wy_rows *rows, wy_object *group, const char *name, uint64_t size, uint64_t need,
                  wy_arena *arena);

/* Rows first, ..., first + count - 1. */
bool wy_rows_get(wy_store *store, const wy_rows *rows, uint64_t first, uint64_t count, double *out);

/* The numbers of a data set of one dimension that does not grow, at most `most`, with its checksum. */
double *wy_rows_list(wy_object *group, const char *name, uint64_t most, uint64_t *count,
                     wy_arena *arena);

/* Whole numbers of 8 bytes, as they are, of a data set of one dimension that does not grow; NULL on failure. */
uint64_t *wy_rows_words(wy_object *group, const char *name, uint64_t most, uint64_t *count,
                        wy_arena *arena);

/* `count` texts of `size` bytes each in one piece; NULL on failure. */
char *wy_rows_texts(wy_object *group, const char *name, uint64_t size, uint64_t most,
                    uint64_t *count, wy_arena *arena);

/* A text, with its checksum; NULL when it is damaged, "" when it is missing. */
char *wy_rows_text(wy_object *group, const char *name, wy_arena *arena);

/* ---- opened.c: a file of withy that is open for reading: what the readers of results and of sweeps share. */

/* Its reader begins with this. */
typedef struct wy_opened {
    wy_arena arena; /* of all that is read */
    const char *path;
    wy_store store;
    wy_object root;
} wy_opened;

/* For a public function: a new reader of `size` bytes, filled by `read`.  result: the pointer that is set to it, or to
 * NULL when it fails; who: the name of the function, which refuses what is NULL. */
withy_status wy_opened_read(const char *who, const char *path, size_t size,
                            withy_status (*read)(void *reader, withy_error *err), void *result,
                            withy_error *err);
void wy_opened_free(void *reader);

/* WITHY_IO and why something in it cannot be read. */
withy_status wy_opened_damaged(const wy_opened *file, const char *what, withy_error *err);

/* ---- state.c: the states of a run in its result file, for a run that continues after a kill.
 *
 * There are two places of equal size; the older one is overwritten, so that one of them is whole at any time.
 * A place is a head and the bytes of the state, as whole numbers of 8 bytes; the head has a number that counts
 * up and a hash of the bytes.  When the run is over both hold its last state, under the highest number.
 */

typedef struct wy_state_head {
    char magic[8];
    uint64_t number; /* 1, 2, ...; UINT64_MAX: the last                   */
    uint64_t size;   /* of the bytes                                      */
    uint64_t hash;   /* of the number, the size and the bytes             */
} wy_state_head;

/* Words of 8 bytes of a place for states of so many bytes. */
static inline uint64_t wy_state_words(size_t size) {
    return (sizeof(wy_state_head) + size + 7) / 8;
}

void wy_state_seal(wy_state_head *head, uint64_t number, const void *bytes, size_t size);

/* The bytes of the newest state that is whole, or NULL. */
const void *wy_state_read(wy_object *root, wy_arena *arena, size_t *size);

/* read.c: of an open result. */
const void *wy_result_state(withy_result *result, size_t *size);
