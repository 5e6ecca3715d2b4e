import type { Page } from 'playwright-core';
import { describeInBrowser, NARROW, WIDE } from '../support/browser.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { agentIds, says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Axe looks at the page four times, which takes minutes on a busy machine. */
const LOOKED_AT_MS = 15 * 60_000;
const MIB = 1024 * 1024;
const LEFT_OUT = /^The payload is omitted because this page of the list is too large\./;

describeInBrowser('a payload that a list leaves out', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let page: Page;
  let storyId: number;

  /** The newer event of the run fits the page, the older one beside it does not. */
  beforeEach(async () => {
    const data = storyOf({ Hook: ['Webhook', {}], Say: says({ ok: true }) }, ['Hook > Say']);
    const story = await fabula.importStory(data, { new_name: 'Large events' });
    storyId = story.id;
    await fabula.fire(story.webhooks['Hook']!, { n: 1 });
    await fabula.settled();
    for (const [name, mark] of [
      ['Hook', 'needle'],
      ['Say', 'hay'],
    ] as const) {
      await stores.sql(
        'UPDATE events e JOIN agents a ON a.id = e.agent_id SET e.payload = ? WHERE a.name = ?',
        [JSON.stringify({ mark, text: 'x'.repeat(9 * MIB) }), name],
      );
    }
    page = await signIn();
  });

  const row = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  const load = () => page.getByRole('button', { name: /^Load the payload of event \d+$/ });

  test(
    'is named at its row, and is loaded by itself',
    async () => {
      await open(page, '/events');
      await row('Hook').getByText(LEFT_OUT).waitFor();
      await row('Say').getByText('{"mark":"hay"').waitFor();
      for (const viewport of [NARROW, WIDE]) {
        await page.setViewportSize(viewport);
        expect([viewport.width, await overflowOf(page)]).toEqual([viewport.width, 0]);
        expect(await faultsInThemes(page, `events, ${viewport.width} px`)).toEqual([]);
      }
      await page.route('**/api/v1/events/*', (route) => route.fulfill({ status: 404, json: { errors: [] } }));
      await load().click();
      await row('Hook').getByRole('alert').waitFor();
      await page.unroute('**/api/v1/events/*');
      await load().click();
      await row('Hook').getByText('{"mark":"needle"').waitFor();
      expect(await load().count()).toBe(0);
      expect(await page.getByText(LEFT_OUT).count()).toBe(0);
    },
    LOOKED_AT_MS,
  );

  test('is named among the events of an action', async () => {
    const { Hook: hook } = await agentIds(fabula, storyId);
    await stores.sql('UPDATE events SET agent_id = ? WHERE agent_id <> 0', [hook!]);
    await open(page, `/stories/${storyId}?action=${hook}&tab=events`);
    await page.locator('summary').last().click();
    await page.getByText(LEFT_OUT).waitFor();
    await load().click();
    await page.getByRole('region', { name: 'JSON' }).getByText('"mark": "needle"').waitFor();
  });

  test('is no event that a search has compared: it goes on with that one', async () => {
    await open(page, `/events?story=${storyId}&path=mark&value=needle`);
    await page.getByText(/Not compared: 1 older event\./).waitFor();
    expect(await row('Hook').count()).toBe(0);
    await page.getByRole('button', { name: 'Search older events' }).click();
    await page.getByText('Compared all older events of these runs: 1 older event found.').waitFor();
    await row('Hook').getByText('needle').waitFor();
  });
});
