/* nonet export: the positions of a table with their values, for other programs: as lines of CSV or
 * JSON on the standard output, or as columns in files. docs/tables.md describes all three. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "host/table_rows.h"
#include "host/table_store.h"
#include "probe_limits.h"
#include "study/describe.h"

/* ---- Lines ---- */

enum { LINE = 2 * NONET_POSITION_TEXT + 256 };

static void write_number(int number, struct nonet_text *out) {
    nonet_text_char(out, ',');
    nonet_text_format(out, "%d", number);
}

static void write_distance(const struct nonet_value *value, struct nonet_text *out) {
    if (!value->has_margin && value->outcome != NONET_DRAW)
        write_number(value->distance, out);
    else
        nonet_text_char(out, ',');
}

/* A text with a comma or a quote is put into quotes (RFC 4180). */
static void write_csv(const struct table_row *row, struct nonet_text *out) {
    const struct nonet_value *value = &row->value;
    bool quoted = strpbrk(row->text, ",\"") != NULL;
    if (quoted)
        nonet_text_char(out, '"');
    for (const char *c = row->text; *c != '\0'; c++) {
        if (*c == '"')
            nonet_text_char(out, '"');
        nonet_text_char(out, *c);
    }
    if (quoted)
        nonet_text_char(out, '"');
    write_number(row->player, out);
    nonet_text_format(out, ",%s", describe_outcomes[value->outcome]);
    write_distance(value, out);
    if (value->has_margin)
        write_number(value->margin, out);
    else
        nonet_text_char(out, ',');
    write_number(row->orbit, out);
    for (int i = 0; i < row->players; i++) {
        nonet_text_format(out, ",%s", describe_outcomes[row->values[i].outcome]);
        write_distance(&row->values[i], out);
    }
    nonet_text_char(out, '\n');
}

static int write_csv_head(const struct nonet_options *options) {
    char line[LINE];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_text_add(&text, "text,player,value,distance,margin,orbit");
    for (int player = 1; player <= options->players && options->players > 2; player++)
        nonet_text_format(&text, ",value_%d,distance_%d", player, player);
    nonet_text_char(&text, '\n');
    return cli_output(line);
}

static void write_json(const struct table_row *row, struct nonet_text *out) {
    struct nonet_json json = nonet_json_in(out);
    nonet_json_open(&json, '{');
    nonet_json_string_member(&json, "text", row->text);
    nonet_json_number_member(&json, "player", row->player);
    describe_value(&json, &row->value);
    nonet_json_number_member(&json, "orbit", row->orbit);
    if (row->players > 0)
        describe_players(&json, row->values, row->players);
    nonet_json_close(&json, '}');
    nonet_text_char(out, '\n');
}

/* ---- Columns ---- */

/* Each column is a file of numbers. A position's text is where its offset says, up to the next
 * offset. This is how Arrow keeps columns in memory, so nothing has to be parsed. */
enum column {
    TEXT,
    OFFSET,
    PLAYER,
    VALUE,
    DISTANCE,
    MARGIN,
    ORBIT,
    VALUES, /* two columns for each of more than two players */
    COLUMNS = VALUES + 2 * NONET_MAX_PLAYERS
};
static const struct {
    const char *name, *file, *type;
} columns[COLUMNS] = {
    [TEXT] = {"text", "text.bytes", "utf8"},
    [OFFSET] = {"text_offset", "text.offsets", "int64"},
    [PLAYER] = {"player", "player", "uint8"},
    [VALUE] = {"value", "value", "int8"},
    [DISTANCE] = {"distance", "distance", "int16"},
    [MARGIN] = {"margin", "margin", "int16"},
    [ORBIT] = {"orbit", "orbit", "uint16"},
    [VALUES] = {"value_1", "value_1", "int8"},
    {"distance_1", "distance_1", "int16"},
    {"value_2", "value_2", "int8"},
    {"distance_2", "distance_2", "int16"},
    {"value_3", "value_3", "int8"},
    {"distance_3", "distance_3", "int16"},
    {"value_4", "value_4", "int8"},
    {"distance_4", "distance_4", "int16"},
};

struct sheet {
    const char *folder;
    FILE *file[COLUMNS]; /* null for those that have no meaning in this game */
    int64_t offset;
};

static bool open_column(struct sheet *sheet, const char *name, FILE **file) {
    char path[TABLE_PATH];
    int length = snprintf(path, sizeof path, "%s/%s", sheet->folder, name);
    errno = ENAMETOOLONG;
    *file = length < (int)sizeof path ? fopen(path, "wbx") : NULL;
    return *file != NULL;
}

static int fail_to_write(const struct sheet *sheet) {
    return cli_fail(CLI_FAILED, "cannot write to %s: %s", cli_printable(sheet->folder),
                    host_error(errno));
}

static bool has_column(const struct nonet_options *options, int column) {
    bool has_margin = options->game->facts & NONET_POINTS;
    if (column >= VALUES)
        return options->players > 2 && (column - VALUES) / 2 < options->players;
    return column != (has_margin ? DISTANCE : MARGIN);
}

static int open_sheet(struct sheet *sheet, const struct nonet_options *options) {
    if (mkdir(sheet->folder, 0777) != 0)
        return cli_fail(CLI_FAILED, "cannot make the folder %s: %s", cli_printable(sheet->folder),
                        host_error(errno));
    for (int i = 0; i < COLUMNS; i++)
        if (has_column(options, i) && !open_column(sheet, columns[i].file, &sheet->file[i]))
            return fail_to_write(sheet);
    return CLI_DONE;
}

static bool put(struct sheet *sheet, enum column column, const void *bytes, size_t size) {
    return sheet->file[column] == NULL || fwrite(bytes, 1, size, sheet->file[column]) == size;
}

/* The number's lowest bytes, as many as the column has. */
static bool put_number(struct sheet *sheet, enum column column, int64_t number, size_t size) {
    uint64_t bytes = nonet_little_endian64((uint64_t)number);
    return put(sheet, column, &bytes, size);
}

/* The column of a value, and that of its distance. */
static bool put_value(struct sheet *sheet, enum column column, enum column distance,
                      const struct nonet_value *value) {
    int plies = value->outcome == NONET_DRAW ? -1 : value->distance;
    return put_number(sheet, column, (int)value->outcome - NONET_DRAW, sizeof(int8_t)) &&
           put_number(sheet, distance, plies, sizeof(int16_t));
}

static bool add_to_sheet(struct sheet *sheet, const struct table_row *row) {
    size_t length = strlen(row->text);
    bool good = put(sheet, TEXT, row->text, length) &&
                put_number(sheet, OFFSET, sheet->offset, sizeof(int64_t)) &&
                put_number(sheet, PLAYER, row->player, sizeof(uint8_t)) &&
                put_value(sheet, VALUE, DISTANCE, &row->value) &&
                put_number(sheet, MARGIN, row->value.margin, sizeof(int16_t)) &&
                put_number(sheet, ORBIT, row->orbit, sizeof(uint16_t));
    for (int i = 0; i < row->players && good; i++) {
        enum column column = (enum column)(VALUES + 2 * i);
        good = put_value(sheet, column, column + 1, &row->values[i]);
    }
    sheet->offset += (int64_t)length;
    return good;
}

static void describe_sheet(const struct sheet *sheet, const struct nonet_options *options,
                           uint64_t rows, struct nonet_text *out) {
    char name[256];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_options_write(options, &text);
    struct nonet_json json = nonet_json_in(out);
    nonet_json_open(&json, '{');
    nonet_json_string_member(&json, "table", name);
    nonet_json_number_member(&json, "rows", (int64_t)rows);
    nonet_json_name(&json, "columns");
    nonet_json_open(&json, '[');
    for (int i = 0; i < COLUMNS; i++) {
        if (sheet->file[i] == NULL)
            continue;
        nonet_json_open(&json, '{');
        nonet_json_string_member(&json, "name", columns[i].name);
        nonet_json_string_member(&json, "file", columns[i].file);
        nonet_json_string_member(&json, "type", columns[i].type);
        nonet_json_close(&json, '}');
    }
    nonet_json_close(&json, ']');
    nonet_json_close(&json, '}');
    nonet_text_char(out, '\n');
}

/* The description comes last: a folder without one is not whole. */
static int finish_sheet(struct sheet *sheet, const struct nonet_options *options, uint64_t rows) {
    char bytes[2048];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    describe_sheet(sheet, options, rows, &text);
    bool good = put(sheet, OFFSET, &sheet->offset, sizeof sheet->offset);
    for (int i = 0; i < COLUMNS; i++) {
        if (sheet->file[i] != NULL)
            good = fclose(sheet->file[i]) == 0 && good;
        sheet->file[i] = NULL;
    }
    FILE *file = NULL;
    good = good && open_column(sheet, "columns.json", &file) && fputs(bytes, file) >= 0;
    if (file != NULL)
        good = fclose(file) == 0 && good;
    return good ? CLI_DONE : fail_to_write(sheet);
}

static void close_sheet(struct sheet *sheet) {
    for (int i = 0; i < COLUMNS; i++)
        if (sheet->file[i] != NULL)
            fclose(sheet->file[i]);
}

/* ---- The whole ---- */

struct wish {
    bool as_json;
    uint64_t sample, seed;
    const char *folder; /* for columns; null: lines on the standard output */
};

static void show(struct cli_progress *progress, const struct table_rows *rows) {
    double share = table_rows_share(rows), spent = cli_progress_seconds(progress);
    cli_progress_show(progress, "exporting", share, share > 0 ? spent / share - spent : -1);
}

/* Writes a row; false with errno. */
static bool write_row(const struct wish *wish, struct sheet *sheet, const struct table_row *row) {
    if (wish->folder != NULL)
        return add_to_sheet(sheet, row);
    char line[LINE];
    struct nonet_text text = NONET_TEXT_IN(line);
    (wish->as_json ? write_json : write_csv)(row, &text);
    return fwrite(line, 1, text.length, stdout) == text.length;
}

static int export_rows(const struct nonet_options *options, struct table_rows *rows,
                       const struct wish *wish, struct cli_progress *progress) {
    enum { BETWEEN = 1024 }; /* rows between two looks at the clock */
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct sheet sheet = {.folder = wish->folder};
    int code = wish->folder != NULL ? open_sheet(&sheet, options)
               : wish->as_json      ? CLI_DONE
                                    : write_csv_head(options);
    enum table_rows_status status = TABLE_ROWS_NEXT;
    struct table_row row;
    uint64_t count = 0;
    while (code == CLI_DONE && (status = table_rows_next(rows, &row, &why)) == TABLE_ROWS_NEXT) {
        if (!write_row(wish, &sheet, &row))
            code = wish->folder != NULL
                       ? fail_to_write(&sheet)
                       : cli_fail(CLI_FAILED, "cannot write the output: %s", host_error(errno));
        if (++count % BETWEEN == 0)
            show(progress, rows);
    }
    cli_progress_end(progress);
    if (status == TABLE_ROWS_FAILED)
        code = cli_fail(CLI_FAILED, "%s", reason);
    if (code == CLI_DONE)
        code = wish->folder != NULL ? finish_sheet(&sheet, options, count) : cli_output("");
    close_sheet(&sheet);
    return code;
}

static int export_table(const struct nonet_options *options, struct nonet_table *table,
                        const struct wish *wish, struct cli_progress *progress) {
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct table_rows *rows = table_rows_open(options, table, wish->sample, wish->seed, &why);
    if (rows == NULL)
        return cli_fail(CLI_FAILED, "%s", reason);
    int code = export_rows(options, rows, wish, progress);
    table_rows_close(rows);
    return code;
}

static int export_file(const char *path, const struct wish *wish) {
    char reason[TABLE_PATH + 512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct nonet_options options;
    struct table_file file;
    switch (table_file_open_any(path, &options, &file, &why)) {
    case TABLE_FOUND:
        break;
    case TABLE_MISSING:
        return cli_fail(CLI_FAILED, "%s: there is no such file, and no such game",
                        cli_printable(path));
    case TABLE_REFUSED:
        return cli_fail(CLI_FAILED, "%s", reason);
    }
    struct cli_progress progress;
    cli_progress_begin(&progress);
    int code = export_table(&options, file.table, wish, &progress);
    table_file_close(&file);
    return code;
}

/* The table of a game, which is found as `nonet probe` finds it. */
static int export_game(const struct nonet_options *options, const struct wish *wish) {
    char reason[1024];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct cli_progress progress;
    struct prober_limits limits = cli_probe_limits(0, &progress);
    struct prober *prober = prober_open(options, &limits, &why);
    cli_progress_end(&progress);
    if (prober == NULL)
        return cli_fail(CLI_FAILED, "%s", reason);
    int code =
        prober_table(prober) != NULL
            ? export_table(options, prober_table(prober), wish, &progress)
            : cli_fail(CLI_FAILED, "%s has no table with these options", options->game->title);
    prober_close(prober);
    return code;
}

static bool names_a_game(int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        if (nonet_game_find(argv[i]) != NULL)
            return true;
    return false;
}

static int run(int argc, char **argv) {
    const char *format = NULL, *sample = NULL, *seed = NULL;
    struct wish wish = {.seed = 1};
    const struct cli_flag flags[] = {{"--format", &format, NULL},
                                     {"--columns", &wish.folder, NULL},
                                     {"--sample", &sample, NULL},
                                     {"--seed", &seed, NULL},
                                     {0}};
    struct cli_arguments arguments = {0};
    bool game = names_a_game(argc, argv);
    int code = game ? cli_parse(argc, argv, flags, &arguments)
                    : cli_parse_words(argc, argv, flags, &arguments.words, &arguments.word_count);
    if (code != CLI_DONE)
        return code;
    if (arguments.from != NULL || arguments.word_count != (game ? 0 : 1))
        return cli_fail(CLI_USAGE, "name one game, or one file of a table");
    if (format != NULL && strcmp(format, "csv") != 0 && strcmp(format, "jsonl") != 0)
        return cli_fail(CLI_USAGE, "--format cannot be \"%s\"; it is csv or jsonl",
                        nonet_quote(format).text);
    if (format != NULL && wish.folder != NULL)
        return cli_fail(CLI_USAGE, "columns have no --format");
    wish.as_json = format != NULL && strcmp(format, "jsonl") == 0;
    code = cli_number_flag("--sample", sample, 1, TABLE_ROWS_MOST_SAMPLED, &wish.sample);
    if (code == CLI_DONE)
        code = cli_number_flag("--seed", seed, 0, UINT64_MAX, &wish.seed);
    if (code != CLI_DONE)
        return code;
    return game ? export_game(&arguments.options, &wish) : export_file(arguments.words[0], &wish);
}

const struct cli_command cli_export = {
    .name = "export",
    .usage = "FILE | GAME [-o key=value]… [--sample N] [--seed S] [--format csv|jsonl]\n"
             "       nonet export FILE | GAME [-o key=value]… --columns FOLDER",
    .brief = "the positions of a table with their values, for programs",
    .help =
        "Writes a line for each position of the table: its text, the player to move, the value\n"
        "for that player, the distance or the margin, and how many positions it stands for.\n\n"
        "  FILE             a table; or the game whose table nonet probe would use\n"
        "  -o key=value     set an option of the game; nonet games lists them\n"
        "  --sample N       only N positions, chosen at random\n"
        "  --seed S         a number that decides which; by default 1\n"
        "  --format csv     a line with commas; this is the default\n"
        "  --format jsonl   a JSON object on each line\n"
        "  --columns FOLDER make this folder, with a file of numbers for each column\n\n"
        "Nothing but a part of the table is kept in memory. docs/tables.md explains the\n"
        "columns. Of a table from somebody else, nonet verify tells whether it is right.\n",
    .run = run,
};
