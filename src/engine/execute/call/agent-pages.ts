import Joi from 'joi';
import {
  type AgentResult,
  type AgentType,
  type AgentOutput,
  type Pagination,
  paginationSchema,
  readOptions,
  readPagination,
} from '../../../agents/face.js';
import { PermanentJobError } from '../../../platform/errors.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { MAX_OUTPUT_CHARACTERS, sizeWithin } from '../../../language/face.js';
import { withKey } from './agent-loop.js';
import { createLoopYield } from '../../../platform/runtime/loop-yield.js';
import type { AllIterations } from '../scheduling/iteration.js';

/** A story whose `has_more` is always true must not request pages until its deadline. */
const MAX_PAGES = 1_000;
const SETTINGS = Joi.object<{ pagination: Pagination }>({ pagination: paginationSchema }).unknown(true);
const SETTINGS_AS_VALUES = ['pagination.*'];

/**
 * Returns the option `pagination` unrendered; undefined if the agent sends a single request.
 * @throws PermanentJobError without `has_more`, before anything is sent.
 */
export function paginationOf(type: AgentType, { pagination }: JsonObject): JsonObject | undefined {
  return type.paginates === true ? readPagination(pagination) : undefined;
}

/** The template variable `PAGINATE`. */
interface Page extends JsonObject {
  index: number;
  previous_response: JsonValue;
}

interface Pages extends AllIterations {
  pagination: JsonObject;
}

/**
 * Runs the agent once per page, until `has_more` is false (docs/build/agents.md, Pages). Templates see `PAGINATE.index` (from 0)
 * and `PAGINATE.previous_response`: the page before, and in `has_more` the page just received. Each event keeps the request of
 * its page; a single event that of the last page.
 */
export async function runPages(pages: Pages): Promise<AgentResult> {
  const isSingle = await settingOf(pages, 'output_as_single_event', { index: 0, previous_response: null });
  const yieldToLoop = createLoopYield();
  const outputs: AgentOutput[] = [];
  let charactersLeft = MAX_OUTPUT_CHARACTERS;
  for (let hasMore = true; hasMore; ) {
    const index = outputs.length;
    if (index === MAX_PAGES)
      throw new PermanentJobError(`option pagination: the maximum is ${MAX_PAGES} pages`);
    await yieldToLoop();
    pages.context.signal().throwIfAborted();
    const previous = outputs.at(-1)?.payload ?? null;
    const { output, failed } = await runPage(pages, { index, previous_response: previous });
    // If a page fails without an event, the pages before it are dropped: a part would be taken for the whole.
    if (output === undefined) return { outputs: [] };
    const { payload, request } = output;
    charactersLeft -= sizeWithin(payload, charactersLeft, {
      what: 'result of the pages',
      wholeLimit: MAX_OUTPUT_CHARACTERS,
    });
    outputs.push({ payload, request });
    hasMore = !failed && (await settingOf(pages, 'has_more', { index, previous_response: payload }));
  }
  if (!isSingle) return { outputs };
  const payload = outputs.map((output) => output.payload);
  return { outputs: [{ payload, request: outputs.at(-1)?.request }] };
}

/** The first page uses the agent's idempotency key unchanged, as a single request does. */
async function runPage(
  { options, iterations, context }: Pages,
  page: Page,
): Promise<{ output: AgentOutput | undefined; failed: boolean }> {
  const { pagination: _, ...request } = options;
  const { idempotencyKey: key } = context;
  const own = withKey(context, page.index === 0 ? key : `${key}-p${page.index}`);
  const result = await iterations.run(request, own, { variables: { PAGINATE: page } });
  if (!('outputs' in result)) throw new PermanentJobError('this action type does not support pagination');
  return { output: result.outputs[0], failed: result.failed === true };
}

/** Returns a rendered setting. An empty value is false: a field that the response lacks renders as null. */
async function settingOf(
  { pagination, options, iterations }: Pages,
  name: keyof Pagination,
  page: Page,
): Promise<boolean> {
  const { local } = options;
  const asked = {
    ...(local === undefined ? {} : { local }),
    pagination: { [name]: pagination[name] ?? null },
  };
  const variables = { PAGINATE: page };
  const rendered = await iterations.render(asked, { valueOptions: SETTINGS_AS_VALUES, variables });
  return readOptions(SETTINGS, rendered).pagination?.[name] ?? false;
}
