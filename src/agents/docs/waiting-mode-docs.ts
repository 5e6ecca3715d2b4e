import type { ModeDocs } from './agent-docs.js';

type ModeTable = Readonly<Record<string, ModeDocs>>;

/** Modes that hold events back for a time. */
export const timingModes: ModeTable = {
  delay: {
    description: 'Emits an event after a time, never before. One of the two options is required.',
    emits: '`{seconds}` or `{until}`',
    options: {
      seconds: { description: 'How long it waits, in seconds; at most a year.', example: 30 },
      until: {
        description: 'The time at which it emits: ISO 8601, or seconds since 1970; at most a year ahead.',
        example: '2026-12-01T12:00:00Z',
      },
    },
  },
  throttle: {
    description: 'Lets a limited number of events pass in each interval. The others wait.',
    emits: '`{interval, capacity}`',
    options: {
      interval: { description: 'The length of the interval.', example: 'minute' },
      capacity: { description: 'The number of events that pass in an interval.', example: 60 },
      events_per_run: { description: 'How many of them pass together.', example: 10 },
    },
  },
};

/** Modes that compare an event with others, or put them together. */
export const collectingModes: ModeTable = {
  deduplicate: {
    description: 'Lets a value pass that has not passed before.',
    emits: '`{unique_event}`; false for a duplicate, which is emitted if that is wanted',
    options: {
      path: {
        description: 'The compared value. If it is absent, the whole event.',
        example: '=receive.body.id',
      },
      lookback: {
        description: 'How many different values are remembered: 100 unless given, 1,000,000 for 0.',
        example: 500,
      },
      period: { description: 'How long a value is remembered, in seconds; at most a year.', example: 3600 },
      tolerance: { description: 'How many times a value passes: 1 unless given, at most 100.', example: 2 },
      emit_duplicates: { description: 'True: a duplicate is emitted too.', example: true },
      emit_duplicate: { description: 'The same as `emit_duplicates`.', example: true },
    },
  },
  implode: {
    description: 'Collects events, also of several runs, and emits one when the group is complete.',
    emits: 'the list of the items',
    options: {
      item_path: { description: 'The item. If it is absent, the whole event.', example: '=explode.item' },
      guid_path: { description: 'Events with the same text belong to one group.', example: '=explode.guid' },
      size_path: {
        description: 'The number of events of a group. It may be absent if there are `seconds`.',
        example: 10,
      },
      seconds: {
        description: 'After this time the group is emitted, complete or not; at most 30 days.',
        example: 60,
      },
      timeout: {
        description:
          'After this time in seconds an incomplete group is given up, unless there are `seconds`.',
        example: 3600,
      },
    },
  },
};
