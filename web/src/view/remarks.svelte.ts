/* A remark says in passing that something was done: "The link is in the clipboard." It appears in sight, whatever the
 * reader looks at (Remarks.svelte), and goes by itself. One is shown at a time, the latest. */

export interface Remark {
  text: string;
  action?: { label: string; do: () => void }; // what can be done about it, while it is shown
}

/* Long enough to read it twice. */
const SECONDS = 6;
const SECONDS_TO_ACT = 12;

class Remarks {
  latest = $state.raw<Remark | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  show(remark: Remark): void {
    this.latest = remark;
    this.release();
  }

  /* A reader who points at it, or has the focus on its button, wants it to stay. */
  hold(): void {
    clearTimeout(this.timer);
  }

  release(): void {
    this.hold();
    if (this.latest === null) return;
    this.timer = setTimeout(() => this.dismiss(), 1000 * (this.latest.action ? SECONDS_TO_ACT : SECONDS));
  }

  dismiss(): void {
    this.hold();
    this.latest = null;
  }
}

export const remarks = new Remarks();

export function remark(text: string, action?: Remark["action"]): void {
  remarks.show(action ? { text, action } : { text });
}
