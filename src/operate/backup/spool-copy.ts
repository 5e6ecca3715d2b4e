import type { Queue } from 'bullmq';
import Joi from 'joi';

const CHUNK = 100;

/** A request that waits in the spool, as a line of a backup. */
export interface SpoolLine {
  id: string;
  name: string;
  data: unknown;
  timestamp: number;
  /** True if Redis does not keep it when it is done: it is large. */
  isLarge: boolean;
}

const line = Joi.object<SpoolLine>({
  id: Joi.string().required(),
  name: Joi.string().required(),
  data: Joi.object().required(),
  timestamp: Joi.number().required(),
  isLarge: Joi.boolean().required(),
});

/**
 * Reads all requests of the spool that have begun no run: those that wait, are being drained, or were set aside. One that is
 * drained meanwhile may be missing: it is in the database then.
 */
export async function* readSpool(queue: Queue): AsyncGenerator<string> {
  const ids = await queue.getRanges(['active', 'wait', 'failed'], 0, -1, true);
  for (let at = 0; at < ids.length; at += CHUNK) {
    const jobs = await Promise.all(ids.slice(at, at + CHUNK).map((id) => queue.getJob(id)));
    for (const job of jobs) {
      if (job === undefined) continue;
      const { id = '', name, data, timestamp, opts } = job;
      const isLarge = opts.removeOnComplete === true;
      yield JSON.stringify({ id, name, data, timestamp, isLarge } satisfies SpoolLine);
    }
  }
}

/** Adds the requests to a spool; those that are there already stay. A run that had begun does not begin again: its guid is known. */
export async function writeSpool(queue: Queue, lines: AsyncIterable<string>): Promise<void> {
  let chunk: SpoolLine[] = [];
  const add = () => queue.addBulk(chunk.map(jobOf));
  for await (const text of lines) {
    chunk.push(Joi.attempt<typeof line>(JSON.parse(text), line));
    if (chunk.length < CHUNK) continue;
    await add();
    chunk = [];
  }
  if (chunk.length > 0) await add();
}

function jobOf({ id, name, data, timestamp, isLarge }: SpoolLine) {
  return { name, data, opts: { jobId: id, timestamp, ...(isLarge && { removeOnComplete: true }) } };
}
