import * as fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/platform/json.js';
import type { StoredStory } from '../../src/stories/export/story-export-store.js';
import { mergeStory } from '../../src/stories/merge/merge-story.js';
import type { MergeConflict } from '../../src/stories/merge/conflict-book.js';
import type { Side } from '../../src/stories/merge/three-way.js';
import { linksIn, storyOf, withoutIds, type Written } from '../support/merge-stories.js';

/** The contents of a story by their places; lists are one value. */
function leavesOf(story: StoredStory): Map<string, string> {
  const leaves = new Map<string, string>();
  const walk = (place: string, value: JsonValue) => {
    if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) walk(`${place}/${key}`, item);
    else leaves.set(place, JSON.stringify(value));
  };
  const layout = JSON.parse(story.extra.diagram_layout as string) as JsonObject;
  for (const { columns } of story.agents) {
    const { guid, ...rest } = columns;
    walk(`action ${guid as string}`, { ...rest, present: true, position: layout[guid as string] ?? null });
  }
  for (const entry of story.extra.integrations as JsonObject[])
    leaves.set(`action ${entry.action_guid as string}/integrations`, JSON.stringify(entry));
  for (const guid of story.extra.exit_agent_guids as string[]) leaves.set(`action ${guid}/exit`, 'true');
  for (const link of linksIn(story)) leaves.set(`link ${link}`, 'true');
  for (const note of story.extra.diagram_notes as JsonObject[]) walk(`note ${note.guid as string}`, note);
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
  fc.record({ do: fc.constant('share' as const), guid, to: some }),
  fc.record({ do: fc.constant('refer' as const), guid, to: guid }),
  fc.record({ do: fc.constant('link' as const), guid, to: guid }),
  fc.record({ do: fc.constant('unlink' as const), guid, to: guid }),
  fc.record({ do: fc.constant('note' as const), guid, to: fc.option(some) }),
  fc.record({ do: fc.constant('describe' as const), to: some }),
  fc.record({ do: fc.constant('tag' as const), to: some }),
  fc.record({ do: fc.constant('enter' as const), guid }),
  fc.record({ do: fc.constant('exit' as const), guid }),
  fc.record({ do: fc.constant('input' as const), guid, to: some }),
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
    else if (each.do === 'share') action.name = `Shared ${each.to}`;
    else if (each.do === 'refer') action.options = { ...action.options, payload: `=action_${each.to}.x` };
    else if (each.do === 'enter') story.settings.entry_agent_guid = each.guid;
    else if (each.do === 'exit')
      story.settings.exit_agent_guids = toggled(story.settings.exit_agent_guids as string[], each.guid);
    else if (each.do === 'input')
      story.settings.integrations = [...inputsExcept(story, each.guid), inputOf(each.guid, each.to)];
    else if (each.do === 'remove') {
      delete story.actions[each.guid];
      story.links = story.links.filter((link) => !link.split(' ').includes(each.guid));
      if (story.settings.entry_agent_guid === each.guid) story.settings.entry_agent_guid = null;
      const exits = story.settings.exit_agent_guids as string[];
      story.settings.exit_agent_guids = exits.filter((exit) => exit !== each.guid);
      story.settings.integrations = inputsExcept(story, each.guid);
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

const inputsExcept = ({ settings }: Required<Written>, guid: string) =>
  (settings.integrations as JsonObject[]).filter((entry) => entry.action_guid !== guid);
const inputOf = (guid: string, value: number): JsonObject => ({
  action_guid: guid,
  action_inputs: [{ name: 'n', value: String(value) }],
});

const toggled = (list: string[], item: string) =>
  list.includes(item) ? list.filter((each) => each !== item) : [...list, item];

const START: Required<Written> = {
  actions: Object.fromEntries(
    ['a', 'b', 'c'].map((each) => [each, { name: `Action ${each}`, options: { url: 0, rules: [1, 2] } }]),
  ),
  links: ['a b', 'b c'],
  notes: { a: 'note', b: 'note' },
  settings: { tags: ['tag 0'], entry_agent_guid: null, exit_agent_guids: [], integrations: [] },
  description: 'text',
};
const edits = fc.array(edit, { maxLength: 8 });

/** Returns true if a conflict names this place, the whole that it is in, or an end of the link. */
function isNamed(place: string, conflicts: readonly MergeConflict[]): boolean {
  return conflicts.some(({ kind, entry, path, because, ...values }) => {
    const [, part = ''] = entry.split(' ');
    const kept = place.split(/[ /]/).slice(1, /^(link|setting) /.test(place) ? 3 : 2);
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
      if (kept.some((end) => [values.live, values.draft].flat().includes(end))) return true;
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
            const entry = place === 'setting entry_agent_guid' ? ` ${entryIn(side) ?? entryIn(was)}` : '';
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

const entryIn = (leaves: ReadonlyMap<string, string>): string | null =>
  JSON.parse(leaves.get('setting entry_agent_guid')!);

/** All that the side added is there, and nothing that it removed. */
function keepsItems([was = [], side = [], is = []]: unknown[][]): boolean {
  const added = side.filter((item) => !was.includes(item));
  const removed = was.filter((item) => !side.includes(item));
  return added.every((item) => is.includes(item)) && removed.every((item) => !is.includes(item));
}
