import fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/platform/json.js';
import type { StoredStory } from '../../src/stories/export/story-export-store.js';
import { mergeStory } from '../../src/stories/merge/merge-story.js';
import { createStoryMerger } from '../../src/stories/merge/story-merger.js';
import { mergeSnapshots } from '../../src/stories/merge/story-merge-task.js';
import type { MergeConflict, Side } from '../../src/stories/merge/three-way.js';

/** A story as tests write it: an action by its guid, links as `a b`. */
interface Written {
  actions: Record<string, { name?: string; options?: JsonObject; position?: number[]; schedule?: JsonValue }>;
  links?: string[];
  notes?: Record<string, string>;
  settings?: JsonObject;
  description?: string;
}

function storyOf({ actions, links = [], notes = {}, settings = {}, description = '' }: Written): StoredStory {
  const guids = Object.keys(actions);
  return {
    id: 1,
    columns: {
      ...{ name: 'Story', guid: 'story', schema_version: 20, keep_events_for: 0, description },
      ...{ disabled: false, priority: false, synchronous_webhooks_enabled: false },
    },
    extra: {
      agents: null,
      ...settings,
      diagram_notes: Object.entries(notes).map(([guid, content]) => ({ guid, content, position: [0, 0] })),
      diagram_layout: JSON.stringify(
        Object.fromEntries(guids.flatMap((guid) => [[guid, actions[guid]!.position ?? [0, 0]]])),
      ),
    },
    agents: guids.map((guid, index) => ({
      id: index + 10,
      columns: {
        ...{ type: 'Agents::EventTransformationAgent', name: actions[guid]!.name ?? guid, guid },
        ...{ disabled: false, options: actions[guid]!.options ?? {}, keep_events_for: 0 },
      },
      extra: {
        name: null,
        ...(actions[guid]!.schedule !== undefined && { schedule: actions[guid]!.schedule }),
      },
    })),
    links: links.map((link) => {
      const [source, receiver] = link.split(' ').map((guid) => guids.indexOf(guid) + 10);
      return { sourceId: source!, receiverId: receiver!, linkType: null, extra: { source: null } };
    }),
  };
}

const withoutIds = ({ agents, links, ...story }: StoredStory) => {
  const guids = new Map(agents.map(({ id, columns }) => [id, String(columns.guid)]));
  return {
    ...story,
    agents: agents.map(({ columns, extra }) => ({ columns, extra })),
    links: links.map((link) => ({
      ...link,
      sourceId: guids.get(link.sourceId),
      receiverId: guids.get(link.receiverId),
    })),
  };
};
const merge = (base: Written, live: Written, draft: Written, choices = new Map<string, Side>()) =>
  mergeStory({ base: storyOf(base), live: storyOf(live), draft: storyOf(draft) }, choices);
const named = (conflicts: MergeConflict[]) => conflicts.map(({ kind, action, path }) => [kind, action, path]);
const actionIn = ({ agents }: StoredStory, guid: string) =>
  agents.find(({ columns }) => columns.guid === guid);
const linksIn = (story: StoredStory) =>
  withoutIds(story).links.map(({ sourceId, receiverId }) => `${sourceId} ${receiverId}`);
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
    expect(JSON.parse(String(story.extra.diagram_layout))).toEqual({ a: [0, 0], b: [5, 5], c: [6, 6] });
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
    const by = (word: string, n: number) =>
      changed((story) => {
        story.actions.a!.position = [n, n];
        story.actions.b!.schedule = [{ cron: `${n} * * * *` }];
        story.notes.n = word;
        story.description = word;
      });
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

describe('drafts: a merge of a large story', () => {
  const snapshotOf = (count: number) =>
    JSON.stringify({
      story: { id: 1, name: 'Large', guid: 's', schema_version: 20, keep_events_for: 0, extra: {} },
      agents: Array.from({ length: count }, (_, index) => ({
        ...{ id: index + 1, type: 'Agents::TriggerAgent', name: `Step ${index}`, guid: `g${index}` },
        ...{
          disabled: 0,
          options: { rules: [{ type: 'regex', value: 'x'.repeat(50) }] },
          keep_events_for: 0,
        },
        extra: { guid: `g${index}` },
      })),
      links: Array.from({ length: count - 1 }, (_, index) => ({
        ...{ sourceId: index + 1, receiverId: index + 2, linkType: null, extra: {} },
      })),
    });
  const orderOf = (count: number) => {
    const base = snapshotOf(count);
    const [live, draft] = [base.replace('"Step 0"', '"Live"'), base.replace('"Step 1"', '"Draft"')];
    return { base, live, draft, choices: [], overwrites: false };
  };

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
    expect([names, story.agents.length, conflicts]).toEqual([['merge-stories'], 2_000, []]);
  });
});

/** The contents of a story by their places; lists are one value. */
function leavesOf(story: StoredStory): Map<string, string> {
  const leaves = new Map<string, string>();
  const walk = (place: string, value: JsonValue) => {
    if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) walk(`${place}/${key}`, item);
    else leaves.set(place, JSON.stringify(value));
  };
  const layout = JSON.parse(String(story.extra.diagram_layout)) as JsonObject;
  for (const { columns } of story.agents) {
    const { guid, ...rest } = columns;
    walk(`action ${String(guid)}`, { ...rest, present: true, position: layout[String(guid)] ?? null });
  }
  for (const link of linksIn(story)) leaves.set(`link ${link}`, 'true');
  for (const note of story.extra.diagram_notes as JsonObject[]) walk(`note ${String(note.guid)}`, note);
  leaves.set('setting description', JSON.stringify(story.columns.description));
  leaves.set('setting tags', JSON.stringify(story.extra.tags));
  leaves.set('setting entry_agent_guid', JSON.stringify(story.extra.entry_agent_guid));
  return leaves;
}

const GUIDS = ['a', 'b', 'c', 'd', 'e'];
const some = fc.integer({ min: 0, max: 3 });
const guid = fc.constantFrom(...GUIDS);
const edit = fc.oneof(
  fc.record({
    do: fc.constant('set' as const),
    guid,
    key: fc.constantFrom('url', 'method', 'body'),
    to: some,
  }),
  fc.record({
    do: fc.constant('list' as const),
    guid,
    to: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }),
  }),
  fc.record({ do: fc.constant('add' as const), guid }),
  fc.record({ do: fc.constant('remove' as const), guid }),
  fc.record({ do: fc.constant('move' as const), guid, to: some }),
  fc.record({ do: fc.constant('rename' as const), guid, to: some }),
  fc.record({ do: fc.constant('refer' as const), guid, to: guid }),
  fc.record({ do: fc.constant('link' as const), guid, to: guid }),
  fc.record({ do: fc.constant('unlink' as const), guid, to: guid }),
  fc.record({ do: fc.constant('note' as const), guid, to: fc.option(some) }),
  fc.record({ do: fc.constant('describe' as const), to: some }),
  fc.record({ do: fc.constant('tag' as const), to: some }),
  fc.record({ do: fc.constant('enter' as const), guid }),
);
type Edit = typeof edit extends fc.Arbitrary<infer Kind> ? Kind : never;

/** Does what a person could do to a story; what makes no sense there does nothing. */
function edited(before: Required<Written>, edits: readonly Edit[]): Required<Written> {
  const story = structuredClone(before);
  for (const each of edits) {
    const action = 'guid' in each ? story.actions[each.guid] : undefined;
    if (each.do === 'describe') story.description = `text ${each.to}`;
    else if (each.do === 'tag')
      story.settings.tags = toggled(story.settings.tags as string[], `tag ${each.to}`);
    else if (each.do === 'note') {
      if (each.to === null) delete story.notes[each.guid];
      else story.notes[each.guid] = `note ${each.to}`;
    } else if (each.do === 'add') story.actions[each.guid] ??= { name: `Added ${each.guid}`, options: {} };
    else if (action === undefined) continue;
    else if (each.do === 'set') action.options = { ...action.options, [each.key]: each.to };
    else if (each.do === 'list') action.options = { ...action.options, rules: each.to };
    else if (each.do === 'move') action.position = [each.to, each.to];
    else if (each.do === 'rename') action.name = `Name ${each.to} ${each.guid}`;
    else if (each.do === 'refer') action.options = { ...action.options, payload: `=action_${each.to}.x` };
    else if (each.do === 'enter') story.settings.entry_agent_guid = each.guid;
    else if (each.do === 'remove') {
      delete story.actions[each.guid];
      story.links = story.links.filter((link) => !link.split(' ').includes(each.guid));
      if (story.settings.entry_agent_guid === each.guid) story.settings.entry_agent_guid = null;
    } else if (
      each.do === 'link' &&
      story.actions[each.to] &&
      !story.links.includes(`${each.guid} ${each.to}`)
    )
      story.links.push(`${each.guid} ${each.to}`);
    else if (each.do === 'unlink')
      story.links = story.links.filter((link) => link !== `${each.guid} ${each.to}`);
  }
  return story;
}

const toggled = (list: string[], item: string) =>
  list.includes(item) ? list.filter((each) => each !== item) : [...list, item];

const START: Required<Written> = {
  actions: Object.fromEntries(
    ['a', 'b', 'c'].map((each) => [each, { name: `Action ${each}`, options: { url: 0, rules: [1, 2] } }]),
  ),
  links: ['a b', 'b c'],
  notes: { a: 'note', b: 'note' },
  settings: { tags: ['tag 0'], entry_agent_guid: null },
  description: 'text',
};
const edits = fc.array(edit, { maxLength: 8 });

/** Returns true if a conflict names this place, the whole that it is in, or an end of the link. */
function isNamed(place: string, conflicts: readonly MergeConflict[]): boolean {
  return conflicts.some(({ kind, entry, path, because, ...values }) => {
    const [, part = ''] = entry.split(' ');
    const kept = place.split(/[ /]/).slice(1, place.startsWith('link ') ? 3 : 2);
    // The action that a link or a setting needs: whether it comes back is decided with that.
    if (because?.includes('has removed')) {
      if (
        kind === 'link' &&
        entry
          .split(' ')
          .slice(1, 3)
          .some((end) => kept.includes(end))
      )
        return true;
      if (kept.some((end) => [values.live, values.draft].includes(end))) return true;
    }
    if (place.startsWith('link '))
      return (
        (kind === 'link' && entry.startsWith(place)) || (path === null && place.split(' ').includes(part))
      );
    const [, setting, guid] = place.split(' ');
    if (kind === 'setting') return place.startsWith('setting ') && setting === path;
    if (guid !== undefined && path === null && guid === part) return true;
    const whole = kind === 'note' ? `note ${part}` : `action ${part}`;
    const at = path === null ? whole : `${whole}/${path.replaceAll('.', '/').replace(/\[.*/, '')}`;
    return place === at || place.startsWith(`${at}/`);
  });
}

describe('drafts: a merge of any changes', () => {
  it('loses nothing of either side unless it names it, and gives a sound graph', () => {
    fc.assert(
      fc.property(edits, edits, edits, (first, ours, theirs) => {
        const start = edited(START, first);
        const [base, live, draft] = [start, edited(start, ours), edited(start, theirs)].map(storyOf);
        const { story, conflicts } = mergeStory({ base: base!, live: live!, draft: draft! });
        const [was, is] = [leavesOf(base!), leavesOf(story)];
        for (const side of [leavesOf(live!), leavesOf(draft!)]) {
          for (const place of new Set([...was.keys(), ...side.keys()])) {
            if (side.get(place) === was.get(place) || side.get(place) === is.get(place)) continue;
            const lists = [was, side, is].map((leaves) => JSON.parse(leaves.get(place) ?? 'null'));
            const isMergedList = lists.every(Array.isArray) && keepsItems(lists as unknown[][]);
            const entry = place === 'setting entry_agent_guid' ? ` ${JSON.parse(side.get(place)!)}` : '';
            if (!isMergedList && !isNamed(place + entry, conflicts)) throw new Error(`${place} is lost`);
          }
        }
        const guids = new Set(story.agents.map(({ id }) => id));
        expect(
          story.links.every(({ sourceId, receiverId }) => guids.has(sourceId) && guids.has(receiverId)),
        ).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the other side where one side changed nothing', () => {
    fc.assert(
      fc.property(edits, edits, (first, ours) => {
        const start = edited(START, first);
        const [base, side] = [storyOf(start), storyOf(edited(start, ours))];
        for (const states of [
          { base, live: side, draft: base },
          { base, live: base, draft: side },
        ]) {
          const { story, conflicts } = mergeStory(states);
          expect(conflicts).toEqual([]);
          expect(JSON.stringify(withoutIds(story))).toBe(JSON.stringify(withoutIds(side)));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('has no conflicts any more once each is decided', () => {
    fc.assert(
      fc.property(edits, edits, fc.constantFrom<Side>('live', 'draft'), (ours, theirs, side) => {
        const states = {
          base: storyOf(START),
          live: storyOf(edited(START, ours)),
          draft: storyOf(edited(START, theirs)),
        };
        const choices = new Map<string, Side>();
        for (let round = 0; round < 4; round += 1) {
          const { conflicts } = mergeStory(states, choices);
          if (conflicts.length === 0) return;
          for (const { entry } of conflicts) choices.set(entry, side);
        }
        expect(mergeStory(states, choices).conflicts).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

/** What the side added is there, and what it removed is not. */
function keepsItems([was = [], side = [], is = []]: unknown[][]): boolean {
  const added = side.filter((item) => !was.includes(item));
  const removed = was.filter((item) => !side.includes(item));
  return added.every((item) => is.includes(item)) && removed.every((item) => !is.includes(item));
}
