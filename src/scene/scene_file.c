/* scene_file.c - files that a scene reads: tables and meshes, in its folder or below.
 *
 * The file is opened here, not by Lua, from folder to folder: no part of its path is a link, so that nothing outside is
 * read whatever lies there; it is a regular file and is opened without waiting, as a pipe would.  All files together
 * are bounded, since a scene is small and what it names is not.
 */
#define _GNU_SOURCE /* O_PATH: a folder that may be searched need not be readable */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scene/lua.h"

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

enum { MOST_BYTES = 256 << 20, MOST_FILES = 1000 };

/* The folder of the scene, as it was given. */
static int open_folder(const char *scene) {
    char folder[4096];
    const char *slash = strrchr(scene, '/');
    const size_t length = slash ? (size_t)(slash - scene) + 1 : 0;
    if (length >= sizeof folder) return errno = ENAMETOOLONG, -1;
    memcpy(folder, scene, length);
    memcpy(folder + length, ".", 2);
    return open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* One part of the path; the folder is closed. */
static int enter(int folder, const char *part, size_t length, int flags) {
    char name[256];
    int found = -1;
    if (length >= sizeof name) {
        errno = ENAMETOOLONG;
    } else {
        memcpy(name, part, length);
        name[length] = '\0';
        found = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC);
    }
    const int why = errno;
    close(folder);
    errno = why;
    return found;
}

static int open_file(const char *scene, const char *name) {
    int at = open_folder(scene);
    for (const char *slash; at >= 0 && (slash = strchr(name, '/')) != NULL; name = slash + 1)
        if (slash > name) at = enter(at, name, (size_t)(slash - name), O_PATH | O_DIRECTORY);
    return at < 0 ? at : enter(at, name, strlen(name), O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

static const char *wrong_file(withy_scene *scene, int file, size_t most, size_t *size) {
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return "is not a regular file";
    if (about.st_size > (off_t)most)
        return "is too long; keep every tenth row, or reduce the surface";
    *size = (size_t)about.st_size;
    if (++scene->files > MOST_FILES) return "is one file too many: a scene reads at most 1000";
    if (*size > MOST_BYTES - scene->file_bytes)
        return "is too long: all files that a scene reads have at most 256 MiB together; read each "
               "one once, and keep fewer rows";
    scene->file_bytes += *size;
    return NULL;
}

static const char *cannot_open(withy_scene *scene) {
    if (errno == ELOOP)
        return "is a symbolic link; put the file itself into the folder of the scene";
    if (errno == ENOTDIR)
        return "has a symbolic link or a file in its path where a folder must be; put the file "
               "itself there";
    snprintf(scene->why, sizeof scene->why, "cannot be opened: %s", strerror(errno));
    return scene->why;
}

static const char *read_all(int file, char *text, size_t *size) {
    size_t used = 0;
    while (used < *size) {
        const ssize_t got = read(file, text + used, *size - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return "cannot be read";
        if (got == 0) break; /* it has been cut */
        used += (size_t)got;
    }
    text[used] = '\0', *size = used;
    return NULL;
}

char *wy_scene_file_read(withy_scene *scene, const char *name, size_t most, size_t *size,
                         const char **why) {
    char *text = NULL;
    wy_arena_free(&scene->near);
    if (scene->folder_access <= 0) {
        *why = scene->folder_access == 0
                   ? "cannot be read: it is looked for in the folder of the scene, and this scene "
                     "is not a "
                     "file; save the scene as a file"
                   : "cannot be read: it is in the folder of the scene of this result, which is "
                     "neither below "
                     "the current folder nor below that of the result; change to the folder from "
                     "which it was run";
        return NULL;
    }
    const int file = open_file(scene->name, name);
    if (file < 0) {
        *why = cannot_open(scene);
        return NULL;
    }
    *why = wrong_file(scene, file, most, size);
    if (!*why) text = wy_arena_alloc_raw(&scene->near, *size + 1, 1);
    if (text) *why = read_all(file, text, size);
    close(file);
    return *why ? NULL : text;
}
