/* fuzz_scene.c - entry point for clang's libFuzzer; see CMakeLists.txt for how to run it. */
#include "read_anything.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_anything(data, size);
    return 0;
}
