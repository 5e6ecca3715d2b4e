import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { languageOf } from '../../../src/stories/import/plan/language.js';
import { entriesOf } from '../../../src/trial/report/trial-report.js';
import { realExports, storyOf, type ShortAgent } from '../../support/stories.js';
import { requestOf, tryGolden } from '../../support/try-golden.js';

/** With what addresses, JSON and HTML write otherwise, as far as a header may hold it. */
const SECRET = 'S3cr/et+"q" & more';
const MENTIONS = /CREDENTIAL|\{%-?\s*credential/;

interface Export {
  schema_version?: number;
  standard_lib_version?: JsonValue;
  agents: { type: string; name: string; options: JsonObject }[];
}

/** An action of a real export whose request carries a credential. */
interface Carrier {
  file: string;
  name: string;
  options: JsonObject;
  language: JsonObject;
  credentials: string[];
}

function carriers(): Carrier[] {
  return realExports().flatMap(([file, text]) => {
    const all: Export[] = [];
    collect(JSON.parse(text), all);
    return all.flatMap((story) =>
      story.agents
        .filter(
          ({ type, options }) =>
            type === 'Agents::HTTPRequestAgent' && MENTIONS.test(JSON.stringify(options)),
        )
        .map(({ name, options }) => ({
          file,
          name,
          options,
          language: {
            schema_version: story.schema_version ?? 1,
            standard_lib_version: story.standard_lib_version ?? null,
          },
          credentials: namesIn(JSON.stringify(options)),
        })),
    );
  });
}

function collect(value: unknown, found: Export[]): void {
  if (Array.isArray(value)) for (const item of value) collect(item, found);
  else if (typeof value === 'object' && value !== null) {
    if ('agents' in value && Array.isArray(value.agents)) found.push(value as Export);
    for (const part of Object.values(value)) collect(part, found);
  }
}

function namesIn(text: string): string[] {
  const found = text.matchAll(/CREDENTIAL\.([A-Za-z0-9_]+)|\{%-?\s*credential\s+([^%]+?)\s*-?%\}/g);
  return [...new Set([...found].map(([, dotted, tag]) => dotted ?? tag ?? ''))];
}

/** Returns the requests that these actions send one after the other. */
async function sent(agents: Record<string, ShortAgent>, { language, credentials }: Carrier) {
  const receive: ShortAgent = ['Webhook', { path: 'go', secret: 's', verbs: 'post' }];
  const chain = ['Receive', ...Object.keys(agents)].join(' > ');
  const story = storyOf({ Receive: receive, ...agents }, [chain], language);
  const report = await tryGolden(requestOf(JSON.stringify(story)), {
    start: { agent: 'Receive', payload: {} },
    values: { credentials: Object.fromEntries(credentials.map((name) => [name, SECRET])) },
    answers: [
      { url: '*', status: 200 },
      { url: '*', status: 200, answer: {} },
    ],
  } as never);
  const requests = entriesOf(report, 'request').map(({ method, url, headers, body }) => {
    const { 'idempotency-key': _key, ...others } = headers;
    return { method, url, headers: others, body };
  });
  const shown = JSON.stringify(entriesOf(report, 'event').map(({ payload }) => payload));
  return { requests, shown, errors: entriesOf(report, 'dead_letter').map(({ error }) => error) };
}

const found = carriers();
const describeIfThere = found.length > 0 ? describe : describe.skip;

describeIfThere('actions of real exports (beside the checkout; skipped where they are missing)', () => {
  test('a token that is built in one action and sent by the next arrives as if it were one action', async () => {
    let compared = 0;
    for (const carrier of found) {
      const { url, method = 'get', headers = {}, basic_auth: basicAuth } = carrier.options;
      const parts = { url: url ?? '', headers, ...(basicAuth !== undefined && { basic_auth: basicAuth }) };
      if (!MENTIONS.test(JSON.stringify(parts))) continue;
      const whole = await sent({ Send: ['HTTPRequest', { method, ...parts }] }, carrier);
      if (whole.errors.length > 0) continue;
      const isLiquid = languageOf(carrier.language as never) === 'liquid';
      const from = (key: string) => (isLiquid ? `{{ .made.${key} | as_object }}` : `=made.${key}`);
      const handed = Object.fromEntries(Object.keys(parts).map((key) => [key, from(key)]));
      const inTwo = await sent(
        {
          Made: ['EventTransformation', { mode: 'message_only', payload: parts }],
          Send: ['HTTPRequest', { method, ...handed }],
        },
        carrier,
      );
      expect([carrier.file, carrier.name, inTwo.requests, inTwo.errors]).toEqual([
        carrier.file,
        carrier.name,
        whole.requests,
        [],
      ]);
      expect(inTwo.shown).not.toContain(SECRET);
      expect(inTwo.shown).not.toContain('~fabula-secret~');
      compared += 1;
    }
    expect(compared).toBeGreaterThan(200);
  });

  test('the export that keeps a header in an event still sends it from there', async () => {
    const [file, text] = realExports().find(([name]) => name === 'v01-scrub-sts-pagerduty.json')!;
    const stories: Export[] = [];
    collect(JSON.parse(text), stories);
    const debug = stories.flatMap(({ agents }) => agents).find(({ name }) => name === 'Debug')!;
    const carrier = {
      file,
      name: 'Debug',
      options: {},
      language: { schema_version: 1, standard_lib_version: null },
      credentials: ['pagerduty'],
    };
    const { requests, shown } = await sent(
      {
        Debug: ['EventTransformation', debug.options],
        Send: [
          'HTTPRequest',
          {
            url: 'https://api.pagerduty.test/',
            method: 'get',
            headers: { authorization: '{{ .debug.Authorization }}' },
          },
        ],
      },
      carrier,
    );
    expect(requests[0]!.headers['authorization']).toBe(`Token token=${SECRET}`);
    expect(shown).toContain('[credential pagerduty]');
    expect(shown).not.toContain(SECRET);
  });
});
