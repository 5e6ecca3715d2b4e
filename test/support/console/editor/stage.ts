import type { BrowserContextOptions, Page } from 'playwright-core';
import type { JsonObject } from '../../../../src/platform/json.js';
import { type Account, buildAccount } from '../../builders.js';
import type { TestFabula } from '../../fabula.js';
import { makeLink } from '../../people.js';
import { call } from '../../run-api.js';
import type { TestStores } from '../../stores.js';
import { openConsole } from '../console-origin.js';
import { buildEditorWorld, type EditedStory, type EditorWorld, readEdited } from './editor-world.js';

/** What a state of the editor is opened with, in a new browser profile. */
export interface Stage {
  page: Page;
  world: EditorWorld;
  /** Opens an address under the console; in the tab of the state unless another is given. */
  open: (path: string, on?: Page) => Promise<void>;
  /** Opens a story in the editor, with these parts of the address. */
  edit: (story: EditedStory, place?: Record<string, string | number | undefined>) => Promise<void>;
  /** Imports a story that no other state changes. */
  imported: (data: JsonObject) => Promise<EditedStory>;
  /** Returns another tab of this person, with a profile of its own. */
  again: () => Promise<Page>;
  /** Opens an address in a tab of Ana Flores, who may only look at stories. */
  asAna: (path: string) => Promise<Page>;
  /** Signs in as somebody new, whose tenant is empty. */
  asNewcomer: () => Promise<void>;
  /** Calls the API. @throws Error for a refusal */
  ask: (request: string, body?: object) => Promise<JsonObject>;
}

/** A state of the editor, and how it is opened. Each time it is opened, it begins anew. */
export interface EditorState {
  name: string;
  /** Pixels that the window is higher by, for a state that would have to be scrolled. */
  higher?: number;
  open: (stage: Stage) => Promise<void>;
}

/** Opens states of the editor. */
export interface Stages {
  /** Opens a state in a window of this size, has it looked at, and closes it. */
  show: (
    state: EditorState,
    viewport: { width: number; height: number },
    look: (page: Page) => Promise<void>,
  ) => Promise<void>;
}

interface StageNeeds {
  stores: TestStores;
  /** It has `ADMIN_PORT`. */
  fabula: TestFabula;
  newPage: (options: BrowserContextOptions) => Promise<Page>;
}

/** A state takes a second; on a busy machine, some. */
const PATIENCE_MS = 30_000;

type SignedIn = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;

/** Makes the stories that states are shown with, and signs in the people who look at them. */
export async function createStages({ stores, fabula, newPage }: StageNeeds): Promise<Stages> {
  const world = await buildEditorWorld(stores, fabula);
  const { url } = openConsole(stores, fabula);
  const ana = await buildAccount(stores.db, { team: fabula.account.team, role: 'VIEWER' });
  const nameUser = ({ user }: Account, first: string, last: string) =>
    stores.sql('UPDATE users SET first_name = ?, last_name = ? WHERE id = ?', [first, last, user.id]);
  await nameUser(ana, 'Ana', 'Flores');

  const signIn = async (page: Page, { user }: Account) => {
    await page.goto(`${url}/console/?link=${await makeLink(stores, user.id, 'sign_in')}`);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
  };
  /** Returns what makes a new profile one of this person. */
  const stateOf = async (account: Account): Promise<SignedIn> => {
    const page = await newPage({});
    await signIn(page, account);
    const state = await page.context().storageState();
    await page.context().close();
    return state;
  };
  const mine = await stateOf(fabula.account);
  const hers = await stateOf(ana);
  const ask = async (request: string, body?: object) => {
    const response = await call(fabula, request, body === undefined ? {} : { body: body as JsonObject });
    if (response.status >= 300)
      throw new Error(`${request}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body as JsonObject;
  };

  return {
    async show({ open, higher = 0 }, { width, height }, look) {
      const viewport = { width, height: height + higher };
      const pages: Page[] = [];
      const tabOf = async (storageState: SignedIn) => {
        const page = await newPage({ viewport, storageState });
        page.setDefaultTimeout(PATIENCE_MS);
        pages.push(page);
        return page;
      };
      const page = await tabOf(mine);
      const go = (path: string, on = page) => on.goto(`${url}/console${path}`);
      const edit: Stage['edit'] = async ({ id }, place = {}) => {
        const named = Object.entries(place).flatMap(([name, value]): [string, string][] =>
          value === undefined ? [] : [[name, String(value)]],
        );
        await go(`/stories/${id}/edit?${new URLSearchParams(named).toString()}`);
        await page.getByRole('group', { name: 'View', exact: true }).waitFor();
      };
      const close = async () => {
        for (const each of pages) await each.context().close();
      };
      try {
        await open({
          page,
          world,
          ask,
          edit,
          open: async (path, on) => void (await go(path, on)),
          imported: async (data) => readEdited(fabula, (await fabula.importStory(data)).id),
          again: () => tabOf(mine),
          async asAna(path) {
            const tab = await tabOf(hers);
            await go(path, tab);
            return tab;
          },
          async asNewcomer() {
            await page.context().clearCookies();
            const newcomer = await buildAccount(stores.db, { owner: true });
            await nameUser(newcomer, 'Grace', 'Hopper');
            await signIn(page, newcomer);
          },
        });
        await look(page);
      } finally {
        await close();
      }
    },
  };
}
