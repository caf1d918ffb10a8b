/* members.c - the results of members of a sweep, in the folder that withy sweep --results has filled. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static int refuse(const char *text, const char *why) {
    cli_warn("withy: --members %.100s: %s\n", text, why);
    return CLI_USAGE;
}

static int is_folder(const char *path) {
    struct stat place;
    return stat(path, &place) == 0 && S_ISDIR(place.st_mode);
}

int cli_members(const char *text, const char *folder, int most, cli_list *paths) {
    static char path[CLI_MEMBERS][4096];
    if (!is_folder(folder))
        return refuse(text, "their results are in the folder of withy sweep --results FOLDER; name "
                            "it in place of FILE.h5");
    paths->count = 0;
    for (const char *at = text; paths->count < most && paths->count < CLI_MEMBERS; at++) {
        char *end, *to = path[paths->count];
        const long member = strtol(at, &end, 10);
        if (end == at || member < 0 || (*end != ',' && *end != '\0'))
            return refuse(text, "must be numbers of members, 0 and up: 3,7,9");
        snprintf(to, sizeof path[0], "%.4000s/%06ld.h5", folder, member);
        if (access(to, F_OK) != 0) {
            cli_warn("withy: --members %.100s: there is no %s: the member has failed, or does not "
                     "belong to "
                     "this sweep\n",
                     text, to);
            return CLI_USAGE;
        }
        paths->item[paths->count++] = to;
        if (*(at = end) == '\0') return -1;
    }
    return refuse(text, "are too many for one page");
}
