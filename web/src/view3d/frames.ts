/* When frames are drawn: only when something has changed. And how finely: where they take long, they are drawn smaller
 * while something moves, and in full when it rests. */
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

export class Frames {
  slow = isSoftware(); // frames take long here
  private wanted = 0;
  private last = 0;
  private slowOnes = 0;
  private moving = false;
  private resting = false;
  private rest = 0; // the timer
  private closed = false;

  /* `advance` moves what moves, after so many milliseconds, and tells whether anything did. */
  constructor(
    private readonly advance: (now: number, lasted: number) => boolean,
    private readonly draw: (ratio: number) => void,
  ) {}

  /* Asks for a frame; a fine one if there has been nothing to do for a while. */
  want(resting = false): void {
    window.clearTimeout(this.rest);
    this.resting = resting;
    if (this.wanted === 0 && !this.closed) this.wanted = requestAnimationFrame(this.frame);
  }

  private readonly frame = (now: number): void => {
    this.wanted = 0;
    if (this.closed) return;
    const lasted = now - this.last;
    this.last = now;
    if (this.moving && lasted > SLOW && lasted < 1000) this.slowOnes++;
    else if (lasted < SLOW / 2) this.slowOnes = 0;
    if (this.slowOnes >= 3) this.slow = true;
    this.moving = this.advance(now, lasted);
    this.draw(this.ratio);
    if (this.moving) this.want();
    else if (this.slow && !this.resting) this.rest = window.setTimeout(() => this.want(true), REST);
  };

  /* Pixels drawn for one that is seen. A new size blocks the page until the card has caught up, so it waits for a rest. */
  private get ratio(): number {
    return this.slow ? (this.resting ? 1.4 : 0.8) : Math.min(devicePixelRatio, 2);
  }

  stop(): void {
    this.closed = true;
    cancelAnimationFrame(this.wanted);
    window.clearTimeout(this.rest);
  }
}
