import { causeOf, causeOfResponse } from '../../../src/engine/execute/failure-cause.js';

const SOAP = `<?xml version="1.0"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>
  <soap:Fault><faultcode>soap:Server</faultcode><faultstring>No ticket &quot;7&quot;</faultstring></soap:Fault>
</soap:Body></soap:Envelope>`;
const SOAP_12 =
  '<e:Envelope><e:Fault><e:Reason><e:Text xml:lang="en">Out of stock</e:Text></e:Reason></e:Fault></e:Envelope>';

test.each<[string, number, string, string]>([
  ['error.message', 500, '{"error":{"message":"Shard 3 refused","code":7}}', '500 · Shard 3 refused'],
  ['error', 400, '{"error":"bad name"}', '400 · bad name'],
  [
    'message beside the phrase of the status',
    400,
    '{"error":"Bad Request","message":"no name"}',
    '400 · no name',
  ],
  ['message', 422, '{"code":1,"message":"too long"}', '422 · too long'],
  [
    'detail of a problem',
    409,
    '{"type":"about:blank","title":"Conflict","detail":"it is closed"}',
    '409 · it is closed',
  ],
  ['title of a problem', 404, '{"title":"No such ticket","status":404}', '404 · No such ticket'],
  ['errors[0].message', 422, '{"errors":[{"message":"first"},{"message":"second"}]}', '422 · first'],
  ['errors[0]', 422, '{"errors":["first"]}', '422 · first'],
  [
    'a description of OAuth',
    401,
    '{"error":"invalid_grant","error_description":"it expired"}',
    '401 · it expired',
  ],
  ['a text', 500, '"broken"', '500 · broken'],
  ['a list', 500, '[{"message":"broken"}]', '500 · broken'],
  [
    'JSON that was cut',
    500,
    '{"trace":["a","b"],"message":"it is \\"full\\"","rest":[1,',
    '500 · it is "full"',
  ],
  ['SOAP 1.1', 500, SOAP, '500 · No ticket "7"'],
  ['SOAP 1.2', 500, SOAP_12, '500 · Out of stock'],
  [
    'a message in XML',
    403,
    '<Error><Code>X</Code><Message>Access denied</Message></Error>',
    '403 · Access denied',
  ],
  ['a title of HTML', 502, '<html><head><title>Proxy &amp; co</title></head></html>', '502 · Proxy & co'],
  [
    'a title that is the status',
    502,
    '<html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1></html>',
    '502 · Bad Gateway',
  ],
  ['the first line of what only begins as JSON', 500, '[error] no disk\nmore', '500 · [error] no disk'],
  ['the first line', 503, '\n  upstream is away \nat line 1', '503 · upstream is away'],
  ['nothing', 500, '', '500 · Internal Server Error'],
  ['an unknown status', 599, '', '599'],
  ['JSON without a message', 500, '{"ok":false}', '500 · Internal Server Error'],
])('a cause is told by %s', (_, status, body, cause) => {
  expect(causeOfResponse(status, body)).toBe(cause);
});

test('a cause is one line of at most 200 characters, cut between characters', () => {
  const cause = causeOfResponse(500, `{"message":"a\\n\\u0000b ${'😀'.repeat(300)}"}`);
  expect(cause.startsWith('500 · a b 😀')).toBe(true);
  expect(cause.endsWith('😀…')).toBe(true);
  expect(Array.from(cause)).toHaveLength(200);
});

test('a secret at the cut of a cause is hidden first', () => {
  const body = JSON.stringify({ message: `${'x'.repeat(180)} secret-of-this-team` });
  expect(causeOfResponse(500, body, (text) => text.replaceAll('secret-of-this-team', '[hidden]'))).toBe(
    `500 · ${'x'.repeat(180)} [hidden]`,
  );
});

test('hostile bodies are looked through quickly', () => {
  for (const body of [
    '['.repeat(60_000),
    `${'['.repeat(30_000)}"x"${']'.repeat(30_000)}`,
    '<title '.repeat(9_000),
    '<Reason> '.repeat(7_000),
    `{"message":"${'\\\\'.repeat(30_000)}`,
  ]) {
    expect(causeOfResponse(500, body)).toMatch(/^500 · /);
  }
});

test('without a response the error is the cause, without links that only editors may see', () => {
  const error = 'See https://fabula.example/webhook/small/ssssssssssss\nand more';
  expect(causeOf({ cause: null, error })).toBe('See https://fabula.example/webhook/small/[hidden] and more');
  expect(causeOf({ cause: '500 · broken', error })).toBe('500 · broken');
  expect(causeOf({ cause: null, error: null })).toBeNull();
});
