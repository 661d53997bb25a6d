/* A hand over a board of cells: where it is, what it carries, and what would happen if it let go there. Whatever it
 * does becomes touches of places, which the table understands; no game is known here. */
import type { Difference, Piece, Scene } from "../engine/engine";
import type { Overlay } from "../view/spots";
import { apart, isAlike, isUnder, lost, type Point } from "./pieces";
import type { Table } from "./table.svelte";

/* A move that one more touch completes, and the piece that it puts there. */
interface Landing {
  place: number;
  move: string;
  preview: Difference;
  piece: Piece;
}

export class Hand {
  /* Where a pointer is, in thousandths of a unit, or the cell where the keyboard is. */
  private over = $state.raw<Point | number | null>(null);
  /* What is being dragged, and the cell it comes from. */
  private carried = $state.raw<{ piece: Piece; from: number | null } | null>(null);
  /* A finger has shown where a piece would lie; the next touch lays it down. */
  pinned = $state(false);
  /* Where on the board a point of the window is; set by the view. */
  locate: (clientX: number, clientY: number) => Point | null = () => null;

  /* What is laid over the board, and on the buttons beside it. */
  overlay = $state.raw<Overlay | null>(null);

  /* Which of the figures that counted is pointed at. */
  figure = $state<number | null>(null);

  constructor(readonly table: Table) {}

  private readonly landings: Landing[] = $derived.by(() =>
    this.table.completions.flatMap(({ place, move }) => {
      const preview = this.cells.has(place) ? this.table.preview(move) : null;
      const piece = preview?.placed.find((placed) => placed.place === place) ?? preview?.placed[0];
      return preview && piece ? [{ place, move, preview, piece }] : [];
    }),
  );

  private get scene(): Scene {
    return this.table.position.scene;
  }

  private readonly cells: Set<number> = $derived.by(
    () => new Set(this.scene.places.flatMap((place, index) => (place.kind === "cell" ? [index] : []))),
  );

  /* Whether the piece to place covers more than a cell, so that a finger shows its place before it is laid. */
  readonly isLarge: boolean = $derived.by(() => {
    const first = this.landings[0];
    if (first === undefined) return false;
    const cell = this.scene.places[first.place]!;
    return this.landings.some(({ piece }) => piece.width > cell.width || piece.depth > cell.depth);
  });

  /* Where such a piece would have its middle, by the place that is touched. */
  readonly middles: Map<number, Point> = $derived.by(() => new Map(this.isLarge ? this.landings.map(({ place, piece: { x, y } }) => [place, { x, y }]) : []));

  /* What a hint suggests. */
  private readonly hint: { move: string; place: number | null; preview: Difference } | null = $derived.by(() => {
    const { notice, waiting } = this.table;
    const preview = waiting && notice?.kind === "hint" && notice.move !== undefined ? this.table.preview(notice.move) : null;
    return preview && { move: notice!.move!, place: notice!.place, preview };
  });

  /* Whether a touch here takes the hint: it is on one of its ghosts. But a piece that can be chosen there is chosen, unless
   * the suggested move ends there. */
  private isOnHint(at: Point | number | null): boolean {
    if (this.hint === null || at === null) return false;
    const cell = typeof at === "number" ? at : this.cellAt(at);
    const isThere = (piece: Piece) => piece.place === cell || isUnder(piece, typeof at === "number" ? this.middle(at) : at);
    const isChoice = cell !== null && cell !== this.hint.place && this.table.next.has(cell) && this.isOccupied(cell);
    return this.hint.preview.placed.some(isThere) && !isChoice;
  }

  private takeHint(): void {
    const { move } = this.hint!;
    this.leave();
    this.table.play(move);
  }

  private middle(cell: number): Point {
    const { x, y, width, depth } = this.scene.places[cell]!;
    return { x: x + width / 2, y: y + depth / 2 };
  }

  private isOccupied(cell: number): boolean {
    return this.scene.pieces.some((piece) => piece.place === cell);
  }

  /* The move that letting go here would complete. */
  readonly landing: Landing | null = $derived.by(() => {
    const over = this.over;
    if (over === null || !this.table.waiting || this.isOnHint(over)) return null;
    if (typeof over === "number") return this.landings.find(({ place }) => place === over) ?? null;
    return this.nearest(over, this.pinned ? Infinity : 0);
  });

  /* The landing whose piece has its centre nearest to this point. The piece must lie under the point, or within reach. */
  private nearest(point: Point, reach: number): Landing | null {
    const under = this.landings.filter(
      ({ place, piece }) => reach > 0 || this.cellAt(point) === place || isUnder(piece, point),
    );
    const by = (landing: Landing) => apart(landing.piece, point);
    const best = under.reduce<Landing | null>((found, next) => (found === null || by(next) < by(found) ? next : found), null);
    return best !== null && (reach === 0 || by(best) <= reach) ? best : null;
  }

  /* The cell where the keyboard is. */
  get cell(): number | null {
    return typeof this.over === "number" ? this.over : null;
  }

  /* What would change: by the move that a hint suggests, and by letting go here. */
  private readonly shown: Difference[] = $derived.by(() => [this.hint, this.landing].flatMap((move) => move?.preview ?? []));
  /* What would stand where; what would go. */
  readonly ghosts: Piece[] = $derived.by(() => this.shown.flatMap(({ placed }) => placed));
  readonly lost: Piece[] = $derived.by(() => this.shown.flatMap(lost));
  /* The ghosts that wait to be touched; others follow the pointer. */
  readonly offers: Piece[] = $derived.by(() => [...(this.hint?.preview.placed ?? []), ...((this.pinned && this.landing?.preview.placed) || [])]);

  /* Where to point: the cells that can be touched, or the middle of what would lie there. */
  readonly targets: (Point & { place: number })[] = $derived.by(() => {
    if (this.isLarge) return this.landing === null ? this.landings.map(({ place, piece: { x, y } }) => ({ place, x, y })) : [];
    return [...this.table.next].filter((place) => this.cells.has(place) && !this.isOccupied(place)).map((place) => ({ place, ...this.middle(place) }));
  });

  /* The piece where it cannot lie. */
  readonly missed: Piece | null = $derived.by(() => {
    const first = this.landings[0];
    if (this.over === null || this.landing !== null || first === undefined || !this.isLarge || this.isOnHint(this.over)) return null;
    const anchor = typeof this.over === "number" ? this.over : this.anchorAt(this.over);
    const place = anchor === null ? undefined : this.scene.places[anchor];
    if (place === undefined || place.kind !== "cell") return null;
    const home = this.scene.places[first.place]!;
    return { ...first.piece, x: first.piece.x + place.x - home.x, y: first.piece.y + place.y - home.y };
  });

  /* What is in the hand, while it is dragged. */
  readonly held: Piece | null = $derived.by(() => {
    if (this.carried === null || this.over === null || typeof this.over === "number") return null;
    const shape = this.landing?.piece ?? this.landings[0]?.piece ?? this.carried.piece;
    return { ...shape, ...this.over };
  });
  readonly lifted: number | null = $derived.by(() => (this.held === null ? null : this.carried!.from));

  cellAt({ x, y }: Point): number | null {
    for (const index of this.cells) {
      const place = this.scene.places[index]!;
      if (x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + place.depth) return index;
    }
    return null;
  }

  /* The cell that names a piece with its centre here; but whoever touches a cell that is pointed out means that one. */
  private anchorAt(point: Point): number | null {
    const first = this.landings[0];
    const cell = this.cellAt(point);
    if (first === undefined || !this.isLarge || (cell !== null && this.table.marked.includes(cell))) return cell;
    const home = this.scene.places[first.place]!;
    const centre = { x: home.x + home.width / 2, y: home.y + home.depth / 2 };
    return this.cellAt({ x: point.x + centre.x - first.piece.x, y: point.y + centre.y - first.piece.y }) ?? cell;
  }

  /* ---- Pointing ---- */

  point(at: Point | number | null): void {
    if (!this.pinned) this.over = at;
  }

  /* A finger moves what it has shown before. */
  guide(at: Point): void {
    if (this.pinned) this.over = at;
  }

  leave(): void {
    this.pinned = false;
    this.over = null;
  }

  /* A key on a cell. */
  press(cell: number): void {
    if (this.isOnHint(cell)) this.takeHint();
    else this.table.touch(cell);
  }

  /* A click, or the tap of a finger, which cannot point before it touches. */
  tap(point: Point, isFinger: boolean): void {
    if (this.isOnHint(point)) return this.takeHint();
    if (this.pinned && this.landing !== null && isUnder(this.landing.piece, point)) return this.layDown();
    const near = isFinger && this.isLarge ? this.nearest(point, 2 * this.scene.places[this.landings[0]!.place]!.width) : null;
    if (near !== null && !(this.pinned && near === this.landing)) {
      this.show(near);
      return;
    }
    const place = near?.place ?? this.nearest(point, 0)?.place ?? this.anchorAt(point);
    this.leave();
    if (place !== null) this.table.touch(place);
  }

  /* The first tap shows where the piece would lie, the next one there lays it down. */
  private show(landing: Landing): void {
    this.pinned = true;
    this.over = { x: landing.piece.x, y: landing.piece.y };
    this.table.notice = null;
  }

  /* To the next place in a direction where the piece may lie. */
  nudge(dx: number, dy: number): void {
    const from = this.landing?.piece ?? { x: this.scene.width / 2, y: this.scene.depth / 2 };
    const effort = ({ piece }: Landing) => {
      const [x, y] = [piece.x - from.x, piece.y - from.y];
      const ahead = x * dx + y * dy;
      return ahead > 0 ? ahead + 2 * Math.abs(x * dy - y * dx) : Infinity;
    };
    const best = this.landings.reduce<Landing | null>((found, next) => (effort(next) < (found ? effort(found) : Infinity) ? next : found), null);
    if (best === null) return;
    this.pinned = true;
    this.over = { x: best.piece.x, y: best.piece.y };
  }

  layDown(): void {
    const place = this.landing?.place;
    this.leave();
    if (place !== undefined) this.table.touch(place);
  }

  /* ---- Dragging ---- */

  /* The piece that a drag from this cell would carry. */
  grip(cell: number): Piece | null {
    const table = this.table;
    const isStep = table.touched.includes(cell) || (table.next.has(cell) && !table.completions.some(({ place }) => place === cell));
    // Some pieces move without being touched first, since no other could.
    const isMoved = () => this.landings.some(({ piece, preview }) => preview.gone.some((other) => other.place === cell && isAlike(other, piece)));
    if (!isStep && !isMoved()) return null;
    const pieces = this.scene.pieces.filter((piece) => piece.place === cell);
    return pieces.reduce<Piece | null>((top, piece) => (top === null || piece.z > top.z ? piece : top), null);
  }

  /* Picks a piece up: the first touch of a drag, unless it has been made. */
  pick(piece: Piece, place: number | null): void {
    this.leave();
    this.carried = { piece, from: place !== null && this.cells.has(place) ? place : null };
    if (place !== null && this.table.next.has(place) && !this.table.touched.includes(place)) this.table.touch(place);
  }

  carry(at: Point | null): void {
    if (this.carried) this.over = at;
  }

  /* Lets go: the last touch of a drag. Back where it came from, the piece stays chosen. */
  drop(at: Point | null): void {
    const carried = this.carried;
    if (carried === null) return;
    const landing = at === null ? null : this.nearest(at, 0);
    const place = landing?.place ?? (at === null ? null : this.anchorAt(at));
    this.cancel();
    if (landing !== null) this.table.touch(landing.place);
    else if (place === null) this.table.letGo();
    else if (place !== carried.from) this.table.refuse(place);
  }

  cancel(): void {
    this.carried = null;
    this.leave();
  }

  /* ---- Choosing how a piece stands ---- */

  /* The piece as it stands in one of the ways. */
  shapeOf(way: number): Piece | null {
    const step = this.table.touched.findIndex((place) => this.table.ways.includes(place));
    const preview = this.table.example([...this.table.touched.slice(0, step), way]);
    return preview?.placed[0] ?? null;
  }

  /* From the chosen alternative to the next one that fits. */
  private cycle(all: number[], step: number, fits: (place: number) => boolean = () => true): void {
    const chosen = all.findIndex((place) => this.table.touched.includes(place));
    for (let i = 1; i <= all.length; i++) {
      const next = all[(Math.max(chosen, -step) + i * step + all.length * all.length) % all.length]!;
      if (next === all[chosen] || !fits(next)) continue;
      this.table.touch(next);
      return;
    }
  }

  otherWay(step: number): void {
    this.cycle(this.table.ways, step);
  }

  otherKind(): void {
    this.cycle(this.table.kinds, 1);
  }

  /* Turns the piece; its height stays the same. */
  turn(): void {
    const now = this.chosenShape();
    this.cycle(this.table.ways, 1, (way) => now === null || this.shapeOf(way)?.height === now.height);
  }

  /* Stands it higher, or lays it flat again; its long side keeps its direction. */
  stand(): void {
    const now = this.chosenShape();
    if (now === null) return this.otherWay(1);
    const isLong = (piece: Piece) => piece.width > piece.depth;
    this.cycle(this.table.ways, 1, (way) => {
      const shape = this.shapeOf(way);
      return shape !== null && shape.height !== now.height && isLong(shape) === isLong(now);
    });
  }

  private chosenShape(): Piece | null {
    const way = this.table.ways.find((place) => this.table.touched.includes(place));
    return way === undefined ? null : this.shapeOf(way);
  }
}
