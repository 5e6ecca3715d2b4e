import * as fc from 'fast-check';
import { createLanguages } from '../../src/language/languages.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { parseJson } from '../../src/platform/json/parse-json.js';
import { stringifyJson } from '../../src/platform/json/exact-number.js';
import { checkActions } from '../../src/stories/check/check-actions.js';
import { CHECKS_HERE } from '../../src/stories/check/checks-here.js';
import type { StoryExport } from '../../src/stories/export/export-form.js';
import { renameAction, type RenameOrder } from '../../src/stories/rename/rename-action.js';
import type { RenamePreview } from '../../src/stories/rename/rename-preview.js';
import { type ShortAgent, storyOf } from '../support/stories.js';

const languages = createLanguages();
type Language = keyof typeof languages;
type Document = Pick<RenameOrder, 'agents' | 'links' | 'notes'>;

/** A document with these actions, all transformations unless they name a type, and links. */
function documentOf(
  actions: Record<string, JsonObject | ShortAgent>,
  links: string[],
  notes: string[] = [],
): Document {
  const agents = Object.entries(actions).map(([name, given]): [string, ShortAgent] => [
    name,
    Array.isArray(given) ? given : ['EventTransformation', given],
  ]);
  const story = storyOf(Object.fromEntries(agents), links) as unknown as StoryExport;
  return { agents: story.agents, links: story.links, notes: notes.map((content) => ({ content })) };
}

function rename(document: Document, from: string, to: string, language: Language = 'formula') {
  const index = document.agents.findIndex(({ name }) => name === from);
  return renameAction({ ...document, index, name: to }, languages[language]);
}

function previewOf(...given: Parameters<typeof rename>): RenamePreview {
  const { preview, problems } = rename(...given);
  expect(problems).toEqual([]);
  if (preview === undefined) throw new Error('There is no preview');
  return preview;
}

/** The document after the rename. */
function applied(document: Document, { agents, notes }: RenamePreview): Document {
  return {
    ...document,
    agents: document.agents.map((agent, at) => {
      const { index: _, ...changed } = agents.find(({ index }) => index === at) ?? { index: at };
      return Object.assign({}, agent, changed);
    }),
    notes: document.notes.map((note, at) => notes.find(({ index }) => index === at) ?? note),
  };
}

/** The options of each action that changes, by its new name. */
function changedOptions({ agents }: RenamePreview): Record<string, JsonValue> {
  return Object.fromEntries(agents.map(({ name, options }) => [name, options]));
}

describe('a rename of an action', () => {
  it('changes its references at any depth, and keeps the order of keys', () => {
    const options = parseJson(
      '{"mode": "message_only", "payload": {"b": [{"x": "Hi <<ask.body>>"}], "2": "=ask.n + 1", "1": "ask", "<<ask.k>>": 12345678901234567890}}',
    ) as JsonObject;
    const document = documentOf({ Ask: {}, Use: options, Other: { payload: '=use.x' } }, [
      'Ask > Use > Other',
    ]);
    const preview = previewOf(document, 'Ask', 'Ask again!');
    expect(preview.slug).toEqual({ before: 'ask', after: 'ask_again' });
    expect(preview.agents.map(({ name }) => name)).toEqual(['Ask again!', 'Use']);
    expect(stringifyJson(preview.agents[1]?.options ?? null)).toBe(
      '{"mode":"message_only","payload":{"b":[{"x":"Hi <<ask_again.body>>"}],"2":"=ask_again.n + 1","1":"ask","<<ask_again.k>>":12345678901234567890}}',
    );
    expect(preview.count).toBe(4);
    expect(preview.places[1]).toEqual({
      part: 'action',
      index: 1,
      guid: document.agents[1]?.guid,
      name: 'Use',
      path: 'options.payload.b[0].x',
      keys: ['options', 'payload', 'b', 0, 'x'],
      line: 1,
      column: 6,
      before: 'Hi <<ask.body>>',
      after: 'Hi <<ask_again.body>>',
    });
  });

  it('shows the line of each place', () => {
    const document = documentOf({ Ask: {}, Use: { text: 'one\n  <<ask.a>> and <<ask.b>>\nend' } }, [
      'Ask > Use',
    ]);
    const { places } = previewOf(document, 'Ask', 'New');
    const line = { before: '  <<ask.a>> and <<ask.b>>', after: '  <<new.a>> and <<new.b>>', line: 2 };
    expect(places.slice(1)).toEqual([
      expect.objectContaining({ ...line, column: 5 }),
      expect.objectContaining({ ...line, column: 19 }),
    ]);
  });

  it('changes no template if the slug stays', () => {
    const document = documentOf({ Ask: {}, Use: { text: '<<ask.a>>' } }, ['Ask > Use'], ['`ask.a`']);
    const preview = previewOf(document, 'Ask', 'ASK!');
    expect(preview).toMatchObject({
      count: 1,
      notes: [],
      unsure: [],
      agents: [{ name: 'ASK!', options: {} }],
    });
    expect(preview.agents).toHaveLength(1);
  });

  it('takes names with quotes', () => {
    const document = documentOf({ Ask: {}, Use: { text: `<<ask["it's"] & "say \\"ask\\"">>` } }, [
      'Ask > Use',
    ]);
    const preview = previewOf(document, 'Ask', `It's "Ask" \\ \`now\` $&`);
    expect(preview.slug.after).toBe('it_s_ask_now');
    expect(changedOptions(preview).Use).toEqual({ text: `<<it_s_ask_now["it's"] & "say \\"ask\\"">>` });
    const back = previewOf(applied(document, preview), `It's "Ask" \\ \`now\` $&`, 'Ask');
    expect(changedOptions(back).Use).toEqual(document.agents[1]?.options);
  });

  it('reaches into HTML', () => {
    const body =
      '<p class="ask">ask &lt;&lt;</p><a href="https://a.test/?q={{ ask.q | uri_escape }}">{{ .ask.t }}</a>';
    const document = documentOf({ Ask: {}, Mail: ['Email', { body }] }, ['Ask > Mail']);
    const { Mail } = changedOptions(previewOf(document, 'Ask', 'Set', 'liquid'));
    expect(Mail).toEqual({
      body: '<p class="ask">ask &lt;&lt;</p><a href="https://a.test/?q={{ set.q | uri_escape }}">{{ .set.t }}</a>',
    });
  });

  it('leaves names alone that begin with it', () => {
    const text = '<<set.a>> <<set1.a>> <<set_1.a>> <<reset.a>>';
    const document = documentOf({ Set: {}, Set1: {}, 'Set 1': {}, Reset: {}, Use: { text } }, [
      'Set > Set1 > Set 1 > Reset > Use',
    ]);
    expect(changedOptions(previewOf(document, 'Set', 'Put')).Use).toEqual({
      text: '<<put.a>> <<set1.a>> <<set_1.a>> <<reset.a>>',
    });
  });

  it('changes rules, record fields, and template inputs inside their JSON', () => {
    const document = documentOf(
      {
        Ask: {},
        If: ['Trigger', { rules: [{ type: 'regex', path: '=ask.x', value: 'ask' }] }],
        Write: [
          'Record',
          {},
          { record_writers: [{ formula: '<<ask.y>>', record_field: { name: '<<ask>>' } }] },
        ],
        Made: [
          'EventTransformation',
          {},
          {
            action_inputs: [
              { name: 'A', value: ' {"ask": "\\u00e9\\n<<ask.a>>" , "b":["<<ask.b>>"]}' },
              { name: 'B', value: '<<ask.c>>' },
              { name: 'C', value: { d: '=ask.d' } },
            ],
          },
        ],
      },
      ['Ask > If > Write > Made'],
    );
    const { agents } = previewOf(document, 'Ask', 'New');
    expect(agents[1]?.options).toEqual({ rules: [{ type: 'regex', path: '=new.x', value: 'ask' }] });
    expect(agents[2]).toMatchObject({
      options: {},
      record_writers: [{ formula: '<<new.y>>', record_field: { name: '<<ask>>' } }],
    });
    expect(agents[3]?.action_inputs).toEqual([
      { name: 'A', value: ' {"ask": "\\u00e9\\n<<new.a>>" , "b":["<<new.b>>"]}' },
      { name: 'B', value: '<<new.c>>' },
      { name: 'C', value: { d: '=new.d' } },
    ]);
    expect(agents[1]).not.toHaveProperty('action_inputs');
  });

  it('changes templates and marked code in notes', () => {
    const notes = [
      'Ask ask: `ask.body`, ``ask["a"]``, `ask`, `MAP(ask.l, LAMBDA(ask, ask.x))`, `b.ask`, `ask him`, <<ask.c>>',
      'nothing',
    ];
    const document = documentOf({ Ask: {} }, [], notes);
    const preview = previewOf(document, 'Ask', 'New');
    expect(preview.notes).toEqual([
      {
        index: 0,
        guid: null,
        content:
          'Ask ask: `new.body`, ``new["a"]``, `new`, `MAP(new.l, LAMBDA(ask, ask.x))`, `b.ask`, `ask him`, <<new.c>>',
      },
    ]);
    const liquid = documentOf({ Ask: {} }, [], ['`.ask.body` `ask | size` `ask him` {{ .ask.c }} ask']);
    expect(previewOf(liquid, 'Ask', 'New', 'liquid').notes[0]?.content).toBe(
      '`.new.body` `new | size` `ask him` {{ .new.c }} ask',
    );
  });

  it('knows that a variable of an option hides the action in later ones', () => {
    const options = { a: '{{ .ask.x }}', b: '{% assign ask = .ask.y %}', c: '{{ ask }}', z: '{{ .ask.z }}' };
    const document = documentOf({ Ask: {}, Use: options }, ['Ask > Use']);
    expect(changedOptions(previewOf(document, 'Ask', 'New', 'liquid')).Use).toEqual({
      ...options,
      a: '{{ .new.x }}',
      b: '{% assign ask = .new.y %}',
    });
    const taken = documentOf({ Ask: {}, Use: { a: '{% assign new = 1 %}', b: '{{ .ask.x }}' } }, [
      'Ask > Use',
    ]);
    expect(rename(taken, 'Ask', 'New', 'liquid').problems).toEqual([
      {
        message: 'cannot be used: "new" is a variable in options.b of "Use", which refers to the action',
        details: 'name',
      },
    ]);
  });

  it.each([
    ['1st', /cannot refer to "1st"/],
    ['true', /cannot refer to "true"/],
    ['日本', /must have a letter a-z or a digit/],
    ['x', /"x" is a variable in options\.text of "Use"/],
  ])('is refused for a name that a reference cannot have: %s', (to, message) => {
    const document = documentOf({ Ask: {}, Use: { text: '=MAP(l, LAMBDA(x, x & ask.y))' } }, ['Ask > Use']);
    const { problems } = rename(document, 'Ask', to);
    expect(problems).toEqual([{ message: expect.stringMatching(message), details: 'name' }]);
    expect(previewOf(documentOf({ Ask: {} }, []), 'Ask', to).count).toBe(1);
  });
});

describe('of actions with one slug', () => {
  it('the latest is meant, also behind it', () => {
    const document = documentOf(
      { Ask: {}, A: { t: '<<ask.a>>' }, 'Ask!': { t: '<<ask.b>>' }, B: { t: '<<ask.c>>' } },
      ['Ask > A > Ask! > B'],
    );
    const first = previewOf(document, 'Ask', 'New');
    expect(changedOptions(first)).toEqual({ New: {}, A: { t: '<<new.a>>' }, 'Ask!': { t: '<<new.b>>' } });
    expect(first.shared).toEqual([
      { slug: 'ask', actions: [{ index: 2, guid: document.agents[2]?.guid, name: 'Ask!' }], places: [] },
    ]);
    expect(changedOptions(previewOf(document, 'Ask!', 'New'))).toEqual({
      New: { t: '<<ask.b>>' },
      B: { t: '<<new.c>>' },
    });
  });

  it('those where branches meet are shared, and stay', () => {
    const document = documentOf(
      { Start: {}, Ask: {}, 'ask?': {}, Both: { t: '<<ask.a>>' } },
      ['Start > Ask > Both', 'Start > ask? > Both'],
      ['`ask.a`'],
    );
    const preview = previewOf(document, 'Ask', 'New');
    expect(preview).toMatchObject({ count: 1, notes: [], unsure: [] });
    expect(preview.shared[0]?.places).toEqual([
      expect.objectContaining({
        index: 3,
        path: 'options.t',
        renamed: false,
        before: '<<ask.a>>',
        after: '<<ask.a>>',
      }),
      expect.objectContaining({ part: 'note', index: 0, renamed: false }),
    ]);
  });

  it('the new slug is named too, with what it would mean', () => {
    const document = documentOf({ Ask: {}, Tell: {}, Use: { t: '<<ask.a>> <<tell.b>>' } }, [
      'Ask > Use',
      'Tell > Use',
    ]);
    const preview = previewOf(document, 'Ask', 'tell');
    expect(changedOptions(preview).Use).toEqual({ t: '<<tell.a>> <<tell.b>>' });
    expect(preview.shared).toEqual([
      {
        slug: 'tell',
        actions: [expect.objectContaining({ name: 'Tell' })],
        places: [
          expect.objectContaining({ column: 13, renamed: false }),
          expect.objectContaining({ column: 3, renamed: true }),
        ],
      },
    ]);
  });

  it('failure and no-match links lead there too, and loops do', () => {
    const text = { t: '<<ask.a>>' };
    const document = documentOf({ Ask: text, A: text, B: text, C: text }, ['Ask ! A # B > Ask']);
    const preview = previewOf(document, 'Ask', 'New');
    expect(Object.keys(changedOptions(preview))).toEqual(['New', 'A', 'B']);
    expect(changedOptions(preview).New).toEqual({ t: '<<new.a>>' });
    expect(preview.unsure).toEqual([
      expect.objectContaining({ name: 'C', reason: 'no link leads here from an action called "ask"' }),
    ]);
  });

  it('a webhook sees its own event, and otherwise keys of its request', () => {
    const document = documentOf(
      {
        In: ['Webhook', { path: 'in', response: '<<in.body.a>>' }],
        Other: ['Webhook', { response: '<<in.b>>' }],
      },
      [],
    );
    const preview = previewOf(document, 'In', 'New');
    expect(changedOptions(preview)).toEqual({ New: { path: 'in', response: '<<new.body.a>>' } });
    expect(preview.unsure).toEqual([]);
  });
});

it.each<[Language, JsonObject, string]>([
  ['formula', { t: '<<ask.a +>>' }, 'the template has a syntax error'],
  ['liquid', { t: '{% if ask.a %}' }, 'the template has a syntax error'],
  ['liquid', { t: '{{ . | json }}' }, 'it uses the whole event, or a computed name'],
  ['liquid', { t: '{{ [.name].x }}' }, 'it uses the whole event, or a computed name'],
  ['formula', { rules: [{ path: 'ask.body' }] }, 'a path without a template is plain text'],
  ['liquid', { path: '.ask.list' }, 'a path without a template is plain text'],
  ['formula', { t: '<<new.a>>' }, '"new" is referred to already, and will mean this action'],
])('what cannot be known is named and stays: %s %j', (language, options, reason) => {
  const document = documentOf({ Ask: {}, Use: options }, ['Ask > Use']);
  const preview = previewOf(document, 'Ask', 'New', language);
  expect(preview.agents).toHaveLength(1);
  expect(preview.unsure).toEqual([expect.objectContaining({ index: 1, name: 'Use', reason })]);
});

describe('there and back', () => {
  const NAMES = ['Ask', 'Set', 'Set1', 'Get "it"', 'Ask again'];
  const SLUGS = ['ask', 'set', 'set1', 'get_it', 'ask_again', 'stranger'];
  const slug = fc.constantFrom(...SLUGS);
  const template: Record<Language, fc.Arbitrary<string>> = {
    liquid: fc.oneof(
      slug.map((name) => `<p>{{ .${name}.a | append: "${name}" }}</p>`),
      fc.tuple(slug, slug).map(([a, b]) => `{% for ${a} in ${b}.list %}{{ ${a} }}{% endfor %}`),
      fc.tuple(slug, slug).map(([a, b]) => `{% if ${a}.x == ${b}["${a}"] %}${a}{% endif %}`),
    ),
    formula: fc.oneof(
      slug.map((name) => `=${name}.a & "${name}"`),
      fc.tuple(slug, slug).map(([a, b]) => `<%for ${a} in ${b}.l%><<${a}.x>><%endfor%>`),
      fc.tuple(slug, slug).map(([a, b]) => `x <<MAP(${a}.l, LAMBDA(${b}, [${b}, ${a}.y]))>> ${a}`),
    ),
  };
  const graph = (language: Language) =>
    fc.record({
      texts: fc.array(fc.array(template[language], { maxLength: 3 }), { minLength: 5, maxLength: 5 }),
      names: fc.shuffledSubarray(NAMES, { minLength: 5 }),
      ends: fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { maxLength: 8 }),
      index: fc.nat(4),
    });

  it.each(['liquid', 'formula'] as const)(
    'a story in %s is what it was, and refers to nothing unknown between',
    (language) => {
      let changed = 0;
      fc.assert(
        fc.property(graph(language), ({ texts, names, ends, index }) => {
          const links = ends.map(([source, receiver]) => ({ source, receiver }));
          const agents = names.map((name, at) => ({
            type: 'Agents::EventTransformationAgent',
            name,
            options: { mode: 'message_only', payload: { texts: texts[at] ?? [] } },
          }));
          const document: Document = { agents, links, notes: [] };
          const from = names[index] ?? '';
          const there = previewOf(document, from, 'Fresh', language);
          if (there.count > 1) changed += 1;
          const between = applied(document, there);
          const told = there.unsure.map((text) => `${text.index} ${text.path}`);
          expect(unknownIn(between, language).filter((text) => !told.includes(text))).toEqual(
            unknownIn(document, language).filter((text) => !told.includes(text)),
          );
          const back = applied(between, previewOf(between, 'Fresh', from, language));
          expect(back.agents.map(({ name, options }) => ({ name, options }))).toEqual(
            agents.map(({ name, options }) => ({ name, options })),
          );
        }),
        { numRuns: 150 },
      );
      expect(changed).toBeGreaterThan(5);
    },
  );
});

/** Where the check of a story finds references to no action. */
function unknownIn({ agents, links }: Document, language: Language): string[] {
  const story = { name: 'Story', schema_version: 30, agents, links };
  return checkActions(story, languages[language], CHECKS_HERE.agentTypes).flatMap(({ report }) =>
    report.findings
      .filter(({ kind }) => kind === 'reference')
      .map(({ option }) => `${report.position} options.${option}`),
  );
}
