/* Where things of a scene are in this world: lengths, heights, and what lies beside the board. */
import { Vector3 } from "three";
import type { Piece, Scene } from "../engine/engine";
import { isUnder, type Point } from "../game/pieces";
import { onBoard } from "../view/shapes";
import { BASE } from "./board";
import type { Room } from "./camera";

const BOARD = 8; // the longer side of every board, in units of this world

export class Plan {
  readonly scale: number;
  readonly pieces: Piece[]; // those on the board

  constructor(readonly scene: Scene) {
    this.scale = BOARD / Math.max(scene.width, scene.depth);
    this.pieces = scene.pieces.filter((piece) => onBoard(scene, piece));
  }

  /* Whether the same board lies on the table. */
  isLike(other: Plan): boolean {
    return this.scene.width === other.scene.width && this.scene.depth === other.scene.depth;
  }

  /* A point of the scene's plane in the world. */
  toWorld({ x, y }: Point): [x: number, z: number] {
    return [(x - this.scene.width / 2) * this.scale, (this.scene.depth / 2 - y) * this.scale];
  }

  /* And back, if it is on the board or may lie beyond. */
  toScene(point: Vector3, beyond: boolean): Point | null {
    const { width, depth } = this.scene;
    const [x, y] = [point.x / this.scale + width / 2, depth / 2 - point.z / this.scale];
    return !beyond && (x < 0 || y < 0 || x > width || y > depth) ? null : { x, y };
  }

  /* The side of a cell. */
  get unit(): number {
    return this.scene.places.find((place) => place.kind === "cell")?.width ?? 0;
  }

  isCell(index: number): boolean {
    return this.scene.places[index]?.kind === "cell";
  }

  middleOf(index: number): Point {
    const { x, y, width, depth } = this.scene.places[index]!;
    return { x: x + width / 2, y: y + depth / 2 };
  }

  standing(piece: Piece): Vector3 {
    const [x, z] = this.toWorld(piece);
    return new Vector3(x, piece.z * this.scale, z);
  }

  /* Beside the board, on the side of a piece's owner: where it comes from, and goes to. */
  beside(piece: Piece, at: Vector3): Vector3 {
    const reach = BOARD / 2 + 2.2;
    const towards: Record<number, [number, number]> = { 1: [at.x * 0.6, reach], 2: [at.x * 0.6, -reach], 3: [-reach, at.z], 4: [reach, at.z] };
    const [x, z] = towards[piece.owner] ?? [Math.sign(at.x || 1) * reach, at.z];
    return new Vector3(x, -BASE, z);
  }

  /* Over the edge of the board, where a piece that is pushed this way ends. */
  offEdge({ x, y }: Point, at: Vector3): Vector3 {
    const far = BOARD / 2 + 1.6;
    return new Vector3(x === 0 ? at.x : Math.sign(x) * far, -BASE, y === 0 ? at.z : -Math.sign(y) * far);
  }

  /* How high the pieces reach over a point. */
  heightAt(point: Point): number {
    const under = this.pieces.filter((piece) => isUnder(piece, point));
    return Math.max(0, ...under.map((piece) => (piece.z + piece.height) * this.scale));
  }

  /* What pieces take up, or will: what is in a hand may come, on top of a pile or, a cuboid, on any of its sides. */
  get room(): Room {
    const { width, depth, pieces } = this.scene;
    const top = Math.max(0, ...this.pieces.map((piece) => piece.z + piece.height));
    const pile = this.pieces.some((piece) => piece.z > 0) ? top : 0;
    const reach = (piece: Piece) => (piece.shape === "cuboid" ? Math.max(piece.width, piece.depth, piece.height) : pile + piece.height);
    const coming = pieces.filter((piece) => !this.pieces.includes(piece)).map(reach);
    return { width: width * this.scale, depth: depth * this.scale, height: Math.max(top, ...coming) * this.scale };
  }
}
