import { FabulaError } from '../../../clients/typescript/client.js';
import { api, onSignedOut, sendText } from '../../../src/console/api/console-api.js';
import { exchange, sendAs } from '../../../src/console/api/send-to.js';
import { readSession, setPassword } from '../../../src/console/api/session-api.js';

/** Sent requests: the method, the path, and the headers for versions and for own scripts. */
type Sent = [method: string | undefined, path: string, ifMatch: string | null, mark: string | null];

/** Answers each request with this; returns what is sent. */
function answered(status: number, body: object, headers: Record<string, string> = {}): Sent[] {
  const sent: Sent[] = [];
  globalThis.fetch = (address, { method, headers: given, credentials } = {}) => {
    expect(credentials).toBe('same-origin');
    const headersOf = new Headers(given);
    const { pathname } = new URL(address as string);
    sent.push([method, pathname, headersOf.get('If-Match'), headersOf.get('X-Fabula-Console')]);
    const text = JSON.stringify(body);
    return Promise.resolve(
      new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } }),
    );
  };
  return sent;
}

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

describe('what the console sends', () => {
  it('says which version it changes, and hears which one there is', async () => {
    const sent = answered(200, { story_id: 1, version: 8 }, { ETag: '"8"' });
    const call = api.stories.graph.replace(
      { id: 1, agents: [], links: [] },
      { headers: { 'If-Match': '"7"' } },
    );
    const { data, response } = await call.withResponse();
    expect(sent).toEqual([['PUT', '/api/v1/stories/1/graph', '"7"', '1']]);
    expect([data, response.headers.get('etag')]).toEqual([{ story_id: 1, version: 8 }, '"8"']);
    const request = {
      method: 'PUT' as const,
      path: '/x',
      body: '{}',
      headers: { 'If-Match': '"7"' },
      limitMs: 1_000,
    };
    expect(await exchange(request)).toEqual({ text: '{"story_id":1,"version":8}', etag: '"8"' });
    expect(sent[1]).toEqual(['PUT', '/x', '"7"', '1']);
  });

  it('marks writes as those of its own scripts, and no reads', async () => {
    const sent = answered(200, {});
    await sendText('GET', '/a');
    await sendText('POST', '/b', '{}');
    await setPassword({ password: 'x' });
    await api.info.get();
    expect(sent).toEqual([
      ['GET', '/a', null, null],
      ['POST', '/b', null, '1'],
      ['POST', '/session/password', null, '1'],
      ['GET', '/api/v1/info', null, null],
    ]);
  });

  it('says for whom the page was loaded, with reads and writes, once that is known', async () => {
    const users: (string | null)[] = [];
    globalThis.fetch = (_address, { headers } = {}) => {
      users.push(new Headers(headers).get('X-Fabula-User'));
      return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }));
    };
    await readSession();
    sendAs(7);
    await api.info.get();
    await sendText('POST', '/b', '{}');
    await setPassword({ password: 'x' });
    expect(users).toEqual([null, '7', '7', '7']);
  });

  it('tells that nobody is signed in where a page asked, and not where somebody signs in', async () => {
    answered(401, { errors: [{ message: 'No.' }] });
    let told = 0;
    const end = onSignedOut(() => (told += 1));
    await expect(setPassword({ password: 'x' })).rejects.toThrow(FabulaError);
    expect([await readSession(), told]).toEqual([null, 0]);
    await expect(api.info.get()).rejects.toMatchObject({ problems: [{ message: 'No.' }] });
    await expect(sendText('GET', '/a')).rejects.toMatchObject({
      status: 401,
      problems: [{ message: 'No.' }],
    });
    expect(told).toBe(2);
    end();
  });
});
