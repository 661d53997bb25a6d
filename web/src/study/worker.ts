/* The worker that studies, in parallel with the page. It does one job after another, in the order in which they were
 * asked for. A job is a module of its own, which is fetched when it is wanted first. */
import { breathe } from "../engine/breathe";
import { StudyEngine } from "./engine";

/* What a job gets to work with. */
export interface Bench {
  engine: StudyEngine;
  progress(news: unknown): void;
  /* Lets messages in; true if nobody wants the job any more. To be awaited every few milliseconds. */
  dropped(): Promise<boolean>;
}

export type Job = (bench: Bench, question: never) => Promise<unknown>;

/* The jobs by name; each module exports its job as `job`. */
const jobs: Record<string, () => Promise<{ job: Job }>> = {
  bench: () => import("./bench/job"),
  book: () => import("./explorer/bookJob"),
  deduce: () => import("./values/deducing"),
  edit: () => import("./editor/job"),
  judge: () => import("./truth/job"),
  lesson: () => import("./lessons/job"),
  openings: () => import("./explorer/job"),
  review: () => import("./review/job"),
};

export interface Question {
  id: number;
  job: string;
  question: unknown;
  words: Record<string, string>; // of the reader's language, for the engine
}
export type Message = Question | { drop: number };
export type Answer = { id: number; answer: unknown } | { id: number; news: unknown } | { id: number; error: string };

/* An engine that did not arrive is fetched again for the next job. */
let loading: Promise<StudyEngine> | null = null;
function load(): Promise<StudyEngine> {
  return (loading ??= StudyEngine.load().catch((error: unknown) => {
    loading = null;
    throw error;
  }));
}
let queue: Promise<void> = Promise.resolve();
const dropped = new Set<number>();

async function work({ id, job, question, words }: Question): Promise<void> {
  try {
    const [engine, { job: run }] = await Promise.all([load(), jobs[job]!()]);
    if (dropped.has(id)) return;
    engine.speak(words);
    const bench: Bench = {
      engine,
      progress: (news) => postMessage({ id, news } satisfies Answer),
      dropped: async () => (await breathe(), dropped.has(id)),
    };
    const answer = await run(bench, question as never);
    if (!dropped.has(id)) postMessage({ id, answer } satisfies Answer);
  } catch (error) {
    postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies Answer);
  } finally {
    dropped.delete(id);
  }
}

onmessage = ({ data }: MessageEvent<Message>) => {
  if ("drop" in data) dropped.add(data.drop);
  else queue = queue.then(() => work(data));
};
