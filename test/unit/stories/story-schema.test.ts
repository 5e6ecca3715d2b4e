import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { JsonObject } from '../../../src/platform/json.js';
import { parseStrictYaml } from '../../../src/platform/text/yaml/strict-yaml.js';
import { filesOfStory } from '../../../src/stories/face.js';
import { galleryFolders } from '../../support/gallery.js';
import { realExports, tellMissingExports } from '../../support/stories.js';
import { SCHEMA_FILE, storyFileSchema } from '../../support/story-schema.js';

const PAGE = readFileSync('docs/build/story-format.md', 'utf8');
const blocks = [...PAGE.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) => block);

describe('stories as software: the JSON Schema of files', () => {
  const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(storyFileSchema());
  const faultsOf = (value: unknown) => (isValid(value) ? [] : isValid.errors);

  it('is written from the schemas of the product (npm run docs:schema)', () => {
    expect(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(storyFileSchema())),
    );
  });

  tellMissingExports();
  it('takes every story of the gallery, every real export, and each file of their folders', () => {
    const all = [...galleryFolders().map(([, { text }]) => text), ...realExports().map(([, text]) => text)];
    for (const text of all) {
      const story = JSON.parse(text) as JsonObject;
      expect(faultsOf(story)).toEqual([]);
      const files = filesOfStory(
        { ...story, fabula_tests: [{ name: 'One', expect: {} }] },
        { layout: 'folder', format: 'yaml' },
      );
      for (const file of files.filter(({ path }) => !/\/(?:stories|tests)\//.test(path))) {
        expect([file.path, faultsOf(parse(file.text))]).toEqual([file.path, []]);
      }
    }
  });

  it('finds faults of a story, of the file of a folder, and of an action', () => {
    expect(faultsOf({ schema_version: 30, agents: ['one'], links: [] })).not.toEqual([]);
    expect(faultsOf({ fabula_files: 1, schema_version: 30, agents: [{}], links: [] })).not.toEqual([]);
    expect(faultsOf({ type: 'Trigger', name: 'A', options: {} })).not.toEqual([]);
    expect(faultsOf({ type: 'Agents::TriggerAgent', name: 'A', options: {} })).toEqual([]);
  });

  it('takes the examples of the page', () => {
    expect(blocks).toHaveLength(2);
    for (const block of blocks) expect(faultsOf(parseStrictYaml(block, 100))).toEqual([]);
  });
});
