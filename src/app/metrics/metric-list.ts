import { counter, gauge, histogram } from '../../platform/metrics/metric.js';

/** Seconds of what may wait for other servers, or sleep. */
const SLOW = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400];
/** Seconds of what should be quick: statements, answers, waits in a queue. */
const QUICK = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ITEMS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

const WEB = 'web';
const WORKERS = 'queue workers';
const MAINTENANCE = '`maintenance`, `worker`';
/** Figures of the whole installation, which one process tells (decision 0077). */
const BY_LEADER = 'the leader: a `maintenance` or `worker` process';
const ALL = 'every process';

const QUEUE = 'a queue of the board';
const TYPE =
  'webhook, event_transformation, trigger, http_request, email, send_to_story, record, alone (in a process of its own), unknown (it could not be run)';
const OUTCOME = 'event, none, retry, dead, handled (by failure links), later (sleeping, paused or waiting)';
const WRITER = 'run starts, outcomes';
const POOL = 'shared, group_commit, ids, reader (with DATABASE_READ_URL)';

/**
 * THE list of metrics. A label has a bounded number of values: none is an id, an address or a name, unless
 * `METRICS_STORY_LABEL` asks for ids of stories. The page docs/operate/metrics.md is written from it.
 */
export const METRICS = {
  webhookCalls: counter({
    name: 'fabula_webhook_calls_total',
    help: 'Webhook calls by outcome; each call counts once.',
    labels: {
      outcome:
        'stored, spooled, unauthorized (401), not_found (404), limited (429), bad_request (other 4xx), unavailable (503), unknown (504), failed (500), gone (the caller disconnected)',
    },
    where: WEB,
  }),
  webhookStoreSeconds: histogram({
    name: 'fabula_webhook_store_seconds',
    help: 'Time to store the run of an accepted webhook call.',
    labels: { outcome: 'stored (MySQL), spooled (Redis)' },
    buckets: QUICK,
    where: WEB,
  }),
  apiCalls: counter({
    name: 'fabula_api_calls_total',
    help: 'API calls by route and status class.',
    labels: { method: 'GET, POST …', route: 'the template of the path', class: '2xx … 5xx, aborted' },
    where: WEB,
  }),
  apiCallSeconds: histogram({
    name: 'fabula_api_call_seconds',
    help: 'Time from an API call to the end of its response.',
    labels: { method: 'GET, POST …' },
    buckets: QUICK,
    where: WEB,
  }),
  runsStarted: counter({
    name: 'fabula_runs_started_total',
    help: 'Stored runs.',
    labels: { source: 'webhook, api, schedule, send_to_story' },
    where: ALL,
  }),
  runsEnded: counter({
    name: 'fabula_runs_ended_total',
    help: 'Runs without open work; dead letters do not count as open. Checked once a second.',
    where: ALL,
  }),
  runSeconds: histogram({
    name: 'fabula_run_seconds',
    help: 'Time from the start of a run until it has no open work.',
    buckets: SLOW,
    where: ALL,
  }),
  actions: counter({
    name: 'fabula_actions_total',
    help: 'Stored outcomes of actions; a failed attempt that will be retried counts as retry.',
    labels: { type: TYPE, outcome: OUTCOME },
    where: WORKERS,
  }),
  actionWorkSeconds: histogram({
    name: 'fabula_action_work_seconds',
    help: 'Processing time of an action (templates, requests, mails), without queueing and storing.',
    labels: { type: TYPE },
    buckets: QUICK,
    where: WORKERS,
  }),
  actionQueueSeconds: histogram({
    name: 'fabula_action_queue_seconds',
    help: 'Time from adding a job to Redis until a worker starts it.',
    labels: { queue: QUEUE },
    buckets: QUICK,
    where: WORKERS,
  }),
  storyActions: counter({
    name: 'fabula_story_actions_total',
    help: 'Stored outcomes of actions by story; only with METRICS_STORY_LABEL.',
    labels: { story: 'the id of a story, other', outcome: OUTCOME },
    where: WORKERS,
  }),
  slots: gauge({
    name: 'fabula_slots',
    help: 'Jobs of a queue that the process can run concurrently.',
    labels: { queue: QUEUE },
    where: WORKERS,
  }),
  slotsUsed: gauge({
    name: 'fabula_slots_used',
    help: 'Jobs of a queue that the process is running.',
    labels: { queue: QUEUE },
    where: WORKERS,
  }),
  requests: counter({
    name: 'fabula_http_requests_total',
    help: 'Outgoing HTTP requests by outcome.',
    labels: { class: '1xx … 5xx, no_response, forbidden (by configuration), interrupted, failed' },
    where: ALL,
  }),
  mails: counter({
    name: 'fabula_mails_total',
    help: 'Outgoing mails by outcome.',
    labels: { class: 'sent, partly_refused, refused, waiting (for the quota), failed' },
    where: WORKERS,
  }),
  deliveries: gauge({
    name: 'fabula_deliveries',
    help: 'Deliveries by state, counted up to 100,000 each.',
    labels: {
      state:
        'pending (has a job), waiting (sleeping or to be retried), held (for its share), parked (for a group or a called run)',
    },
    where: BY_LEADER,
  }),
  deadLetters: gauge({
    name: 'fabula_dead_letters',
    help: 'Dead letters, counted up to 100,000.',
    where: BY_LEADER,
  }),
  queueJobs: gauge({
    name: 'fabula_queue_jobs',
    help: 'Jobs of a queue by state.',
    labels: { queue: QUEUE, state: 'waiting, active, delayed (briefly postponed)' },
    where: BY_LEADER,
  }),
  queueOldest: gauge({
    name: 'fabula_queue_oldest_seconds',
    help: 'Age of the oldest waiting job of a queue.',
    labels: { queue: QUEUE },
    where: BY_LEADER,
  }),
  spoolBytes: gauge({
    name: 'fabula_spool_bytes',
    help: 'Upper bound of the Redis memory used by spooled events; 0 while none is spooled.',
    where: BY_LEADER,
  }),
  spoolLimit: gauge({
    name: 'fabula_spool_limit_bytes',
    help: 'Redis memory available to spooled events.',
    where: BY_LEADER,
  }),
  relayLag: gauge({
    name: 'fabula_relay_lag_seconds',
    help: 'Time the most overdue delivery has waited for the relay.',
    where: BY_LEADER,
  }),
  scheduleLag: gauge({
    name: 'fabula_schedule_lag_seconds',
    help: 'Time the most overdue schedule has waited for its run.',
    where: BY_LEADER,
  }),
  searchIndexLag: gauge({
    name: 'fabula_search_index_lag_seconds',
    help: 'Age of the oldest run not yet indexed for search; absent with RUN_SEARCH_INDEX=off.',
    where: BY_LEADER,
  }),
  relayRequeued: counter({
    name: 'fabula_relay_requeued_total',
    help: 'Jobs that the relay added: a retry or a sleep was due, or the job was lost.',
    where: MAINTENANCE,
  }),
  retentionFinished: gauge({
    name: 'fabula_retention_finished_timestamp_seconds',
    help: 'Start of the last complete retention pass, as a Unix timestamp; absent before the first one.',
    where: MAINTENANCE,
  }),
  batchItems: histogram({
    name: 'fabula_batch_items',
    help: 'Items per group commit.',
    labels: { writer: WRITER },
    buckets: ITEMS,
    where: ALL,
  }),
  batchSeconds: histogram({
    name: 'fabula_batch_seconds',
    help: 'Duration of a group commit, including retries.',
    labels: { writer: WRITER },
    buckets: QUICK,
    where: ALL,
  }),
  poolConnections: gauge({
    name: 'fabula_pool_connections',
    help: 'Open connections to MySQL.',
    labels: { pool: POOL, state: 'used, idle' },
    where: ALL,
  }),
  poolLimit: gauge({
    name: 'fabula_pool_connections_limit',
    help: 'Maximum connections to MySQL.',
    labels: { pool: POOL },
    where: ALL,
  }),
  poolWaiting: gauge({
    name: 'fabula_pool_waiting',
    help: 'Callers waiting for a connection to MySQL.',
    labels: { pool: POOL },
    where: ALL,
  }),
  databaseMismatches: gauge({
    name: 'fabula_database_mismatches',
    help: 'Transactions rolled back because MySQL reported different rows than were sent.',
    where: ALL,
  }),
  readerUsable: gauge({
    name: 'fabula_reader_usable',
    help: 'Whether lists can be read through DATABASE_READ_URL: 1 or 0; absent without it.',
    where: WEB,
  }),
  readerStaleness: gauge({
    name: 'fabula_reader_staleness_seconds',
    help: 'Replication lag of DATABASE_READ_URL; about 1 if it keeps up.',
    where: WEB,
  }),
  listReads: counter({
    name: 'fabula_list_reads_total',
    help: 'API lists and reports by database read from; only with DATABASE_READ_URL.',
    labels: {
      place:
        'reader, main_recent_write (the user has just written), main_unusable (the replica lags or is unreachable), main_failed (the replica had an error)',
    },
    where: WEB,
  }),
  storeUp: gauge({
    name: 'fabula_store_up',
    help: 'Whether the store responds to this process: 1 or 0.',
    labels: { store: 'mysql, redis' },
    where: ALL,
  }),
  storeAnswerSeconds: gauge({
    name: 'fabula_store_answer_seconds',
    help: 'Ping time of the store; absent while it does not respond.',
    labels: { store: 'mysql, redis' },
    where: ALL,
  }),
  boardSignIns: counter({
    name: 'fabula_board_sign_ins_total',
    help: 'Started and ended sessions of the queue board, and rejected sign-ins.',
    labels: { outcome: 'signed_in, signed_out, wrong, refused (too many guesses)' },
    where: WEB,
  }),
  consoleSignIns: counter({
    name: 'fabula_console_sign_ins_total',
    help: 'Started and ended user sessions, and rejected sign-ins.',
    labels: {
      outcome: 'signed_in, signed_out, wrong, refused (too many guesses)',
      method: 'password, api_key, link',
    },
    where: WEB,
  }),
  consoleSessions: gauge({
    name: 'fabula_console_sessions',
    help: 'Active user sessions.',
    where: BY_LEADER,
  }),
  readingFailures: counter({
    name: 'fabula_reading_failures_total',
    help: 'Store readings that failed or timed out; their gauges are then absent.',
    labels: { reading: 'deliveries, lags, queues, spool, sessions, mysql, redis' },
    where: ALL,
  }),
  loopDelay: gauge({
    name: 'fabula_event_loop_delay_seconds',
    help: 'Event loop delay over the last 10 s or more.',
    labels: { percentile: '50, 99, 100' },
    where: ALL,
  }),
  loopActive: counter({
    name: 'fabula_event_loop_active_seconds_total',
    help: 'Busy time of the event loop; its rate is the share of one CPU.',
    where: ALL,
  }),
  cpu: counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process, including threads.',
    where: ALL,
  }),
  residentMemory: gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process.',
    where: ALL,
  }),
  heapUsed: gauge({
    name: 'nodejs_heap_size_used_bytes',
    help: 'Used memory of the JavaScript heap.',
    where: ALL,
  }),
  startTime: gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process, as a Unix timestamp.',
    where: ALL,
  }),
  build: gauge({
    name: 'fabula_build_info',
    help: 'Always 1; labels contain the versions.',
    labels: { version: 'of Fabula', node: 'of Node' },
    where: ALL,
  }),
};

/** The type of THE list. */
export type MetricList = typeof METRICS;
