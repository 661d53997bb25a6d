/* The worker that thinks, in parallel with the page. It gets a game as text, a level and a time, and answers with a
 * report. It works in slices and reads its messages between them, so it can be stopped at any moment. It thinks about
 * the last question only; earlier ones are forgotten. */
import { nextPortion } from "./portion";
import { breathe } from "./breathe";
import { Engine, type Report } from "./engine";

export interface Question {
  id: number;
  game: string; // as Engine.keep gives it
  level: number;
  seed: bigint;
  seconds: number; // for a level that is limited by time alone
}

export type Message = Question | { stop: true };
export type Answer = { id: number; report: Report } | { id: number; error: string };

const SLICE = 8; // milliseconds
const ready = Engine.load();
let latest = 0; // the id of the question
let stopped = false;

/* Null if another question has come meanwhile. */
async function think(question: Question): Promise<Report | null> {
  const engine = await ready;
  if (latest !== question.id) return null;
  engine.restore(question.game);
  engine.think(question.level, question.seed);
  const limit = engine.levelNodes(question.level) || Infinity;
  const until = performance.now() + question.seconds * 1000;
  let done = 0;
  let slice = 1;
  while (!stopped && done < limit && performance.now() < until) {
    const begun = performance.now();
    const nodes = Math.min(slice, limit - done);
    if (engine.advance(nodes)) break;
    done += nodes;
    const spent = performance.now() - begun;
    slice = nextPortion(slice, spent, SLICE / 2, SLICE * 2);
    await breathe();
    if (latest !== question.id) return null;
  }
  return engine.report();
}

onmessage = async (event: MessageEvent<Message>) => {
  if ("stop" in event.data) {
    stopped = true;
    return;
  }
  const { id } = event.data;
  latest = id;
  stopped = false;
  try {
    const report = await think(event.data);
    if (report !== null) postMessage({ id, report } satisfies Answer);
  } catch (error) {
    postMessage({ id, error: String(error) } satisfies Answer);
  }
};
