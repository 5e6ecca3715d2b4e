import type { Locator, Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { useKeyboard } from '../support/console/keyboard.js';
import { overflowOf } from '../support/console/page-faults.js';
import {
  ALERT,
  callAsReadme,
  exportOf,
  README_RESULT,
  README_STORY,
  readmeExport,
} from '../support/console/readme-story.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** A busy machine takes minutes for what a quiet one does in half of one. */
const BUILT_MS = 10 * 60_000;
const LOOKED_FOR_MS = 60_000;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** The smallest that a finger hits; what stands in a line of text may be smaller. */
const TOUCHED_PX = 24;
const CALL = `curl http://127.0.0.1:3000/webhook/alerts -d '${JSON.stringify(ALERT)}'`;

describeInBrowser("README's first story, built from nothing", () => {
  let page: Page;
  const { fabula, open, signIn } = useConsole(stores);
  let wanted: unknown;

  beforeEach(async () => {
    wanted = await readmeExport(fabula);
  });

  const inspector = () => page.getByRole('complementary', { name: 'Selected action' });
  const dialog = () => page.getByRole('dialog');
  const template = (label: string) => inspector().locator(`.cm-content[aria-label="${label}"]`);
  const box = (name: string) => page.locator('.react-flow__node').filter({ hasText: name });
  const focusedBox = (name: string) => page.locator('.react-flow__node:focus').filter({ hasText: name });
  const row = (name: string) => page.getByRole('treeitem', { name });
  const undo = () => page.getByRole('button', { name: /^Undo/ });
  const saved = () => page.getByText('Saved', { exact: true }).waitFor();

  /** Reads the id of the story that has just been opened in the editor. */
  async function opened(): Promise<number> {
    await page.waitForURL(/\/stories\/\d+\/edit/);
    await saved();
    return Number(/stories\/(\d+)/.exec(page.url())?.[1]);
  }

  async function provesItself(id: number) {
    await saved();
    expect(await exportOf(fabula, id)).toEqual(wanted);
    expect(await callAsReadme(fabula, id)).toEqual(README_RESULT);
  }

  const port = async (name: string, handle: '.target' | '[data-handleid="DEFAULT"]') => {
    const place = await box(name).locator(`.react-flow__handle${handle}`).boundingBox();
    if (place === null) throw new Error('Not in view.');
    return { x: place.x + place.width / 2, y: place.y + place.height / 2 };
  };
  /** An option that may be added to the action. */
  const offered = (name: string) =>
    inspector()
      .getByRole('listbox', { name: 'Option to add' })
      .getByRole('option', { name: new RegExp(`^${name}(?!_)`) });
  const write = (label: string, text: string) => template(label).fill(text);

  /** How a person presses something, and fills in the form of the action that is open. */
  const formBy = (press: (control: Locator) => Promise<void>) => {
    const button = (name: string) => press(inspector().getByRole('button', { name, exact: true }));
    const addOption = async (name: string) => {
      await button('Add an option');
      await press(offered(name));
    };
    const addKey = async (key: string, value: string) => {
      await button('Add key to payload');
      await inspector().getByRole('textbox', { name: 'Key of payload, key' }).fill(key);
      await press(inspector().getByRole('heading').first());
      await write(`payload, ${key}`, value);
    };
    return {
      async name(text: string) {
        await inspector().getByRole('textbox', { name: 'Name', exact: true }).fill(text);
        await press(inspector().getByRole('heading').first());
        await inspector().getByRole('heading', { name: text }).waitFor();
      },
      async webhook() {
        await saved();
        await write('path', 'alerts');
        await write('secret', 'open-sesame');
        await addOption('verbs');
        await write('verbs', 'post');
        await addOption('response');
        await inspector()
          .getByRole('combobox', { name: 'Kind of response' })
          .selectOption('Text or template');
        await write('response', 'Noted');
      },
      async ticket() {
        await addOption('payload');
        await addKey('title', '[<<UPCASE(receive_alert.body.severity)>>] <<receive_alert.body.title>>');
        await addKey('hosts', "<<JOIN(receive_alert.body.hosts, ', ')>>");
      },
      async rule() {
        await button('Add rule');
        await write('Rule 1, field', '=receive_alert.body.severity');
        await inspector()
          .getByRole('combobox', { name: 'Rule 1, comparison' })
          .selectOption('matches the regular expression');
        await write('Rule 1, value', '^(high|critical)$');
      },
      async mail() {
        await button('Add item to recipients');
        await write('recipients, item 1', 'soc@example.com');
        await addOption('subject');
        await write('subject', '<<build_ticket.title>>');
        await addOption('body');
        await write('body', '<p>Hosts: <<build_ticket.hosts>></p>');
      },
      async begin() {
        await press(page.getByRole('button', { name: 'New story' }).first());
        await page.getByRole('textbox', { name: 'Name' }).fill(README_STORY.name);
        await press(page.getByRole('button', { name: 'Create and edit' }));
        const id = await opened();
        await press(page.getByRole('button', { name: 'Story settings' }));
        await page.getByRole('textbox', { name: 'Description' }).fill(README_STORY.description);
        await press(page.getByRole('button', { name: 'Save', exact: true }));
        await dialog().waitFor({ state: 'detached' });
        return id;
      },
    };
  };

  test(
    'with the mouse: types are dragged, ports are linked by drags, and all of it can be undone',
    async () => {
      page = await signIn({ viewport: { width: 1500, height: 900 } });
      page.setDefaultTimeout(LOOKED_FOR_MS);
      const form = formBy((control) => control.click());
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Stories' }).click();
      const id = await form.begin();
      const empty = await exportOf(fabula, id);

      const drop = async (kind: string, y: number) => {
        await page
          .getByRole('region', { name: 'Actions to add' })
          .getByRole('option', { name: kind, exact: true })
          .dragTo(page.locator('.react-flow__pane'), { targetPosition: { x: 120, y } });
        await inspector().getByRole('heading', { name: kind }).waitFor();
      };
      await drop('Webhook', 60);
      await form.name('Receive alert');
      await form.webhook();
      await drop('Message only', 200);
      await form.name('Build ticket');
      await form.ticket();
      await drop('Trigger', 340);
      await form.name('Is high');
      await form.rule();
      await drop('Email', 480);
      await form.name('Tell the team');
      await form.mail();

      for (const [from, to] of [
        ['Receive alert', 'Build ticket'],
        ['Build ticket', 'Is high'],
        ['Is high', 'Tell the team'],
      ] as const) {
        const [start, end] = [await port(from, '[data-handleid="DEFAULT"]'), await port(to, '.target')];
        await page.mouse.move(start.x, start.y);
        await page.mouse.down();
        await page.mouse.move(end.x + 4, end.y + 8, { steps: 6 });
        await page.mouse.move(end.x, end.y, { steps: 3 });
        await page.mouse.up();
        await page
          .locator(`.react-flow__edge[aria-label="Link from ${from} to ${to}"]`)
          .waitFor({ state: 'attached' });
      }
      await provesItself(id);

      while (await undo().isEnabled()) await undo().click();
      await page.getByText('No actions yet.').waitFor();
      await saved();
      await eventually(async () => (await exportOf(fabula, id)) !== undefined);
      expect(await exportOf(fabula, id)).toEqual(empty);
    },
    BUILT_MS,
  );

  test(
    'with the keyboard alone, from home on: completion writes the paths of the pasted call',
    async () => {
      page = await signIn({ viewport: { width: 1440, height: 900 } });
      page.setDefaultTimeout(LOOKED_FOR_MS);
      const keys = await useKeyboard(page);
      const { press, type, goTo, isAt } = keys;
      const field = (name: string) => page.getByRole('textbox', { name, exact: true });
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      const pressed = async (control: Locator, way?: 'Shift+Tab') => {
        await goTo(control, way);
        await press('Enter');
      };
      const rename = async (name: string) => {
        await press('Enter');
        await isAt(inspector());
        await goTo(field('Name'));
        await press('Control+a');
        await type(name);
        await press('Enter');
        await inspector().getByRole('heading', { name }).waitFor();
        await isAt(field('Name'));
      };
      const addOption = async (name: string) => {
        await pressed(button('Add an option'));
        await isAt(page.getByRole('combobox', { name: 'Option to add' }));
        await type(name);
        await offered(name).and(page.locator('[aria-selected="true"]')).waitFor();
        await press('Enter');
      };
      /** Writes a template; `¦` takes what the list of completions has chosen. */
      const write = async (text: string) => {
        const parts = text.split('¦');
        for (const [at, part] of parts.entries()) {
          await type(part);
          if (at === parts.length - 1) return;
          const [typed = ''] = /\w*$/.exec(part) ?? [];
          await page
            .locator('.cm-tooltip-autocomplete [aria-selected="true"]')
            .filter({ hasText: new RegExp(`^${typed}`, 'i') })
            .waitFor();
          await press('Enter');
        }
      };
      const toCanvas = async (name: string) => {
        await press('Escape');
        await focusedBox(name).waitFor();
      };
      const addBehind = async (kind: string, searched: string) => {
        await press('a');
        await isAt(page.getByRole('combobox', { name: 'Actions to add' }));
        await type(searched);
        await press('Enter');
        await focusedBox(kind).waitFor();
      };

      await pressed(page.getByRole('link', { name: 'Stories', exact: true }));
      await pressed(button('New story'));
      await isAt(field('Name'));
      await type(README_STORY.name);
      await goTo(page.getByRole('textbox', { name: /^Paste a curl call/ }));
      await type(CALL);
      await pressed(button('Create and edit'));
      const id = await opened();
      await focusedBox('Receive alerts').or(focusedBox('Receive call')).waitFor();

      await pressed(button('Story settings'), 'Shift+Tab');
      await isAt(field('Name'));
      await goTo(field('Description'));
      await type(README_STORY.description);
      await pressed(button('Save'), 'Shift+Tab');
      await dialog().waitFor({ state: 'detached' });
      await isAt(button('Story settings'));
      const first = await exportOf(fabula, id);

      // The canvas hands the focus on to the action that had it.
      await goTo(page.getByRole('group', { name: 'Canvas of the story' }).or(box('Receive call')));
      await focusedBox('Receive call').waitFor();
      await rename('Receive alert');
      await goTo(template('path'));
      await press('Control+a');
      await type('alerts');
      await goTo(template('secret'));
      await press('Control+a');
      await type('open-sesame');
      await addOption('response');
      await isAt(button('Add key to response'));
      await goTo(page.getByRole('combobox', { name: 'Kind of response' }), 'Shift+Tab');
      await type('Text');
      await goTo(template('response'));
      await type('Noted');
      await toCanvas('Receive alert');

      await addBehind('Message only', 'transformation');
      await rename('Build ticket');
      await addOption('payload');
      await isAt(button('Add key to payload'));
      await press('Enter');
      await isAt(field('Key of payload, key'));
      await type('title');
      await press('Enter');
      await isAt(template('payload, title'));
      await inspector().getByText('Input in the sample').waitFor();
      await write('[<<UPC¦rec¦.b¦.sev¦');
      await press('ArrowRight');
      await write('>>] <<rec¦.body.ti¦>>');
      await pressed(button('Add key to payload'));
      await isAt(field('Key of payload, key'));
      await type('hosts');
      await press('Enter');
      await isAt(template('payload, hosts'));
      await write("<<JOIN(rec¦.body.ho¦, ', ')>>");
      await inspector().getByText('web-1, db-2').waitFor();
      await toCanvas('Build ticket');

      await addBehind('Trigger', 'trigger');
      await rename('Is high');
      await pressed(button('Add rule'));
      await isAt(template('Rule 1, field'));
      await inspector().getByText('Input in the sample').waitFor();
      await write('=rec¦.body.sev¦');
      await goTo(page.getByRole('combobox', { name: 'Rule 1, comparison' }));
      await type('matches');
      await goTo(template('Rule 1, value'));
      await type('^(high|critical)$');
      await toCanvas('Is high');

      // Behind the wrong action first: the dialogs of links mend it.
      await press('ArrowUp');
      await focusedBox('Build ticket').waitFor();
      await addBehind('Email', 'mail');
      await rename('Tell the team');
      await pressed(button('Add item to recipients'));
      await isAt(template('recipients, item 1'));
      await type('soc@example.com');
      await addOption('subject');
      await isAt(template('subject'));
      await write('<<build¦.title>>');
      await addOption('body');
      await isAt(template('body'));
      await type('<p>Hosts: <<build_ticket.hosts>></p>');
      await toCanvas('Tell the team');
      await press('Shift+L');
      await pressed(button('Remove'));
      await pressed(button('Done'));
      await focusedBox('Tell the team').waitFor();
      await press('/');
      await isAt(page.getByRole('combobox', { name: 'Action' }));
      await type('is high');
      await press('Enter');
      await focusedBox('Is high').waitFor();
      await press('l');
      await isAt(page.getByRole('combobox', { name: 'Action' }));
      await type('tell');
      await press('Enter');
      await page
        .locator('.react-flow__edge[aria-label="Link from Is high to Tell the team"]')
        .waitFor({ state: 'attached' });
      await press('Control+s');
      await provesItself(id);

      await focusedBox('Is high').waitFor();
      while (await undo().isEnabled()) await press('Control+z');
      await saved();
      expect(await exportOf(fabula, id)).toEqual(first);
      expect(keys.pointerEvents()).toEqual([]);
      await page.mouse.click(5, 5);
      await eventually(() => keys.pointerEvents().includes('pointerdown'));
    },
    BUILT_MS,
  );

  test(
    'in the outline of a phone, with targets that a finger hits',
    async () => {
      page = await signIn(PHONE);
      page.setDefaultTimeout(LOOKED_FOR_MS);
      const form = formBy(tap);
      const close = () => tap(inspector().getByRole('button', { name: 'Close' }));
      const add = async (kind: string) => {
        await tap(page.getByRole('toolbar', { name: 'Outline' }).getByRole('button', { name: 'Add' }));
        await tap(page.getByRole('option', { name: kind, exact: true }));
        await inspector().getByRole('heading', { name: kind }).waitFor();
      };
      const fits = async () => {
        expect(await overflowOf(page)).toBe(0);
        expect(await smallTargets(page)).toEqual([]);
      };
      await open(page, '/stories');
      const id = await form.begin();
      await fits();
      await add('Webhook');
      await form.name('Receive alert');
      await form.webhook();
      await fits();
      await close();
      await add('Message only');
      await form.name('Build ticket');
      await form.ticket();
      await fits();
      await close();
      await add('Trigger');
      await form.name('Is high');
      await form.rule();
      await close();

      // Behind the wrong action first: the dialog of links mends it.
      await tap(row('Build ticket'));
      await close();
      await add('Email');
      await form.name('Tell the team');
      await form.mail();
      await close();
      await fits();
      await tap(page.getByRole('button', { name: 'Links' }));
      await fits();
      await tap(dialog().getByRole('button', { name: 'Change source' }));
      await tap(page.getByRole('option', { name: /^Is high/ }));
      await dialog().waitFor({ state: 'detached' });
      await page.locator('[role="treeitem"][aria-level="4"]').filter({ hasText: 'Tell the team' }).waitFor();
      await provesItself(id);
    },
    BUILT_MS,
  );
});

const tap = (control: Locator) => control.tap();

/** Returns the controls in sight that are too small for a finger, by name and size. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll(
    'button, select, input, textarea, [role="treeitem"], [role="option"], [role="menuitem"], summary'
  )].filter((each) => each.checkVisibility({ visibilityProperty: true })).flatMap((each) => {
    const { width, height } = (each.closest('label') ?? each).getBoundingClientRect();
    return width < ${TOUCHED_PX} || height < ${TOUCHED_PX}
      ? [(each.ariaLabel ?? each.textContent) + ' ' + Math.round(width) + ' x ' + Math.round(height)]
      : [];
  })`);
}
