import { createSpoolDrain } from '../../src/engine/accept/spool-drain.js';
import type { RunStart } from '../../src/engine/accept/run-starter.js';
import { Unavailable } from '../../src/platform/errors.js';
import type { SpooledRun } from '../../src/engine/dispatch/jobs.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import type { StoryGraph } from '../../src/stories/graph/story-graph.js';
import { eventually } from '../support/eventually.js';

const spooled = (guid: string, payload = '{}'): SpooledRun => ({
  guid,
  storyId: 1,
  agentId: 2,
  source: 'webhook',
  payload,
});

/** A drain whose writer does what `store` does; `batches` has what was given to the writer before it was next asked to wait. */
function build(store: (guid: string) => Promise<unknown>) {
  const batches: string[][] = [];
  let batch: string[] | undefined;
  const start = async ({ guid }: RunStart) => {
    if (batch === undefined) {
      batches.push((batch = []));
      setImmediate(() => (batch = undefined));
    }
    batch.push(guid);
    await store(guid);
    return { eventId: 1 };
  };
  const story = { disabled: false, agents: new Map([[2, { id: 2, disabled: false }]]) };
  const find = (storyId: number) =>
    Promise.resolve((storyId === 1 ? story : undefined) as StoryGraph | undefined);
  const graphs = { find, findCurrent: find };
  return { batches, drain: createSpoolDrain({ writer: { start }, graphs, logger: createSilentLogger() }) };
}

const soon = () => new Promise(setImmediate);

it('gives the writer what waits together, in its order, and no more than sixteen', async () => {
  const { batches, drain } = build(soon);
  const guids = Array.from({ length: 40 }, (_, index) => `run ${index}`);
  await Promise.all(guids.map((guid) => drain(spooled(guid))));
  expect(batches.map(({ length }) => length)).toEqual([16, 16, 8]);
  expect(batches.flat()).toEqual(guids);
});

it('gives long payloads one by one: others must not overtake them in their own lane', async () => {
  const { batches, drain } = build(soon);
  const long = 'x'.repeat(20 * 1024);
  const runs = [
    spooled('a'),
    spooled('b', long),
    spooled('c', long),
    spooled('d', `${long}${long}`),
    spooled('e'),
  ];
  await Promise.all(runs.map((run) => drain(run)));
  expect(batches).toEqual([['a', 'b'], ['c'], ['d'], ['e']]);
});

it('waits for the database with all that came together, and starts nothing of what came later meanwhile', async () => {
  let failures = 2;
  const { batches, drain } = build(async () => {
    if (failures-- > 0) throw new Unavailable('The database is unreachable');
  });
  const first = Promise.all(['a', 'b', 'c'].map((guid) => drain(spooled(guid))));
  await eventually(() => batches.length === 1);
  const later = drain(spooled('d'));
  expect(await first).toEqual([{ storyRunGuid: 'a' }, { storyRunGuid: 'b' }, { storyRunGuid: 'c' }]);
  await later;
  expect(batches[0]).toEqual(['a', 'b', 'c']);
  expect(batches.flat()).toEqual(['a', 'b', 'c', 'a', 'b', 'd']);
});

it('fails the run alone whose webhook is gone', async () => {
  const { batches, drain } = build(soon);
  const ends = await Promise.allSettled([
    drain(spooled('a')),
    drain({ ...spooled('b'), storyId: 3 }),
    drain(spooled('c')),
  ]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(batches).toEqual([['a', 'c']]);
});
