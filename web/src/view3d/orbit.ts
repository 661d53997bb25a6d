/* Walking around the table: turning and tilting by dragging, zooming by wheel or two fingers. The eye always
 * stays above the table. It glides to the wanted position. */
const FLATTEST = 1.2;
const STEEPEST = 0.02;

export interface Eye {
  turn: number; // radians around the table, 0 in front of the first player
  tilt: number; // from straight above
  zoom: number; // 1 shows the whole board
}

export class Orbit {
  readonly now: Eye;
  private wished: Eye;

  constructor(readonly home: Eye) {
    this.now = { ...home };
    this.wished = { ...home };
  }

  by(turn: number, tilt: number, zoom = 1): void {
    this.wished.turn += turn;
    this.wished.tilt = Math.min(Math.max(this.wished.tilt + tilt, STEEPEST), FLATTEST);
    this.wished.zoom = Math.min(Math.max(this.wished.zoom * zoom, 0.7), 3);
  }

  /* Whether zooming by this factor would still change anything. */
  zooms(factor: number): boolean {
    return factor > 1 ? this.wished.zoom < 3 : this.wished.zoom > 0.7;
  }

  /* Back to the beginning, on this side of the table. */
  face(turn: number): void {
    const nearest = Math.round((this.wished.turn - turn) / (2 * Math.PI)) * 2 * Math.PI;
    this.wished = { ...this.home, turn: turn + nearest };
  }

  /* One step nearer to the wanted position; false once there. `share` is the part of the way. */
  glide(share: number): boolean {
    let far = false;
    for (const key of ["turn", "tilt", "zoom"] as const) {
      const rest = this.wished[key] - this.now[key];
      far ||= Math.abs(rest) > 0.0008;
      this.now[key] += far ? rest * share : rest;
    }
    return far;
  }
}
