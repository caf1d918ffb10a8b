/* sandbox.c - a Lua state that cannot run for ever, exhaust the memory, or reach outside.
 *
 * Instructions are counted by a hook, memory by the allocator.  Work that hides inside one instruction or
 * one call (copying strings, comparing them, sorting) is charged by its size as if it were
 * instructions, and the sizes are bounded; so is what the parser does, which finds its text in pieces.  As a
 * last resort there is a bound on processor time.
 */
#include "scene/lua.h"

enum {
    TICK = 1000,                       /* instructions between two checks of the budget */
    MOST_BYTES = 64 << 20,             /* in use                                        */
    MOST_BLOCK = 16 << 20,             /* in one piece: the longest table               */
    MOST_TEXT = WY_LONGEST_TEXT + 128, /* the longest string, with what Lua adds        */
    MOST_TAKEN = 256 << 20,            /* for one budget, garbage included              */
    PER_UNIT = 64,                     /* bytes taken that count as one instruction     */
    PIECE = 1024,                      /* of its text, for the parser                   */
};

/* Of processor time: to read a scene and check it, and for one call of a function. */
static const double READ_SECONDS = 1.0, CALL_SECONDS = 0.5;

/* A run calls the functions of a scene at every step, millions of times.  What each may take on average,
 * and how much more all together may take before the scene is stopped [instructions]. */
static const int64_t ALLOWED = 100000, PURSE = 50000000;

/* The innermost line of the scene that is running; 0: none (the parser is at work). */
static int running_line(lua_State *lua, lua_Debug *frame) {
    for (int level = 0; lua && lua_getstack(lua, level, frame); level++)
        if (lua_getinfo(lua, "Sl", frame) && frame->currentline > 0) return frame->currentline;
    return 0;
}

/* May the sandbox grow by so much? Records where it was refused. */
static int may_take(wy_sandbox *box, size_t old, size_t size, int is_text) {
    if (size <= (is_text ? MOST_TEXT : MOST_BLOCK) && box->bytes - old + size <= MOST_BYTES &&
        box->taken + size <= MOST_TAKEN)
        return 1;
    lua_Debug frame;
    const int line = box->refused ? 0 : running_line(box->lua, &frame);
    if (line > 0 && strcmp(frame.short_src, WY_CHUNK) == 0) box->line = line;
    box->refused = 1;
    return 0;
}

/* Lua's one allocation function.  Shrinking never fails, as Lua demands. */
static void *allocate(void *context, void *pointer, size_t old, size_t size) {
    wy_sandbox *box = context;
    const int is_text = !pointer && old == LUA_TSTRING;
    if (!pointer) old = 0; /* then it is a type tag */
    if (size == 0) {
        wy_free(pointer);
        box->bytes -= old;
        return NULL;
    }
    if (size > old && !may_take(box, old, size, is_text)) return NULL;
    void *moved = wy_alloc(1, size);
    if (!moved && size > old) return NULL;
    box->bytes += size - old;
    box->taken += size;
    box->left -= (int64_t)(size / PER_UNIT); /* the next check finds it */
    if (!moved) return pointer;
    if (pointer) memcpy(moved, pointer, old < size ? old : size);
    wy_free(pointer);
    return moved;
}

static wy_sandbox *sandbox_of(lua_State *lua) {
    void *box;
    lua_getallocf(lua, &box);
    return box;
}

/* Stop the scene with a message that begins with the running line. */
static int stop(lua_State *lua, const char *why) {
    lua_Debug frame;
    const int line = running_line(lua, &frame);
    if (line > 0)
        lua_pushfstring(lua, "%s:%d: %s", frame.short_src, line, why);
    else
        lua_pushstring(lua, why);
    return lua_error(lua);
}

/* Is the budget spent, the time over, or is the run to be stopped? */
static void check_budget(lua_State *lua, wy_sandbox *box) {
    box->unchecked = 0;
    if (box->left <= 0) stop(lua, "stopped after too many instructions; is there an endless loop?");
    const clock_t now = clock();
    if (!box->deadline) box->deadline = now + (clock_t)(box->seconds * (double)CLOCKS_PER_SEC);
    if (now > box->deadline)
        stop(lua,
             "stopped after too many seconds; does a loop do too much, or is the text too long?");
    if (!box->reading && wy_interrupt_check(&box->interrupt, box->t, NULL) != WITHY_OK) {
        box->interrupted = 1;
        stop(lua, "stopped on request");
    }
}

void wy_sandbox_charge(lua_State *lua, int64_t work) {
    wy_sandbox *box = sandbox_of(lua);
    box->left -= work, box->unchecked += work;
    if (box->unchecked >= TICK || box->left <= 0) check_budget(lua, box);
}

static void tick(lua_State *lua, lua_Debug *unused) {
    (void)unused;
    wy_sandbox_charge(lua, TICK);
}

static void fill(wy_sandbox *box, int64_t instructions, double seconds) {
    box->left = instructions;
    box->seconds = seconds;
    box->taken = 0;
    box->deadline = 0;
    box->unchecked = 0;
    box->refused = box->line = box->interrupted = 0;
}

void wy_sandbox_check(wy_sandbox *box, int factor) {
    box->left = WY_CHECK_INSTRUCTIONS * (int64_t)factor; /* the time is that of the reading */
    box->taken = 0;
    box->refused = box->line = 0;
}

void wy_sandbox_call(wy_sandbox *box, double t) {
    fill(box, WY_CALL_INSTRUCTIONS, CALL_SECONDS);
    box->t = t;
}

int wy_sandbox_called(wy_sandbox *box) {
    const int64_t purse = box->purse + ALLOWED - (WY_CALL_INSTRUCTIONS - box->left);
    box->purse = purse < PURSE ? purse : PURSE;
    return box->purse > 0;
}

/* ---- the parser ------------------------------------------------------------------------------- */

typedef struct text {
    const char *at;
    size_t left;
} text;

/* It has no hook: a text can be made on which it takes the square of its length. */
static const char *read_piece(lua_State *lua, void *context, size_t *size) {
    text *x = context;
    const char *piece = x->at;
    wy_sandbox_charge(lua, TICK);
    *size = x->left < PIECE ? x->left : PIECE;
    x->at += *size, x->left -= *size;
    return *size ? piece : NULL;
}

int wy_sandbox_load(lua_State *lua, const char *chunk, size_t size, const char *name) {
    text x = {chunk, size};
    return lua_load(lua, read_piece, &x, name, "t");
}

/* ---- opening ---------------------------------------------------------------------------------- */

withy_status wy_sandbox_open(wy_sandbox *box, withy_error *err) {
    fill(box, WY_READ_INSTRUCTIONS, READ_SECONDS);
    box->reading = 1;
    box->purse = PURSE;
    box->lua = lua_newstate(allocate, box);
    if (!box->lua) return wy_no_memory(err, "no memory for Lua");
    lua_sethook(box->lua, tick, LUA_MASKCOUNT, TICK);
    return WITHY_OK;
}

void wy_sandbox_close(wy_sandbox *box) {
    if (box->lua) lua_close(box->lua);
    box->lua = NULL;
}
