/* temporary_folder.c - folders of our own, removed with what is in them. */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sink/atomic_file.h"

enum { TRIES = 100 };

static wy_temporary_folder *first; /* all that are open */

int wy_temporary_folder_open(wy_temporary_folder *folder, const char *begin, mode_t mode) {
    int code = EEXIST;
    *folder = (wy_temporary_folder){0};
    wy_registry_enter();
    for (int i = 0; i < TRIES && code == EEXIST; i++) {
        char letters[7];
        wy_registry_letters(letters);
        const int length = snprintf(folder->path, sizeof folder->path, "%s%s", begin, letters);
        code = length >= (int)sizeof folder->path - 16 ? ENAMETOOLONG
               : mkdir(folder->path, mode) == 0        ? 0
                                                       : errno;
    }
    if (code)
        folder->path[0] = '\0';
    else
        folder->next = first, first = folder;
    wy_registry_leave();
    return code;
}

void wy_temporary_folder_release(wy_temporary_folder *folder) {
    if (!folder->path[0]) return;
    wy_registry_enter();
    for (wy_temporary_folder **at = &first; *at; at = &(*at)->next)
        if (*at == folder) {
            *at = folder->next;
            break;
        }
    wy_registry_leave();
    *folder = (wy_temporary_folder){0};
}

/* The files in it, then the folder; links are removed, not followed. */
static bool remove_folder(const char *path) {
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder) closedir(folder);
    return rmdir(path) == 0 || errno == ENOENT;
}

void wy_temporary_folder_close(wy_temporary_folder *folder) {
    const int why = errno;
    if (folder->path[0]) remove_folder(folder->path);
    wy_temporary_folder_release(folder);
    errno = why;
}

/* Another thread may still be putting files there. */
void wy_temporary_folder_abandon(void) {
    const struct timespec pause = {.tv_nsec = 2000000};
    for (const wy_temporary_folder *folder = first; folder; folder = folder->next)
        for (int i = 0; i < 25 && !remove_folder(folder->path); i++) nanosleep(&pause, NULL);
}
