/* What pieces stand on: the table; a board with its frame, its floor, and names along two of its rails. */
import { BufferAttribute, Group, Mesh, RingGeometry, type Object3D } from "three";
import type { Scene } from "../engine/engine";
import { material } from "../view/materials";
import { borders, homes, sceneFrom } from "../view/shapes";
import { floor, frame } from "./solids";
import type { Workshop } from "./workshop";

export const RAIL = 0.5; // how wide the frame is
export const WALL = 0.3; // how high, above the floor
export const BASE = 0.3; // from the floor down to the table
const INK = "#f2d9ae";

/* It reaches farther than anybody can see. */
export function tableTop(shop: Workshop, y: number): Mesh {
  const top = new RingGeometry(0.01, 130, 32, 1);
  const points = top.getAttribute("position");
  const uvs = top.getAttribute("uv") as BufferAttribute;
  for (let i = 0; i < points.count; i++) uvs.setXY(i, points.getX(i) / 9, points.getY(i) / 9);
  top.setAttribute("color", new BufferAttribute(new Float32Array(points.count * 3).fill(1), 3));
  const mesh = new Mesh(top, shop.wood("table"));
  mesh.rotation.x = -Math.PI / 2;
  mesh.position.y = y;
  mesh.receiveShadow = true;
  return mesh;
}

/* The board of a scene, its middle at the origin; with coordinates for a player who sits so many quarters of a
 * turn round the table, or without. */
export function boardFor(scene: Scene, scale: number, seat: number | null, shop: Workshop): Object3D[] {
  const places = scene.places.filter((place) => place.kind === "cell" || place.kind === "floor");
  const toWorld = (x: number, y: number): [number, number] => [(x - scene.width / 2) * scale, (scene.depth / 2 - y) * scale];
  const groove = Math.min(0.07, (places[0]?.width ?? 0) * scale * 0.05);
  const ground = new Mesh(floor(places, toWorld, groove), shop.wood("floor"));
  const rails = new Mesh(frame(scene.width * scale, scene.depth * scale, RAIL, -BASE, WALL), shop.wood("rail"));
  ground.receiveShadow = rails.receiveShadow = rails.castShadow = true;
  return [ground, rails, ...parts(scene, scale, toWorld, shop), ...(seat === null ? [] : [coordinates(sceneFrom(seat, scene), scale, seat, shop)])];
}

/* What the cells mean: lines between zones, and frames around the players' goals. */
function parts(scene: Scene, scale: number, toWorld: (x: number, y: number) => [number, number], shop: Workshop): Object3D[] {
  const laid = (mesh: Mesh, x: number, y: number) => {
    [mesh.position.x, mesh.position.z] = toWorld(x, y);
    return mesh;
  };
  const THICK = 0.1;
  return [
    ...homes(scene).map(({ cell, wood }) =>
      laid(shop.lying(shop.goal(material(wood).ground), cell.width * scale, cell.depth * scale, 0.002), cell.x + cell.width / 2, cell.y + cell.depth / 2),
    ),
    ...borders(scene).map(({ from, to }) =>
      laid(shop.lying(shop.line("#2d1a0d"), Math.abs(to.x - from.x) * scale + THICK, Math.abs(to.y - from.y) * scale + THICK, 0.003), (from.x + to.x) / 2, (from.y + to.y) / 2),
    ),
  ];
}

/* A text, how far along its rail it stands, and whether that is the one in front or the one at the left. */
type Label = [text: string, part: number, isFront: boolean];

function labels(seen: Scene): Label[] {
  const cells = seen.places.filter((place) => place.kind === "cell");
  const letter = (name: string) => name.replace(/\d+$/, "");
  const digits = (name: string) => name.replace(/^\D+/, "");
  const [left, front] = [cells.filter((cell) => cell.x === 0), cells.filter((cell) => cell.y === 0)];
  const isNumbered = left.length < 2 || letter(left[0]!.name) === letter(left[1]!.name); // along the left
  const [across, up] = isNumbered ? [letter, digits] : [digits, letter];
  if (cells.length > 0)
    return [
      ...front.map((cell): Label => [across(cell.name), (cell.x + cell.width / 2) / seen.width, true]),
      ...left.map((cell): Label => [up(cell.name), (cell.y + cell.depth / 2) / seen.depth, false]),
    ];
  // Where there are no cells, lengths are written.
  return [0, 0.25, 0.5, 0.75, 1].flatMap((part): Label[] => [
    [String(Math.round((seen.width * part) / 1000)), part, true],
    ...(part === 0 ? [] : [[String(Math.round((seen.depth * part) / 1000)), part, false] as Label]),
  ]);
}

function coordinates(seen: Scene, scale: number, seat: number, shop: Workshop): Group {
  const group = new Group();
  const [width, depth] = [seen.width * scale, seen.depth * scale];
  for (const [text, part, isFront] of labels(seen)) {
    const mesh = shop.lying(shop.ink(text, INK), RAIL * 0.66, RAIL * 0.66, WALL + 0.004);
    mesh.position.x = isFront ? (part - 0.5) * width : -(width + RAIL) / 2;
    mesh.position.z = isFront ? (depth + RAIL) / 2 : (0.5 - part) * depth;
    group.add(mesh);
  }
  group.rotation.y = (seat * Math.PI) / 2;
  return group;
}
