import type { en } from "./en";

export const words: Record<keyof typeof en, string> = {
  "trouble.missing": "La tabella dei valori esatti di questa variante ({0}) non è qui, perciò le mosse sono valutate con la ricerca. Chi gestisce questo sito può costruirla ({1}) e metterla nella cartella tables accanto alla pagina.",
  "trouble.unreachable": "La tabella dei valori esatti per ora non è raggiungibile, perciò le mosse sono valutate con la ricerca. Si riproverà più tardi.",
  "trouble.damaged": "La tabella dei valori esatti è danneggiata, perciò le mosse sono valutate con la ricerca.",
  "trouble.version": "La tabella dei valori esatti è di un’altra versione di Nonet, perciò le mosse sono valutate con la ricerca. Ricaricare la pagina può aiutare.",
};
