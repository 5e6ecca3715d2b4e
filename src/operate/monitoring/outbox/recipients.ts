import { isWebAddress, MOST_WEB_RECIPIENTS } from '../../../stories/face.js';
import type { NewNotice } from './notice-store.js';

/** A mail goes to the first of the mailboxes. */
const MOST_MAILBOXES = 100;

/** Returns the notices for these recipients: one for all mailboxes, and one for each other address. */
export function noticesFor(
  recipients: readonly string[],
  told: Omit<NewNotice, 'channel' | 'recipients'>,
): NewNotice[] {
  const mailboxes = recipients.filter((each) => !isWebAddress(each)).slice(0, MOST_MAILBOXES);
  const addresses = recipients.filter(isWebAddress).slice(0, MOST_WEB_RECIPIENTS);
  return [
    ...(mailboxes.length > 0 ? [{ ...told, channel: 'mail' as const, recipients: mailboxes }] : []),
    ...addresses.map((url) => ({ ...told, channel: 'web' as const, recipients: [url] })),
  ];
}
