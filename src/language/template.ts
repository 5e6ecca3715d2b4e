import type { TemplateProblem } from './template-error.js';
import type { JsonObject, JsonValue } from '../platform/json.js';
import type { SecretCalls } from './secrets/secret-calls.js';

/** What a template may refer to. */
export interface TemplateScope {
  /** Keys at the top: one for each upstream action, by slug (spec §5.1). */
  event: JsonObject;
  /** Resources of the team, by name and by slug. */
  resources: ReadonlyMap<string, JsonValue>;
  /** References to the credentials of the team, by name and by slug: no template sees a secret (decision 0026). */
  credentials: ReadonlyMap<string, string>;
  /** Stories of the team, by name and by slug: what `{% story %}` and `STORY.x` give. */
  stories: ReadonlyMap<string, JsonValue>;
  /** `META`: `{tenant: {domain}, story: {id, name, guid}, story_run: {guid, id}, …}`. */
  meta: JsonObject;
  storyRunGuid: string;
  /** Makes the link of a prompt, which the reader of a message follows. Absent where no action is at work. */
  prompt?: ((name: string) => string) | undefined;
  /** Present where credentials are named, or the event holds references to some. */
  secrets?: SecretCalls | undefined;
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

/** A story written with its team before it: `STORY.team.story`. */
export interface StoryOfTeam {
  team: string;
  story: string;
}

/** What a text needs of the story and team round it, as far as it says so without being rendered. */
export interface TemplateDependencies {
  /** Names at the start of references, but for those that the text itself binds; where each is first used. */
  roots: { name: string; line: number; column: number }[];
  /** Variables that it sets for the texts rendered after it. */
  sets: string[];
  /** As they are written, in no particular order; a key that is computed is not among them. */
  credentials: string[];
  resources: string[];
  stories: string[];
  /** Stories that are written with two names; which of the two counts is for the team to say. */
  storiesOfTeams: StoryOfTeam[];
}

/** One of the two languages of stories (spec §8.1). Every call is bounded in time, memory and size. */
export interface TemplateLanguage {
  name: 'liquid' | 'formula';
  /** Whether the text holds template syntax of this language at all. */
  isTemplate(text: string): boolean;
  /** The faults of one text: syntax errors, unknown filters, tags or functions. */
  check(text: string): TemplateProblem[];
  /** What a text refers to, exactly. Absent: the language cannot tell without rendering. */
  references?(text: string): TemplateReferences;
  /** What a text needs, for its author: nothing is loaded by it. Nothing for a text that does not parse. */
  dependencies(text: string): TemplateDependencies;
  /**
   * The text with its templates filled in. Missing paths are empty.
   * The result is text, unless the language says otherwise (`as_object`, a leading `=`).
   * @throws TemplateError
   */
  render(text: string, scope: TemplateScope, options?: RenderOptions): JsonValue;
}
