import { setTimeout as sleep } from 'node:timers/promises';
import { QUEUES } from '../../../src/engine/dispatch/jobs.js';
import type { DeliveryQueue } from '../../../src/agents/delivery-queues.js';
import { defineScenario } from '../scenario.js';
import type { World } from '../world.js';
import { queueNamed } from '../../support/queue-named.js';

const COPIES = 5;
const ROWS = 100;
const LONGEST_MS = 30_000;

export const duplicatedJobs = defineScenario({
  name: 'duplicated-jobs',
  sentence: 'The jobs of deliveries that are under way are added by hand, five more of each, over and over.',
  async hurt(world, { short, random }) {
    let added = 0;
    // On a small machine a round takes longer the more work the rounds before have made.
    const until = performance.now() + LONGEST_MS;
    for (let round = 0; round < (short ? 20 : 150) && performance.now() < until; round += 1) {
      added += await duplicate(world, round);
      await sleep(random.between(20, 200));
    }
    return () => Promise.resolve(added > 0 ? [] : ['no job was there to be duplicated']);
  },
});

async function duplicate({ stores, queues }: World, round: number): Promise<number> {
  const rows = await stores.db.read((session) =>
    session.rows<{ id: number; queue: DeliveryQueue; generation: number }>(
      "SELECT id, queue, generation FROM deliveries WHERE state = 'pending' ORDER BY id DESC LIMIT ?",
      [ROWS],
    ),
  );
  for (const { id, queue, generation } of rows) {
    const jobs = Array.from({ length: COPIES }, (_, copy) => ({
      name: 'delivery',
      data: { deliveryId: id, generation },
      opts: { jobId: `again-${id}-${round}-${copy}` },
    }));
    await queueNamed(queues, queue).addBulk(jobs);
  }
  return rows.length * COPIES;
}

export const garbageJobs = defineScenario({
  name: 'garbage-jobs',
  sentence: 'Jobs with all kinds of nonsense in them are added to every queue, the spool too.',
  async hurt({ queues, story }, { short, random }) {
    for (let round = 0; round < (short ? 5 : 40); round += 1) {
      for (const name of QUEUES) {
        const jobs = garbage(story.id).map((data) => ({ name: 'garbage', data }));
        await queueNamed(queues, name).addBulk(jobs);
      }
      await sleep(random.between(50, 500));
    }
    return undefined;
  },
});

function garbage(storyId: number): unknown[] {
  const long = 'x'.repeat(256 * 1024);
  const run = { guid: 'g', storyId, agentId: 999_999_999, source: 'webhook', payload: '{}' };
  return [
    null,
    42,
    'text',
    [],
    {},
    { deliveryId: '1 OR 1=1', generation: 0 },
    { deliveryId: { id: 1 }, generation: [] },
    { deliveryId: -1, generation: 0 },
    { deliveryId: 1e300, generation: 0 },
    { deliveryId: Number.MAX_SAFE_INTEGER, generation: 0 },
    { deliveryId: 1, generation: 'none', long },
    run,
    { ...run, guid: long },
    { ...run, payload: '{"broken' },
    { ...run, storyId: { id: 1 }, agentId: null },
    { ...run, storyId: 'x; y', guid: null, payload: null },
  ];
}
