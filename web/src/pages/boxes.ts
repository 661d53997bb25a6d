/* The picture on each game's box, drawn by the view in the round (scripts/boxes.mjs). */
const pictures = import.meta.glob<string>("../boxes/*.webp", { import: "default", eager: true });

export const boxPicture = (game: string): string | undefined => pictures[`../boxes/${game}.webp`];
