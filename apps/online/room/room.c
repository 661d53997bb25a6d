#include "room.h"

#include <stdlib.h>
#include <string.h>

/* A move that was granted: the same request may come again, even after it was taken back. */
struct granted {
    uint64_t id;
    nonet_move move;
    uint16_t ply;
    uint8_t seat;
};

enum { MOST_GRANTED = 1024 };

/* What is left of offers of one kind by one seat. */
struct offered {
    uint64_t id;    /* the last one, 0 for none */
    int quiet_till; /* declined: from this ply on it may be made again */
};

struct room {
    struct room_plan plan;
    struct nonet_scratch *scratch; /* borrowed, or null */
    struct nonet_session *session;
    enum room_phase phase;
    struct room_seat seats[NONET_MAX_PLAYERS];
    struct clocks clocks;
    struct room_offer offers[ROOM_OFFER_KINDS];
    struct offered offered[ROOM_OFFER_KINDS][NONET_MAX_PLAYERS];
    struct granted *granted;
    int granted_count, granted_room;
    enum room_ending ending;
    uint8_t ended_by, winners;
    uint64_t next;
    bool twin_over;
    uint8_t twin_winners;                        /* by the seats of the other table */
    struct promise *promises[NONET_MAX_PLAYERS]; /* null until the first */
    uint64_t promised[NONET_MAX_PLAYERS];        /* the id of the last */
};

/* ---- Beginning ---- */

static int players(const struct room *room) {
    return room->plan.options.players;
}

struct room *room_new(const struct room_plan *plan, struct nonet_scratch *scratch) {
    struct room *room = calloc(1, sizeof *room);
    if (room == NULL)
        return NULL;
    room->plan = *plan;
    room->scratch = scratch;
    room->session = nonet_session_new_at(&plan->options, scratch);
    bool fine = room->session != NULL;
    struct nonet_message why;
    for (int i = 0; i < plan->opening_count && fine; i++)
        fine = nonet_session_play(room->session, plan->opening[i], &why);
    if (!fine) {
        nonet_session_free(room->session);
        free(room);
        return NULL;
    }
    for (int i = 0; i < players(room); i++)
        room->seats[i] = (struct room_seat){.taken = plan->level[i] > 0, .level = plan->level[i]};
    clock_set(&room->clocks, &plan->clock);
    return room;
}

void room_free(struct room *room) {
    if (room == NULL)
        return;
    nonet_session_free(room->session);
    free(room->granted);
    for (int i = 0; i < NONET_MAX_PLAYERS; i++)
        free(room->promises[i]);
    free(room);
}

/* ---- What it knows ---- */

enum room_phase room_phase(const struct room *room) {
    return room->phase;
}

const struct nonet_session *room_session(const struct room *room) {
    return room->session;
}

const struct room_seat *room_seat(const struct room *room, int player) {
    return &room->seats[player - 1];
}

static bool sits(const struct room *room, int player, room_who who) {
    const struct room_seat *seat = &room->seats[player - 1];
    return seat->taken && (seat->level > 0) == (who == ROOM_COMPUTER) && seat->who == who;
}

int room_seat_of(const struct room *room, room_who who) {
    for (int p = 1; p <= players(room) && who != ROOM_COMPUTER; p++)
        if (sits(room, p, who))
            return p;
    return 0;
}

const struct clocks *room_clocks(const struct room *room) {
    return &room->clocks;
}

const struct room_offer *room_offer(const struct room *room, enum room_offer_kind kind) {
    return &room->offers[kind];
}

enum room_ending room_ending(const struct room *room) {
    return room->ending;
}

int room_ended_by(const struct room *room) {
    return room->ended_by;
}

uint8_t room_winners(const struct room *room) {
    return room->winners;
}

uint64_t room_next(const struct room *room) {
    return room->next;
}

const struct promise *room_promise(const struct room *room, int player) {
    const struct promise *promise = room->promises[player - 1];
    return promise != NULL && promise->count > 0 ? promise : NULL;
}

int room_opening(const struct room *room) {
    return room->plan.opening_count;
}

uint64_t room_twin(const struct room *room) {
    return room->plan.twin;
}

bool room_twin_over(const struct room *room) {
    return room->twin_over;
}

/* Of a game with two players. */
static int halves(uint8_t winners, int player) {
    return !(winners >> (player - 1) & 1) ? 0 : winners == 3 ? 1 : 2;
}

int room_score(const struct room *room, int player) {
    return (room->phase == ROOM_OVER ? halves(room->winners, player) : 0) +
           (room->twin_over ? halves(room->twin_winners, 3 - player) : 0);
}

static int turn_of(const struct room *room) {
    return room->phase == ROOM_PLAYING ? nonet_session_turn(room->session) : 0;
}

int room_awaits_computer(const struct room *room) {
    int turn = turn_of(room);
    return turn != 0 && room->seats[turn - 1].level > 0 ? turn : 0;
}

static uint8_t everybody(const struct room *room) {
    return (uint8_t)((1u << players(room)) - 1);
}

static uint8_t computers(const struct room *room) {
    unsigned set = 0;
    for (int i = 0; i < players(room); i++)
        set |= (unsigned)(room->seats[i].level > 0) << i;
    return (uint8_t)set;
}

/* Who wins if this player is out: all others, except a partner. */
static uint8_t others(const struct room *room, int player) {
    unsigned out = 1u << (player - 1);
    if ((room->plan.options.game->facts & NONET_TEAMS) && players(room) == 4)
        out |= out << 2 | out >> 2;
    return everybody(room) & (uint8_t)~out;
}

/* ---- Deciding ---- */

/* What deciding works with. */
struct asked {
    const struct room *room;
    const struct room_request *request;
    int64_t now;
    int seat; /* the asker's; of ROOM_SIT, the one that is wanted */
    struct room_events *events;
    struct nonet_text *why;
};

static enum room_refusal refuse(const struct asked *asked, enum room_refusal kind,
                                const char *why) {
    nonet_text_add(asked->why, why);
    return kind;
}

static struct room_event *happens(struct room_events *events, enum room_event_kind kind, int seat) {
    struct room_event *event = &events->list[events->count++];
    *event = (struct room_event){.kind = kind, .seat = (uint8_t)seat};
    return event;
}

static void end(struct room_events *events, enum room_ending ending, int seat, uint8_t winners) {
    struct room_event *event = happens(events, ROOM_ENDED, seat);
    event->ending = (uint8_t)ending;
    event->winners = winners;
}

/* Letters that nobody sees: of no width, blank, or such that turn the direction of what follows,
 * also of what is not part of the name; and those that are none. */
static const struct {
    uint32_t first, last;
} invisible[] = {
    {0x0, 0x1f},         /* controls */
    {0x7f, 0xa0},        /* more of them, a space */
    {0xad, 0xad},        /* a soft hyphen */
    {0x34f, 0x34f},      /* a joiner */
    {0x61c, 0x61c},      /* directions */
    {0x115f, 0x1160},    /* fillers */
    {0x1680, 0x1680},    /* a space */
    {0x17b4, 0x17b5},    /* vowels that are not written */
    {0x180b, 0x180f},    /* variants of letters */
    {0x2000, 0x200f},    /* spaces, directions */
    {0x2028, 0x202f},    /* ends of lines, directions, a space */
    {0x205f, 0x206f},    /* a space, joiners, directions */
    {0x2800, 0x2800},    /* a braille letter without dots */
    {0x3164, 0x3164},    /* a filler */
    {0xe000, 0xf8ff},    /* for private use */
    {0xfdd0, 0xfdef},    /* no letters */
    {0xfe00, 0xfe0f},    /* variants */
    {0xfeff, 0xfeff},    /* a mark of the order of bytes */
    {0xffa0, 0xffa0},    /* a filler */
    {0xfff0, 0xfffb},    /* notes between lines */
    {0xfffe, 0xffff},    /* no letters */
    {0x1bca0, 0x1bca3},  /* of shorthand */
    {0x1d173, 0x1d17a},  /* of music */
    {0xe0000, 0xfffff},  /* tags, more variants, unassigned, for private use */
    {0x100000, 0x10ffff} /* for private use */
};

static bool is_invisible(uint32_t letter) {
    for (size_t i = 0; i < sizeof invisible / sizeof invisible[0]; i++)
        if (letter >= invisible[i].first && letter <= invisible[i].last)
            return true;
    return (letter & 0xfffe) == 0xfffe;
}

/* The letter that begins here, in UTF-8, and moves past it. */
static uint32_t take_letter(const unsigned char **at) {
    const unsigned char *c = *at;
    int more = c[0] < 0xc0 ? 0 : c[0] < 0xe0 ? 1 : c[0] < 0xf0 ? 2 : 3;
    uint32_t letter = more == 0 ? c[0] : c[0] & (0x3fu >> more);
    for (; more > 0 && (*++c & 0xc0) == 0x80; more--)
        letter = letter << 6 | (*c & 0x3fu);
    *at = more > 0 ? c : c + 1;
    return letter;
}

enum { WIDE_SPACE = 0x3000 }; /* between the parts of a name, where people write so */

bool room_name_check(const char *name) {
    bool visible = false;
    if (name == NULL || strlen(name) >= ROOM_NAME)
        return false;
    for (const unsigned char *c = (const unsigned char *)name; *c != '\0';) {
        uint32_t letter = take_letter(&c);
        if (is_invisible(letter))
            return false;
        visible |= letter != ' ' && letter != WIDE_SPACE;
    }
    return visible;
}

static bool is_full(const struct room *room, int but) {
    for (int i = 0; i < players(room); i++)
        if (!room->seats[i].taken && i != but - 1)
            return false;
    return true;
}

static enum room_refusal sit(const struct asked *asked) {
    const struct room_request *request = asked->request;
    const struct room *room = asked->room;
    if (request->seat < 1 || request->seat > players(room))
        return refuse(asked, ROOM_MALFORMED, "there is no such seat");
    if (!room_name_check(request->name) || request->who == ROOM_COMPUTER)
        return refuse(asked, ROOM_MALFORMED, "a name has 1 to 63 bytes, and something to see");
    if (sits(room, request->seat, request->who))
        return ROOM_DONE_BEFORE;
    if (room->phase != ROOM_WAITING)
        return refuse(asked, ROOM_CONFLICT, "the game has begun");
    if (room->seats[request->seat - 1].taken)
        return refuse(asked, ROOM_CONFLICT, "somebody else has this seat");
    struct room_event *event = happens(asked->events, ROOM_SAT, request->seat);
    event->who = request->who;
    memcpy(event->name, request->name, strlen(request->name) + 1);
    if (is_full(room, request->seat))
        happens(asked->events, ROOM_BEGAN, 0);
    return ROOM_FINE;
}

static enum room_refusal regain(const struct asked *asked) {
    const struct room_request *request = asked->request;
    const struct room *room = asked->room;
    if (request->seat < 1 || request->seat > players(room) || request->who == ROOM_COMPUTER ||
        !room->seats[request->seat - 1].taken || room->seats[request->seat - 1].level > 0)
        return refuse(asked, ROOM_CONFLICT, "nobody sits there");
    if (sits(room, request->seat, request->who))
        return ROOM_DONE_BEFORE;
    happens(asked->events, ROOM_REGAINED, request->seat)->who = request->who;
    return ROOM_FINE;
}

static enum room_refusal stand(const struct asked *asked) {
    if (asked->room->phase != ROOM_WAITING)
        return refuse(asked, ROOM_CONFLICT, "the game has begun; resign instead");
    happens(asked->events, ROOM_STOOD, asked->seat);
    return ROOM_FINE;
}

static enum room_refusal move(const struct asked *asked) {
    const struct room_request *request = asked->request;
    const struct room *room = asked->room;
    const struct nonet_options *options = &room->plan.options;
    nonet_move move;
    struct nonet_message why = {0};
    if (request->id == 0)
        return refuse(asked, ROOM_MALFORMED, "a move needs an id that is not 0");
    if (!options->game->parse(options, request->move, &move, &why)) {
        nonet_message_write(&why, NULL, asked->why);
        return ROOM_MALFORMED;
    }
    for (int i = room->granted_count - 1; i >= 0; i--) {
        const struct granted *old = &room->granted[i];
        if (old->id != request->id || old->seat != asked->seat)
            continue;
        if (old->ply != request->ply || old->move != move)
            return refuse(asked, ROOM_CONFLICT, "this id belongs to another move");
        if (old->ply < nonet_session_ply(room->session) &&
            nonet_session_move(room->session, old->ply) == move)
            return ROOM_DONE_BEFORE;
        return refuse(asked, ROOM_CONFLICT, "this move was taken back");
    }
    if (room->phase != ROOM_PLAYING)
        return refuse(asked, ROOM_CONFLICT,
                      room->phase == ROOM_OVER ? "the game is over" : "the game has not begun");
    if (request->ply != nonet_session_ply(room->session))
        return refuse(asked, ROOM_CONFLICT, "the table is at another move");
    if (turn_of(room) != asked->seat)
        return refuse(asked, ROOM_CONFLICT, "it is not your turn");
    if (!nonet_session_legal(room->session, move, &why)) {
        nonet_message_write(&why, NULL, asked->why);
        return ROOM_ILLEGAL;
    }
    int64_t left = room->clocks.left[asked->seat - 1], lag = room->clocks.lag[asked->seat - 1];
    if (room->clocks.running == asked->seat &&
        !clock_stop(&room->clocks, asked->now, request->spent, &left, &lag))
        return refuse(asked, ROOM_CONFLICT, "your time is over");
    struct room_event *event = happens(asked->events, ROOM_MOVED, asked->seat);
    event->ply = request->ply;
    event->id = request->id;
    event->move = move;
    event->left = left;
    event->lag = lag;
    return ROOM_FINE;
}

/* Plays a line on from where the session stands, and goes back. Bit i of `own`: its i-th move is
 * the asker's. */
static enum room_refusal try_line(const struct asked *asked, struct nonet_session *session,
                                  const struct promise_line *line, uint32_t *own) {
    int node = nonet_session_node(session);
    struct nonet_message why = {0};
    bool fine = true;
    *own = 0;
    for (int i = 0; i < line->length && fine; i++) {
        *own |= (uint32_t)(nonet_session_turn(session) == asked->seat) << i;
        fine = nonet_session_play(session, line->moves[i], &why);
    }
    nonet_session_go(session, node);
    if (!fine) {
        nonet_message_write(&why, NULL, asked->why);
        return ROOM_ILLEGAL;
    }
    if (!(*own >> (line->length - 1) & 1))
        return refuse(asked, ROOM_MALFORMED, "a line ends with a move of your own");
    return ROOM_FINE;
}

/* Whether all lines can be played, and two never want different answers to the same. */
static enum room_refusal try_lines(const struct asked *asked, struct nonet_session *session,
                                   const struct promise *promise) {
    uint32_t own[PROMISE_LINES];
    for (int i = 0; i < promise->count; i++) {
        const struct promise_line *line = &promise->lines[i];
        enum room_refusal refusal = try_line(asked, session, line, &own[i]);
        if (refusal != ROOM_FINE)
            return refusal;
        for (int j = 0; j < i; j++) {
            int common = promise_common(line, &promise->lines[j]);
            if (common < line->length && common < promise->lines[j].length &&
                (own[i] >> common & 1))
                return refuse(asked, ROOM_MALFORMED, "two lines answer the same differently");
        }
    }
    return ROOM_FINE;
}

/* A session of its own, since deciding leaves the room's where it is. */
static enum room_refusal check_lines(const struct asked *asked, const struct promise *promise) {
    const struct room *room = asked->room;
    struct nonet_message why;
    struct nonet_session *session = nonet_session_new_at(&room->plan.options, room->scratch);
    bool there = session != NULL;
    for (int i = 0; i < nonet_session_ply(room->session) && there; i++)
        there = nonet_session_play(session, nonet_session_move(room->session, i), &why);
    enum room_refusal refusal = there ? try_lines(asked, session, promise)
                                      : refuse(asked, ROOM_NO_MEMORY, "there is no memory left");
    nonet_session_free(session);
    return refusal;
}

static enum room_refusal promise(const struct asked *asked) {
    const struct room_request *request = asked->request;
    const struct room *room = asked->room;
    const struct nonet_options *options = &room->plan.options;
    struct promise lines;
    if (request->id == 0)
        return refuse(asked, ROOM_MALFORMED, "conditional moves need an id that is not 0");
    if (!promise_read(&lines, options, request->lines, asked->why))
        return ROOM_MALFORMED;
    if (room->promised[asked->seat - 1] == request->id)
        return ROOM_DONE_BEFORE;
    if (options->game->hidden != NULL)
        return refuse(asked, ROOM_CONFLICT, "where something is hidden, nothing can be promised");
    if (room->plan.clock.kind != CLOCK_MOVE)
        return refuse(asked, ROOM_CONFLICT, "conditional moves are for games with days for a move");
    if (room->phase != ROOM_PLAYING)
        return refuse(asked, ROOM_CONFLICT, "no game is being played");
    if (request->ply != nonet_session_ply(room->session))
        return refuse(asked, ROOM_CONFLICT, "the table is at another move");
    if (turn_of(room) == asked->seat)
        return refuse(asked, ROOM_CONFLICT, "it is your turn: make your move");
    enum room_refusal refusal = check_lines(asked, &lines);
    if (refusal != ROOM_FINE)
        return refusal;
    struct room_event *event = happens(asked->events, ROOM_PROMISED, asked->seat);
    event->ply = request->ply;
    event->id = request->id;
    event->promise = lines;
    return ROOM_FINE;
}

/* The ply that a player wants back: of their last move. Below 0 if they have made none. */
static int last_move_of(const struct room *room, int player) {
    const struct nonet_game *game = room->plan.options.game;
    int ply = nonet_session_ply(room->session) - 1;
    while (ply >= 0 && game->turn(&room->plan.options,
                                  nonet_session_state_before(room->session, ply)) != player)
        ply--;
    return ply < room->plan.opening_count ? -1 : ply;
}

/* How the running clock stands, if one runs. */
static void note_clock(const struct room *room, int64_t now, struct room_events *events) {
    int running = room->clocks.running;
    if (running != 0)
        happens(events, ROOM_CLOCKED, running)->left = clock_left(&room->clocks, running, now);
}

/* What all have agreed to happens. */
static void grant(const struct asked *asked, enum room_offer_kind kind, int by, uint64_t id) {
    struct room_event *accepted = happens(asked->events, ROOM_ACCEPTED, asked->seat);
    accepted->offer = (uint8_t)kind;
    accepted->id = id;
    if (kind == ROOM_DRAW)
        end(asked->events, ROOM_AGREED, 0, everybody(asked->room));
    if (kind == ROOM_TAKE_BACK) {
        note_clock(asked->room, asked->now, asked->events); /* no time is returned */
        happens(asked->events, ROOM_UNDONE, by)->ply = (uint16_t)last_move_of(asked->room, by);
    }
}

static enum room_refusal check_offer(const struct asked *asked) {
    const struct room_request *request = asked->request;
    if (request->offer >= ROOM_OFFER_KINDS || request->id == 0)
        return refuse(asked, ROOM_MALFORMED, "there is no such offer");
    return ROOM_FINE;
}

static enum room_refusal offer(const struct asked *asked) {
    const struct room_request *request = asked->request;
    const struct room *room = asked->room;
    enum room_refusal bad = check_offer(asked);
    if (bad != ROOM_FINE)
        return bad;
    const struct offered *earlier = &room->offered[request->offer][asked->seat - 1];
    if (earlier->id == request->id)
        return ROOM_DONE_BEFORE;
    enum room_phase wanted = request->offer == ROOM_REMATCH ? ROOM_OVER : ROOM_PLAYING;
    if (room->phase != wanted)
        return refuse(asked, ROOM_CONFLICT,
                      wanted == ROOM_OVER ? "the game is not over" : "no game is being played");
    if (request->ply != nonet_session_ply(room->session))
        return refuse(asked, ROOM_CONFLICT, "the table is at another move");
    if (room->offers[request->offer].open)
        return refuse(asked, ROOM_CONFLICT, "this has been offered already");
    if (request->offer == ROOM_REMATCH && room->plan.twin != 0 && !room->twin_over)
        return refuse(asked, ROOM_CONFLICT, "the other game of the pair is not over");
    if (request->offer == ROOM_REMATCH && room->next != 0)
        return refuse(asked, ROOM_CONFLICT, "the rematch is at another table");
    if (request->ply < earlier->quiet_till)
        return refuse(asked, ROOM_CONFLICT, "this was declined just now");
    if (request->offer == ROOM_DRAW && computers(room) != 0)
        return refuse(asked, ROOM_CONFLICT, "a computer agrees to no draw");
    if (request->offer == ROOM_TAKE_BACK && room->plan.options.game->hidden != NULL)
        return refuse(asked, ROOM_CONFLICT, "where something is hidden, nothing is taken back");
    if (request->offer == ROOM_TAKE_BACK && last_move_of(room, asked->seat) < 0)
        return refuse(asked, ROOM_CONFLICT, "you have made no move yet");
    struct room_event *event = happens(asked->events, ROOM_OFFERED, asked->seat);
    event->offer = request->offer;
    event->id = request->id;
    event->ply = request->ply;
    if ((computers(room) | 1u << (asked->seat - 1)) == everybody(room))
        grant(asked, request->offer, asked->seat, request->id);
    return ROOM_FINE;
}

static enum room_refusal answer_offer(const struct asked *asked) {
    const struct room_request *request = asked->request;
    const struct room *room = asked->room;
    enum room_refusal bad = check_offer(asked);
    if (bad != ROOM_FINE)
        return bad;
    const struct room_offer *open = &room->offers[request->offer];
    uint8_t own = (uint8_t)(1u << (asked->seat - 1));
    bool accepts = request->wish == ROOM_ACCEPT;
    if (open->id == request->id && accepts && (open->agreed & own))
        return ROOM_DONE_BEFORE;
    enum room_event_kind closes = request->wish == ROOM_WITHDRAW ? ROOM_WITHDRAWN : ROOM_DECLINED;
    if (open->id == request->id && !accepts && open->answer == closes &&
        open->answered_by == asked->seat)
        return ROOM_DONE_BEFORE;
    if (!open->open || open->id != request->id ||
        (accepts && (open->ply != request->ply || open->ply != nonet_session_ply(room->session))))
        return refuse(asked, ROOM_CONFLICT, "this offer is not open any more");
    if (accepts && request->offer == ROOM_REMATCH && room->next != 0)
        return refuse(asked, ROOM_CONFLICT, "the rematch is at another table");
    if ((open->seat == asked->seat) != (request->wish == ROOM_WITHDRAW))
        return refuse(asked, ROOM_FORBIDDEN, "this offer is for another player to answer");
    if (accepts && (open->agreed | own | computers(room)) == everybody(room)) {
        grant(asked, request->offer, open->seat, open->id);
        return ROOM_FINE;
    }
    struct room_event *event = happens(asked->events, accepts ? ROOM_AGREES : closes, asked->seat);
    event->offer = request->offer;
    event->id = request->id;
    return ROOM_FINE;
}

static enum room_refusal leave(const struct asked *asked) {
    const struct room *room = asked->room;
    enum room_wish wish = asked->request->wish;
    if (room->phase == ROOM_OVER && room->ended_by == asked->seat &&
        room->ending == (wish == ROOM_RESIGN ? ROOM_RESIGNED : ROOM_ABORTED))
        return ROOM_DONE_BEFORE;
    if (room->phase != ROOM_PLAYING)
        return refuse(asked, ROOM_CONFLICT, "no game is being played");
    if (wish == ROOM_RESIGN)
        end(asked->events, ROOM_RESIGNED, asked->seat, others(room, asked->seat));
    else if (nonet_session_ply(room->session) < 2 + room->plan.opening_count)
        end(asked->events, ROOM_ABORTED, asked->seat, 0);
    else
        return refuse(asked, ROOM_CONFLICT,
                      "after the second move a game is resigned, not aborted");
    return ROOM_FINE;
}

static enum room_refusal claim(const struct asked *asked) {
    const struct room *room = asked->room;
    int turn = turn_of(room);
    if (turn == 0)
        return refuse(asked, ROOM_CONFLICT, "no game is being played");
    int64_t absence = room->plan.clock.kind == CLOCK_NONE ? ROOM_LONG_ABSENCE : ROOM_ABSENCE;
    if (turn == asked->seat || room->seats[turn - 1].level > 0 ||
        room->plan.clock.kind == CLOCK_MOVE || asked->request->absent < absence)
        return refuse(asked, ROOM_CONFLICT, "nobody has been away for so long");
    end(asked->events, ROOM_DESERTED, turn, others(room, turn));
    return ROOM_FINE;
}

static enum room_refusal say(const struct asked *asked) {
    if (asked->request->phrase >= ROOM_PHRASES)
        return refuse(asked, ROOM_MALFORMED, "there is no such phrase");
    happens(asked->events, ROOM_SAID, asked->seat)->phrase = asked->request->phrase;
    return ROOM_FINE;
}

enum room_refusal room_decide(const struct room *room, const struct room_request *request,
                              int64_t now, struct room_events *events, struct nonet_text *why) {
    static enum room_refusal (*const deciding[])(const struct asked *) = {
        [ROOM_SIT] = sit,
        [ROOM_STAND] = stand,
        [ROOM_MOVE] = move,
        [ROOM_OFFER] = offer,
        [ROOM_WITHDRAW] = answer_offer,
        [ROOM_ACCEPT] = answer_offer,
        [ROOM_DECLINE] = answer_offer,
        [ROOM_RESIGN] = leave,
        [ROOM_ABORT] = leave,
        [ROOM_CLAIM] = claim,
        [ROOM_SAY] = say,
        [ROOM_REGAIN] = regain,
        [ROOM_PROMISE] = promise,
    };
    events->count = 0;
    struct asked asked = {room, request, now, 0, events, why};
    if (request->wish >= sizeof deciding / sizeof deciding[0])
        return refuse(&asked, ROOM_MALFORMED, "there is no such request");
    asked.seat = request->seat;
    bool comes = request->wish == ROOM_SIT || request->wish == ROOM_REGAIN;
    if (!comes &&
        (asked.seat < 1 || asked.seat > players(room) || !sits(room, asked.seat, request->who)))
        return refuse(&asked, ROOM_FORBIDDEN, "this is not your seat");
    if (request->who == ROOM_COMPUTER && !comes && request->wish != ROOM_MOVE)
        return refuse(&asked, ROOM_FORBIDDEN, "a computer only moves");
    return deciding[request->wish](&asked);
}

void room_decide_end(const struct room *room, int64_t now, struct room_events *events) {
    events->count = 0;
    if (room->phase != ROOM_PLAYING)
        return;
    if (nonet_session_turn(room->session) == 0) {
        struct nonet_result result;
        nonet_session_result(room->session, &result);
        end(events, ROOM_BY_RULES, 0, result.winners);
    } else if (nonet_session_ply(room->session) >= ROOM_MOST_MOVES) {
        end(events, ROOM_EXHAUSTED, 0, everybody(room));
    } else if (now >= clock_end(&room->clocks)) {
        end(events, ROOM_FLAGGED, room->clocks.running, others(room, room->clocks.running));
    }
}

void room_decide_promised(const struct room *room, struct room_events *events) {
    events->count = 0;
    int seat = turn_of(room);
    const struct promise *promise = seat != 0 ? room_promise(room, seat) : NULL;
    struct nonet_message why;
    /* It was legal when it was promised; but a log may have been forged. */
    if (promise == NULL || !nonet_session_legal(room->session, promise->lines[0].moves[0], &why))
        return;
    struct room_event *event = happens(events, ROOM_MOVED, seat);
    event->ply = (uint16_t)nonet_session_ply(room->session);
    event->move = promise->lines[0].moves[0];
    event->left = clock_refill(&room->clocks, seat, room->clocks.left[seat - 1]);
    event->lag = room->clocks.lag[seat - 1];
}

void room_decide_close(const struct room *room, struct room_events *events) {
    events->count = 0;
    if (room->phase != ROOM_OVER)
        end(events, ROOM_ABORTED, 0, 0);
}

void room_decide_clock(const struct room *room, int64_t now, struct room_events *events) {
    events->count = 0;
    note_clock(room, now, events);
}

/* ---- Applying ---- */

/* With moves that are taken back there could be any number; the older half is forgotten. */
static bool remember(struct room *room, const struct room_event *event) {
    if (room->granted_count == MOST_GRANTED) {
        room->granted_count /= 2;
        memmove(room->granted, room->granted + room->granted_count,
                (size_t)room->granted_count * sizeof *room->granted);
    }
    if (room->granted_count == room->granted_room) {
        int wanted = room->granted_room == 0 ? 32 : 2 * room->granted_room;
        struct granted *more = realloc(room->granted, (size_t)wanted * sizeof *more);
        if (more == NULL)
            return false;
        room->granted = more;
        room->granted_room = wanted;
    }
    room->granted[room->granted_count++] =
        (struct granted){event->id, event->move, event->ply, event->seat};
    return true;
}

/* Offers are for the position in which they were made. */
static void forget_offers(struct room *room) {
    for (int i = 0; i < ROOM_OFFER_KINDS; i++)
        room->offers[i].open = false;
}

static bool apply_move(struct room *room, const struct room_event *event) {
    struct nonet_message why;
    if (room->phase != ROOM_PLAYING || event->ply != nonet_session_ply(room->session) ||
        nonet_session_turn(room->session) != event->seat || !remember(room, event) ||
        !nonet_session_play(room->session, event->move, &why))
        return false;
    clock_after(&room->clocks, event->seat, event->left, event->lag);
    forget_offers(room);
    for (int i = 0; i < NONET_MAX_PLAYERS; i++)
        if (room->promises[i] != NULL)
            promise_advance(room->promises[i], event->move);
    return true;
}

static void forget_promises(struct room *room) {
    for (int i = 0; i < NONET_MAX_PLAYERS; i++)
        if (room->promises[i] != NULL)
            room->promises[i]->count = 0;
}

static bool apply_promise(struct room *room, const struct room_event *event) {
    struct promise **promise = &room->promises[event->seat - 1];
    if (room->phase != ROOM_PLAYING || event->ply != nonet_session_ply(room->session) ||
        !promise_check(&event->promise))
        return false;
    if (*promise == NULL && (*promise = malloc(sizeof **promise)) == NULL)
        return false;
    **promise = event->promise;
    room->promised[event->seat - 1] = event->id;
    return true;
}

static bool apply_undo(struct room *room, const struct room_event *event) {
    if (room->phase != ROOM_PLAYING || event->ply >= nonet_session_ply(room->session) ||
        event->ply < room->plan.opening_count)
        return false;
    while (nonet_session_ply(room->session) > event->ply) {
        int node = nonet_session_node(room->session);
        nonet_session_prune(room->session, node); /* which goes to its parent */
    }
    room->clocks.running = 0;
    forget_offers(room);
    forget_promises(room);
    return true;
}

static bool apply_offer(struct room *room, const struct room_event *event) {
    struct room_offer *offer = &room->offers[event->offer];
    struct offered *offered = room->offered[event->offer];
    switch (event->kind) {
    case ROOM_OFFERED:
        *offer = (struct room_offer){.open = true,
                                     .seat = event->seat,
                                     .agreed = (uint8_t)(1u << (event->seat - 1)),
                                     .ply = event->ply,
                                     .id = event->id};
        offered[event->seat - 1].id = event->id;
        return true;
    case ROOM_AGREES:
        offer->agreed |= (uint8_t)(1u << (event->seat - 1));
        return offer->open;
    case ROOM_DECLINED:
        offered[offer->seat - 1].quiet_till = offer->ply + ROOM_QUIET;
        break;
    case ROOM_ACCEPTED:
        offer->agreed |= (uint8_t)(1u << (event->seat - 1));
        break;
    default:
        break;
    }
    bool open = offer->open && offer->id == event->id;
    offer->open = false;
    offer->answer = (uint8_t)event->kind;
    offer->answered_by = event->seat;
    return open;
}

bool room_apply(struct room *room, const struct room_event *event) {
    int most = players(room);
    bool about_seat = event->kind != ROOM_BEGAN && event->kind != ROOM_ENDED &&
                      event->kind != ROOM_FOLLOWED && event->kind != ROOM_PAIRED;
    if (event->seat > most || (about_seat && event->seat == 0) || event->offer >= ROOM_OFFER_KINDS)
        return false;
    switch (event->kind) {
    case ROOM_SAT: {
        struct room_seat *seat = &room->seats[event->seat - 1];
        if (room->phase != ROOM_WAITING || seat->taken || event->who == ROOM_COMPUTER)
            return false;
        seat->taken = true;
        seat->who = event->who;
        memcpy(seat->name, event->name, sizeof seat->name);
        seat->name[sizeof seat->name - 1] = '\0';
        return true;
    }
    case ROOM_STOOD:
        if (room->phase != ROOM_WAITING || room->seats[event->seat - 1].level > 0)
            return false;
        room->seats[event->seat - 1] =
            (struct room_seat){.left = room->seats[event->seat - 1].left + 1};
        return true;
    case ROOM_BEGAN:
        if (room->phase != ROOM_WAITING || !is_full(room, 0))
            return false;
        room->phase = ROOM_PLAYING;
        return true;
    case ROOM_MOVED:
        return apply_move(room, event);
    case ROOM_CLOCKED:
        room->clocks.left[event->seat - 1] = event->left;
        return true;
    case ROOM_UNDONE:
        return apply_undo(room, event);
    case ROOM_OFFERED:
    case ROOM_WITHDRAWN:
    case ROOM_DECLINED:
    case ROOM_ACCEPTED:
    case ROOM_AGREES:
        return apply_offer(room, event);
    case ROOM_SAID:
        return event->phrase < ROOM_PHRASES;
    case ROOM_REGAINED: {
        struct room_seat *seat = &room->seats[event->seat - 1];
        seat->who = event->who;
        return seat->taken && seat->level == 0 && event->who != ROOM_COMPUTER;
    }
    case ROOM_FOLLOWED:
        room->next = event->next;
        return room->phase == ROOM_OVER;
    case ROOM_ENDED:
        if (room->phase != ROOM_PLAYING &&
            (room->phase != ROOM_WAITING || event->ending != ROOM_ABORTED))
            return false;
        room->phase = ROOM_OVER;
        room->ending = event->ending;
        room->ended_by = event->seat;
        room->winners = event->winners;
        room->clocks.running = 0;
        forget_offers(room);
        forget_promises(room);
        return true;
    case ROOM_PAIRED:
        if (room->plan.twin == 0 || room->twin_over)
            return false;
        room->twin_over = true;
        room->twin_winners = event->winners;
        return true;
    case ROOM_PROMISED:
        return apply_promise(room, event);
    }
    return false;
}

void room_go_on(struct room *room, int64_t now) {
    if (room->clocks.running == 0)
        clock_run(&room->clocks, turn_of(room), now);
}
