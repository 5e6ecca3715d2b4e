import { describeInBrowser, NARROW, WIDE } from '../support/browser.js';
import { NO_MISDEEDS, faultsInThemes, overflowOf, watchPage } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { type HttpTarget, type ReceivedRequest, startHttpTarget } from '../support/http-target.js';
import { runsOf } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const SECRET = 'sec/ret of the "tickets"';
/** Two attempts wait some seconds for each other, and a page takes seconds on a busy machine. */
const LOOKED_AT_MS = 10 * 60_000;

describeInBrowser('the request of a failed action in the console', () => {
  const { fabula, open, origin, signIn } = useConsole(stores, () => ({ env: { MAX_ATTEMPTS: '2' } }));
  let target: HttpTarget;
  beforeEach(async () => {
    target = await startHttpTarget({ rules: { '/tickets': { status: 503, body: 'busy' } } });
  });
  afterEach(() => target.close());

  test(
    'is the one that the target received, with a marker for the credential',
    async () => {
      await fabula.inner.setCredential(fabula.account.team.id, 'tickets', SECRET);
      const ticket = {
        url: `${target.url}/tickets`,
        query_params: { host: '<<hook.body.host>>' },
        headers: { authorization: 'Bearer <<BASE64_ENCODE(CREDENTIAL.tickets)>>' },
        payload: { title: 'Disk full on <<hook.body.host>>', key: '<<CREDENTIAL.tickets>>' },
        fail_on_status: ['503'],
      };
      const story = await fabula.importStory(
        storyOf({ Hook: ['Webhook', {}], 'Open a ticket': ['HTTPRequest', ticket] }, [
          'Hook > Open a ticket',
        ]),
      );
      await fabula.fire(story.webhooks['Hook']!, { host: 'web-1' });
      await fabula.settled();
      const [first, last] = target.requests as [ReceivedRequest, ReceivedRequest];
      expect(JSON.parse(last.text)).toEqual({ title: 'Disk full on web-1', key: SECRET });
      // From now on the action would send something else.
      await stores.sql("UPDATE agents SET options = REPLACE(options, 'Disk full', 'Another text')");

      const [run] = await runsOf(fabula, story.id);
      const page = await signIn();
      const seen = watchPage(page, origin().url);
      await open(page, `/runs/${story.id}/${run!.guid}`);
      await page.getByRole('treeitem', { name: /Open a ticket/ }).click();
      await page.getByRole('tab', { name: 'Request and response' }).click();
      const request = page.getByRole('region', { name: 'Request', exact: true });
      await request.waitFor();

      const line = await request.locator('.request-line').textContent();
      expect(line?.trim()).toBe(`${last.method} ${target.url}${last.url}`);
      const shown = await request.locator('.request-headers').innerText();
      expect(shown).toContain(last.headers['idempotency-key']!);
      expect(shown).toContain(last.headers['content-type']!);
      expect(shown).toContain('Bearer [credential tickets]');
      const body = request.getByRole('tree', { name: 'Request body' });
      await body.getByText('"Disk full on web-1"').waitFor();
      await body.getByText('"[credential tickets]"').waitFor();

      // By the keyboard alone: the attempt before, and what would be sent now.
      const attempts = page.getByRole('group', { name: 'Attempts' });
      await attempts.getByRole('button', { name: 'Attempt 1 · 503' }).focus();
      await page.keyboard.press('Enter');
      const earlier = page.getByRole('region', { name: 'Request', exact: true });
      await earlier.getByText(first.headers['idempotency-key']!).waitFor();
      await page.getByText('Preview the current request').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Request if sent now' }).waitFor();

      const all = await page.content();
      expect(all).not.toContain(SECRET);
      expect(all).not.toContain(Buffer.from(SECRET).toString('base64'));
      expect(await faultsInThemes(page)).toEqual([]);
      await page.setViewportSize(NARROW);
      expect(await overflowOf(page)).toBe(0);

      // The page of dead letters shows the same request.
      await page.setViewportSize(WIDE);
      await open(page, '/dead-letters');
      await page.locator('.group-place a').click();
      const letter = page.getByRole('region', { name: /^Dead letter/ });
      const ofLetter = letter.getByRole('region', { name: 'Request', exact: true });
      await ofLetter.getByText(last.headers['idempotency-key']!).waitFor();
      expect((await ofLetter.locator('.request-line').textContent())?.trim()).toBe(line?.trim());
      await ofLetter.getByText('Bearer [credential tickets]').waitFor();
      await ofLetter.getByText('"Disk full on web-1"').waitFor();
      expect(await page.content()).not.toContain(SECRET);
      expect(await faultsInThemes(page)).toEqual([]);
      await page.setViewportSize(NARROW);
      expect(await overflowOf(page)).toBe(0);

      // The webhook sent nothing: the tab says so, and shows what it did before.
      await open(page, `/runs/${story.id}/${run!.guid}`);
      await page.getByRole('treeitem', { name: /Hook/ }).click();
      await page.getByRole('tab', { name: 'Request and response' }).click();
      await page.getByText('No options were rendered: this action started the run.').waitFor();
      expect(seen).toEqual(NO_MISDEEDS);
    },
    LOOKED_AT_MS,
  );
});
