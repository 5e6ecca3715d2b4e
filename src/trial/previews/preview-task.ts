import { assemblePayload, findAgentType } from '../../agents/face.js';
import { TemplateError } from '../../platform/text/template-error.js';
import {
  createLanguages,
  renderOptions,
  type RenderOptionsInput,
  type TemplateLanguage,
} from '../../language/face.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { SampleContent } from './sample.js';

/** What templates are rendered with, with JSON as text. No secret and no reference to one is in it. */
export interface PreviewScope {
  language: TemplateLanguage['name'];
  /** The agent type of the options: it says which of them are values. */
  type: string | undefined;
  event: SampleContent;
  resources: string;
  credentials: [name: string, marker: string][];
  stories: string;
  meta: JsonObject;
  /** The JSON of what `INPUT` stands for. */
  inputs: string | undefined;
}

/** A template or options to render. */
export interface PreviewWork extends PreviewScope {
  /** The JSON of the template, or of the options. */
  text: string;
  /** Whether `text` is an object of options, instead of one template. */
  isOptions: boolean;
}

/** What is wrong with a template. Positions count from 1. */
export interface PreviewFault extends JsonObject {
  message: string;
  line: number | null;
  column: number | null;
  /** The line of the template, at most 200 characters of it. */
  excerpt: string | null;
}

/** Why nothing could be rendered. */
export interface PreviewError extends PreviewFault {
  /** Path of the option; null for a single template. */
  option: string | null;
}

/** The result of a preview; the value as JSON text. */
export type PreviewDone = { value: string; error: undefined } | { value: undefined; error: PreviewError };

const MOST_CHARACTERS = 4 * 1024 * 1024;
const AROUND = 100;
/** The name under which a template alone is rendered. */
const ALONE = 'template';
const LANGUAGES = createLanguages();

/** For `TASKS`: renders a template or options; a fault of a template is a result. */
export function renderPreview(work: PreviewWork): PreviewDone {
  const given = parseJson(work.text);
  const options = (work.isOptions ? given : { [ALONE]: given }) as JsonObject;
  try {
    const rendered = renderOptions(options, {
      ...renderInputOf(work),
      ...(!work.isOptions && { valueOptions: [ALONE], rawOptions: [] }),
    });
    const value = stringifyJson(work.isOptions ? rendered : (rendered[ALONE] ?? null));
    if (value.length > MOST_CHARACTERS) {
      throw new TemplateError(`The result exceeds ${MOST_CHARACTERS} characters`);
    }
    return { value, error: undefined };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { value: undefined, error: errorOf(error, options, work.isOptions) };
  }
}

/** Returns what `renderOptions` needs to render options of an action of the type. */
export function renderInputOf(work: PreviewScope): RenderOptionsInput {
  const agent = work.type === undefined ? undefined : findAgentType(work.type);
  return {
    language: LANGUAGES[work.language],
    scope: {
      event: eventOf(work.event),
      resources: mapOf(work.resources),
      credentials: new Map(work.credentials),
      stories: mapOf(work.stories),
      meta: work.meta,
      storyRunGuid: NO_RUN,
      prompt: (name) => `[prompt ${name}]`,
    },
    valueOptions: agent?.valueOptions ?? [],
    rawOptions: agent?.rawOptions ?? [],
    inputs: work.inputs === undefined ? undefined : (parseJson(work.inputs) as JsonObject),
  };
}

function eventOf(content: SampleContent): JsonObject {
  if ('json' in content) return parseJson(content.json) as JsonObject;
  return assemblePayload(content.parts.map(([slug, json]) => [slug, parseJson(json)]));
}

const NO_RUN = '00000000-0000-7000-8000-000000000000';

function mapOf(entries: string): Map<string, JsonValue> {
  return new Map(parseJson(entries) as [string, JsonValue][]);
}

function errorOf(error: TemplateError, options: JsonObject, isOptions: boolean): PreviewError {
  const { path = [] } = error;
  const option = isOptions && path.length > 0 ? error.message.slice(0, error.message.indexOf(': ')) : null;
  const source = path.reduce<unknown>(
    (part, step) => (part as Record<string, unknown> | undefined)?.[step],
    options,
  );
  return { option, ...faultOf(error, source) };
}

/** Returns what is wrong with a template, without the option that it stands in; `source` is its text. */
export function faultOf(error: TemplateError, source: unknown): PreviewFault {
  const { problem, path = [] } = error;
  const whole = path.length === 0 ? error.message : error.message.slice(error.message.indexOf(': ') + 2);
  const { line = null, column = null } = problem ?? {};
  const excerpt = typeof source === 'string' && line !== null ? excerptOf(source, line, column ?? 1) : null;
  return { message: problem?.message ?? whole, line, column, excerpt };
}

function excerptOf(text: string, line: number, column: number): string {
  const found = text.split('\n')[line - 1] ?? '';
  const start = Math.max(0, column - 1 - AROUND);
  return found.slice(start, start + 2 * AROUND);
}
