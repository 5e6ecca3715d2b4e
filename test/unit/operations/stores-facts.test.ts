import { readdirSync, readFileSync } from 'node:fs';
import { testPageFacts } from '../../support/page-facts.js';

testPageFacts({
  'operate/store-errors': [
    [
      'the transaction is tried up to five times',
      'src/platform/mysql/commit/retry-conflicts.ts',
      'MAX_TRIES = 5',
    ],
    ['the third time row by row', 'src/platform/mysql/database.ts', 'TRIES_WITH_RESERVED_IDS = 2'],
    ['tried for three seconds', 'src/engine/accept/run-writer.ts', 'RETRY_FOR_MS = 3_000'],
  ],
  'operate/spool': [
    ['checks them again every 30 s', 'src/web/webhooks/preload/webhook-preload.ts', 'PASS_EVERY_MS = 30_000'],
    ['(a page of 200 reads only versions', 'src/web/webhooks/preload/webhook-preload.ts', 'PAGE = 200'],
    ['At most 20,000 webhooks', 'src/web/webhooks/preload/webhook-preload.ts', 'webhooks: 20_000'],
    ['and 128 MiB are cached', 'src/web/webhooks/preload/webhook-preload.ts', 'bytes: 128 * 1024 * 1024'],
    ['at most every five seconds (`INFO', 'src/engine/accept/redis-memory.ts', 'ASK_EVERY_MS = 5_000'],
  ],
  'operate/key-rotation': [
    ['for five seconds at most', 'src/engine/secrets/team-values-loader.ts', 'FRESH_MS = 5_000'],
  ],
  'operate/doctor': [
    ['each for at most ten seconds', 'src/operate/cli/doctor-checks.ts', 'CHECK_LIMIT_MS = 10_000'],
    ['each check has three seconds', 'src/operate/doctor/doctor-service.ts', 'CHECK_LIMIT_MS = 3_000'],
  ],
  'operate/logs': [['for fifteen minutes', 'src/platform/runtime/debug-signal.ts', 'DEBUG_MS = 15 * 60_000']],
  'operate/board': [
    ['after an hour without use', 'src/web/admin/admin-sessions.ts', 'IDLE_MS = 60 * 60_000'],
    ['after twelve hours in any case', 'src/web/admin/admin-sessions.ts', 'LONGEST_MS = 12 * 60 * 60_000'],
    ['After ten wrong passwords', 'src/platform/http/limits/guess-limits.ts', 'free: 10,'],
    ['a tenth of a second at first', 'src/platform/http/limits/guess-limits.ts', 'paceMs: 100'],
    ['up to fifteen seconds', 'src/platform/http/limits/guess-limits.ts', 'longestPaceMs: 15_000'],
    ['fifteen minutes without a wrong', 'src/platform/http/limits/guess-limits.ts', 'windowMs: 15 * 60_000'],
    ['one waited for thirty seconds', 'src/platform/http/limits/guess-limits.ts', 'longestWaitMs: 30_000'],
    ['If more than a hundred are waiting', 'src/platform/http/limits/guess-limits.ts', 'maxWaiting: 100'],
    ['counted up to 10,000', 'src/web/admin/board/asleep-store.ts', 'MOST_COUNTED_ASLEEP = 10_000'],
    ['a queue, 60 minutes', 'src/app/worker/queue-worker.ts', 'BOARD_MINUTES = 60'],
    ['today and yesterday every ten seconds', 'src/web/admin/board/board-history.ts', 'FRESH_MS = 10_000'],
    ['at most once an hour', 'src/web/admin/board/board-history.ts', 'SETTLED_MS = HOUR_MS'],
    ['a chart waits 1.5 seconds', 'src/web/admin/board/board-history.ts', 'PATIENCE_MS = 1_500'],
  ],
  'operate/statistics': [
    ['Every ten seconds a worker', 'src/observe/statistics/count/statistics-counter.ts', 'PAUSE_MS = 10_000'],
    ['(2,000 events', 'src/observe/statistics/count/counting-steps.ts', 'EVENTS = 2_000'],
    ['500 runs', 'src/observe/statistics/count/counting-steps.ts', 'RUNS = 500'],
    ['1,000 dead letters)', 'src/observe/statistics/count/counting-steps.ts', 'LETTERS = 1_000'],
    ['the next 2,000 of them', 'src/observe/statistics/count/counting-steps.ts', 'OPEN_RUNS = 2_000'],
    ['last 30 seconds', 'src/observe/statistics/count/statistics-counter.ts', 'HOLD_BACK_SECONDS = 30'],
    [
      'after 3 seconds the page',
      'src/platform/mysql/connections/connection-settings.ts',
      'innodb_lock_wait_timeout = 3',
    ],
    [
      'deleted once an hour',
      'src/observe/statistics/count/statistics-counter.ts',
      'DELETE_EVERY_MS = 60 * 60_000',
    ],
    [
      '1,000 rows of each table',
      'src/observe/statistics/count/statistics-counter.ts',
      'DELETED_AT_ONCE = 1_000',
    ],
    ['kept for six hours', 'src/observe/statistics/count/minute-count-store.ts', 'MINUTES_KEPT_HOURS = 6'],
    [
      '`could not count statistics`',
      'src/observe/statistics/count/statistics-counter.ts',
      "'could not count statistics'",
    ],
  ],
});

test('the tables of statistics are written by the counter alone', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const writes =
    /\b(?:INTO|UPDATE) (?:story_counts|story_minutes|agent_counts|duration_counts|uncounted_ends)\b/;
  const writers = files.filter((name) => writes.test(readFileSync(`src/${name}`, 'utf8')));
  expect(writers.length).toBeGreaterThan(0);
  expect(writers.filter((name) => !name.startsWith('observe/statistics/count/'))).toEqual([]);
});
