/** The subject of a response. Changes and live events name the kinds to ask for again. */
export type Kind =
  | 'actions'
  | 'activity'
  | 'agent-types'
  | 'audit'
  | 'canaries'
  | 'cases'
  | 'credentials'
  | 'dead-letters'
  | 'doctor'
  | 'drafts'
  | 'dry-run'
  | 'event'
  | 'event-request'
  | 'folders'
  | 'graph'
  | 'hours'
  | 'import'
  | 'inbox'
  | 'info'
  | 'keys'
  | 'lacked'
  | 'letter-attempts'
  | 'lineage'
  | 'logs'
  | 'minutes'
  | 'names'
  | 'next-call'
  | 'opened'
  | 'payload-text'
  | 'people'
  | 'presence'
  | 'promotions'
  | 'queues'
  | 'quotas'
  | 'record'
  | 'record-types'
  | 'records'
  | 'resources'
  | 'runs'
  | 'sample'
  | 'schedules'
  | 'session'
  | 'sessions'
  | 'shadows'
  | 'stats'
  | 'steps'
  | 'status'
  | 'stories'
  | 'story'
  | 'tags'
  | 'test-results'
  | 'test-settings'
  | 'tests'
  | 'users'
  | 'version-changes'
  | 'versions'
  | 'webhooks';

/** The key of a response: its kind, the id of the one thing that it is about, and what tells it from others of both. */
export type Key = readonly [kind: Kind, id: number | null, ...rest: unknown[]];

/** The beginning of all keys of a kind. */
export const ofKind = (kind: Kind) => [kind] as const;

/** A response about several things; live events about any of them make it old. */
const many = (kind: Kind, ...rest: unknown[]): Key => [kind, null, ...rest];
const one = (kind: Kind, id: number | null | undefined, ...rest: unknown[]): Key => [
  kind,
  id ?? null,
  ...rest,
];

/** THE list of keys of responses. */
export const keys = {
  session: many('session'),
  info: many('info'),

  status: many('status'),
  doctor: many('doctor'),
  minutes: many('minutes'),
  queues: many('queues'),
  inbox: { list: (asked: unknown) => many('inbox', asked) },
  quotas: many('quotas'),
  testSettings: many('test-settings'),
  stats: {
    hours: many('stats', 'hours'),
    slowActions: many('stats', 'slow-actions'),
    dayOfStories: many('stats', 'stories', 'day'),
  },
  audit: {
    list: (filters: object) => many('audit', filters),
    newest: many('audit', 'newest'),
    names: (type: string) => many('names', 'audited', type),
  },

  stories: {
    list: (...asked: unknown[]) => many('stories', 'list', ...asked),
    names: many('stories', 'names'),
    replaced: (teamId: number | undefined, name: string) => many('stories', 'replaced', teamId, name),
  },
  importCheck: ({ name, size, lastModified }: File) => many('import', name, size, lastModified),
  promotions: {
    list: (page: number) => many('promotions', 'list', page),
    one: (id: number) => many('promotions', 'one', id),
    /** Names of credentials and resources that a mapping may lead to. */
    names: many('names', 'mapped'),
    file: ({ name, size, lastModified }: File) => many('promotions', 'file', name, size, lastModified),
    check: ({ name, size, lastModified }: File, choice: object) =>
      many('promotions', 'check', name, size, lastModified, choice),
  },
  /** What a search of all things found of one kind. */
  found: (source: string, search: string) => many('names', 'found', source, search),
  folders: many('folders'),
  tags: many('tags'),
  story: (id: number) => ({
    self: one('story', id),
    /** Each draft is a story with an id of its own. */
    drafts: many('drafts', id),
    versions: many('versions', id),
    /** A version beside another state. */
    versionDiff: (version: number, other: string) => many('versions', id, version, other),
    /** What a version changed since the one before; both by id and time. */
    versionChanges: (of: readonly string[]) => many('version-changes', id, of),
    hours: one('hours', id),
    lastHour: one('stats', id, 'minutes'),
    schedules: one('schedules', id),
    /** The payload to begin with where a run is started at an action. */
    firstPayload: (actionId: number) => one('sample', id, 'first-payload', actionId),
    hasRun: one('runs', id, 'any'),
    sampleRuns: one('runs', id, 'newest'),
    run: (guid: string) => one('runs', id, guid),
    newestRun: one('runs', id, 'one'),
    attempts: (guid: string, of: object) => one('runs', id, guid, 'attempts', of),
    runActions: (guid: string) => one('runs', id, guid, 'actions'),
    /** The first event of these actions in a run. */
    answer: (guid: string, actionIds: readonly number[]) => one('runs', id, guid, 'answer', actionIds),
  }),
  /** Answers about the content of a story or of a draft; those of a draft have its id. */
  place: ({ storyId, draftId }: { storyId: number; draftId: number | undefined }) => {
    const id = draftId ?? storyId;
    return {
      graph: one('graph', id),
      activity: one('activity', id, 'all'),
      sums: (hours: number) => one('stats', id, hours),
      seen: (actionId: number, sources: string) => one('activity', id, 'seen', actionId, sources),
      events: (actionId: number) => one('activity', id, 'events', actionId),
      log: (actionId: number) => one('activity', id, 'log', actionId),
      tests: one('tests', id),
      keepableRuns: one('runs', id, 'keepable'),
      /** The results that this page has seen; nobody asks the server for them. */
      testResults: one('test-results', id),
    };
  },
  /** The publication of a draft: its effect, the findings of its check, and whether it was asked for. */
  publication: (draftId: number, part: 'diff' | 'check' | 'request') =>
    many('drafts', 'publication', draftId, part),
  /** The results of the tests of a draft as it was at a time: live events of other stories do not make them old. */
  draftTests: (draftId: number, updatedAt: string) => one('test-results', draftId, 'publication', updatedAt),
  /** The newest shadow of a draft, and what it found so far. */
  shadow: (draftId: number, ...part: unknown[]) => many('shadows', draftId, ...part),
  /** A story under edit takes in later versions by itself. */
  opened: (id: number) => many('opened', id),
  /** Other people who have the story or draft open; they are told of the action in `chosen`. */
  presence: (id: number, chosen: string | null) => one('presence', id, chosen),
  /** Values of templates in a sample. */
  sample: (id: number, ...of: unknown[]) => many('sample', id, ...of),
  agentTypes: many('agent-types'),
  /** Functions and filters of templates. */
  callables: many('agent-types', 'callables'),
  /** Names of resources, credentials and stories of a team. */
  names: (teamId: number) => many('names', teamId),
  actions: (ids: readonly number[]) => many('actions', ids),
  dryRun: (actionId: number, eventId: number | undefined) => many('dry-run', actionId, eventId),
  schedules: (story: number | undefined, until: string) => many('schedules', story, until),
  webhooks: (...asked: unknown[]) => many('webhooks', 'list', ...asked),
  webhook: (id: number) => ({
    self: one('webhooks', id),
    nextCall: (waiting: string) => one('next-call', id, waiting),
  }),

  runs: (filters: object) => many('runs', 'list', filters),
  /** Live events come more often than runs are counted. */
  histogram: (asked: object) => many('minutes', 'histogram', asked),
  /** Whether there is any run, or more than the story of the first start. */
  isNew: many('runs', 'is-new'),
  runLog: (actionId: number, guid: string) => many('logs', actionId, guid),
  events: (filters: object) => many('runs', 'events', filters),
  event: (id: number | null | undefined) => ({
    part: (part: 'whole' | 'own') => one('event', id, part),
    request: one('event-request', id),
    lineage: one('lineage', id),
  }),
  payloadText: (...of: unknown[]) => many('payload-text', ...of),
  letters: {
    groups: (...filters: unknown[]) => many('dead-letters', 'groups', ...filters),
    ofGroup: (group: object) => many('dead-letters', 'of', group),
    ofAction: (actionId: number) => many('dead-letters', 'action', actionId),
  },
  canary: (group: object) => many('canaries', group),
  letter: (id: number) => ({
    followed: many('dead-letters', 'followed', id),
    attempts: (failedAt: string) => one('letter-attempts', id, failedAt),
  }),

  cases: {
    list: (input: object) => many('cases', 'list', input),
  },
  case: (id: number) => ({
    /** It names linked cases, which may change, too. */
    self: many('cases', 'one', id),
    activities: one('cases', id, 'activities'),
    conditions: (at: string) => one('cases', id, 'conditions', at),
    records: (at: string) => one('cases', id, 'records', at),
  }),
  steps: {
    list: (...asked: unknown[]) => many('steps', 'list', ...asked),
    /** Those that stories of a team may use, for the editor. */
    ofTeam: (teamId: number) => many('steps', 'team', teamId),
  },
  step: (id: number) => ({
    self: one('steps', id),
    uses: (page: number) => one('steps', id, 'uses', page),
    versions: one('steps', id, 'versions'),
    preview: (storyIds: readonly number[], version: number) => one('steps', id, 'preview', storyIds, version),
  }),
  recordTypes: many('record-types'),
  records: (input: unknown, page: number) => many('records', 'list', input, page),
  recordChart: (typeId: number, asked: unknown) => many('records', 'chart', typeId, asked),
  record: (id: number) => one('record', id),

  credentials: (...asked: unknown[]) => many('credentials', 'list', ...asked),
  credential: (id: number) => one('credentials', id),
  resources: (...asked: unknown[]) => many('resources', 'list', ...asked),
  resource: (id: number) => one('resources', id),
  /** The names of all credentials and resources that a team may use. */
  teamValues: (teamId: number) => one('lacked', teamId, 'names'),
  lacked: (teamId: number | undefined, names: readonly string[]) => one('lacked', teamId, names),

  userNames: many('users', 'names'),
  people: {
    list: (page: number) => many('people', 'list', page),
    accounts: many('people', 'accounts'),
    addresses: (search: string) => many('people', 'addresses', search),
    teams: (page: number) => many('people', 'teams', page),
    members: (teamId: number, page: number) => many('people', 'members', teamId, page),
    repository: (teamId: number) => many('people', 'repository', teamId),
    plannedSync: (teamId: number) => many('opened', 'sync', teamId),
  },
  person: (id: number) => one('people', id),
  team: (id: number) => many('people', 'team', id),
  apiKeys: (page: number) => many('keys', page),
  sessions: (userId: number | undefined) => one('sessions', userId),
} as const;
