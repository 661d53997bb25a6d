/* A mistake of a game as a puzzle, for the deck of what was failed (puzzles/deck.ts). */
import { judge } from "../truth/judge";
import type { Outcome, Puzzle, Wrong } from "../puzzles/lists";

/* The position of a game with these lines (as page_new takes them) as a question. Null where not every move is proven,
 * where nothing can be kept, and where something is hidden. `refutations`: best play after moves that were tried. */
export async function cardOf(game: string, options: Record<string, string>, lines: string, refutations: Record<string, string[]>): Promise<Puzzle | null> {
  const { moves, turn, position } = await judge(lines, { line: false });
  const [best] = moves;
  const isProven = moves.every(({ judged, known, value }) => judged && known === "proven" && value !== null);
  if (!best?.value || position === null || best.value === "loss" || !isProven || Number(options.players ?? 2) > 2) return null;
  const isRight = ({ value }: { value: Outcome | null }) => value === best.value;
  const refuted = ({ text, value, distance, margin }: (typeof moves)[number]): Wrong => [value!, distance ?? margin ?? 0, ...(refutations[text] ?? [])];
  return {
    game,
    options,
    from: position,
    turn,
    value: best.value,
    distance: best.distance,
    margin: best.margin,
    themes: [],
    level: null,
    steps: [
      {
        right: Object.fromEntries(moves.filter(isRight).map(({ text }) => [text, [] as []])),
        wrong: Object.fromEntries(moves.filter((move) => !isRight(move)).map((move) => [move.text, refuted(move)])),
      },
    ],
  };
}
