#include "lesson.h"

#include <string.h>

/* ---- Tries ---- */

static void begin(const struct nonet_session *session, struct lesson_try *try) {
    try->options = nonet_session_options(session);
    try->outcome = LESSON_REFUSED;
    try->player = nonet_session_turn(session);
    try->count = 0;
    try->why = (struct nonet_message){0};
    try->turn = try->player;
    try->proof = LESSON_UNPROVEN;
    try->events.count = 0;
    nonet_scene_for(try->options, nonet_session_state(session), try->player, &try->scene);
}

static bool has_child(const struct nonet_session *session, nonet_move move) {
    int node = nonet_session_first_child(session, nonet_session_node(session));
    while (node != NONET_NO_NODE && nonet_session_move_to(session, node) != move)
        node = nonet_session_next_sibling(session, node);
    return node != NONET_NO_NODE;
}

/* Makes a move, looks at what comes of it, and takes it back. */
static void look_ahead(struct nonet_session *session, nonet_move move, struct lesson_try *try) {
    int here = nonet_session_node(session);
    bool known = has_child(session, move);
    if (!nonet_session_play(session, move, &try->why))
        return;
    int there = nonet_session_node(session);
    try->outcome = LESSON_LEGAL;
    try->move = move;
    try->count = try->options->game->touches(try->options, move, try->places);
    try->turn = nonet_session_turn(session);
    if (try->turn == 0)
        nonet_session_result(session, &try->result);
    nonet_session_events(session, nonet_session_ply(session) - 1, try->player, &try->events);
    nonet_scene_for(try->options, nonet_session_state(session), try->player, &try->scene);
    nonet_session_go(session, here);
    if (!known)
        nonet_session_prune(session, there);
}

void lesson_try_move(struct nonet_session *session, const char *text, struct lesson_try *try) {
    nonet_move move;
    begin(session, try);
    if (try->options->game->parse(try->options, text, &move, &try->why))
        look_ahead(session, move, try);
}

/* Whether a move touches these places first; and which it touches. */
static bool begins(const struct lesson_try *try, int count, nonet_move move, int *touches,
                   uint16_t touched[NONET_MAX_TOUCHES]) {
    *touches = try->options->game->touches(try->options, move, touched);
    return count <= *touches && memcmp(touched, try->places, (size_t)count * sizeof *touched) == 0;
}

/* Whether a button takes a piece from a hand. */
static bool takes(const struct nonet_scene *scene, int place) {
    for (int i = 0; i < scene->piece_count; i++)
        if (scene->pieces[i].button == place)
            return true;
    return false;
}

/* Why the move that these places name is refused. */
static bool ask_why(const struct nonet_session *session, const struct lesson_try *try,
                    const uint16_t *places, int count, struct nonet_message *why) {
    char name[NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_move move;
    nonet_spell(try->options, &try->scene, places, count, &text);
    return !try->options->game->parse(try->options, name, &move, why) ||
           !nonet_session_legal(session, move, why);
}

/* Why the touches lead nowhere. If a move needs more of them, and all moves that they could still
 * become are refused for the same reason, that is why. */
static void explain(const struct nonet_session *session, struct lesson_try *try, bool complete) {
    uint16_t places[NONET_MAX_TOUCHES + 1];
    struct nonet_message why;
    memcpy(places, try->places, sizeof try->places);
    if (complete) {
        ask_why(session, try, places, try->count, &try->why);
        return;
    }
    int last = try->places[try->count - 1];
    for (int other = 0; other < try->scene.place_count; other++) {
        if (try->scene.places[other].kind != NONET_CELL || other == last)
            continue;
        places[try->count] = (uint16_t)other;
        if (!ask_why(session, try, places, try->count + 1, &why) ||
            (try->why.phrase != NULL && try->why.phrase != why.phrase)) {
            try->why.phrase = NULL;
            return;
        }
        try->why = why;
    }
}

void lesson_try_touches(struct nonet_session *session, const uint16_t *places, int count,
                        struct lesson_try *try) {
    begin(session, try);
    try->count = count < NONET_MAX_TOUCHES ? count : NONET_MAX_TOUCHES;
    memcpy(try->places, places, (size_t)try->count * sizeof *places);
    if (try->options->game->wide != NULL || try->count == 0)
        return;
    bool complete = false;  /* some move has so many touches */
    bool take_first = true; /* instead of the last touch, a piece must be taken */
    uint64_t moves = nonet_session_count(session);
    for (uint64_t i = 0; i < moves; i++) {
        uint16_t touched[NONET_MAX_TOUCHES];
        int touches;
        nonet_move move = nonet_session_nth(session, i);
        if (begins(try, try->count, move, &touches, touched)) {
            if (touches == try->count) {
                look_ahead(session, move, try);
                return;
            }
            try->outcome = LESSON_BEGUN;
        }
        complete = complete || touches == try->count;
        if (begins(try, try->count - 1, move, &touches, touched) && touches >= try->count)
            take_first = take_first && takes(&try->scene, touched[try->count - 1]);
    }
    if (try->outcome == LESSON_REFUSED && !take_first)
        explain(session, try, complete);
}

/* With more than two players a proven value says little about what to play. */
const struct judge_move *lesson_try_prove(struct lesson_try *try,
                                          const struct judge_verdict *verdict) {
    const struct judge_move *made = NULL, *best = NULL;
    bool all = true;
    if (try->outcome != LESSON_LEGAL || try->options->players > 2)
        return NULL;
    for (int i = 0; i < verdict->count; i++) {
        const struct judge_move *move = &verdict->moves[i];
        all = all && move->valued;
        if (move->move == try->move)
            made = move;
        if (best == NULL && move->valued && judge_keeps(verdict, move))
            best = move;
    }
    if (made == NULL || !made->valued)
        return NULL;
    if (!judge_keeps(verdict, made)) {
        try->proof = LESSON_LOST;
        return best;
    }
    if (all || made->opinion.value.outcome == NONET_WIN)
        try->proof = LESSON_KEPT;
    return NULL;
}

/* ---- Goals ---- */

/* Reads a goal and judges a try by it in one go. */
struct reader {
    const char *text, *at;
    const struct lesson_try *try;
    const char *fault;
};

static bool fail(struct reader *reader, const char *what) {
    if (reader->fault == NULL)
        reader->fault = what;
    return false;
}

static void skip_spaces(struct reader *reader) {
    while (*reader->at == ' ')
        reader->at++;
}

/* A word ends at a space, a bracket, or a comma before a space: moves may have commas. */
static bool ends_word(const char *at) {
    return *at == '\0' || *at == ' ' || *at == '(' || *at == ')' || (*at == ',' && at[1] == ' ');
}

/* The next word, or false where a goal ends. */
static bool take_word(struct reader *reader, char word[NONET_MOVE_TEXT + 32]) {
    int length = 0;
    skip_spaces(reader);
    while (!ends_word(reader->at)) {
        if (length == NONET_MOVE_TEXT + 31)
            return fail(reader, "a word is too long");
        word[length++] = *reader->at++;
    }
    word[length] = '\0';
    return length > 0;
}

static int find_place(const struct nonet_scene *scene, const char *name) {
    for (int i = 0; i < scene->place_count; i++)
        if (strcmp(scene->places[i].name, name) == 0)
            return i;
    return -1;
}

static bool stands_on(const struct lesson_try *try, int place) {
    for (int i = 0; i < try->scene.piece_count; i++)
        if (try->scene.pieces[i].place == place && try->scene.pieces[i].owner == try->player)
            return true;
    return false;
}

static bool read_moves(struct reader *reader) {
    const struct lesson_try *try = reader->try;
    char word[NONET_MOVE_TEXT + 32];
    bool met = false;
    int count = 0;
    for (; take_word(reader, word); count++) {
        nonet_move move;
        struct nonet_message why;
        if (!try->options->game->parse(try->options, word, &move, &why))
            return fail(reader, "this is no move of the game");
        met = met || (try->outcome == LESSON_LEGAL && try->move == move);
    }
    return count > 0 ? met : fail(reader, "a move must follow");
}

static bool read_places(struct reader *reader, bool reach) {
    const struct lesson_try *try = reader->try;
    char word[NONET_MOVE_TEXT + 32];
    bool met = !reach || try->outcome == LESSON_LEGAL;
    int count = 0;
    for (; take_word(reader, word); count++) {
        int place = find_place(&try->scene, word);
        if (place < 0)
            return fail(reader, "there is no such place");
        met = met &&
              (reach ? stands_on(try, place) : count < try->count && try->places[count] == place);
    }
    return count > 0 ? met : fail(reader, "a place must follow");
}

static bool read_key(struct reader *reader, char word[NONET_MOVE_TEXT + 32]) {
    return (take_word(reader, word) && strchr(word, '.') != NULL) ||
           fail(reader, "the key of a phrase must follow");
}

static bool read_refused(struct reader *reader) {
    const struct lesson_try *try = reader->try;
    char key[NONET_MOVE_TEXT + 32];
    return read_key(reader, key) && try->outcome == LESSON_REFUSED && try->why.phrase != NULL &&
           strcmp(try->why.phrase->key, key) == 0;
}

static bool read_event(struct reader *reader) {
    const struct lesson_try *try = reader->try;
    char key[NONET_MOVE_TEXT + 32];
    if (!read_key(reader, key))
        return false;
    for (int i = 0; i < try->events.count; i++)
        if (strcmp(try->events.list[i].says.phrase->key, key) == 0)
            return true;
    return false;
}

static bool is_over(const struct lesson_try *try) {
    return try->outcome == LESSON_LEGAL && try->turn == 0;
}

static bool read_winner(struct reader *reader) {
    const struct lesson_try *try = reader->try;
    char word[NONET_MOVE_TEXT + 32];
    if (!take_word(reader, word) || word[1] != '\0' || word[0] < '1' ||
        word[0] > '0' + try->options->players)
        return fail(reader, "the number of a player must follow");
    return is_over(try) && (try->result.winners >> (word[0] - '1') & 1) != 0;
}

static bool read_goal(struct reader *reader, int depth);

/* What all(, any( and not( have between their brackets. */
static bool read_several(struct reader *reader, int depth, bool *all, bool *any, int *count) {
    *all = true;
    *any = false;
    *count = 0;
    if (depth == LESSON_NESTING)
        return fail(reader, "too many goals within goals");
    do {
        reader->at++; /* the bracket or the comma */
        bool met = read_goal(reader, depth + 1);
        *all = *all && met;
        *any = *any || met;
        (*count)++;
        skip_spaces(reader);
    } while (reader->fault == NULL && *reader->at == ',');
    if (*reader->at != ')')
        return fail(reader, "a closing bracket is missing");
    reader->at++;
    return true;
}

static bool read_goal(struct reader *reader, int depth) {
    const struct lesson_try *try = reader->try;
    char word[NONET_MOVE_TEXT + 32];
    if (!take_word(reader, word))
        return fail(reader, "a goal is missing");
    if (*reader->at == '(') {
        bool all, any;
        int count;
        if (!read_several(reader, depth, &all, &any, &count))
            return false;
        if (strcmp(word, "all") == 0)
            return all;
        if (strcmp(word, "any") == 0)
            return any;
        if (strcmp(word, "not") == 0 && count == 1)
            return !any;
        return fail(reader, "only all, any and, with one goal, not have brackets");
    }
    if (strcmp(word, "move") == 0)
        return read_moves(reader);
    if (strcmp(word, "legal") == 0)
        return try->outcome == LESSON_LEGAL;
    if (strcmp(word, "touch") == 0)
        return read_places(reader, false);
    if (strcmp(word, "refused") == 0)
        return read_refused(reader);
    if (strcmp(word, "reach") == 0)
        return read_places(reader, true);
    if (strcmp(word, "event") == 0)
        return read_event(reader);
    if (strcmp(word, "over") == 0)
        return is_over(try);
    if (strcmp(word, "winner") == 0)
        return read_winner(reader);
    if (strcmp(word, "kept") == 0)
        return try->outcome == LESSON_LEGAL && try->proof == LESSON_KEPT;
    return fail(reader, "this is no goal");
}

static bool read_all(struct reader *reader) {
    bool met = read_goal(reader, 0);
    skip_spaces(reader);
    if (*reader->at != '\0')
        fail(reader, "something follows the goal");
    return met && reader->fault == NULL;
}

bool lesson_goal_check(const struct nonet_session *session, const char *goal,
                       struct lesson_fault *fault) {
    struct lesson_try try;
    begin(session, &try);
    struct reader reader = {goal, goal, &try, NULL};
    read_all(&reader);
    *fault = (struct lesson_fault){(int)(reader.at - goal), reader.fault};
    return reader.fault == NULL;
}

bool lesson_goal_met(const char *goal, const struct lesson_try *try) {
    struct reader reader = {goal, goal, try, NULL};
    return read_all(&reader);
}
