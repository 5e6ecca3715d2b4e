import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores, { queues: [], relay: false });

const send = (
  path: string,
  {
    body,
    method = 'POST',
    as = fabula.account.key,
    key,
  }: { body?: unknown; method?: string; as?: string; key?: string },
) =>
  fetch(`${fabula.url}${path}`, {
    method,
    headers: {
      'X-User-Token': as,
      'content-type': 'application/json',
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const story = (name: string, team = fabula.account.team.id) => ({ team_id: team, name });

async function count(name: string): Promise<number> {
  const [row] = await stores.db.read((session) =>
    session.rows<{ count: number }>('SELECT COUNT(*) AS count FROM stories WHERE name = ?', [name]),
  );
  return row?.count ?? 0;
}

describe('a POST with an Idempotency-Key', () => {
  it('A9 clients: takes effect once, and gets the first response each time', async () => {
    const first = await send('/api/v1/stories', { body: story('Once'), key: 'k-1' });
    const again = await send('/api/v1/stories', { body: story('Once'), key: 'k-1' });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.json()).toEqual(await first.json());
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await count('Once')).toBe(1);
    await send('/api/v1/stories', { body: story('Once'), key: 'k-2' });
    expect(await count('Once')).toBe(2);
  });

  it('A9 clients: takes effect once when it is sent ten times at the same moment', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => send('/api/v1/stories', { body: story('Together'), key: 'same' })),
    );
    expect(await count('Together')).toBe(1);
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toContain(201);
    expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
  });

  it('A9 clients: is refused with the key of another request', async () => {
    await send('/api/v1/stories', { body: story('One'), key: 'k' });
    const other = await send('/api/v1/stories', { body: story('Other'), key: 'k' });
    expect(other.status).toBe(422);
    expect(await other.text()).toContain('Idempotency-Key');
    expect(await count('Other')).toBe(0);
  });

  it('A9 clients: may be sent again after a refusal, corrected or not', async () => {
    const refused = await send('/api/v1/stories', { body: story('Late', 999_999_999), key: 'k' });
    expect(refused.status).toBe(404);
    expect((await send('/api/v1/stories', { body: story('Late'), key: 'k' })).status).toBe(201);
    expect(await count('Late')).toBe(1);
  });

  it('A9 clients: is not done again while its outcome is unknown', async () => {
    await send('/api/v1/stories', { body: story('Unknown'), key: 'k' });
    // As if the process had died between the write and the response.
    await stores.db.transaction((session) => session.run('UPDATE idempotency_keys SET answer = NULL'));
    const again = await send('/api/v1/stories', { body: story('Unknown'), key: 'k' });
    expect(again.status).toBe(409);
    expect(await count('Unknown')).toBe(1);
  });

  it('A9 clients: is new after a day', async () => {
    await send('/api/v1/stories', { body: story('Daily'), key: 'k' });
    await stores.db.transaction((session) =>
      session.run('UPDATE idempotency_keys SET expires_at = NOW(3) - INTERVAL 1 SECOND'),
    );
    expect((await send('/api/v1/stories', { body: story('Daily'), key: 'k' })).status).toBe(201);
    expect(await count('Daily')).toBe(2);
  });

  it('A9 clients: shares no key with another user or tenant', async () => {
    const other = await buildAccount(stores.db, { owner: true });
    await send('/api/v1/stories', { body: story('Mine'), key: 'k' });
    const theirs = await send('/api/v1/stories', {
      body: story('Mine', other.team.id),
      key: 'k',
      as: other.key,
    });
    expect(theirs.status).toBe(201);
    expect(theirs.headers.get('idempotency-replayed')).toBeNull();
  });

  it.each(['x'.repeat(256), 'with space', 'ä'])(
    'A9 clients: is refused with a key that is none: %#',
    async (key) => {
      expect((await send('/api/v1/stories', { body: story('None'), key })).status).toBe(400);
      expect(await count('None')).toBe(0);
    },
  );

  it('A9 clients: keeps no secret in clear text', async () => {
    const made = await send('/api/v1/api_keys', { body: { kind: 'personal', name: 'Robot' }, key: 'k' });
    const text = await made.text();
    expect(made.status).toBe(201);
    const again = await send('/api/v1/api_keys', { body: { kind: 'personal', name: 'Robot' }, key: 'k' });
    expect(await again.text()).toBe(text);
    const [row] = await stores.db.read((session) =>
      session.rows<{ answer: Buffer }>('SELECT answer FROM idempotency_keys ORDER BY id DESC LIMIT 1'),
    );
    expect(row?.answer.toString('latin1')).not.toContain('Robot');
  });

  it('A9 clients: gives a response again only while the sender has the same rights', async () => {
    await send('/api/v1/stories', { body: story('Rights'), key: 'k' });
    await stores.db.transaction((session) =>
      session.run('UPDATE users SET is_owner = 0 WHERE id = ?', [fabula.account.user.id]),
    );
    // The rights of a key are looked up again within seconds.
    const again = await eventually(async () => {
      const response = await send('/api/v1/stories', { body: story('Rights'), key: 'k' });
      return response.status === 201 ? undefined : response;
    });
    expect([404, 422]).toContain(again.status);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
  });
});
