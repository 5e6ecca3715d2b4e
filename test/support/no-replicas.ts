import type { ReplicaCopies } from '../../src/engine/accept/replica-copies.js';

/** A Redis without replicas: nothing has to be confirmed. */
export const NO_REPLICAS: ReplicaCopies = { confirm: () => Promise.resolve(true) };
