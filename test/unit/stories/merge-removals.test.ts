import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/platform/json.js';
import { stringifyJson } from '../../../src/platform/json/exact-number.js';
import { parseJson } from '../../../src/platform/json/parse-json.js';
import { agentsOf, mergeExports } from '../../../src/stories/face.js';

const guidOf = (kind: string, at: number) => `${kind}${at}`.padStart(32, '0');
const ACTIONS = ['A', 'B', 'C', 'D'];

/** A story that is easy to change: its parts by their numbers. */
interface Model {
  settings: JsonObject;
  actions: Map<number, JsonObject>;
  /** The place of an action on the board. */
  layout: Map<number, JsonValue>;
  /** Links as `SOURCE RECEIVER`. */
  links: Set<string>;
  tests: Map<number, JsonObject>;
  notes: Map<number, JsonObject>;
  tags: Set<string>;
}

const actionOf = (at: number, name: string): JsonObject => ({
  type: 'Agents::EventTransformationAgent',
  name,
  guid: guidOf('a', at),
  options: { mode: 'message_only', payload: { one: 'first', two: 'second' } },
  schedule: [{ cron: '0 6 * * *', timezone: 'UTC' }],
});

function base(): Model {
  return {
    settings: { name: 'Base', description: 'Text' },
    actions: new Map(ACTIONS.map((name, at) => [at, actionOf(at, name)])),
    layout: new Map(ACTIONS.map((_, at) => [at, [0, at]])),
    links: new Set(['0 1', '1 2', '2 3']),
    tests: new Map([0, 1].map((at) => [at, { name: `T${at}`, event: { n: 0 }, expect: {} }])),
    notes: new Map([0, 1].map((at) => [at, { guid: guidOf('b', at), content: 'Note', position: [9, at] }])),
    tags: new Set(['t0', 't1']),
  };
}

function exportOf({ settings, actions, layout, links, tests, notes, tags }: Model): JsonObject {
  const order = [...actions.keys()];
  return {
    schema_version: 30,
    guid: guidOf('c', 0),
    ...settings,
    agents: [...actions.values()],
    links: [...links].map((link) => {
      const [source = -1, receiver = -1] = link.split(' ').map((at) => order.indexOf(Number(at)));
      return { source, receiver };
    }),
    diagram_layout: stringifyJson(
      Object.fromEntries([...layout].map(([at, place]) => [guidOf('a', at), place])),
    ),
    diagram_notes: [...notes.values()],
    fabula_tests: [...tests.values()],
    tags: [...tags],
  };
}

const KINDS = {
  option: ({ actions }, at, value) => {
    const options = actions.get(at)?.options as JsonObject | undefined;
    if (options) (options.payload as JsonObject)[value > 1 ? 'one' : 'two'] = `Option ${value}`;
  },
  name: ({ actions }, at, value) => change(actions.get(at), { name: `Name ${at} ${value}` }),
  disable: ({ actions }, at) => change(actions.get(at), { disabled: true }),
  schedule: ({ actions }, at, value) =>
    change(actions.get(at), { schedule: [{ cron: `${value} 7 * * *`, timezone: 'UTC' }] }),
  unschedule: ({ actions }, at) => delete actions.get(at)?.schedule,
  move: ({ actions, layout }, at, value) => actions.has(at) && layout.set(at, [value, 50]),
  remove: ({ actions, layout, links }, at) => {
    actions.delete(at);
    layout.delete(at);
    for (const link of links) if (link.split(' ').includes(String(at))) links.delete(link);
  },
  link: ({ actions, links }, at, value) =>
    actions.has(at) && actions.has(value) && links.add(`${at} ${value}`),
  unlink: ({ links }, at) => links.delete(`${at} ${at + 1}`),
  test: ({ tests }, at, value) => change(tests.get(at), { event: { n: value } }),
  untest: ({ tests }, at) => tests.delete(at),
  note: ({ notes }, at, value) => change(notes.get(at), { content: `Note ${value}` }),
  unnote: ({ notes }, at) => notes.delete(at),
  tag: ({ tags }, at) => tags.add(`t${at}`),
  untag: ({ tags }, at) => tags.delete(`t${at}`),
  text: ({ settings }, at, value) => change(settings, { [at > 1 ? 'name' : 'description']: `Text ${value}` }),
} satisfies Record<string, (story: Model, at: number, value: number) => unknown>;

function change(part: JsonObject | undefined, more: JsonObject): void {
  if (part !== undefined) Object.assign(part, more);
}

interface Edit {
  kind: keyof typeof KINDS;
  at: number;
  value: number;
}

const edits = array(
  record<Edit>({
    kind: constantFrom(...(Object.keys(KINDS) as Edit['kind'][])),
    at: integer({ min: 0, max: 3 }),
    value: integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 6 },
);

function edited(list: Edit[]): JsonObject {
  const model = base();
  for (const { kind, at, value } of list) KINDS[kind](model, at, value);
  return exportOf(model);
}

/** A value of a story: the part that it is in, and its keys there; without keys: whether the part is there. */
interface Place {
  kind: 'action' | 'link' | 'test' | 'note' | 'tag' | 'setting';
  /** The guids of an action, of a note, and of both ends of a link. */
  guids: string[];
  keys: (string | number)[];
}

/** Returns what a story has at each of its places. */
function placesOf(story: JsonObject): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  const put = (place: Place, value: JsonValue | undefined) =>
    value !== undefined && found.set(JSON.stringify(place), value);
  const agents = agentsOf(story);
  const layout = parseJson(story.diagram_layout as string) as JsonObject;
  for (const { guid: own, name, options, disabled, schedule } of agents) {
    const guid = own as string;
    const value = (keys: Place['keys'], of: JsonValue | undefined) =>
      put({ kind: 'action', guids: [guid], keys }, of);
    value([], true);
    value(['name'], name);
    value(['disabled'], disabled === true ? true : undefined);
    for (const key of ['one', 'two']) {
      value(['options', 'payload', key], ((options as JsonObject).payload as JsonObject)[key]);
    }
    value(['schedule', 0, 'cron'], within(schedule, [0, 'cron']));
    value(['position'], layout[guid]);
  }
  for (const { source, receiver } of story.links as { source: number; receiver: number }[]) {
    const guids = [source, receiver].map((at) => agents[at]!.guid as string);
    put({ kind: 'link', guids, keys: [] }, true);
  }
  for (const { name, event } of (story.fabula_tests ?? []) as JsonObject[]) {
    put({ kind: 'test', guids: [], keys: [name as string] }, true);
    put({ kind: 'test', guids: [], keys: [name as string, 'event', 'n'] }, within(event, ['n']));
  }
  for (const { guid, content } of (story.diagram_notes ?? []) as JsonObject[]) {
    put({ kind: 'note', guids: [guid as string], keys: [] }, true);
    put({ kind: 'note', guids: [guid as string], keys: ['content'] }, content);
  }
  for (const tag of (story.tags ?? []) as string[]) put({ kind: 'tag', guids: [], keys: [tag] }, true);
  for (const key of ['name', 'description']) put({ kind: 'setting', guids: [], keys: [key] }, story[key]);
  return found;
}

function within(value: JsonValue | undefined, keys: Place['keys']): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>((whole, key) => {
    if (Array.isArray(whole)) return whole[Number(key)];
    return isJsonObject(whole) ? whole[key] : undefined;
  }, value);
}

const pathOf = (keys: Place['keys']) =>
  keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`;
    return path === '' ? key : `${path}.${key}`;
  }, '');

type Conflict = ReturnType<typeof mergeExports>['conflicts'][number];

/** Whether it is a new link of the other side to one of these actions, which this side has removed. */
function needsRemoved({ kind, because, live, draft }: Conflict, names: JsonValue[]): boolean {
  const link = live ?? draft;
  if (kind !== 'link' || because === undefined || !isJsonObject(link)) return false;
  return [link.source, link.receiver].some((name) => names.includes(name ?? null));
}

/** Whether a conflict names a link between two of these actions as one that comes or goes with its own. */
function isNamedBeside({ kind, because }: Conflict, names: JsonValue[]): boolean {
  if (kind !== 'link' || because === undefined) return false;
  return names.some((source) =>
    names.some((receiver) => because.includes(`"${source as string}" → "${receiver as string}"`)),
  );
}

/** Returns the values of this side that conflicts name for a place: at the place, or in the part that it is in. */
function told(
  conflicts: Conflict[],
  side: 'live' | 'draft',
  { kind, guids, keys }: Place,
  names: JsonValue[],
) {
  return conflicts.flatMap((conflict): (JsonValue | null)[] => {
    const isThere = conflict[side] !== null;
    if (!isThere && needsRemoved(conflict, names)) return [null];
    if (kind === 'link') {
      if (isThere && isNamedBeside(conflict, names)) return [true];
      // A link goes with the action at its end.
      const isAtEnd = conflict.kind === 'action' && conflict.path === null && guids.includes(conflict.guid!);
      if (isAtEnd) return [isThere ? true : null];
      return conflict.kind === 'link' && conflict.guid === guids[0] ? [isThere ? true : null] : [];
    }
    const isOfPart =
      kind === 'action'
        ? ['action', 'option'].includes(conflict.kind) && conflict.guid === guids[0]
        : conflict.kind === kind && conflict.guid === (guids[0] ?? null);
    if (!isOfPart) return [];
    const whole = conflict.path ?? '';
    const length = keys.findIndex((_, at) => pathOf(keys.slice(0, at)) === whole);
    const depth = length === -1 ? keys.length : length;
    if (pathOf(keys.slice(0, depth)) !== whole) return [];
    const isPart = keys.length === (kind === 'test' ? 1 : 0);
    if (isPart) return [isThere ? true : null];
    return [within(conflict[side], keys.slice(depth)) ?? null];
  });
}

/** All names of the actions of a place. */
function namesOf({ kind, guids }: Place, stories: JsonObject[]): JsonValue[] {
  if (kind !== 'action' && kind !== 'link') return [];
  return stories.flatMap((story) =>
    agentsOf(story).flatMap(({ guid, name }) => (guids.includes(guid as string) ? [name ?? null] : [])),
  );
}

describe('stories as software: two sides change and remove parts of a story', () => {
  it('each change is in the result, or its value is in a conflict at its place', () => {
    let lostOnes = 0;
    assert(
      property(edits, edits, (theirs, ours) => {
        const states = { base: exportOf(base()), live: edited(theirs), files: edited(ours) };
        const { story, conflicts } = mergeExports(states);

        const [was, live, files, is] = [states.base, states.live, states.files, story].map(placesOf);
        for (const key of new Set([was, live, files, is].flatMap((places) => [...places!.keys()]))) {
          const at = (places: typeof was) => stringifyJson(places!.get(key) ?? null);
          const merged = at(is);
          expect([was, live, files].map(at)).toContain(merged);
          for (const [side, places] of [
            ['live', live],
            ['draft', files],
          ] as const) {
            if (at(places) === at(was) || at(places) === merged) continue;
            lostOnes += 1;
            const place = JSON.parse(key) as Place;
            const names = namesOf(place, [states.base, states.live, states.files]);
            const named = told(conflicts, side, place, names).map((value) => stringifyJson(value));
            expect({ key, named }).toEqual({ key, named: expect.arrayContaining([at(places)]) });
          }
        }
      }),
      { numRuns: 300 },
    );
    expect(lostOnes).toBeGreaterThan(100);
  });
});
