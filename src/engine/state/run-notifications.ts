import type { Redis } from 'ioredis';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import { hintOf, responseChannel, type RunAnswer } from './run-hints.js';

/**
 * Tells web processes of the runs they wait for, in the background. Only hints: what is missed here, the waiting
 * process finds by polling (rule 15).
 */
export interface RunNotifications {
  /** After a COMMIT by which these runs may be over: who waits for one looks whether it is. */
  advance(guids: string[]): void;
  /** After a COMMIT that stored the answers of these runs. */
  answered(answers: RunAnswer[]): void;
  drain(): Promise<void>;
}

export function createRunNotifications(deps: {
  redis: Redis;
  prefix: string;
  logger: Logger;
}): RunNotifications {
  const { redis, logger } = deps;
  const channel = responseChannel(deps.prefix);
  // Commands are answered in their order: when the last are, all are.
  let last = Promise.resolve();

  const publish = (answers: RunAnswer[]) => {
    if (answers.length === 0) return;
    last = Promise.all(answers.map((answer) => redis.publish(channel, hintOf(answer)))).then(
      () => undefined,
      (error: unknown) =>
        void logger.warn('waiting callers could not be told of a run', { error: messageOf(error) }),
    );
  };

  return {
    advance: (guids) => publish(guids.map((guid) => ({ guid }))),
    answered: publish,
    drain: () => last,
  };
}
