/* How many nodes a search looks at between two looks at the clock: twice as many after a short portion, half as many
 * after a long one. One that finds nothing to do is short however large it is, so there is a limit. */
const MOST = 2 ** 30;

export function nextPortion(nodes: number, spent: number, short: number, long: number): number {
  if (spent < short) return Math.min(2 * nodes, MOST);
  return spent > long ? Math.ceil(nodes / 2) : nodes;
}
