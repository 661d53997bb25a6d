/* The deck of what was failed. A puzzle that was failed comes back after a day. Each time it is solved when it is due,
 * it stays away longer, and after the last time for good; when it is failed again, it begins anew. */
import { fetchStored, store } from "../../game/storage";
import { today } from "./choice";
import { isPuzzle, type Puzzle } from "./lists";

export const AFTER_DAYS = [1, 3, 7, 21, 60];
const MOST = 500; // a deck that is larger would not be worked through, and fills the browser's storage
const KEY = "deck";

interface Card {
  puzzle: Puzzle;
  solved: number; // how often it was solved when it was due
  due: number; // the day
}

function isCard(value: unknown): value is Card {
  const card = value as Card | null;
  return (
    typeof card === "object" &&
    card !== null &&
    isPuzzle(card.puzzle) &&
    Number.isInteger(card.due) &&
    Number.isInteger(card.solved) &&
    card.solved >= 0 &&
    card.solved < AFTER_DAYS.length
  );
}

/* What can be read of it; `damaged` if something cannot. */
function read(): { cards: Card[]; damaged: boolean } {
  const found = fetchStored(KEY);
  if (found === null) return { cards: [], damaged: false };
  if (!Array.isArray(found)) return { cards: [], damaged: true };
  const cards = found.filter(isCard);
  return { cards, damaged: cards.length < found.length };
}

const isSame = (a: Puzzle, b: Puzzle) =>
  a.game === b.game && a.from === b.from && JSON.stringify(Object.entries(a.options).sort()) === JSON.stringify(Object.entries(b.options).sort());

/* Puts a puzzle that was failed into the deck. False if the browser does not store it. */
export function addToDeck(puzzle: Puzzle): boolean {
  const others = read().cards.filter((card) => !isSame(card.puzzle, puzzle));
  return store(KEY, [...others.slice(1 - MOST), { puzzle, solved: 0, due: today() + AFTER_DAYS[0]! }]);
}

/* A puzzle was solved without a mistake: if it is in the deck, and due, it stays away longer. */
export function solvedInDeck(puzzle: Puzzle): boolean {
  const { cards } = read();
  const card = cards.find((one) => isSame(one.puzzle, puzzle));
  if (!card || card.due > today()) return true;
  const solved = card.solved + 1;
  const others = cards.filter((one) => one !== card);
  return store(KEY, solved < AFTER_DAYS.length ? [...others, { puzzle: card.puzzle, solved, due: today() + AFTER_DAYS[solved]! }] : others);
}

export interface DeckState {
  due: Puzzle[]; // what has waited longest comes first
  size: number;
  next: number | null; // days until the next one is due
  damaged: boolean;
}

/* Of one game, or of all. */
export function lookAtDeck(game: string | null): DeckState {
  const { cards, damaged } = read();
  const own = cards.filter(({ puzzle }) => game === null || puzzle.game === game).sort((a, b) => a.due - b.due);
  const day = today();
  const due = own.filter((card) => card.due <= day);
  const later = own.find((card) => card.due > day);
  return { due: due.map(({ puzzle }) => puzzle), size: own.length, next: later ? later.due - day : null, damaged };
}

/* Keeps what can be read of a damaged deck. */
export const repairDeck = (): boolean => store(KEY, read().cards);
