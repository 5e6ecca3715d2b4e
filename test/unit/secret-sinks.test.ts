import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FILTERS } from '../../src/language/filters/all-filters.js';
import { FUNCTIONS } from '../../src/language/formula/functions/all-functions.js';
import { secretPolicy } from '../../src/language/secrets/secret-policy.js';

/**
 * Every place that renders templates, reads stored events, or sends. A new one needs a line that says whether references to
 * secrets may get there, and what keeps secrets in (decision 0026); then a test of its own.
 */
const PLACES: Record<string, { pattern: RegExp; files: Record<string, string> }> = {
  'renders templates': {
    pattern: /\brenderOptions\(|\blanguage\.render\(/,
    files: {
      'src/data/credentials/tokens/http-token.ts':
        'the request for a token: its own secret alone, sent to its own address; errors name no value',
      'src/engine/execute/scheduling/loop-iterations.ts':
        'options of an action, on the loop: references; they leave by the clients alone',
      'src/engine/execute/scheduling/plain-iterations.ts':
        'options of each round, page and setting: the same; answers come redacted',
      'src/engine/execute/scheduling/thread-work.ts':
        'the same in a thread, which knows the key that signs, and of secrets those that it checks signatures with',
      'src/language/option-renderer.ts': 'does it for the others',
      'src/trial/previews/preview-task.ts':
        'previews: credentials are markers before it (preview-service.ts)',
      'src/trial/previews/preview-values-task.ts': 'previews of many templates: the same',
      'src/web/webhooks/responses/webhook-response.ts':
        'webhook responses: credentials are markers before it (configured-answer.ts)',
    },
  },
  'reads what events hold': {
    pattern: /\bpayload\b[^;]*\bFROM\b[^;]*\bevents\b|\be\.payload\b/,
    files: {
      'src/operate/archive/archive-run-store.ts':
        'for the archive, which keeps references as they are stored',
      'src/operate/backup/tenant/tables/work-tables.ts':
        'names the columns of a copy, in which references stay references',
      'src/engine/state/deliveries/call-store.ts':
        'results of called runs, which become an event: references stay references',
      'src/engine/state/deliveries/delivery-store.ts': 'for the engine: references',
      'src/engine/state/events/event-store.ts':
        'for the engine, emitting again, and clicks on prompts: references',
      'src/observe/events/event-view-store.ts': 'for the API: shown by event-views.ts alone, with markers',
      'src/observe/search/payload-match-store.ts':
        'compares whole values as they are stored, and gives none: references stay references',
      'src/observe/subjects/run-subject-store.ts': 'gives them to run-subjects.ts alone, which puts markers',
      'src/observe/search/values/first-events-store.ts':
        'for the search: hashes of values without references and secrets, or compared as above',
      'src/web/webhooks/responses/response-store.ts': 'awaited answers: markers',
    },
  },
  'reads payloads for the API': {
    pattern: /\bfindPayloads\(/,
    files: {
      'src/observe/events/event-view-store.ts': 'gives them as they are stored',
      'src/observe/events/event-views.ts': 'parses them with markers',
      'src/trial/previews/sample.ts': 'what a preview sees: markers before a thread gets it',
      'src/trial/start/load-past-run.ts': 'a past run for a trial: markers before a thread gets it',
      'src/trial/start/load-trial-start.ts': 'the event that a trial begins with: the same',
    },
  },
  'gives what is kept of requests': {
    pattern:
      /\b(?:writtenRequest|responseToKeep|findEventRequest|findLineRequest|findExchanges)\(|\.request\b[^;`]*\bFROM\b/,
    files: {
      'src/operate/archive/archive-run-store.ts': 'for the archive: markers, as they are stored',
      'src/engine/secrets/redaction/sent-requests.ts':
        'builds a request with markers, and redacts it before it is cut (test/unit/sent-requests.test.ts)',
      'src/engine/secrets/redaction/written-request.ts': 'writes it for the others',
      'src/engine/secrets/redaction/response-to-keep.ts':
        'writes a response, which it redacts before it is cut (test/unit/engine/kept-responses.test.ts)',
      'src/engine/execute/kept-exchange.ts': 'takes it to the line of the log',
      'src/engine/state/events/log-store.ts': 'tells whether one is kept',
      'src/observe/attempts/attempt-store.ts': 'gives both as they are stored',
      'src/observe/attempts/attempt-views.ts': 'for the API: markers',
      'src/observe/sent-requests/sent-request-service.ts': 'for the API: markers',
      'src/observe/sent-requests/sent-request-store.ts': 'gives it as it is stored',
    },
  },
  'puts markers in the place of references': {
    pattern: /\b(?:withMarkers|jsonWithMarkers|valueWithMarkers)\(/,
    files: {
      'src/agents/http-request/masked-request.ts': 'a request to be kept, which is built with them',
      'src/operate/archive/archived-lines.ts': 'archived events and inputs of runs, before they are parsed',
      'src/platform/secrets/secret-signer.ts': 'what comes in: webhook calls, and runs that are asked for',
      'src/engine/execute/to-outcome.ts': 'records',
      'src/engine/secrets/redaction/redactor.ts': 'logs, errors, and what comes back',
      'src/engine/secrets/secret-senders.ts': 'tells an option that is one reference',
      'src/observe/events/event-views.ts': 'events, their past, and inputs of runs',
      'src/observe/attempts/attempt-views.ts': 'requests that were sent, and responses',
      'src/observe/subjects/run-subjects.ts': 'first events, before a template or a rule sees them',
      'src/language/prompt-link.ts': 'names of prompts',
      'src/trial/previews/preview-service.ts': 'the credentials that a preview sees',
      'src/trial/previews/sample.ts': 'the events that a preview sees',
      'src/language/secrets/secret-calls.ts': 'functions and filters',
      'src/platform/secrets/secret-reference.ts': 'does it for the others',
      'src/trial/start/load-past-run.ts': 'past runs for trials of stories',
      'src/trial/start/load-trial-start.ts': 'the event that a trial begins with',
      'src/trial/report/trial-journal.ts': 'events of a dry run',
      'src/trial/action/trial-outcome.ts': 'what an action tried by hand would do',
      'src/trial/action/try-action.ts': 'options and requests of an action tried by hand',
      'src/web/webhooks/responses/configured-response.ts': 'webhook responses',
      'src/web/webhooks/responses/response-store.ts': 'awaited answers',
    },
  },
  'knows secrets in clear': {
    pattern: /\.decrypt\(|\blistValues\(teamId|\bsecret\??\.open\(|\blistSecrets\(|\bsecrets\.open\(/,
    files: {
      'src/app/response-seal.ts':
        'opens kept responses to requests with an Idempotency-Key, for their sender',
      'src/operate/backup/tenant/secret-move.ts': 'seals it under the key of another installation',
      'src/operate/cli/start/start-record.ts': 'settings of a running start, for commands beside it',
      'src/data/credentials/credential-service.ts': 'opens what is stored',
      'src/data/credentials/keys/key-rotation.ts': 'seals it under another key',
      'src/data/credentials/credential-plan.ts': 'seals it under another name',
      'src/data/credentials/oauth/oauth-connect.ts': 'the state of a sign-in at a token server',
      'src/data/credentials/oauth/oauth-grants.ts':
        'client secrets and refresh tokens, for the token server alone',
      'src/data/credentials/test-value.ts': 'merges a change into its settings',
      'src/data/credentials/testing/credential-tester.ts':
        'tests a credential: the answer has a message, a host without the secret, a status and a time',
      'src/data/credentials/tokens/secret-source.ts': 'settings of a mode, to make its token',
      'src/data/credentials/tokens/token-cache.ts': 'tokens of all processes, stored sealed',
      'src/engine/secrets/opened-secrets.ts': 'makes secrets of references',
      'src/engine/secrets/secret-senders.ts': 'for requests and mails',
      'src/engine/secrets/team-secrets.ts': 'keeps them sealed for seconds',
      'src/engine/secrets/team-values-loader.ts': 'resources, which are no secrets',
      'src/data/mails/mail-settings-service.ts': 'a tenant’s mail server, for the mailer',
      'src/observe/search/values/known-secrets.ts': 'tells values that the search must not index',
      'src/stories/git/api/repository-service.ts':
        'tells whether the team may use a credential, and opens none',
      'src/stories/git/sync/repository-sync.ts': 'a login or a key for git, in a file of its private folder',
    },
  },
};

const ROOT = path.resolve(__dirname, '../..');
const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/${name.replaceAll('\\', '/')}`);
const code = (name: string) =>
  readFileSync(path.join(ROOT, name), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');

test.each(Object.entries(PLACES))('every file that %s is listed', (_what, { pattern, files: known }) => {
  expect(files.filter((name) => pattern.test(code(name))).toSorted()).toEqual(Object.keys(known).toSorted());
});

test('each function and filter that meets references is in a language', () => {
  const names = new Set(
    [...Object.keys(FILTERS), ...FUNCTIONS.map(({ name }) => name)].map((name) => name.toLowerCase()),
  );
  const met = [...names].filter((name) => secretPolicy(name) !== undefined);
  // None is lost by being renamed; a new one sees markers until it is added.
  expect(met.length).toBeGreaterThan(140);
  for (const name of ['upcase', 'split', 'slice', 'regex_extract', 'sha256', 'hmac_sha256']) {
    expect(names.has(name)).toBe(true);
  }
});

/** Functions that search a value for a given text, or read parts of it: deferred, they would reveal the secret. */
const LOOKING =
  /replace|remove|split|slice|left|right|trunc|contain|match|regex|index|count|starts|ends|pad|repeat|case|size|words|^lines|first|last/;

test('nothing that looks into a text is deferred', () => {
  const names = [...Object.keys(FILTERS), ...FUNCTIONS.map(({ name }) => name)];
  const deferred = names.filter((name) => ['deferred', 'whole', 'pieces'].includes(secretPolicy(name) ?? ''));
  expect(deferred.filter((name) => LOOKING.test(name.toLowerCase()))).toEqual([]);
});
