import path from 'node:path';
import { createOpenApiDocument } from '../../src/api/openapi/openapi-document.js';
import { standaloneSchema } from '../../src/api/openapi/standalone-schema.js';
import { ROUTES } from '../../src/app/routes.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/platform/json.js';
import { agentTypeCatalogue, type OptionView } from '../../src/stories/catalogue/agent-type-catalogue.js';

export const SCHEMA_FILE = path.resolve(__dirname, '../../docs/build/story.schema.json');

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const names = { type: 'array', items: { type: 'string' } };
/** The lists of a story whose items have files of their own in a folder. */
const BY_NAME: [string, string][] = [
  ['agents', 'Names of files in `actions`, in their order'],
  ['send_to_stories', 'Names of files in `stories`'],
  ['fabula_tests', 'Names of files in `tests`'],
];

/**
 * Returns the JSON Schema of the files of stories, for editors: of a story in one file, of the file `story` of a folder, and
 * of an action. It is made from the schema of imports and the options of each type.
 */
export function storyFileSchema(): JsonObject {
  const { schemas } = createOpenApiDocument(ROUTES, { version: '0', publicUrl: undefined }).components;
  const { $defs, title: _title, $schema: _schema, ...story } = standaloneSchema('StoryExport', schemas);
  const defs = structuredClone($defs) as Record<string, JsonObject>;
  const { ExportedAction: action, ExportedLink: link } = defs;
  if (action === undefined || link === undefined)
    throw new Error('the schema of stories has no actions or links');
  defs.ExportedAction = { ...action, allOf: agentTypeCatalogue().map(optionsOfType) };
  const whole = target(story, defs);
  defs.StoryFolder = {
    ...whole,
    properties: {
      fabula_files: { const: 1, description: 'Marks the folder of a story' },
      ...(whole.properties as JsonObject),
      ...Object.fromEntries(BY_NAME.map(([key, description]) => [key, { ...names, description }])),
      links: { type: 'array', items: namedLink(link) },
      diagram_layout: { type: ['object', 'string'], description: 'Places of actions, by guid: `[x, y]`' },
    },
  };
  return {
    $schema: DRAFT,
    title: 'Fabula story',
    description: 'A story in one file, or one file of its folder. Written by `npm run docs:schema`.',
    type: 'object',
    ...when(
      { required: ['fabula_files'] },
      { $ref: '#/$defs/StoryFolder' },
      when({ required: ['type', 'options'] }, { $ref: '#/$defs/ExportedAction' }, story),
    ),
    $defs: defs,
  };
}

/** The words of JSON Schema for a condition. */
function when(condition: JsonObject, then: JsonObject, otherwise?: JsonObject): JsonObject {
  const entries: [string, JsonObject][] = [
    ['if', condition],
    ['then', then],
  ];
  return Object.fromEntries(otherwise === undefined ? entries : [...entries, ['else', otherwise]]);
}

/** Returns what a reference of the document leads to. */
function target(schema: JsonObject, defs: Record<string, JsonObject>): JsonObject {
  const name = typeof schema.$ref === 'string' ? schema.$ref.replace('#/$defs/', '') : '';
  const found = defs[name] ?? schema;
  if (!isJsonObject(found.properties ?? null)) throw new Error('the schema of stories has no properties');
  return found;
}

/** In a folder, a link has the names of files as its ends. */
function namedLink(link: JsonObject): JsonObject {
  const end = { type: ['string', 'integer'], description: 'Name of the file of an action' };
  return { ...link, properties: { ...(link.properties as JsonObject), source: end, receiver: end } };
}

/** What the options of one type may be. Each may also be a text with templates, so only their words and examples help. */
function optionsOfType({
  type,
  options,
  modes,
  description,
}: ReturnType<typeof agentTypeCatalogue>[number]): JsonObject {
  const all = [...options, ...modes.flatMap((mode) => mode.options)];
  const properties = Object.fromEntries(
    all.map((option): [string, JsonValue] => [option.name, optionSchema(option)]),
  );
  if (modes.length > 0) {
    properties.mode = { examples: modes.map(({ mode }) => mode), description: 'What the action does' };
  }
  return when(
    { properties: { type: { const: type } }, required: ['type'] },
    { description, properties: { options: { type: 'object', properties } } },
  );
}

function optionSchema({ description, example }: OptionView): JsonObject {
  return { description, ...(example !== null && { examples: [example] }) };
}
