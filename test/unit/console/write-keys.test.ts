import { withWriteKeys } from '../../../src/console/api/write-keys.js';

/** A server that answers when it is told to. Returns the sender, the keys that it got, and what answers the oldest request. */
function slowServer() {
  const got: (string | null)[] = [];
  const open: ((response: Response | Error) => void)[] = [];
  let made = 0;
  const send = withWriteKeys(
    (_address, init) =>
      new Promise<Response>((resolve, reject) => {
        got.push(new Headers(init?.headers).get('Idempotency-Key'));
        open.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
      }),
    () => `key ${++made}`,
  );
  const answer = async (response: Response | Error = new Response('{}', { status: 201 })) => {
    open.shift()?.(response);
    await new Promise((done) => setImmediate(done));
  };
  const post = (body: string) => send('/comments', { method: 'POST', body });
  return { got, answer, post, send };
}

const settle = () => new Promise((done) => setImmediate(done));

describe('a write of the console', () => {
  it('that is sent twice at the same time has one key, and the second waits for the first', async () => {
    const { got, answer, post } = slowServer();
    const both = [post('{"value":"a"}'), post('{"value":"a"}')];
    await settle();
    expect(got).toEqual(['key 1']);
    await answer();
    expect(got).toEqual(['key 1', 'key 1']);
    await answer();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([201, 201]);
  });

  it('has a new key once the one before is done, or was refused', async () => {
    const { got, answer, post } = slowServer();
    for (const status of [201, 422, 409, 503]) {
      const sent = post('{}');
      await settle();
      await answer(new Response('{}', { status }));
      await sent;
    }
    expect(got).toEqual(['key 1', 'key 2', 'key 3', 'key 4']);
  });

  it('keeps its key after an unknown outcome, until it is known', async () => {
    const { got, answer, post } = slowServer();
    const lost = post('{}').catch((error: Error) => error.message);
    await settle();
    await answer(new Error('lost'));
    expect(await lost).toBe('lost');
    for (const status of [500, 504, 201, 201]) {
      const sent = post('{}');
      await settle();
      await answer(new Response('{}', { status }));
      await sent;
    }
    expect(got).toEqual(['key 1', 'key 1', 'key 1', 'key 1', 'key 2']);
  });

  it('with another content has a key of its own, and what reads or replaces has none', async () => {
    const { got, answer, post, send } = slowServer();
    const all = [post('{"a":1}'), post('{"a":2}'), send('/x', { method: 'PUT', body: '{}' }), send('/x')];
    await settle();
    for (const _ of all) await answer();
    await Promise.all(all);
    expect(got.map((key) => key ?? 'none').toSorted((a, b) => a.localeCompare(b))).toEqual([
      'key 1',
      'key 2',
      'none',
      'none',
    ]);
  });
});
