import type { TemplateProblem } from '../platform/text/template-error.js';
import type { JsonObject, JsonValue } from '../platform/json.js';
import type { SecretCalls } from './secrets/secret-calls.js';

/** The values a template may refer to. */
export interface TemplateScope {
  /** Top-level keys: one for each upstream action, by slug (spec §5.1). */
  event: JsonObject;
  /** Resources of the team, by name and by slug. */
  resources: ReadonlyMap<string, JsonValue>;
  /** References to the team's credentials, by name and by slug: no template sees a secret (decision 0026). */
  credentials: ReadonlyMap<string, string>;
  /** Stories of the team, by name and by slug: the values of `{% story %}` and `STORY.x`. */
  stories: ReadonlyMap<string, JsonValue>;
  /** `META`: `{tenant: {domain}, story: {id, name, guid}, story_run: {guid, id}, …}`. */
  meta: JsonObject;
  storyRunGuid: string;
  /** Creates the link of a prompt, which the reader of a message opens. Absent if no action is running. */
  prompt?: ((name: string) => string) | undefined;
  /** Present if credentials are named, or the event contains references to some. */
  secrets?: SecretCalls | undefined;
}

/** How to render one text. */
export interface RenderOptions {
  /** A text that is one bare reference returns the value itself; a JSON text returns the parsed value. */
  asValue?: boolean;
  /** With `asValue`: a JSON text stays the text it is. */
  keepsText?: boolean;
  /** Most characters of the result, if more than those of other texts: large parts of it must come from the event as they are. */
  mostCharacters?: number | undefined;
  /**
   * Shared by the texts of one agent's options, in order: a language with variables reads and writes them
   * here.
   */
  variables?: Record<string, unknown>;
}

/** The references of a text. */
export interface TemplateReferences {
  /** First names of its references: upstream slugs, and roots such as `META`. */
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

/** The values that a text needs from its story and team, as far as this is known without rendering. */
export interface TemplateDependencies {
  /** First names of references, except those bound in the text itself; each with the position of its first use. */
  roots: { name: string; line: number; column: number }[];
  /** Variables that it sets for texts rendered later. */
  sets: string[];
  /** Names as written, in no particular order; computed ones are missing. */
  credentials: string[];
  resources: string[];
  stories: string[];
  /** Names after `INPUT`, each with the position of its first use. */
  inputs: { name: string; line: number; column: number }[];
  /** Stories written with two names; the team's stories decide which of the two applies. */
  storiesOfTeams: StoryOfTeam[];
}

/** A reference as far as it is known without rendering: `receive.body.items`, of `receive.body.items[LOOP.index]`. */
export interface TemplatePath {
  /** The name that it begins with, then keys and indexes; at least one. */
  steps: (string | number)[];
  /** Its position in the text, from 1; in Liquid that of its tag. */
  line: number;
  column: number;
  /** Its absence is provided for: a condition, a test, or a `default` decides what happens then. */
  isGuarded: boolean;
}

/** One of the two languages of stories (spec §8.1). Every function is limited in time, memory and size. */
export interface TemplateLanguage {
  name: 'liquid' | 'formula';
  /** Returns true if the text contains template syntax of this language. */
  isTemplate(text: string): boolean;
  /** Returns the faults of one text: syntax errors, unknown filters, tags or functions. */
  check(text: string): TemplateProblem[];
  /** Returns the exact references of a text. Absent: the language cannot know them without rendering. */
  references?(text: string): TemplateReferences;
  /** Returns what a text needs, for its author; nothing is loaded by it. Empty for a text with syntax errors. */
  dependencies(text: string): TemplateDependencies;
  /** Returns the paths into the event and the variables that a text names, for its author. Empty for a text with syntax errors. */
  paths(text: string): TemplatePath[];
  /**
   * Returns where a text refers to a value of the event by this name: offsets of the name, ascending. A key, a word inside
   * a string, and a variable of the text itself are no such places. Undefined if the text cannot be read.
   */
  placesOf(text: string, name: string): number[] | undefined;
  /**
   * Renders the templates in a text. Missing paths are empty.
   * The result is text, unless the template says otherwise (`as_object`, a leading `=`).
   * @throws TemplateError
   */
  render(text: string, scope: TemplateScope, options?: RenderOptions): JsonValue;
}
