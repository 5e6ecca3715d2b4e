import { runMaintenance } from '../../src/app/worker/run-maintenance.js';
import { eventually } from '../support/eventually.js';
import { startFabulaHere } from '../support/fabula-here.js';
import { OF_SEVERAL_TENANTS } from '../support/of-several-tenants.js';
import { watchStatements } from '../support/statement-bounds.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const watched = watchStatements();
afterAll(() => watched.stop());
const stores = useStores();

/** Files whose statements come with every pass: the check sees what is sent. */
const SEEN = [
  'src/engine/retention/stores/retention-rows-store.ts',
  'src/operate/monitoring/digest/digest-store.ts',
  'src/platform/mysql/statements/coalesced-exists.ts',
  'src/observe/statistics/count/uncounted-store.ts',
];

const story = () =>
  storyOf(
    {
      Receive: ['Webhook', { path: 'statements', secret: 's3cret', verbs: 'post' }],
      Split: ['EventTransformation', { mode: 'explode', path: '=receive.body.list', to: 'item' }],
      Join: [
        'EventTransformation',
        { mode: 'implode', item_path: '=split.item', guid_path: '=split.guid', size_path: '=split.size' },
      ],
      Once: ['EventTransformation', { mode: 'deduplicate', path: '=receive.body.list' }],
      Sleep: ['EventTransformation', { mode: 'delay', seconds: 1 }],
    },
    ['Receive > Split > Join', 'Receive > Once > Sleep'],
    { name: 'Statements' },
  );

test('no statement of workers and maintenance is of several tenants, but for those in the list', async () => {
  const fabula = await startFabulaHere(stores);
  const { webhooks } = await fabula.importStory(story());
  const end = new AbortController();
  const found = () => new Set(watched.unbound().map(({ file }) => file));
  await watched.during(async () => {
    const maintenance = runMaintenance(fabula.workers, end.signal, () => undefined);
    for (let number = 0; number < 5; number++) {
      expect((await fabula.fire(webhooks['Receive']!, { list: [1, 2, number] })).status).toBe(201);
    }
    await fabula.settled(60_000);
    await eventually(() => SEEN.every((file) => found().has(file)), 120_000);
    end.abort();
    await maintenance;
  });
  expect(watched.unbound().filter(({ file }) => !(file in OF_SEVERAL_TENANTS))).toEqual([]);
});
