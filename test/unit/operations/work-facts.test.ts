import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { testPageFacts } from '../../support/page-facts.js';

testPageFacts({
  'operate/monitoring': [
    ['within half a minute', 'src/operate/monitoring/notices/failure-notifier.ts', 'PAUSE_MS = 30_000'],
    [
      '20 actions in one mail',
      'src/operate/monitoring/notices/watches/action-watcher.ts',
      'MOST_ACTIONS = 20',
    ],
    [
      'once a minute, 1,000 at a time',
      'src/operate/monitoring/notices/watches/action-watcher.ts',
      'PAUSE_MS = 60_000',
    ],
    [
      'once a minute, 1,000 at a time',
      'src/operate/monitoring/notices/watches/action-watcher.ts',
      'AGENTS = 1_000',
    ],
    ['six attempts, up to 1, 3', 'src/operate/monitoring/outbox/notice-sender.ts', 'MAX_ATTEMPTS = 6'],
    ['27 and 60 minutes', 'src/operate/monitoring/outbox/notice-sender.ts', '{ first: 60, most: 3600 }'],
    [
      '`gave up sending a notice`',
      'src/operate/monitoring/outbox/notice-sender.ts',
      "'gave up sending a notice'",
    ],
    ['due notices every five seconds', 'src/operate/monitoring/outbox/notice-sender.ts', 'PAUSE_MS = 5_000'],
    ['200 to 299 within ten seconds', 'src/platform/outbound/signed-post.ts', 'TIMEOUT_MS = 10_000'],
    ['waits for up to an hour', 'src/operate/monitoring/digest/digest-maker.ts', 'PATIENCE_MS = 3_600_000'],
    ['of five seconds are shared', 'src/operate/monitoring/shared-by-scope.ts', 'SHARED_MS = 5_000'],
  ],
  'operate/retention': [
    ['40 days; each process', 'src/people/quotas/quota-store.ts', 'KEPT_DAYS = 40'],
    ['deleted within a minute', 'src/engine/retention/retention-loop.ts', 'PAUSE_MS = 60_000'],
    ['every quarter of an hour', 'src/engine/retention/retention-loop.ts', 'THOROUGH_EVERY_MS = 15 * 60_000'],
    ['waits up to 90 seconds', 'src/operate/cli/commands/retention-command.ts', 'WAIT_MS = 90_000'],
    ['(`"message":"retention"`', 'src/engine/retention/retention-loop.ts', "logger.info('retention'"],
    [
      'no other process starts a pass for a minute',
      'src/platform/mysql/lease/work-lease.ts',
      'LEASE_SECONDS = 60',
    ],
  ],
  'operate/rolling-release': [
    ['waited for a minute ends', 'src/platform/mysql/schema/migrate.ts', 'WAIT_SECONDS = 60'],
    ['waits for up to 20 s', 'src/platform/mysql/lease/under-lease.ts', 'LEASE_SECONDS = 20'],
    ['after 5 s, lets', 'src/operate/cli/stores/cli-services.ts', 'LOCK_WAIT_SECONDS = 5'],
    ['pass for 3 s, and', 'src/platform/mysql/schema/migrate.ts', 'LOCK_PAUSE_MS = 3_000'],
    ['for about five minutes', 'src/platform/mysql/schema/migrate.ts', 'MAX_TRIES = 40'],
    ['after half a second without a request', 'src/platform/http/server/server-drain.ts', 'QUIET_MS = 500'],
    ['have 60 % of the time', 'src/server.ts', 'WAITS_PATIENCE = 0.6'],
    ['After 80 % all open', 'src/server.ts', 'PATIENCE = 0.8'],
    // A fifth of these 80 %.
    ['after 16 % of the time', 'src/platform/http/server/server-drain.ts', 'LONGEST_WAIT_FOR_QUIET = 0.2'],
    ['Running actions have 60 %', 'src/app/worker/start-worker.ts', 'PATIENCE = 0.6'],
    ['its own processes 8 s', 'src/operate/cli/run-fabula.ts', 'CHILDREN_SHUTDOWN_SECONDS = 8'],
    ['some five seconds later', 'src/engine/recovery/worker-beats.ts', 'PATIENCE = 3'],
  ],
  'operate/dead-letters': [
    ['the oldest 10,000 at most', 'src/observe/dead-letters/dead-letter-params.ts', 'MAX_AT_ONCE = 10_000'],
    [
      'has no such limit',
      'src/operate/cli/commands/dead-letter-commands.ts',
      'deadLetters.retryMany(actor, query, Number.POSITIVE_INFINITY)',
    ],
    ['`ACTION_DEADLINE_SECONDS` (660', 'src/config/variables/run-variables.ts', 'default: 660'],
    ['after 5 s the worker no longer', 'src/engine/execute/cancellation.ts', 'GRACE_MS = 5_000'],
    ['no beats for three seconds', 'src/engine/recovery/worker-beats.ts', 'PATIENCE = 3'],
    ['no beats for three seconds', 'src/engine/recovery/worker-beats.ts', 'BEAT_MS = 1_000'],
    ['or for ten seconds', 'src/engine/recovery/worker-beats.ts', 'PATIENCE_WHILE_CONNECTED = 10'],
    [
      '`a worker process gives no beats`',
      'src/engine/recovery/worker-beats.ts',
      "'a worker process gives no beats",
    ],
    ['locks run out (15 s)', 'src/app/worker/queue-worker.ts', 'LOCK_MS = 15_000'],
    ['the leader (5 s; some', 'src/app/worker/queue-worker.ts', 'STALLED_SCAN_MS = 5_000'],
    ['`WORKER_STALL_SECONDS` (60)', 'src/config/variables/run-variables.ts', 'default: 60'],
    ['up to 1.4 times as long', 'src/app/worker/progress-watch.ts', 'EMPTY_LOOKS = 4'],
    ['up to 1.4 times as long', 'src/app/worker/progress-watch.ts', 'LOOKS = 10'],
    [
      '15 s (5 s outside the workers',
      'src/platform/redis/redis.ts',
      '{ producer: 5_000, worker: 15_000, subscriber: 5_000 }',
    ],
    ['is not the leader: 61 s)', 'src/platform/redis/redis.ts', 'LONGEST_WAIT_MS = 60_000'],
    ['its worker died twice', 'src/app/worker/queue-worker.ts', 'SUSPECT_DEATHS = 2'],
    ['three times in a row', 'src/app/worker/isolated-runner.ts', 'MAX_DEATHS = 3'],
    ['after ten of them', 'src/engine/recovery/missing-jobs.ts', 'MAX_LOSSES = 10'],
  ],
  'operate/run-search': [
    ['the latest 2,000 runs', 'src/observe/search/search-walk.ts', 'MOST_RUNS = 2_000'],
    ['at most three seconds', 'src/observe/search/search-walk.ts', 'MOST_MS = 3_000'],
    ['after 30 to 40 seconds', 'src/observe/search/values/value-indexer.ts', 'HOLD_BACK_SECONDS = 30'],
    ['after 30 to 40 seconds', 'src/observe/search/values/value-indexer.ts', 'PAUSE_MS = 10_000'],
    [
      '`fabula_search_index_lag_seconds`',
      'src/app/metrics/metric-list.ts',
      "'fabula_search_index_lag_seconds'",
    ],
    [
      '`could not index runs for search`',
      'src/observe/search/values/value-indexer.ts',
      "'could not index runs for search'",
    ],
  ],
  'operate/metrics': [
    ['at most once in five seconds', 'src/app/metrics/store-readings.ts', 'EVERY_MS = 5_000'],
    ['does not answer within two', 'src/app/metrics/store-readings.ts', 'LIMIT_MS = 2_000'],
    ['up to 31 above', 'src/platform/metrics/metrics-listener.ts', 'MOST_PORTS = 32'],
  ],
  'operate/backup-and-restore': [
    ['notice it within five seconds', 'src/platform/mysql/schema/epoch.ts', 'HOLD_MS = 5_000'],
    ['after about five minutes', 'src/platform/mysql/schema/migrate.ts', 'MAX_TRIES = 40'],
  ],
  'understand/fault-suite': [
    ['The exit code is 1 if anything', 'test/chaos/run-chaos.ts', 'failures.length === 0) ? 0 : 1'],
    ['It fails if an accepted call', 'test/soak/run-soak.ts', 'result.failures.length === 0 ? 0 : 1'],
  ],
  'operate/redis': [
    ['does not reply within a second', 'src/platform/redis/redis.ts', 'SENTINEL_TIMEOUT_MS = 1_000'],
    ['at most every five seconds', 'src/engine/accept/redis-memory.ts', 'ASK_EVERY_MS = 5_000'],
  ],
  'operate/start-up': [
    ['restarted after 0.5, 1', 'src/operate/cli/start/processes/start-backoff.ts', 'firstMs: 500'],
    ['and then 60 s', 'src/operate/cli/start/processes/start-backoff.ts', 'maxMs: 60_000'],
    ['After a run of a minute', 'src/operate/cli/start/processes/start-backoff.ts', 'goodRunMs: 60_000'],
    ['exits seven times', 'src/operate/cli/start/processes/start-backoff.ts', 'quickDeaths: 6'],
    ['if it ran for 5 s', 'src/operate/cli/start/processes/start-revival.ts', 'WORKED_MS = 5_000'],
    ['(8 s to finish their work', 'src/operate/cli/run-fabula.ts', 'CHILDREN_SHUTDOWN_SECONDS = 8'],
    ['then 1 s), then', 'src/operate/cli/run-fabula.ts', 'CHILDREN_LIMIT_MS = 9_000'],
    ['the stores (4.5 s)', 'src/operate/cli/run-fabula.ts', 'STORES_LIMIT_MS = 4_500'],
    [
      'least a second after the first',
      'src/operate/cli/start/processes/stop-signals.ts',
      'SAME_REQUEST_MS = 1_000',
    ],
    ['after 2, 4, 8 … 60 s', 'src/operate/cli/run-fabula.ts', 'firstMs: 2_000'],
    ['beyond 20 MB', 'src/operate/embedded/log-rotation.ts', 'MAX_BYTES = 20 * 1024 * 1024'],
  ],
});

test('retention names no table of records or cases', () => {
  const folder = 'src/engine/retention';
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'));
  const tables = new Set(texts.join('\n').match(/(?<=\b(?:FROM|JOIN|INTO|UPDATE) )[a-z_]+\b/g));
  expect([...tables]).toEqual(expect.arrayContaining(['events', 'deliveries', 'story_runs']));
  expect([...tables].filter((name) => /^(?:record|case)/.test(name))).toEqual([]);
});

test('each page for operators has its tests, and says of no sentence that it has none', () => {
  const folder = 'docs/operate';
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(20);
  const texts = pages.map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));
  const named = /`(?:test\/[\w/.-]+|npm [^`]+)`/;
  expect(texts.filter(({ text }) => !named.test(text)).map(({ name }) => name)).toEqual([]);
  // This page has a list of what was tried and what was not: it is about platforms that no test can have.
  const aboutPlatforms = 'deploy.md';
  const left = /\bnot (?:yet )?(?:tested|tried)\b|\bnor is it tested\b/i;
  expect(texts.filter(({ text }) => left.test(text)).map(({ name }) => name)).toEqual([aboutPlatforms]);
});
