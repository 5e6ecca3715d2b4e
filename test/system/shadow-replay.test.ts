import { says } from '../support/run-api.js';
import { shadowWorld } from '../support/shadows.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const RUNS = 1_000;
const LIMIT_MS = 600_000;
const stores = useStores();
const fabula = useFabula(stores, { env: { SHADOW_CPU_SHARE: '1' } });

const numbersWhere = (isMeant: (ofHundred: number) => boolean) =>
  Array.from({ length: RUNS }, (_, n) => n).filter((n) => isMeant(n % 100));
const GRADED_HIGH = numbersWhere((n) => n >= 50);
const GRADED_OTHERWISE = numbersWhere((n) => n >= 50 && n <= 52);

/** The numbers of the first events of these runs, ascending. */
async function numbersIn(runs: { run_guid: string }[]): Promise<number[]> {
  const events = await stores.db.read((session) =>
    session.rows<{ n: number }>(
      `SELECT CAST(JSON_EXTRACT(payload, '$.n') AS SIGNED) AS n FROM events
       WHERE story_run_guid IN (?) AND JSON_EXTRACT(payload, '$.n') IS NOT NULL`,
      [runs.map(({ run_guid }) => run_guid)],
    ),
  );
  return events.map(({ n }) => n).toSorted((a, b) => a - b);
}

describe('stories as software: a replay of 1,000 runs', () => {
  test(
    'through a draft with one changed rule names exactly those that differ',
    async () => {
      const w = await shadowWorld(
        fabula,
        storyOf(
          {
            Hook: ['Webhook', { include_headers: false }],
            Grade: says({ grade: '=IF(hook.n % 100 > 49, "high", "low")', at: '=NOW()' }),
            High: ['Trigger', { rules: [{ type: 'field==value', path: '=grade.grade', value: 'high' }] }],
          },
          ['Hook > Grade > High'],
        ),
      );
      await w.fire(Array.from({ length: RUNS }, (_, n) => n));
      await w.change('High', { rules: [{ type: 'field==value', path: '=grade.grade', value: 'highest' }] });
      const all = await w.start({ kind: 'last', runs: RUNS });
      expect(await w.ended(all.id, LIMIT_MS)).toMatchObject({ same: 500, different: 500, not_compared: 0 });
      expect(await w.differences(all.id)).toMatchObject([
        { action: { id: w.draftAgents['High'], name: 'High' }, kind: 'missing', path: '', runs: 500 },
      ]);
      expect(await numbersIn(await w.listed(all.id))).toEqual(GRADED_HIGH);

      // Numbers 50 to 52 of each hundred are graded otherwise.
      await w.change('High', { rules: [{ type: 'field==value', path: '=grade.grade', value: 'high' }] });
      await w.change('Grade', says({ grade: '=IF(hook.n % 100 > 52, "high", "low")', at: '=NOW()' })[1]);
      const few = await w.start({ kind: 'last', runs: RUNS });
      expect(await w.ended(few.id, LIMIT_MS)).toMatchObject({ same: 970, different: 30, not_compared: 0 });
      expect(await w.differences(few.id)).toMatchObject([
        {
          action: { name: 'Grade' },
          kind: 'changed',
          path: 'grade',
          before: 'text',
          after: 'text',
          runs: 30,
        },
        { action: { name: 'High' }, kind: 'missing', runs: 30 },
      ]);
      expect(await numbersIn(await w.listed(few.id))).toEqual(GRADED_OTHERWISE);
      const [changed] = await w.differences(few.id);
      expect(await numbersIn(await w.listed(few.id, `&difference_id=${changed!['id'] as number}`))).toEqual(
        GRADED_OTHERWISE,
      );
    },
    LIMIT_MS,
  );
});
