import type { Snippet } from "svelte";

/* A place in parts of the picture of a board, flat or in 3D: its middle from the left, and where it begins and ends from
 * the top. */
export interface Spot {
  x: number;
  top: number;
  bottom: number;
}

export type SpotOf = (place: number) => Spot | null;

/* Something that is laid over places while it is wanted. */
export interface Overlay {
  layer: Snippet<[SpotOf]>; // over a board
  tag: Snippet<[number]>; // on a button that stands for a place
  said: (place: number) => string; // of a place, for screen readers; empty if there is nothing to say
}
