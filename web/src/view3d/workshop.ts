/* Makes everything that the stage shows: woods, shapes, and pictures that lie on wood. Each thing is made once
 * and used again. All wood is drawn by the same shader program, since a program takes time to compile. */
import { BackSide, BufferGeometry, Color, DoubleSide, Group, Mesh, MeshBasicMaterial, MeshPhongMaterial, PlaneGeometry, RepeatWrapping, type Material, type Texture } from "three";
import type { Piece } from "../engine/engine";
import type { Region } from "../game/laying.svelte";
import { brackets } from "./brackets";
import { drawHatches, goal, hatched, letters, look, releasePictures, type Look } from "./pictures";
import { body } from "./solids";
import { releaseWoods, wood } from "./wood";

const OVER = { polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 }; // nearer than the wood it lies on
const DULL = ["floor", "table"]; // others have a thin coat of wax

export class Workshop {
  private readonly shapes = new Map<string, BufferGeometry>();
  private readonly plane = new PlaneGeometry(1, 1);
  private readonly block = body("tile", 1, 1, 1, 0);
  private readonly woods = new Map<string, MeshPhongMaterial>();
  private readonly materials = new Map<string, Material>();
  private hatches: ReturnType<typeof hatched> | null = null;

  /* Prepares these woods. */
  async prepare(names: string[]): Promise<void> {
    for (const name of new Set(names))
      if (!this.woods.has(name)) this.woods.set(name, this.waxed(await wood(name), DULL.includes(name) ? 0 : 1));
  }

  private waxed(map: Texture, sheen: number): MeshPhongMaterial {
    return new MeshPhongMaterial({ map, vertexColors: true, specular: new Color(0x2a2622).multiplyScalar(sheen), shininess: 26 });
  }

  /* A wood that has been prepared; before it is, the next best. */
  wood(name: string): MeshPhongMaterial {
    return this.woods.get(name) ?? [...this.woods.values()][0]!;
  }

  private once<Kind extends Material>(key: string, make: () => Kind): Material {
    let material = this.materials.get(key);
    if (!material) this.materials.set(key, (material = make()));
    return material;
  }

  /* Transparent wood. */
  glassy(name: string): Material {
    const map = this.wood(name).map!;
    return this.once(`glassy ${map.uuid}`, () => Object.assign(this.waxed(map, 1), { transparent: true, opacity: 0.66 }));
  }

  /* What may not be there: hatches, of no wood's colour. */
  forbidden(): Material {
    const map = look("forbidden");
    map.wrapS = map.wrapT = RepeatWrapping;
    return this.once("forbidden", () => Object.assign(this.waxed(map, 0), { transparent: true, opacity: 0.75 }));
  }

  private rim(colour: string): Material {
    return this.once(`rim ${colour}`, () => new MeshBasicMaterial({ color: colour, side: BackSide, toneMapped: false }));
  }

  line(colour: string): Material {
    return this.once(`line ${colour}`, () => new MeshBasicMaterial({ color: colour, side: DoubleSide, transparent: true, depthWrite: false, toneMapped: false, ...OVER }));
  }

  ink(text: string, colour: string): Material {
    return this.flat(`ink ${colour} ${text}`, letters(text, colour), 0.85);
  }

  look(name: Look, opacity = 1): Material {
    return this.flat(`look ${name}`, look(name), opacity);
  }

  goal(colour: string): Material {
    return this.flat(`goal ${colour}`, goal(colour), 1);
  }

  /* Hatches over what is impossible. */
  veil(region: Region): Material {
    this.hatches ??= hatched();
    drawHatches(this.hatches.canvas, region);
    this.hatches.texture.needsUpdate = true;
    return this.flat("veil", this.hatches.texture, 1);
  }

  private flat(key: string, map: Texture, opacity: number): Material {
    return this.once(key, () => new MeshBasicMaterial({ map, opacity, transparent: true, depthWrite: false, toneMapped: false, ...OVER }));
  }

  /* A picture of this size, lying so high. */
  lying(picture: Material, width: number, depth: number, y: number): Mesh {
    const mesh = new Mesh(this.plane, picture);
    mesh.scale.set(width, depth, 1);
    mesh.rotation.x = -Math.PI / 2;
    mesh.position.y = y;
    return mesh;
  }

  shape(piece: Piece, scale: number, variant: number): BufferGeometry {
    const k = scale * 0.992; // neighbours do not share a wall
    return this.shaped([piece.shape, piece.width, piece.height, piece.depth, variant], () =>
      body(piece.shape, piece.width * k, piece.height * k, piece.depth * k, variant),
    );
  }

  /* A line around a piece, wherever it is seen from: a larger one of which only the far side is drawn. */
  rimmed(piece: Piece, shape: BufferGeometry, scale: number, colour: string, thick: number): Mesh {
    const part = (length: number) => thick / (length * scale);
    const rim = new Mesh(shape, this.rim(colour));
    rim.scale.set(1 + part(piece.width), 1 + part(piece.height) / 2, 1 + part(piece.depth));
    rim.position.y = 0.008;
    return rim;
  }

  /* Lines at the corners of a footprint, light within dark, so high. */
  bracketed(shape: Piece["shape"], width: number, depth: number, y: number): Group {
    const group = new Group();
    const narrow = Math.min(width, depth) / (shape === "cross" ? 3 : 1);
    const thick = Math.min(Math.max(narrow * 0.09, 0.036), 0.06);
    [{ times: 2, colour: "#3a1c00" }, { times: 1, colour: "#ffe08a" }].forEach(({ times, colour }, i) => {
      const lines = this.shaped(["brackets", shape, width, depth, times], () => brackets(shape, width, depth, thick * 2.5, thick * times));
      const mesh = new Mesh(lines, this.line(colour));
      mesh.position.y = y;
      mesh.renderOrder = 1 + i;
      group.add(mesh);
    });
    return group;
  }

  private shaped(key: (string | number)[], make: () => BufferGeometry): BufferGeometry {
    let shape = this.shapes.get(key.join());
    if (!shape) this.shapes.set(key.join(), (shape = make()));
    return shape;
  }

  /* A block in every kind of material. */
  samples(): Group {
    const group = new Group();
    for (const material of [this.glassy("table"), this.look("next"), this.rim("#fff6d8"), this.line("#ffe08a")]) {
      const mesh = new Mesh(this.block, material);
      mesh.receiveShadow = true;
      group.add(mesh);
    }
    return group;
  }

  /* Takes away what is in a group; shapes that were made for it alone are given back. */
  empty(group: Group): void {
    for (const child of group.children) if (child instanceof Mesh && !this.owns(child.geometry)) child.geometry.dispose();
    group.clear();
  }

  private owns(geometry: BufferGeometry): boolean {
    return geometry === this.plane || [...this.shapes.values()].includes(geometry);
  }

  /* The next scene has another scale. */
  forgetShapes(): void {
    for (const shape of this.shapes.values()) shape.dispose();
    this.shapes.clear();
  }

  dispose(): void {
    this.forgetShapes();
    this.plane.dispose();
    this.block.dispose();
    for (const material of [...this.woods.values(), ...this.materials.values()]) material.dispose();
    this.hatches?.texture.dispose();
    releaseWoods();
    releasePictures();
  }
}
