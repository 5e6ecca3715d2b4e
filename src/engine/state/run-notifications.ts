import type { Redis } from 'ioredis';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import { messageOfResponse, responseChannel, type SentResponse } from './run-notification.js';

/**
 * Notifies web processes of the runs they wait for, in the background. A message may be lost: the web process polls as
 * well (rule 15).
 */
export interface RunNotifications {
  /** To be called after a COMMIT that may have completed these runs; a web process that waits for one checks it. */
  advance(guids: string[]): void;
  /** To be called after a COMMIT that stored the responses of these runs. */
  answered(answers: SentResponse[]): void;
  drain(): Promise<void>;
}

export function createRunNotifications(deps: {
  redis: Redis;
  prefix: string;
  logger: Logger;
}): RunNotifications {
  const { redis, logger } = deps;
  const channel = responseChannel(deps.prefix);
  // Redis replies in order: when the last command is done, all are.
  let last = Promise.resolve();

  const publish = (answers: SentResponse[]) => {
    if (answers.length === 0) return;
    last = Promise.all(answers.map((answer) => redis.publish(channel, messageOfResponse(answer)))).then(
      () => undefined,
      (error: unknown) =>
        void logger.warn('notifying the web processes of a run failed', { error: messageOf(error) }),
    );
  };

  return {
    advance: (guids) => publish(guids.map((guid) => ({ guid }))),
    answered: publish,
    drain: () => last,
  };
}
