/* What is shown besides the scene: what can be touched, was touched, has changed, and where the hand is. */
import { BufferAttribute, BufferGeometry, Group, Mesh, type Object3D, type Vector3 } from "three";
import type { Difference, Piece } from "../engine/engine";
import type { Region } from "../game/laying.svelte";
import type { Point } from "../game/pieces";
import { put, type Bodies } from "./bodies";
import type { Look } from "./pictures";
import type { Plan } from "./plan";
import type { Workshop } from "./workshop";

const RING = 0.56; // how wide a ring is where cells are small, to be seen on a phone

export interface Marks {
  next: Set<number>; // what can be touched: a piece there has a line around it
  targets: Point[]; // where to point, on the floor
  touched: number[];
  marked: number[]; // pointed out by somebody
  change: Difference; // by the last move
  focus: number | null; // where the keyboard is
  ghosts: Piece[]; // where pieces would land
  offers: Piece[]; // those of them that wait to be touched
  gone: Piece[]; // which would go
  missed: Piece | null; // where one cannot lie
  held: { piece: Piece; x: number; y: number } | null; // what a hand holds over the board, and where it is in the window
  lifted: number | null; // the place it comes from
}

/* A picture to be laid down flat: lengths of the scene, but `height` is in units of the world. */
type Sticker = Pick<Piece, "x" | "y" | "angle" | "width" | "depth" | "height">;

export class Markers {
  readonly group = new Group();
  private readonly loose = new Group(); // marks that lie where they are
  private readonly ornaments: Object3D[] = []; // marks that go along with a piece
  readonly offers: Mesh[] = []; // ghosts that wait to be touched
  private veiled: Mesh | null = null;

  constructor(
    private readonly shop: Workshop,
    private readonly bodies: Bodies,
  ) {
    this.group.add(this.loose);
  }

  /* `at`: where in the world the held piece is. */
  show(plan: Plan, { next, targets, touched, marked, change, focus, ghosts, offers, gone, missed, held, lifted }: Marks, at: Vector3 | null): void {
    this.clear();
    const over = (index: number): Sticker => {
      const { width, depth } = plan.scene.places[index]!;
      const middle = plan.middleOf(index);
      return { ...middle, angle: 0, width, depth, height: plan.heightAt(middle) };
    };
    const topsOf = (places: number[]) => places.flatMap((index) => this.bodies.topOf(index) ?? []);
    const emptyOf = (places: number[]) => places.filter((index) => !this.bodies.topOf(index)).map(over);
    this.trace(plan, change);
    /* Pieces that can be touched have a line around them, empty cells a ring. */
    const [cells, chosen] = [[...next], touched].map((places) => places.filter((index) => plan.isCell(index))) as [number[], number[]];
    for (const { mesh, piece } of topsOf(chosen)) this.ornament(mesh, this.shop.rimmed(piece, mesh.geometry, plan.scale, "#ffd447", 0.16));
    for (const { mesh, piece } of topsOf(cells)) this.ornament(mesh, this.shop.rimmed(piece, mesh.geometry, plan.scale, "#fff6d8", 0.07));
    const size = Math.min(Math.max(plan.unit * 0.4, RING / plan.scale), plan.unit * 0.8);
    this.stick(plan, "next", targets.map(({ x, y }) => ({ x, y, angle: 0, width: size, depth: size, height: 0 })), 1);
    this.stick(plan, "touched", [...emptyOf(chosen), ...marked.filter((index) => plan.isCell(index)).map(over)], 0.98);
    if (focus !== null && plan.isCell(focus)) this.stick(plan, "focus", [over(focus)], 0.98);
    const onTop = (piece: Piece) => ({ ...piece, width: Math.min(piece.width, piece.depth), depth: Math.min(piece.width, piece.depth), height: (piece.z + piece.height) * plan.scale });
    this.stick(plan, "gone", gone.filter((piece) => !ghosts.some((ghost) => ghost.place === piece.place)).map(onTop), 0.6);
    for (const ghost of ghosts) {
      const mesh = this.addLoose(plan, ghost, "ghost");
      if (offers.includes(ghost)) this.offers.push(mesh);
    }
    if (missed) this.addLoose(plan, missed, "missed");
    if (held) this.addLoose(plan, held.piece, "held").position.copy(at!);
    const top = lifted === null ? undefined : this.bodies.topOf(lifted);
    for (const body of this.bodies.all) body.mesh.visible = body !== top;
  }

  /* The last move: light around the feet of what came and where something stood on the floor; lines on the face of what
   * came, which go along with it, and around a cell that is empty now. */
  private trace(plan: Plan, { placed, gone }: Difference): void {
    this.stick(plan, "changed", [...placed, ...gone].filter((piece) => piece.z === 0).map((piece) => ({ ...piece, height: 0 })), 1.34);
    for (const { mesh, piece } of this.bodies.all) {
      if (!placed.some((other) => other.x === piece.x && other.y === piece.y && other.z === piece.z)) continue;
      this.ornament(mesh, this.shop.bracketed(piece.shape, piece.width * plan.scale, piece.depth * plan.scale, piece.height * plan.scale + 0.004));
    }
    for (const piece of gone) {
      if (plan.heightAt(piece) > 0) continue;
      const { width, depth } = plan.scene.places[piece.place]!;
      const lines = this.shop.bracketed("tile", width * plan.scale, depth * plan.scale, 0.012);
      lines.position.copy(plan.standing(piece)).setY(0);
      this.loose.add(lines);
    }
  }

  private ornament(mesh: Mesh, mark: Object3D): void {
    mesh.add(mark);
    this.ornaments.push(mark);
  }

  /* On a floor without cells: hatches where the piece in the hand has no room for its centre. */
  veil(plan: Plan, region: Region | null): void {
    this.veiled?.removeFromParent();
    if (!region) return;
    const lattice = (plan.scale * region.side) / (region.side - 1); // it has a point at both ends
    this.veiled = this.shop.lying(this.shop.veil(region), plan.scene.width * lattice, plan.scene.depth * lattice, 0.002);
    this.group.add(this.veiled);
  }

  private stick(plan: Plan, name: Look, list: Sticker[], size: number): void {
    if (list.length === 0) return;
    const [positions, uvs, indices]: [number[], number[], number[]] = [[], [], []];
    list.forEach((sticker, i) => {
      const [x, z] = plan.toWorld(sticker);
      const [c, t] = [Math.cos((sticker.angle * Math.PI) / 180), Math.sin((sticker.angle * Math.PI) / 180)];
      for (const [u, v] of [[0, 0], [1, 0], [1, 1], [0, 1]] as const) {
        const [a, b] = [(u - 0.5) * sticker.width * plan.scale * size, (v - 0.5) * sticker.depth * plan.scale * size];
        positions.push(x + a * c - b * t, sticker.height + 0.012, z - a * t - b * c);
        uvs.push(u, v);
      }
      indices.push(4 * i, 4 * i + 1, 4 * i + 2, 4 * i, 4 * i + 2, 4 * i + 3);
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
    geometry.setAttribute("uv", new BufferAttribute(new Float32Array(uvs), 2));
    geometry.setIndex(indices);
    const mesh = new Mesh(geometry, this.shop.look(name));
    mesh.renderOrder = 2;
    this.loose.add(mesh);
  }

  /* A piece that is not part of the scene: where one would land, cannot lie, or is held. */
  private addLoose(plan: Plan, piece: Piece, kind: "ghost" | "missed" | "held"): Mesh {
    const material = { held: () => this.shop.wood(piece.material), ghost: () => this.shop.glassy(piece.material), missed: () => this.shop.forbidden() }[kind]();
    const mesh = new Mesh(this.shop.shape(piece, plan.scale, 0), material);
    put(mesh, plan, piece);
    mesh.castShadow = kind === "held";
    if (kind !== "held") mesh.add(this.shop.rimmed(piece, mesh.geometry, plan.scale, kind === "ghost" ? "#fff6d8" : "#111111", 0.06));
    mesh.renderOrder = 3;
    this.loose.add(mesh);
    return mesh;
  }

  clear(): void {
    this.shop.empty(this.loose);
    this.offers.length = 0;
    for (const ornament of this.ornaments.splice(0)) ornament.removeFromParent();
  }
}
