import { sessionRouters } from '../../../src/web/admin/people/people-origin.js';
import { type Account, buildAccount, buildTeam } from '../../support/builders.js';
import {
  ask,
  makeLink,
  OWN,
  PASSWORD,
  type PersonResponse,
  signInByLink,
  signInPerson,
} from '../../support/people.js';
import { type SmtpTestServer, startSmtpServer } from '../../support/smtp-server.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const stores = useStores();
let smtp: SmtpTestServer;
beforeAll(async () => {
  smtp = await startSmtpServer();
});
afterAll(() => smtp.close());
const fabula = useFabula(stores, () => ({
  queues: [],
  relay: false,
  env: { ADMIN_PORT: '0', SMTP_URL: smtp.url },
}));

/** Nobody, an Owner's API key without a session, and persons with a session. */
const CALLERS = ['nobody', 'key', 'VIEWER', 'EDITOR', 'TEAM_ADMIN', 'Owner'] as const;
type Caller = (typeof CALLERS)[number];

/** The person that a request is about, seen from the caller. */
type Whose = 'own' | 'own team' | 'other team' | 'other tenant';

/** By caller, in their order. `none`: a success that does nothing, and says nothing. */
type Statuses = string;

interface Row {
  expected: Partial<Record<Whose, Statuses>>;
  query?: (person: Account) => string;
  body?: (person: Account) => object | Promise<object>;
  /** Whether a link began the session of the caller, instead of an API key. */
  byLink?: true;
}

const everybody = 'ok  ok  ok  ok  ok  ok';
const withSession = '401 401 ok  ok  ok  ok';
const owners = '    401 401 403 403 403 ok';
const ofPerson = (account: Account) => `?user_id=${account.user.id}`;
const bySession = {
  own: withSession,
  'own team': owners,
  'other team': owners,
  'other tenant': '401 401 403 403 403 none',
};

/** THE expected matrix of the routes under `/session`: one row for every route. */
const MATRIX: Record<string, Row> = {
  'POST /session': { expected: { own: everybody }, body: ({ key }) => ({ api_key: key }) },
  'POST /session/link': {
    expected: { own: everybody },
    body: async ({ user }) => ({ token: await makeLink(stores, user.id, 'sign_in') }),
  },
  'GET /session': { expected: { own: withSession } },
  'DELETE /session': { expected: { own: everybody } },
  'GET /session/all': { expected: bySession, query: ofPerson },
  'DELETE /session/all': { expected: bySession, query: ofPerson },
  'DELETE /session/all/:id': {
    expected: {
      own: withSession,
      'own team': '    401 401 404 404 404 ok',
      'other team': '  401 401 404 404 404 ok',
      'other tenant': '401 401 404 404 404 404',
    },
  },
  'POST /session/reset': {
    // The same for every address; ten in a minute are answered.
    expected: { 'other tenant': everybody },
    body: ({ user }) => ({ email: user.email }),
  },
  'POST /session/password': {
    expected: { own: withSession },
    body: () => ({ password: PASSWORD }),
    byLink: true,
  },
  'POST /session/invitations': {
    expected: {
      'own team': owners,
      'other team': owners,
      'other tenant': '401 401 403 403 403 404',
    },
    body: ({ user }) => ({ user_id: user.id }),
  },
};

it('every route under /session has its row, and every row its route', () => {
  const routes = sessionRouters({} as never).flatMap(({ stack }) =>
    stack.flatMap(({ route }) =>
      (route?.stack ?? []).map(({ method }) => `${method.toUpperCase()} ${route?.path}`),
    ),
  );
  expect(routes.toSorted()).toEqual(Object.keys(MATRIX).toSorted());
});

it.each(Object.keys(MATRIX))('%s: every role may do what the matrix says, and nothing else', async (name) => {
  const { account } = fabula;
  const { tenantId, team } = account;
  const otherTeam = await buildTeam(stores.db, { tenantId });
  const callerOf = async (caller: Caller): Promise<Account> => {
    if (caller === 'nobody' || caller === 'key') return account;
    return buildAccount(stores.db, caller === 'Owner' ? { team, owner: true } : { team, role: caller });
  };
  const others: Record<Exclude<Whose, 'own'>, Parameters<typeof buildAccount>[1]> = {
    'own team': { team, role: 'VIEWER' },
    'other team': { team: otherTeam, role: 'VIEWER' },
    'other tenant': {},
  };
  const found: Partial<Record<Whose, Statuses>> = {};
  for (const whose of Object.keys(MATRIX[name]!.expected) as Whose[]) {
    const words: string[] = [];
    for (const caller of CALLERS) {
      const asking = await callerOf(caller);
      const person = whose === 'own' ? asking : await buildAccount(stores.db, others[whose]);
      words.push(wordOf(await askAs(name, { caller, asking, person })));
    }
    found[whose] = words.join(' ');
  }
  const expected = Object.entries(MATRIX[name]!.expected).map(([whose, statuses]) => [
    whose,
    statuses.trim().replaceAll(/\s+/g, ' '),
  ]);
  expect(found).toEqual(Object.fromEntries(expected));
});

/** Sends the request of a row. The person has a session besides that of the caller. */
async function askAs(
  name: string,
  { caller, asking, person }: { caller: Caller; asking: Account; person: Account },
): Promise<PersonResponse> {
  const { adminUrl: url } = fabula;
  const { query, body, byLink } = MATRIX[name]!;
  const theirs = await signInPerson(url, { api_key: person.key });
  const { id } = (await ask(url, 'GET /session', { cookie: theirs })).body;
  const given = await body?.(person);
  return ask(url, name.replace(':id', String(id)) + (query?.(person) ?? ''), {
    ...(given !== undefined && { body: given }),
    ...(caller === 'key' && { headers: { ...OWN, 'x-user-token': asking.key } }),
    ...(caller !== 'key' &&
      caller !== 'nobody' && {
        cookie: byLink
          ? await signInByLink(stores, url, asking.user.id)
          : await signInPerson(url, { api_key: asking.key }),
      }),
  });
}

function wordOf({ status, body }: PersonResponse): string {
  if (status >= 300) return String(status);
  return body?.ended === 0 || body?.sessions?.length === 0 ? 'none' : 'ok';
}
