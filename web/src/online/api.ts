/* What the server for tables says and takes; docs/api.md explains it. */

export type Clock = { kind: "none" } | { kind: "game"; budget: number; increment: number } | { kind: "move"; budget: number; pause: number };
export type Phase = "waiting" | "playing" | "over";
export type Ending = "rules" | "resigned" | "flagged" | "deserted" | "agreed" | "exhausted" | "aborted";
export type OfferKind = "draw" | "take-back" | "rematch";

/* A seat has a name, or the level of a computer, or nobody yet. */
export interface FarSeat {
  name?: string;
  level?: number;
  present?: boolean;
  left?: number; // milliseconds on the clock
}

export interface Offer {
  offer: OfferKind;
  seat: number;
  ply: number;
  id: string;
}

/* The other of two games from one opening with the seats swapped, and the score of both for the seats of this one. */
export interface Pair {
  table: string;
  opening: number; // moves that chance made
  over: boolean; // the other game is
  halves: number[]; // of a point, from the games that are over
}

/* A table as one visitor may know it. */
export interface FarTable {
  table: string;
  number: number;
  listed: boolean;
  game: string;
  options: Record<string, string>;
  moves: string[];
  first?: string; // with hidden information: the first position and the present one, as this visitor may know them
  seen?: string;
  phase: Phase;
  ending?: Ending;
  by?: number; // the seat that resigned, was flagged or left
  winners?: number[];
  clock: Clock;
  running?: number;
  seats: FarSeat[];
  offers: Offer[];
  next?: string; // the table of the rematch
  you?: number;
  lines?: string[][]; // one's own conditional moves
  pair?: Pair;
}

/* A table in a list. */
export interface Listed {
  table: string;
  game: string;
  options: Record<string, string>;
  phase: Phase;
  clock: Clock;
  seats: FarSeat[];
  ply: number;
  turn: number;
  you?: number;
}

export interface Plan {
  id: string;
  game: string;
  options: Record<string, string>;
  clock: Clock;
  seats: ({ name: string } | { level: number } | Record<string, never>)[];
  listed: boolean;
  pair?: boolean;
}

export type Wish =
  | { wish: "sit"; seat: number; name: string }
  | { wish: "stand" | "resign" | "abort" | "claim"; seat: number }
  | { wish: "move"; seat: number; ply: number; id: string; move: string; spent?: number }
  | { wish: "offer" | "accept"; seat: number; offer: OfferKind; id: string; ply: number }
  | { wish: "withdraw" | "decline"; seat: number; offer: OfferKind; id: string }
  | { wish: "say"; seat: number; phrase: number }
  | { wish: "promise"; seat: number; ply: number; id: string; lines: string[][] };

interface AtTable {
  table: string;
  number: number;
}

/* What happens at a table. */
export type FarEvent =
  | ({ event: "table" } & FarTable)
  | { event: "missing"; table: string }
  | { event: "present"; table: string; seats: number[] }
  | { event: "promised"; table: string; lines: string[][] }
  | (AtTable &
      (
        | { event: "sat"; seat: number; name: string }
        | { event: "stood" | "regained"; seat: number }
        | { event: "began" }
        | { event: "moved"; seat: number; ply: number; move: string; left: number; seen?: string }
        | { event: "offered"; seat: number; offer: OfferKind; id: string; ply: number }
        | { event: "withdrawn" | "declined" | "accepted" | "agrees"; seat: number; offer: OfferKind; id: string }
        | { event: "undone"; seat: number; ply: number }
        | { event: "said"; seat: number; phrase: number }
        | { event: "ended"; ending: Ending; seat: number; winners: number[] }
        | { event: "followed"; next: string }
        | { event: "paired"; ending: Ending; winners: number[] }
      ));

/* So many lines of so many moves can be promised. */
export const MOST_LINES = 20;
export const MOST_PLIES = 20;

/* Why the server refused something. */
export class FarRefusal extends Error {
  constructor(
    readonly status: number,
    readonly kind: string,
    message: string,
    readonly table?: FarTable, // with a conflict: how it stands now
  ) {
    super(message);
  }
}

/* How the connection is: told calmly, and never given up. */
export type Connection = "connecting" | "connected" | "lost";

/* The server, for everything in the page that plays there: web/src/online/client.svelte.ts. Requests that could not be
 * sent are tried again with the same id until there is an answer; a refusal is thrown as a FarRefusal. */
export interface Server {
  readonly connection: Connection;
  open(plan: Omit<Plan, "id">): Promise<FarTable>;
  ask(table: string, wish: Wish): Promise<number>; // the number of the last event that it led to
  lobby(): Promise<Listed[]>;
  own(): Promise<Listed[]>;
  key(table: string, seat: number): Promise<string>; // of a seat, for a private link
  useKey(table: string, seat: number, key: string): Promise<FarTable>;
  /* Listens to a table until the function that is returned is called. Everything that happens there comes in order and
   * once; after an interruption the whole table may come in between. */
  listen(table: string, hear: (event: FarEvent) => void): () => void;
}

/* An id for a request that nobody else chooses. */
export const newId = (): string => {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return ((BigInt(words[0]! >>> 1) << 32n) | BigInt(words[1]! || 1)).toString();
};
