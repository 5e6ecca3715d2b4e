import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { type Account, buildAccount } from '../support/builders.js';
import { useConsole } from '../support/console/use-console.js';
import { makeLink } from '../support/people.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const TWO = storyOf(
  { Receive: ['Webhook', {}], Greet: ['EventTransformation', { mode: 'message_only', payload: {} }] },
  ['Receive > Greet'],
  { name: 'Greeting' },
);

const people = (page: Page) => page.getByRole('list', { name: 'Also here' });

describeInBrowser('people who have one story open', () => {
  const { fabula, newPage, open, origin, signIn } = useConsole(stores);
  let ana: Account;
  let hers: Page;
  let mine: Page;
  let storyId: number;

  beforeEach(async () => {
    storyId = (await fabula.importStory(TWO)).id;
    ana = await buildAccount(stores.db, { team: fabula.account.team, role: 'VIEWER' });
    await stores.sql("UPDATE users SET first_name = 'Ana', last_name = 'Flores' WHERE id = ?", [ana.user.id]);
    mine = await signIn();
    hers = await newPage();
    await hers.goto(`${origin().url}/console/?link=${await makeLink(stores, ana.user.id, 'sign_in')}`);
    await hers.getByRole('navigation', { name: 'Pages' }).waitFor();
  });

  test('see each other by name, with what each has chosen, until they leave', async () => {
    await open(hers, `/stories/${storyId}/edit?view=outline`);
    await hers.getByRole('treeitem', { name: 'Greet' }).click();
    await open(mine, `/stories/${storyId}/edit?view=outline`);
    await people(mine).getByText('Ana Flores', { exact: true }).waitFor();
    await people(mine).getByText('is here, editing Greet').waitFor();
    await mine.getByRole('treeitem', { name: 'Greet' }).getByText('chosen by Ana Flores').waitFor();
    await mine.getByRole('log').getByText('Ana Flores is here.').waitFor();

    await mine.getByRole('button', { name: 'Canvas' }).click();
    await mine.getByRole('group', { name: /^Greet, .*chosen by Ana Flores/ }).waitFor();
    // The other choice is told without a reload of either page.
    await hers.getByRole('treeitem', { name: 'Receive' }).click();
    await mine.getByRole('group', { name: /^Receive, .*chosen by Ana Flores/ }).waitFor();

    await hers.getByRole('link', { name: 'Greeting' }).click();
    await people(mine).waitFor({ state: 'detached' });
    await mine.getByRole('log').getByText('Ana Flores has left.').waitFor();
    expect(await mine.getByRole('group', { name: /chosen by/ }).count()).toBe(0);
  });

  test('edit on while nobody can be told of', async () => {
    await mine.route('**/presence', (route) =>
      route.fulfill({ status: 503, json: { errors: [{ message: 'Redis is unavailable' }] } }),
    );
    await open(mine, `/stories/${storyId}/edit?view=outline`);
    await mine.getByRole('treeitem', { name: 'Greet' }).click();
    const name = mine.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Welcome');
    await name.blur();
    await mine.getByText('Saved', { exact: true }).waitFor();
    await mine.getByRole('treeitem', { name: 'Welcome' }).waitFor();
    expect(await people(mine).count()).toBe(0);
    expect(await mine.getByText('Redis is unavailable').count()).toBe(0);
  });
});
