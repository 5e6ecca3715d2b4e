import { describeInBrowser } from '../support/browser.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const LONG = '12345678901234567890';
const FINE = '0.12345678901234567891';

describeInBrowser('numbers of many digits in the console', () => {
  const { fabula, open, signIn } = useConsole(stores);

  test('are shown, found and sent again with all of them', async () => {
    const story = storyOf({ Hook: ['Webhook', {}], Say: says({ id: '<<hook.body.id>>' }) }, ['Hook > Say']);
    const { webhooks } = await fabula.importStory(story, { new_name: 'Digits' });
    await fetch(`${fabula.url}/webhook/${webhooks['Hook']}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"id":${LONG},"ratio":${FINE}}`,
    });
    await fabula.settled();

    const page = await signIn();
    await open(page, `/events?path=body.id&value=${LONG}`);
    await page.getByRole('link', { name: 'Hook', exact: true }).click();
    await page.getByRole('treeitem', { name: LONG }).waitFor();
    await page.getByRole('treeitem', { name: FINE }).waitFor();

    await open(page, '/runs');
    await page.getByRole('link', { name: 'Digits' }).click();
    await page.getByRole('treeitem', { name: /Say/ }).click();
    await page.getByRole('button', { name: 'Run from here…' }).click();
    const payload = page.getByRole('textbox', { name: 'Payload' });
    await payload.waitFor();
    expect(await payload.inputValue()).toContain(`"ratio": ${FINE}`);
    expect(await page.getByText('Large numbers are rounded').count()).toBe(0);
    const before = page.url();
    await page.getByRole('button', { name: 'Start the run' }).click();
    await eventually(() => Promise.resolve(page.url() !== before), 60_000);
    await fabula.settled();
    const stored = await (await fabula.api('GET', '/api/v1/events?per_page=20')).text();
    expect(stored.split(LONG).length - 1).toBeGreaterThan(2);
    expect(stored).toContain(FINE);
  });
});
