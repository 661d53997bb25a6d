/* Pieces as paths: footprints seen from above and a little from the front, so that height shows. Lengths
 * are units of the board, y downwards as on a screen. */
import type { Piece, Place, Scene } from "../engine/engine";
import type { Region } from "../game/laying.svelte";
import type { Point } from "../game/pieces";

export const UNIT = 1000;

/* A piece as seen from a seat so many quarters of a turn further round the table, to the right of the first
 * player. All shapes look the same after half a turn. */
export function pieceFrom(quarters: number, scene: Scene, piece: Piece): Piece {
  const { x, y } = pointFrom(quarters, scene, piece);
  if (quarters % 2 === 0) return { ...piece, x, y };
  return piece.angle === 0
    ? { ...piece, x, y, width: piece.depth, depth: piece.width }
    : { ...piece, x, y, angle: piece.angle + 90 };
}

export function pointFrom(quarters: number, scene: Scene, { x, y }: Point): Point {
  const [width, depth] = [scene.width, scene.depth];
  if (quarters === 1) return { x: y, y: width - x };
  if (quarters === 2) return { x: width - x, y: depth - y };
  if (quarters === 3) return { x: depth - y, y: x };
  return { x, y };
}

/* The whole scene from there. */
export function sceneFrom(quarters: number, scene: Scene): Scene {
  if (quarters === 0) return scene;
  const odd = quarters % 2 === 1;
  return {
    ...scene,
    width: odd ? scene.depth : scene.width,
    depth: odd ? scene.width : scene.depth,
    places: scene.places.map((place) => {
      const a = pointFrom(quarters, scene, place);
      const b = pointFrom(quarters, scene, { x: place.x + place.width, y: place.y + place.depth });
      const corner = { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y) };
      return { ...place, ...corner, width: odd ? place.depth : place.width, depth: odd ? place.width : place.depth };
    }),
    pieces: scene.pieces.map((piece) => pieceFrom(quarters, scene, piece)),
  };
}

const SQUARE = [[-3, -3], [3, -3], [3, 3], [-3, 3]] as const;
const CROSS = [
  [-1, -3], [1, -3], [1, -1], [3, -1], [3, 1], [1, 1],
  [1, 3], [-1, 3], [-1, 1], [-3, 1], [-3, -1], [-1, -1],
] as const;

/* The corners of a footprint around a centre, clockwise as seen. A disc has many. */
export function corners(piece: Piece, centre: Point): Point[] {
  const width = piece.width / UNIT;
  const depth = piece.depth / UNIT;
  if (piece.shape === "disc")
    return Array.from({ length: 24 }, (_, i) => {
      const angle = (i / 24) * 2 * Math.PI;
      return { x: centre.x + (Math.cos(angle) * width) / 2, y: centre.y + (Math.sin(angle) * depth) / 2 };
    });
  const angle = (piece.angle * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return (piece.shape === "cross" ? CROSS : SQUARE).map(([i, j]) => {
    const [x, y] = [(i * width) / 6, (j * depth) / 6];
    return { x: centre.x + x * c + y * s, y: centre.y - x * s + y * c };
  });
}

const number = (value: number) => value.toFixed(3).replace(/\.?0+$/, "");
const pair = (point: Point) => `${number(point.x)} ${number(point.y)}`;

function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const part = Math.min(distance / length, 0.5);
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

/* A closed path with rounded corners. */
export function facePath(piece: Piece, centre: Point): string {
  const radius = piece.width / UNIT / 2;
  if (piece.shape === "disc")
    return `M${pair({ x: centre.x - radius, y: centre.y })}a${number(radius)} ${number(radius)} 0 1 1 ${number(2 * radius)} 0a${number(radius)} ${number(radius)} 0 1 1 ${number(-2 * radius)} 0z`;
  const points = corners(piece, centre);
  const rounding = (Math.min(piece.width, piece.depth) / UNIT) * (piece.shape === "tile" ? 0.1 : 0.05);
  return (
    points
      .map((point, i) => {
        const before = points[(i + points.length - 1) % points.length]!;
        const after = points[(i + 1) % points.length]!;
        return `${i === 0 ? "M" : "L"}${pair(towards(point, before, rounding))}Q${pair(point)} ${pair(towards(point, after, rounding))}`;
      })
      .join("") + "z"
  );
}

/* The sides seen below a face that is raised by `up`: the footprint swept upwards. */
export function sidesPath(piece: Piece, base: Point, up: number): string {
  const points = corners(piece, base);
  return points
    .map((a, i) => {
      const b = points[(i + 1) % points.length]!;
      // Clockwise, an edge that runs leftwards is a front one.
      return b.x < a.x ? `M${pair(a)}L${pair(b)}v${number(-up)}L${pair({ x: a.x, y: a.y - up })}z` : "";
    })
    .join("");
}

export function onBoard(scene: Scene, piece: Piece): boolean {
  const kind = scene.places[piece.place]!.kind;
  return kind === "cell" || kind === "floor";
}

/* How far up in the picture something of this height reaches: cuboids may stand tall, so they are
 * foreshortened more. */
export function rise(scene: Scene, piece: Piece, height: number): number {
  const piles = scene.pieces.some((other) => onBoard(scene, other) && other.z > 0);
  return (height / UNIT) * (piece.shape === "cuboid" ? 0.15 : piles ? 0.34 : 0.26);
}

export function centreOf(scene: Scene, piece: Piece): Point {
  return { x: piece.x / UNIT, y: (scene.depth - piece.y) / UNIT };
}

/* Where a footprint is nearest to the viewer on the vertical line at x. */
function frontAt(points: Point[], x: number): number {
  let front = -Infinity;
  points.forEach((a, i) => {
    const b = points[(i + 1) % points.length]!;
    if (a.x < x !== b.x < x) front = Math.max(front, a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x));
  });
  return front;
}

/* Whether `a` must be drawn before `b`, which may hide a part of it. */
function isBehind(scene: Scene, a: Piece, b: Piece): boolean {
  if (a.place === b.place && scene.places[a.place]!.kind === "cell") return a.z < b.z;
  const [first, second] = [a, b].map((piece) => corners(piece, centreOf(scene, piece)));
  const low = Math.max(Math.min(...first!.map((p) => p.x)), Math.min(...second!.map((p) => p.x)));
  const high = Math.min(Math.max(...first!.map((p) => p.x)), Math.max(...second!.map((p) => p.x)));
  if (high - low < 1e-3) return false;
  const middle = (low + high) / 2;
  return frontAt(first!, middle) < frontAt(second!, middle);
}

/* The pieces on the board, from the back to the front. Footprints are disjoint, so there always is one
 * without another behind it. */
export function backToFront(scene: Scene): Piece[] {
  const waiting = scene.pieces.filter((piece) => onBoard(scene, piece));
  const sorted: Piece[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex((piece) => !waiting.some((other) => other !== piece && isBehind(scene, other, piece)));
    sorted.push(...waiting.splice(Math.max(next, 0), 1));
  }
  return sorted;
}

/* The lines between neighbouring cells of different zones. */
export function borders(scene: Scene): { from: Point; to: Point }[] {
  const cells = scene.places.filter((place) => place.kind === "cell");
  return cells.flatMap((cell) =>
    cells.flatMap((other) => {
      if (other.zone === cell.zone) return [];
      const corner = { x: other.x, y: other.y };
      if (other.y === cell.y && other.x === cell.x + cell.width) return [{ from: corner, to: { x: other.x, y: other.y + other.depth } }];
      if (other.x === cell.x && other.y === cell.y + cell.depth) return [{ from: corner, to: { x: other.x + other.width, y: other.y } }];
      return [];
    }),
  );
}

/* The cells that are somebody's goal, and what that player's pieces are made of. */
export function homes(scene: Scene): { cell: Place; wood: string }[] {
  const woodOf = (player: number) => scene.pieces.find((piece) => piece.owner === player)?.material ?? "natural";
  return scene.places.filter((place) => place.home).map((cell) => ({ cell, wood: woodOf(cell.home!) }));
}

/* A region of a square lattice as a path, in units of the lattice, y downwards. Rows alike are drawn as one. */
export function regionPath(region: Region): string {
  const { side } = region;
  let path = "";
  let runs: [from: number, to: number][] = [];
  let top = 0; // the row where these runs begin
  const close = (row: number) => {
    for (const [from, to] of runs) path += `M${from} ${side - row}h${to - from}v${row - top}H${from}z`;
    top = row;
  };
  for (let row = 0; row < side; row++) {
    const found: typeof runs = [];
    for (let column = 0; column < side; column++) {
      if (!region.isPossible(column, row)) continue;
      const last = found.at(-1);
      if (last?.[1] === column) last[1]++;
      else found.push([column, column + 1]);
    }
    if (String(found) === String(runs)) continue;
    close(row);
    runs = found;
  }
  close(side);
  return path;
}
