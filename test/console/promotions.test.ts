import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { type Account, buildAccount } from '../support/builders.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import type { Parsed } from '../support/manage-api.js';
import { makeLink } from '../support/people.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const LONG_MS = 5 * 60_000;
const NARROW = { width: 390, height: 844 };
const WIDE = { width: 1400, height: 900 };
const { SHOTS } = process.env;

describeInBrowser('stories as software: promotions', () => {
  const { fabula, open, signIn, newPage, origin } = useConsole(stores);
  let page: Page;
  let source: Account;

  const ask = async (key: string, request: string, body?: unknown): Promise<Parsed> => {
    const [method, path] = request.split(' ');
    const response = await fetch(fabula.url + path, {
      method: method!,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${request}: ${response.status} ${JSON.stringify(answer)}`);
    return answer as Parsed;
  };
  const mark = async (key: string, storyId: number, payload: object) => {
    const { agents } = await ask(key, `GET /api/v1/stories/${storyId}/agents`);
    const { id, options } = agents.find(({ name }: Parsed) => name === 'Mark');
    const changed = { options: { ...options, payload: { ...options.payload, ...payload } } };
    await ask(key, `PUT /api/v1/actions/${id}`, changed);
  };
  const payloadOf = async (storyId: number): Promise<Parsed> => {
    const { agents } = await ask(fabula.account.key, `GET /api/v1/stories/${storyId}/agents`);
    return agents.find(({ name }: Parsed) => name === 'Mark').options.payload;
  };
  /** Looks at the page in both themes and both widths; keeps pictures if `SHOTS` names a folder. */
  const look = async (name: string): Promise<string[]> => {
    const faults: string[] = [];
    for (const [width, viewport] of [
      ['wide', WIDE],
      ['narrow', NARROW],
    ] as const) {
      await page.setViewportSize(viewport);
      faults.push(...(await faultsInThemes(page, `${name}, ${width}`)));
      const over = await overflowOf(page);
      if (over > 0) faults.push(`${name}, ${width}: ${over} px too wide`);
      if (SHOTS === undefined) continue;
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png` });
      }
    }
    await page.setViewportSize(WIDE);
    return faults;
  };
  const dialog = () => page.getByRole('dialog');

  beforeEach(async () => {
    source = await buildAccount(stores.db, { owner: true });
    page = await signIn({ viewport: WIDE });
  });

  test(
    'a bundle of one tenant is mapped, compared, decided, promoted and reverted in another',
    async () => {
      const name = 'Triage of alerts that come from all the sensors of the northern and the southern plants';
      const form = storyOf(
        {
          Receive: ['Webhook', { path: 'promoted-page', secret: 'secret-of-source', verbs: 'post' }],
          Ask: [
            'HTTPRequest',
            {
              url: 'https://tickets.example.com/new',
              method: 'post',
              headers: { Authorization: '=CREDENTIAL.ticket_system_test' },
            },
          ],
          Mark: [
            'EventTransformation',
            { mode: 'message_only', payload: { by: 'test', of: 'test', to: 'all' } },
          ],
        },
        ['Receive > Ask > Mark'],
      );
      const given = { team_id: source.team.id, data: form };
      const { id } = await ask(source.key, 'POST /api/v1/stories/import', { ...given, new_name: name });
      await ask(source.key, 'POST /api/v1/stories/import', {
        team_id: source.team.id,
        new_name: 'Clean up',
        data: storyOf(
          { Mark: ['EventTransformation', { mode: 'message_only', payload: { by: 'test' } }] },
          [],
        ),
      });
      const { key, team } = fabula.account;
      await ask(key, 'POST /api/v1/user_credentials', {
        name: 'Ticket system',
        mode: 'TEXT',
        value: 'key-of-live',
        team_id: team.id,
      });

      // In the source: select the stories, and save their bundle.
      const other = await newPage({ viewport: WIDE, acceptDownloads: true });
      await other.goto(`${origin().url}/console/?link=${await makeLink(stores, source.user.id, 'sign_in')}`);
      await other.getByRole('navigation', { name: 'Pages' }).waitFor();
      await open(other, '/stories');
      const bundleOf = async (): Promise<string> => {
        await other.getByRole('checkbox', { name: `Select ${name}` }).check();
        await other.getByRole('checkbox', { name: 'Select Clean up' }).check();
        const [download] = await Promise.all([
          other.waitForEvent('download'),
          other.getByRole('button', { name: 'Bundle' }).click(),
        ]);
        return download.path();
      };
      const first = await bundleOf();

      await open(page, '/promotions');
      await page.getByText('No stories came from another tenant.').waitFor();
      expect(await look('empty')).toEqual([]);
      await page.getByRole('button', { name: 'Promote a bundle' }).click();
      await page.getByText('Or paste it here').waitFor();
      expect(await look('give')).toEqual([]);
      await page.getByLabel('Bundle to promote').setInputFiles(first);
      await page.getByLabel(`Team ${source.team.name}`).fill(team.name);
      await page.getByText(/There is no credential .*ticket_system_test.* here/).waitFor();
      expect(await look('missing')).toEqual([]);
      await page.getByLabel('Credential ticket_system_test').fill('Ticket system');
      await page.getByText('2 stories can be promoted').waitFor();
      await page.getByLabel('Name of the promotion (optional)').fill('Release 12');
      await page.getByRole('button', { name: 'Promote', exact: true }).click();
      await page.getByText('The stories that came with this promotion.').waitFor();
      await page.getByRole('dialog', { name: 'Release 12' }).getByText('/webhook/').first().waitFor();
      expect(await look('done')).toEqual([]);
      await dialog().getByRole('button', { name: 'Close' }).last().click();

      // Both change the same, and each something else.
      const [newest] = (await ask(key, 'GET /api/v1/promotions')).promotions;
      const { stories } = await ask(key, `GET /api/v1/promotions/${newest.id}`);
      const live: number = stories.find((each: Parsed) => each.name === name).story_id;
      await mark(key, live, { by: 'live', to: 'live only' });
      const longText = Array.from({ length: 80 }, (_, line) => `line ${line} of the source`).join('\n');
      await mark(source.key, id, { by: 'second', of: longText });
      await other.reload();
      const second = await bundleOf();
      const text = await readFile(second, 'utf8');

      // With the keyboard alone: paste, map, decide, promote.
      await page.getByRole('button', { name: 'Promote a bundle' }).focus();
      await page.keyboard.press('Enter');
      await page.getByLabel('Or paste it here').fill(text);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByLabel(`Team ${source.team.name}`).fill(team.name);
      await page.getByLabel('Credential ticket_system_test').fill('Ticket system');
      await page.getByText('1 conflict to decide').waitFor();
      expect(await look('conflict')).toEqual([]);
      await page.getByRole('button', { name: 'Leave Clean up out' }).click();
      await page.getByRole('button', { name: 'Promote Clean up too' }).waitFor();
      await page.getByRole('radio', { name: 'Here' }).focus();
      await page.keyboard.press('Space');
      await page.getByText('1 story can be promoted').waitFor();
      expect(await look('decided')).toEqual([]);
      await page.getByRole('button', { name: 'Promote', exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('The stories that came with this promotion.').waitFor();
      await page.keyboard.press('Escape');
      expect(await payloadOf(live)).toEqual({ by: 'live', of: longText, to: 'live only' });

      // A change since is in the way of the revert, unless there is a reason.
      await mark(key, live, { to: 'since' });
      await page
        .getByRole('button', { name: /^Revert / })
        .first()
        .click();
      await dialog().getByRole('button', { name: 'Revert' }).click();
      await dialog()
        .getByText(/was changed since/)
        .waitFor();
      expect(await look('refused')).toEqual([]);
      await dialog()
        .getByLabel(/^Reason to revert all the same/)
        .fill('It broke');
      await dialog().getByRole('button', { name: 'Revert' }).click();
      await dialog().waitFor({ state: 'detached' });
      await page.getByText('reverted', { exact: true }).waitFor();
      expect(await payloadOf(live)).toEqual({ by: 'live', of: 'test', to: 'live only' });
      expect(await look('reverted')).toEqual([]);
    },
    LONG_MS,
  );
});
