import { namesakes } from '../action-names.js';
import { WEBHOOK_TYPE } from '../commands/link-commands.js';
import type { Selection, StoryDraft } from '../story-draft.js';

/** A fault in a draft that the browser can tell; the server knows the rules of options. */
export interface DraftProblem {
  message: string;
  /** The parts that have it; empty: the story as a whole. */
  parts: Selection;
  /** Whether the server would refuse the draft; else it may be saved like this. */
  isRefused: boolean;
}

/** The most that the server takes in a story. */
const LIMITS = { actions: 2_000, links: 20_000, notes: 10_000 };
const LONGEST_NAME = 255;
const WHOLE = /^\P{Cs}*$/u;

/** Returns all problems of a draft. */
export function problemsOf(draft: StoryDraft): DraftProblem[] {
  return [...sizeProblems(draft), ...nameProblems(draft), ...linkProblems(draft), ...sharedNames(draft)];
}

function sizeProblems(draft: StoryDraft): DraftProblem[] {
  return Object.entries(LIMITS).flatMap(([part, most]) => {
    const { size } = draft[part as keyof typeof LIMITS];
    if (size <= most) return [];
    return [
      { message: `A story may have ${most} ${part}; this one has ${size}.`, parts: {}, isRefused: true },
    ];
  });
}

function nameProblems({ actions }: StoryDraft): DraftProblem[] {
  return [...actions].flatMap(([key, { name }]) => {
    const message = nameProblem(name);
    return message === undefined ? [] : [{ message, parts: { actions: [key] }, isRefused: true }];
  });
}

/** Returns why an action may not be called so; undefined: it may. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'An action needs a name.';
  if (name.length > LONGEST_NAME) return `A name has at most ${LONGEST_NAME} characters.`;
  return WHOLE.test(name) ? undefined : 'The name has an incomplete Unicode character.';
}

function linkProblems({ actions, links }: StoryDraft): DraftProblem[] {
  return [...links].flatMap(([key, { receiver }]) => {
    const to = actions.get(receiver);
    if (to?.type !== WEBHOOK_TYPE) return [];
    const message = `Links cannot lead to the webhook ${to.name}.`;
    return [{ message, parts: { links: [key] }, isRefused: true }];
  });
}

function sharedNames({ actions }: StoryDraft): DraftProblem[] {
  return [...namesakes(actions)].map(([slug, keys]) => ({
    message: `Templates cannot tell ${keys.length} actions apart: each of them is "${slug}".`,
    parts: { actions: keys },
    isRefused: false,
  }));
}
