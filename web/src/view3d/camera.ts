/* The eye over the table. Its distance and a shift of the picture are chosen so that the board, what stands on it and what
 * may still come just fill the picture, whatever its shape and from any side. */
import { PerspectiveCamera, Raycaster, Vector2, Vector3 } from "three";
import { BASE, RAIL, WALL } from "./board";
import { Orbit, type Eye } from "./orbit";

const FILLED = 0.95; // of the picture, where it is narrowest

/* The space over a board's floor that pieces may take. */
export interface Room {
  width: number;
  depth: number;
  height: number;
}

export class Camera {
  readonly orbit: Orbit;
  readonly lens = new PerspectiveCamera(30, 1, 1, 200);
  private corners: Vector3[] = [];

  constructor(home: Partial<Eye> = {}) {
    this.orbit = new Orbit({ turn: 0, tilt: 0.66, zoom: 1, ...home });
  }

  resize(width: number, height: number): void {
    this.lens.aspect = width / height;
  }

  /* What is to be seen: the frame of a board, and the room over its floor. */
  watch({ width, depth, height }: Room): void {
    const box = (grow: number, y: number) =>
      [-1, 1].flatMap((side) => [-1, 1].map((end) => new Vector3(side * (width / 2 + grow), y, end * (depth / 2 + grow))));
    this.corners = [...box(RAIL, -BASE), ...box(RAIL, WALL), ...box(0, height)];
  }

  /* The nearest distance from which all corners are in the picture, and where in the picture their middle is. */
  private fit({ turn, tilt }: Eye): { far: number; middle: Vector2 } {
    const right = new Vector3(Math.cos(turn), 0, -Math.sin(turn));
    const back = new Vector3(Math.sin(turn) * Math.sin(tilt), Math.cos(tilt), Math.cos(turn) * Math.sin(tilt));
    const up = new Vector3().crossVectors(back, right);
    const high = Math.tan((this.lens.fov * Math.PI) / 360);
    const wide = high * this.lens.aspect;
    const seen = this.corners.map((corner) => ({ x: corner.dot(right) / wide, y: corner.dot(up) / high, back: corner.dot(back) }));
    const [low, top] = [new Vector2(), new Vector2()];
    let [near, far] = [4, 120];
    for (let i = 0; i < 24; i++) {
      const distance = (near + far) / 2;
      low.setScalar(Infinity);
      top.setScalar(-Infinity);
      for (const { x, y, back } of seen) {
        const at = new Vector2(x, y).divideScalar(Math.max(distance - back, 0.1));
        low.min(at);
        top.max(at);
      }
      if (Math.max(top.x - low.x, top.y - low.y) < 2 * FILLED) far = distance;
      else near = distance;
    }
    return { far, middle: low.add(top).divideScalar(2) };
  }

  /* Moves to that distance, divided by the zoom. */
  look(): void {
    const { turn, tilt, zoom } = this.orbit.now;
    const { far, middle } = this.fit(this.orbit.now);
    const aside = middle.divideScalar(Math.max(zoom, 1));
    const { lens } = this;
    lens.position.set(Math.sin(turn) * Math.sin(tilt), Math.cos(tilt), Math.cos(turn) * Math.sin(tilt)).multiplyScalar(far / zoom);
    lens.up.set(-Math.sin(turn), 1, -Math.cos(turn));
    lens.lookAt(0, 0, 0);
    lens.updateProjectionMatrix();
    lens.projectionMatrix.elements[8] = aside.x;
    lens.projectionMatrix.elements[9] = aside.y;
    lens.projectionMatrixInverse.copy(lens.projectionMatrix).invert();
    lens.updateMatrixWorld();
  }

  /* Where a point is seen, in parts of the picture's width and height. */
  seen(point: Vector3): { left: number; top: number } {
    const { x, y } = point.clone().project(this.lens);
    return { left: (x + 1) / 2, top: (1 - y) / 2 };
  }

  /* What lies behind a point of the picture. */
  through(left: number, top: number): Raycaster {
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2(left * 2 - 1, 1 - top * 2), this.lens);
    return caster;
  }
}
