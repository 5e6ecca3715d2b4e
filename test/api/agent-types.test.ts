import Ajv2020 from 'ajv/dist/2020';
import { buildAccount } from '../support/builders.js';
import { places, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);

interface Option {
  name: string;
  schema: object;
  default: unknown;
  required: boolean;
  example: unknown;
}

async function listed(path: string) {
  const { key } = await buildAccount(stores.db);
  const { status, body } = await api.call(key, `GET /api/v1/${path}?per_page=500`);
  expect(status).toBe(200);
  return body;
}

describe('the agent types', () => {
  it('are those that run, and those that are only stored with the reason', async () => {
    const { agent_types: types, meta } = await listed('agent_types');
    expect(meta.count).toBe(types.length);
    const running = types.filter(({ runnable }: { runnable: boolean }) => runnable);
    expect(running.map(({ type }: { type: string }) => type)).toEqual([
      'Agents::WebhookAgent',
      'Agents::EventTransformationAgent',
      'Agents::TriggerAgent',
      'Agents::HTTPRequestAgent',
      'Agents::EmailAgent',
      'Agents::SendToStoryAgent',
      'Agents::RecordAgent',
    ]);
    expect(types.find(({ type }: { type: string }) => type === 'Agents::LLMAgent')).toMatchObject({
      runnable: false,
      reason: 'this server does not call language models',
      options: [],
    });
  });

  it('have options with type, default and whether they are required', async () => {
    const { agent_types: types } = await listed('agent_types');
    const http = types.find(({ name }: { name: string }) => name === 'HTTP request');
    const option = (name: string) => http.options.find((each: Option) => each.name === name);
    expect(option('url')).toMatchObject({ required: true, default: null, schema: { type: 'string' } });
    expect(option('method')).toMatchObject({ required: false, default: 'post' });
    expect(option('timeout').schema).toEqual({ type: 'number', exclusiveMinimum: 0, maximum: 600 });
    expect(option('params_encoder').schema.enum).toEqual(['flat', 'nested']);
    expect(option('loop')).toBeDefined();
    const explode = types[1].modes.find(({ mode }: { mode: string }) => mode === 'explode');
    expect(explode.options.map(({ name }: Option) => name)).toEqual(['path', 'to', 'limit']);
  });

  it('have examples that are valid by the JSON Schema, unless they are templates', async () => {
    const { agent_types: types } = await listed('agent_types');
    const ajv = new Ajv2020();
    const options: Option[] = types.flatMap(
      ({ options: own, modes }: { options: Option[]; modes: { options: Option[] }[] }) => [
        ...own,
        ...modes.flatMap((mode) => mode.options),
      ],
    );
    const wrong = options.filter(({ schema, example }) => !ajv.validate(schema, example));
    expect(options.length).toBeGreaterThan(50);
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe('functions and filters', () => {
  it('are listed with arguments and an example', async () => {
    const { functions } = await listed('functions');
    expect(functions.length).toBeGreaterThan(150);
    expect(functions.find(({ name }: { name: string }) => name === 'TRUNCATE')).toMatchObject({
      family: 'Text',
      arguments: [
        { name: 'text', required: true, repeats: false },
        { name: 'length', required: false, repeats: false },
        { name: 'ending', required: false, repeats: false },
      ],
    });
    const { filters } = await listed('filters');
    expect(filters.find(({ name }: { name: string }) => name === 'append')).toEqual({
      name: 'append',
      family: 'Text',
      arguments: [{ name: 'tail', required: true, repeats: false }],
      description: 'the text with `tail` appended',
      example: { template: '{{ "Ada" | append: "!" }}', result: 'Ada!', event: {} },
    });
  });

  it('come in pages', async () => {
    const { key } = await buildAccount(stores.db);
    const { body } = await api.call(key, 'GET /api/v1/filters?page=2&per_page=3');
    expect(body.filters).toHaveLength(3);
    expect(body.meta).toMatchObject({ per_page: 3, next_page_number: 3 });
    const refused = await api.call(key, 'GET /api/v1/filters?per_page=many');
    expect([refused.status, places(refused)]).toEqual([422, ['per_page']]);
  });
});
