/* Going over a grid of cells by keys: one cell at a time is in the tab order. */
import { tick } from "svelte";

export class Walking {
  row = $state(0);
  column = $state(0);
  grid = $state<HTMLElement>();

  /* The cells as they stand in the picture, row by row. */
  constructor(private readonly rows: () => { index: number }[][]) {}

  isAt(row: number, column: number): boolean {
    return row === this.row && column === this.column;
  }

  async goTo(row: number, column: number): Promise<void> {
    const rows = this.rows();
    this.row = Math.min(Math.max(row, 0), rows.length - 1);
    this.column = Math.min(Math.max(column, 0), rows[this.row]!.length - 1);
    await tick();
    this.grid?.querySelector<HTMLElement>(`[data-place="${rows[this.row]![this.column]!.index}"]`)?.focus();
  }

  /* What a key does: arrows, Home and End walk, with Ctrl to the end; `more` are keys that do something else. */
  key(event: KeyboardEvent, more: Record<string, () => void>): void {
    if (event.altKey || event.metaKey) return;
    const { row, column } = this;
    const far = event.ctrlKey;
    const go = (r: number, c: number) => () => void this.goTo(r, c);
    const keys: Record<string, () => void> = {
      ArrowUp: go(far ? 0 : row - 1, column),
      ArrowDown: go(far ? Infinity : row + 1, column),
      ArrowLeft: go(row, far ? 0 : column - 1),
      ArrowRight: go(row, far ? Infinity : column + 1),
      Home: go(far ? 0 : row, 0),
      End: go(far ? Infinity : row, Infinity),
      ...more,
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
