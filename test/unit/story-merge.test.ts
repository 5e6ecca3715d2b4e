import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import type { StoredStory } from '../../src/stories/export/story-export-store.js';
import { resolveKeys } from '../../src/stories/drafts/routes/merge-body.js';
import { mergeStory } from '../../src/stories/merge/merge-story.js';
import { createStoryMerger, parsedStory } from '../../src/stories/merge/story-merger.js';
import { mergeSnapshots } from '../../src/stories/merge/story-merge-task.js';
import type { MergeConflict } from '../../src/stories/merge/conflict-book.js';
import type { Side } from '../../src/stories/merge/three-way.js';
import { linksIn, storyOf, withoutIds, type Written } from '../support/merge-stories.js';

const merge = (base: Written, live: Written, draft: Written, choices = new Map<string, Side>()) =>
  mergeStory({ base: storyOf(base), live: storyOf(live), draft: storyOf(draft) }, choices);
const named = (conflicts: MergeConflict[]) => conflicts.map(({ kind, action, path }) => [kind, action, path]);
const actionIn = ({ agents }: StoredStory, guid: string) =>
  agents.find(({ columns }) => columns.guid === guid);
const choosing = (conflicts: MergeConflict[], side: Side) =>
  new Map(conflicts.map(({ entry }): [string, Side] => [entry, side]));

const base: Written = {
  actions: {
    a: {
      name: 'First',
      options: { url: 'https://a', headers: { Accept: 'x' }, rules: [{ v: 1 }, { v: 2 }] },
    },
    b: { name: 'Second', options: { payload: { n: '=first.n' } } },
    c: { name: 'Third' },
  },
  links: ['a b', 'b c'],
  notes: { n: 'a note' },
  settings: { tags: ['x'], entry_agent_guid: null, exit_agent_guids: ['c'] },
};
const changed = (change: (story: Required<Written>) => void): Written => {
  const story = structuredClone(base) as Required<Written>;
  change(story);
  return story;
};

const inputs = (guid: string, ...names: string[]): JsonObject => ({
  action_guid: guid,
  action_options_keys: [],
  action_inputs: names.map((name) => ({ name, value: name })),
});

const havingNote = (note: JsonObject): StoredStory => {
  const story = storyOf(base);
  return { ...story, extra: { ...story.extra, diagram_notes: [note] } };
};
const by = (word: string, n: number) =>
  changed((story) => {
    story.actions.a!.position = [n, n];
    story.actions.b!.schedule = [{ cron: `${n} * * * *` }];
    story.notes.n = word;
    story.description = word;
  });

describe('drafts: a merge', () => {
  it('makes the changes of both sides where they are of different paths', () => {
    const live = changed(({ actions, settings }) => {
      actions.a!.options!.url = 'https://live';
      (actions.a!.options!.rules as JsonValue[]).push({ v: 3 });
      settings.tags = ['x', 'live'];
      actions.b!.position = [5, 5];
    });
    const draft = changed(({ actions, settings, notes }) => {
      actions.a!.options!.headers = { Accept: 'y', Other: 'z' };
      actions.a!.options!.rules = [{ v: 1 }, { v: 20 }];
      settings.tags = ['x', 'draft'];
      notes.n = 'another note';
      actions.c!.position = [6, 6];
    });
    const { story, conflicts } = merge(base, live, draft);
    expect(conflicts).toEqual([]);
    expect(actionIn(story, 'a')!.columns.options).toEqual({
      url: 'https://live',
      headers: { Accept: 'y', Other: 'z' },
      rules: [{ v: 1 }, { v: 20 }, { v: 3 }],
    });
    expect(story.extra.tags).toEqual(['x', 'draft', 'live']);
    expect(story.extra.diagram_notes).toEqual([{ guid: 'n', content: 'another note', position: [0, 0] }]);
    expect(JSON.parse(story.extra.diagram_layout as string)).toEqual({ a: [0, 0], b: [5, 5], c: [6, 6] });
  });

  it('names what both have changed, with all three values, and takes the side that is chosen', () => {
    const live = changed(({ actions }) => void (actions.a!.options!.url = 'https://live'));
    const draft = changed(({ actions }) => void (actions.a!.options!.url = 'https://draft'));
    const { conflicts } = merge(base, live, draft);
    expect(conflicts).toMatchObject([
      {
        kind: 'option',
        action: 'First',
        path: 'options.url',
        base: 'https://a',
        live: 'https://live',
        draft: 'https://draft',
      },
    ]);
    for (const side of ['live', 'draft'] as const) {
      const resolved = merge(base, live, draft, choosing(conflicts, side));
      expect(resolved.conflicts).toEqual([]);
      expect(actionIn(resolved.story, 'a')!.columns.options).toMatchObject({ url: `https://${side}` });
    }
    const later = changed(({ actions }) => void (actions.a!.options!.url = 'https://later'));
    expect(merge(base, later, draft, choosing(conflicts, 'draft')).conflicts).toHaveLength(1);
  });

  it('names places, notes, schedules and settings that both have changed', () => {
    const { conflicts } = merge(base, by('live', 1), by('draft', 2));
    expect(named(conflicts)).toEqual([
      ['action', 'First', 'position'],
      ['action', 'Second', 'schedule'],
      ['setting', null, 'description'],
      ['note', null, 'content'],
    ]);
  });

  it('removes an action that the other side left alone, and names one that it changed', () => {
    const without = changed((story) => {
      delete story.actions.b;
      story.links = [];
    });
    expect(linksIn(merge(base, without, base).story)).toEqual([]);
    expect(actionIn(merge(base, base, without).story, 'b')).toBeUndefined();
    const draft = changed(({ actions }) => void (actions.b!.options = { payload: 'new' }));
    const { conflicts } = merge(base, without, draft);
    expect(named(conflicts)).toEqual([['action', 'Second', null]]);
    expect(conflicts[0]!.live).toBeNull();
    expect(actionIn(merge(base, without, draft, choosing(conflicts, 'live')).story, 'b')).toBeUndefined();
    const { story } = merge(base, without, draft, choosing(conflicts, 'draft'));
    expect([actionIn(story, 'b')!.columns.options, linksIn(story)]).toEqual([
      { payload: 'new' },
      ['a b', 'b c'],
    ]);
  });

  it('names a new link and a new setting whose action the other side has removed', () => {
    const live = changed((story) => {
      delete story.actions.c;
      story.links = ['a b'];
      story.settings.exit_agent_guids = [];
    });
    const draft = changed((story) => {
      story.links.push('a c');
      story.settings.entry_agent_guid = 'c';
    });
    const { conflicts, story } = merge(base, live, draft);
    expect(named(conflicts)).toContainEqual(['link', null, null]);
    expect(conflicts.find(({ kind }) => kind === 'link')).toMatchObject({
      base: null,
      live: null,
      draft: { source: 'First', receiver: 'Third' },
    });
    expect(linksIn(story)).toContain('a c');
    const [link] = conflicts.filter(({ kind }) => kind === 'link');
    const without = merge(base, live, draft, choosing([link!], 'live'));
    expect([linksIn(without.story), without.story.extra.entry_agent_guid]).toEqual([['a b'], null]);
    const only = changed((each) => void (each.settings.entry_agent_guid = 'c'));
    expect(named(merge(base, live, only).conflicts)).toEqual([['setting', null, 'entry_agent_guid']]);
  });

  it('names all new links of an action that the other side has removed', () => {
    const removed = changed((story) => {
      delete story.actions.c;
      story.links = ['a b'];
    });
    const linked = changed((story) => {
      story.actions.d = { name: 'Fourth' };
      story.links.push('a c', 'c d');
    });
    for (const [live, draft, who] of [
      [linked, removed, 'the draft'],
      [removed, linked, 'the live story'],
    ] as const) {
      const { conflicts } = merge(base, live, draft);
      expect(conflicts.map(({ because }) => because)).toEqual([
        `${who} has removed an action that this link needs, as do "Third" → "Fourth"`,
      ]);
      const back = merge(base, live, draft, choosing(conflicts, live === linked ? 'live' : 'draft'));
      expect(linksIn(back.story)).toEqual(expect.arrayContaining(['a b', 'b c', 'a c', 'c d']));
      const gone = merge(base, live, draft, choosing(conflicts, live === linked ? 'draft' : 'live'));
      expect([linksIn(gone.story), gone.conflicts]).toEqual([['a b'], []]);
    }
  });

  it('gives an action that comes back its inputs, and its place as entry and exit, again', () => {
    const start = changed(({ settings }) => {
      settings.integrations = [inputs('b', 'x'), inputs('c', 'y')];
      settings.entry_agent_guid = 'b';
      settings.exit_agent_guids = ['b', 'c'];
    });
    const removed = structuredClone(start) as Required<Written>;
    delete removed.actions.b;
    removed.links = [];
    Object.assign(removed.settings, {
      integrations: [inputs('c', 'y')],
      entry_agent_guid: null,
      exit_agent_guids: ['c'],
    });
    const kept = structuredClone(start) as Required<Written>;
    kept.actions.b!.options = { payload: 'new' };
    for (const [live, draft, side] of [
      [kept, removed, 'live'],
      [removed, kept, 'draft'],
    ] as const) {
      const { conflicts } = merge(start, live, draft);
      const { story } = merge(start, live, draft, choosing(conflicts, side));
      expect(story.extra).toMatchObject({
        ...start.settings,
        integrations: expect.arrayContaining(start.settings!.integrations as JsonObject[]),
      });
      const other = merge(start, live, draft, choosing(conflicts, side === 'live' ? 'draft' : 'live')).story;
      expect(other.extra).toMatchObject(removed.settings);
    }
    kept.settings.entry_agent_guid = 'a';
    const { conflicts } = merge(start, kept, removed);
    const { story } = merge(start, kept, removed, choosing(conflicts, 'live'));
    expect(story.extra).toMatchObject({ entry_agent_guid: 'a', exit_agent_guids: ['b', 'c'] });
  });

  it('keeps the inputs that the sides have given different actions, and names those of one action', () => {
    const start = changed(({ settings }) => void (settings.integrations = [inputs('a', 'x')]));
    const having = (...integrations: JsonObject[]): Written => ({
      ...start,
      settings: { ...start.settings, integrations },
    });
    const live = having(inputs('a', 'x'), inputs('b', 'live'), inputs('other', 'live'));
    const draft = having(inputs('a', 'x', 'draft'), inputs('c', 'draft'));
    const { story, conflicts } = merge(start, live, draft);
    expect(conflicts).toEqual([]);
    expect(story.extra.integrations).toEqual([
      inputs('a', 'x', 'draft'),
      inputs('c', 'draft'),
      inputs('b', 'live'),
      inputs('other', 'live'),
    ]);
    const both = merge(start, having(inputs('a', 'live')), having(inputs('a', 'draft')));
    expect(new Set(both.conflicts.map(({ action }) => action))).toEqual(new Set(['First']));
    const chosen = merge(
      start,
      having(inputs('a', 'live')),
      having(inputs('a', 'draft')),
      choosing(both.conflicts, 'live'),
    );
    expect(chosen.story.extra.integrations).toEqual([inputs('a', 'live')]);
    const without = structuredClone(having());
    delete without.actions.a;
    without.links = ['b c'];
    const changedInputs = merge(start, without, having(inputs('a', 'draft')));
    expect(named(changedInputs.conflicts)).toEqual([['action', 'First', null]]);
  });

  it('names a new text that refers to an action by a name that the other side has changed', () => {
    const live = changed(({ actions }) => {
      actions.a!.name = 'Renamed';
      actions.b!.options = { payload: { n: '=renamed.n' } };
    });
    const draft = changed(({ actions }) => {
      actions.c!.options = { payload: { old: '=first.m', text: 'first of all' } };
      actions.d = { name: 'Fourth', options: { url: 'https://x/<<first.id>>' } };
    });
    const { conflicts } = merge(base, live, draft);
    expect(named(conflicts)).toEqual([
      ['option', 'Third', 'options.payload.old'],
      ['option', 'Fourth', 'options.url'],
    ]);
    expect(conflicts[0]!.because).toContain('"first"');
    const { story } = merge(base, live, draft, choosing(conflicts, 'draft'));
    expect(actionIn(story, 'd')!.columns.options).toEqual({ url: 'https://x/<<first.id>>' });
    const taken = merge(base, live, draft, choosing(conflicts, 'live')).story;
    expect(actionIn(taken, 'c')!.columns.options).toEqual({ payload: { text: 'first of all' } });
    expect(named(merge(base, draft, live).conflicts)).toHaveLength(2);
  });

  it('names new formulas of records and inputs that refer to a name that the other side has changed', () => {
    const live = changed(({ actions }) => {
      actions.a!.name = 'Renamed';
      actions.b!.options = { payload: { n: '=renamed.n' } };
    });
    for (const value of ['=first.m', '"=first.m"', '{"text": "<<first.m>>"}']) {
      const input = { ...inputs('c'), action_inputs: [{ name: 'x', value }] };
      const draft = changed(({ actions, settings }) => {
        actions.b!.writers = [{ formula: '=first.m' }];
        settings.integrations = [input];
      });
      const { conflicts } = merge(base, live, draft);
      expect(named(conflicts)).toEqual([
        ['action', 'Second', 'record_writers'],
        ['action', 'Third', 'integrations'],
      ]);
      const kept = merge(base, live, draft, choosing(conflicts, 'draft')).story;
      expect(actionIn(kept, 'b')!.extra.record_writers).toEqual([{ formula: '=first.m' }]);
      expect(kept.extra.integrations).toEqual([input]);
      const taken = merge(base, live, draft, choosing(conflicts, 'live')).story;
      expect(actionIn(taken, 'b')!.extra.record_writers ?? []).toEqual([]);
      expect(taken.extra.integrations).toEqual([]);
    }
  });

  it('names an action of the draft whose name the live story has given to another one', () => {
    const live = changed(({ actions }) => {
      actions.d = { name: 'Ask' };
    });
    const added = changed(({ actions, links }) => {
      actions.e = { name: 'ask', options: { x: 1 } };
      links.push('c e');
    });
    const renamed = changed(({ actions }) => {
      actions.c!.name = 'ASK';
    });
    for (const [draft, action] of [
      [added, 'ask'],
      [renamed, 'ASK'],
    ] as const) {
      const { conflicts } = merge(base, live, draft);
      expect(named(conflicts)).toEqual([['action', action, 'name']]);
      expect(conflicts[0]!.because).toContain('"ask"');
      expect(merge(base, live, draft, choosing(conflicts, 'draft')).conflicts).toEqual([]);
    }
    const [one] = merge(base, live, renamed).conflicts;
    const taken = merge(base, live, renamed, choosing([one!], 'live'));
    expect(actionIn(taken.story, 'c')!.columns.name).toBe('Third');
    const first = merge(base, live, added, choosing(merge(base, live, added).conflicts, 'live'));
    const all = merge(
      base,
      live,
      added,
      choosing([...merge(base, live, added).conflicts, ...first.conflicts], 'live'),
    );
    expect(all.conflicts).toEqual([]);
    expect(all.story.agents.map(({ columns }) => columns.guid)).toEqual(['a', 'b', 'c', 'd']);
    expect(linksIn(all.story)).toEqual(linksIn(storyOf(base)));
  });

  it('does not ask about a name that two actions share on one side already', () => {
    const both = changed(({ actions }) => {
      actions.d = { name: 'Ask' };
      actions.e = { name: 'Ask' };
    });
    expect(merge(base, both, base).conflicts).toEqual([]);
    expect(merge(base, base, both).conflicts).toEqual([]);
  });

  it('names each conflict with a text that a request may have, however long the note or its path is', () => {
    const states = {
      base: undefined,
      live: havingNote({ content: 'live '.repeat(1_000) }),
      draft: havingNote({ content: 'draft '.repeat(1_000), ['k'.repeat(3_000)]: 1 }),
    };
    const { conflicts } = mergeStory(states);
    expect(conflicts).toHaveLength(2);
    expect(new Set(conflicts.map(({ entry }) => entry)).size).toBe(2);
    const { error } = resolveKeys.resolve.validate(conflicts.map(({ entry }) => ({ entry, take: 'live' })));
    expect(error).toBeUndefined();
    const { story, conflicts: left } = mergeStory(states, choosing(conflicts, 'live'));
    expect([left, story.extra.diagram_notes]).toEqual([[], states.live.extra.diagram_notes]);
  });

  it('names a list whose items have moved instead of merging it by their places', () => {
    const base = {
      actions: {
        a: {
          options: {
            rules: [
              { t: 'x', v: 1 },
              { t: 'x', v: 2 },
            ],
          },
        },
      },
    };
    const live = {
      actions: {
        a: {
          options: {
            rules: [
              { t: 'x', v: 2 },
              { t: 'y', v: 3 },
            ],
          },
        },
      },
    };
    const draft = {
      actions: {
        a: {
          options: {
            rules: [
              { t: 'x', v: 1 },
              { t: 'x', v: 2, p: 1 },
            ],
          },
        },
      },
    };
    expect(named(merge(base, live, draft).conflicts)).toEqual([['option', 'a', 'options.rules']]);
  });

  it('without a base names every difference', () => {
    const live = changed(({ actions }) => {
      actions.a!.options!.url = 'https://live';
      actions.e = {};
    });
    const draft = changed(({ actions }) => void (actions.d = {}));
    const states = { base: undefined, live: storyOf(live), draft: storyOf(draft) };
    const { conflicts } = mergeStory(states);
    expect(named(conflicts)).toEqual([
      ['option', 'First', 'options.url'],
      ['action', 'd', null],
      ['action', 'e', null],
    ]);
    const { story } = mergeStory(states, choosing(conflicts, 'draft'));
    expect(withoutIds(story).agents).toEqual(withoutIds(storyOf(draft)).agents);
  });
});

const snapshotOf = (count: number) =>
  JSON.stringify({
    story: { id: 1, name: 'Large', guid: 's', schema_version: 20, keep_events_for: 0, extra: {} },
    agents: Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      type: 'Agents::TriggerAgent',
      name: `Step ${index}`,
      guid: `g${index}`,
      disabled: 0,
      options: { rules: [{ type: 'regex', value: 'x'.repeat(50) }] },
      keep_events_for: 0,
      extra: { guid: `g${index}` },
    })),
    links: Array.from({ length: count - 1 }, (_, index) => ({
      sourceId: index + 1,
      receiverId: index + 2,
      linkType: null,
      extra: {},
    })),
  });
const orderOf = (count: number) => {
  const base = snapshotOf(count);
  const [live, draft] = [base.replace('"Step 0"', '"Live"'), base.replace('"Step 1"', '"Draft"')];
  return { base, live, draft, choices: [], overwrites: false };
};

describe('drafts: a merge of a large story', () => {
  it('is done in a thread, and a small one at once', async () => {
    const names: string[] = [];
    const run = (name: string, order: Parameters<typeof mergeSnapshots>[0]) => {
      names.push(name);
      return Promise.resolve(mergeSnapshots(order));
    };
    const merger = createStoryMerger({ run } as never);
    expect((await merger(1, orderOf(3))).merged).toMatchObject([{ path: 'name', after: 'Live' }]);
    expect(names).toEqual([]);
    const { story, conflicts } = await merger(1, orderOf(2_000));
    expect([names, parsedStory(story).agents.length, conflicts]).toEqual([['merge-stories'], 2_000, []]);
  });
});

const withTests = (text: string, tests: object[]) => {
  const { story, ...rest } = JSON.parse(text);
  return JSON.stringify({ ...rest, story: { ...story, extra: { ...story.extra, fabula_tests: tests } } });
};

describe('stories as software: a merge', () => {
  it('names the tests that it takes away or changes, however much else differs', () => {
    const order = orderOf(2_500);
    const [keep, drop, write] = ['Keep', 'Drop', 'Write'].map((name) => ({ name, expect: {} }));
    const was = [keep, drop, write].map((test) => ({ ...test }));
    const base = withTests(order.base, was);
    const written = { ...write, event: { n: 1 } };
    const draft = withTests(order.base.replaceAll('"Step ', '"Other '), [{ ...keep }, written]);
    const { lists } = mergeSnapshots({ ...order, base, live: base, draft, compares: true });
    const { tests, sides } = JSON.parse(lists);
    expect(tests).toEqual({ before: 3, after: 2, removed: ['Drop'], changed: ['Write'] });
    expect(sides.draft).toHaveLength(2_000);
    expect(sides.draft.some(({ kind }: { kind: string }) => kind === 'test')).toBe(false);
  });
});
