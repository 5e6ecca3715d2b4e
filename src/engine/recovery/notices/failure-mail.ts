import type { Mail } from '../../../platform/outbound/mail/mail.js';
import { hideInText } from '../../../platform/text/hidden-secrets.js';
import type { FailedAction } from './notice-store.js';
import { storyMail } from './story-mail.js';

const MOST_ERROR_CHARACTERS = 300;

/** The facts of a mail about a story whose actions failed for good. */
export interface FailureFacts {
  messageId: string;
  recipients: readonly string[];
  story: { id: number; name: string };
  actions: readonly FailedAction[];
  /** Prefix of the address in the mail, without a trailing slash. */
  baseUrl: string;
}

/** Returns the mail that tells of failures; each recipient sees itself alone. */
export function failureMail({ messageId, recipients, story, actions, baseUrl }: FailureFacts): Mail {
  const lines = actions.map(({ name, failures, error }) => {
    const times = failures === 1 ? 'once' : `${failures} times`;
    return `- ${name || 'A deleted action'} (${times}): ${shownError(error)}`;
  });
  return storyMail({
    messageId,
    recipients,
    story,
    subject: `Failures in ${story.name}`,
    title: `Actions of the story "${story.name}" failed for good:`,
    lines,
    address: `${baseUrl}/api/v1/dead_letters?story_id=${story.id}`,
  });
}

function shownError(error: string): string {
  return hideInText(error).replaceAll(/\s+/g, ' ').slice(0, MOST_ERROR_CHARACTERS);
}
