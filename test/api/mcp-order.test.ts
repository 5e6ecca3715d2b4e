import { type Account, buildAccount } from '../support/builders.js';
import { useManageApi } from '../support/manage-api.js';
import { sendRaw, statusOf } from '../support/raw-http.js';
import { smallExport } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores, { queues: [], relay: false, env: { RATE_LIMIT_PER_MINUTE: '20' } });
let owner: Account;
let viewer: Account;
beforeEach(async () => {
  owner = await buildAccount(stores.db, { owner: true });
  viewer = await buildAccount(stores.db, { team: owner.team, role: 'VIEWER' });
});

const headersOf = ({ key }: Account) => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
});

const messageOf = (tool: string, given: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${given}}}`;

/** The refusal, or the value, that a tool gives for arguments that are sent as they are. */
async function call(account: Account, tool: string, given: string) {
  const response = await fetch(`${api.fabula().url}/mcp`, {
    method: 'POST',
    headers: headersOf(account),
    body: messageOf(tool, given),
  });
  const { result } = (await response.json()) as {
    result: { isError?: boolean; content: { text: string }[] };
  };
  return { isError: result.isError === true, value: JSON.parse(result.content[0]!.text) };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
const numbers = (count: number) => `[${'1,'.repeat(count - 1)}1]`;

describe('a message of MCP', () => {
  it('S1: is counted before its body is read: beyond the limit nothing of it is', async () => {
    const one = () =>
      fetch(`${api.fabula().url}/mcp`, {
        method: 'POST',
        headers: headersOf(viewer),
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      });
    let status = 200;
    for (let sent = 0; sent < 45 && status !== 429; sent += 1) ({ status } = await one());
    expect(status).toBe(429);
    const lines = Object.entries({ ...headersOf(viewer), Host: 'localhost', 'Content-Length': '1000000' });
    const head = ['POST /mcp HTTP/1.1', ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
    // The body never comes.
    expect(statusOf(await sendRaw(api.fabula().url, `${head}\r\n\r\n`))).toBe(429);
  });

  it('S1: is refused for the role before its arguments are read', async () => {
    const broken = `{"data":{"agents":[nonsense]},"x":"${'y'.repeat(20_000)}"}`;
    expect(await call(viewer, 'import_story', broken)).toMatchObject({
      isError: true,
      value: { status: 403 },
    });
    expect(await call(owner, 'import_story', broken)).toMatchObject({
      isError: true,
      value: { status: 400 },
    });
  });

  it('S1: may have as many values as the route of the tool', async () => {
    const { id } = (await call(owner, 'import_story', JSON.stringify({ new_name: 'A', data: smallExport() })))
      .value;
    const large = await call(owner, 'start_story_run', `{"id":${id},"payload":${numbers(20_001)}}`);
    expect(large).toMatchObject({ isError: true, value: { status: 413 } });
    const data = JSON.stringify(smallExport());
    const wide = `{"new_name":"B","data":${data.replace(/\}$/, `,"wide":${numbers(30_000)}}`)}}`;
    expect((await call(owner, 'import_story', wide)).value.status).not.toBe(413);
    expect(await call(owner, 'import_story', `{"data":{"wide":${numbers(100_001)}}}`)).toMatchObject({
      value: { status: 413 },
    });
  });

  it.each(['list_stories', 'create_story', 'delete_story'])(
    'S1: with thousands of arguments that %s does not know is refused by their names',
    async (tool) => {
      const { value } = await call(viewer, tool, `{"id":1,${names(5_000)}}`);
      expect(value.status).toBe(422);
      expect(value.errors[0]).toEqual({
        message: expect.stringMatching(/is not allowed$/),
        details: expect.any(String),
      });
      expect(value.errors.at(-1)).toEqual({ message: expect.stringMatching(/^… and 49\d\d more$/) });
    },
  );

  it('S1: takes no more in path and query than an address can hold', async () => {
    const given = `{"search":"${'x'.repeat(20_000)}"}`;
    expect(await call(viewer, 'list_stories', given)).toMatchObject({
      isError: true,
      value: { status: 413 },
    });
    expect(await call(viewer, 'list_stories', `{"tags":${numbers(2_000)}}`)).toMatchObject({
      value: { status: 413 },
    });
  });

  it('S1: reads arguments as JSON does: of equal names the last, and names with escapes', async () => {
    const { value } = await call(
      owner,
      'list_stories',
      '{"per_page":9999,"per\\u005fpage": 1 ,"search":"}]\\",{"}',
    );
    expect(value).toMatchObject({ stories: [], meta: { per_page: 1 } });
  });

  it('S1: may be large beside the arguments of a tool by so much only', async () => {
    const padding = JSON.stringify('x'.repeat(70_000));
    const response = await fetch(`${api.fabula().url}/mcp`, {
      method: 'POST',
      headers: headersOf(viewer),
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":${padding}}}`,
    });
    expect(response.status).toBe(413);
  });
});

const errorsOf = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${api.fabula().url}${path}`, { ...init, headers: headersOf(owner) });
  return { status: response.status, errors: ((await response.json()) as { errors: unknown[] }).errors };
};

describe('a request with thousands of unknown names', () => {
  it('S1: is told of a hundred of them and how many more there are, in query and body', async () => {
    const query = Array.from({ length: 1_500 }, (_, index) => `k${index}=1`).join('&');
    const read = await errorsOf(`/api/v1/stories?${query}&per_page=9999`);
    expect(read.status).toBe(422);
    expect(read.errors[0]).toMatchObject({ details: 'per_page' });
    expect(read.errors).toHaveLength(101);
    expect(read.errors[100]).toEqual({ message: '… and 1401 more' });
    const written = await errorsOf('/api/v1/folders', { method: 'POST', body: `{${names(3_000)}}` });
    expect(written.status).toBe(422);
    expect(written.errors).toHaveLength(101);
  });
});

describe('a stream', () => {
  it('S11: counts as a request when it is opened', async () => {
    const leaving = new AbortController();
    const open = () =>
      fetch(`${api.fabula().url}/api/v1/stream`, { headers: headersOf(viewer), signal: leaving.signal });
    const first = await open();
    expect(Number(first.headers.get('x-ratelimit-remaining'))).toBeLessThan(20);
    expect(first.headers.get('x-ratelimit-limit')).toBe('20');
    leaving.abort();
  });
});
