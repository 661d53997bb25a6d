/* The table with a board and pieces under a lamp, drawn from a scene alone. A frame is drawn only when
 * something has changed; where frames take long, they are drawn smaller while something moves. */
import {
  BufferAttribute, BufferGeometry, Color, DirectionalLight, Group, HemisphereLight, Mesh, NeutralToneMapping, PCFShadowMap,
  Plane, Scene as World, Vector2, Vector3, WebGLRenderer, type Object3D,
} from "three";
import type { Piece, Preview, Scene } from "../engine/engine";
import type { Region } from "../game/laying.svelte";
import type { Point } from "../game/pieces";
import { material as woodOf } from "../view/materials";
import { duration, Tracker } from "../view/motion";
import { onBoard } from "../view/shapes";
import { BASE, boardFor, tableTop } from "./board";
import { Camera } from "./camera";
import type { Look } from "./marks";
import type { Eye, Orbit } from "./orbit";
import { Workshop } from "./workshop";

const BOARD = 8; // the longer side of every board, in units of this world
const HOLD = 0.9; // how high over the board a hand holds a piece
const SLOW = 60; // a frame that takes more milliseconds is too much for this machine
const REST = 600; // milliseconds without anything new, in which a slow card catches up

/* Whether a processor draws, for want of a graphics card. */
let software: boolean | null = null;
function isSoftware(): boolean {
  if (software !== null) return software;
  const probe = document.createElement("canvas").getContext("webgl2");
  const info = probe?.getExtension("WEBGL_debug_renderer_info");
  software = !!probe && !!info && /swiftshader|llvmpipe|software/i.test(String(probe.getParameter(info.UNMASKED_RENDERER_WEBGL)));
  probe?.getExtension("WEBGL_lose_context")?.loseContext();
  return software;
}

export interface Marks {
  next: Set<number>;
  touched: number[];
  change: Preview; // by the last move
  focus: number | null; // where the keyboard is
  ghosts: Piece[]; // where pieces would land
  gone: Piece[]; // which would go
  missed: Piece | null; // where one cannot lie
  held: Piece | null; // what a hand holds over the board
  lifted: number | null; // the place it comes from
}

export interface Theme {
  dark: boolean;
}

/* A piece of the scene and its wood; the number stays with it. */
interface Body {
  id: number;
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

export interface Wishes {
  still: boolean; // no motion
  home?: Partial<Eye>;
  onview?: () => void; // the eye has moved: what lies over the picture must follow
  onlost?: () => void; // nothing can be drawn any more
}

export class Stage {
  private readonly renderer: WebGLRenderer;
  private readonly world = new World();
  private readonly camera: Camera;
  private readonly lamp = new DirectionalLight("#fff0da", 3.6);
  private readonly sky = new HemisphereLight("#f4f1ee", "#8c6a4a", 1.15);
  private readonly glow = new DirectionalLight("#e9eefc", 0.8);
  private readonly built = new Group(); // frame, floor, coordinates
  private readonly marks = new Group();
  private table: Mesh | null = null;
  private readonly tableColour = new Color();
  private scene: Scene | null = null;
  private bodies: Body[] = [];
  private readonly tracker = new Tracker();
  private flights: Flight[] = [];
  private readonly shop = new Workshop();
  private drawnBoard = "";
  private variants = 0;
  private frameWanted = 0;
  private lastFrame = 0;
  private slowFrames = 0;
  private slow: boolean; // frames take long here: drawn small while something moves, well when it rests
  private resting = false;
  private rest = 0; // the timer
  private size = { width: 1, height: 1 };
  private order = 0; // of calls of show
  private closed = false;
  private moving = false;
  private heldBefore = false;
  private readonly ornaments: Object3D[] = []; // marks that go along with a piece
  private veiled: Mesh | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly wishes: Wishes,
  ) {
    this.camera = new Camera(wishes.home);
    this.size = { width: canvas.clientWidth || 1, height: canvas.clientHeight || 1 };
    Object.assign(canvas, this.size);
    this.slow = isSoftware();
    const context = canvas.getContext("webgl2", { antialias: !this.slow, alpha: false, powerPreference: "low-power" });
    if (context === null) throw new Error("no WebGL");
    this.renderer = new WebGLRenderer({ canvas, context });
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    canvas.addEventListener("webglcontextlost", this.lost);
    this.lamp.position.set(-6.5, 11, -3.5);
    this.lamp.castShadow = true;
    const shadow = this.lamp.shadow;
    Object.assign(shadow.camera, { left: -8, right: 8, top: 8, bottom: -8, near: 2, far: 26 });
    shadow.mapSize.setScalar(this.slow ? 1024 : 2048);
    shadow.radius = this.slow ? 2 : 3.5;
    shadow.bias = -0.0006;
    shadow.normalBias = 0.02;
    this.glow.position.set(5, 5, 9);
    this.world.add(this.lamp, this.sky, this.glow, this.built, this.marks);
  }

  get orbit(): Orbit {
    return this.camera.orbit;
  }

  private readonly lost = (event: Event): void => {
    event.preventDefault();
    if (!this.closed) this.wishes.onlost?.();
  };

  /* ---- Lengths ---- */

  private get scale(): number {
    return BOARD / Math.max(this.scene!.width, this.scene!.depth);
  }

  /* A point of the scene's plane in the world. */
  private toWorld(x: number, y: number): [number, number] {
    return [(x - this.scene!.width / 2) * this.scale, (this.scene!.depth / 2 - y) * this.scale];
  }

  private standing(piece: Piece): Vector3 {
    const [x, z] = this.toWorld(piece.x, piece.y);
    return new Vector3(x, piece.z * this.scale, z);
  }

  /* How high the pieces reach over a point. */
  private heightAt(x: number, y: number): number {
    const over = (piece: Piece) =>
      onBoard(this.scene!, piece) && Math.abs(piece.x - x) <= piece.width / 2 && Math.abs(piece.y - y) <= piece.depth / 2;
    return Math.max(0, ...this.scene!.pieces.filter(over).map((piece) => (piece.z + piece.height) * this.scale));
  }

  /* How high pieces reach, or will: what is in a hand may come, on top of a pile or, a cuboid, on any of its sides. */
  private get highest(): number {
    const { pieces } = this.scene!;
    const [here, coming] = [true, false].map((isHere) => pieces.filter((piece) => onBoard(this.scene!, piece) === isHere));
    const top = Math.max(0, ...here!.map((piece) => piece.z + piece.height));
    const pile = here!.some((piece) => piece.z > 0) ? top : 0;
    const reach = ({ shape, width, depth, height }: Piece) => (shape === "cuboid" ? Math.max(width, depth, height) : pile + height);
    return Math.max(top, ...coming!.map(reach)) * this.scale;
  }

  /* ---- Building ---- */

  private async build(scene: Scene, coordinates: boolean, turned: number): Promise<void> {
    const key = JSON.stringify([scene.width, scene.depth, scene.places.map((place) => [place.x, place.y]), coordinates, turned]);
    if (key === this.drawnBoard) return;
    await this.shop.prepare(["floor", "rail"]);
    this.drawnBoard = key;
    this.empty(this.built);
    this.built.add(...boardFor(scene, this.scale, coordinates ? turned : null, this.shop));
  }

  private async carve(id: number, piece: Piece): Promise<Body> {
    await this.shop.prepare([piece.material]);
    const mesh = new Mesh(this.shop.shape(piece, this.scale, this.variants++ % 7), this.shop.wood(piece.material));
    mesh.castShadow = mesh.receiveShadow = true;
    this.put(mesh, piece);
    return { id, piece, mesh };
  }

  private put(mesh: Object3D, piece: Piece): void {
    mesh.position.copy(this.standing(piece));
    mesh.rotation.y = (piece.angle * Math.PI) / 180;
  }

  /* Letters on the pieces, a golden rim around those that won, a shade at their feet. */
  private dress(named: Body[], coordinates: boolean): void {
    for (const { mesh, piece } of named) {
      mesh.clear();
      const top = piece.height * this.scale;
      const [width, depth] = [piece.width * this.scale, piece.depth * this.scale];
      const covered = named.some((other) => other.piece.place === piece.place && other.piece.z > piece.z);
      const letter = piece.mark.replace(/[^A-Z]/g, "").charAt(0);
      if (coordinates && letter && !covered && piece.shape !== "disc" && this.scene!.places[piece.place]!.kind === "cell") {
        const size = Math.min(width, depth) * (piece.shape === "cross" ? 0.3 : 0.42);
        const { ink } = woodOf(piece.material);
        mesh.add(this.shop.lying(this.shop.ink(letter, ink), size, size, top + 0.004));
      }
      if (piece.z === 0) {
        const isRound = piece.shape === "disc";
        const grow = isRound ? 1.22 : 1.42;
        mesh.add(this.shop.lying(this.shop.look(isRound ? "roundShade" : "shade", 0.45), width * grow, depth * grow, 0.003));
      }
      if (piece.lit) mesh.add(this.rim({ mesh, piece }, "#ffc93c", 0.1));
    }
  }

  /* A line around a piece, wherever it is seen from: a larger one of which only the far side is drawn. */
  private rim({ mesh, piece }: Pick<Body, "mesh" | "piece">, colour: string, thick: number): Mesh {
    const part = (length: number) => thick / (length * this.scale);
    const rim = new Mesh(mesh.geometry, this.shop.rim(colour));
    rim.scale.set(1 + part(piece.width), 1 + part(piece.height) / 2, 1 + part(piece.depth));
    rim.position.y = 0.008;
    return rim;
  }

  private ornament(mesh: Mesh, mark: Object3D): void {
    mesh.add(mark);
    this.ornaments.push(mark);
  }

  /* ---- What is shown ---- */

  /* Puts a scene on the table; what differs from the last one travels there. */
  async show(scene: Scene, coordinates: boolean, turned: number): Promise<void> {
    const order = ++this.order;
    const lasts = duration();
    const pieces = scene.pieces.filter((piece) => onBoard(scene, piece));
    await this.shop.prepare(["table", ...pieces.map((piece) => piece.material)]);
    await this.setUp();
    if (this.closed || order !== this.order) return;
    this.land();
    const old = this.scene;
    const anew = old === null || scene.width !== old.width || scene.depth !== old.depth;
    this.scene = scene;
    if (anew) this.forget();
    this.camera.watch({ width: scene.width * this.scale, depth: scene.depth * this.scale, height: this.highest });
    await this.build(scene, coordinates, turned);
    const tracked = this.tracker.follow(pieces);
    const known = new Map(this.bodies.map((body) => [body.id, body]));
    const bodies: Body[] = [];
    for (const { id, piece } of tracked) bodies.push(known.get(id) ?? (await this.carve(id, piece)));
    if (this.closed || order !== this.order) return;
    const start = performance.now();
    const still = anew || lasts === 0;
    tracked.forEach(({ piece }, i) => {
      const body = bodies[i]!;
      const { mesh } = body;
      const isNew = !known.delete(body.id);
      const [before, angle] = [mesh.position.clone(), mesh.rotation.y];
      if (!isNew && (piece.width !== body.piece.width || piece.height !== body.piece.height)) mesh.geometry = this.shop.shape(piece, this.scale, 0);
      body.piece = piece;
      this.put(mesh, piece);
      this.world.add(mesh);
      const from = isNew ? this.beside(piece, mesh.position) : before;
      if (!still && from.distanceTo(mesh.position) > 1e-3) this.fly(body, from, mesh.position.clone(), [isNew ? mesh.rotation.y : angle, mesh.rotation.y], start, lasts, false);
    });
    for (const body of known.values()) {
      const { position, rotation } = body.mesh;
      if (still) this.world.remove(body.mesh);
      else this.fly(body, position.clone(), this.beside(body.piece, position), [rotation.y, rotation.y], start, lasts, true);
    }
    this.bodies = bodies;
    this.dress(bodies, coordinates);
    this.renderer.shadowMap.needsUpdate = true;
    this.redraw();
  }

  /* The table; and the card's programs are made before they are needed, while the page goes on. */
  private async setUp(): Promise<void> {
    if (this.table) return;
    this.table = tableTop(this.shop, -BASE);
    this.shop.wood("table").color = this.tableColour;
    const samples = new Group();
    const block = this.shop.sample();
    for (const material of [this.shop.glassy("#ffffff", "table"), this.shop.look("next"), this.shop.rim("#fff6d8")]) {
      const mesh = new Mesh(block, material);
      mesh.receiveShadow = true;
      samples.add(mesh);
    }
    this.world.add(this.table, samples);
    if (this.renderer.extensions.has("KHR_parallel_shader_compile")) await this.renderer.compileAsync(this.world, this.camera.lens);
    else this.renderer.compile(this.world, this.camera.lens);
    this.world.remove(samples);
  }

  /* Beside the board, on the side of a piece's owner: where it comes from, and goes to. */
  private beside(piece: Piece, at: Vector3): Vector3 {
    const reach = BOARD / 2 + 2.2;
    const towards: Record<number, [number, number]> = { 1: [at.x * 0.6, reach], 2: [at.x * 0.6, -reach], 3: [-reach, at.z], 4: [reach, at.z] };
    const [x, z] = towards[piece.owner] ?? [Math.sign(at.x || 1) * reach, at.z];
    return new Vector3(x, -BASE, z);
  }

  private fly(body: Body, from: Vector3, to: Vector3, turn: [number, number], start: number, lasts: number, leaves: boolean): void {
    const far = Math.hypot(to.x - from.x, to.z - from.z);
    const low = Math.max(from.y, to.y);
    const lift = Math.min(0.5 + far * 0.18, 1.6) + (this.scene!.tall ? 0.9 : 0) + low - Math.min(from.y, to.y);
    this.flights.push({ body, from, to, turn, lift, start, lasts, leaves });
    body.mesh.position.copy(from);
  }

  /* Whatever is under way arrives. */
  private land(): void {
    for (const { body, to, turn, leaves } of this.flights) {
      body.mesh.position.copy(to);
      body.mesh.rotation.y = turn[1];
      if (leaves) this.world.remove(body.mesh);
    }
    this.flights = [];
  }

  private forget(): void {
    for (const { mesh } of this.bodies) this.world.remove(mesh);
    this.bodies = [];
    this.shop.forgetShapes();
  }

  /* What can be touched, was touched, has changed, and where the hand is. */
  mark({ next, touched, change, focus, ghosts, gone, missed, held, lifted }: Marks): void {
    if (!this.scene) return;
    this.empty(this.marks);
    for (const ornament of this.ornaments.splice(0)) ornament.removeFromParent();
    const { places } = this.scene;
    const isCell = (index: number) => places[index]?.kind === "cell";
    const over = (index: number) => {
      const place = places[index]!;
      const [x, y] = [place.x + place.width / 2, place.y + place.depth / 2];
      return { x, y, angle: 0, width: place.width, depth: place.depth, height: this.heightAt(x, y) };
    };
    this.trace(change);
    /* Pieces that can be touched have a line around them, empty cells a spot. */
    const topOf = (index: number) => this.bodies.filter(({ piece }) => piece.place === index).sort((a, b) => b.piece.z - a.piece.z)[0];
    const [cells, chosen] = [[...next].filter(isCell), touched.filter(isCell)];
    for (const body of chosen.flatMap((index) => topOf(index) ?? [])) this.ornament(body.mesh, this.rim(body, "#ffd447", 0.16));
    for (const body of cells.flatMap((index) => topOf(index) ?? [])) this.ornament(body.mesh, this.rim(body, "#fff6d8", 0.07));
    this.stick("next", cells.filter((index) => !topOf(index)).map(over), 0.3);
    this.stick("touched", chosen.filter((index) => !topOf(index)).map(over), 0.98);
    if (focus !== null && isCell(focus)) this.stick("focus", [over(focus)], 0.98);
    const onTop = (piece: Piece) => ({ ...piece, width: Math.min(piece.width, piece.depth), depth: Math.min(piece.width, piece.depth), height: (piece.z + piece.height) * this.scale });
    this.stick("gone", gone.filter((piece) => !ghosts.some((ghost) => ghost.place === piece.place)).map(onTop), 0.6);
    for (const ghost of ghosts) this.addLoose(ghost, "ghost");
    if (missed) this.addLoose(missed, "missed");
    if (held) this.addLoose(held, "held");
    const top = lifted === null ? undefined : topOf(lifted);
    for (const body of this.bodies) body.mesh.visible = body !== top;
    if (held || this.heldBefore) this.renderer.shadowMap.needsUpdate = true;
    this.heldBefore = held !== null;
    this.redraw();
  }

  /* The last move: light around the feet of what came and where something stood on the floor; lines on the face of what
   * came, which go along with it, and around a cell that is empty now. */
  private trace({ placed, gone }: Preview): void {
    this.stick("changed", [...placed, ...gone].filter((piece) => piece.z === 0).map((piece) => ({ ...piece, height: 0 })), 1.34);
    for (const { mesh, piece } of this.bodies) {
      if (!placed.some((other) => other.x === piece.x && other.y === piece.y && other.z === piece.z)) continue;
      this.ornament(mesh, this.shop.bracketed(piece.shape, piece.width * this.scale, piece.depth * this.scale, piece.height * this.scale + 0.004));
    }
    for (const { x, y, place } of gone) {
      if (this.heightAt(x, y) > 0) continue;
      const { width, depth } = this.scene!.places[place]!;
      const lines = this.shop.bracketed("tile", width * this.scale, depth * this.scale, 0.012);
      const [wx, wz] = this.toWorld(x, y);
      lines.position.set(wx, 0, wz);
      this.marks.add(lines);
    }
  }

  /* On a floor without cells: hatches where the piece in the hand has no room for its centre. */
  veil(region: Region | null): void {
    this.veiled?.removeFromParent();
    if (region && this.scene) {
      const lattice = (this.scale * region.side) / (region.side - 1); // it has a point at both ends
      this.veiled = this.shop.lying(this.shop.veil(region), this.scene.width * lattice, this.scene.depth * lattice, 0.002);
      this.world.add(this.veiled);
    }
    this.redraw();
  }

  /* Lays pictures down flat; `height` is in units of the world. */
  private stick(name: Look, list: { x: number; y: number; angle: number; width: number; depth: number; height: number }[], size: number): void {
    if (list.length === 0) return;
    const [positions, uvs, indices]: [number[], number[], number[]] = [[], [], []];
    list.forEach(({ x, y, angle, width, depth, height }, i) => {
      const [wx, wz] = this.toWorld(x, y);
      const [c, t] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
      for (const [u, v] of [[0, 0], [1, 0], [1, 1], [0, 1]] as const) {
        const [a, b] = [(u - 0.5) * width * this.scale * size, (v - 0.5) * depth * this.scale * size];
        positions.push(wx + a * c - b * t, height + 0.012, wz - a * t - b * c);
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
    this.marks.add(mesh);
  }

  /* A piece that is not part of the scene: where one would land, cannot lie, or is held. */
  private addLoose(piece: Piece, kind: "ghost" | "missed" | "held"): void {
    const material = kind === "held" ? this.shop.wood(piece.material) : this.shop.glassy(kind === "missed" ? "#e04040" : "#ffffff", piece.material);
    const mesh = new Mesh(this.shop.shape(piece, this.scale, 0), material);
    this.put(mesh, piece);
    if (kind === "held") {
      mesh.position.y = Math.max(HOLD, this.heightAt(piece.x, piece.y) + 0.3);
      mesh.castShadow = true;
    }
    if (kind === "ghost") mesh.add(this.rim({ mesh, piece }, "#fff6d8", 0.06));
    mesh.renderOrder = 3;
    this.marks.add(mesh);
  }

  theme({ dark }: Theme): void {
    this.tableColour.set(dark ? "#938a82" : "#ffffff");
    this.lamp.intensity = dark ? 3 : 3.6;
    this.sky.intensity = dark ? 0.65 : 1.15;
    this.glow.intensity = dark ? 0.55 : 1;
    this.redraw();
  }

  /* ---- The eye ---- */

  resize(width: number, height: number): void {
    this.size = { width: Math.max(1, width), height: Math.max(1, height) };
    this.camera.resize(this.size.width, this.size.height);
    this.redraw();
  }

  /* From a seat at the table. */
  face(quarters: number): void {
    this.orbit.face((quarters * Math.PI) / 2);
    this.redraw();
  }

  /* Where a cell is seen: its middle, and where it begins and ends, in parts of the picture's width and height. */
  project(index: number): { left: number; top: number; bottom: number } | null {
    const place = this.scene?.places[index];
    if (place?.kind !== "cell") return null;
    const [x, y] = [place.x + place.width / 2, place.y + place.depth / 2];
    const [wx, wz] = this.toWorld(x, y);
    const top = this.heightAt(x, y);
    const half = (place.width * this.scale) / 2;
    const ends = [-half, half].flatMap((dx) => [-half, half].map((dz) => this.camera.seen(new Vector3(wx + dx, top, wz + dz)).top));
    return { left: this.camera.seen(new Vector3(wx, top, wz)).left, top: Math.min(...ends), bottom: Math.max(...ends) };
  }

  /* The point of the board, in the scene's lengths, that is seen at a point of the window: a piece counts for where it
   * stands, unless a hand holds something over it. */
  pick(clientX: number, clientY: number, holding = false): Point | null {
    if (!this.scene) return null;
    const box = this.canvas.getBoundingClientRect();
    const caster = this.camera.through((clientX - box.left) / box.width, (clientY - box.top) / box.height);
    const onPiece = holding ? undefined : caster.intersectObjects(this.bodies.map(({ mesh }) => mesh), false)[0];
    let point = onPiece?.point ?? null;
    if (onPiece) {
      // A side that faces the next cell still belongs to its piece.
      const { mesh } = this.bodies.find((one) => one.mesh === onPiece.object)!;
      point = point!.clone().lerp(new Vector3(mesh.position.x, point!.y, mesh.position.z), 0.06);
    } else {
      point = caster.ray.intersectPlane(new Plane(new Vector3(0, 1, 0), holding ? -HOLD : 0), new Vector3());
    }
    if (!point) return null;
    const x = point.x / this.scale + this.scene.width / 2;
    const y = this.scene.depth / 2 - point.z / this.scale;
    if (x < 0 || y < 0 || x > this.scene.width || y > this.scene.depth) return null;
    return { x, y };
  }

  /* ---- Frames ---- */

  /* Asks for a frame; a good one if there has been nothing to do for a while. */
  redraw(resting = false): void {
    window.clearTimeout(this.rest);
    this.resting = resting;
    if (this.frameWanted === 0 && !this.closed) this.frameWanted = requestAnimationFrame(this.frame);
  }

  private readonly frame = (now: number): void => {
    this.frameWanted = 0;
    if (this.closed || !this.scene) return;
    const lasted = now - this.lastFrame;
    this.lastFrame = now;
    if (this.moving && lasted > SLOW && lasted < 1000) this.slowFrames++;
    else if (lasted < SLOW / 2) this.slowFrames = 0;
    if (this.slowFrames >= 3) this.slow = true;
    const gliding = this.orbit.glide(this.wishes.still ? 1 : 1 - Math.exp(-Math.min(lasted, 100) / 70));
    const flying = this.advance(now);
    this.moving = gliding || flying;
    this.draw();
    if (gliding || !this.moving) this.wishes.onview?.();
    if (this.moving) this.redraw();
    else if (this.slow && !this.resting) this.rest = window.setTimeout(() => this.redraw(true), REST);
  };

  /* Pieces go up, across and down; false once all have arrived. */
  private advance(now: number): boolean {
    if (this.flights.length === 0) return false;
    for (const { body, from, to, turn, lift, start, lasts } of this.flights) {
      const part = Math.min(Math.max((now - start) / lasts, 0), 1);
      const way = part * part * (3 - 2 * part);
      body.mesh.position.lerpVectors(from, to, way);
      body.mesh.position.y += lift * 4 * part * (1 - part) * 0.5;
      body.mesh.rotation.y = turn[0] + (turn[1] - turn[0]) * way;
    }
    const done = this.flights.every(({ start, lasts }) => now - start >= lasts);
    if (done) this.land();
    this.renderer.shadowMap.needsUpdate = true;
    return true;
  }

  private draw(): void {
    // Another size stops the page until the card has caught up, so it waits for a rest.
    const ratio = this.slow ? (this.resting ? 1.4 : 0.8) : Math.min(devicePixelRatio, 2);
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    const { width, height } = this.size;
    const now = this.renderer.getSize(new Vector2());
    if (now.x !== width || now.y !== height) this.renderer.setSize(width, height, false);
    this.camera.look();
    this.renderer.render(this.world, this.camera.lens);
  }

  /* What is seen, as a picture. */
  picture(type: string, quality: number): Promise<Blob> {
    this.orbit.glide(1);
    [this.slow, this.resting] = [true, true];
    this.draw();
    const small = Object.assign(document.createElement("canvas"), this.size);
    small.getContext("2d")!.drawImage(this.canvas, 0, 0, small.width, small.height);
    return new Promise((resolve, reject) =>
      small.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), type, quality),
    );
  }

  private empty(group: Group): void {
    for (const child of [...group.children]) {
      group.remove(child);
      if (child instanceof Mesh && !this.shop.owns(child.geometry)) child.geometry.dispose();
    }
  }

  dispose(): void {
    this.closed = true;
    cancelAnimationFrame(this.frameWanted);
    window.clearTimeout(this.rest);
    this.canvas.removeEventListener("webglcontextlost", this.lost);
    this.empty(this.built);
    this.empty(this.marks);
    this.table?.geometry.dispose();
    this.shop.dispose();
    this.lamp.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
