/* What players are called: by their number, and by the wood or colour that is theirs alone. */
import type { Game, Scene } from "../engine/engine";
import type { Key } from "../words/en";
import { words } from "../words/words.svelte";

/* The material that only this player's pieces have; null where there is none, or several. */
function materialOf(player: number, scene: Scene): string | null {
  const own = new Set(scene.pieces.filter((piece) => piece.owner === player).map((piece) => piece.material));
  for (const piece of scene.pieces) if (piece.owner !== player) own.delete(piece.material);
  return own.size === 1 ? [...own][0]! : null;
}

/* `first` is the game's first scene. Where something is hidden, names must not tell what belongs to whom. */
export function namesOf(game: Game, players: number, first: Scene): string[] {
  return Array.from({ length: players }, (_, i) => {
    const material = game.hidden ? null : materialOf(i + 1, first);
    return material === null ? words.t("player", i + 1) : words.t("playerOf", i + 1, words.t(`wood.${material}` as Key));
  });
}
