/* The table with a board and pieces under a lamp, drawn from a scene alone. */
import { Color, Group, Mesh, NeutralToneMapping, PCFShadowMap, Plane, type Raycaster, Scene as World, Vector2, Vector3, WebGLRenderer } from "three";
import type { Piece, Scene } from "../engine/engine";
import type { Region } from "../game/laying.svelte";
import { NO_CHANGE } from "../game/difference";
import type { Point } from "../game/pieces";
import { duration } from "../view/motion";
import { BASE, boardFor, tableTop } from "./board";
import { Bodies } from "./bodies";
import { Camera } from "./camera";
import { Frames } from "./frames";
import { Light } from "./light";
import { Markers, type Marks } from "./markers";
import type { Eye, Orbit } from "./orbit";
import { Plan } from "./plan";
import { Workshop } from "./workshop";

const UP = new Vector3(0, 1, 0);
const HOLD = 0.9; // how high over the board a hand holds a piece
const FINE = 1.4; // pixels drawn for each pixel of a saved picture

export interface Wishes {
  still: boolean; // no motion
  lettered?: boolean; // letters on the pieces tell colours apart
  home?: Partial<Eye>;
  onview?: () => void; // the eye may have moved: what lies over the picture must follow
  onlost?: () => void; // nothing can be drawn any more
}

export class Stage {
  private readonly camera: Camera;
  private readonly renderer: WebGLRenderer;
  private readonly world = new World();
  private readonly light: Light;
  private readonly shop = new Workshop();
  private readonly bodies = new Bodies(this.shop);
  private readonly markers = new Markers(this.shop, this.bodies);
  private readonly built = new Group(); // frame, floor, coordinates
  private readonly frames: Frames;
  private table: Mesh | null = null;
  private readonly tableColour = new Color();
  private plan: Plan | null = null; // of the scene that is shown
  private drawnBoard = "";
  private size: { width: number; height: number };
  private order = 0; // of calls of show
  private closed = false;
  private heldBefore = false;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly wishes: Wishes,
  ) {
    this.camera = new Camera(wishes.home);
    this.frames = new Frames(this.advance, this.draw);
    this.size = { width: canvas.clientWidth || 1, height: canvas.clientHeight || 1 };
    Object.assign(canvas, this.size);
    const { slow } = this.frames;
    const context = canvas.getContext("webgl2", { antialias: !slow, alpha: false, powerPreference: "low-power" });
    if (context === null) throw new Error("no WebGL");
    this.renderer = new WebGLRenderer({ canvas, context });
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    canvas.addEventListener("webglcontextlost", this.lost);
    this.light = new Light(this.world, slow);
    this.world.add(this.built, this.bodies.group, this.markers.group);
  }

  private readonly lost = (event: Event): void => {
    event.preventDefault();
    if (!this.closed) this.wishes.onlost?.();
  };

  /* ---- What is shown ---- */

  /* Puts a scene on the table; what differs from the last one travels there, as the change that led to it tells. */
  async show(scene: Scene, coordinates: boolean, turned: number, change = NO_CHANGE): Promise<void> {
    const order = ++this.order;
    const lasts = duration();
    const plan = new Plan(scene);
    await this.shop.prepare(["table", "floor", "rail", ...scene.pieces.map((piece) => piece.material)]);
    await this.setUp();
    if (this.closed || order !== this.order) return;
    const anew = this.plan === null || !plan.isLike(this.plan);
    this.plan = plan;
    if (anew) {
      this.bodies.forget();
      this.shop.forgetShapes();
    }
    this.camera.watch(plan.room);
    this.build(plan, coordinates ? turned : null);
    this.bodies.follow(plan, change, anew ? 0 : lasts, this.wishes.lettered ?? false);
    this.renderer.shadowMap.needsUpdate = true;
    this.redraw();
  }

  /* The table. The shaders are compiled before they are needed, while the page stays responsive. */
  private async setUp(): Promise<void> {
    if (this.table) return;
    this.table = tableTop(this.shop, -BASE);
    this.shop.wood("table").color = this.tableColour;
    const samples = this.shop.samples();
    this.world.add(this.table, samples);
    if (this.renderer.extensions.has("KHR_parallel_shader_compile")) await this.renderer.compileAsync(this.world, this.camera.lens);
    else this.renderer.compile(this.world, this.camera.lens);
    this.world.remove(samples);
  }

  /* The board, unless it lies there already; with coordinates for a seat, or without. */
  private build({ scene, scale }: Plan, seat: number | null): void {
    const key = JSON.stringify([scene.width, scene.depth, scene.places.map((place) => [place.x, place.y, place.zone, place.home]), seat]);
    if (key === this.drawnBoard) return;
    this.drawnBoard = key;
    this.shop.empty(this.built);
    this.built.add(...boardFor(scene, scale, seat, this.shop));
  }

  mark(marks: Marks): void {
    if (!this.plan) return;
    this.markers.show(this.plan, marks, marks.held && this.under(marks.held));
    const holds = marks.held !== null;
    if (holds || this.heldBefore) this.renderer.shadowMap.needsUpdate = true;
    this.heldBefore = holds;
    this.redraw();
  }

  /* On a floor without cells: what is impossible for the piece in the hand. */
  veil(region: Region | null): void {
    if (!this.plan) return;
    this.markers.veil(this.plan, region);
    this.redraw();
  }

  theme({ dark }: { dark: boolean }): void {
    this.tableColour.set(dark ? "#938a82" : "#ffffff");
    this.light.dim(dark);
    this.redraw();
  }

  /* ---- The eye, and what it sees ---- */

  get orbit(): Orbit {
    return this.camera.orbit;
  }

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
    if (!this.plan?.isCell(index)) return null;
    const middle = this.plan.middleOf(index);
    const [x, z] = this.plan.toWorld(middle);
    const y = this.plan.heightAt(middle);
    const half = (this.plan.scene.places[index]!.width * this.plan.scale) / 2;
    const ends = [-half, half].flatMap((dx) => [-half, half].map((dz) => this.camera.seen(new Vector3(x + dx, y, z + dz)).top));
    return { left: this.camera.seen(new Vector3(x, y, z)).left, top: Math.min(...ends), bottom: Math.max(...ends) };
  }

  /* Where a point of the floor is seen, likewise. */
  projectPoint(point: Point): { left: number; top: number; bottom: number } {
    const [x, z] = this.plan?.toWorld(point) ?? [0, 0];
    const { left, top } = this.camera.seen(new Vector3(x, 0, z));
    return { left, top: top - 0.02, bottom: top + 0.02 };
  }

  private through(clientX: number, clientY: number): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    return this.camera.through((clientX - box.left) / box.width, (clientY - box.top) / box.height);
  }

  /* The point of the board, in the scene's lengths, that is seen at a point of the window: a piece, and a ghost that waits
   * to be touched, counts for where it stands. Null beside the board, unless the plane beyond it counts as well. */
  pick(clientX: number, clientY: number, beyond = false): Point | null {
    if (!this.plan) return null;
    const caster = this.through(clientX, clientY);
    const solid = [...this.bodies.all.map(({ mesh }) => mesh), ...this.markers.offers].filter((mesh) => mesh.visible);
    const hit = caster.intersectObjects(solid, false)[0];
    // A side that faces the next cell still belongs to its piece.
    const onPiece = hit?.point.clone().lerp(hit.object.position.clone().setY(hit.point.y), 0.06);
    const point = onPiece ?? caster.ray.intersectPlane(new Plane(UP), new Vector3());
    return point && this.plan.toScene(point, beyond);
  }

  /* Where a piece must be for its middle to be seen at a point of the window, so high that it is over all others there. */
  private under({ piece, x, y }: { piece: Piece; x: number; y: number }): Vector3 {
    const plan = this.plan!;
    const low = Math.max(HOLD, plan.heightAt(piece) + 0.3);
    const half = (piece.height * plan.scale) / 2;
    const middle = this.through(x, y).ray.intersectPlane(new Plane(UP, -low - half), new Vector3());
    return middle?.setY(low) ?? plan.standing(piece).setY(low);
  }

  /* ---- Frames ---- */

  redraw(): void {
    this.frames.want();
  }

  private readonly advance = (now: number, lasted: number): boolean => {
    const gliding = this.orbit.glide(this.wishes.still ? 1 : 1 - Math.exp(-Math.min(lasted, 100) / 70));
    const flying = this.bodies.advance(now);
    if (flying) this.renderer.shadowMap.needsUpdate = true;
    return gliding || flying;
  };

  private readonly draw = (ratio: number): void => {
    if (!this.plan) return;
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    const { width, height } = this.size;
    const now = this.renderer.getSize(new Vector2());
    if (now.x !== width || now.y !== height) this.renderer.setSize(width, height, false);
    this.camera.look();
    this.renderer.render(this.world, this.camera.lens);
    this.wishes.onview?.();
  };

  /* What is seen, as a picture. */
  picture(type: string, quality: number): Promise<Blob> {
    this.orbit.glide(1);
    this.draw(FINE);
    const small = Object.assign(document.createElement("canvas"), this.size);
    small.getContext("2d")!.drawImage(this.canvas, 0, 0, small.width, small.height);
    return new Promise((resolve, reject) =>
      small.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), type, quality),
    );
  }

  dispose(): void {
    this.closed = true;
    this.frames.stop();
    this.canvas.removeEventListener("webglcontextlost", this.lost);
    this.shop.empty(this.built);
    this.markers.clear();
    this.table?.geometry.dispose();
    this.shop.dispose();
    this.light.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
