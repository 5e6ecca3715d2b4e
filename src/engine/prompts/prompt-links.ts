import { memoize } from '../../platform/runtime/memoize.js';
import { TemplateError } from '../../language/template-error.js';
import { promptId } from './prompt-id.js';

const MAX_STATUS_CHARACTERS = 255;
/** Of one delivery. */
const MAX_PROMPTS = 1_000;

/** The prompts that a delivery's templates have made: id by status. */
export type MadePrompts = Map<string, string>;

/**
 * Gives the function that makes the links of the delivery with this mark, the same for every try of it, and notes them in
 * `made`. What it makes leads somewhere once the prompt is stored.
 */
export type LinksOf = (mark: string, made: MadePrompts) => (status: string) => string;

/** What links are made of. */
export interface PromptKeys {
  secret: string;
  baseUrl: string;
}

/** Makes the links of prompts (decision 0009). */
export interface PromptLinks {
  expiresInSeconds: number;
  /** Gives what links are made of; asks the database once. */
  keys(): Promise<PromptKeys>;
}

export interface PromptLinksDeps {
  /** Of this database; who does not know it can guess no link. */
  secret(): Promise<string>;
  /** Where this server is reached, without a trailing slash. */
  baseUrl: string;
  expiresInSeconds: number;
}

export function createPromptLinks(deps: PromptLinksDeps): PromptLinks {
  const { expiresInSeconds, baseUrl } = deps;
  return { expiresInSeconds, keys: memoize(async () => ({ secret: await deps.secret(), baseUrl })) };
}

/** What makes links with these keys. */
export function linksWith({ secret, baseUrl }: PromptKeys): LinksOf {
  return (mark, made) => (status) => `${baseUrl}/prompts/${noted(status, { mark, made, secret })}`;
}

/** The id of a delivery's prompt. @throws TemplateError when it may not have this one. */
function noted(
  status: string,
  { mark, made, secret }: { mark: string; made: MadePrompts; secret: string },
): string {
  checkStatus(status);
  const id = made.get(status) ?? promptId(`${mark}:${status}`, secret);
  if (!made.has(status) && made.size >= MAX_PROMPTS) {
    throw new TemplateError(`An action makes at most ${MAX_PROMPTS} different prompts`);
  }
  made.set(status, id);
  return id;
}

function checkStatus(status: string): void {
  if (status === '') throw new TemplateError('A prompt needs a name');
  if (status.length > MAX_STATUS_CHARACTERS) {
    throw new TemplateError(`The name of a prompt has at most ${MAX_STATUS_CHARACTERS} characters`);
  }
}
