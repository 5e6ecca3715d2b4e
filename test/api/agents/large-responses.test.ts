import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../../src/platform/json.js';
import { parseXml } from '../../../src/platform/text/xml/xml.js';
import { startHttpTarget } from '../../support/http-target.js';
import { storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

/** Processor time of the thread with the event loop, in ms, where the system tells it. */
function loopCpuMs(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = loopCpuMs();
  await work();
  return loopCpuMs() - before;
}

const tags = (count: number) => `<a>${'<b/>'.repeat(count)}</a>`;

test.each([
  ['XML of 250 KB', tags(60_000), 8, {}],
  ['XML of as many tags as may be, in a loop', tags(190_000), 4, { loop: '=[1]' }],
] as [string, string, number, JsonObject][])(
  'a large response (%s) is read in a thread, not on the worker’s loop',
  async (_, body, calls, more) => {
    const rules = { '/xml': { headers: { 'content-type': 'text/xml' }, body } };
    const target = await startHttpTarget({ rules });
    stores.onClose(() => target.close());
    const ask = { url: `${target.url}/xml`, method: 'get', ...more };
    const story = storyOf({ Hook: ['Webhook', {}], Ask: ['HTTPRequest', ask] }, ['Hook > Ask']);
    const { webhooks } = await fabula.importStory(story);
    const ran = async () => {
      await fabula.fire(webhooks['Hook'] ?? '', {});
      await fabula.settled();
    };
    await ran();
    const parseMs = Math.min(await cpuMsOf(() => parseXml(body)), await cpuMsOf(() => parseXml(body)));
    // The least: a collection of garbage in between costs more than a response.
    let costMs = Number.POSITIVE_INFINITY;
    for (let call = 0; call < calls; call += 1) costMs = Math.min(costMs, await cpuMsOf(ran));
    const last = (await fabula.events()).at(-1)?.payload;
    expect(JSON.stringify(last).slice(0, 2_000)).toContain('{"a":{"b":["","","');
    expect(costMs).toBeLessThan(parseMs / 2);
  },
);
