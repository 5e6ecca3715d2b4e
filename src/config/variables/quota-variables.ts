import { integerVariable } from '../value-types.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Quotas of a tenant');
const quota = integerVariable({ zero: 'no limit' });

/** Quotas of a tenant without quotas of its own; a day is a UTC day (decision 0032). */
export const quotaVariables = {
  quotas: {
    events_per_day: variable('QUOTA_EVENTS_PER_DAY', quota, {
      default: 200_000_000,
      unit: 'events a day',
      meaning: 'Events that the runs of a tenant can create.',
      more: '../use/api.md#quotas',
    }),
    bytes_per_day: variable('QUOTA_BYTES_PER_DAY', quota, {
      default: 100_000_000_000,
      unit: 'bytes a day',
      meaning: 'Size of the payloads of these events and of the recorded HTTP requests.',
    }),
    mails_per_day: variable('QUOTA_MAILS_PER_DAY', quota, {
      default: 10_000,
      unit: 'recipients a day',
      meaning: 'Recipients of the mails of a tenant.',
    }),
    processor_seconds_per_day: variable('QUOTA_PROCESSOR_SECONDS_PER_DAY', quota, {
      default: 86_400,
      unit: 'seconds a day',
      meaning: 'CPU time that the runs of a tenant can use.',
    }),
    stories: variable('QUOTA_STORIES', quota, {
      default: 10_000,
      unit: 'stories',
      meaning: 'Stories that a tenant can have.',
    }),
    records: variable('QUOTA_RECORDS', quota, {
      default: 10_000_000,
      unit: 'records',
      meaning: 'Records that a tenant can have.',
    }),
    schedules: variable('QUOTA_SCHEDULES', quota, {
      default: 5_000,
      unit: 'schedules',
      meaning: 'Schedules that a tenant can have.',
    }),
  },
};
