import type { en } from "./en";

export const words: Record<keyof typeof en, string> = {
  "trouble.missing": "La table des valeurs exactes de cette variante ({0}) n’est pas ici ; les coups sont donc calculés par recherche. La personne qui gère ce site peut la construire ({1}) et la mettre dans le dossier tables à côté de la page.",
  "trouble.unreachable": "La table des valeurs exactes est inaccessible pour le moment ; les coups sont donc calculés par recherche. Un nouvel essai sera fait plus tard.",
  "trouble.damaged": "La table des valeurs exactes est endommagée ; les coups sont donc calculés par recherche.",
  "trouble.version": "La table des valeurs exactes vient d’une autre version de Nonet ; les coups sont donc calculés par recherche. Recharger la page peut aider.",
};
