import * as fc from 'fast-check';
import { literalText } from '../../../../src/console/request-import/literal-text.js';
import { importWebhookCall, importCurl } from '../../../../src/console/request-import/import-curl.js';
import { rendered } from './sent-request.js';

const piece = fc.constantFrom(
  '<<',
  '>>',
  '<%',
  '%>',
  '{{',
  '}}',
  '{%',
  '%}',
  '=',
  '"',
  '\\',
  ' ',
  'a',
  '<',
  '{',
  '[',
  '<% for x in y %>',
  "'",
  '\n',
);
const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));

describe.each(['formula', 'liquid'] as const)('a text of a command, in %s', (language) => {
  it('is rendered to itself, wherever it stands', () => {
    fc.assert(
      fc.property(text, (given) => {
        const written = literalText(given, language);
        const options = { url: written, headers: { 'X-A': written }, payload: { a: [written] } };
        expect(rendered(options, language)).toEqual({
          url: given,
          headers: { 'X-A': given },
          payload: { a: [given] },
        });
        // An option that is a value loses white space around a template that is all of it.
        if (given.trim() === given)
          expect(rendered({ payload: written }, language)).toEqual({ payload: given });
      }),
      { numRuns: 500, examples: [[' "{%"']] },
    );
  });
});

describe('a pasted call of a webhook', () => {
  const command = `curl 'https://fabula.example.com/webhook/alerts/s3cret?source=siem' -H 'Content-Type: application/json' -H 'X-Api-Key: k' -H 'X-Kind: a' -u ada:pw -d '{"severity":"high"}'`;
  const event = {
    headers: { 'content-type': 'application/json', 'x-kind': 'a' },
    body: { source: 'siem', severity: 'high' },
  };

  it('of this server gives the event that it would be', () => {
    const found = importCurl(command, { language: 'formula', ownOrigins: ['https://fabula.example.com'] });
    expect(found).toEqual({
      kind: 'webhook',
      name: 'Receive call',
      method: 'post',
      path: 'alerts',
      ...event,
      event,
      remarks: [],
    });
  });

  it('of another server is a request, unless a webhook is asked for', () => {
    expect(importCurl(command, { language: 'formula', ownOrigins: ['https://other.example.com'] }).kind).toBe(
      'request',
    );
    expect(importWebhookCall("curl https://n8n.test/hook/1 -d 'a=1&b=2'")).toMatchObject({
      method: 'post',
      path: undefined,
      event: { body: { a: '1', b: '2' } },
    });
  });
});
