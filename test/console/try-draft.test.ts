import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { faultsInThemes } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { call, runsOf } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** A page takes seconds on a busy machine. */
const LOOKED_AT_MS = 10 * 60_000;

describeInBrowser('a trial in the editor', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let target: HttpTarget;
  let page: Page;

  beforeEach(async () => {
    target = await startHttpTarget({ rules: { '/risk': { body: { risk: 7 } } } });
    page = await signIn({ viewport: { width: 1440, height: 900 } });
  });
  afterEach(() => target.close());

  /** Opens a draft of a story that ran once, and asked the target then. */
  async function openDraft(): Promise<{ story: number; draft: number }> {
    const story = await fabula.importStory(
      storyOf(
        {
          Receive: ['Webhook', {}],
          Ask: ['HTTPRequest', { url: `${target.url}/risk`, method: 'get' }],
          Grade: [
            'EventTransformation',
            {
              mode: 'message_only',
              payload: { text: 'Risk <<ask.body.risk>>', host: '<<receive.body.host>>' },
            },
          ],
        },
        ['Receive > Ask', 'Ask > Grade'],
      ),
    );
    await fabula.fire(story.webhooks['Receive'] ?? '', { host: 'web-1' });
    await fabula.settled();
    expect(await runsOf(fabula, story.id)).toHaveLength(1);
    const { body } = await call(fabula, `POST /api/v1/stories/${story.id}/drafts`, {
      body: { name: 'Try' },
    });
    const { id: draft } = body as { id: number };
    await open(page, `/stories/${story.id}/edit?draft=${draft}&view=outline`);
    await page.getByRole('treeitem', { name: 'Grade' }).click();
    return { story: story.id, draft };
  }

  const panel = () => page.getByRole('region', { name: 'Trial', exact: true });
  const status = () => panel().getByRole('status');
  const grade = async (text: string) => {
    await page.locator('.cm-content').first().waitFor();
    const field = page.getByRole('textbox', { name: /^(?!Key).*, text$/ }).first();
    await field.fill(text);
  };

  test(
    'on a past run shows exactly what one changed option changes; a rule answers a request',
    async () => {
      await openDraft();
      await grade('Level <<ask.body.risk>>');
      await page.keyboard.press('Control+Enter');
      await status().getByText('1 difference from the run').waitFor();
      const rows = panel().getByRole('row');
      expect(await rows.allInnerTexts()).toEqual([
        expect.stringContaining('Path'),
        expect.stringMatching(/text\s+"Risk 7"\s+"Level 7"/),
      ]);
      await page.getByRole('treeitem', { name: /Grade.*differs in trial/ }).waitFor();
      await page.getByRole('treeitem', { name: /Ask.*ran in trial/ }).waitFor();
      await panel().getByRole('tab', { name: 'Requests (1)' }).click();
      await panel().getByText('200 from the run').waitFor();
      expect(await faultsInThemes(page)).toEqual([]);

      await panel().getByRole('button', { name: 'Add a rule' }).click();
      await panel().getByRole('textbox', { name: 'URL, * for any text' }).fill(`${target.url}/*`);
      await panel().getByRole('textbox', { name: 'Body' }).fill('{"risk": 9}');
      await panel().getByRole('button', { name: 'Run trial' }).click();
      await panel().getByText('200 from a rule').waitFor();
      await panel()
        .getByRole('tab', { name: /^Events/ })
        .click();
      await panel().getByRole('cell', { name: '"Level 9"' }).waitFor();
      expect(await faultsInThemes(page)).toEqual([]);

      await panel().getByRole('combobox', { name: 'What to try' }).selectOption('From Grade on');
      await panel().getByRole('button', { name: 'Run trial' }).click();
      await page.getByRole('treeitem', { name: /Receive.*not reached in trial/ }).waitFor();
      // What came before is answered by the run, and is no difference.
      await status().getByText('1 difference from the run').waitFor();
      await panel().getByRole('cell', { name: '"Level 7"' }).waitFor();
      expect(target.requests).toHaveLength(1);

      await page.getByRole('button', { name: 'Canvas', exact: true }).click();
      await page.locator('.link.taken').first().waitFor();
      expect(await page.locator('.link.taken').count()).toBe(1);

      // The rule is kept in this browser.
      await page.reload();
      await page.getByRole('button', { name: 'Try', exact: true }).click();
      const url = panel().getByRole('textbox', { name: 'URL, * for any text' });
      await url.waitFor();
      expect(await url.inputValue()).toBe(`${target.url}/*`);
    },
    LOOKED_AT_MS,
  );

  test(
    'sends requests once they are confirmed, and starts a run with a written payload',
    async () => {
      const { story, draft } = await openDraft();
      await page.getByRole('button', { name: 'Try', exact: true }).click();
      await panel().getByText('No trial yet.').waitFor();
      await panel().getByRole('button', { name: 'Write a payload' }).click();
      const payload = panel().getByRole('textbox', { name: 'Event of Receive' });
      expect(JSON.parse(await payload.inputValue())).toMatchObject({ body: { host: 'web-1' } });
      await payload.fill('{"body": {"host": "db-1"}');
      await panel().getByRole('alert').waitFor();
      await payload.fill('{"body": {"host": "db-1"}}');
      await panel().getByRole('button', { name: 'Run trial' }).click();
      await status().getByText('1 request without a response').waitFor();
      expect(new URL(page.url()).searchParams.get('sample')).toBe('saved:Payload');

      await panel().getByRole('tab', { name: 'Requests (1)' }).click();
      await panel().getByRole('button', { name: 'Really send' }).click();
      await page
        .getByRole('dialog')
        .getByText(`GET ${new URL(target.url).host}`)
        .waitFor();
      expect(target.requests).toHaveLength(1);
      await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
      await panel().getByText('200 really sent').waitFor();
      expect(target.requests).toHaveLength(2);

      // Another version could send something else.
      await grade('Level <<ask.body.risk>>');
      await panel().getByText('Changed since this trial.').waitFor();
      expect(await panel().getByRole('button', { name: 'Really send' }).isDisabled()).toBe(true);
      await page.getByText('Saved', { exact: true }).waitFor();

      // The payload is kept, and its values stand below the fields.
      await page.reload();
      await page.getByRole('treeitem', { name: 'Grade' }).click();
      await page.getByText('db-1').filter({ visible: true }).first().waitFor();
      await page.getByRole('button', { name: 'Try', exact: true }).click();
      await panel().getByRole('combobox', { name: 'What to try' }).selectOption('Grade alone');
      await panel().getByRole('button', { name: 'Run trial' }).click();
      await panel().getByRole('region', { name: 'Rendered options' }).waitFor();

      await panel().getByRole('button', { name: 'Send a real event' }).click();
      await page.getByRole('dialog').getByText('Requests and mails are really sent').waitFor();
      const { body: hooks } = await call(fabula, `GET /api/v1/webhooks?draft_id=${draft}&story_id=${story}`);
      const [own] = (hooks as { webhooks: { path: string }[] }).webhooks;
      await page.getByRole('dialog').getByText(`/webhook/${own?.path}`).waitFor();
      await page.getByRole('button', { name: 'Start the run' }).click();
      await page.waitForURL(/\/runs\//);
      await page.getByText('Run started. The webhook responded with 201.', { exact: true }).waitFor();
      await fabula.settled();
      const { body } = await call(fabula, `GET /api/v1/runs?story_mode=TEST`);
      expect((body as { story_runs: unknown[] }).story_runs).toEqual([
        expect.objectContaining({ draft_id: draft }),
      ]);
      expect(target.requests).toHaveLength(3);
    },
    LOOKED_AT_MS,
  );
});
