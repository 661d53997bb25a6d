import type { en } from "./en";

export const words: Record<keyof typeof en, string> = {
  "trouble.missing": "De tabel met exacte waarden van deze variant ({0}) is hier niet, dus worden de zetten door zoeken beoordeeld. Wie deze site beheert, kan haar maken ({1}) en in de map tables naast de pagina zetten.",
  "trouble.unreachable": "De tabel met exacte waarden is nu niet bereikbaar, dus worden de zetten door zoeken beoordeeld. Later wordt het opnieuw geprobeerd.",
  "trouble.damaged": "De tabel met exacte waarden is beschadigd, dus worden de zetten door zoeken beoordeeld.",
  "trouble.version": "De tabel met exacte waarden hoort bij een andere versie van Nonet, dus worden de zetten door zoeken beoordeeld. Misschien helpt het om de pagina opnieuw te laden.",
};
