import type { en } from "./en";

export const words: Record<keyof typeof en, string> = {
  "trouble.missing": "Die Tabelle der exakten Werte dieser Variante ({0}) ist nicht hier; die Züge werden deshalb durch Suche beurteilt. Wer diese Seite betreibt, kann sie erstellen ({1}) und in den Ordner tables neben der Seite legen.",
  "trouble.unreachable": "Die Tabelle der exakten Werte ist im Augenblick nicht erreichbar; die Züge werden deshalb durch Suche beurteilt. Später wird es wieder versucht.",
  "trouble.damaged": "Die Tabelle der exakten Werte ist beschädigt; die Züge werden deshalb durch Suche beurteilt.",
  "trouble.version": "Die Tabelle der exakten Werte gehört zu einer anderen Version von Nonet; die Züge werden deshalb durch Suche beurteilt. Vielleicht hilft es, die Seite neu zu laden.",
};
