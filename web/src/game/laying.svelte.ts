/* Laying a piece where there are too many moves to list: a hand holds a piece of some kind over the floor, at some
 * angle. The engine names the nearest place where it may lie, and all places that are possible at this angle. All
 * views of the table share one of these. */
import type { Engine, Piece, Scene } from "../engine/engine";

/* Which centres are possible: a bit for each point of a square lattice over the floor, row by row from the
 * first player's side. */
export interface Region {
  side: number;
  isPossible(column: number, row: number): boolean;
}

const TWICE = 400; // milliseconds in which a second click still belongs to the first

export class Laying {
  kind = $state(0); // of the kinds of pieces there are
  x = $state(0); // where the hand is, in thousandths of a unit
  y = $state(0);
  angle = $state(0); // degrees counter-clockwise
  begun = $state(false); // the hand has been over the floor
  private clicked = -TWICE; // when a click laid something down

  /* What there is to lay, and whether a person may lay it now, changes with the game. */
  constructor(
    private readonly engine: Engine,
    private readonly source: () => Scene,
    private readonly mayLay: () => boolean,
  ) {}

  readonly scene: Scene = $derived.by(() => this.source());
  readonly active: boolean = $derived.by(() => this.mayLay());

  /* The supplies: one for each kind. */
  readonly kinds: Piece[] = $derived.by(() => this.scene.pieces.filter((piece) => this.scene.places[piece.place]!.kind === "hand"));
  private readonly place: number = $derived.by(() => this.kinds[Math.min(this.kind, this.kinds.length - 1)]?.place ?? -1);

  /* What lies on the floor, for screen readers. */
  readonly lying: Piece[] = $derived.by(() => this.scene.pieces.filter((piece) => this.scene.places[piece.place]!.kind === "floor"));

  /* The legal move nearest to where the hand is, which may change with the position. */
  readonly landing: string | null = $derived.by(() => {
    void this.scene;
    return this.nearest(this.place, this.angle);
  });
  readonly ghost: Piece | null = $derived.by(() => this.landing === null || !this.begun ? null : this.engine.ghost(this.landing));

  /* Changes with the kind, the angle and the position only: not with every move of the hand. */
  readonly region: Region | null = $derived.by(() => {
    if (!this.begun || !this.active || this.place < 0) return null;
    void this.scene;
    const like = this.engine.wish(this.place, 0, 0, this.angle);
    const region = like === null ? null : this.engine.region(like);
    if (region === null) return null;
    const halves = new Uint32Array(region.bits.buffer);
    return {
      side: region.rows,
      isPossible: (column, row) => ((halves[2 * row * region.words + (column >> 5)]! >>> (column & 31)) & 1) === 1,
    };
  });

  private nearest(place: number, angle: number): string | null {
    const wish = this.active && place >= 0 ? this.engine.wish(place, this.x, this.y, angle) : null;
    return wish === null ? null : this.engine.nearest(wish);
  }

  start(): void {
    if (!this.begun) this.moveTo(this.scene.width / 2, this.scene.depth / 2);
  }

  /* What a click lays down, if anything. */
  click({ timeStamp }: Event): string | null {
    if (this.landing === null || timeStamp - this.clicked < TWICE) return null;
    this.clicked = timeStamp;
    return this.landing;
  }

  /* Holds a piece just as a move would lay it down. */
  show(move: string): void {
    const piece = this.engine.ghost(move);
    if (piece === null) return;
    const kind = this.kinds.findIndex(({ height }) => height === piece.height);
    this.kind = Math.max(kind, 0);
    this.angle = piece.angle;
    this.moveTo(piece.x, piece.y);
  }

  moveTo(x: number, y: number): void {
    this.begun = true;
    this.x = Math.min(Math.max(x, 0), this.scene.width);
    this.y = Math.min(Math.max(y, 0), this.scene.depth);
  }

  moveBy(dx: number, dy: number): void {
    this.start();
    this.moveTo(this.x + dx, this.y + dy);
  }

  turn(degrees: number): void {
    this.start();
    this.angle = (((this.angle + degrees) % 360) + 360) % 360;
  }

  choose(kind: number): void {
    this.start();
    this.kind = kind;
  }

  /* Another possible place: of the same kind at another angle, else of another kind. When the floor is nearly full, every
   * degree counts. */
  another(): void {
    this.start();
    for (const degrees of [15, 1])
      for (let i = 0; i < this.kinds.length; i++) {
        const kind = (this.kind + i) % this.kinds.length;
        for (let turned = degrees; turned <= 360; turned += degrees) {
          const angle = (this.angle + turned) % 360;
          const move = this.nearest(this.kinds[kind]!.place, angle);
          if (move === null || move === this.landing) continue;
          [this.kind, this.angle] = [kind, angle];
          return;
        }
      }
  }
}
