import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SRC = path.resolve(__dirname, '../../src');
/** Ways to learn from a request under which address it came. */
const OF_REQUEST =
  /\b(?:ownBaseUrl|ownHost|forwardedPrefix)\(|\breq(?:uest)?\.(?:host|hostname|protocol)\b|headers\.host\b|x-forwarded-|get\('host'\)/;

/**
 * Each file that uses the address of a request, and who gets to see it. Headers may be forged: what goes to somebody else
 * than the sender must come from the settings (decision 0084), or say here why it is safe.
 */
const USES: Readonly<Record<string, string>> = {
  'web/admin/admin-cookies.ts': 'back to the sender: the path of a cookie',
  'web/admin/admin-host.ts': 'back to the sender: which origin is asked',
  'web/admin/board/board-address.ts': 'back to the sender: a redirect',
  'web/admin/board/board.ts': 'back to the sender: links of a page',
  'web/admin/run-page/run-router.ts': 'back to the sender: links of a page',
  'web/admin/same-origin.ts': 'back to the sender: compared with its Origin',
  'web/admin/sign-in-router.ts': 'back to the sender: the form of a page',
  'agents/http-request/request.ts':
    'back to the sender: a sentence about a header, and no address of a request',
  'web/mcp/mcp-router.ts': 'back to the sender: links in an answer; compared with its Origin',
  'api/routing/mount-routes.ts': 'back to the sender: links in an answer',
  'api/openapi/pages/docs-router.ts':
    'back to the sender: the server in the document, which caches keep apart by these headers',
  'app/to-console.ts': 'back to the sender: a redirect to a configured address',
  'data/cases/view/case-page.ts': 'back to the sender: links of a page',
  'platform/http/address/own-base-url.ts': 'back to the sender: here the address is made',
  'platform/http/server/create-server.ts': 'back to the sender: the form of a request line',
  'web/webhooks/webhook-call.ts': 'back to the sender: the address that its signature must have',
};

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('console'))
    .map((name) => name.replaceAll(path.sep, '/'));
}

test('S3: each use of a request’s own address says who gets to see it', () => {
  const used = filesIn(SRC).filter((file) => OF_REQUEST.test(readFileSync(path.join(SRC, file), 'utf8')));
  expect(used.toSorted()).toEqual(Object.keys(USES).toSorted());
  for (const why of Object.values(USES)) expect(why).toMatch(/^(?:back to the sender|to somebody else): /);
});
