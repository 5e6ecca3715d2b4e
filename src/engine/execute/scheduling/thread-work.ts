import { StoredMailProgress } from '../call/mail-progress.js';
import { v7 as newGuid } from 'uuid';
import {
  type AgentContext,
  type AgentResult,
  assemblePayload,
  type Emitted,
  findAgentType,
  type Gathered,
  type RequestBody,
  responseEvent,
} from '../../../agents/face.js';
import { signReference } from '../../../platform/secrets/secret-signer.js';
import { PermanentJobError } from '../../../platform/errors.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import type { ResponseHeaders } from '../../../platform/headers/header-of.js';
import {
  createFormulaLanguage,
  createLiquidLanguage,
  type Mentions,
  mentions,
  renderOptions,
  type RenderOptionsInput,
  type SecretCalls,
  type TemplateLanguage,
} from '../../../language/face.js';
import type { AgentLogEntry } from '../../state/outcome.js';
import { linksWith, type MadePrompts, type PromptKeys } from '../../prompts/prompt-links.js';
import { createRedactor } from '../../secrets/redaction/redactor.js';
import { createTeamSecretCalls } from '../../secrets/team-secret-calls.js';
import { storedEventText, noteInto } from '../../state/events/event-text.js';
import { runIterations } from './iterations.js';
import { createPlainIterations } from './plain-iterations.js';
import { type IterationInput } from './iteration.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';

/** The values that an agent's templates may use, for a thread; large ones as JSON text, which is copied fast. */
export interface ThreadScope {
  language: TemplateLanguage['name'];
  event: [slug: string, text: string][];
  resources: string;
  credentials: [name: string, value: string][];
  stories: string;
  meta: JsonObject;
  storyRunGuid: string;
  prompts: PromptKeys & { mark: string };
  /**
   * Present if values may hold references to secrets. Without a key nothing can be signed. `keys` are the credentials that
   * signatures are checked with, by their signed reference (decision 0026).
   */
  secrets:
    | { teamId: number; key: Uint8Array | undefined; keys: [reference: string, value: string][] }
    | undefined;
  mostCharacters: number | undefined;
  valueOptions: readonly string[];
  rawOptions: readonly string[];
  /** The JSON of the action's template inputs. */
  inputs: string | undefined;
}

/** Options to render. */
export interface RenderWork extends ThreadScope {
  options: string;
  more: IterationInput;
  /** The agent that sends a request with the options: the thread writes its body too. */
  sends?: { type: string; idempotencyKey: string } | undefined;
  /** Whether `rendered` has the payload besides the body that was written of it. */
  keepsPayload?: boolean | undefined;
}

/** All iterations of an agent that only computes. */
export interface RoundsWork extends ThreadScope {
  options: string;
  type: string;
  context: Pick<
    AgentContext,
    'agent' | 'story' | 'storyRunGuid' | 'resumed' | 'attempt' | 'maxAttempts' | 'idempotencyKey'
  >;
  /** Whether to return the rendered options of the first iteration. */
  keepsRendered?: boolean | undefined;
}

interface FromThread {
  logs: AgentLogEntry[];
  prompts: [status: string, id: string][];
  /** Time the work took, in ms. */
  workedMs: number;
}

export interface RenderedInThread extends FromThread {
  /** Without the payload if `body` holds it, unless it was asked for. */
  rendered: JsonObject;
  characters: number;
  body?: RequestBody | undefined;
}

export interface RoundsInThread extends FromThread {
  result: ComputedResult;
  /** Undefined unless it was asked for. */
  rendered?: JsonObject | undefined;
}

/** An agent's result, with large parts as the JSON text that will be stored. */
export type ComputedResult =
  | Exclude<AgentResult, Emitted | Gathered>
  | { gatheredText: Omit<Gathered['gather'], 'item'> & { item: string } };

const LANGUAGES: Record<TemplateLanguage['name'], TemplateLanguage> = {
  liquid: createLiquidLanguage(),
  formula: createFormulaLanguage(),
};
const NOBODY = new AbortController().signal;

/** For `TASKS`: renders options in a thread. @throws TemplateError. */
export function renderInThread(work: RenderWork): RenderedInThread {
  const began = performance.now();
  const made: Made = { prompts: new Map(), logs: [] };
  const options = parsed(work.options) as JsonObject;
  const values = renderOptions(options, { ...inputOf(work, made), ...work.more });
  const body = bodyOf(values, work);
  const { payload: _, ...others } = values;
  const rendered = body === undefined || work.keepsPayload === true ? values : others;
  const characters = stringifyJson(rendered).length + (body?.body.length ?? 0);
  return { rendered, body, characters, ...given(made), workedMs: performance.now() - began };
}

/** Returns the request body; undefined if the options are wrong, as running the agent reports that. */
function bodyOf(values: JsonObject, { sends }: RenderWork): RequestBody | undefined {
  if (sends === undefined) return undefined;
  try {
    return findAgentType(sends.type)?.writeBody?.(values, sends.idempotencyKey);
  } catch (error) {
    if (error instanceof PermanentJobError) return undefined;
    throw error;
  }
}

/** For `TASKS`: renders and runs an agent that only computes. @throws what the agent throws. */
export async function roundsInThread(work: RoundsWork): Promise<RoundsInThread> {
  const began = performance.now();
  const type = findAgentType(work.type);
  if (type?.computes !== true)
    throw new PermanentJobError(`Actions of type ${work.type} do not run in threads`);
  const made: Made = { prompts: new Map(), logs: [] };
  const input = inputOf(work, made);
  const context = contextOf(work, { event: input.scope.event, logs: made.logs });
  const options = parsed(work.options) as JsonObject;
  let rendered: JsonObject | undefined;
  const keep = work.keepsRendered === true ? (shown: JsonObject) => void (rendered ??= shown) : undefined;
  const result = await runIterations(type, {
    options,
    context,
    iterations: createPlainIterations(type, input, keep),
  });
  return {
    result: asTexts(result, made.logs),
    rendered,
    ...given(made),
    workedMs: performance.now() - began,
  };
}

/** A large response, and the secrets that its request sent. */
export interface ResponseWork {
  status: number;
  headers: ResponseHeaders;
  body: Uint8Array;
  secrets: readonly [credential: string, text: string][];
}

/** JSON with more values stays text: parsed, it would need more memory than a thread has. */
const MOST_RESPONSE_VALUES = 1_000_000;

/** For `TASKS`: returns the event of a response as JSON text, redacted: some servers echo the secrets they received. */
export function redactResponseInThread({ status, headers, body, secrets }: ResponseWork): {
  text: string;
  workedMs: number;
} {
  const began = performance.now();
  const response = { status, headers, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
  const event = responseEvent(response, { mostValues: MOST_RESPONSE_VALUES });
  if (secrets.length === 0) return { text: stringifyJson(event), workedMs: performance.now() - began };
  const redactor = createRedactor();
  for (const [credential, text] of secrets) redactor.add(credential, text);
  const text = stringifyJson(redactor.value(event));
  return { text, workedMs: performance.now() - began };
}

/** For `TASKS`: returns what the templates of long options refer to. */
export function mentionsInThread(work: { options: string; language: TemplateLanguage['name'] }): Mentions {
  return mentions(parsed(work.options) as JsonObject, LANGUAGES[work.language]);
}

/** Prompts and log lines that rendering creates. */
interface Made {
  prompts: MadePrompts;
  logs: AgentLogEntry[];
}

function given({ prompts, logs }: Made): Pick<FromThread, 'prompts' | 'logs'> {
  return { prompts: [...prompts], logs };
}

function secretsOf({ secrets }: ThreadScope, logs: AgentLogEntry[]): SecretCalls | undefined {
  if (secrets === undefined) return undefined;
  const { teamId, key, keys } = secrets;
  return createTeamSecretCalls(teamId, {
    sign(content) {
      if (key === undefined) throw new PermanentJobError('ENCRYPTION_KEY is not set');
      return signReference(content, key);
    },
    logs,
    keys: new Map(keys),
  });
}

function inputOf(work: ThreadScope, made: Made): RenderOptionsInput {
  const { prompts, meta, storyRunGuid, mostCharacters, valueOptions, rawOptions, inputs } = work;
  return {
    language: LANGUAGES[work.language],
    scope: {
      event: assemblePayload(work.event.map(([slug, text]) => [slug, parsed(text)])),
      resources: mapOf(work.resources),
      credentials: new Map(work.credentials),
      stories: mapOf(work.stories),
      meta,
      storyRunGuid,
      prompt: linksWith(prompts)(prompts.mark, made.prompts),
      secrets: secretsOf(work, made.logs),
    },
    mostCharacters,
    valueOptions,
    rawOptions,
    inputs: inputs === undefined ? undefined : (parsed(inputs) as JsonObject),
  };
}

function contextOf(
  work: RoundsWork,
  { event, logs }: { event: JsonObject; logs: AgentLogEntry[] },
): AgentContext {
  return {
    ...work.context,
    event,
    round: '',
    mailProgress: new StoredMailProgress(null),
    newGuid,
    signal: () => NOBODY,
    log: (level, message) => logs.push({ level, message }),
    http: { send: () => Promise.reject(unreachable()) },
    mailer: { send: () => Promise.reject(unreachable()) },
  };
}

function unreachable(): Error {
  return new Error('An action that only computes tried to use the network');
}

function asTexts(result: AgentResult, logs: AgentLogEntry[]): ComputedResult {
  const log = noteInto(logs);
  if ('outputs' in result) {
    return {
      texts: result.outputs.map(({ payload, branch = 'normal' }) => ({
        payload: storedEventText(payload, log),
        branch,
      })),
    };
  }
  if (!('gather' in result)) return result;
  return { gatheredText: { ...result.gather, item: storedEventText(result.gather.item, log) } };
}

function mapOf(entries: string): Map<string, JsonValue> {
  return new Map(parsed(entries) as [string, JsonValue][]);
}

function parsed(text: string): JsonValue {
  return parseJson(text);
}
