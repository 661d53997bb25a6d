/* Laying a piece where there are too many moves to list: a hand holds a piece of some kind over the floor, at some
 * angle. The engine names the nearest place where it may lie, and all places that are possible at this angle. Over a
 * short way the piece slips there by itself; farther off it cannot lie, and the engine says why. All views of the table
 * share one of these. */
import type { Engine, Piece, Scene } from "../engine/engine";
import { apart, isUnder, type Point } from "./pieces";

/* Which centres are possible: a bit for each point of a square lattice over the floor, row by row from the
 * first player's side. */
export interface Region {
  side: number;
  isPossible(column: number, row: number): boolean;
}

const TWICE = 400; // milliseconds in which a second click still belongs to the first
const SLIP = 6000; // thousandths of a unit that a piece may lie away from where it was wanted
const HEARD = 15000; // so far away from a refusal, the hand has left it

export class Laying {
  kind = $state(0); // of the kinds of pieces there are
  x = $state(0); // where the hand is, in thousandths of a unit
  y = $state(0);
  angle = $state(0); // degrees counter-clockwise
  begun = $state(false); // the hand has been over the floor
  private clicked = -TWICE; // when a click laid something down
  private refused = $state.raw<(Point & { text: string; scene: Scene }) | null>(null);
  private suggested = $state.raw<{ move: string; scene: Scene } | null>(null);

  /* What there is to lay, and whether a person may lay it now, changes with the game. */
  constructor(
    private readonly engine: Engine,
    private readonly source: () => Scene,
    private readonly mayLay: () => boolean,
    private readonly onrefused: (wish: string) => void,
  ) {}

  readonly scene: Scene = $derived.by(() => this.source());
  readonly active: boolean = $derived.by(() => this.mayLay());

  /* The supplies: one for each kind. */
  readonly kinds: Piece[] = $derived.by(() => this.scene.pieces.filter((piece) => this.scene.places[piece.place]!.kind === "hand"));
  private readonly place: number = $derived.by(() => this.kinds[Math.min(this.kind, this.kinds.length - 1)]?.place ?? -1);

  /* What lies on the floor, for screen readers. */
  readonly lying: Piece[] = $derived.by(() => this.scene.pieces.filter((piece) => this.scene.places[piece.place]!.kind === "floor"));

  /* What the hand wants, and the nearest that it may have, which may change with the position. */
  private readonly wish: string | null = $derived.by(() => (void this.scene, this.wishFor(this.place, this.angle)));
  private readonly nearest: string | null = $derived.by(() => (void this.scene, this.wish === null ? null : this.engine.nearest(this.wish)));
  /* The nearest place where the piece may lie. */
  readonly ghost: Piece | null = $derived.by(() => (this.nearest === null || !this.begun ? null : this.engine.ghost(this.nearest)));
  /* What letting go would lay down. */
  readonly landing: string | null = $derived.by(() => (this.ghost !== null && apart(this.ghost, this) <= SLIP ? this.nearest : null));
  /* The piece where it cannot lie. */
  readonly missed: Piece | null = $derived.by(() =>
    this.wish === null || this.landing !== null || !this.begun || this.isOnHint ? null : this.engine.ghost(this.wish),
  );

  /* What a hint suggests, in the position that it was given for, and whether the hand is there. */
  readonly hint: { move: string; piece: Piece } | null = $derived.by(() => {
    const piece = this.suggested?.scene === this.scene && this.active ? this.engine.ghost(this.suggested.move) : null;
    return piece && { move: this.suggested!.move, piece };
  });
  readonly isOnHint: boolean = $derived.by(() => this.hint !== null && isUnder(this.hint.piece, this));

  /* All that would lie there. */
  readonly ghosts: Piece[] = $derived.by(() =>
    this.active ? [this.hint?.piece, this.isOnHint ? null : this.ghost].filter((piece) => piece != null) : [],
  );

  /* Why something was not laid down, and where that was wanted. */
  readonly refusal: (Point & { text: string }) | null = $derived.by(() => (this.refused?.scene === this.scene ? this.refused : null));

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

  private wishFor(place: number, angle: number): string | null {
    return this.active && place >= 0 ? this.engine.wish(place, this.x, this.y, angle) : null;
  }

  start(): void {
    if (!this.begun) this.moveTo(this.scene.width / 2, this.scene.depth / 2);
  }

  /* What a click lays down, if anything. If it may not, the reason is said. */
  click({ timeStamp }: Event): string | null {
    if (timeStamp - this.clicked < TWICE) return null;
    const move = this.wanted();
    if (move !== null) this.clicked = timeStamp;
    return move;
  }

  /* What letting go here means: the hint under the hand, or what the hand holds. */
  wanted(): string | null {
    const move = this.isOnHint ? this.hint!.move : this.landing;
    if (move === null) this.refuse();
    return move;
  }

  /* Why the piece cannot lie where the hand is. */
  why(): string | null {
    return this.wish === null ? null : this.engine.why(this.wish);
  }

  private refuse(): void {
    const text = this.why();
    if (this.wish !== null) this.onrefused(this.wish);
    if (text !== null) this.refused = { text, x: this.x, y: this.y, scene: this.scene };
  }

  /* A hint: the piece is held just as the move would lay it down, and stays in sight there. */
  show(move: string): void {
    const piece = this.engine.ghost(move);
    if (piece === null) return;
    this.hold(piece);
    this.suggested = { move, scene: this.scene };
  }

  private hold(piece: Piece): void {
    const kind = this.kinds.findIndex(({ height }) => height === piece.height);
    this.kind = Math.max(kind, 0);
    this.angle = piece.angle;
    this.moveTo(piece.x, piece.y);
  }

  moveTo(x: number, y: number): void {
    this.begun = true;
    this.x = Math.min(Math.max(x, 0), this.scene.width);
    this.y = Math.min(Math.max(y, 0), this.scene.depth);
    if (this.refused !== null && apart(this.refused, this) > HEARD) this.refused = null;
  }

  moveBy(dx: number, dy: number): void {
    this.start();
    this.moveTo(this.x + dx, this.y + dy);
  }

  turn(degrees: number): void {
    this.start();
    this.refused = this.suggested = null;
    this.angle = (((this.angle + degrees) % 360) + 360) % 360;
  }

  choose(kind: number): void {
    this.start();
    this.refused = this.suggested = null;
    this.kind = kind;
  }

  /* To another possible place: of the same kind at another angle, else of another kind. When the floor is nearly full,
   * every degree counts. */
  another(): void {
    this.start();
    this.refused = null;
    for (const degrees of [15, 1])
      for (let i = 0; i < this.kinds.length; i++) {
        const { place } = this.kinds[(this.kind + i) % this.kinds.length]!;
        for (let turned = degrees; turned <= 360; turned += degrees) {
          const wish = this.wishFor(place, (this.angle + turned) % 360);
          const move = wish === null ? null : this.engine.nearest(wish);
          if (move === null || move === this.landing) continue;
          this.hold(this.engine.ghost(move)!);
          return;
        }
      }
  }
}
