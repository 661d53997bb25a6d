/* The variations of a game, from the tree that the engine keeps. */
export type Tree = [node: number, parent: number, move: string][];

export interface Step {
  node: number;
  move: string;
}

/* A line beside the game, or beside another variation. */
export interface Variation {
  ply: number; // of its first move
  depth: number; // 0: beside the game itself
  nodes: Step[];
}

/* The nodes of the game itself: the first positions that were there. */
export function mainLine(tree: Tree, moves: number): number[] {
  const line = [0];
  while (line.length <= moves) line.push(tree.find(([, parent]) => parent === line.at(-1))![0]);
  return line;
}

/* All variations, each after the line from which it leaves. */
export function variationsOf(tree: Tree, main: number[]): Variation[] {
  const children = new Map<number, Step[]>();
  for (const [node, parent, move] of tree) children.set(parent, [...(children.get(parent) ?? []), { node, move }]);
  const all: Variation[] = [];
  const branch = (first: Step, ply: number, depth: number): void => {
    const nodes = [first];
    for (let next = children.get(first.node)?.[0]; next; next = children.get(next.node)?.[0]) nodes.push(next);
    all.push({ ply, depth, nodes });
    nodes.forEach(({ node }, i) => children.get(node)?.slice(1).forEach((step) => branch(step, ply + i + 1, depth + 1)));
  };
  main.forEach((node, i) => children.get(node)?.filter((step) => step.node !== main[i + 1]).forEach((step) => branch(step, i + 1, 0)));
  return all;
}

/* As a text for a link: the ply of the first move, then the moves. Those beside variations begin with all moves from
 * the game on, so that each can be read alone. */
export function writeVariations(variations: Variation[], tree: Tree, main: number[]): string {
  const parents = new Map(tree.map(([node, parent, move]) => [node, { parent, move }]));
  const isMain = new Set(main);
  return variations
    .map(({ nodes }) => {
      const moves: string[] = [];
      let node = nodes.at(-1)!.node;
      for (; !isMain.has(node); node = parents.get(node)!.parent) moves.unshift(parents.get(node)!.move);
      return [main.indexOf(node), ...moves].join(";");
    })
    .join("~");
}

export function readVariations(text: string): { ply: number; moves: string[] }[] {
  return text
    .split("~")
    .map((line) => line.split(";"))
    .filter(([ply, ...moves]) => /^\d+$/.test(ply!) && moves.length > 0)
    .map(([ply, ...moves]) => ({ ply: Number(ply), moves }));
}
