import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../src/platform/errors.js';
import { QUEUES } from '../../src/engine/dispatch/jobs.js';
import { queueNamed } from '../support/queue-named.js';
import type { World } from './world.js';

const SAMPLE_EVERY_MS = 1_000;

/** The work that waits in the system, second by second: it tells why a recovery took so long. */
export interface TimeLine {
  /** Adds a line of the suite's own: the fault begins, the load ends. */
  note(text: string): void;
  /** Ends the samples, and writes them and the output of each process into the folder. */
  close(): void;
}

/** Samples open deliveries and jobs once a second, and writes them into `folder` at the end. Undefined: nothing is done. */
export function startTimeLine(world: World, folder: string | undefined): TimeLine {
  if (folder === undefined) return { note: () => undefined, close: () => undefined };
  const lines: string[] = [];
  const note = (text: string) => void lines.push(`${new Date().toISOString()} ${text}`);
  let isSampling = false;
  const sample = async () => {
    if (isSampling) return;
    isSampling = true;
    const began = Date.now();
    const texts = await Promise.all([rowsOf(world), jobsOf(world)].map((text) => text.catch(messageOf)));
    note(
      `${texts.join(' | ')} (${Date.now() - began} ms; calls answered ${world.load?.responses.size ?? 0})`,
    );
    isSampling = false;
  };
  const timer = setInterval(() => void sample(), SAMPLE_EVERY_MS);
  return {
    note,
    close() {
      clearInterval(timer);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'time-line.log'), `${lines.join('\n')}\n`);
      for (const [name, output] of world.group.outputs()) {
        writeFileSync(path.join(folder, `${name}.log`), output);
      }
    },
  };
}

/** Open deliveries by queue and state: how many, and how soon the relay looks at the first and the last, in s. */
async function rowsOf({ stores }: World): Promise<string> {
  const rows = await stores.db.read((session) =>
    session.rows<{ queue: string; state: string; open: number; first: string; last: string }>(
      `SELECT queue, state, COUNT(*) AS open,
              CAST(TIMESTAMPDIFF(SECOND, NOW(3), MIN(due_at)) AS CHAR) AS first,
              CAST(TIMESTAMPDIFF(SECOND, NOW(3), MAX(due_at)) AS CHAR) AS last
       FROM deliveries GROUP BY queue, state ORDER BY queue, state`,
    ),
  );
  return rows
    .map(({ queue, state, open, first, last }) => `${queue} ${state} ${open} (${first}..${last})`)
    .join(', ');
}

/** Jobs that wait, run or are delayed, by queue. */
async function jobsOf({ queues }: World): Promise<string> {
  const texts = await Promise.all(
    QUEUES.map(async (name) => {
      const { wait, active, delayed, prioritized } = await queueNamed(queues, name).getJobCounts(
        'wait',
        'active',
        'delayed',
        'prioritized',
      );
      const counts = [wait, active, delayed, prioritized].map((count) => count ?? 0);
      return counts.some((count) => count > 0) ? `${name} ${counts.join('/')}` : '';
    }),
  );
  return `jobs ${texts.filter((text) => text !== '').join(', ')}`;
}
