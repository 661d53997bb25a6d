import type { en } from "./en";

export const words: Record<keyof typeof en, string> = {
  title: "{0} leren",
  step: "Stap {0} van {1}",
  steps: "Alle stappen",
  done: "gedaan",
  hint: "Tip",
  hintNumber: "Tip: {0}",
  back: "Terug",
  next: "Verder",
  skip: "Overslaan",
  again: "Deze stap opnieuw beginnen",
  right: "Goed zo!",
  played: "Dat was je eerste partij. Goed gespeeld, wie er ook won!",
  notThis: "Deze zet mag, maar deze stap vraagt iets anders. Probeer het nog eens.",
  ranOut: "Goed gespeeld, maar zo wordt het doel niet bereikt. Probeer het opnieuw vanaf het begin van deze stap.",
  refused: "Niet toegestaan: {0}.",
  finishedTitle: "Je kent {0} nu",
  finished: "Alle stappen zijn gedaan. Nu spelen: niveau 1 is een makkelijke tegenstander.",
  play: "Spelen tegen niveau 1",
  review: "Alle stappen nog eens",
  failed: "De poging kon niet beoordeeld worden: {0}. Probeer het nog eens.",
};
