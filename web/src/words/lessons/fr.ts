import type { en } from "./en";

export const words: Record<keyof typeof en, string> = {
  title: "Apprendre {0}",
  step: "Étape {0} sur {1}",
  steps: "Toutes les étapes",
  done: "terminée",
  hint: "Indice",
  hintNumber: "Indice : {0}",
  back: "Précédent",
  next: "Suivant",
  skip: "Passer",
  again: "Recommencer cette étape",
  right: "Bravo !",
  played: "C’était votre première partie. Bien joué, quel que soit le gagnant !",
  notThis: "Ce coup est permis, mais ce n’est pas ce que demande cette étape. Essayez encore.",
  ranOut: "Bien joué, mais le but n’est pas atteint ainsi. Recommencez au début de cette étape.",
  refused: "Interdit : {0}.",
  finishedTitle: "Vous savez jouer à {0}",
  finished: "Toutes les étapes sont terminées. À vous de jouer : le premier niveau est un adversaire facile.",
  play: "Jouer contre le niveau 1",
  review: "Revoir toutes les étapes",
  failed: "L’essai n’a pas pu être jugé : {0}. Essayez encore.",
};
