import { buildAccount } from '../support/builders.js';
import { startFabula } from '../support/fabula.js';
import { useManageApi } from '../support/manage-api.js';
import { callProduct } from '../support/product/call-product.js';
import { useStores } from '../support/stores.js';

/** Hundreds of tests rely on the check of responses, which the test product does: this is what it finds. */
const stores = useStores();
const api = useManageApi(stores);

const faultsOf = (given: { path?: string; status?: number; contentType?: string; text: string }) =>
  callProduct('checkResponse', {
    method: 'GET',
    path: '/api/v1/teams?page=1',
    status: 200,
    contentType: 'application/json; charset=utf-8',
    ...given,
  });

it('a response is checked against status, content type and schema of its route', async () => {
  const { key } = await buildAccount(stores.db);
  const { body } = await api.call(key, 'GET /api/v1/teams');
  const text = JSON.stringify(body);
  expect(await faultsOf({ text })).toEqual([]);
  expect(await faultsOf({ text: JSON.stringify({ ...body, more: 1 }) })).toEqual(['"more" is not allowed']);
  expect(await faultsOf({ text: JSON.stringify({ ...body, teams: undefined }) })).toEqual([
    '"teams" is required',
  ]);
  expect(await faultsOf({ text, status: 201 })).toEqual(['The status is 201, not 200']);
  expect(await faultsOf({ text, contentType: 'text/html' })).toEqual([
    'The content type is "text/html", not application/json',
  ]);
  expect(await faultsOf({ text, path: '/api/v1/nothing' })).toEqual(['No route serves GET /api/v1/nothing']);
});

it('what fails in the test product fails in the test, by the same message', async () => {
  await expect(startFabula(stores, { env: { PORT: 'none' } })).rejects.toThrow('PORT');
});

it('a Fabula that was closed answers no more', async () => {
  const fabula = await startFabula(stores, { queues: [], relay: false });
  expect((await fabula.api('GET', '/api/v1/teams')).status).toBe(200);
  await fabula.close();
  await expect(fabula.api('GET', '/api/v1/teams')).rejects.toThrow('fetch failed');
  await expect(fabula.inner.sweepParked()).rejects.toThrow('This Fabula has stopped');
});
