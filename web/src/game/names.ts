/* What players are called: by their number, by the wood or colour that is theirs alone, and by who sits there. */
import type { Game, Scene } from "../engine/engine";
import type { Key } from "../words/en";
import { words } from "../words/words.svelte";
import { FAR, type Seat } from "./table.svelte";

export interface Side {
  player: number; // from 1
  name: string; // "Player 1 (maple)"
  who: string; // "You", "Computer, level 3"; empty for one of several people
  material: string | null;
}

/* The material that only this player's pieces have; null where there is none, or several. */
function materialOf(player: number, scene: Scene): string | null {
  const own = new Set(scene.pieces.filter((piece) => piece.owner === player).map((piece) => piece.material));
  for (const piece of scene.pieces) if (piece.owner !== player) own.delete(piece.material);
  return own.size === 1 ? [...own][0]! : null;
}

/* Whether players have changed sides since the first scene: some piece is of the other's material. */
function isSwapped(first: Scene, now: Scene): boolean {
  const materials = [1, 2].map((player) => materialOf(player, first));
  return now.pieces.some(({ owner, material }) => owner === 3 - (materials.indexOf(material) + 1) && materials.includes(material));
}

function whoIs(seat: Seat, seats: Seat[]): string {
  if (seat > 0) return words.t("computerAt", seat);
  if (seat === FAR) return "";
  return seats.filter((other) => other === 0).length === 1 ? words.t("you") : "";
}

/* `first` is the game's first scene, `now` the one that is shown. Where something is hidden, names must not tell what belongs to whom. `people` are the
 * names of those who gave one, and of computers elsewhere their levels. */
export function sidesOf(game: Game, seats: Seat[], first: Scene, now: Scene, people: (string | number | null)[] = []): Side[] {
  const swapped = seats.length === 2 && isSwapped(first, now);
  return seats.map((seat, i) => {
    const material = game.hidden ? null : materialOf(swapped ? 2 - i : i + 1, first);
    const wood = material === null ? "" : words.t(`wood.${material}` as Key);
    const given = people[i] ?? null;
    if (typeof given === "string") {
      const isTwice = people.filter((other) => other === given).length > 1;
      const more = [...(isTwice ? [i + 1] : []), ...(wood === "" ? [] : [wood])].join(", ");
      return { player: i + 1, name: more === "" ? given : `${given} (${more})`, who: seat === 0 ? words.t("you") : "", material };
    }
    const name = wood === "" ? words.t("player", i + 1) : words.t("playerOf", i + 1, wood);
    return { player: i + 1, name, who: whoIs(given ?? seat, seats), material };
  });
}
