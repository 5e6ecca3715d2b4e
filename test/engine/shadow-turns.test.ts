import { THREAD_FILE } from '../../src/app/thread-file.js';
import type { TenantQuotas } from '../../src/people/face.js';
import { createShadowRunner } from '../../src/trial/face.js';
import { eventually } from '../support/eventually.js';
import { says } from '../support/run-api.js';
import { shadowWorld } from '../support/shadows.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabulaHere } from '../support/use-fabula-here.js';

const stores = useStores();
const fabula = useFabulaHere(stores, { env: { SHADOW_CPU_SHARE: '1' }, relay: false });

const flow = () =>
  storyOf(
    {
      Hook: ['Webhook', { include_headers: false }],
      Grade: says({ grade: '=IF(hook.n > 5, "high", "low")' }),
    },
    ['Hook > Grade'],
  );

const runner = (quotas: TenantQuotas) => {
  const made = createShadowRunner({ ...fabula.workers, quotas, threadFile: THREAD_FILE });
  stores.onClose(() => made.close());
  return made;
};

describe('stories as software: turns of a shadow', () => {
  test('of two processes that do the same turn, one counts it', async () => {
    const w = await shadowWorld(fabula, flow());
    await w.fire(Array.from({ length: 30 }, (_, n) => n));
    await w.change('Grade', says({ grade: '=IF(hook.n > 7, "high", "low")' })[1]);
    const { id } = await w.start({ kind: 'last', runs: 30 });
    const both = [runner(fabula.workers.quotas), runner(fabula.workers.quotas)];
    await eventually(async () => {
      await Promise.all(both.map((each) => each.tick()));
      return (await w.shown(id)).state === 'completed';
    }, 60_000);
    expect(await w.shown(id)).toMatchObject({ same: 28, different: 2, not_compared: 0 });
    expect(await w.differences(id)).toMatchObject([{ path: 'grade', runs: 2 }]);
  });

  test('a process that ends in a turn keeps what it compared, and another goes on', async () => {
    const w = await shadowWorld(fabula, flow());
    await w.fire(Array.from({ length: 30 }, (_, n) => n));
    const { id } = await w.start({ kind: 'last', runs: 30 });
    const ending = new AbortController();
    const { quotas } = fabula.workers;
    // The use of each run is counted when it was compared.
    const first = runner({
      ...quotas,
      add(tenantId, usage) {
        quotas.add(tenantId, usage);
        ending.abort();
      },
    });
    await eventually(async () => {
      await first.tick(ending.signal);
      return ending.signal.aborted;
    });
    expect(await w.shown(id)).toMatchObject({ state: 'running', same: 1 });
    await eventually(async () => {
      await runner(quotas).tick();
      return (await w.shown(id)).state === 'completed';
    }, 60_000);
    expect(await w.shown(id)).toMatchObject({ same: 30, different: 0, not_compared: 0 });
  });
});
