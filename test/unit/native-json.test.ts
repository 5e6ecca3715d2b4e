import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/** `JSON`, `res.json(…)` and copies by the platform: each of them rounds numbers and sorts keys (decision 0038). */
const NATIVE = /\bJSON\s*(?:\?\.|\.)\s*(?:parse|stringify)\b|=\s*JSON\b|\.json\(|\bstructuredClone\b/;

const IDS = 'ids and times of our own rows, as the parameter of a statement';
const QUOTED = 'a text is quoted for a message';
const ESCAPED = 'a text is escaped or unescaped as JSON escapes it';
const API_DOCS = 'descriptions and examples of the API, written by us';
const OWN_FILE = 'a file that this installation wrote';
const PROGRAMS = 'quotes texts of a program that people copy';
const EXACT_WRITTEN = 'long numbers of parseExact are written with all digits';
const LIVE_EVENTS = 'ids, times, names and messages of live events';

/** Files that may use them, each with the reason why no number and no key of a user goes through. */
const ALLOWED: Record<string, string> = {
  'src/platform/json/exact-number.ts': 'what everybody else uses is made of it',
  'src/platform/json/parse-json.ts': 'what everybody else uses is made of it',

  'src/agents/options/checked-options.ts': 'descriptions of our own schemas are compared',
  'src/web/mcp/api-over-http.ts': 'messages of an error response',
  'src/web/mcp/mcp-server.ts': 'messages of an error response',
  'src/api/routing/mount-routes.ts': 'a key of roles',
  'src/engine/dispatch/queue-pauses.ts': 'who paused a queue, kept in Redis',
  'src/operate/cli/commands/mail-commands.ts': 'settings of a mail server, all texts',
  'src/stories/versions/version-snapshot.ts': 'texts of columns in a snapshot',
  'src/web/webhooks/run-chains.ts': 'counts of runs, kept in Redis',
  'src/api/response/error-handler.ts': 'messages and names of fields',
  'src/api/openapi/components.ts': API_DOCS,
  'src/api/openapi/pages/curl-example.ts': API_DOCS,
  'src/api/openapi/pages/docs-page.ts': API_DOCS,
  'src/api/openapi/pages/docs-router.ts': API_DOCS,
  'src/api/openapi/pages/illustrate.ts': API_DOCS,
  'src/api/openapi/json-schema.ts': API_DOCS,
  'src/api/openapi/pages/reader-page.ts': API_DOCS,
  'src/api/openapi/schema-fields.ts': API_DOCS,
  'src/operate/backup/manifest-file.ts': OWN_FILE,
  'src/operate/backup/spool-copy.ts': 'a spooled run, whose payload is a text',
  'src/operate/backup/tenant/export-tenant.ts': 'the id of a spooled story, and marks of our own',
  'src/operate/backup/tenant/import-tenant.ts': 'a row, whose values are texts',
  'src/operate/backup/tenant/row-line.ts': 'a row, whose values are texts',
  'src/data/cases/case-store.ts': 'closure conditions: names and formulas, which are texts',
  'src/data/cases/notifications/notification-store.ts': IDS,
  'src/operate/cli/build-facts.ts': 'our own package',
  'src/operate/cli/start/processes/child-log.ts': 'a log line of a process of ours',
  'src/operate/cli/stores/cli-live-events.ts': LIVE_EVENTS,
  'src/operate/cli/seed/demo-story.ts': 'a layout that we wrote',
  'src/operate/cli/seed/seed-store.ts': 'the secret of a webhook that we made',
  'src/console/text/exact-json.ts': 'keeps the digits where the browser can',
  'src/console/story-model/settings-beside-options.ts': 'a path, which names a step of the history',
  'src/console/pages/editor/canvas/pasted-references.ts': 'a text to search for names',
  'src/console/pages/editor/trial/rule-store.ts': 'a text whose length is counted',
  'src/console/api/live.ts': LIVE_EVENTS,
  'src/console/pages/story/tabs/kept-settings.ts': 'settings of a form, which are texts, ids and ticks',
  'src/console/api/send-to.ts': 'sessions',
  'src/console/inspector/form/value-kinds.ts': EXACT_WRITTEN,
  'src/console/inspector/template-field/completions.ts':
    'a key in quotes, and a value that is shown and never sent',
  'src/console/pages/editor/editor-data.ts': EXACT_WRITTEN,
  'src/console/pages/editor/publish/difference-groups.ts': 'values that are shown and never sent',
  'src/console/pages/editor/request-import/openapi/operation-parameters.ts':
    'an example of a document, to be changed',
  'src/console/pages/editor/sample/templates-in.ts': 'a key of a path',
  'src/console/pages/editor/save/journal.ts': EXACT_WRITTEN,
  'src/console/api/use-kept-edit.ts': 'two texts of a person',
  'src/observe/dead-letters/canary/canary-letter-store.ts':
    'ids of our own rows and kinds of errors, all texts',
  'src/console/pages/stories/new/story-of-call.ts': EXACT_WRITTEN,
  'src/console/pages/story/start/start-data.ts': EXACT_WRITTEN,
  'src/console/request-import/import-curl.ts': 'looks for placeholders in options',
  'src/console/story-model/commands/action-commands.ts': 'a key of a path',
  'src/console/story-model/fragment/fragment-text.ts': EXACT_WRITTEN,
  'src/console/text/formats/json-format.ts': EXACT_WRITTEN,
  'src/language/mentions/missing-paths.ts': 'a key in quotes',
  'src/stories/openapi/imported-document.ts': 'a document whose examples are proposals',
  'src/stories/openapi/openapi-task.ts': 'the size of a response is measured',
  'src/stories/rename/json-text-places.ts': 'a text is unescaped to find places in it',
  'src/console/pages/gallery/gallery-story.ts':
    'files of the gallery, which are ours; the export goes as its text',
  'src/console/pages/gallery/picture/picture.ts': 'a layout that we wrote',
  'src/console/pages/gallery/sample/sample-data.ts':
    'answers of the gallery, and what a trial did; the event goes as its text',
  'src/console/pages/gallery/sample/sample-input.ts': 'a text is checked, and sent as it is',
  'src/console/pages/case/aside/metadata-value.ts': 'a typed number that would be rounded stays text',
  'src/console/pages/editor/view-store.ts': 'a name of a text, made of keys',
  'src/console/pages/records/value-text.ts': 'a value in a cell, which is shown and never sent',
  'src/console/pages/resources/edited-value.ts':
    'JSON is set in lines only if that changes nothing else; it is sent as the text that it is',
  'src/people/teams/team-value-changes.ts': IDS,
  'src/api/idempotency/idempotency.ts': 'status, headers and the text of a response',
  'src/web/mcp/split-message.ts': 'names of members; their values stay as they are written',
  'src/api/openapi/api-description.ts': 'documents of our own',
  'src/operate/backup/tenant/manifest-signature.ts': 'what is signed is of our own',
  'src/operate/backup/tenant/webhook-paths.ts':
    'cells of a copy, which are texts; the line is copied as it is',
  'src/operate/cli/start/start-record.ts': 'settings, which are texts',
  'src/platform/json/json-members.ts': 'a name of a member',
  'src/console/pages/run/again/again-data.ts':
    'a text is checked and sent as it is; the page warns of numbers that it has rounded',
  'src/console/pages/runs/saved-views.ts': 'names and queries of views',
  'src/console/ui/json-view/value-path.ts': 'a key in quotes',
  'src/console/pages/webhooks/calls/javascript-call.ts': PROGRAMS,
  'src/console/pages/webhooks/calls/python-call.ts': PROGRAMS,
  'src/console/pages/stories/import/import-data.ts':
    'findings of a check; the export itself goes as its text',
  'src/data/credentials/credential-store.ts': 'a list of hosts',
  'src/operate/embedded/private-file.ts': OWN_FILE,
  'src/operate/embedded/redis-store.ts': QUOTED,
  'src/operate/embedded/run-lock.ts': OWN_FILE,
  'src/engine/accept/run-writer.ts': 'the lineage: slugs and ids of events',
  'src/engine/commit/claims/clear-memory.ts': 'counters of deduplicate',
  'src/engine/commit/reemit.ts': 'an event that never differs',
  'src/engine/dispatch/adding/emission.ts': 'the lineage: slugs and ids of events',
  'src/engine/dispatch/held-store.ts': IDS,
  'src/platform/runtime/source-places.ts': 'a source map of our own bundle',
  'src/platform/redis/shared-value.ts': 'names of queues, ids, counts and times',
  'src/operate/monitoring/inbox/history/inbox-history-store.ts': 'names, ids and counts of entries',
  'src/trial/story/trial-start.ts': 'the lineage: slugs and ids of events',
  'src/engine/execute/call/mail-progress.ts': 'digests of addresses',
  'src/engine/implode/parked-store.ts': IDS,
  'src/engine/recovery/dead-letter-store.ts': IDS,
  'src/operate/monitoring/notices/watches/action-watch-store.ts': IDS,
  'src/engine/recovery/relay-store.ts': IDS,
  'src/engine/retention/stores/expiry-retention-store.ts': IDS,
  'src/engine/retention/stores/retention-rows-store.ts': IDS,
  'src/engine/secrets/opened-secrets.ts': ESCAPED,
  'src/engine/secrets/redaction/written-request.ts': 'the texts of a request, and sizes that we counted',
  'src/engine/secrets/redaction/response-to-keep.ts': 'the texts of a response, and sizes that we counted',
  'src/engine/state/events/log-store.ts': IDS,
  'src/engine/state/deliveries/deduplicate-store.ts': 'digests and their order',
  'src/engine/state/deliveries/delivery-store.ts': IDS,
  'src/engine/state/deliveries/implode-store.ts': IDS,
  'src/agents/lineage.ts': 'the lineage: slugs and ids of events',
  'src/stories/versions/last-change-store.ts': IDS,
  'src/stories/activity/memory-store.ts': 'counters and times of deduplicate and throttle',
  'src/engine/live/live-events.ts': LIVE_EVENTS,
  'src/engine/state/runs/run-store.ts': IDS,
  'src/stories/activity/story-deliveries-store.ts': IDS,
  'src/language/filters/json-filters.ts': ESCAPED,
  'src/language/formula/functions/values/times.ts': QUOTED,
  'src/language/formula/parsing/lexer.ts': QUOTED,
  'src/language/formula/evaluation/numbers.ts': QUOTED,
  'src/language/liquid/ruby/operators.ts': ESCAPED,
  'src/language/liquid/tags/cycle-tag.ts': 'a key of texts',
  'src/language/patterns.ts': QUOTED,
  'src/language/secret-scrubber.ts': ESCAPED,
  'src/language/signed-token.ts': 'a key in the form of RFC 7517, whose members are texts',
  'src/platform/http/server/create-server.ts': 'messages of our own',
  'src/platform/http/server/health-router.ts': 'messages of our own',
  'src/platform/logger.ts': 'a log line',
  'src/platform/readable-log.ts': 'a log line',
  'src/platform/runtime/product-root.ts': 'our own package',
  'src/platform/outbound/http/connections.ts': 'a key of settings',
  'src/platform/addresses/database-address.ts': 'an option in the address of the database',
  'src/platform/threads/pool-thread.ts': QUOTED,
  'src/platform/validation/partial-input.ts': 'the copy is made of packed values, which keep both',
  'src/data/records/types/record-type-store.ts': 'the allowed values of a field, which are texts',
  'src/data/records/types/record-type-write-store.ts': 'the allowed values of a field, which are texts',
  'src/observe/statistics/count/run-count-store.ts': IDS,
  'src/observe/stream/scoped-live-event.ts': LIVE_EVENTS,
  'src/observe/stream/stream-event.ts': LIVE_EVENTS,
  'src/observe/stream/stream-feed.ts': LIVE_EVENTS,
  'src/stories/diff/value-changes.ts': QUOTED,
  'src/stories/import/plan/guid-map.ts':
    'keys of a layout, which are guids; its positions stay as they are written',
  'src/stories/agents/write/layout.ts': 'keys of a layout, which are guids, and positions on the board',
  'src/stories/schedules/due-schedule-store.ts': IDS,
  'src/stories/schedules/schedule-store.ts': IDS,
  'src/stories/list/story-list-store.ts': QUOTED,
  'src/data/tags/tag-store.ts': QUOTED,
  'src/web/webhooks/calls/call-log.ts': 'times, addresses and messages of calls',
  'src/app/worker/loop-watchdog.ts': 'a log line',
  'src/platform/json/strict-json.ts': 'keys, and values that are only checked: parseJson reads them',
  'src/stories/tests/without-tests.ts': 'the name of a key',
  'src/stories/git/sync/open-rounds.ts': 'a digest of rows of our own',
  'src/stories/git/sync/synced-story-pull.ts': 'the name of a story',
  'src/stories/git/sync/sync-types.ts': 'a report of our own, in texts',
  'src/stories/promotions/plan/continued-actions.ts': 'guids of actions',
  'src/stories/promotions/plan/promotion-merge-task.ts': 'addresses of webhooks',
  'src/stories/promotions/write/write-promotion.ts': 'names in texts',
  'src/stories/steps/step-presenter.ts': 'types of actions',
  'src/stories/steps/step-service.ts': 'types of actions',
  'src/console/pages/promotions/promotions-data.ts': 'the bundle is sent as its text',
  'src/console/pages/story/tests/edit/answer-text.ts': 'numbers keep their digits in values of parseExact',
  'src/console/pages/story/tests/edit/matchers.ts': 'numbers keep their digits in values of parseExact',
  'src/stories/merge/story-merge-task.ts': 'a fault, in words',
  'src/stories/steps/updates/update-story-task.ts': 'a fault, in words',
  'src/stories/import/plan/pair-by-name.ts': 'a type and a name, to be compared',
  'src/console/pages/editor/publish/test-names.ts': 'a name in a path',
  'src/console/pages/steps/step-words.ts': 'a guid and a path, to be compared',
  'src/console/pages/story/tests/model/expect-found.ts': 'a key of a path',
  'src/console/pages/story/tests/model/test-shape.ts': 'numbers keep their digits in values of parseExact',
};

function sourceFiles(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

/** Whether the code uses one of them; comments may speak of anything. */
function usesNative(name: string): boolean {
  const text = readFileSync(path.join(ROOT, name), 'utf8');
  return NATIVE.test(text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, ''));
}

describe('JSON of users keeps its digits and the order of its keys', () => {
  const native = [...sourceFiles('src'), ...sourceFiles('workers')].filter(usesNative);

  it('goes through parseJson and stringifyJson: any other file has a reason', () => {
    expect(native.filter((name) => !(name in ALLOWED))).toEqual([]);
  });

  it('has no reason for a file that needs none', () => {
    expect(Object.keys(ALLOWED).filter((name) => !native.includes(name))).toEqual([]);
  });
});
