import { buildAccount } from '../../support/builders.js';
import { callApi } from '../../support/manage-api.js';
import { ask, signInPerson } from '../../support/people.js';
import { useFabula } from '../../support/use-fabula.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const fabula = useFabula(stores, { queues: [], relay: false });

async function person() {
  const ada = await buildAccount(stores.db, { team: fabula.account.team });
  const cookie = await signInPerson(fabula.adminUrl, { api_key: ada.key });
  return { ada, cookie, path: `/api/v1/admin/users/${ada.user.id}` };
}

const call = (request: string, key = fabula.account.key) => callApi(fabula.url, key, request);

it('clients: an Owner reads when a user signed in to the console', async () => {
  const { ada, path } = await person();
  const response = await call(`GET ${path}/signin_activities?per_page=10&page=1`);
  expect(response.body).toEqual({
    'admin/login_activities': [
      {
        id: expect.any(Number),
        user_id: ada.user.id,
        ip: '127.0.0.1',
        user_agent: expect.any(String),
        created_at: expect.any(String),
      },
    ],
    meta: expect.objectContaining({ count: 1 }),
  });
  const before = await call(`GET ${path}/signin_activities?before=2020-01-01T00:00:00Z`);
  expect(before.body['admin/login_activities']).toEqual([]);
  expect((await call(`GET ${path}/signin_activities`, ada.key)).status).toBe(403);
  expect((await call('GET /api/v1/admin/users/999999999/signin_activities')).status).toBe(404);
});

it('clients: an Owner ends the sessions of a user, whose keys stay', async () => {
  const { ada, cookie, path } = await person();
  const own = async () => (await ask(fabula.adminUrl, 'GET /session', { cookie })).status;
  expect(await own()).toBe(200);
  expect((await call(`POST ${path}/expire_session`, ada.key)).status).toBe(403);
  expect(await own()).toBe(200);
  const response = await call(`POST ${path}/expire_session`);
  expect([response.status, response.body.id]).toEqual([200, ada.user.id]);
  expect(await own()).toBe(401);
  expect((await call('GET /api/v1/users/me', ada.key)).status).toBe(200);
});

it('clients: an invitation that is sent again answers the member, and nobody else', async () => {
  const { ada } = await person();
  const stranger = await buildAccount(stores.db, { tenantId: fabula.account.tenantId });
  const send = (user_id: number) =>
    callApi(
      fabula.url,
      fabula.account.key,
      `POST /api/v1/teams/${fabula.account.team.id}/resend_invitation`,
      { user_id },
    );
  expect((await send(ada.user.id)).body).toMatchObject({ id: ada.user.id, invitation_accepted: true });
  expect((await send(stranger.user.id)).status).toBe(404);
});
