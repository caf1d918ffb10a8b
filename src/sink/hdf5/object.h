/* object.h - an object of a result file: its messages, attributes and links (see store.h). */
#pragma once

#include "sink/hdf5/store.h"
#include "withy/problem.h"

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

/* The first message of a type; false when there is none, or its content is elsewhere. */
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

/* Texts from the arena, NULL (a number: 0) when there is none of this kind. */
char *wy_object_text(const wy_object *object, const char *name, wy_arena *arena);
double wy_object_number(const wy_object *object, const char *name);

/* The links of a group, then where the one of this name leads; WY_STORE_NOWHERE when there is none. */
bool wy_object_links(wy_object *object);
uint64_t wy_object_at(wy_object *object, const char *name);
static inline bool wy_object_has(wy_object *object, const char *name) {
    return wy_object_at(object, name) != WY_STORE_NOWHERE;
}
