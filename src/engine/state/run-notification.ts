/*
 * Messages from workers to web processes that wait for runs: the run's guid, followed by its response if that is short.
 */

/** Returns the Redis channel for messages about awaited runs. */
export function responseChannel(prefix: string): string {
  return `${prefix}:run-responses`;
}

/** The response of a run that a webhook request waits for. */
export interface SentResponse {
  guid: string;
  /** JSON text of the response event; if missing, the web process loads it from the database. */
  payload?: string | undefined;
}

const GUID_LENGTH = 36;
/** Each message goes to all web processes; the one that waits loads longer responses itself. */
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
