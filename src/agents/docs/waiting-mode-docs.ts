import type { ModeDocs } from './agent-docs.js';

type ModeTable = Readonly<Record<string, ModeDocs>>;

/** Modes that hold events back for a time. */
export const timingModes: ModeTable = {
  delay: {
    description: 'Emits an event after a delay. One of the two options is required.',
    emits: '`{seconds}` or `{until}`',
    options: {
      seconds: { description: 'Delay in seconds; at most a year.', example: 30 },
      until: {
        description: 'When to emit: ISO 8601 or a Unix timestamp; at most a year ahead.',
        example: '2026-12-01T12:00:00Z',
      },
    },
  },
  throttle: {
    description: 'Limits the number of events per interval. Other events wait.',
    emits: '`{interval, capacity}`',
    options: {
      interval: { description: 'The length of the interval.', example: 'minute' },
      capacity: { description: 'Number of events per interval.', example: 60 },
      events_per_run: { description: 'Number of events passed at once.', example: 10 },
    },
  },
};

/** Modes that compare an event with others, or put them together. */
export const collectingModes: ModeTable = {
  deduplicate: {
    description: 'Passes values that have not been seen before.',
    emits: '`{unique_event}`; false for a duplicate, which is emitted if that is wanted',
    options: {
      path: {
        description: 'Value to compare. Default: the whole event.',
        example: '=receive.body.id',
      },
      lookback: {
        description: 'Number of remembered values. Default: 100; 1,000,000 for 0.',
        example: 500,
      },
      period: { description: 'How long a value is remembered, in seconds; at most a year.', example: 3600 },
      tolerance: { description: 'How often a value passes. Default: 1; at most 100.', example: 2 },
      emit_duplicates: { description: 'If true, duplicates are emitted too.', example: true },
      emit_duplicate: { description: 'Same as `emit_duplicates`.', example: true },
    },
  },
  implode: {
    description: 'Collects events, also across runs, and emits one event when the group is complete.',
    emits: 'the list of the items',
    options: {
      item_path: { description: 'The item. Default: the whole event.', example: '=explode.item' },
      guid_path: { description: 'Events with the same text belong to one group.', example: '=explode.guid' },
      size_path: {
        description: 'Number of events in a group. Optional with `seconds`.',
        example: 10,
      },
      seconds: {
        description: 'After this time the group is emitted, complete or not; at most 30 days.',
        example: 60,
      },
      timeout: {
        description: 'After this time in seconds, an incomplete group is dropped, unless `seconds` is set.',
        example: 3600,
      },
    },
  },
};
