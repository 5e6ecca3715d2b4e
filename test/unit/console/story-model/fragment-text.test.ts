import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { copied, duplicate, paste } from '../../../../src/console/story-model/fragment/fragment.js';
import {
  fragmentIn,
  fragmentOf,
  fragmentText,
  mayBeYaml,
  NoFragment,
} from '../../../../src/console/story-model/fragment/fragment-text.js';
import { fromGraph } from '../../../../src/console/story-model/graph-draft.js';
import { namedIn } from '../../../../src/console/story-model/reading/team-value-names.js';
import { createStoryWriter } from '../../../../src/console/story-model/text/story-text.js';
import { FORMATS } from '../../../../src/console/text/formats/formats.js';
import { withoutSecrets } from '../../../../src/console/story-model/fragment/without-secrets.js';
import { action, after, DRAFT } from './drafts.js';

const ALL = { actions: ['guid-1', 'guid-2', 'guid-3'], notes: ['note 5'] };
const EMPTY = fromGraph({ agents: [], links: [], notes: [] });

describe('a fragment as text', () => {
  it('has the form of an export, and is read as it was', () => {
    const fragment = copied(DRAFT, ALL);
    const text = fragmentText(fragment);
    const form = JSON.parse(text) as Record<string, unknown>;
    expect(Object.keys(form)).toEqual(['fabula', 'agents', 'links', 'diagram_notes', 'diagram_layout']);
    expect(JSON.parse(String(form['diagram_layout']))).toEqual({
      'guid-1': [0, 90],
      'guid-2': [0, 180],
      'guid-3': [0, 270],
    });
    expect(fragmentIn(text)).toEqual(fragment);
  });

  it('keeps places, links and names in another story', () => {
    const pasted = after(EMPTY, paste(fragmentIn(fragmentText(copied(DRAFT, ALL))), { x: 0, y: 0 }));
    expect([...pasted.actions.values()].map(({ name, position }) => [name, position])).toEqual([
      ['Receive', { x: 0, y: 90 }],
      ['Ask', { x: 0, y: 180 }],
      ['Send', { x: 0, y: 270 }],
    ]);
    expect(pasted.links.size).toBe(2);
  });

  it('has places of actions that are drawn without one', () => {
    const draft = { ...DRAFT, actions: new Map([['guid-2', action(2, 'Ask', { position: null })]]) };
    const { agents } = copied(draft, { actions: ['guid-2'] }, new Map([['guid-2', { x: 3, y: 4 }]]));
    expect(agents[0]?.position).toEqual({ x: 3, y: 4 });
  });

  it.each([
    ['', 'The clipboard has no actions of a story.'],
    ['{"agents":{}}', 'The clipboard has no actions of a story.'],
    ['{"agents":[]}', 'The clipboard has no actions of a story.'],
    ['[1]', 'The clipboard has no actions of a story.'],
    ['null', 'The clipboard has no actions of a story.'],
    ['{"agents":[{"name":"x"}]}', 'An action in the clipboard has no type, no name or no options.'],
    [
      '{"agents":[{"type":"t","name":"x","options":[]}]}',
      'An action in the clipboard has no type, no name or no options.',
    ],
    [
      '{"agents":[{"type":"t","name":"x"}],"links":[{"source":0,"receiver":1}]}',
      'A link in the clipboard leads to no action.',
    ],
    [
      JSON.stringify({ agents: Array.from({ length: 2_001 }, () => ({ type: 't', name: 'x' })) }),
      'A story may have 2000 actions.',
    ],
    [
      `{"agents":[{"type":"t","name":"x","options":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}]}`,
      'The clipboard nests deeper than 480 levels.',
    ],
    [' '.repeat(8_000_001), 'The clipboard has too much text.'],
  ])('refuses the text %.40j', (text, message) => {
    expect(() => fragmentIn(text)).toThrow(message);
    expect(() => fragmentIn(text)).toThrow(NoFragment);
  });

  it.each(['json', 'yaml'] as const)(
    'may be what the view of text shows as %s: links have names',
    (format) => {
      const text = createStoryWriter(FORMATS[format])(DRAFT, 'story');
      const given = format === 'json' ? fragmentIn(text) : fragmentOf(FORMATS.yaml.read(text).value);
      const { agents, links, notes } = given;
      expect([agents.length, notes.length, mayBeYaml(text)]).toEqual([3, 1, format === 'yaml']);
      expect(links.map(({ source, receiver, link_type }) => [source, receiver, link_type])).toEqual([
        [0, 1, undefined],
        [1, 2, 'failure'],
      ]);
      const one = createStoryWriter(FORMATS.json)(DRAFT, { actions: ['guid-2'] });
      expect(fragmentIn(one).agents.map(({ name }) => name)).toEqual(['Ask']);
    },
  );

  it('refuses a link by a name that several actions have', () => {
    const agents = [action(1, 'Ask'), action(2, 'Ask')];
    const text = (source: string) => JSON.stringify({ agents, links: [{ source, receiver: 1 }] });
    expect(() => fragmentIn(text('Ask'))).toThrow('Several actions in the clipboard are called "Ask".');
    expect(fragmentIn(text('guid-1')).links[0]?.source).toBe(0);
  });

  const gallery = path.resolve(__dirname, '../../../../assets/gallery');
  const exports = readdirSync(gallery).filter((name) => !name.includes('.'));
  it.each(exports)('may be the export of %s', (name) => {
    const text = readFileSync(path.join(gallery, name, 'story.json'), 'utf8');
    const given = JSON.parse(text) as { agents: { name: string }[]; links: unknown[] };
    const { agents, links } = fragmentIn(text);
    expect(agents.map((agent) => agent.name)).toEqual(given.agents.map((agent) => agent.name));
    expect(links).toEqual(given.links);
  });
});

describe('a duplicate', () => {
  it('stands beside its source, under another name, in one step', () => {
    const fragment = copied(DRAFT, { actions: ['guid-2', 'guid-3'] });
    const command = duplicate(fragment, { x: 30, y: 30 }, '2 actions');
    expect(command(DRAFT).label).toBe('Duplicate 2 actions');
    const { actions, links } = after(DRAFT, command);
    expect([...actions.values()].slice(3).map(({ name, position }) => [name, position])).toEqual([
      ['Ask 2', { x: 30, y: 210 }],
      ['Send 2', { x: 30, y: 300 }],
    ]);
    expect(links.size).toBe(3);
  });
});

/** Returns options of an action that was copied without secrets. */
const scrubbed = (options: Record<string, unknown>, type = 'Agents::HTTPRequestAgent') => {
  const agents = [action(2, 'Ask', { type, options })];
  return withoutSecrets({ fabula: 'fragment', agents, links: [], notes: [] }).agents[0]?.options;
};

describe('a copy without secrets', () => {
  it('has no address of a webhook', () => {
    expect(scrubbed({ path: 'alerts', secret: 'abc' }, 'Agents::WebhookAgent')).toEqual({ path: 'alerts' });
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'tokens in headers',
      { headers: { Authorization: 'Bearer abc123', accept: 'x' } },
      { headers: { Authorization: '', accept: 'x' } },
    ],
    [
      'tokens in lists of headers',
      {
        headers: [
          { name: 'X-Api-Key', value: 'abc' },
          { name: 'accept', value: 'x' },
        ],
      },
      {
        headers: [
          { name: 'X-Api-Key', value: '' },
          { name: 'accept', value: 'x' },
        ],
      },
    ],
    [
      'users and passwords',
      { basic_auth: ['ada', 'love'], digest_auth: 'ada:love' },
      { basic_auth: ['', ''], digest_auth: '' },
    ],
    [
      'secrets of any depth',
      { payload: { login: { client_secret: 'x', tries: 3, password: 5 } } },
      { payload: { login: { client_secret: '', tries: 3, password: '' } } },
    ],
    [
      'secrets in addresses',
      { url: 'https://ada:love@example.com/a?api_key=1&page=2&token=<<x>>' },
      { url: 'https://example.com/a?api_key=&page=2&token=<<x>>' },
    ],
    [
      'secrets beside templates',
      { headers: { Authorization: 'Basic abc<<x>>' } },
      { headers: { Authorization: '' } },
    ],
  ])('has no %s', (_name, options, expected) => {
    expect(scrubbed(options)).toEqual(expected);
  });

  it.each([
    [{ headers: { Authorization: 'Bearer {{ .CREDENTIAL.jira }}', 'X-Token': '<<CREDENTIAL.jira>>' } }],
    [{ headers: { Authorization: '=CREDENTIAL.jira' }, payload: { text: 'a token of thanks' } }],
    [{ disable_auth: true, token_is_needed: null }],
  ])('keeps what names a credential, and what is none: %j', (options) => {
    expect(scrubbed(options)).toEqual(options);
  });
});

describe('named values', () => {
  it('are the credentials and resources that templates name', () => {
    const options = {
      url: 'https://{{.RESOURCE.host}}/<<RESOURCE.host>>',
      headers: { Authorization: 'Bearer {{ .CREDENTIAL.jira }}' },
      list: [{ text: '=CREDENTIAL[\'Slack bot\'].x & RESOURCE["Block list"]' }],
      plain: 'RESOURCES are scarce',
    };
    expect(namedIn(options)).toEqual([
      { kind: 'resource', name: 'host' },
      { kind: 'credential', name: 'jira' },
      { kind: 'credential', name: 'Slack bot' },
      { kind: 'resource', name: 'Block list' },
    ]);
    expect(namedIn(options)).toBe(namedIn(options));
  });
});
