import * as fc from 'fast-check';
import { buildRetention, DAY, HOUR, retentionWorld, type TestRun } from '../support/retention.js';
import { useStores } from '../support/stores.js';

/*
 * Any world of stories, agents, runs and what belongs to them; what must be left of it says a model in memory.
 */

const stores = useStores();

const KEEPS = [HOUR, DAY, 7 * DAY];
const AGES = [60, 2 * HOUR, 26 * HOUR, 8 * DAY, 13 * DAY, 15 * DAY, 31 * DAY];
const STATES = ['pending', 'waiting', 'parked', 'failed'];
const PROMPTS = ['open', 'used', 'expired'];

const age = fc.constantFrom(...AGES);
const storyPlan = fc.record({
  keep: fc.constantFrom(...KEEPS),
  gone: fc.boolean(),
  agents: fc.array(fc.record({ keep: fc.constantFrom(0, HOUR, 30 * DAY), gone: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  }),
});
const runPlan = fc.record({
  story: fc.nat(),
  age,
  hasInput: fc.boolean(),
  events: fc.array(fc.record({ agent: fc.nat(), age }), { maxLength: 3 }),
  deliveries: fc.array(fc.record({ state: fc.constantFrom(...STATES), age }), { maxLength: 1 }),
  prompts: fc.array(fc.constantFrom(...PROMPTS), { maxLength: 1 }),
  calledBy: fc.option(fc.nat()),
});
const worldPlan = fc.record({
  stories: fc.array(storyPlan, { minLength: 1, maxLength: 3 }),
  runs: fc.array(runPlan, { maxLength: 8 }),
  logs: fc.array(fc.record({ story: fc.nat(), agent: fc.nat(), age }), { maxLength: 4 }),
});

type WorldPlan = typeof worldPlan extends fc.Arbitrary<infer Plan> ? Plan : never;

interface Agent {
  id: number;
  keep: number;
  gone: boolean;
}
interface Story {
  id: number;
  keep: number;
  gone: boolean;
  agents: Agent[];
}
interface Delivery {
  id: number;
  state: string;
  age: number;
}
interface Run extends TestRun {
  age: number;
  story: Story;
  events: { id: number; agent: Agent | undefined; age: number }[];
  deliveries: Delivery[];
  prompts: string[];
  caller: Delivery | undefined;
}
interface World {
  runs: Run[];
  logs: { id: number; agent: Agent; story: Story; age: number }[];
}

const pick = <T>(list: T[], index: number): T => list[index % list.length]!;
const oldestFirst = <T extends { age: number }>(rows: T[]): T[] => rows.toSorted((a, b) => b.age - a.age);

/** Rows are stored as time would have: the older, the earlier. */
async function store(plan: WorldPlan): Promise<World> {
  const w = retentionWorld(stores.db);
  const stories: Story[] = [];
  for (const { keep, gone, agents } of plan.stories) {
    const story: Story = { id: await w.story(keep), keep, gone, agents: [] };
    for (const agent of agents) story.agents.push({ ...agent, id: await w.agent(story.id, agent.keep) });
    stories.push(story);
  }
  const runs: Run[] = [];
  for (const run of oldestFirst(plan.runs)) {
    const story = pick(stories, run.story);
    const stored = await w.run(story.id, run.age);
    runs.push({ ...stored, age: run.age, story, events: [], deliveries: [], prompts: [], caller: undefined });
  }
  await storeEvents(oldestFirst(plan.runs), runs, w);
  await storeRest(oldestFirst(plan.runs), runs, w);
  const logs: World['logs'] = [];
  for (const line of oldestFirst(plan.logs)) {
    const story = pick(stories, line.story);
    const agent = pick(story.agents, line.agent);
    logs.push({ id: await w.log(agent.id, line.age), agent, story, age: line.age });
  }
  for (const { id, gone, agents } of stories) {
    if (gone) await w.sql('DELETE FROM stories WHERE id = ?', [id]);
    for (const agent of agents) {
      agent.gone ||= gone;
      if (agent.gone) await w.sql('DELETE FROM agents WHERE id = ?', [agent.id]);
    }
  }
  return { runs, logs };
}

type Writer = ReturnType<typeof retentionWorld>;
type RunPlan = WorldPlan['runs'][number];

async function storeEvents(plans: RunPlan[], runs: Run[], w: Writer): Promise<void> {
  const events = plans.flatMap(({ age: runAge, hasInput, events: outputs }, index) => {
    const run = runs[index]!;
    const input = hasInput ? [{ run, agent: undefined, age: runAge }] : [];
    const ofAgents = outputs.map((event) => ({
      run,
      agent: pick(run.story.agents, event.agent),
      age: Math.min(event.age, runAge),
    }));
    return [...input, ...ofAgents];
  });
  for (const { run, agent, age: eventAge } of oldestFirst(events)) {
    run.events.push({ id: await w.event(run, agent?.id ?? 0, eventAge), agent, age: eventAge });
  }
}

async function storeRest(plans: RunPlan[], runs: Run[], w: Writer): Promise<void> {
  for (const [index, plan] of plans.entries()) {
    const run = runs[index]!;
    for (const { state, age: deliveryAge } of plan.deliveries) {
      run.deliveries.push({
        id: await w.delivery(run, 1, state, deliveryAge),
        state,
        age: deliveryAge,
      });
    }
    for (const prompt of plan.prompts) {
      await w.prompt(run, 1, { used: prompt === 'used', expired: prompt === 'expired' ? HOUR : -DAY });
      run.prompts.push(prompt);
    }
  }
  for (const [index, { calledBy }] of plans.entries()) {
    if (calledBy === null) continue;
    const caller = pick(runs, calledBy);
    const [delivery] = caller.deliveries;
    await w.call(runs[index]!, caller, delivery?.id ?? 999_999);
    runs[index]!.caller = delivery;
  }
}

const letterGoes = (run: Run, { state, age: failedAgo }: Delivery): boolean =>
  state === 'failed' && (run.story.gone || failedAgo > 14 * DAY);

const keepOf = (story: Story, agent: Agent | undefined): number =>
  agent === undefined || agent.gone || agent.keep === 0 ? story.keep : agent.keep;

/** Rows that must be left. */
function left({ runs, logs }: World) {
  const stays = (delivery: Delivery) =>
    !runs.some((run) => run.deliveries.includes(delivery) && letterGoes(run, delivery));
  const isBusy = (run: Run) =>
    run.deliveries.some(stays) || (!run.story.gone && run.prompts.includes('open'));
  const isAwaited = (run: Run) => run.caller !== undefined && stays(run.caller);
  const eventStays = (run: Run, event: Run['events'][number]) =>
    isBusy(run) || isAwaited(run) || (!run.story.gone && event.age <= keepOf(run.story, event.agent));
  const runStays = (run: Run) =>
    isBusy(run) ||
    (!run.story.gone && run.age <= Math.max(DAY, run.story.keep)) ||
    run.events.some((event) => eventStays(run, event)) ||
    isAwaited(run);
  return {
    deliveries: runs.flatMap((run) => run.deliveries.filter(stays).map(({ id }) => id)),
    events: runs.flatMap((run) => run.events.filter((event) => eventStays(run, event)).map(({ id }) => id)),
    runs: runs.filter(runStays).map(({ id }) => id),
    logs: logs
      .filter((line) => !line.agent.gone && line.age <= Math.max(DAY, keepOf(line.story, line.agent)))
      .map(({ id }) => id),
  };
}

async function found() {
  const w = retentionWorld(stores.db);
  return {
    deliveries: await w.ids('deliveries'),
    events: await w.ids('events'),
    runs: await w.ids('story_runs'),
    logs: await w.ids('agent_logs'),
  };
}

const sorted = (rows: Record<string, number[]>) =>
  Object.fromEntries(Object.entries(rows).map(([kind, ids]) => [kind, ids.toSorted((a, b) => a - b)]));

async function clear(): Promise<void> {
  const w = retentionWorld(stores.db);
  const tables = [
    'stories',
    'agents',
    'story_runs',
    'events',
    'deliveries',
    'prompts',
    'story_calls',
    'agent_logs',
  ];
  for (const table of tables) await w.sql(`DELETE FROM ${table}`);
}

/** All work that is left is done, and prompts run out: nobody holds anything any more. */
async function finish(world: World): Promise<void> {
  const w = retentionWorld(stores.db);
  await w.sql('DELETE FROM deliveries');
  await w.sql('UPDATE prompts SET expires_at = NOW(3) - INTERVAL 1 HOUR');
  for (const run of world.runs) Object.assign(run, { deliveries: [], prompts: [], caller: undefined });
}

it('leaves of any world exactly what must stay: at once, after the next pass, and when all work is done', async () => {
  await fc.assert(
    fc
      .asyncProperty(worldPlan, async (plan) => {
        const world = await store(plan);
        const retention = buildRetention(stores.db);
        const counted = await retention.pass({ countOnly: true });
        const before = await found();
        await retention.pass({ thorough: true });
        const after = await found();
        expect(after).toEqual(sorted(left(world)));
        // Rows that were counted before do go; rows that depend on others may go too.
        expect(counted?.events).toBeLessThanOrEqual(before.events.length - after.events.length);
        expect(counted?.logs).toBe(before.logs.length - after.logs.length);
        await retention.pass();
        expect(await found()).toEqual(after);
        await finish(world);
        await retention.pass({ thorough: true });
        expect(await found()).toEqual(sorted(left(world)));
      })
      .afterEach(clear),
    { numRuns: 60 },
  );
});
