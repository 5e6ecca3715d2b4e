import { hideInText } from '../../../platform/secrets/hidden-secrets.js';
import { sliceCharacters } from '../../../platform/text/code-points.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { causeOf } from '../../../engine/face.js';
import { errorKindOf } from '../../../observe/face.js';
import type { Notice } from '../outbox/notice.js';
import type { FailedAction } from './failure-store.js';
import { aboutStory, type NotifiedStory } from './notify-story.js';

const MOST_ERROR_CHARACTERS = 300;
const MOST_RUNBOOK_CHARACTERS = 600;
const MOST_RUNBOOK_LINES = 8;

/** The facts of a notice about a story whose actions failed for good. */
export interface FailureFacts {
  story: Pick<NotifiedStory, 'id' | 'name' | 'runbook'>;
  /** The name of the one who answers for the story; undefined: nobody does. */
  ownerName: string | undefined;
  actions: readonly FailedAction[];
  /** Prefix of the addresses in it, without a trailing slash. */
  baseUrl: string;
  /** The address of the console, with a trailing slash; undefined: it is not known. */
  consoleUrl: string | undefined;
}

/** Returns the notice of failures. */
export function failureNotice(facts: FailureFacts): Notice {
  const { story, actions, baseUrl, consoleUrl } = facts;
  const linkOf = ({ id, error }: FailedAction) =>
    id === null || consoleUrl === undefined
      ? undefined
      : groupLink(consoleUrl, { storyId: story.id, id, error });
  return {
    ...aboutStory(story, { subject: `Failures in ${story.name}`, details: 'dead_letters', baseUrl }),
    kind: 'failures',
    title: `Actions of the story "${story.name}" failed permanently:`,
    lines: [
      ...actions.flatMap((action) => {
        const times = action.failures === 1 ? 'once' : `${action.failures} times`;
        const link = linkOf(action);
        const line = `- ${nameOf(action)} (${times}): ${causeOf(action) ?? ''}`;
        return link === undefined ? [line] : [line, `  ${link}`];
      }),
      ...helpLines(facts),
    ],
    actions: actions.map((action) => {
      const link = linkOf(action);
      return {
        id: action.id,
        name: nameOf(action),
        kind: 'failures',
        count: action.failures,
        error: errorExcerpt(action.error),
        cause: causeOf(action),
        ...(link === undefined ? {} : { link }),
        first_at: timestamp(action.firstAt),
        last_at: timestamp(action.lastAt),
      };
    }),
  };
}

/** The owner, and the first lines of the runbook with a link to the whole. */
function helpLines({
  story: { id, runbook },
  ownerName,
  consoleUrl,
}: Pick<FailureFacts, 'story' | 'ownerName' | 'consoleUrl'>): string[] {
  const owner = ownerName === undefined ? [] : ['', `Owner: ${ownerName}`];
  if (runbook.trim() === '') return owner;
  const link = consoleUrl === undefined ? '' : ` ${consoleUrl}stories/${id}?view=settings`;
  return [...owner, '', `Runbook:${link}`, ...firstLines(hideInText(runbook))];
}

function firstLines(text: string): string[] {
  const start = sliceCharacters(text.trim(), 0, MOST_RUNBOOK_CHARACTERS);
  const beginning = start.split('\n').slice(0, MOST_RUNBOOK_LINES);
  const shown = beginning.map((line) => line.trimEnd());
  return shown.join('\n').length < text.trim().length ? [...shown, '…'] : shown;
}

/** Returns the address of the page of the dead letters with the same kind of error. */
function groupLink(
  consoleUrl: string,
  { storyId, id, error }: { storyId: number; id: number; error: string },
): string {
  const kind = errorKindOf(hideInText(error));
  const query = new URLSearchParams({ of: String(storyId), action: String(id), kind });
  return `${consoleUrl}dead-letters?${query.toString()}`;
}

function nameOf({ name }: Pick<FailedAction, 'name'>): string {
  return name || 'A deleted action';
}

/** Returns the error in one line, without secrets. */
export function errorExcerpt(error: string): string {
  return hideInText(error).replaceAll(/\s+/g, ' ').slice(0, MOST_ERROR_CHARACTERS);
}
