/* sandbox.c - a Lua state that cannot run for ever, exhaust the memory, or reach outside.
 *
 * Instructions are counted by a hook, memory by the allocator.  Work that hides inside one
 * instruction (copying long strings, comparing them, passing a million arguments) is bounded by the
 * bytes ever taken and, as a last resort, by processor time.
 */
#include "scene/lua.h"

#ifdef WITHY_HAVE_LIB_LUA

#include <string.h>

enum {
    TICK = 1000,           /* instructions between two checks of the budget   */
    MOST_BYTES = 64 << 20, /* in use                                         */
    MOST_BLOCK = 16 << 20, /* in one piece: the longest string               */
    MOST_TAKEN = 1 << 30,  /* for one budget, garbage included               */
    MOST_SECONDS = 2,      /* of processor time              */
};

/* The innermost line of the scene that is running; 0: none (the parser is at work). */
static int running_line(lua_State *lua, lua_Debug *frame) {
    for (int level = 0; lua && lua_getstack(lua, level, frame); level++)
        if (lua_getinfo(lua, "Sl", frame) && frame->currentline > 0) return frame->currentline;
    return 0;
}

/* May the sandbox grow by so much? Records where it was refused. */
static int may_take(wy_sandbox *box, size_t old, size_t size) {
    if (size <= MOST_BLOCK && box->bytes - old + size <= MOST_BYTES &&
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
    if (!pointer) old = 0; /* then it is a type tag */
    if (size == 0) {
        wy_give(pointer);
        box->bytes -= old;
        return NULL;
    }
    if (size > old && !may_take(box, old, size)) return NULL;
    void *fresh = wy_take(1, size);
    if (!fresh && size > old) return NULL;
    box->bytes += size - old;
    box->taken += size;
    if (!fresh) return pointer;
    if (pointer) memcpy(fresh, pointer, old < size ? old : size);
    wy_give(pointer);
    return fresh;
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

void wy_sandbox_charge(lua_State *lua, int64_t work) {
    wy_sandbox *box = sandbox_of(lua);
    box->left -= work;
    if (box->left <= 0) stop(lua, "stopped after too many instructions; does a loop never end?");
}

static void tick(lua_State *lua, lua_Debug *unused) {
    (void)unused;
    wy_sandbox *box = sandbox_of(lua);
    if (!box->deadline) box->deadline = clock() + (clock_t)box->seconds * CLOCKS_PER_SEC;
    if (clock() > box->deadline)
        stop(lua, "stopped after too many seconds; does a loop do too much?");
    wy_sandbox_charge(lua, TICK);
}

void wy_sandbox_fill(wy_sandbox *box, int64_t instructions, int factor) {
    box->left = instructions * factor;
    box->seconds = MOST_SECONDS * factor;
    box->taken = 0;
    box->deadline = 0;
    box->refused = box->line = 0;
}

withy_status wy_sandbox_open(wy_sandbox *box, withy_error *err) {
    wy_sandbox_fill(box, WY_READ_INSTRUCTIONS, 1);
    box->lua = lua_newstate(allocate, box);
    if (!box->lua) return wy_fail(err, WITHY_NO_MEMORY, "no memory for Lua");
    lua_sethook(box->lua, tick, LUA_MASKCOUNT, TICK);
    return WITHY_OK;
}

void wy_sandbox_close(wy_sandbox *box) {
    if (box->lua) lua_close(box->lua);
    box->lua = NULL;
}
#endif
