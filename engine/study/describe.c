#include "describe.h"

#include <string.h>

static void describe_option(struct nonet_json *json, const struct nonet_option *option,
                            const char *usual) {
    static const char *const kinds[] = {[NONET_CHOICE] = "choice",
                                        [NONET_SIZE] = "size",
                                        [NONET_NUMBER] = "number",
                                        [NONET_SEED] = "seed",
                                        [NONET_LETTERS] = "letters"};
    nonet_json_open(json, '{');
    nonet_json_string_member(json, "key", option->key);
    nonet_json_string_member(json, "kind", kinds[option->kind]);
    nonet_json_string_member(json, "values", option->values);
    nonet_json_name(json, "default");
    if (usual[0] != '\0')
        nonet_json_string(json, usual);
    else
        nonet_json_null(json);
    nonet_json_string_member(json, "help", option->help);
    if (option->kind == NONET_SIZE || option->kind == NONET_NUMBER) {
        nonet_json_number_member(json, "least", option->least);
        nonet_json_number_member(json, "most", option->most);
    }
    nonet_json_bool_member(json, "chance", option->chance);
    nonet_json_close(json, '}');
}

void describe_game(struct nonet_json *json, const struct nonet_game *game) {
    struct nonet_options defaults;
    nonet_options_default(&defaults, game);
    nonet_json_open(json, '{');
    nonet_json_string_member(json, "id", game->id);
    nonet_json_string_member(json, "title", game->title);
    nonet_json_string_member(json, "author", game->author);
    nonet_json_string_member(json, "year", game->year);
    nonet_json_string_member(json, "box", game->box);
    nonet_json_string_member(json, "summary", game->summary);
    nonet_json_number_member(json, "minutes", game->minutes);
    nonet_json_name(json, "players");
    nonet_json_open(json, '[');
    for (int players = game->min_players; players <= game->max_players; players++)
        nonet_json_number(json, players);
    nonet_json_close(json, ']');
    nonet_json_bool_member(json, "hidden", game->hidden != NULL);
    nonet_json_bool_member(json, "wide", game->wide != NULL);
    nonet_json_bool_member(json, "editor", game->editor != NULL);
    nonet_json_name(json, "options");
    nonet_json_open(json, '[');
    for (int i = 0; game->options[i].key != NULL; i++)
        describe_option(json, &game->options[i], defaults.value[i].text);
    nonet_json_close(json, ']');
    nonet_json_close(json, '}');
}

void describe_winners(struct nonet_json *json, const struct nonet_result *result, int players) {
    nonet_json_name(json, "winners");
    nonet_json_open(json, '[');
    for (int player = 1; player <= players; player++)
        if (result->winners >> (player - 1) & 1)
            nonet_json_number(json, player);
    nonet_json_close(json, ']');
}

void describe_points(struct nonet_json *json, const struct nonet_result *result, int players) {
    nonet_json_name(json, "points");
    nonet_json_open(json, '[');
    for (int player = 0; player < players; player++)
        nonet_json_number(json, result->points[player]);
    nonet_json_close(json, ']');
}

void describe_result(struct nonet_json *json, const struct nonet_session *session) {
    int players = nonet_session_options(session)->players;
    struct nonet_result result;
    nonet_session_result(session, &result);
    describe_winners(json, &result, players);
    if (result.has_points) {
        describe_points(json, &result, players);
    } else {
        nonet_json_name(json, "points");
        nonet_json_null(json);
    }
}

const char *const describe_outcomes[] = {
    [NONET_LOSS] = "loss", [NONET_DRAW] = "draw", [NONET_WIN] = "win"};

void describe_value(struct nonet_json *json, const struct nonet_value *value) {
    nonet_json_name(json, "value");
    if (value != NULL)
        nonet_json_string(json, describe_outcomes[value->outcome]);
    else
        nonet_json_null(json);
    nonet_json_name(json, "distance");
    if (value != NULL && !value->has_margin && value->outcome != NONET_DRAW && value->distance >= 0)
        nonet_json_number(json, value->distance);
    else
        nonet_json_null(json);
    nonet_json_name(json, "margin");
    if (value != NULL && value->has_margin)
        nonet_json_number(json, value->margin);
    else
        nonet_json_null(json);
}

void describe_players(struct nonet_json *json, const struct nonet_value *values, int players) {
    nonet_json_name(json, "players");
    nonet_json_open(json, '[');
    for (int player = 1; player <= players; player++) {
        nonet_json_open(json, '{');
        nonet_json_number_member(json, "player", player);
        describe_value(json, &values[player - 1]);
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
}

const char *describe_proof(const struct nonet_opinion *opinion, const char *by) {
    if (opinion->known != NONET_PROVEN)
        return opinion->known == NONET_SEARCHED ? "searched" : "estimated";
    static const char *const others[] = {"table", "mirror", "rules"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(by, others[i]) == 0)
            return by;
    return "search"; /* whichever it was */
}

void describe_opinion(struct nonet_json *json, const struct nonet_options *options,
                      const struct nonet_opinion *opinion, const char *by) {
    char move[NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(move);
    options->game->print(options, opinion->move, &text);
    nonet_json_string_member(json, "move", move);
    describe_value(json, opinion->known == NONET_PROVEN ? &opinion->value : NULL);
    nonet_json_string_member(json, "proof", describe_proof(opinion, by));
    nonet_json_number_member(json, "score", opinion->score);
}

void describe_moves(struct nonet_json *json, const char *name, const struct nonet_options *options,
                    const nonet_move *moves, int count) {
    nonet_json_name(json, name);
    nonet_json_open(json, '[');
    for (int i = 0; i < count; i++) {
        char move[NONET_MOVE_TEXT];
        struct nonet_text text = NONET_TEXT_IN(move);
        options->game->print(options, moves[i], &text);
        nonet_json_string(json, move);
    }
    nonet_json_close(json, ']');
}

void describe_thoughts(struct nonet_json *json, const struct nonet_options *options,
                       const struct nonet_report *report, double seconds) {
    describe_opinion(json, options, &report->moves[0], report->by);
    nonet_json_number_member(json, "depth", report->depth);
    describe_moves(json, "line", options, report->line, report->line_length);
    nonet_json_number_member(json, "nodes", (int64_t)report->nodes);
    nonet_json_number_member(json, "nodes_per_second",
                             seconds > 0 ? (int64_t)((double)report->nodes / seconds) : 0);
    nonet_json_name(json, "seconds");
    nonet_json_thousandths(json, (uint64_t)(seconds * 1000));
    nonet_json_name(json, "moves");
    nonet_json_open(json, '[');
    for (int i = 0; i < report->count; i++) {
        nonet_json_open(json, '{');
        describe_opinion(json, options, &report->moves[i], report->by);
        nonet_json_name(json, "visits");
        if (report->moves[i].visits > 0)
            nonet_json_number(json, (int64_t)report->moves[i].visits);
        else
            nonet_json_null(json);
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
}

void describe_no_thoughts(struct nonet_json *json, const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    const void *state = nonet_session_state(session);
    struct nonet_value value = {.outcome = NONET_DRAW}; /* by repetition */
    if (options->game->turn(options, state) == 0)
        value = nonet_value_result(options, state, nonet_session_side(session));
    nonet_json_name(json, "move");
    nonet_json_null(json);
    describe_value(json, &value);
    nonet_json_string_member(json, "proof", "rules");
    nonet_json_number_member(json, "score", nonet_score_of_value(&value));
    nonet_json_number_member(json, "depth", 0);
    describe_moves(json, "line", options, NULL, 0);
    nonet_json_number_member(json, "nodes", 0);
    nonet_json_number_member(json, "nodes_per_second", 0);
    nonet_json_name(json, "seconds");
    nonet_json_thousandths(json, 0);
    nonet_json_name(json, "moves");
    nonet_json_open(json, '[');
    nonet_json_close(json, ']');
}

const char *const describe_marks[] = {
    [REVIEW_PLAIN] = "", [REVIEW_GOOD] = "!", [REVIEW_POOR] = "?", [REVIEW_AWFUL] = "??"};

static void thousandths_member(struct nonet_json *json, const char *name, int value, bool known) {
    nonet_json_name(json, name);
    if (known)
        nonet_json_thousandths(json, (uint64_t)value);
    else
        nonet_json_null(json);
}

/* A number, or null where it is not known. */
static void known_number_member(struct nonet_json *json, const char *name, int64_t value,
                                bool known) {
    nonet_json_name(json, name);
    if (known)
        nonet_json_number(json, value);
    else
        nonet_json_null(json);
}

static void describe_choice(struct nonet_json *json, const struct review_choice *choice) {
    nonet_json_number_member(json, "legal", (int64_t)choice->legal);
    known_number_member(json, "keeps", choice->keeps, choice->keeps >= 0);
}

/* What a row leads to: the lane, what each of several players may expect, and the replies. */
static void describe_outlook(struct nonet_json *json, const struct review_row *row, int players) {
    known_number_member(json, "lane", row->lane, row->lane != REVIEW_UNKNOWN);
    nonet_json_name(json, "chances");
    if (players > 2) {
        nonet_json_open(json, '[');
        for (int i = 0; i < players; i++)
            nonet_json_number(json, row->chances[i]);
        nonet_json_close(json, ']');
    } else {
        nonet_json_null(json);
    }
    nonet_json_name(json, "replies");
    nonet_json_open(json, '{');
    describe_choice(json, &row->replies);
    nonet_json_close(json, '}');
}

static void describe_reviewed_move(struct nonet_json *json, const struct nonet_options *options,
                                   const struct review *review, int number) {
    const struct review_row *row = review_row(review, number), *before = row - 1;
    nonet_json_open(json, '{');
    nonet_json_number_member(json, "number", number);
    nonet_json_number_member(json, "player", row->player);
    struct nonet_opinion unknown = {.move = row->move};
    describe_opinion(json, options, row->judged ? &row->opinion : &unknown, row->by);
    describe_outlook(json, row, options->players);
    describe_choice(json, &row->choice);
    nonet_json_bool_member(json, "judged", row->judged);
    thousandths_member(json, "loss", row->loss, row->judged);
    nonet_json_string_member(json, "mark", describe_marks[row->mark]);
    nonet_json_bool_member(json, "turned", row->turned);
    nonet_json_number_member(json, "slower", row->slower);
    describe_moves(json, "line", options, row->line, row->line_length);
    nonet_json_name(json, "best");
    nonet_json_open(json, '{');
    describe_opinion(json, options, &row->best, row->best_by);
    describe_moves(json, "line", options, before->line, before->line_length);
    nonet_json_close(json, '}');
    nonet_json_close(json, '}');
}

static void describe_start(struct nonet_json *json, const struct nonet_options *options,
                           const struct review_row *row) {
    nonet_json_name(json, "start");
    nonet_json_open(json, '{');
    nonet_json_number_member(json, "player", row->player);
    describe_value(json,
                   row->judged && row->opinion.known == NONET_PROVEN ? &row->opinion.value : NULL);
    nonet_json_string_member(json, "proof", describe_proof(&row->opinion, row->by));
    nonet_json_number_member(json, "score", row->opinion.score);
    describe_outlook(json, row, options->players);
    nonet_json_close(json, '}');
}

static void describe_reviewed_player(struct nonet_json *json, const struct review_player *player,
                                     int number) {
    nonet_json_open(json, '{');
    nonet_json_number_member(json, "player", number);
    nonet_json_number_member(json, "kept", player->kept);
    nonet_json_number_member(json, "of", player->of);
    thousandths_member(json, "chance", (int)(player->chance / (REVIEW_CHANCE / 1000)), true);
    known_number_member(json, "number", player->of > 0 ? review_number(player) : 0, player->of > 0);
    thousandths_member(json, "accuracy", player->counted > 0 ? review_accuracy(player) * 100 : 0,
                       player->counted > 0);
    nonet_json_number_member(json, "counted", player->counted);
    nonet_json_number_member(json, "mistakes", player->mistakes);
    nonet_json_number_member(json, "blunders", player->blunders);
    nonet_json_close(json, '}');
}

void describe_review(struct nonet_json *json, const struct nonet_options *options,
                     const struct review *review, int from) {
    nonet_json_string_member(json, "measure", review_exact(review) ? "exact" : "expected");
    nonet_json_name(json, "players");
    nonet_json_open(json, '[');
    for (int i = 1; i <= options->players; i++)
        describe_reviewed_player(json, review_player(review, i), i);
    nonet_json_close(json, ']');
    int first = review_first(review);
    if (from <= first && review_rows(review) > first)
        describe_start(json, options, review_row(review, first));
    nonet_json_name(json, "moves");
    nonet_json_open(json, '[');
    for (int i = from > first ? from : first + 1; i < review_rows(review); i++)
        describe_reviewed_move(json, options, review, i);
    nonet_json_close(json, ']');
}

static void label_member(struct nonet_json *json, const struct nonet_message *label,
                         const struct nonet_catalogue *catalogue) {
    char words[256];
    struct nonet_text text = NONET_TEXT_IN(words);
    nonet_message_write(label, catalogue, &text);
    json->text->cut |= text.cut;
    nonet_json_string_member(json, "label", words);
}

static void describe_place(struct nonet_json *json, const struct nonet_place *place,
                           const struct nonet_catalogue *catalogue) {
    static const char *const kinds[] = {[NONET_CELL] = "cell",
                                        [NONET_FLOOR] = "floor",
                                        [NONET_HAND] = "hand",
                                        [NONET_BUTTON] = "button"};
    nonet_json_open(json, '{');
    nonet_json_string_member(json, "name", place->name);
    nonet_json_string_member(json, "kind", kinds[place->kind]);
    nonet_json_number_member(json, "owner", place->owner);
    if (place->zone != 0)
        nonet_json_number_member(json, "zone", place->zone);
    if (place->home != 0)
        nonet_json_number_member(json, "home", place->home);
    nonet_json_number_member(json, "x", place->x);
    nonet_json_number_member(json, "y", place->y);
    nonet_json_number_member(json, "width", place->width);
    nonet_json_number_member(json, "depth", place->depth);
    label_member(json, &place->label, catalogue);
    nonet_json_close(json, '}');
}

static const char *const materials[] = {
    [NONET_MAPLE] = "maple",   [NONET_ZEBRANO] = "zebrano", [NONET_PADOUK] = "padouk",
    [NONET_WALNUT] = "walnut", [NONET_RED] = "red",         [NONET_YELLOW] = "yellow",
    [NONET_GREEN] = "green",   [NONET_BLUE] = "blue",       [NONET_VIOLET] = "violet",
    [NONET_WHITE] = "white",   [NONET_BLACK] = "black",     [NONET_NATURAL] = "natural",
    [NONET_HIDDEN] = "hidden"};

const char *describe_material(enum nonet_material material) {
    return materials[material];
}

/* Null where nothing is known. Shares and means have three decimals. */
static void interval_member(struct nonet_json *json, const char *name,
                            const struct interval *interval) {
    const struct {
        const char *name;
        double value;
    } parts[] = {{"value", interval->value}, {"low", interval->low}, {"high", interval->high}};
    if (name != NULL)
        nonet_json_name(json, name);
    if (interval->count == 0) {
        nonet_json_null(json);
        return;
    }
    nonet_json_open(json, '{');
    for (int i = 0; i < 3; i++) {
        nonet_json_name(json, parts[i].name);
        /* Only the low end of a mean of small numbers can be below 0, where no number is. */
        nonet_json_thousandths(json,
                               (uint64_t)(parts[i].value > 0 ? parts[i].value * 1000 + 0.5 : 0));
    }
    nonet_json_number_member(json, "games", interval->count);
    nonet_json_close(json, '}');
}

static void describe_swap(struct nonet_json *json, int plies, const struct trial_swap *swap) {
    nonet_json_open(json, '{');
    nonet_json_number_member(json, "plies", plies);
    nonet_json_number_member(json, "openings", swap->openings);
    nonet_json_number_member(json, "often", swap->often);
    interval_member(json, "first", &swap->first);
    interval_member(json, "chooser", &swap->chooser);
    nonet_json_name(json, "moves");
    nonet_json_open(json, '[');
    for (int i = 0; i < plies && swap->often > 0; i++)
        nonet_json_string(json, swap->moves[i]);
    nonet_json_close(json, ']');
    nonet_json_close(json, '}');
}

void describe_figures(struct nonet_json *json, const struct trial_figures *figures) {
    nonet_json_number_member(json, "games", figures->games);
    nonet_json_name(json, "wins");
    nonet_json_open(json, '[');
    for (int i = 0; i < figures->players; i++)
        nonet_json_number(json, figures->wins[i]);
    nonet_json_close(json, ']');
    nonet_json_number_member(json, "draws", figures->draws);
    nonet_json_number_member(json, "stopped", figures->cut);
    nonet_json_name(json, "shares");
    nonet_json_open(json, '[');
    for (int i = 0; i < figures->players; i++)
        interval_member(json, NULL, &figures->shares[i]);
    nonet_json_close(json, ']');
    interval_member(json, "drawn", &figures->drawn);
    interval_member(json, "length", &figures->plies);
    interval_member(json, "branching", &figures->choices);
    interval_member(json, "decided", &figures->decided);
    interval_member(json, "lead_changes", &figures->lead_changes);
    nonet_json_name(json, "swaps");
    nonet_json_open(json, '[');
    for (int i = 0; i < TRIAL_OPENING && figures->swaps[i].openings > 0; i++)
        describe_swap(json, i + 1, &figures->swaps[i]);
    nonet_json_close(json, ']');
}

static void outcomes_member(struct nonet_json *json, const char *name, uint64_t loss, uint64_t draw,
                            uint64_t win) {
    nonet_json_name(json, name);
    nonet_json_open(json, '{');
    nonet_json_number_member(json, "win", (int64_t)win);
    nonet_json_number_member(json, "draw", (int64_t)draw);
    nonet_json_number_member(json, "loss", (int64_t)loss);
    nonet_json_close(json, '}');
}

void describe_balance(struct nonet_json *json, const struct nonet_options *options,
                      const struct balance *balance) {
    nonet_json_name(json, "plies");
    nonet_json_open(json, '[');
    for (int plies = 0; plies <= balance_plies(balance); plies++) {
        const struct balance_count *count = balance_count(balance, plies);
        nonet_json_open(json, '{');
        nonet_json_number_member(json, "plies", plies);
        outcomes_member(json, "lines", count->lines[NONET_LOSS], count->lines[NONET_DRAW],
                        count->lines[NONET_WIN]);
        outcomes_member(json, "positions", count->positions[NONET_LOSS],
                        count->positions[NONET_DRAW], count->positions[NONET_WIN]);
        nonet_json_name(json, "fairest");
        nonet_json_open(json, '{');
        describe_value(json, &count->fairest);
        describe_moves(json, "moves", options, count->moves, plies);
        nonet_json_close(json, '}');
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
}

void describe_piece(struct nonet_json *json, const struct nonet_piece *piece,
                    const struct nonet_catalogue *catalogue) {
    static const char *const shapes[] = {[NONET_TILE] = "tile",
                                         [NONET_CROSS] = "cross",
                                         [NONET_DISC] = "disc",
                                         [NONET_CUBOID] = "cuboid"};
    nonet_json_open(json, '{');
    nonet_json_number_member(json, "place", piece->place);
    nonet_json_string_member(json, "shape", shapes[piece->shape]);
    nonet_json_string_member(json, "material", materials[piece->material]);
    nonet_json_number_member(json, "owner", piece->owner);
    nonet_json_number_member(json, "count", piece->count);
    if (piece->button != NONET_NOWHERE)
        nonet_json_number_member(json, "button", piece->button);
    nonet_json_bool_member(json, "lit", piece->lit);
    nonet_json_number_member(json, "angle", piece->angle);
    nonet_json_number_member(json, "x", piece->x);
    nonet_json_number_member(json, "y", piece->y);
    nonet_json_number_member(json, "z", piece->z);
    nonet_json_number_member(json, "width", piece->width);
    nonet_json_number_member(json, "depth", piece->depth);
    nonet_json_number_member(json, "height", piece->height);
    nonet_json_string_member(json, "mark", piece->mark);
    label_member(json, &piece->label, catalogue);
    nonet_json_close(json, '}');
}

/* Writes the pieces on the board that are not where they were. Numbers each in the list. */
static void describe_displaced(struct nonet_json *json, const char *name,
                               const struct nonet_scene *scene,
                               const struct difference_of_piece pieces[NONET_MAX_PIECES],
                               const struct nonet_catalogue *catalogue,
                               int numbers[NONET_MAX_PIECES]) {
    int count = 0;
    nonet_json_name(json, name);
    nonet_json_open(json, '[');
    for (int i = 0; i < scene->piece_count; i++) {
        if (pieces[i].kind < DIFFERENCE_MOVED || !difference_on_board(scene, &scene->pieces[i]))
            continue;
        describe_piece(json, &scene->pieces[i], catalogue);
        numbers[i] = count++;
    }
    nonet_json_close(json, ']');
}

void describe_difference(struct nonet_json *json, const struct nonet_scene *before,
                         const struct nonet_scene *after, const struct difference *difference,
                         const struct nonet_catalogue *catalogue) {
    int gone[NONET_MAX_PIECES], placed[NONET_MAX_PIECES];
    describe_displaced(json, "gone", before, difference->before, catalogue, gone);
    describe_displaced(json, "placed", after, difference->after, catalogue, placed);
    nonet_json_name(json, "moved");
    nonet_json_open(json, '[');
    for (int i = 0; i < before->piece_count; i++) {
        if (difference->before[i].kind != DIFFERENCE_MOVED)
            continue;
        nonet_json_open(json, '[');
        nonet_json_number(json, gone[i]);
        nonet_json_number(json, placed[difference->before[i].partner]);
        nonet_json_close(json, ']');
    }
    nonet_json_close(json, ']');
    nonet_json_name(json, "left");
    nonet_json_open(json, '[');
    for (int i = 0; i < before->piece_count; i++)
        if (difference->before[i].left && difference_on_board(before, &before->pieces[i]))
            nonet_json_number(json, gone[i]);
    nonet_json_close(json, ']');
}

static void describe_figure(struct nonet_json *json, const struct nonet_figure *figure,
                            const struct nonet_catalogue *catalogue) {
    nonet_json_open(json, '{');
    nonet_json_number_member(json, "owner", figure->owner);
    nonet_json_number_member(json, "points", figure->points);
    nonet_json_bool_member(json, "closed", figure->closed);
    nonet_json_name(json, "places");
    nonet_json_open(json, '[');
    for (int i = 0; i < figure->count; i++)
        nonet_json_number(json, figure->places[i]);
    nonet_json_close(json, ']');
    label_member(json, &figure->label, catalogue);
    nonet_json_close(json, '}');
}

void describe_events(struct nonet_json *json, const struct nonet_events *events,
                     const struct nonet_catalogue *catalogue) {
    nonet_json_name(json, "events");
    nonet_json_open(json, '[');
    for (int i = 0; i < events->count; i++) {
        const struct nonet_event *event = &events->list[i];
        nonet_json_open(json, '{');
        label_member(json, &event->says, catalogue);
        nonet_json_name(json, "places");
        nonet_json_open(json, '[');
        for (int j = 0; j < event->count; j++)
            nonet_json_number(json, event->places[j]);
        nonet_json_close(json, ']');
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
}

void describe_standings(struct nonet_json *json, const struct nonet_standings *standings,
                        const struct nonet_catalogue *catalogue) {
    nonet_json_name(json, "standings");
    nonet_json_open(json, '[');
    for (int i = 0; i < standings->count; i++) {
        const struct nonet_standing *standing = &standings->list[i];
        nonet_json_open(json, '{');
        nonet_json_number_member(json, "player", standing->player);
        nonet_json_number_member(json, "number", standing->number);
        if (standing->most != NONET_NO_MOST)
            nonet_json_number_member(json, "most", standing->most);
        if (standing->material != NONET_MATERIALS)
            nonet_json_string_member(json, "material", materials[standing->material]);
        label_member(json, &standing->label, catalogue);
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
}

void describe_scene(struct nonet_json *json, const struct nonet_scene *scene,
                    const struct nonet_catalogue *catalogue) {
    nonet_json_open(json, '{');
    nonet_json_number_member(json, "width", scene->width);
    nonet_json_number_member(json, "depth", scene->depth);
    nonet_json_bool_member(json, "tall", scene->tall);
    nonet_json_name(json, "places");
    nonet_json_open(json, '[');
    for (int i = 0; i < scene->place_count; i++)
        describe_place(json, &scene->places[i], catalogue);
    nonet_json_close(json, ']');
    nonet_json_name(json, "pieces");
    nonet_json_open(json, '[');
    for (int i = 0; i < scene->piece_count; i++)
        describe_piece(json, &scene->pieces[i], catalogue);
    nonet_json_close(json, ']');
    nonet_json_name(json, "figures");
    nonet_json_open(json, '[');
    for (int i = 0; i < scene->figure_count; i++)
        describe_figure(json, &scene->figures[i], catalogue);
    nonet_json_close(json, ']');
    nonet_json_close(json, '}');
}
