import type { en } from "./en";

export const words: Record<keyof typeof en, string> = {
  title: "{0} lernen",
  step: "Schritt {0} von {1}",
  steps: "Alle Schritte",
  done: "geschafft",
  hint: "Tipp",
  hintNumber: "Tipp: {0}",
  back: "Zurück",
  next: "Weiter",
  skip: "Überspringen",
  again: "Diesen Schritt neu beginnen",
  right: "Richtig!",
  played: "Das war deine erste Partie. Gut gespielt, egal wer gewonnen hat!",
  notThis: "Dieser Zug ist erlaubt, aber hier ist etwas anderes gefragt. Versuche es noch einmal.",
  ranOut: "Gut gespielt, aber so wird das Ziel nicht erreicht. Versuche es vom Anfang dieses Schritts an.",
  refused: "Nicht erlaubt: {0}.",
  finishedTitle: "Du kannst jetzt {0} spielen",
  finished: "Alle Schritte sind geschafft. Jetzt spiele: Stufe 1 ist ein leichter Gegner.",
  play: "Gegen Stufe 1 spielen",
  review: "Alle Schritte noch einmal",
  failed: "Der Versuch konnte nicht beurteilt werden: {0}. Versuche es noch einmal.",
};
