/* Which puzzle comes next: today's, those of a run, and any number of one kind. */
import { all, type Listed, type Theme } from "./lists";

const DAY = 24 * 60 * 60 * 1000;

/* Days are counted in UTC, so that it is the same day for everybody. */
export const today = (): number => Math.floor(Date.now() / DAY);

function divides(a: number, b: number): number {
  return b === 0 ? a : divides(b, a % b);
}

/* The puzzle of a day. Day by day a stride leads through all lists. It has no divisor in common with their length, so
 * none comes back before all others had their day; and it is long, so that the game changes. */
export function ofDay(day: number, puzzles: Listed[] = all): Listed {
  const count = puzzles.length;
  let stride = Math.max(1, Math.round(count * 0.618));
  while (divides(stride, count) !== 1) stride--;
  return puzzles[(day * stride) % count]!;
}

/* A random order. */
function shuffled<T>(list: T[]): T[] {
  const rest = [...list];
  return rest.map((_, i) => {
    const other = i + Math.floor(Math.random() * (rest.length - i));
    [rest[i], rest[other]] = [rest[other]!, rest[i]!];
    return rest[i]!;
  });
}

/* A few of each level, from the lowest to the highest; then what is left of the highest levels. */
const PER_LEVEL = 3;
export function rising(game: string | null): Listed[] {
  const mixed = shuffled(all.filter((one) => game === null || one.game === game));
  const taken = new Map<number, number>();
  const steps = mixed.filter(({ level }) => {
    taken.set(level, (taken.get(level) ?? 0) + 1);
    return taken.get(level)! <= PER_LEVEL;
  });
  const rest = mixed.filter((one) => !steps.includes(one));
  const hardest = Math.max(0, ...steps.map(({ level }) => level));
  return [...steps.sort((a, b) => a.level - b.level), ...rest.filter(({ level }) => level === hardest)];
}

export const ofKind = (game: string | null, theme: Theme | null): Listed[] =>
  all.filter((one) => (game === null || one.game === game) && (theme === null || one.themes.includes(theme)));

export const anyOf = (game: string | null, theme: Theme | null): Listed[] => shuffled(ofKind(game, theme));
