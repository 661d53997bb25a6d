/* The pieces on the board as bodies of wood, and their movements: pieces that differ between two scenes travel. */
import { Group, Mesh, Vector3, type Object3D } from "three";
import type { Difference, Piece } from "../engine/engine";
import { pushedOff } from "../game/pieces";
import { letterOf } from "../view/marks";
import { material as woodOf } from "../view/materials";
import type { Plan } from "./plan";
import type { Workshop } from "./workshop";

/* A piece of the scene and its wood. */
export interface Body {
  piece: Piece;
  mesh: Mesh;
}

/* A piece on its way, between two times. */
interface Flight {
  body: Body;
  from: Vector3;
  to: Vector3;
  turn: [number, number];
  lift: number;
  start: number;
  lasts: number; // milliseconds
  leaves: boolean;
}

export class Bodies {
  readonly group = new Group();
  private bodies: Body[] = [];
  private flights: Flight[] = [];
  private variants = 0;

  constructor(private readonly shop: Workshop) {}

  get all(): Body[] {
    return this.bodies;
  }

  topOf(place: number): Body | undefined {
    return this.bodies.filter(({ piece }) => piece.place === place).sort((a, b) => b.piece.z - a.piece.z)[0];
  }

  /* Takes the place of the last scene, in so many milliseconds. The woods have been prepared. */
  follow(plan: Plan, change: Difference, lasts: number, lettered: boolean): void {
    this.land();
    const known = new Map(this.bodies.map((body) => [body.piece.id, body]));
    this.bodies = plan.pieces.map((piece) => {
      const old = known.get(piece.id);
      known.delete(piece.id);
      const body = old ?? this.carve(plan, piece);
      const { mesh } = body;
      const [before, angle] = [mesh.position.clone(), mesh.rotation.y];
      if (piece.width !== body.piece.width || piece.height !== body.piece.height) mesh.geometry = this.shop.shape(piece, plan.scale, 0);
      body.piece = piece;
      put(mesh, plan, piece);
      this.group.add(mesh);
      const from = old ? before : plan.beside(piece, mesh.position);
      if (lasts > 0 && from.distanceTo(mesh.position) > 1e-3) this.fly(plan, body, from, mesh.position.clone(), [old ? angle : mesh.rotation.y, mesh.rotation.y], lasts, false);
      return body;
    });
    for (const body of known.values()) {
      const { position, rotation } = body.mesh;
      const way = pushedOff(change, body.piece);
      if (lasts === 0) this.group.remove(body.mesh);
      else if (way) this.fly(plan, body, position.clone(), plan.offEdge(way, position), [rotation.y, rotation.y], 2 * lasts, true);
      else this.fly(plan, body, position.clone(), plan.beside(body.piece, position), [rotation.y, rotation.y], lasts, true);
    }
    this.dress(plan, lettered);
  }

  private carve(plan: Plan, piece: Piece): Body {
    const mesh = new Mesh(this.shop.shape(piece, plan.scale, this.variants++ % 7), this.shop.wood(piece.material));
    mesh.castShadow = mesh.receiveShadow = true;
    return { piece, mesh };
  }

  /* Letters on the pieces, a golden rim around those that won, a shade at their feet. */
  private dress(plan: Plan, lettered: boolean): void {
    for (const { mesh, piece } of this.bodies) {
      mesh.clear();
      const [width, depth, top] = [piece.width, piece.depth, piece.height].map((length) => length * plan.scale) as [number, number, number];
      const covered = this.bodies.some((other) => other.piece.place === piece.place && other.piece.z > piece.z);
      const letter = lettered && !covered ? letterOf(piece.material) : "";
      if (letter) {
        const size = Math.min(width, depth) * (piece.shape === "cross" ? 0.3 : 0.42);
        mesh.add(this.shop.lying(this.shop.ink(letter, woodOf(piece.material).ink), size, size, top + 0.004));
      }
      if (piece.z === 0) {
        const isRound = piece.shape === "disc";
        const grow = isRound ? 1.22 : 1.42;
        mesh.add(this.shop.lying(this.shop.look(isRound ? "roundShade" : "shade", 0.55), width * grow, depth * grow, 0.003));
      }
      if (piece.lit) mesh.add(this.shop.rimmed(piece, mesh.geometry, plan.scale, "#ffc93c", 0.1));
    }
  }

  private fly(plan: Plan, body: Body, from: Vector3, to: Vector3, turn: [number, number], lasts: number, leaves: boolean): void {
    const far = Math.hypot(to.x - from.x, to.z - from.z);
    const lift = Math.min(0.5 + far * 0.18, 1.6) + (plan.scene.tall ? 0.9 : 0) + Math.abs(from.y - to.y);
    this.flights.push({ body, from, to, turn, lift, start: performance.now(), lasts, leaves });
    body.mesh.position.copy(from);
  }

  /* Pieces go up, across and down; false if none was under way. */
  advance(now: number): boolean {
    if (this.flights.length === 0) return false;
    for (const { body, from, to, turn, lift, start, lasts } of this.flights) {
      const part = Math.min(Math.max((now - start) / lasts, 0), 1);
      const way = part * part * (3 - 2 * part);
      body.mesh.position.lerpVectors(from, to, way);
      body.mesh.position.y += lift * 4 * part * (1 - part) * 0.5;
      body.mesh.rotation.y = turn[0] + (turn[1] - turn[0]) * way;
    }
    if (this.flights.every(({ start, lasts }) => now - start >= lasts)) this.land();
    return true;
  }

  /* Whatever is under way arrives. */
  private land(): void {
    for (const { body, to, turn, leaves } of this.flights.splice(0)) {
      body.mesh.position.copy(to);
      body.mesh.rotation.y = turn[1];
      if (leaves) this.group.remove(body.mesh);
    }
  }

  /* Another board: nothing travels there. */
  forget(): void {
    this.flights = [];
    this.bodies = [];
    this.group.clear();
  }
}

export function put(mesh: Object3D, plan: Plan, piece: Piece): void {
  mesh.position.copy(plan.standing(piece));
  mesh.rotation.y = (piece.angle * Math.PI) / 180;
}
