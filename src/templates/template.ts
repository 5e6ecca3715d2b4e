import type { JsonObject, JsonValue } from '../json.js';

/** What a template may refer to. */
export interface TemplateScope {
  /** Keys at the top: one for each upstream action, by slug (decisions §5). */
  event: JsonObject;
  /** Resources of the team, by name and by slug. */
  resources: ReadonlyMap<string, JsonValue>;
  /** Credentials of the team, by name and by slug, in clear. Never stored, never logged. */
  credentials: ReadonlyMap<string, string>;
  /** Stories of the team, by name and by slug: what `{% story %}` and `STORY.x` give. */
  stories: ReadonlyMap<string, JsonValue>;
  /** `META`: `{tenant: {domain}, story: {id, name, guid}, story_run: {guid, id}, …}`. */
  meta: JsonObject;
  storyRunGuid: string;
}

/** The link of a prompt, which the reader of a message follows. */
export type PromptLink = (name: string, scope: TemplateScope) => string;

/** A fault in a template, where it is, in words a story author understands. */
export interface TemplateProblem {
  message: string;
  /** Of the text, from 1. */
  line: number;
  column: number;
}

/** A template does not parse, cannot be evaluated, or went over a limit. */
export class TemplateError extends Error {
  readonly problem: TemplateProblem | undefined;

  constructor(message: string, options: { cause?: unknown; problem?: TemplateProblem } = {}) {
    super(message, { cause: options.cause });
    this.name = 'TemplateError';
    this.problem = options.problem;
  }
}

/** How one text is to be rendered. */
export interface RenderOptions {
  /** A text that is one bare reference gives the value itself; JSON text gives what it is the JSON of. */
  asValue?: boolean;
  /**
   * What the texts of one agent's options share, in their order: a language that can set variables reads
   * and writes them here.
   */
  variables?: Record<string, unknown>;
}

/** What a text refers to. */
export interface TemplateReferences {
  /** The names at the start of its references: upstream slugs, and roots such as `META`. */
  names: readonly string[];
  resources: boolean;
  credentials: boolean;
  stories: boolean;
}

/** One of the two languages of stories (decisions §8). Every call is bounded in time, memory and size. */
export interface TemplateLanguage {
  name: 'liquid' | 'formula';
  /** Whether the text holds template syntax of this language at all. */
  isTemplate(text: string): boolean;
  /** The faults of one text: syntax errors, unknown filters, tags or functions. */
  check(text: string): TemplateProblem[];
  /** What a text refers to, exactly. Absent: the language cannot tell without rendering. */
  references?(text: string): TemplateReferences;
  /**
   * The text with its templates filled in. Missing paths are empty.
   * The result is text, unless the language says otherwise (`as_object`, a leading `=`).
   * @throws TemplateError
   */
  render(text: string, scope: TemplateScope, options?: RenderOptions): JsonValue;
}
