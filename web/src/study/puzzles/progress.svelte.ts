/* What is remembered of solving: days in a row, best runs, and how today's puzzle went. */
import { fetchStored, store } from "../../game/storage";
import { today } from "./choice";

interface Kept {
  last: number; // the last day on which a puzzle was solved
  days: number; // days with a puzzle, in a row
  hidden: boolean; // the reader does not want to see that
  runs: Record<string, number>; // the best run of each game, and "all"
  today: { day: number; solved: boolean } | null; // how the puzzle of a day went, at the first try
}

const NOTHING: Kept = { last: 0, days: 0, hidden: false, runs: {}, today: null };
const FORGIVEN = 1; // missed days between two days in a row

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/* What is readable; the storage may hold anything. */
function read(): Kept {
  const found = fetchStored("puzzles") as Partial<Kept> | null | undefined;
  if (typeof found !== "object" || found === null) return NOTHING;
  const { last, days, hidden, runs, today: latest } = found;
  return {
    last: isCount(last) ? last : 0,
    days: isCount(last) && isCount(days) ? days : 0,
    hidden: hidden === true,
    runs: typeof runs === "object" && runs !== null ? Object.fromEntries(Object.entries(runs).filter(([, best]) => isCount(best))) : {},
    today: typeof latest === "object" && latest !== null && isCount(latest.day) ? { day: latest.day, solved: latest.solved === true } : null,
  };
}

class Progress {
  private kept = $state.raw<Kept>(read());
  /* The browser refused to store something. */
  unstored = $state(false);

  private set(news: Partial<Kept>): void {
    this.kept = { ...this.kept, ...news };
    this.unstored = !store("puzzles", this.kept);
  }

  /* Days in a row; 0 once they are over. One that was missed is forgiven. */
  get streak(): number {
    return today() - this.kept.last <= 1 + FORGIVEN ? this.kept.days : 0;
  }
  get streakHidden(): boolean {
    return this.kept.hidden;
  }
  set streakHidden(hidden: boolean) {
    this.set({ hidden });
  }

  bestRun(game: string | null): number {
    return this.kept.runs[game ?? "all"] ?? 0;
  }

  /* True if it is the best so far. */
  endRun(game: string | null, solved: number): boolean {
    if (solved <= this.bestRun(game)) return false;
    this.set({ runs: { ...this.kept.runs, [game ?? "all"]: solved } });
    return true;
  }

  /* How today's puzzle went; null if it was not tried. */
  get todays(): boolean | null {
    return this.kept.today?.day === today() ? this.kept.today.solved : null;
  }
  endToday(solved: boolean): void {
    if (this.todays === null) this.set({ today: { day: today(), solved } });
  }

  /* A puzzle was solved today. */
  solved(): void {
    const day = today();
    if (day !== this.kept.last) this.set({ days: this.streak + 1, last: day });
  }
}

export const progress = new Progress();
