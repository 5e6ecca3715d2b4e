/**
 * Files with statements that read or change rows of several tenants, with the reason. What they show to a tenant is chosen
 * afterwards, by keys.
 */
export const OF_SEVERAL_TENANTS: Readonly<Record<string, string>> = {
  'src/api/auth/actor-store.ts': 'digests of all keys, while an address guesses keys',
  'src/people/users/profile-store.ts': 'whether there is one tenant only',
  'src/people/quotas/quota-store.ts': 'deletes the usage of past days',
  'src/web/admin/board/asleep-store.ts': 'the board of the operator',
  'src/operate/archive/archive-progress-store.ts': 'how far the archive is behind',
  'src/operate/archive/archive-run-store.ts': 'walks through all runs',
  'src/data/cases/notifications/notification-store.ts': 'leases what is due; deletes what is old',
  'src/data/credentials/credential-store.ts': 'rotation of the key walks through all credentials',
  'src/data/credentials/oauth/reconnect-store.ts':
    'counts for the operator; finds credentials of which nobody was told',
  'src/operate/doctor/facts/work-facts-store.ts': 'counts for the operator',
  'src/engine/dispatch/held-store.ts': 'lets held deliveries go by fair shares',
  'src/engine/implode/parked-store.ts': 'leases parked deliveries that are due',
  'src/engine/recovery/relay-store.ts':
    'leases deliveries that are due; walks through all after a loss of Redis',
  'src/engine/retention/stores/expired-rows-store.ts': 'deletes what is past its time',
  'src/engine/retention/stores/due-store.ts': 'walks through all owners of rows',
  'src/engine/retention/stores/event-retention-store.ts': 'walks through rows that may be past their time',
  'src/engine/retention/stores/expiry-retention-store.ts': 'the same',
  'src/engine/retention/stores/leftover-retention-store.ts': 'the same: rows whose owner is gone',
  'src/engine/retention/stores/removal-store.ts': 'removals that were asked for, the oldest first',
  'src/engine/retention/stores/retention-rows-store.ts': 'walks through the owners of rows',
  'src/engine/retention/stores/run-retention-store.ts': 'walks through runs that may be past their time',
  'src/engine/state/deliveries/delivery-figures-store.ts': 'figures for health and metrics',
  'src/stories/activity/story-activity-store.ts':
    'the first 100,000 open deliveries, of which a story takes its own: there is no index by story',
  'src/engine/state/runs/work-summary-store.ts': 'counts for the operator',
  'src/engine/state/deliveries/implode-store.ts': 'deletes members of groups whose delivery is gone',
  'src/data/mails/mail-settings-store.ts': 'rotation of the key walks through all mail servers',
  'src/operate/monitoring/digest/digest-store.ts':
    'finds digests that are due; each is made for its own team',
  'src/operate/monitoring/notices/watches/action-watch-store.ts': 'walks through all monitored actions',
  'src/operate/monitoring/notices/claim-store.ts': 'deletes notes of the day before',
  'src/operate/monitoring/notices/failure-store.ts': 'finds stories with new dead letters',
  'src/operate/monitoring/notices/skip-store.ts': 'finds schedules that left out starts',
  'src/operate/monitoring/notices/watches/watched-action-store.ts': 'walks through all actions',
  'src/operate/monitoring/outbox/notice-store.ts': 'leases what is due; deletes what is old',
  'src/operate/monitoring/queues/queue-work-store.ts':
    'counts the deliveries of all teams in one walk: there is no index by tenant',
  'src/operate/monitoring/status/team-status-store.ts':
    'places in the order of all dead letters, as bounds of a search',
  'src/platform/mysql/statements/coalesced-exists.ts': 'asks whether anything is due, for all loops at once',
  'src/data/records/write/record-chore-store.ts': 'the next chore, of whichever tenant',
  'src/observe/dead-letters/groups/dead-letter-group-store.ts':
    'the newest 100,000 dead letters, of which a team takes its own: there is no index by team',
  'src/observe/dead-letters/canary/canary-store.ts': 'finds retries that run',
  'src/trial/shadows/shadow-store.ts': 'finds shadows that run',
  'src/stories/git/repository-store.ts': 'finds repositories that are due, and those whose team is gone',
  'src/observe/backfill/settled-rows-store.ts': 'looks for rows of a page that are not committed',
  'src/observe/events/event-list-store.ts': 'the ids around a time, as bounds of a list',
  'src/observe/search/run-candidates-store.ts': 'the newest id, as the start of a search that is bound',
  'src/observe/search/values/first-events-store.ts': 'walks through all runs; digests contain the tenant',
  'src/observe/search/values/index-position-store.ts': 'the newest id',
  'src/observe/statistics/count/event-count-store.ts': 'walks through all rows; sums are by story',
  'src/observe/statistics/count/hour-count-store.ts': 'deletes sums of past hours',
  'src/observe/statistics/count/dead-letter-count-store.ts': 'walks through all rows; sums are by story',
  'src/observe/statistics/count/minute-count-store.ts': 'deletes sums of past minutes',
  'src/observe/statistics/count/run-count-store.ts': 'walks through all rows; sums are by story',
  'src/observe/statistics/count/uncounted-store.ts': 'the newest ids',
  'src/observe/statistics/freshness-store.ts': 'how far the statistics are behind',
  'src/observe/statistics/type-sum-store.ts': 'sums by kind of action, for the board of the operator',
  'src/stories/graph/story-graph-store.ts': 'preloads the webhooks of all tenants',
  'src/stories/schedules/due-schedule-store.ts': 'the schedules that are due, and how late they are',
};
