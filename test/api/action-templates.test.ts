import { buildAccount } from '../support/builders.js';
import { places, TIME, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const TEMPLATES = '/api/v1/admin/templates';
const template = {
  name: 'Words',
  description: 'Finds words',
  vendor: 'V',
  product: 'P',
  agent_type: 'Agents::EventTransformationAgent',
  agent_options: { b: 1.5, a: ['{{.x}}'] },
  action_inputs: [{ name: 'x', type: 'OPTION', required: true, data: { options: ['1'] } }],
};

async function owner() {
  const { key } = await buildAccount(stores.db, { owner: true });
  return (request: string, body?: object) => api.call(key, request, body);
}

it('are made, given, listed, changed and deleted by Owners', async () => {
  const call = await owner();
  const made = (await call(`POST ${TEMPLATES}`, template)).body;
  expect(made).toEqual({ id: expect.any(Number), ...template, created_at: TIME, updated_at: TIME });
  expect(Object.keys(made.agent_options)).toEqual(['b', 'a']);
  const path = `${TEMPLATES}/${made.id}`;
  expect((await call(`GET ${path}`)).body).toEqual(made);
  const plain = (await call(`POST ${TEMPLATES}`, { name: 'N', agent_type: 'Agents::TriggerAgent' })).body;
  expect(plain).toMatchObject({ description: '', vendor: '', agent_options: {}, action_inputs: [] });
  expect((await call(`GET ${TEMPLATES}`)).body['admin/templates']).toEqual([made, plain]);
  const changed = { ...made, name: 'Other', action_inputs: [] };
  expect((await call(`PUT ${path}`, changed)).body).toMatchObject({ ...changed, updated_at: TIME });
  expect((await call(`PATCH ${path}`, { vendor: '' })).body).toMatchObject({ name: 'Other', vendor: '' });
  expect((await call(`DELETE ${path}`)).status).toBe(204);
  expect((await call(`GET ${path}`)).status).toBe(404);
});

it.each([
  [{}, ['name', 'agent_type']],
  [{ ...template, agent_type: 'Trigger' }, ['agent_type']],
  [{ ...template, agent_options: [] }, ['agent_options']],
  [{ ...template, agent_options: { a: 'x'.repeat(33_000) } }, ['agent_options']],
  [{ ...template, action_inputs: [{ name: 'x', type: 'WORD' }] }, ['action_inputs[0].type']],
  [{ ...template, kind: 1 }, ['kind']],
])('refuses what is wrong: %#', async (body, fields) => {
  const response = await (await owner())(`POST ${TEMPLATES}`, body);
  expect([response.status, places(response)]).toEqual([422, fields]);
});

it('has a thousand at most', async () => {
  const { key, tenantId } = await buildAccount(stores.db, { owner: true });
  await stores.sql(
    `INSERT INTO action_templates (tenant_id, name, description, vendor, product, agent_type, agent_options)
     SELECT ?, 'T', '', '', '', 'Agents::TriggerAgent', '{}' FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) s`,
    [tenantId, JSON.stringify(Array.from({ length: 1_000 }, (_, n) => n))],
  );
  expect((await api.call(key, `POST ${TEMPLATES}`, template)).status).toBe(409);
});
