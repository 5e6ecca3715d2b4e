/*
 * The line of a log about an attempt after which another follows.
 */

/** Returns the message of the line. */
export function retryMessage(
  error: string,
  { attempt, waitMs }: { attempt: number; waitMs: number },
): string {
  return `Attempt ${attempt} failed, next retry in ${Math.ceil(waitMs / 1000)} s: ${error}`;
}

/** Returns the error of an attempt by the message of its line. */
export function errorOfLine(message: string): string {
  return message.replace(/^Attempt \d+ failed, next retry in \d+ s: /, '');
}
