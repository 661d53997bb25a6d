/* The rules pages of docs/rules/, which the build puts into the command. */
#ifndef NONET_CLI_PAGES_H
#define NONET_CLI_PAGES_H

struct rules_page {
    const char *language, *game;
    const char *markdown;
};

/* Ends with an entry that is all null. */
extern const struct rules_page rules_pages[];

#endif
