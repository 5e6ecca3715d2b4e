import type { Problem } from '../../platform/errors.js';

/** Faults of a request that only its story shows. */
export class NoTrial extends Error {
  constructor(readonly problems: Problem[]) {
    super(problems.map(({ message }) => message).join('; '));
    this.name = 'NoTrial';
  }
}
