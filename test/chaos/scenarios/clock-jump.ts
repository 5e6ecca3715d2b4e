import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName } from '../process-group.js';
import { defineScenario } from '../scenario.js';
import { eventsOf, storyBeside } from '../story-beside.js';
import { checkTicks, endTicks } from '../ticks.js';
import { checkSignatures } from '../signed-calls.js';
import type { World } from '../world.js';

const PRELOAD = 'clock-shift.mjs';
const VICTIMS: readonly ProcessName[] = [
  'web',
  'event-transformation',
  'story-runs',
  'http-request',
  'maintenance',
];
const JUMPS = 3;
const NAP_SECONDS = 2;
/** A delay ends a little late, when the relay has found it; never five minutes. */
const LATEST_MS = 100_000;
const SHORT_PAUSE_MS = 1_000;
const LONG_PAUSE_MS = 5_000;
/** Long enough for a minute to begin while the clock of those who start schedules is wrong. */
const TICK_PAUSE_MS = 65_000;

export const clockJump = defineScenario({
  name: 'clock-jump',
  sentence:
    'The clock of one process after another jumps five minutes ahead, ten minutes back, and to the right time; delays, schedules and signatures keep to the time of the database.',
  preloads: Object.fromEntries(VICTIMS.map((name) => [name, PRELOAD])),
  async hurt(world, { short }) {
    const story = await storyBeside(world, {
      agents: {
        Nap: ['EventTransformation', { mode: 'delay', seconds: NAP_SECONDS }],
        Tick: [
          'EventTransformation',
          { mode: 'message_only', payload: { tick: 'yes' } },
          { schedule: [{ cron: '* * * * *', timezone: 'UTC' }] },
        ],
      },
      links: ['Hook > Nap'],
    });
    const failures: string[] = [];
    let calls = 0;
    for (const victim of VICTIMS) {
      for (let jump = 0; jump < JUMPS; jump += 1) {
        world.group.signal(victim, 'SIGUSR2');
        await story.fire({ nap: calls });
        calls += 1;
        if (victim === 'web') {
          const { accepted, wrong } = await checkSignatures(world.url, story.address);
          calls += accepted;
          failures.push(...wrong);
        }
        const isWrong = jump < JUMPS - 1;
        const pauseMs = short ? SHORT_PAUSE_MS : LONG_PAUSE_MS;
        await sleep(victim === 'maintenance' && isWrong ? TICK_PAUSE_MS : pauseMs);
      }
    }
    await endTicks(world.stores.db, story.id);
    return async () => [
      ...failures,
      ...(await checkNaps(world, story.id, calls)),
      ...(await checkTicks(world.stores.db, story.id)),
    ];
  },
});

/** By the database's clock, which did not jump. */
async function checkNaps(world: World, storyId: number, expected: number): Promise<string[]> {
  const begun = await eventsOf(world, storyId, 'Hook');
  const ended = await eventsOf(world, storyId, 'Nap');
  if (ended.length !== expected) return [`${ended.length} of ${expected} delays ended`];
  const [firstMs = 0] = begun.map(({ createdAt }) => createdAt.getTime()).toSorted((a, b) => a - b);
  // Which belongs to which does not matter: none may end before its time, nor long after the last one's.
  const lastMs = Math.max(...begun.map(({ createdAt }) => createdAt.getTime()));
  const times = ended.map(({ createdAt }) => createdAt.getTime());
  return [
    ...(Math.min(...times) >= firstMs + NAP_SECONDS * 1000 ? [] : ['a delay ended before its time']),
    ...(Math.max(...times) <= lastMs + LATEST_MS ? [] : ['a delay ended minutes late']),
  ];
}
