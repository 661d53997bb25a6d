/* What happened between two scenes: which piece is which. Pieces alike are not told apart; what stays stays,
 * the others take the shortest ways. */
import type { Piece } from "../engine/engine";

export interface Change<Body> {
  stayed: [Body, Piece][];
  moved: [Body, Piece][];
  gone: Body[];
  come: Piece[];
}

const alike = (a: Piece, b: Piece): boolean =>
  a.shape === b.shape && a.material === b.material && a.width * a.depth * a.height === b.width * b.depth * b.height;
const same = (a: Piece, b: Piece): boolean =>
  alike(a, b) && a.x === b.x && a.y === b.y && a.z === b.z && a.angle === b.angle && a.width === b.width && a.height === b.height;

export function difference<Body extends { piece: Piece }>(bodies: Body[], pieces: Piece[]): Change<Body> {
  const change: Change<Body> = { stayed: [], moved: [], gone: [], come: [] };
  const old = [...bodies];
  const fresh: Piece[] = [];
  for (const piece of pieces) {
    const at = old.findIndex((body) => same(body.piece, piece));
    if (at < 0) fresh.push(piece);
    else change.stayed.push([...old.splice(at, 1), piece] as [Body, Piece]);
  }
  for (const piece of fresh) {
    let best = -1;
    let least = Infinity;
    old.forEach((body, i) => {
      const far = Math.hypot(body.piece.x - piece.x, body.piece.y - piece.y, body.piece.z - piece.z);
      if (alike(body.piece, piece) && far < least) [best, least] = [i, far];
    });
    if (best < 0) change.come.push(piece);
    else change.moved.push([...old.splice(best, 1), piece] as [Body, Piece]);
  }
  change.gone = old;
  return change;
}
