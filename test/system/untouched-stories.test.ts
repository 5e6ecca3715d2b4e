import path from 'node:path';
import type { GraphAction, StoryGraph } from '../../clients/typescript/api.js';
import { setOption } from '../../src/console/story-model/commands/action-commands.js';
import { changesBetween, isNothing } from '../../src/console/story-model/changes/draft-changes.js';
import { fromGraph, toGraphBody } from '../../src/console/story-model/graph-draft.js';
import type { StoryDraft } from '../../src/console/story-model/story-draft.js';
import { editAsText } from '../../src/console/story-model/text/edit-as-text.js';
import { readStoryText } from '../../src/console/story-model/text/read-story-text.js';
import { createStoryWriter } from '../../src/console/story-model/text/story-text.js';
import type { JsonObject } from '../../src/platform/json.js';
import { parseExact } from '../../src/console/text/exact-json.js';
import { FORMATS } from '../../src/console/text/formats/formats.js';
import { galleryFolders } from '../support/gallery.js';
import { exportsIn, realExports, tellMissingExports } from '../support/stories.js';
import { useFabula } from '../support/use-fabula.js';
import { useStores } from '../support/stores.js';

const EXAMPLES = path.resolve(__dirname, '../../docs/build/examples');
/** `EXPORTS=FOLDER` tries the exports of another folder, too. */
const { EXPORTS } = process.env;

const stores = useStores();
const fabula = useFabula(stores);

const STORIES: [string, string][] = [
  ...exportsIn(EXAMPLES),
  ...galleryFolders().map(([name, { text }]): [string, string] => [name, text]),
  ...(EXPORTS === undefined ? realExports() : exportsIn(path.resolve(EXPORTS))),
];

/** A story that was imported, as the editor opens it. */
async function opened(text: string) {
  const given = JSON.parse(text) as JsonObject & { data?: JsonObject };
  const { id } = await fabula.importStory(given.data ?? given);
  const route = `/api/v1/stories/${id}`;
  const graph = async () => {
    const response = await fabula.api('GET', `${route}/graph`);
    return { text: await response.text(), etag: response.headers.get('etag') ?? '' };
  };
  return {
    draft: async () => fromGraph(parseExact((await graph()).text) as StoryGraph),
    /** Saves a draft as the editor does. */
    save: async (draft: StoryDraft) => {
      const { etag } = await graph();
      const response = await fetch(`${fabula.url}${route}/graph`, {
        method: 'PUT',
        headers: {
          'X-User-Token': fabula.account.key,
          'content-type': 'application/json',
          'If-Match': etag,
        },
        body: JSON.stringify(toGraphBody(draft)),
      });
      expect([response.status, response.status === 200 ? '' : await response.text()]).toEqual([200, '']);
    },
    exported: async () => {
      const response = await fabula.api('GET', `${route}/export`);
      return JSON.parse(await response.text(), (key, value) =>
        key === 'exported_at' ? '' : value,
      ) as unknown;
    },
  };
}

/** The action and the option that a test changes: one that is a text for people, which may be any text. */
function optionOf({ actions }: StoryDraft): [key: string, path: string[]] {
  for (const [key, { options }] of actions) {
    for (const name of ['subject', 'body', 'message', 'payload']) {
      const value = options[name];
      if (typeof value === 'string') return [key, [name]];
      if (name !== 'payload' || value === null || typeof value !== 'object' || Array.isArray(value)) continue;
      const inside = Object.entries(value).find(([, text]) => typeof text === 'string');
      if (inside !== undefined) return [key, [name, inside[0]]];
    }
  }
  const [key = ''] = actions.keys();
  return [key, ['a_key_of_tomorrow']];
}

const isTree = (value: unknown): value is object => typeof value === 'object' && value !== null;
const common = (keys: string[], others: string[]) => keys.filter((key) => others.includes(key)).join('\n');

/** The places at which two values differ, in the order in which they stand. */
function differences(before: unknown, after: unknown, place = ''): string[] {
  if (!isTree(before) || !isTree(after) || Array.isArray(before) !== Array.isArray(after)) {
    return Object.is(before, after) ? [] : [place];
  }
  const [left, right] = [Object.keys(before), Object.keys(after)];
  const isMoved = common(left, right) !== common(right, left);
  return [
    ...(isMoved ? [`${place} in another order`] : []),
    ...[...new Set([...left, ...right])].flatMap((key) =>
      differences(Reflect.get(before, key), Reflect.get(after, key), `${place}/${key}`),
    ),
  ];
}

function placeOf({ actions }: StoryDraft, key: string, option: readonly string[]): string {
  return ['', 'agents', [...actions.keys()].indexOf(key), 'options', ...option].join('/');
}

const said = (text: string, format: keyof typeof FORMATS, shown: StoryDraft) =>
  readStoryText({
    read: FORMATS[format].read(text),
    shown,
    scope: 'story',
    made: { actions: [], notes: [] },
  });

if (EXPORTS === undefined) tellMissingExports();

describe.each(STORIES)('%s', (_, text) => {
  it('is as it was when it is opened and saved, and differs in the one option that was changed', async () => {
    const story = await opened(text);
    const before = await story.exported();
    const draft = await story.draft();
    await story.save(draft);
    expect(differences(before, await story.exported())).toEqual([]);

    const [key, option] = optionOf(draft);
    await story.save(setOption(key, option, 'another text')(await story.draft()).draft);
    expect(differences(before, await story.exported())).toEqual([placeOf(draft, key, option)]);
  });

  it.each(['json', 'yaml'] as const)(
    'is the same as %s, where one option is changed as well',
    async (format) => {
      const story = await opened(text);
      const before = await story.exported();
      const draft = await story.draft();
      const write = createStoryWriter(FORMATS[format]);
      expect(isNothing(changesBetween(draft, said(write(draft, 'story'), format, draft)))).toBe(true);
      for (const action of draft.actions.values()) {
        expect(FORMATS[format].read(FORMATS[format].write(action)).value as GraphAction).toEqual(action);
      }

      const [key, option] = optionOf(draft);
      const wanted = write(setOption(key, option, 'another text')(draft).draft, 'story');
      const { draft: next } = editAsText(draft, said(wanted, format, draft))(draft);
      await story.save(next);
      expect(differences(before, await story.exported())).toEqual([placeOf(draft, key, option)]);
    },
  );
});
