import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadResponse } from '../load-response.js';
import { defineScenario } from '../scenario.js';
import type { World } from '../world.js';

const SHORT_MS = 6_000;
const LONG_MS = 20_000;
const REFUSED = 503;
/** The promise's bound, with an allowance for other work on the machine. */
const ANSWER_LIMIT_MS = 2_000 + 1_500;
/** Answers to calls that were made before the stores went. */
const UNDER_WAY_MS = 2_000;

const lengthOf = (short: boolean): number => (short ? SHORT_MS : LONG_MS);

export const bothDown = defineScenario({
  name: 'both-down',
  sentence:
    'MySQL and Redis are killed (-9) and stay away for 20 s (short: 6 s): calls are refused with 503 at once.',
  async hurt(world, { short }) {
    const { stores } = world;
    await Promise.all([stores.mysql.kill(), stores.redisServer.kill()]);
    const check = await watchRefusals(world, lengthOf(short));
    await Promise.all([stores.mysql.process.start(), stores.redisServer.process.start()]);
    return check;
  },
});

export const bothFrozen = defineScenario({
  name: 'both-frozen',
  sentence:
    'SIGSTOP of MySQL and Redis for 20 s (short: 6 s), then SIGCONT: calls are refused with 503 in time.',
  async hurt(world, { short }) {
    const { stores } = world;
    const ms = lengthOf(short);
    const [check] = await Promise.all([
      watchRefusals(world, ms - UNDER_WAY_MS / 2),
      stores.mysql.freeze(ms),
      stores.redisServer.freeze(ms),
    ]);
    return check;
  },
});

/** For the time that both stores are away; gives what has to hold of the responses that came meanwhile. */
async function watchRefusals({ load, group }: World, ms: number): Promise<() => Promise<string[]>> {
  const from = Date.now() + UNDER_WAY_MS;
  const endsBefore = group.ends();
  await sleep(ms);
  const meanwhile = [...(load?.responses.values() ?? [])].filter(({ answeredAtMs }) => answeredAtMs > from);
  const ends = group.ends() - endsBefore;
  return () =>
    Promise.resolve([...complaints(meanwhile), ...(ends === 0 ? [] : [`${ends} processes ended`])]);
}

function complaints(responses: LoadResponse[]): string[] {
  const refused = responses.filter(({ status }) => status === REFUSED);
  const slow = responses.filter(({ tookMs }) => tookMs > ANSWER_LIMIT_MS).map(({ tookMs }) => tookMs);
  const silent = refused.filter(({ saysWhen }) => !saysWhen);
  const accepted = responses.filter(({ status }) => status >= 200 && status < 300);
  return [
    ...(refused.length > 0 ? [] : ['no call was refused: nothing was tried']),
    ...(slow.length === 0 ? [] : [`${slow.length} answers took up to ${Math.max(...slow)} ms`]),
    ...(silent.length === 0 ? [] : [`${silent.length} refusals did not say when to come again`]),
    ...(accepted.length === 0 ? [] : [`${accepted.length} calls were accepted by no store`]),
  ];
}
