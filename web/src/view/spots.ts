/* A place in parts of the picture of a board, flat or in 3D: its middle from the left, and where it begins and ends from
 * the top. */
export interface Spot {
  x: number;
  top: number;
  bottom: number;
}

export type SpotOf = (place: number) => Spot | null;
