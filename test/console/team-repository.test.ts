import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const NARROW = { width: 390, height: 844 };
const WIDE = { width: 1400, height: 900 };
const { SHOTS } = process.env;
const LONG = 'Triage of alerts that come from all the sensors of the northern and the southern plants'.repeat(
  2,
);
const WORD = 'Alerts_of_the_northern_plants_that_nobody_has_looked_at_for_a_day_'.repeat(3);

describeInBrowser('stories as software: the repository of a team in the console', () => {
  const { fabula, open, signIn } = useConsole(stores, () => ({ env: { GIT_SYNC_MINUTES: '0' } }));
  let page: Page;
  let target: HttpTarget;

  beforeEach(async () => {
    page = await signIn({ viewport: WIDE });
    page.setDefaultTimeout(30_000);
    target = await startHttpTarget({ rules: {} });
  });
  afterEach(() => target.close());

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
        await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
    }
    await page.setViewportSize(WIDE);
    return faults;
  };

  test('it is connected, says why a sync fails and what waits for a person, and is told of the next sync', async () => {
    const team = `/team/teams/${fabula.account.team.id}`;
    const { id } = await fabula.importStory(storyOf({ Hook: ['Webhook', {}] }, []), {
      new_name: LONG.slice(0, 200),
    });
    const card = page.getByRole('region', { name: 'Git repository' });
    const dialog = page.getByRole('dialog');
    await open(page, team);
    await card.getByText('No repository.').waitFor();
    expect(await look('repository-none')).toEqual([]);

    await card.getByRole('button', { name: 'Connect' }).click();
    await dialog.getByLabel('Address').fill(`${target.url}/${'deep/'.repeat(12)}stories.git`);
    expect(await look('repository-settings')).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Not synced yet.').waitFor();
    expect(await look('repository-not-synced')).toEqual([]);

    await card.getByRole('button', { name: 'Sync now' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await look('repository-sync-fails')).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    const change = {
      direction: 'pull',
      kind: 'change',
      state: 'conflict',
      storyId: id,
      name: LONG,
      place: 'triage',
      message: 'Both sides changed the same parts. The files are in a draft.',
      details: [`${WORD}, options.payload.by: the live story has "a", the draft "b"`, 'Settings, tags: both'],
      draftId: id + 1,
      compareUrl: null,
    };
    const report = [
      change,
      {
        ...change,
        state: 'waiting',
        direction: 'push',
        place: 'b',
        name: WORD,
        compareUrl: 'https://git.example.com/pr/1',
        draftId: null,
        details: [],
        message: null,
      },
      {
        ...change,
        state: 'held',
        kind: 'delete',
        place: 'c',
        name: 'Gone',
        storyId: null,
        draftId: null,
        details: [],
        message: 'The files were deleted; the story stays',
      },
      { ...change, state: 'done', place: 'd', name: 'Done' },
      ...Array.from({ length: 40 }, (_, at) => ({ ...change, place: `many-${at}`, name: `Story ${at}` })),
    ];
    const failing = 'The host does not answer: connect ECONNREFUSED';
    await stores.sql(
      'UPDATE team_repositories SET last_error = ?, last_report = ?, commit_id = ?, ended_at = NOW(3), next_at = NOW(3) + INTERVAL 5 MINUTE WHERE team_id = ?',
      [failing, JSON.stringify(report), '3f2a9c0d11aa4f5e6b7c8d9e0f1a2b3c4d5e6f70', fabula.account.team.id],
    );
    await page.reload();
    await card.getByText(failing).waitFor();
    expect(await look('repository-failing')).toEqual([]);
    await stores.sql('UPDATE team_repositories SET last_error = NULL, left_count = 120 WHERE team_id = ?', [
      fabula.account.team.id,
    ]);
    await eventually(async () => (await card.getByText(failing).count()) === 0, 60_000);
    expect(await look('repository-conflicts')).toEqual([]);
  });
});
