import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { parseLayout } from '../import/plan/guid-map.js';
import { TESTS_KEY } from '../tests/story-test.js';
import { changesBetween, joinedPath, sameJson } from './value-changes.js';

/** One difference between two states of a story, readable without either of them. */
export interface StoryDifference {
  /** `action`: a whole action, or what it has beside its options; `setting`: of the story. */
  kind: 'action' | 'option' | 'link' | 'note' | 'test' | 'setting';
  change: 'added' | 'removed' | 'changed';
  /** Name of the action; null if the difference is in none. */
  action: string | null;
  /** Guid of the action or note; of a link, that of the action it leaves; null if there is none. */
  guid: string | null;
  /** The place in the action, note or story: `options.url`, `position`; null for a whole one. Of a test it begins with its name. */
  path: string | null;
  /** null: absent. */
  before: JsonValue;
  after: JsonValue;
}

/** Settings that are no content of the story, or are compared as something else. */
const NO_SETTINGS = new Set([
  'agents',
  'links',
  'diagram_notes',
  'diagram_layout',
  'exported_at',
  'guid',
  TESTS_KEY,
]);

/**
 * Returns the differences between two states of one story, both in the export form: actions in their order, links, notes,
 * tests by name, settings. Actions are the same if their guids are. Pure; expensive for large stories.
 */
export function diffStories(before: JsonObject, after: JsonObject): StoryDifference[] {
  return [
    ...actionDifferences(before, after),
    ...linkDifferences(before, after),
    ...noteDifferences(before, after),
    ...testDifferences(before, after),
    ...settingDifferences(before, after),
  ];
}

function actionDifferences(before: JsonObject, after: JsonObject): StoryDifference[] {
  const [old, made] = [byKey(before.agents, guidOf), byKey(after.agents, guidOf)];
  const [oldPlaces, newPlaces] = [layoutOf(before), layoutOf(after)];
  return pairs(old, made).flatMap(([guid, was, is]) => {
    const at = { kind: 'action' as const, action: nameOf(is ?? was), guid: givenGuid(is ?? was) };
    if (was === undefined || is === undefined) return [whole(at, was, is)];
    return [
      ...changesBetween(was, is).map(({ path, ...values }) => {
        const kind = /^options\b/.test(path) ? ('option' as const) : ('action' as const);
        return changed({ ...at, kind, path }, values.before, values.after);
      }),
      ...changesBetween(oldPlaces[guid], newPlaces[guid])
        .slice(0, 1)
        .map(() => changed({ ...at, path: 'position' }, oldPlaces[guid], newPlaces[guid])),
    ];
  });
}

function linkDifferences(before: JsonObject, after: JsonObject): StoryDifference[] {
  const [old, made] = [byKey(linksOf(before), linkKey), byKey(linksOf(after), linkKey)];
  return pairs(old, made).flatMap(([, was, is]) => {
    if (was !== undefined && is !== undefined) return [];
    const at = { kind: 'link' as const, action: null, guid: sourceOf(is ?? was) };
    return [whole(at, shownLink(was), shownLink(is))];
  });
}

function noteDifferences(before: JsonObject, after: JsonObject): StoryDifference[] {
  const [old, made] = [byKey(before.diagram_notes, guidOf), byKey(after.diagram_notes, guidOf)];
  return pairs(old, made).flatMap(([, was, is]) => {
    const at = { kind: 'note' as const, action: null, guid: givenGuid(is ?? was) };
    if (was === undefined || is === undefined) return [whole(at, was, is)];
    return changesBetween(was, is).map(({ path, ...values }) =>
      changed({ ...at, path }, values.before, values.after),
    );
  });
}

function testDifferences(before: JsonObject, after: JsonObject): StoryDifference[] {
  const [old, made] = [byKey(before[TESTS_KEY], testNameOf), byKey(after[TESTS_KEY], testNameOf)];
  return pairs(old, made).flatMap(([name, was, is]) =>
    changesBetween(was, is, joinedPath('', name)).map(({ path, ...values }) =>
      changed({ kind: 'test', action: null, guid: null, path }, values.before, values.after),
    ),
  );
}

function testNameOf({ name }: JsonObject, index: number): string {
  return typeof name === 'string' ? name : `#${index}`;
}

function settingDifferences(before: JsonObject, after: JsonObject): StoryDifference[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys]
    .filter((key) => !NO_SETTINGS.has(key) && !sameJson(before[key], after[key]))
    .flatMap((key) =>
      changesBetween(before[key], after[key], key).map(({ path, ...values }) =>
        changed({ kind: 'setting', action: null, guid: null, path }, values.before, values.after),
      ),
    );
}

function whole(
  place: Pick<StoryDifference, 'kind' | 'action' | 'guid'>,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): StoryDifference {
  return changed({ ...place, path: null }, before, after);
}

function changed(
  place: Pick<StoryDifference, 'kind' | 'action' | 'guid' | 'path'>,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): StoryDifference {
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  const { kind, action, guid, path } = place;
  return { kind, change, action, guid, path, before: before ?? null, after: after ?? null };
}

/** Every key of either side in the order of the new one, with both values. */
function pairs<Item>(
  old: ReadonlyMap<string, Item>,
  made: ReadonlyMap<string, Item>,
): [string, Item | undefined, Item | undefined][] {
  const keys = new Set([...made.keys(), ...old.keys()]);
  return [...keys].map((key) => [key, old.get(key), made.get(key)]);
}

/** Equal keys are told apart by their turn. */
function byKey(
  list: JsonValue | undefined,
  keyOf: (item: JsonObject, index: number) => string,
): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  const items = Array.isArray(list) ? list.filter(isJsonObject) : [];
  for (const [index, item] of items.entries()) {
    let key = keyOf(item, index);
    while (found.has(key)) key += '+';
    found.set(key, item);
  }
  return found;
}

function guidOf(item: JsonObject, index: number): string {
  return givenGuid(item) ?? `#${index}`;
}

function givenGuid(item: JsonObject | undefined): string | null {
  return typeof item?.guid === 'string' ? item.guid : null;
}

function nameOf(agent: JsonObject | undefined): string {
  return typeof agent?.name === 'string' ? agent.name : '';
}

/** A link with the guids and names of its ends in place of their positions. */
interface NamedLink extends JsonObject {
  ends: string[];
  names: string[];
  type: string | null;
}

function linksOf(story: JsonObject): NamedLink[] {
  const agents = (Array.isArray(story.agents) ? story.agents : []).map((each) =>
    isJsonObject(each) ? each : {},
  );
  const links = (Array.isArray(story.links) ? story.links : []).filter(isJsonObject);
  return links.map(({ source, receiver, link_type: type }) => {
    const ends = [Number(source), Number(receiver)];
    return {
      ends: ends.map((end) => guidOf(agents[end] ?? {}, end)),
      names: ends.map((end) => nameOf(agents[end])),
      type: typeof type === 'string' ? type : null,
    };
  });
}

/** The guid of the action that a link leaves; null: it has none. */
function sourceOf(link: JsonObject | undefined): string | null {
  const [source = '#'] = (link as NamedLink | undefined)?.ends ?? [];
  return source.startsWith('#') ? null : source;
}

function linkKey(link: JsonObject): string {
  const { ends, type } = link as NamedLink;
  return [...ends, type ?? ''].join(' ');
}

function shownLink(link: JsonObject | undefined): JsonObject | undefined {
  if (link === undefined) return undefined;
  const { names, type } = link as NamedLink;
  return { source: names[0] ?? null, receiver: names[1] ?? null, link_type: type };
}

/** Returns the places of actions by their guids; empty without a layout. */
export function layoutOf({ diagram_layout: layout }: JsonObject): JsonObject {
  if (typeof layout === 'string') return parseLayout(layout) ?? {};
  return isJsonObject(layout) ? layout : {};
}
