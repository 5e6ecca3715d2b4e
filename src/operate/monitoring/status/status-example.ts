/** An example for the documentation. */
export const statusExample = {
  state: 'warning',
  reasons: [
    {
      state: 'warning',
      id: 'stories.dead-letters',
      text: '1 story has dead letters.',
      why: 'Deliveries of these stories failed permanently. Retry or drop them.',
      remedy: 'Review the dead letters of the story, fix the cause, and retry them.',
      since: '2026-11-26T09:29:10Z',
    },
  ],
  checked_at: '2026-11-26T09:30:00Z',
  installation: {
    mysql_ms: 1,
    redis_ms: 1,
    relay_lag_seconds: 0,
    schedule_lag_seconds: 0,
    spool: { bytes: 0, limit_bytes: 536870912 },
    queues: [
      {
        queue: 'http-request',
        waiting: 0,
        active: 2,
        delayed: 0,
        oldest_seconds: 0,
        workers: 1,
        paused: null,
      },
    ],
    versions: [{ version: '1.0.0', processes: 3 }],
  },
  stories: {
    dead_letters: 2,
    dead_letters_complete: true,
    failing: [
      {
        id: 7,
        name: 'Triage',
        team_id: 2,
        dead_letters: 2,
        since: '2026-11-26T09:29:10Z',
        last_at: '2026-11-26T09:29:40Z',
        last_error: 'No such host',
        last_cause: 'No such host',
      },
    ],
    silent_actions: [],
    notices: [
      {
        id: 41,
        kind: 'failures',
        channel: 'web',
        team_id: 2,
        story_id: 7,
        recipients: 1,
        state: 'sent',
        attempts: 1,
        error: null,
        created_at: '2026-11-26T09:29:41Z',
        at: '2026-11-26T09:29:43Z',
      },
    ],
  },
};
