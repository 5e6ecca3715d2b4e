import { memoize } from '../../platform/runtime/memoize.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { promptId } from './prompt-id.js';

const MAX_STATUS_CHARACTERS = 255;
/** Most prompts of one delivery. */
const MAX_PROMPTS = 1_000;

/** The prompts that a delivery's templates created: id by status. */
export type MadePrompts = Map<string, string>;

/**
 * Returns the function that makes a delivery's links and adds them to `made`. `mark` is the delivery's idempotency key, so
 * each attempt makes the same links. A link works once its prompt is stored.
 */
export type LinksOf = (mark: string, made: MadePrompts) => (status: string) => string;

/** The secret and address that links are made with. */
export interface PromptKeys {
  secret: string;
  baseUrl: string;
}

/** Makes the links of prompts (notes/runs.md, Prompts). */
export interface PromptLinks {
  expiresInSeconds: number;
  /** Returns the keys of links; reads the database once. */
  keys(): Promise<PromptKeys>;
}

export interface PromptLinksDeps {
  /** The database's secret; without it links cannot be guessed. */
  secret(): Promise<string>;
  /** The server's public URL, without a trailing slash. */
  baseUrl: string;
  expiresInSeconds: number;
}

export function createPromptLinks(deps: PromptLinksDeps): PromptLinks {
  const { expiresInSeconds, baseUrl } = deps;
  return { expiresInSeconds, keys: memoize(async () => ({ secret: await deps.secret(), baseUrl })) };
}

/** Returns the maker of links with these keys. */
export function linksWith({ secret, baseUrl }: PromptKeys): LinksOf {
  return (mark, made) => (status) => `${baseUrl}/prompts/${noted(status, { mark, made, secret })}`;
}

/** Returns the id of a delivery's prompt and adds it to `made`. @throws TemplateError for a bad name or too many prompts. */
function noted(
  status: string,
  { mark, made, secret }: { mark: string; made: MadePrompts; secret: string },
): string {
  checkStatus(status);
  const id = made.get(status) ?? promptId(`${mark}:${status}`, secret);
  if (!made.has(status) && made.size >= MAX_PROMPTS) {
    throw new TemplateError(`An action can create at most ${MAX_PROMPTS} different prompts`);
  }
  made.set(status, id);
  return id;
}

function checkStatus(status: string): void {
  if (status === '') throw new TemplateError('A prompt must have a name');
  if (status.length > MAX_STATUS_CHARACTERS) {
    throw new TemplateError(`The name of a prompt can have at most ${MAX_STATUS_CHARACTERS} characters`);
  }
}
