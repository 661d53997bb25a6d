/* Lines at the corners of a footprint, as on a flat board: they tell where the last move changed something. They lie on the
 * face of a piece that came, and on the floor where one left. */
import { BufferAttribute, BufferGeometry } from "three";
import type { Piece } from "../engine/engine";
import { cornersOf } from "./solids";

type Spot = [x: number, z: number];

const plus = ([x, z]: Spot, [dx, dz]: Spot, times: number): Spot => [x + dx * times, z + dz * times];

function unit([x, z]: Spot, [tx, tz]: Spot): Spot {
  const length = Math.hypot(tx - x, tz - z);
  return [(tx - x) / length, (tz - z) / length];
}

/* The middle of every line, and which way is out at each of its points. */
type Line = { at: Spot; out: Spot }[];

function aroundCorners(corners: Spot[], inset: number, longest: number, cap: number): Line[] {
  return corners.flatMap((corner, i): Line[] => {
    const [before, after] = [corners[(i + corners.length - 1) % corners.length]!, corners[(i + 1) % corners.length]!];
    const [a, b] = [unit(before, corner), unit(corner, after)]; // how one arrives, and leaves
    if (a[0] * b[1] - a[1] * b[0] < 0) return []; // it points inward
    const [sideA, sideB]: Spot[] = [[a[1], -a[0]], [b[1], -b[0]]]; // outside is to the left of the way
    const bend = plus(plus(corner, sideA!, -inset), sideB!, -inset);
    const reach = (to: Spot) => Math.min(longest, Math.hypot(to[0] - corner[0], to[1] - corner[1]) * 0.3) + cap;
    return [[
      { at: plus(bend, a, -reach(before)), out: sideA! },
      { at: bend, out: plus(sideA!, sideB!, 1) }, // mitred
      { at: plus(bend, b, reach(after)), out: sideB! },
    ]];
  });
}

function aroundDisc(radius: number): Line[] {
  return [0, 1, 2, 3].map((quarter) =>
    Array.from({ length: 9 }, (_, i) => {
      const angle = (quarter + 0.28 + (0.44 * i) / 8) * (Math.PI / 2);
      const out: Spot = [Math.cos(angle), Math.sin(angle)];
      return { at: [out[0] * radius, out[1] * radius], out };
    }),
  );
}

/* The lines of a footprint around the origin, so wide and so far inside its edge (outside, where that is negative). */
export function brackets(shape: Piece["shape"], width: number, depth: number, inset: number, thick: number): BufferGeometry {
  const small = Math.min(width, depth);
  const lines = shape === "disc" ? aroundDisc(small / 2 - inset) : aroundCorners(cornersOf(shape, width, depth), inset, 0.28 * small + 0.05, thick / 2);
  const positions: number[] = [];
  for (const line of lines)
    for (let i = 1; i < line.length; i++) {
      const [from, to] = [line[i - 1]!, line[i]!];
      const [a, b, c, d] = [plus(from.at, from.out, -thick / 2), plus(from.at, from.out, thick / 2), plus(to.at, to.out, thick / 2), plus(to.at, to.out, -thick / 2)];
      for (const [x, z] of [a, c, b, a, d, c] as Spot[]) positions.push(x, 0, z);
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  return geometry;
}
