import * as fc from 'fast-check';
import type { GraphAction } from '../../../../clients/typescript/api.js';
import { changesBetween, isNothing } from '../../../../src/console/story-model/changes/draft-changes.js';
import { NO_HISTORY, recorded, undone } from '../../../../src/console/story-model/draft-history.js';
import { setOption } from '../../../../src/console/story-model/commands/action-commands.js';
import { fromGraph, toGraphBody } from '../../../../src/console/story-model/graph-draft.js';
import type { Selection, StoryDraft } from '../../../../src/console/story-model/story-draft.js';
import { editAsText } from '../../../../src/console/story-model/text/edit-as-text.js';
import { readStoryText } from '../../../../src/console/story-model/text/read-story-text.js';
import { createStoryWriter, type TextScope } from '../../../../src/console/story-model/text/story-text.js';
import { FORMATS } from '../../../../src/console/text/formats/formats.js';
import { TextFault } from '../../../../src/console/text/formats/text-format.js';
import { action, after, DRAFT, GRAPH, TO_ASK } from './drafts.js';

type Name = keyof typeof FORMATS;

const textOf = (draft: StoryDraft, format: Name, scope: TextScope = 'story') =>
  createStoryWriter(FORMATS[format])(draft, scope);
const newMade = () => ({ actions: [] as string[], notes: [] as string[] });

function said(
  text: string,
  format: Name,
  { scope = 'story', shown = DRAFT, made = newMade() }: Partial<Parameters<typeof readStoryText>[0]> = {},
) {
  return readStoryText({ read: FORMATS[format].read(text), shown, scope, made });
}

/** Returns why a text is no story, and the rest of the line where it is wrong. */
function faultOf(text: string, scope: TextScope = 'story'): [string, string] {
  try {
    said(text, 'yaml', { scope });
  } catch (error) {
    if (error instanceof TextFault) return [error.message, text.slice(error.at).split('\n', 1)[0] ?? ''];
    throw error;
  }
  throw new Error('The text is a story.');
}

const changed = (shown: StoryDraft, next: StoryDraft) => {
  const { actions, links, notes } = changesBetween(shown, next);
  return [...actions, ...links, ...notes].map(({ key }) => key);
};

const YAML = textOf(DRAFT, 'yaml');

describe.each(['json', 'yaml'] as const)('a story as %s', (format) => {
  const scopes: [string, TextScope][] = [
    ['whole', 'story'],
    ['one action', { actions: ['guid-2'] }],
    ['two actions and a note', { actions: ['guid-1', 'guid-2'], notes: ['note 5'] }],
    ['a link', { links: [TO_ASK] }],
  ];

  it.each(scopes)('says the same story when nothing is changed: %s', (_, scope) => {
    const next = said(textOf(DRAFT, format, scope), format, { scope });
    expect(changed(DRAFT, next)).toEqual([]);
    for (const [key, part] of DRAFT.actions) expect(next.actions.get(key)).toBe(part);
    for (const [key, part] of DRAFT.links) expect(next.links.get(key)).toBe(part);
  });

  it.each(scopes.slice(0, 3))('changes one option and nothing else: %s', (_, scope) => {
    const text = textOf(DRAFT, format, scope).replace('{{ .Ask }}', '{{ .Other }}');
    const { draft, label } = editAsText(DRAFT, said(text, format, { scope }))(DRAFT);
    expect(label).toBe('Edit Ask as text');
    expect(toGraphBody(draft)).toEqual(
      toGraphBody(after(DRAFT, setOption('guid-2', ['payload', 'text'], '{{ .Other }}'))),
    );
    expect(changed(DRAFT, draft)).toEqual(['guid-2']);
    expect(draft.actions.get('guid-1')).toBe(DRAFT.actions.get('guid-1'));
  });

  it('says the same for any story, with names, guids and notes that are hard', () => {
    const word = fc.constantFrom('A', 'B', 'guid 1', '1', 'yes', '__proto__', 'a: b\n# c', '');
    const options = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
    const graphs = fc.record({
      agents: fc.array(fc.tuple(word, options, word), { minLength: 1, maxLength: 5 }),
      links: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(null, 'secondary', undefined)), {
        maxLength: 5,
      }),
      notes: fc.array(fc.tuple(word, fc.option(word)), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(graphs, fc.array(fc.nat(), { maxLength: 3 }), ({ agents, links, notes }, chosen) => {
        const draft = fromGraph({
          ...GRAPH,
          agents: agents.map(([name, given, guid], at) => action(at + 1, name, { options: given, guid })),
          links: links.map(([source, receiver, type]) => ({
            ...(type !== undefined && { link_type: type }),
            receiver: receiver % agents.length,
            source: source % agents.length,
          })),
          notes: notes.map(([content, guid], at) => ({ id: at + 1, content, guid })),
        });
        const keys = [...draft.actions.keys()];
        const part: Selection = { actions: [...new Set(chosen.map((at) => keys[at % keys.length] ?? ''))] };
        const scopes: TextScope[] = ['story', ...(chosen.length > 0 ? [part] : [])];
        return scopes.every((scope) =>
          isNothing(
            changesBetween(draft, said(textOf(draft, format, scope), format, { scope, shown: draft })),
          ),
        );
      }),
      { numRuns: 150 },
    );
  });
});

/** The story with one more action, and a link to it. */
const added = (name: string) =>
  YAML.replace(
    'links:\n',
    `- type: Agents::EmailAgent\n  name: ${name}\n  options: {}\nlinks:\n- source: Send\n  receiver: ${name}\n`,
  );

describe('a change of the text', () => {
  const start = { draft: DRAFT, history: NO_HISTORY };

  it('is one step, whatever it changes', () => {
    const text = YAML.replace('name: Send', 'name: Tell\n  colour: red').replace('# Triage', '# Again');
    const journal = recorded(start, editAsText(DRAFT, said(text, 'yaml'))(DRAFT));
    expect(journal.history.past.map(({ label }) => label)).toEqual(['Edit 1 action, 1 note as text']);
    expect(journal.draft.actions.get('guid-3')).toMatchObject({ name: 'Tell', colour: 'red', id: 3 });
    // A link that has the name from before still means the action.
    expect(changed(DRAFT, journal.draft)).toEqual(['guid-3', 'note 5']);
    expect(changed(undone(journal).draft, DRAFT)).toEqual([]);
  });

  it('leaves what somebody else has changed since', () => {
    const theirs = after(DRAFT, setOption('guid-3', ['payload', 'text'], 'theirs'));
    const { draft } = editAsText(DRAFT, said(YAML.replace('{{ .Ask }}', 'mine'), 'yaml'))(theirs);
    expect(draft.actions.get('guid-3')).toBe(theirs.actions.get('guid-3'));
    expect(draft.actions.get('guid-2')?.options).toEqual({ payload: { text: 'mine' } });
  });

  it('adds actions, which keep their keys while the person types on', () => {
    const made = newMade();
    const first = said(added('Ma'), 'yaml', { made });
    const [key = ''] = changed(DRAFT, first);
    expect(first.actions.get(key)).toEqual({
      type: 'Agents::EmailAgent',
      name: 'Ma',
      options: {},
      guid: key,
    });
    const stored = {
      ...first,
      actions: new Map(first.actions).set(key, { ...(first.actions.get(key) as GraphAction), id: 9 }),
    };
    const second = said(added('Mail'), 'yaml', { shown: stored, made });
    expect(second.actions.get(key)).toEqual({
      type: 'Agents::EmailAgent',
      name: 'Mail',
      options: {},
      guid: key,
      id: 9,
    });
    expect([...second.links.values()].at(-1)).toMatchObject({ source: 'guid-3', receiver: key });
  });

  it('removes actions with the links that the text does not show', () => {
    const scope = { actions: ['guid-2', 'guid-3'] };
    const text = textOf(DRAFT, 'json', scope);
    const { agents } = JSON.parse(text) as { agents: unknown[] };
    const next = said(JSON.stringify({ agents: agents.slice(1), links: [], notes: [] }), 'json', { scope });
    expect([...next.actions.keys()]).toEqual(['guid-1', 'guid-3']);
    expect([...next.links.values()]).toEqual([]);
    expect(changed(undone(recorded(start, editAsText(DRAFT, next)(DRAFT))).draft, DRAFT)).toEqual([]);
  });

  it('takes the ends of links by name, guid or place', () => {
    const links =
      'links:\n- {source: 0, receiver: guid-2, colour: red}\n- {source: Ask, receiver: 2, link_type: failure}\n';
    expect(changed(DRAFT, said(YAML.replace(/links:\n[^]*(?=notes:)/, links), 'yaml'))).toEqual([]);
  });

  it('keeps lists that it lacks', () => {
    expect(changed(DRAFT, said('notes: []', 'yaml'))).toEqual(['note 5']);
  });

  it('calls an action by its guid where others have its name', () => {
    const twins = fromGraph({
      ...GRAPH,
      agents: GRAPH.agents.map((each) => ({ ...each, name: 'Same' })),
      links: [{ source: 1, receiver: 2 }],
    });
    const text = textOf(twins, 'yaml');
    expect(text).toContain('source: guid-2');
    expect(() => said(text.replace('source: guid-2', 'source: Same'), 'yaml', { shown: twins })).toThrow(
      'Several actions are called "Same": write the guid of one.',
    );
  });
});

describe('a text that is no story', () => {
  it.each([
    ['name: Ask', 'name: 5', '"name" must be a text.', '5'],
    ['name: Ask', 'name: ""', 'An action needs a name.', '""'],
    [
      'type: Agents::TriggerAgent',
      'type: ""',
      '"type" must be the type of an action, such as Agents::TriggerAgent.',
      '""',
    ],
    ['name: Ask', 'name: Ask\n  disabled: "no"', '"disabled" must be true or false.', '"no"'],
    [
      'x: 0\n    y: 180',
      'x: left\n    y: 180',
      '"position" must be an object with the numbers x and y, or null.',
      'x: left',
    ],
    ['guid: guid-2', 'guid: guid-1', 'A part above has this guid. A new part needs none.', 'guid-1'],
    ['receiver: Ask', 'receiver: Nobody', 'No action is called "Nobody".', 'Nobody'],
    ['receiver: Ask', 'receiver: Receive', 'Links cannot lead to a webhook.', 'Receive'],
    ['notes:', 'more: 1\nnotes:', 'There is no "more" here: a story has agents, links and notes.', '1'],
    [/links:\n[^]*(?=notes:)/, 'links: none\n', 'This must be a list.', 'none'],
    [/^[^]*$/, '- 1', 'This must be an object: keys with values.', '- 1'],
  ])('%s as %j', (before, wrong, message, place) => {
    expect(faultOf(YAML.replace(before, wrong))).toEqual([message, place]);
  });

  it('names the guid of an action outside of the selection, and no other for one action', () => {
    const two = { actions: ['guid-1', 'guid-2'] };
    expect(faultOf(textOf(DRAFT, 'yaml', two).replace('guid: guid-2', 'guid: guid-3'), two)).toEqual([
      'A part outside of this text has this guid.',
      'guid-3',
    ]);
    const one = { actions: ['guid-2'] };
    expect(faultOf(textOf(DRAFT, 'yaml', one).replace('guid: guid-2', 'guid: other'), one)).toEqual([
      'The guid of an action cannot be changed.',
      'other',
    ]);
  });

  it('but faults that the story had before are no faults of the text', () => {
    const odd = fromGraph({ ...GRAPH, agents: [action(1, ''), ...GRAPH.agents.slice(1)] });
    const text = textOf(odd, 'yaml').replace('{{ .Ask }}', 'x');
    expect(changed(odd, said(text, 'yaml', { shown: odd }))).toEqual(['guid-2']);
  });
});
