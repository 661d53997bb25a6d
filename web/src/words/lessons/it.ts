import type { en } from "./en";

export const words: Record<keyof typeof en, string> = {
  title: "Imparare {0}",
  step: "Passo {0} di {1}",
  steps: "Tutti i passi",
  done: "fatto",
  hint: "Suggerimento",
  hintNumber: "Suggerimento: {0}",
  back: "Indietro",
  next: "Avanti",
  skip: "Salta",
  again: "Ricomincia questo passo",
  right: "Giusto!",
  played: "Questa è stata la tua prima partita. Ben giocato, chiunque abbia vinto!",
  notThis: "Questa mossa è permessa, ma il passo chiede altro. Riprova.",
  ranOut: "Ben giocato, ma così l’obiettivo non si raggiunge. Riprova dall’inizio di questo passo.",
  refused: "Non permesso: {0}.",
  finishedTitle: "Ora conosci {0}",
  finished: "Hai finito tutti i passi. Adesso gioca: il livello 1 è un avversario facile.",
  play: "Gioca contro il livello 1",
  review: "Ripeti tutti i passi",
  failed: "Non è stato possibile giudicare il tentativo: {0}. Riprova.",
};
