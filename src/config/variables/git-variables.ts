import { integerVariable } from '../value-types.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Git repositories of teams');

/** How often stories are synced with repositories, and how much they may send (decision 0109). */
export const gitVariables = {
  gitSyncMinutes: variable('GIT_SYNC_MINUTES', integerVariable({ min: 0, max: 1440 }), {
    default: 5,
    unit: 'minutes',
    meaning: 'Time between two syncs of a repository in the background; `0` turns them off.',
    more: 'git.md',
  }),
  gitMaxBytes: variable('GIT_MAX_BYTES', integerVariable({ min: 1024 * 1024 }), {
    default: 32 * 1024 * 1024,
    defaultText: '`33554432` (32 MiB)',
    unit: 'bytes',
    meaning: 'Maximum bytes that one sync receives from a repository.',
  }),
};
