import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { createComponents } from '../../src/api/openapi/components.js';
import { standaloneSchema } from '../../src/api/openapi/standalone-schema.js';
import { importBody, inspectImport, storyExportSchema } from '../../src/stories/import/import-request.js';

const { refer, schemas } = createComponents();
refer(importBody, 'ImportStoryBody');
refer(storyExportSchema, 'StoryExport');
const schema = standaloneSchema('StoryExport', schemas);
const accepts = new Ajv2020({ strict: false, allErrors: true }).compile(schema);

const EXAMPLES = path.resolve(__dirname, '../../docs/build/examples');

const story = {
  schema_version: 3,
  name: 'A story',
  agents: [{ type: 'Agents::TriggerAgent', name: 'Look', options: {} }],
  links: [],
};
const [agent] = story.agents;

describe('the JSON Schema of the story format', () => {
  it.each(readdirSync(EXAMPLES))('takes docs/build/examples/%s', (file) => {
    const content = JSON.parse(readFileSync(path.join(EXAMPLES, file), 'utf8')) as { data?: unknown };
    expect(accepts(content.data ?? content) ? [] : accepts.errors).toEqual([]);
  });

  it.each([
    ['a whole story', story],
    ['keys that it does not know', { ...story, colour: 'red', agents: [{ ...agent, colour: 'red' }] }],
    ['no version', { ...story, schema_version: undefined }],
    ['a version below 1', { ...story, schema_version: 0 }],
    ['no actions', { ...story, agents: undefined }],
    ['no links', { ...story, links: undefined }],
    ['an action without options', { ...story, agents: [{ ...agent, options: undefined }] }],
    ['an action without a name', { ...story, agents: [{ ...agent, name: undefined }] }],
    ['an action of no type', { ...story, agents: [{ ...agent, type: 'Trigger' }] }],
    ['options that are a list', { ...story, agents: [{ ...agent, options: [] }] }],
    ['a link without a receiver', { ...story, links: [{ source: 0 }] }],
    ['a link from a negative position', { ...story, links: [{ source: -1, receiver: 0 }] }],
    [
      'a link with a line break in its type',
      { ...story, links: [{ source: 0, receiver: 0, link_type: 'a\nb' }] },
    ],
    ['an embedded story', { ...story, send_to_stories: [story] }],
    ['an embedded story without a name', { ...story, send_to_stories: [{ ...story, name: undefined }] }],
    ['a negative period', { ...story, keep_events_for: -1 }],
    ['a text where true belongs', { ...story, disabled: 'perhaps' }],
  ])('takes a story as an import does: %s', (_what, given) => {
    const plain = JSON.parse(JSON.stringify(given)) as unknown;
    const { problems } = inspectImport({ new_name: 'A story', data: plain });
    expect(accepts(plain)).toBe(problems.length === 0);
  });

  it('refers to nothing outside itself', () => {
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
    const defined = Object.keys(schema['$defs'] as object).map((name) => `#/$defs/${name}`);
    expect(references.filter((to) => !defined.includes(to!))).toEqual([]);
    expect(references).toContain('#/$defs/EmbeddedStory');
  });

  it('is found for known names only', () => {
    expect(() => standaloneSchema('Nothing', schemas)).toThrow('There is no schema Nothing');
  });
});
