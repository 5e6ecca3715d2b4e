import { createLinkService } from '../../src/people/sign-in/link-service.js';
import type { LinkPurpose } from '../../src/people/sign-in/login-link-store.js';
import { createPasswordHasher } from '../../src/people/passwords/password-hasher.js';
import { savePassword } from '../../src/people/users/person-store.js';
import type { Parsed } from './manage-api.js';
import type { TestStores } from './stores.js';

export const PASSWORD = 'correct horse battery';
/** The header that the console's own scripts send. */
export const OWN = { 'X-Fabula-Console': '1', 'Sec-Fetch-Site': 'same-origin' };

export interface PersonResponse {
  status: number;
  body: Parsed;
  headers: Headers;
  /** The cookie as a browser sends it back; empty if none was set. */
  cookie: string;
}

/** Sends a request to the people's origin: `POST /session`. Headers are those of the console unless given. */
export async function ask(
  url: string,
  request: string,
  { body, headers = OWN, cookie }: { body?: unknown; headers?: Record<string, string>; cookie?: string } = {},
): Promise<PersonResponse> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...headers,
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const [cookieSet = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
    cookie: cookieSet,
  };
}

/** Signs in; gives the cookie. */
export async function signInPerson(url: string, proof: object): Promise<string> {
  const response = await ask(url, 'POST /session', { body: proof });
  if (response.status !== 201)
    throw new Error(`not signed in: ${response.status} ${JSON.stringify(response.body)}`);
  return response.cookie;
}

/** Signs in by a new link, as a person without a password must to set one; gives the cookie. */
export async function signInByLink(stores: TestStores, url: string, userId: number): Promise<string> {
  const token = await makeLink(stores, userId, 'sign_in');
  return (await ask(url, 'POST /session/link', { body: { token } })).cookie;
}

const hasher = createPasswordHasher();
/** A hash takes a tenth of a second of a processor: the users of a test file share those of their passwords. */
const hashes = new Map<string, string>();

/** Gives a user the password. */
export async function givePassword(stores: TestStores, userId: number, password = PASSWORD): Promise<void> {
  const hash = hashes.get(password) ?? (await hasher.hash(password));
  hashes.set(password, hash);
  await stores.db.read((session) => savePassword(userId, hash, session));
}

/** Makes a link; gives its token. */
export function makeLink(stores: TestStores, userId: number, purpose: LinkPurpose): Promise<string> {
  return createLinkService({ database: stores.db }).make(userId, purpose);
}
