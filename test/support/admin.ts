import type { Queue } from 'bullmq';
import { createAdminApp, createAdminRouter, type AdminDeps } from '../../src/web/admin/admin-app.js';
import { Router } from 'express';
import { createPeopleServices } from '../../src/people/users/people-services.js';
import { createActorStore } from '../../src/api/auth/actor-store.js';
import { createAuthenticator } from '../../src/api/auth/authenticator.js';
import { createPeopleOrigin, type PeopleOrigin } from '../../src/web/admin/people/people-origin.js';
import { createAuditTrail } from '../../src/people/audit/audit-trail.js';
import type { QueueName } from '../../src/engine/dispatch/jobs.js';
import type { QueuePart } from '../../src/engine/dispatch/parts/queue-part.js';
import { serve, type TestApp } from './app.js';
import type { TestStores } from './stores.js';
import { ADMIN_PASSWORD, ADMIN_USER } from './admin-account.js';

/** The board on a port of its own; it is closed with the stores. */
export async function startBoard(
  stores: TestStores,
  queues: readonly Queue[] | AdminDeps['queues'],
  config: Partial<AdminDeps['config']> = {},
  others: Partial<AdminDeps> = {},
): Promise<TestApp> {
  const deps = { ...adminDeps(stores, queues, config), ...others };
  const board = await serve(createAdminApp(createAdminRouter(deps), deps));
  stores.onClose(() => board.close());
  return board;
}

/** Queues that are not spread. */
function inOnePart(queues: readonly Queue[]): AdminDeps['queues'] {
  const own = queues.map(({ name }) => ({ queue: name as QueueName, part: 1 }));
  const at = ({ queue }: QueuePart) => queues.find(({ name }) => name === queue)!;
  return { own, at, known: () => Promise.resolve(own) };
}

/** Parts of the board, on the test file's stores. */
function adminDeps(
  stores: TestStores,
  queues: readonly Queue[] | AdminDeps['queues'],
  config: Partial<AdminDeps['config']>,
): AdminDeps {
  return {
    logger: stores.logger,
    queues: 'own' in queues ? queues : inOnePart(queues),
    audit: createAuditTrail({ database: stores.db, logger: stores.logger }),
    redis: stores.redis,
    database: stores.db,
    people: peopleOf(stores),
    config: {
      adminUser: ADMIN_USER,
      adminPassword: ADMIN_PASSWORD,
      adminOrigin: undefined,
      adminBoardWrite: false,
      encryptionKey: undefined,
      trustedProxies: [],
      queuePrefix: stores.queuePrefix,
      ...config,
    },
  };
}

/** People without the API and without mails. */
function peopleOf({ db: database, logger }: TestStores): PeopleOrigin {
  const authenticator = createAuthenticator({ actors: createActorStore(database), logger });
  return createPeopleOrigin({
    people: createPeopleServices({ database, authenticator, logger }),
    resets: {
      request: () => undefined,
      mailLink: () => Promise.resolve('no mail server'),
      tellChanged: () => undefined,
      close: () => Promise.resolve(),
    },
    invitations: { send: () => Promise.resolve(undefined) },
    authenticator,
    audit: createAuditTrail({ database, logger }),
    limits: { check: () => Promise.resolve() },
    adminOrigin: undefined,
    mailedConsole: () => undefined,
    api: () => Router(),
    onSignIn: () => undefined,
  });
}

/** Headers that a browser sends with a form of the board's own page. */
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html' };

/** Signs in as a browser does; gives the cookie, as browsers send it back. */
export async function signIn(url: string, password = ADMIN_PASSWORD): Promise<string> {
  const response = await fetch(`${url}/admin/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: OWN_PAGE,
    body: new URLSearchParams({ user: ADMIN_USER, password }),
  });
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  if (response.status !== 303) throw new Error(`not signed in: ${response.status}`);
  return cookie;
}
