import { createAlertType } from '../alert-records.js';
import { type ApiAccount, LIMITS_OUT_OF_REACH, openApiAccount } from '../api-account.js';
import { median } from '../figures.js';
import { callRoute } from '../load.js';
import type { Bench, Measure, Product, Row } from '../measure.js';
import { checkFill } from '../record-fill-check.js';
import { fillRecords } from '../record-fill.js';
import { type ListPlans, listPlans } from '../record-list-plans.js';
import { addressOf, checkList, type RecordList, recordLists } from '../record-lists.js';
import { atMost } from '../verdicts.js';

const SIZES = [10_000, 100_000, 1_000_000];
const QUICK_SIZES = [1_000, 10_000, 100_000];
const MOST = 3;
/** Calls of one list, at one size, in one turn. */
const CALLS = 20;

/** The lists of one size, each with the times of all turns. */
interface Sized {
  size: number;
  lists: { list: RecordList; timesMs: number[] }[];
}

export const measure: Measure = {
  number: 9,
  sentence: 'lists of 10 thousand, 100 thousand and 1 million records, exact counts included',
  run: (bench) =>
    bench.product({ workers: [], env: LIMITS_OUT_OF_REACH }, async (product) => {
      const account = await openApiAccount(bench, product.url);
      const sized: Sized[] = [];
      for (const size of bench.quick ? QUICK_SIZES : SIZES)
        sized.push(await prepare(bench, account, { product, size }));
      for (let turn = 0; turn < bench.turns; turn += 1)
        await takeTimes(bench, account, { product, lists: inTurn(sized) });
      const plans = new Map<string, ListPlans>();
      for (const { list } of sized.at(-1)?.lists ?? [])
        plans.set(list.what, await listPlans(bench.stores, account.actor, list));
      return rowsOf(sized, plans);
    }),
};

/** Each list at all sizes, then the next list: what changes on the machine meanwhile changes for all sizes. */
function inTurn([smallest, ...larger]: Sized[]): Sized['lists'] {
  const first = smallest?.lists ?? [];
  return first.flatMap((list, index) => [list, ...larger.flatMap(({ lists }) => lists[index] ?? [])]);
}

/** A type of so many records, and what each list of it must come to, looked at once. */
async function prepare(
  bench: Bench,
  account: ApiAccount,
  { product, size }: { product: Product; size: number },
): Promise<Sized> {
  const type = await createAlertType(account, `Alerts ${size}`);
  const began = Date.now();
  const { firstId } = await fillRecords(bench.stores, { ...type, teamId: account.team.id }, size);
  bench.say(`  ${size} records written in ${Math.round((Date.now() - began) / 1000)} s`);
  await checkFill(bench.stores, account, { type, firstId, size });
  const lists = recordLists(type, size).map((list) => ({ list, timesMs: [] }));
  for (const { list } of lists) await checkList(account, list);
  await takeTimes(bench, account, { product, lists });
  return { size, lists: lists.map(({ list }) => ({ list, timesMs: [] })) };
}

/** Calls each list over one connection, one call after the other. */
async function takeTimes(
  { folder }: Bench,
  { headers }: ApiAccount,
  { product, lists }: { product: Product; lists: Sized['lists'] },
): Promise<void> {
  for (const { list, timesMs } of lists) {
    const url = product.url + addressOf(list);
    const options = { url, method: 'GET', headers, connections: 1, calls: CALLS, status: 200 };
    timesMs.push(...(await callRoute(folder, options)).timesMs);
  }
}

function rowsOf([smallest, ...larger]: Sized[], plans: ReadonlyMap<string, ListPlans>): Row[] {
  const unbounded = (what: string): Partial<Row> => {
    const { texts = [], sorted = true } = plans.get(what) ?? {};
    return {
      mustReach: 'no sort',
      verdict: sorted ? 'missed' : 'reached',
      notes: texts.map((text) => `${what}: ${text}`),
    };
  };
  return (smallest?.lists ?? []).flatMap(({ list, timesMs }, index) =>
    larger.map(({ size, lists }): Row => {
      const figures = {
        floor: median(timesMs),
        product: median(lists[index]?.timesMs ?? []),
      };
      const ratio = figures.product / figures.floor;
      const bound = { mustReach: `≤ ${MOST} × floor`, verdict: atMost(ratio, MOST) };
      const aim = list.bounded ? bound : unbounded(list.what);
      return {
        measure: 9,
        what: `${list.what}, ${size.toLocaleString('en')} records (floor: ${smallest?.size.toLocaleString('en')})`,
        unit: 'ms',
        ...figures,
        ratio,
        verdict: '',
        ...(size === larger.at(-1)?.size ? aim : {}),
      };
    }),
  );
}
