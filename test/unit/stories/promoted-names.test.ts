import { createLanguages } from '../../../src/language/face.js';
import type { StoryExport } from '../../../src/stories/export/export-form.js';
import { withNames } from '../../../src/stories/promotions/plan/promoted-names.js';

const LANGUAGES = createLanguages();
const maps = {
  credentials: new Map([
    ['old_key', 'New key'],
    ['first', 'Second'],
    ['second', 'First'],
  ]),
  resources: new Map([['hosts', 'Hosts of live']]),
};

function mapped(text: string, language: 'liquid' | 'formula') {
  const data = {
    name: 'S',
    schema_version: 3,
    agents: [{ type: 'T', name: 'A', options: { text } }],
    links: [],
    integrations: [{ action_guid: 'g', action_inputs: [{ name: 'in', value: JSON.stringify([text]) }] }],
  } as unknown as StoryExport;
  const { story, problems } = withNames(data, maps, LANGUAGES[language]);
  const { integrations } = story as unknown as { integrations: { action_inputs: { value: string }[] }[] };
  const input = (JSON.parse(integrations[0]!.action_inputs[0]!.value) as string[])[0];
  expect(input).toBe(story.agents[0]!.options.text);
  return { text: input, problems };
}

describe('stories as software: names in promoted templates', () => {
  it.each([
    ['liquid', '{{ .CREDENTIAL.old_key }}', '{{ .CREDENTIAL.new_key }}'],
    ['liquid', 'Bearer {{ CREDENTIAL["Old key"] }}', 'Bearer {{ CREDENTIAL["new_key"] }}'],
    ['liquid', '{% credential Old key %}', '{% credential new_key %}'],
    ['liquid', "{% credential 'Old key' %}", "{% credential 'new_key' %}"],
    ['liquid', '{% global_resource hosts %}', '{% global_resource hosts_of_live %}'],
    [
      'liquid',
      '{{ RESOURCE.hosts | size }} {{ receive.hosts }}',
      '{{ RESOURCE.hosts_of_live | size }} {{ receive.hosts }}',
    ],
    [
      'liquid',
      '{{ CREDENTIAL.first }}{{ CREDENTIAL.second }}',
      '{{ CREDENTIAL.second }}{{ CREDENTIAL.first }}',
    ],
    ['liquid', 'CREDENTIAL.old_key without a template', 'CREDENTIAL.old_key without a template'],
    ['formula', '=CREDENTIAL.old_key', '=CREDENTIAL.new_key'],
    ['formula', 'Bearer <<CREDENTIAL.old_key>>', 'Bearer <<CREDENTIAL.new_key>>'],
    ['formula', '=RESOURCE["hosts"] & CREDENTIAL.other', '=RESOURCE["hosts_of_live"] & CREDENTIAL.other'],
  ] as const)('%s: %s', (language, text, expected) => {
    expect(mapped(text, language)).toEqual({ text: expected, problems: [] });
  });

  it('reach the tests of the story, which give resources and show credentials', () => {
    const test = {
      name: 'T',
      resources: { Hosts: ['a'], Other: 1 },
      expect: {
        requests: { A: [{ headers: { authorization: 'Bearer <credential old_key>' } }] },
        events: { A: [{ sent: 'Bearer [credential old_key]', other: '[credential else]' }] },
      },
    };
    const data = { name: 'S', schema_version: 3, agents: [], links: [], fabula_tests: [test] };
    const { story } = withNames(data, maps, LANGUAGES.liquid);
    expect(story.fabula_tests).toEqual([
      {
        name: 'T',
        resources: { 'Hosts of live': ['a'], Other: 1 },
        expect: {
          requests: { A: [{ headers: { authorization: 'Bearer <credential new_key>' } }] },
          events: { A: [{ sent: 'Bearer [credential new_key]', other: '[credential else]' }] },
        },
      },
    ]);
  });

  it('tells where a name cannot be put for sure, and leaves the text', () => {
    const text = '{{ CREDENTIAL["\\u006fld key"] }}{{ CREDENTIAL.old_key }}';
    const { problems } = mapped(text, 'liquid');
    expect(problems.length === 0 || problems[0]!.includes('cannot be renamed')).toBe(true);
  });
});
