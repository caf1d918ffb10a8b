/* quote.c - texts from outside in tables and in XML. */
#include "sink/text.h"

static bool is_control(char c) {
    return (unsigned char)c < 0x20 || c == 0x7f;
}

/* Would a spreadsheet calculate here?  Some take more than the comma for the end of a cell. */
static bool calculates(const char *text, const char *at) {
    if (!*at || !strchr("=+-@", *at)) return false;
    return at == text || strchr(",;|\t\r\n\"'", at[-1]);
}

static void put_cell(wy_text *text, const char *cell, bool quoted) {
    for (const char *c = cell; *c; c++) {
        const bool kept = quoted && strchr("\t\r\n", *c);
        if (calculates(cell, c)) wy_text_put(text, "'");
        if (*c == '"' && quoted) wy_text_put(text, "\"");
        wy_text_put(text, "%c", is_control(*c) && !kept ? ' ' : *c);
    }
}

void wy_text_cell(wy_text *text, const char *cell) {
    const bool plain = strcspn(cell, ",;|\"'\t\r\n") == strlen(cell) && !calculates(cell, cell);
    if (!plain) wy_text_put(text, "\"");
    put_cell(text, cell, !plain);
    if (!plain) wy_text_put(text, "\"");
}

void wy_text_remark(wy_text *text, const char *remark) {
    wy_text_put(text, "# ");
    put_cell(text, remark, false);
    wy_text_put(text, "\n");
}

/* ---- XML --------------------------------------------------------------------------------------- */

/* The bytes of the character, 1 to 4; 0: it is not UTF-8. */
static int size_of(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80) return 1;
    const int size = c[0] >= 0xc2 && c[0] <= 0xdf   ? 2
                     : c[0] >= 0xe0 && c[0] <= 0xef ? 3
                     : c[0] >= 0xf0 && c[0] <= 0xf4 ? 4
                                                    : 0;
    for (int i = 1; i < size; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    /* overlong, half of a surrogate pair, beyond the last code point, or U+FFFE, U+FFFF */
    const bool wrong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
                       (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f) ||
                       (c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe);
    return wrong ? 0 : size;
}

bool wy_xml_can(const char *text) {
    while (*text) {
        const int size = size_of(text);
        if (size == 0 || is_control(*text)) return false;
        text += size;
    }
    return true;
}

static void put_xml(FILE *file, const char *text, const char *escaped, char hyphen) {
    while (*text) {
        const int size = size_of(text);
        if (size == 0)
            fputs("\xef\xbf\xbd", file); /* U+FFFD */
        else if (is_control(*text))
            fputc(' ', file);
        else if (*text == '-')
            fputc(hyphen, file);
        else if (strchr(escaped, *text))
            fprintf(file, "&#%d;", *text);
        else
            fwrite(text, 1, (size_t)size, file);
        text += size ? size : 1;
    }
}

void wy_xml_attribute(FILE *file, const char *text) {
    put_xml(file, text, "&<>\"'", '-');
}

/* Two hyphens would end it, and there are no escapes in a comment. */
void wy_xml_comment(FILE *file, const char *text) {
    fputs("<!-- ", file);
    put_xml(file, text, "", '~');
    fputs(" -->\n", file);
}
