import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import { tagOf } from './run-guid.js';

/** Returns the Redis channel for messages about an awaited run: that of the web process which made its guid. */
export function responseChannel(prefix: string, guid: string): string {
  return `${prefix}:run-responses:${tagOf(guid)}`;
}

/** The response of a run that a webhook request waits for. */
export interface SentResponse {
  guid: string;
  /** JSON text of the response event; if missing, the web process loads it from the database. */
  payload?: string | undefined;
}

const GUID_LENGTH = 36;
/** A message may go to several web processes; the one that waits loads longer responses itself. */
const MAX_PAYLOAD = 4 * 1024;

/** Returns the message of a run's response. */
export function messageOfResponse({ guid, payload = '' }: SentResponse): string {
  return payload.length > MAX_PAYLOAD ? guid : guid + payload;
}

/** Parses a message that `messageOfResponse` made. */
export function readResponseMessage(message: string): SentResponse {
  const guid = message.slice(0, GUID_LENGTH);
  return message.length > GUID_LENGTH ? { guid, payload: message.slice(GUID_LENGTH) } : { guid };
}

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
  redis: RedisClient;
  prefix: string;
  logger: Logger;
}): RunNotifications {
  const { redis, prefix, logger } = deps;
  // Redis replies in order: when the last command is done, all are.
  let last = Promise.resolve();

  const publish = (answers: SentResponse[]) => {
    if (answers.length === 0) return;
    last = Promise.all(
      answers.map((response) =>
        redis.publish(responseChannel(prefix, response.guid), messageOfResponse(response)),
      ),
    ).then(
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
