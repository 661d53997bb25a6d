#include "public_tree.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/hidden.h"

static void no_memory(void) {
    fputs("there is no memory\n", stderr);
    exit(1);
}

/* ---- The worlds of the first position ---- */

/* The number of what a seat knows; a new one if it comes for the first time. */
static int type_of(struct public_tree *tree, const void *state, int seat) {
    char letter[8];
    struct nonet_text text = NONET_TEXT_IN(letter);
    tree->options.game->hidden->secret(&tree->options, state, seat, &text);
    const char *known = strchr(tree->types, letter[0]);
    if (known != NULL)
        return (int)(known - tree->types);
    size_t type = strlen(tree->types);
    assert(type < BAYES_TYPES && strlen(letter) == 1);
    tree->types[type] = letter[0];
    return (int)type;
}

static void list_worlds(struct public_tree *tree, const void *state) {
    const struct nonet_hidden *hidden = tree->options.game->hidden;
    struct nonet_state seen;
    nonet_observe(&tree->options, state, NONET_SPECTATOR, &seen);
    tree->world_count = hidden->worlds(&tree->options, &seen, NONET_SPECTATOR);
    assert(tree->world_count <= MOST_WORLDS);
    for (int i = 0; i < tree->world_count; i++) {
        struct world *world = &tree->worlds[i];
        hidden->world(&tree->options, &seen, NONET_SPECTATOR, i, &world->state);
        for (int seat = 1; seat <= 2; seat++)
            world->type[seat - 1] = type_of(tree, &world->state, seat);
        tree->game.chance[world->type[0]][world->type[1]] = 1.0 / tree->world_count;
    }
}

/* ---- The tree ---- */

/* The game is over in a world: nobody's win counts 0. */
static void pay(struct public_tree *tree, int node, const struct world *world,
                const struct nonet_state *state) {
    struct nonet_result result = {0};
    tree->options.game->result(&tree->options, state, &result);
    int share = nonet_result_share(&tree->options, &result, 1);
    bayes_pay(&tree->game, node, world->type[0], world->type[1],
              (double)share / NONET_WHOLE_WIN - 0.5);
}

/* The public cannot tell the worlds apart in which the game goes on: they have the same moves. */
static bool look_alike(const struct public_tree *tree, const struct nonet_state *a,
                       const struct nonet_state *b) {
    struct nonet_state seen[2];
    nonet_observe(&tree->options, a, NONET_SPECTATOR, &seen[0]);
    nonet_observe(&tree->options, b, NONET_SPECTATOR, &seen[1]);
    return memcmp(&seen[0], &seen[1], tree->options.game->state_size) == 0;
}

static bool grow(struct public_tree *tree, int index, const struct nonet_state *states, int most);

/* Plays a move in every world in which the game still goes on. */
static bool grow_after(struct public_tree *tree, int parent, int child, nonet_move move,
                       const struct nonet_state *states, int most) {
    const struct nonet_game *game = tree->options.game;
    struct nonet_state after[MOST_WORLDS];
    struct public_node *node = &tree->nodes[child];
    *node = (struct public_node){.parent = parent, .move = move};
    for (int i = 0; i < tree->world_count; i++) {
        if (!(tree->nodes[parent].going >> i & 1))
            continue;
        after[i] = states[i];
        game->play(&tree->options, &after[i], NULL, move);
        if (game->turn(&tree->options, &after[i]) == 0)
            pay(tree, child, &tree->worlds[i], &after[i]);
        else
            node->going |= 1u << i;
    }
    return grow(tree, child, after, most);
}

static void make_room(struct public_tree *tree) {
    if (tree->game.node_count <= tree->room)
        return;
    tree->room = 2 * tree->game.node_count;
    tree->nodes = realloc(tree->nodes, (size_t)tree->room * sizeof *tree->nodes);
    if (tree->nodes == NULL)
        no_memory();
}

static bool grow(struct public_tree *tree, int index, const struct nonet_state *states, int most) {
    const struct nonet_game *game = tree->options.game;
    uint32_t going = tree->nodes[index].going;
    if (going == 0)
        return true;
    const struct nonet_state *state = NULL;
    for (int i = 0; i < tree->world_count; i++) {
        if (!(going >> i & 1))
            continue;
        assert(state == NULL || look_alike(tree, state, &states[i]));
        state = &states[i];
    }
    nonet_move moves[NONET_MAX_MOVES];
    int count = game->moves(&tree->options, state, moves);
    tree->choices += count > 1;
    if (tree->choices > most)
        return false;
    int first = bayes_branch(&tree->game, index, game->turn(&tree->options, state) - 1, count);
    make_room(tree);
    for (int i = 0; i < count; i++)
        if (!grow_after(tree, index, first + i, moves[i], states, most))
            return false;
    return true;
}

bool public_tree_open(struct public_tree *tree, const struct nonet_options *options,
                      const void *state, int most_choices) {
    *tree = (struct public_tree){.options = *options};
    bayes_open(&tree->game);
    make_room(tree);
    list_worlds(tree, state);
    struct nonet_state states[MOST_WORLDS];
    for (int i = 0; i < tree->world_count; i++)
        states[i] = tree->worlds[i].state;
    tree->nodes[0] =
        (struct public_node){.parent = BAYES_NONE, .going = (1u << tree->world_count) - 1};
    bool small = grow(tree, 0, states, most_choices);
    if (!small)
        public_tree_close(tree);
    return small;
}

void public_tree_close(struct public_tree *tree) {
    bayes_close(&tree->game);
    free(tree->nodes);
}

/* ---- Decisions ---- */

bool public_tree_can_be(const struct public_tree *tree, int node, int type, int *world) {
    int mover = tree->game.nodes[node].mover;
    for (*world = 0; *world < tree->world_count; ++*world)
        if (tree->nodes[node].going >> *world & 1 && tree->worlds[*world].type[mover] == type)
            return true;
    return false;
}

static void play_to(const struct public_tree *tree, struct nonet_session *session, int node) {
    if (node == 0)
        return;
    play_to(tree, session, tree->nodes[node].parent);
    struct nonet_message why;
    if (!nonet_session_play(session, tree->nodes[node].move, &why))
        no_memory();
}

struct nonet_session *public_tree_session(const struct public_tree *tree, int world, int node) {
    char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    tree->options.game->write(&tree->options, &tree->worlds[world].state, &text);
    struct nonet_session *session = nonet_session_new(&tree->options);
    struct nonet_message why;
    if (session == NULL || !nonet_session_read(session, line, &why))
        no_memory();
    play_to(tree, session, node);
    return session;
}
