import { hideInText } from '../../../platform/secrets/hidden-secrets.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import type { Notice } from '../outbox/notice.js';
import type { FailedAction } from './failure-store.js';
import { aboutStory, type NotifiedStory } from './notify-story.js';

const MOST_ERROR_CHARACTERS = 300;

/** The facts of a notice about a story whose actions failed for good. */
export interface FailureFacts {
  story: Pick<NotifiedStory, 'id' | 'name'>;
  actions: readonly FailedAction[];
  /** Prefix of the addresses in it, without a trailing slash. */
  baseUrl: string;
}

/** Returns the notice of failures. */
export function failureNotice({ story, actions, baseUrl }: FailureFacts): Notice {
  return {
    ...aboutStory(story, { subject: `Failures in ${story.name}`, details: 'dead_letters', baseUrl }),
    kind: 'failures',
    title: `Actions of the story "${story.name}" failed permanently:`,
    lines: actions.map(({ failures, ...action }) => {
      const times = failures === 1 ? 'once' : `${failures} times`;
      return `- ${nameOf(action)} (${times}): ${errorExcerpt(action.error)}`;
    }),
    actions: actions.map((action) => ({
      id: action.id,
      name: nameOf(action),
      kind: 'failures',
      count: action.failures,
      error: errorExcerpt(action.error),
      first_at: timestamp(action.firstAt),
      last_at: timestamp(action.lastAt),
    })),
  };
}

function nameOf({ name }: Pick<FailedAction, 'name'>): string {
  return name || 'A deleted action';
}

/** Returns the error in one line, without secrets. */
export function errorExcerpt(error: string): string {
  return hideInText(error).replaceAll(/\s+/g, ' ').slice(0, MOST_ERROR_CHARACTERS);
}
