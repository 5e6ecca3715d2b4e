import { type Account, buildAccount } from '../../support/builders.js';
import { ask, givePassword, makeLink, PASSWORD, signInPerson } from '../../support/people.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores, { queues: [], relay: false });
let ada: Account;
let bob: Account;
let url: string;
let cookie: string;

beforeEach(async () => {
  url = fabula.adminUrl;
  ada = await buildAccount(stores.db, { team: fabula.account.team });
  bob = await buildAccount(stores.db, { team: fabula.account.team });
  await givePassword(stores, bob.user.id);
  cookie = await signInPerson(url, { api_key: ada.key });
});

const whoIs = async (of: string) => (await ask(url, 'GET /session', { cookie: of })).body?.user?.id;

describe('in a browser where somebody else is signed in', () => {
  it.each<[string, string, () => Promise<object>]>([
    ['a link', 'POST /session/link', async () => ({ token: await makeLink(stores, bob.user.id, 'sign_in') })],
    ['an API key', 'POST /session', () => Promise.resolve({ api_key: bob.key })],
    ['a password', 'POST /session', () => Promise.resolve({ email: bob.user.email, password: PASSWORD })],
  ])('S17: %s does not sign in before the other session may end', async (_what, request, proofOf) => {
    const proof = await proofOf();
    const refused = await ask(url, request, { cookie, body: proof });
    expect([refused.status, refused.cookie]).toEqual([409, '']);
    expect(refused.body.errors[0].message).toContain(ada.user.email);
    expect(await whoIs(cookie)).toBe(ada.user.id);
    const agreed = await ask(url, request, { cookie, body: { ...proof, replace: true } });
    expect([agreed.status, agreed.body.user.id]).toEqual([201, bob.user.id]);
    expect(await whoIs(cookie)).toBeUndefined();
  });

  it('S17: the own link goes on at once', async () => {
    const token = await makeLink(stores, ada.user.id, 'sign_in');
    expect((await ask(url, 'POST /session/link', { cookie, body: { token } })).status).toBe(201);
  });
});

it('S17: a session is found behind any number of planted cookies', async () => {
  const planted = Array.from(
    { length: 60 },
    (_, index) => `fabula_session=${String(index).repeat(43).slice(0, 43)}`,
  );
  expect(await whoIs([...planted, 'fabula_session=x', cookie].join('; '))).toBe(ada.user.id);
});

it.each(['passwordpassword', 'fabula fabula 2026'])('S17: %s is refused as a password', async (password) => {
  const token = await makeLink(stores, ada.user.id, 'password');
  const set = (given: string) => ask(url, 'POST /session/password', { body: { token, password: given } });
  const refused = await set(password);
  expect([refused.status, refused.body.errors[0].details]).toEqual([422, 'password']);
  expect((await set(ada.user.email)).status).toBe(422);
  expect((await set(PASSWORD)).status).toBe(204);
});
