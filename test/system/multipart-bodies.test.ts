import { gzipSync } from 'node:zlib';
import { type Account, buildAccount } from '../support/builders.js';
import { clientOf } from '../support/fabula-client.js';
import { type ProbedWeb, startProbedWeb } from '../support/probed-web.js';
import { smallExport } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { startWebhooks } from '../support/webhooks.js';

const stores = useStores();
const MiB = 1024 * 1024;
const TYPE = 'multipart/form-data; boundary=b';

async function startHook(): Promise<{
  web: ProbedWeb;
  call: (body: Buffer, headers: object) => Promise<Response>;
}> {
  const web = await startProbedWeb(stores);
  const account: Account = await buildAccount(stores.db, { owner: true });
  const story = await clientOf({ url: web.url, account, stores }).importStory(smallExport());
  const [address] = Object.values(story.webhooks);
  const call = (body: Buffer, headers: object) =>
    fetch(`${web.url}/webhook/${address}`, { method: 'POST', headers: { ...headers }, body });
  return { web, call };
}

const repeated = (text: string, bytes: number) => Buffer.from(text.repeat(Math.floor(bytes / text.length)));

function namedPart(index: number): string {
  return `--b\r\ncontent-disposition: form-data; name="a${index}"\r\n\r\nx\r\n`;
}

/** Bodies that cost the parser much for each byte. */
const BODIES: [string, string, Buffer][] = [
  ['a million parts', TYPE, repeated('--b\r\n\r\n', 7 * MiB)],
  [
    'parts with names',
    TYPE,
    repeated('--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n', 10 * MiB),
  ],
  ['parts under a quoted boundary', 'multipart/form-data; boundary="b"', repeated('--b\r\n\r\n', 7 * MiB)],
  [
    'parts under a boundary named twice',
    'multipart/form-data; boundary=b; boundary=x',
    repeated('--b\r\n\r\n', 7 * MiB),
  ],
  [
    'parts of another multipart type',
    'multipart/form-data; x=y; BOUNDARY=b',
    repeated('--b\r\n\r\n', 7 * MiB),
  ],
];

describe('multipart bodies', () => {
  it.each(BODIES)('a body of %s is refused and costs next to nothing', async (_, type, body) => {
    const { web, call } = await startHook();
    for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
      const sent = 'content-encoding' in headers ? gzipSync(body) : body;
      const cost = await web.costOf(async () => {
        const response = await call(sent, { 'content-type': type, ...headers });
        expect(response.status).toBe(413);
      });
      expect(cost.loopMs).toBeLessThan(500);
      expect(cost.grownMb).toBeLessThan(100);
    }
  });

  it('seven of them at once leave the process with others to answer', async () => {
    const { web, call } = await startHook();
    const body = gzipSync(BODIES[0]?.[2] ?? '');
    const cost = await web.costOf(() =>
      Promise.all(
        Array.from({ length: 7 }, () => call(body, { 'content-type': TYPE, 'content-encoding': 'gzip' })),
      ),
    );
    expect(cost.loopMs).toBeLessThan(500);
    expect((await fetch(`${web.url}/healthz`)).status).toBe(200);
  });

  it('a thousand parts are parsed, and one more is refused', async () => {
    const webhooks = await startWebhooks();
    const send = (parts: number) => {
      const body = `${Array.from({ length: parts }, (_, index) => namedPart(index)).join('')}--b--\r\n`;
      return fetch(`${webhooks.url}/webhook/hook/open%20sesame`, {
        method: 'POST',
        headers: { 'content-type': TYPE },
        body,
      });
    };
    expect((await send(1000)).status).toBe(201);
    expect((await send(1001)).status).toBe(413);
    await webhooks.close();
  });
});
