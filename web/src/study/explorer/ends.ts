/* The ways in which games ended, in the order in which they are shown: of two players, draws stand between them. */
import type { Side } from "../../game/names";
import type { Tally } from "./lists";
import { say } from "./words";

export interface End {
  winners: string; // as in a tally
  look: string; // the class that draws it
  label: string; // for the numbers; not needed where there are three ways that stand in their order
  name: string;
  games: number;
}

export function endsOf(tally: Tally, sides: Side[]): End[] {
  const all = sides.map(({ player }) => player).join("");
  const end = (winners: string): End => {
    const names = [...winners].map((player) => sides[Number(player) - 1]?.name ?? player);
    return {
      winners,
      look: winners === all ? "ends-drawn" : `ends-${winners[0]}`,
      label: sides.length === 2 ? "" : `${[...winners].join("+")}: `,
      name: winners === all ? say.t("drawn") : say.t(names.length === 1 ? "wins" : "win", names.join(", ")),
      games: tally[winners] ?? 0,
    };
  };
  if (sides.length === 2) return [end("1"), end(all), end("2")];
  return Object.keys(tally).sort().map(end);
}
