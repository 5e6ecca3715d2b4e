import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runMaintenance } from '../../src/app/worker/run-maintenance.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';
import { useFabulaHere } from '../support/use-fabula-here.js';

const stores = useStores();
const fabula = useFabulaHere(stores, { queues: [], relay: false });
const SRC = path.resolve(__dirname, '../../src');

/** Loops that each process runs for itself, by the files in which they are. */
const OF_EACH_PROCESS = [
  'app/redis-watch.ts',
  'app/worker/queue-workers.ts',
  'engine/dispatch/figures/live-processes.ts',
  'engine/recovery/worker-beats.ts',
  'observe/stream/stream-hub.ts',
  'web/webhooks/preload/webhook-preload.ts',
];

describe('the list of background loops', () => {
  it('has every loop of the source, but for those that each process runs for itself', () => {
    const list = readFileSync(path.join(SRC, 'app/loops.ts'), 'utf8');
    const missing = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('platform/'))
      .filter((name) => {
        const text = readFileSync(path.join(SRC, name), 'utf8');
        if (!/\b(?:repeated|loopUntil)\b[^;]*background-loop\.js/.test(text)) return false;
        const [, factory = 'none'] = /^export function (create\w+)/m.exec(text) ?? [];
        return !new RegExp(`\\b${factory}\\(`).test(list);
      });
    expect(missing.toSorted()).toEqual(OF_EACH_PROCESS);
  });

  it('is run as a whole by the leader', async () => {
    const begun: string[] = [];
    const stopping = new AbortController();
    const untilStopped = (name: string) => (until: AbortSignal) => {
      begun.push(name);
      return new Promise<void>((resolve) => until.addEventListener('abort', () => resolve()));
    };
    const { workers } = fabula;
    const names = Object.entries(workers.loops).flatMap(([name, loop]) => (loop === undefined ? [] : [name]));
    const loops = Object.fromEntries(names.map((name) => [name, { run: untilStopped(name) }]));
    const running = runMaintenance({ ...workers, loops: loops as never }, stopping.signal, () => undefined);
    await eventually(() => begun.length >= names.length);
    expect(begun.toSorted()).toEqual(names.toSorted());
    expect(names).toContain('relay');
    stopping.abort();
    await running;
  });
});
