import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';

const HOUR_MS = 60 * 60_000;
const STATUS_MS = 15_000;
const DOCTOR_MS = 60_000;
/** Runs are counted every ten seconds. */
const COUNTED_MS = 10_000;
const MINUTES = 60;
const CHANGES = 8;
const SLOW_ACTIONS = 8;
/** Changes of the audit log that put a draft live. */
const PUBLICATIONS = ['draft.publish', 'change_request.promote'] as const;
const MOST_PUBLICATIONS = 100;
/** Changes after which something may fail, or no longer does; what people only look at or write down is left out. */
const TELLING = Object.entries({
  agent: ['create', 'delete', 'update'],
  canary: ['start'],
  change_request: ['promote'],
  credential: ['create', 'delete', 'update'],
  dead_letter: ['drop_many', 'retry_many'],
  draft: ['publish'],
  record_type: ['create', 'delete', 'update'],
  resource: ['append', 'create', 'delete', 'remove', 'replace', 'update'],
  schedule: ['update'],
  story: ['create', 'delete', 'disable', 'graph', 'import', 'replace', 'update'],
  story_version: ['restore'],
  tenant: ['mail_settings', 'quota', 'test_settings'],
}).flatMap(([type, verbs]) => verbs.map((verb) => `${type}.${verb}`));
const TELLING_DAYS = 7;

/** Whether all is well, asked again every 15 seconds. */
export function useStatus() {
  return useQuery({ queryKey: keys.status, queryFn: () => api.status.get(), refetchInterval: STATUS_MS });
}

/** The doctor's findings; for operators alone. */
export function useDoctor() {
  return useQuery({
    queryKey: keys.doctor,
    queryFn: () => api.doctor.get(),
    refetchInterval: DOCTOR_MS,
  });
}

/** The last 24 hours, the oldest first. */
export function useHours() {
  return useQuery({
    queryKey: keys.stats.hours,
    queryFn: async () => {
      const from = new Date(Date.now() - 23 * HOUR_MS).toISOString();
      const { stats, ...rest } = await api.stats.get({ by: 'hour', from, per_page: 30 });
      return { hours: stats.toReversed(), ...rest };
    },
    // As often as the bars below these figures, which show the same runs.
    refetchInterval: COUNTED_MS,
  });
}

/** What was published in the last day, which the audit log knows; for owners alone. */
export function usePublications(isOwner: boolean) {
  return useQuery({
    queryKey: keys.audit.list({ published: 'day' }),
    queryFn: async () => {
      const from = new Date(Date.now() - 24 * HOUR_MS).toISOString();
      return (await api.auditLogs.list({ action: [...PUBLICATIONS], from, per_page: MOST_PUBLICATIONS }))
        .audit_logs;
    },
    enabled: isOwner,
  });
}

/** The actions that worked longest for an event in the last day, the slowest first. */
export function useSlowActions() {
  return useQuery({
    queryKey: keys.stats.slowActions,
    queryFn: async () => {
      const from = new Date(Date.now() - 23 * HOUR_MS).toISOString();
      const query = { by: 'action', order: 'mean_work', from, per_page: SLOW_ACTIONS } as const;
      return (await api.stats.get(query)).stats;
    },
    refetchInterval: DOCTOR_MS,
  });
}

/** The last 60 minutes by the server's clock, the oldest first. */
export function useLastHour() {
  return useQuery({
    // Live events come more often than runs are counted, so this key is none of theirs.
    queryKey: keys.minutes,
    queryFn: async () => {
      const { stats, ...rest } = await api.stats.get({ by: 'minute', per_page: MINUTES });
      return { minutes: stats.toReversed(), ...rest };
    },
    refetchInterval: COUNTED_MS,
  });
}

/** The last changes of a week that people and keys made to what runs; for owners alone. */
export function useChanges(isOwner: boolean) {
  return useQuery({
    queryKey: keys.audit.newest,
    queryFn: async () => {
      const from = new Date(Date.now() - TELLING_DAYS * 24 * HOUR_MS).toISOString();
      return (await api.auditLogs.list({ action: TELLING, from, per_page: CHANGES })).audit_logs;
    },
    enabled: isOwner,
  });
}
