import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check';
import { draftWorld, entriesOf } from '../../support/draft-world.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const withStory = draftWorld(stores, useManageApi(stores));
type World = Awaited<ReturnType<typeof withStory>>;

const KINDS = ['option', 'option', 'rename', 'add', 'remove', 'link', 'test', 'note', 'setting'] as const;

/** No play begins later. */
const MOST_MS = 10_000;

/** After these, the actions are others. */
const ACTION_KINDS = new Set<string>(['option', 'rename', 'add', 'remove', 'link']);

interface Edit {
  kind: (typeof KINDS)[number];
  /** The action, test or note, by its number. */
  at: number;
  /** The other end of a link. */
  to: number;
  key: string;
  /** 0: it goes away. */
  value: number;
}

const edits = array(
  record<Edit>({
    kind: constantFrom(...KINDS),
    at: integer({ min: 0, max: 3 }),
    to: integer({ min: 0, max: 3 }),
    key: constantFrom('one', 'two', 'three'),
    value: integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 5 },
);

const payload = (mark: string) => ({ mark, one: `${mark} one`, two: { deep: [1, 2] } });

/** A chain of four actions with a test and a note for each. Actions are known by their marks, which no edit changes. */
const start = () => {
  const marks = ['a0', 'a1', 'a2', 'a3'];
  const actions = marks.map((mark) => [
    `Name ${mark}`,
    ['EventTransformation', { mode: 'message_only', payload: payload(mark) }],
  ]);
  return storyOf(Object.fromEntries(actions), [marks.map((mark) => `Name ${mark}`).join(' > ')], {
    description: 'Before',
    diagram_notes: marks.map((mark, at) => ({
      guid: mark.padEnd(32, '0'),
      content: `note ${at}: before`,
      position: [at, 0],
    })),
    fabula_tests: marks.map((_, at) => ({ name: `test ${at}`, description: 'Before', expect: {} })),
  });
};

/** All that a story says, by places: `a0` (an action), `a0.name`, `a0.one`, `a0 > a1`, `test 0.description`, `note 0`. */
type Facts = Map<string, string>;

async function factsOf({ ask }: World, id: number): Promise<Facts> {
  const {
    agents,
    links,
    diagram_notes: notes,
    fabula_tests: tests = [],
    description,
  } = await ask(`GET /api/v1/stories/${id}/export`);
  const facts: Facts = new Map([['description', description]]);
  const markAt = (at: number): string => agents[at].options.payload.mark;
  for (const { name, options } of agents) {
    const { mark, ...rest } = options.payload;
    facts.set(mark, 'is there').set(`${mark}.name`, name);
    for (const [key, value] of Object.entries(rest)) facts.set(`${mark}.${key}`, JSON.stringify(value));
  }
  for (const { source, receiver } of links) facts.set(`${markAt(source)} > ${markAt(receiver)}`, 'is there');
  for (const { name, ...test } of tests) {
    facts.set(name, 'is there');
    for (const [key, value] of Object.entries(test)) facts.set(`${name}.${key}`, JSON.stringify(value));
  }
  for (const { content } of notes ?? []) facts.set(String(content).split(':')[0] ?? '', content);
  return facts;
}

/** Makes edits by the API, as the editor and programs do, in a story or its draft. */
async function edit({ ask, raw, path, agentsOf }: World, id: number, side: string, list: Edit[]) {
  const isDraft = side === 'draft';
  const query = isDraft ? `?draft_id=${id}` : '';
  const notes = async (): Promise<Parsed[]> => (await ask(`GET /api/v1/notes?story_id=${id}`)).annotations;
  let known: Parsed[] | undefined;
  for (const { kind, at, to, key, value } of list) {
    const actions = (known ??= await agentsOf(id));
    if (ACTION_KINDS.has(kind)) known = undefined;
    const marked = (number: number) => actions.find(({ options }) => options.payload.mark === `a${number}`);
    const [action, other] = [marked(at), marked(to)];
    if (kind === 'option' && action !== undefined) {
      const { [key]: _gone, ...rest } = action.options.payload;
      const next = value === 0 ? rest : { ...rest, [key]: `${key} ${value}` };
      await ask(`PUT /api/v1/actions/${action.id}`, { options: { ...action.options, payload: next } });
    }
    if (kind === 'rename' && action !== undefined)
      await ask(`PUT /api/v1/actions/${action.id}`, { name: `Name a${at}, ${value}` });
    if (kind === 'remove' && action !== undefined) await ask(`DELETE /api/v1/actions/${action.id}`);
    if (kind === 'link' && action !== undefined && other !== undefined) {
      const sources: number[] = action.sources;
      const source_ids = sources.includes(other.id)
        ? sources.filter((each) => each !== other.id)
        : [...sources, other.id];
      await ask(`PUT /api/v1/actions/${action.id}`, { source_ids });
    }
    if (kind === 'add') {
      const mark = `${side} ${value}`;
      if (actions.some(({ options }) => options.payload.mark === mark)) continue;
      await ask('POST /api/v1/actions', {
        type: 'Agents::EventTransformationAgent',
        name: `Name ${mark}`,
        story_id: id,
        options: { mode: 'message_only', payload: payload(mark) },
        ...(action !== undefined && { source_ids: [action.id] }),
      });
    }
    if (kind === 'test') {
      const test = {
        name: `test ${at}`,
        [key === 'one' ? 'description' : 'event']: `Test ${value}`,
        expect: {},
      };
      if (value === 0) await raw(`DELETE ${path}/tests?name=test%20${at}${query.replace('?', '&')}`);
      else await ask(`PUT ${path}/tests${query}`, { test });
    }
    if (kind === 'note') {
      const note = (await notes()).find(({ content }) => content.startsWith(`note ${at}:`));
      const content = `note ${at}: ${value}`;
      if (note !== undefined && value === 0) await ask(`DELETE /api/v1/notes/${note.id}`);
      else if (note !== undefined) await ask(`PUT /api/v1/notes/${note.id}`, { content });
    }
    if (kind === 'setting') await ask(`PUT /api/v1/stories/${id}`, { description: `After ${value}` });
  }
}

interface States {
  base: Facts;
  live: Facts;
  draft: Facts;
}

/** The action of a place; a link has two. */
const actionsAt = (place: string): string[] => {
  if (/^(?:test|note|description)/.test(place)) return [];
  return place.includes(' > ') ? place.split(' > ') : [place.split('.')[0] ?? ''];
};
const isChanged = ({ base }: States, of: Facts, place: string) => of.get(place) !== base.get(place);

/** The places that both sides have changed, each otherwise; and what one side has changed or linked of what the other has removed. */
function contested(states: States): string[] {
  const { base, live, draft } = states;
  return placesOf(states).filter((place) => {
    const wholes: string[] = place.includes(' > ') ? place.split(' > ') : [place.split('.')[0] ?? ''];
    const removed = (of: Facts) => wholes.some((whole) => base.has(whole) && !of.has(whole));
    const [byLive, byDraft] = [live, draft].map((of) => isChanged(states, of, place));
    if (place.includes(' > '))
      return !base.has(place) && ((live.has(place) && removed(draft)) || (draft.has(place) && removed(live)));
    if (removed(live) !== removed(draft)) return removed(live) ? byDraft : byLive;
    return byLive && byDraft && live.get(place) !== draft.get(place);
  });
}

const placesOf = (states: States) => [
  ...new Set(Object.values(states).flatMap((facts) => [...facts.keys()])),
];

/** Whether a conflict is at this place, or at the whole action, test or note that it is in. */
function names({ kind, path, ...conflict }: Parsed, place: string, { base, live, draft }: States): boolean {
  const marks = actionsAt(place);
  const namesOf = (mark: string) => [base, live, draft].map((facts) => facts.get(`${mark}.name`));
  if (kind === 'link') {
    const ends = [conflict.live, conflict.draft].find((link) => link !== null);
    const [ofSource, ofReceiver] = marks.map(namesOf);
    const isNamed = (source: string, receiver: string) =>
      (source === ends.source && receiver === ends.receiver) ||
      conflict.because?.includes(`"${source}" → "${receiver}"`) === true;
    return (
      place.includes(' > ') &&
      (ofSource ?? []).some((source) =>
        (ofReceiver ?? []).some((receiver) => isNamed(source ?? '', receiver ?? '')),
      )
    );
  }
  if (kind === 'action' && path === null)
    return marks.some((mark) => namesOf(mark).includes(conflict.action));
  if (kind === 'action' || kind === 'option') {
    const [mark = '', key = ''] = place.split('.');
    const at = key === 'name' ? 'name' : `options.payload.${key}`;
    return marks.length === 1 && namesOf(mark).includes(conflict.action) && path === at;
  }
  if (kind === 'test') {
    const [name = '', key] = place.split('.');
    return path === `["${name}"]` || (key !== undefined && path === `["${name}"].${key}`);
  }
  if (kind === 'note') return JSON.stringify(conflict).includes(`"${place}:`);
  return kind === 'setting' && path === place;
}

/** Returns what a place of the result may have: of the side that changed it; if both did, of the side that was chosen. */
function allowed(
  place: string,
  states: States,
  taken: Map<Parsed, 'live' | 'draft'>,
): (string | undefined)[] {
  const { live, draft } = states;
  const [first] = [...taken].filter(([conflict]) => names(conflict, place, states));
  const isLink = place.includes(' > ');
  if (first !== undefined && !isLink) return [states[first[1]].get(place)];
  // An action that was removed here and is needed there: it is there with all that it has, or gone with all of it.
  const disputed = [...taken.keys()].filter(({ kind, path }) => kind === 'link' || path === null);
  const isDisputed = (mark: string) =>
    disputed.some((conflict) =>
      [...placesOf(states)].some((each) => names(conflict, each, states) && actionsAt(each).includes(mark)),
    );
  if (actionsAt(place).some(isDisputed)) return [live.get(place), draft.get(place)];
  return [(isChanged(states, live, place) ? live : draft).get(place)];
}

function requireAll(states: States, result: Facts, taken: Map<Parsed, 'live' | 'draft'>) {
  const wrong = [...new Set([...placesOf(states), ...result.keys()])].filter(
    (place) => !allowed(place, states, taken).includes(result.get(place)),
  );
  expect(wrong.map((place) => [place, result.get(place), allowed(place, states, taken)])).toEqual([]);
}

async function play(
  ofLive: Edit[],
  ofDraft: Edit[],
  { sides, updates }: { sides: boolean[]; updates: boolean },
) {
  const world = await withStory();
  const { ask, account, publish, published, update } = world;
  const data = { new_name: 'Edited', team_id: account.team.id, data: start() };
  const { id } = await ask('POST /api/v1/stories/import', data);
  const of = { ...world, path: `/api/v1/stories/${id}` };
  const base = await factsOf(of, id);
  const draftId: number = (await ask(`POST ${of.path}/drafts`, { name: 'Try' })).id;
  await edit(of, id, 'live', ofLive);
  await edit(of, draftId, 'draft', ofDraft);
  const states: States = { base, live: await factsOf(of, id), draft: await factsOf(of, draftId) };

  const taken = new Map<Parsed, 'live' | 'draft'>();
  const { conflicts } = await ask(`GET /api/v1/drafts/${draftId}/diff`);
  const both = contested(states);
  expect(both.filter((place) => !conflicts.some((each: Parsed) => names(each, place, states)))).toEqual([]);
  expect(conflicts.filter((each: Parsed) => !both.some((place) => names(each, place, states)))).toEqual([]);
  if (conflicts.length > 0) {
    const refused = await publish(draftId);
    expect([refused.status, entriesOf(refused.body).map(({ entry }) => entry)]).toEqual([
      412,
      conflicts.map(({ entry }: Parsed) => entry),
    ]);
    expect(await factsOf(of, id)).toEqual(states.live);
  }
  conflicts.forEach((each: Parsed, at: number) => taken.set(each, sides[at % 3] === true ? 'live' : 'draft'));
  const body = { resolve: [...taken].map(([{ entry }, take]) => ({ entry, take })) };
  if (updates) {
    expect((await update(draftId, body)).status).toBe(200);
    requireAll(states, await factsOf(of, draftId), taken);
    expect(await factsOf(of, id)).toEqual(states.live);
    const rebased = await factsOf(of, draftId);
    await published(draftId);
    expect(await factsOf(of, id)).toEqual(rebased);
    return;
  }
  await published(draftId, body);
  requireAll(states, await factsOf(of, id), taken);
}

describe('stories as software: random edits of a story and of its draft', () => {
  it('are all in the result, or a conflict names them at their place (SEED=NUMBER plays others)', async () => {
    const seed = Number(process.env.SEED ?? 20_261_201);
    const how = record({ sides: array(boolean(), { minLength: 3, maxLength: 3 }), updates: boolean() });
    const until = Date.now() + MOST_MS;
    const inTime = asyncProperty(edits, edits, how, async (ofLive, ofDraft, rest) => {
      if (Date.now() < until) await play(ofLive, ofDraft, rest);
    });
    await assert(inTime, { seed, numRuns: 60, endOnFailure: true });
  });
});
