/* Bodies of wood: whatever has a footprint and a height, with rounded edges; the frame of a board; its
 * floor with grooves between the cells. Grain runs along the longest side, ends are cut across it, and what
 * is near the ground lies in its own shade. */
import { BufferAttribute, BufferGeometry } from "three";
import type { Piece, Place } from "../engine/engine";

type Triple = [number, number, number];

/* Collects quadrangles, each corner with its own normal. */
class Builder {
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];
  private readonly uvs: number[] = [];
  private readonly colours: number[] = [];

  triangle(corners: Triple[], normals: Triple[], uv: (corner: Triple) => [number, number], shade: (corner: Triple) => number): void {
    corners.forEach((corner, i) => {
      this.positions.push(...corner);
      this.normals.push(...normals[i]!);
      this.uvs.push(...uv(corner));
      const value = shade(corner);
      this.colours.push(value, value, value);
    });
  }

  /* Corners counter-clockwise as seen from outside. */
  quad(corners: Triple[], normals: Triple[], uv: (corner: Triple) => [number, number], shade: (corner: Triple) => number): void {
    const pick = (list: Triple[], ...at: number[]) => at.map((i) => list[i]!);
    this.triangle(pick(corners, 0, 1, 2), pick(normals, 0, 1, 2), uv, shade);
    this.triangle(pick(corners, 0, 2, 3), pick(normals, 0, 2, 3), uv, shade);
  }

  geometry(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.positions), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(this.normals), 3));
    geometry.setAttribute("uv", new BufferAttribute(new Float32Array(this.uvs), 2));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(this.colours), 3));
    return geometry;
  }
}

/* A point of an outline seen from above, and which way is out there. */
interface Edge {
  x: number;
  z: number;
  out: [number, number];
}

/* A polygon with right angles, clockwise on the screen's plane (x, z), its corners rounded. */
function rounded(corners: [number, number][], radius: number, steps: number): Edge[] {
  return corners.flatMap(([x, z], i) => {
    const [px, pz] = corners[(i + corners.length - 1) % corners.length]!;
    const [nx, nz] = corners[(i + 1) % corners.length]!;
    const unit = (dx: number, dz: number): [number, number] => {
      const length = Math.hypot(dx, dz);
      return [dx / length, dz / length];
    };
    const [ax, az] = unit(x - px, z - pz); // how one arrives
    const [bx, bz] = unit(nx - x, nz - z); // and leaves
    const before: [number, number] = [az, -ax]; // outside is to the left of the way
    const after: [number, number] = [bz, -bx];
    const convex = ax * bz - az * bx > 0;
    const centre = [x + (bx - ax) * radius, z + (bz - az) * radius] as const;
    return Array.from({ length: steps + 1 }, (_, k): Edge => {
      const angle = ((k / steps) * Math.PI) / 2;
      const out: [number, number] = [
        before[0] * Math.cos(angle) + after[0] * Math.sin(angle),
        before[1] * Math.cos(angle) + after[1] * Math.sin(angle),
      ];
      const sign = convex ? 1 : -1;
      return { x: centre[0] + sign * out[0] * radius, z: centre[1] + sign * out[1] * radius, out };
    });
  });
}

/* The corners of a footprint with right angles, clockwise on the same plane. */
export function cornersOf(shape: Piece["shape"], width: number, depth: number): [number, number][] {
  const [w, d] = [width / 2, depth / 2];
  const [a, b] = [w / 3, d / 3];
  if (shape !== "cross") return [[-w, -d], [w, -d], [w, d], [-w, d]];
  return [
    [-a, -d], [a, -d], [a, -b], [w, -b], [w, b], [a, b],
    [a, d], [-a, d], [-a, b], [-w, b], [-w, -b], [-a, -b],
  ];
}

function outlineOf(shape: Piece["shape"], width: number, depth: number, radius: number): Edge[] {
  const [w, d] = [width / 2, depth / 2];
  if (shape === "disc")
    return Array.from({ length: 40 }, (_, i) => {
      const angle = (i / 40) * 2 * Math.PI;
      return { x: Math.cos(angle) * w, z: Math.sin(angle) * d, out: [Math.cos(angle), Math.sin(angle)] };
    });
  return rounded(cornersOf(shape, width, depth), radius, 3);
}

/* A piece standing on the ground around the origin. `variant` chooses which part of the plank it is cut from. */
export function body(shape: Piece["shape"], width: number, height: number, depth: number, variant: number): BufferGeometry {
  const builder = new Builder();
  const size = [width, height, depth];
  const small = Math.min(...size);
  const edge = Math.min(small * (shape === "cross" ? 0.13 : 0.11), Math.max(...size) * 0.045);
  const corner = shape === "tile" ? Math.max(edge, Math.min(width, depth) * 0.07) : edge;
  const outline = outlineOf(shape, width, depth, corner);
  const along = size.indexOf(Math.max(...size));
  const span = 1.9 * Math.max(...size);
  // Away from the plank's ends, where its picture is mirrored.
  const shift = [0.28 + 0.44 * ((variant * 0.618) % 1), 0.3 + 0.4 * ((variant * 0.377 + 0.13) % 1)] as const;

  /* Where on the plank a corner of a face lies that looks this way. */
  const planked = (normal: Triple) => {
    const sizes = normal.map(Math.abs);
    const facing = sizes.indexOf(Math.max(...sizes));
    const across = [0, 1, 2].find((axis) => axis !== along && axis !== facing)!;
    return (corner: Triple): [number, number] =>
      facing === along
        ? [shift[0] + (0.12 * corner[across === 1 ? 2 : 1]) / span, shift[1] + corner[across]! / span]
        : [shift[0] + corner[along]! / span, shift[1] + (corner[across]! + 0.2 * size[facing]! * Math.sign(normal[facing]!)) / span];
  };
  const shadeOf = (normal: Triple) => {
    const end = 1 - 0.14 * normal[along]! ** 4; // cut across the grain
    return (corner: Triple) => end * (0.72 + 0.28 * Math.min(1, corner[1] / (0.45 * Math.min(height, 1.2))));
  };

  /* From the bottom up: how far in, how high, and how far the face looks up. The foot is sharp, so that no light
   * creeps under it. */
  const profile: [inset: number, y: number, up: number][] = [[0, 0, 0]];
  const bends = 3;
  for (let i = 0; i <= bends; i++) {
    const angle = (i / bends) * (Math.PI / 2);
    profile.push([edge * (1 - Math.cos(angle)), height - edge * (1 - Math.sin(angle)), Math.sin(angle)]);
  }
  const at = (point: Edge, [inset, y]: [number, number, number]): Triple => [point.x - point.out[0] * inset, y, point.z - point.out[1] * inset];
  const looking = (point: Edge, up: number): Triple => {
    const flat = Math.sqrt(Math.max(0, 1 - up * up));
    return [point.out[0] * flat, up, point.out[1] * flat];
  };
  outline.forEach((from, i) => {
    const to = outline[(i + 1) % outline.length]!;
    if (Math.hypot(to.x - from.x, to.z - from.z) < 1e-6) return;
    for (let j = 1; j < profile.length; j++) {
      const [low, high] = [profile[j - 1]!, profile[j]!];
      const normals = [looking(from, low[2]), looking(from, high[2]), looking(to, high[2]), looking(to, low[2])];
      const middle = [0, 1, 2].map((axis) => normals.reduce((sum, n) => sum + n[axis]! / 4, 0)) as Triple;
      builder.quad([at(from, low), at(from, high), at(to, high), at(to, low)], normals, planked(middle), shadeOf(middle));
    }
    const top = profile.at(-1)!;
    const up: Triple = [0, 1, 0];
    builder.triangle([[0, height, 0], at(to, top), at(from, top)], [up, up, up], planked(up), () => 1);
    const down: Triple = [0, -1, 0];
    builder.triangle([[0, 0, 0], at(from, profile[0]!), at(to, profile[0]!)], [down, down, down], planked(down), () => 0.6);
  });
  return builder.geometry();
}

/* Four rails with mitred corners around a floor, from under it to over it. */
export function frame(width: number, depth: number, rail: number, low: number, high: number): BufferGeometry {
  const builder = new Builder();
  const edge = rail * 0.16;
  const profile: { out: number; y: number; normal: [number, number] }[] = [{ out: 0, y: low, normal: [-1, 0] }];
  for (let i = 0; i <= 3; i++) {
    const angle = (i / 3) * (Math.PI / 2);
    profile.push({ out: edge * (1 - Math.cos(angle)), y: high - edge * (1 - Math.sin(angle)), normal: [-Math.cos(angle), Math.sin(angle)] });
  }
  for (let i = 0; i <= 3; i++) {
    const angle = (i / 3) * (Math.PI / 2);
    profile.push({ out: rail - edge * (1 - Math.sin(angle)), y: high - edge * (1 - Math.cos(angle)), normal: [Math.sin(angle), Math.cos(angle)] });
  }
  profile.push({ out: rail, y: low, normal: [1, 0] });
  /* Sides in turn: the way along, and out. */
  const sides: [along: [number, number], out: [number, number]][] = [
    [[1, 0], [0, 1]], [[0, -1], [1, 0]], [[-1, 0], [0, -1]], [[0, 1], [-1, 0]],
  ];
  sides.forEach(([along, out], side) => {
    const half = (along[0] !== 0 ? width : depth) / 2;
    const away = (along[0] !== 0 ? depth : width) / 2;
    const point = (p: { out: number; y: number }, end: number): Triple => [
      along[0] * end * (half + p.out) + out[0] * (away + p.out),
      p.y,
      along[1] * end * (half + p.out) + out[1] * (away + p.out),
    ];
    let run = 0;
    for (let i = 1; i < profile.length; i++) {
      const [a, b] = [profile[i - 1]!, profile[i]!];
      const length = Math.hypot(b.out - a.out, b.y - a.y);
      const facing = (p: (typeof profile)[0]): Triple => [out[0] * p.normal[0], p.normal[1], out[1] * p.normal[0]];
      const start = run;
      const across = (corner: Triple) => (Math.hypot(corner[1] - a.y, Math.abs(corner[0] * out[0] + corner[2] * out[1]) - away - a.out) + start) / 7;
      builder.quad(
        [point(a, -1), point(b, -1), point(b, 1), point(a, 1)],
        [facing(a), facing(b), facing(b), facing(a)],
        (corner) => [(corner[0] * along[0] + corner[2] * along[1]) / 7 + side * 0.37, across(corner) + side * 0.23],
        (corner) => (i === 1 ? 0.55 + 0.35 * Math.max(0, Math.min(1, corner[1] / high)) : corner[1] < 0 ? 0.6 : 1),
      );
      run += length;
    }
  });
  return builder.geometry();
}

/* The floor: a plate for every cell, with a groove between neighbours; or one plate where there are no cells.
 * `toWorld` places a corner of the scene's plane. */
export function floor(places: Place[], toWorld: (x: number, y: number) => [number, number], groove: number): BufferGeometry {
  const builder = new Builder();
  const up: Triple = [0, 1, 0];
  for (const place of places) {
    const [left, front] = toWorld(place.x, place.y);
    const [right, back] = toWorld(place.x + place.width, place.y + place.depth);
    const uv = (corner: Triple): [number, number] => [corner[0] / 9 + 0.31, corner[2] / 9 + 0.12];
    // Neighbouring plates are cut from one board, with a hint of the saw between them.
    const tint = 0.965 + 0.035 * Math.sin(left * 12.9 + back * 7.3);
    const g = groove / 2;
    const inner: Triple[] = [[left + g, 0, front - g], [right - g, 0, front - g], [right - g, 0, back + g], [left + g, 0, back + g]];
    const outer: Triple[] = [[left, -g, front], [right, -g, front], [right, -g, back], [left, -g, back]];
    builder.quad(inner, [up, up, up, up], uv, () => tint);
    const slopes: Triple[] = [[0, 0.7, 0.7], [0.7, 0.7, 0], [0, 0.7, -0.7], [-0.7, 0.7, 0]];
    slopes.forEach((normal, i) => {
      const j = (i + 1) % 4;
      builder.quad([outer[i]!, outer[j]!, inner[j]!, inner[i]!], [normal, normal, normal, normal], uv, (corner) => (corner[1] < 0 ? 0.32 : 0.8));
    });
  }
  return builder.geometry();
}
