/* test_fuzz_replay.c - the corpus of the fuzzer is still read or refused. */
#include <dirent.h>
#include <stdlib.h>

#include "check.h"
#include "fuzz/read_anything.h"

static void replay(const char *path) {
    enum { MOST = 1 << 20 };
    uint8_t *data = malloc(MOST);
    FILE *file = fopen(path, "rb");
    if (!file || !data) fail_msg("%s: cannot be opened", path);
    const size_t size = fread(data, 1, MOST, file);
    fclose(file);
    read_anything(data, size);
    free(data);
}

TEST(every_file_of_the_corpus_is_read_or_refused) {
    char path[1024];
    int count = 0;
    DIR *folder = opendir(WITHY_SOURCE "/tests/fuzz/corpus");
    CHECK(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", WITHY_SOURCE, entry->d_name);
        replay(path);
        count++;
    }
    closedir(folder);
    CHECK(count >= 20);
}

TEST(empty_text_is_refused) {
    read_anything(NULL, 0);
}

RUN(test(every_file_of_the_corpus_is_read_or_refused), test(empty_text_is_refused))
