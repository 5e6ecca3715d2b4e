import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { faultsInThemes } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { call, says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import type { Parsed } from '../support/manage-api.js';

const stores = useStores();
const LONG_MS = 5 * 60_000;

describeInBrowser('stories as software: a step', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let page: Page;

  beforeEach(async () => {
    page = await signIn({ viewport: { width: 1500, height: 900 } });
  });

  const box = (name: string) => page.locator('.react-flow__node').filter({ hasText: name });
  const graphOf = async (id: number): Promise<Parsed> =>
    (await call(fabula, `GET /api/v1/stories/${id}/graph`)).body;
  const marksOf = async (id: number): Promise<[string, number][]> =>
    (await graphOf(id)).agents.flatMap(({ name, fabula_step: mark }: Parsed) =>
      mark === undefined ? [] : [[name, mark.version]],
    );
  const story = async (name: string, path: string): Promise<number> => {
    const agents: Parameters<typeof storyOf>[0] = {
      Hook: ['Webhook', { path, secret: 'open sesame' }],
      [name]: says({ host: '<<hook.body.host>>' }),
    };
    return (await fabula.importStory(storyOf(agents, [`Hook > ${name}`], { name: `Story of ${name}` }))).id;
  };

  test(
    'is saved from a selection, used in another story, and brings both up to date',
    async () => {
      const first = await story('Say host', 'step-one');
      await open(page, `/stories/${first}/edit`);
      await box('Say host').click();
      await box('Say host').press('Shift+S');
      const saving = page.getByRole('dialog', { name: 'Save as a step' });
      await saving.getByLabel('Name').fill('Say the host');
      await saving.getByLabel('Why (optional)').fill('Everybody needs it');
      expect(await faultsInThemes(page)).toEqual([]);
      await saving.getByRole('button', { name: 'Save' }).click();
      await saving.waitFor({ state: 'detached' });
      await eventually(async () => (await marksOf(first)).join() === 'Say host,1');
      await page.getByText(/^From the step Say the host, version 1\.$/).waitFor();

      const second = await story('Begin', 'step-two');
      await open(page, `/stories/${second}/edit`);
      await box('Begin').click();
      await box('Begin').press('a');
      await page.getByRole('combobox', { name: 'Actions to add' }).fill('say the');
      await page.keyboard.press('Enter');
      await box('Say host').waitFor();
      await eventually(async () => (await marksOf(second)).join() === 'Say host,1');
      const { agents, links } = await graphOf(second);
      const nameOf = (at: number) => agents[at].name;
      expect(links.map((each: Parsed) => [nameOf(each.source), nameOf(each.receiver)])).toContainEqual([
        'Begin',
        'Say host',
      ]);

      const [step] = (await call(fabula, 'GET /api/v1/steps')).body.steps as Parsed[];
      const { content } = (await call(fabula, `GET /api/v1/steps/${step.id}/versions/1`)).body;
      content.agents[0].options.payload.also = 'the site';
      const body = { reason: 'With the site', content };
      await call(fabula, `POST /api/v1/steps/${step.id}/versions`, { body });
      await open(page, `/stories/${second}/edit`);
      await box('Say host').getByText('step behind').waitFor();
      await box('Say host').click();
      await page.getByText('The newest is 2.').waitFor();
      expect(await faultsInThemes(page)).toEqual([]);

      await open(page, '/steps');
      await page.getByRole('row', { name: /Say the host.*2 behind/ }).waitFor();
      expect(await faultsInThemes(page)).toEqual([]);
      await page.getByRole('link', { name: 'Say the host' }).click();
      await page.getByText('With the site').waitFor();
      await page.getByRole('button', { name: 'Update 2 stories to version 2' }).click();
      const updating = page.getByRole('dialog', { name: 'Update to version 2' });
      await updating.getByText('Can be updated').first().waitFor();
      await updating.getByText('the site').first().waitFor();
      expect(await faultsInThemes(page)).toEqual([]);
      await updating.getByRole('button', { name: 'Update 2 stories' }).click();
      await updating.waitFor({ state: 'detached' });
      expect([await marksOf(first), await marksOf(second)]).toEqual([[['Say host', 2]], [['Say host', 2]]]);
      await eventually(async () => (await page.getByText('behind').count()) === 0);
    },
    LONG_MS,
  );
});
