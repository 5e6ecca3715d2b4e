import { OWN_NUMBERS } from './load-story.js';
import { startHttpTarget } from '../support/http-target.js';
import { startSmtpServer } from '../support/smtp-server.js';

/** Requests that left the system for one run, as the other side received them: the key of each, in order. */
export type Received = Map<number, string[]>;

/** Starts an HTTP target and an SMTP server that record what they really receive. */
export async function startOutside() {
  const target = await startHttpTarget({ rules: { '/call': { body: { ok: true } } } });
  const smtp = await startSmtpServer();
  return {
    target,
    smtp,
    /** Requests by the number in their body, with their `Idempotency-Key`. */
    calls: (): Received =>
      gather(
        target.requests
          .filter(({ path }) => path === '/call')
          .map(({ text, headers }) => [
            (JSON.parse(text) as { number: number }).number,
            headers['idempotency-key'] ?? 'none',
          ]),
      ),
    /** Mails by the number in their subject, with their `Message-ID`. */
    mails: (): Received =>
      gather(
        smtp.mails.map((mail) => [
          Number(/^Run (\d+)$/.exec(mail.header('subject') ?? '')?.[1] ?? -1),
          mail.header('message-id') ?? 'none',
        ]),
      ),
    async close(): Promise<void> {
      await Promise.all([target.close(), smtp.close()]);
    },
  };
}

function gather(receipts: [number: number, key: string][]): Received {
  const received: Received = new Map();
  for (const [number, key] of receipts) {
    if (number >= OWN_NUMBERS) continue;
    const keys = received.get(number);
    if (keys === undefined) received.set(number, [key]);
    else keys.push(key);
  }
  return received;
}

/** How many came more than once. */
export function repeatsOf(received: Received): number {
  return [...received.values()].reduce((sum, keys) => sum + keys.length - 1, 0);
}
