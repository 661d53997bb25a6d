/* What is shown besides the scene: what can be touched, was touched, has changed, and where the hand is. */
import { BufferAttribute, BufferGeometry, Group, Mesh, type Object3D } from "three";
import type { Difference, Piece } from "../engine/engine";
import type { Region } from "../game/laying.svelte";
import { put, type Bodies } from "./bodies";
import type { Look } from "./pictures";
import type { Plan } from "./plan";
import type { Workshop } from "./workshop";

export const HOLD = 0.9; // how high over the board a hand holds a piece

export interface Marks {
  next: Set<number>;
  touched: number[];
  change: Difference; // by the last move
  focus: number | null; // where the keyboard is
  ghosts: Piece[]; // where pieces would land
  gone: Piece[]; // which would go
  missed: Piece | null; // where one cannot lie
  held: Piece | null; // what a hand holds over the board
  lifted: number | null; // the place it comes from
}

/* A picture to be laid down flat: lengths of the scene, but `height` is in units of the world. */
type Sticker = Pick<Piece, "x" | "y" | "angle" | "width" | "depth" | "height">;

export class Markers {
  readonly group = new Group();
  private readonly loose = new Group(); // marks that lie where they are
  private readonly ornaments: Object3D[] = []; // marks that go along with a piece
  private veiled: Mesh | null = null;

  constructor(
    private readonly shop: Workshop,
    private readonly bodies: Bodies,
  ) {
    this.group.add(this.loose);
  }

  show(plan: Plan, { next, touched, change, focus, ghosts, gone, missed, held, lifted }: Marks): void {
    this.clear();
    const over = (index: number): Sticker => {
      const { width, depth } = plan.scene.places[index]!;
      const middle = plan.middleOf(index);
      return { ...middle, angle: 0, width, depth, height: plan.heightAt(middle) };
    };
    const topsOf = (places: number[]) => places.flatMap((index) => this.bodies.topOf(index) ?? []);
    const emptyOf = (places: number[]) => places.filter((index) => !this.bodies.topOf(index)).map(over);
    this.trace(plan, change);
    /* Pieces that can be touched have a line around them, empty cells a spot. */
    const [cells, chosen] = [[...next], touched].map((places) => places.filter((index) => plan.isCell(index))) as [number[], number[]];
    for (const { mesh, piece } of topsOf(chosen)) this.ornament(mesh, this.shop.rimmed(piece, mesh.geometry, plan.scale, "#ffd447", 0.16));
    for (const { mesh, piece } of topsOf(cells)) this.ornament(mesh, this.shop.rimmed(piece, mesh.geometry, plan.scale, "#fff6d8", 0.07));
    this.stick(plan, "next", emptyOf(cells), 0.3);
    this.stick(plan, "touched", emptyOf(chosen), 0.98);
    if (focus !== null && plan.isCell(focus)) this.stick(plan, "focus", [over(focus)], 0.98);
    const onTop = (piece: Piece) => ({ ...piece, width: Math.min(piece.width, piece.depth), depth: Math.min(piece.width, piece.depth), height: (piece.z + piece.height) * plan.scale });
    this.stick(plan, "gone", gone.filter((piece) => !ghosts.some((ghost) => ghost.place === piece.place)).map(onTop), 0.6);
    for (const ghost of ghosts) this.addLoose(plan, ghost, "ghost");
    if (missed) this.addLoose(plan, missed, "missed");
    if (held) this.addLoose(plan, held, "held");
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
  private addLoose(plan: Plan, piece: Piece, kind: "ghost" | "missed" | "held"): void {
    const material = kind === "held" ? this.shop.wood(piece.material) : this.shop.glassy(kind === "missed" ? "#e04040" : "#ffffff", piece.material);
    const mesh = new Mesh(this.shop.shape(piece, plan.scale, 0), material);
    put(mesh, plan, piece);
    if (kind === "held") {
      mesh.position.y = Math.max(HOLD, plan.heightAt(piece) + 0.3);
      mesh.castShadow = true;
    }
    if (kind === "ghost") mesh.add(this.shop.rimmed(piece, mesh.geometry, plan.scale, "#fff6d8", 0.06));
    mesh.renderOrder = 3;
    this.loose.add(mesh);
  }

  clear(): void {
    this.shop.empty(this.loose);
    for (const ornament of this.ornaments.splice(0)) ornament.removeFromParent();
  }
}
