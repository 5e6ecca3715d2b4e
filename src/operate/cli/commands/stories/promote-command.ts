import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../platform/json.js';
import { stringifyJson } from '../../../../platform/json/exact-number.js';
import { parseJson } from '../../../../platform/json/parse-json.js';
import type { Cli, CliResponse } from '../../cli.js';
import { type CliIo, readInputFile } from '../../cli-io.js';
import { type ApiClient, ApiFault, createApiClient } from '../../files/api-client.js';
import {
  chosenStories,
  leftOutStories,
  type PromotionChoice,
  readTakes,
  type Take,
} from './promotion-choices.js';
import {
  checkText,
  CONFLICT_HINT,
  type PromotionCheck,
  type PromotionFacts,
  promotedText,
} from './promotion-text.js';

interface PromoteOptions {
  bundle?: string;
  save?: string;
  mapping?: string;
  name?: string;
  take?: string[];
  leaveOut?: string[];
  apply?: boolean;
  overwrite?: boolean;
  reason?: string;
  withoutCalled?: boolean;
}

const SOURCE = { url: 'FABULA_URL', key: 'FABULA_KEY' };
const TARGET = { url: 'FABULA_TARGET_URL', key: 'FABULA_TARGET_KEY' };
/** A hundred large stories are compared one after the other. */
const LIMIT_MS = 120_000;

/** `promote`: brings stories of one tenant into another. Needs no database. */
export function addPromoteCommand(program: Command, cli: Cli): void {
  program
    .command('promote')
    .description(
      'bring stories from the server at FABULA_URL (key: FABULA_KEY) to the tenant of FABULA_TARGET_KEY at FABULA_TARGET_URL; shows what would change unless --apply is given; exit code 1 if the promotion is refused',
    )
    .argument('[id...]', 'ids of the stories')
    .option('--bundle <file>', 'promote this bundle instead of stories; - for standard input')
    .option('--save <file>', 'write the bundle to a file, and promote nothing')
    .option(
      '--mapping <file>',
      'JSON with other names in the target: teams, credentials, resources, webhook_paths',
    )
    .option('--name <name>', 'name of the promotion and of the versions that it makes')
    .option('--without-called', 'leave out the stories that these call')
    .option(
      '--take <side>',
      'which side counts where both have changed the same: incoming, or live for the target; incoming=NAME for one story; repeatable',
      collected,
    )
    .option('--leave-out <name>', 'do not promote the story of this name or guid; repeatable', collected)
    .option('--apply', 'promote; without it nothing is changed')
    .option(
      '--overwrite',
      'replace whole stories that were changed in the target and in the source; needs --reason',
    )
    .option('--reason <text>', 'why changes are overwritten')
    .action(cli.offlineAction((options: PromoteOptions, ids) => promote(cli.io, ids, options)));
}

function collected(value: string, before: string[] = []): string[] {
  return [...before, value];
}

async function promote(io: CliIo, ids: readonly string[], options: PromoteOptions): Promise<CliResponse> {
  const takes = readTakes(options.take ?? []);
  const bundle = await bundleOf(io, ids, options);
  if (options.save !== undefined) {
    await writeFile(options.save, `${stringifyJson(bundle)}\n`);
    const { stories, needs } = bundle;
    const count = Array.isArray(stories) ? stories.length : 0;
    return {
      json: { file: options.save, stories: count, needs: needs ?? null },
      text: `${options.save}: ${count} stories`,
    };
  }
  const { mapping, name, overwrite, reason } = options;
  const leftOut = leftOutStories(bundle, options.leaveOut ?? []);
  const body: JsonObject = {
    bundle,
    ...(mapping !== undefined && { mapping: await jsonFile(io, mapping) }),
    ...(name !== undefined && { name }),
    ...(overwrite === true && { overwrite }),
    ...(reason !== undefined && { reason }),
  };
  const target = createApiClient(io.env, {}, TARGET);
  const choices = await choicesFor(target, { body, takes, leftOut });
  const chosen = choices.length === 0 ? body : { ...body, choices: choices as unknown as JsonValue[] };
  const names = leftOut.map((story) => story.name);
  if (options.apply === true) {
    const done = (await promoted(target, chosen)) as unknown as PromotionFacts;
    return { json: done, text: promotedText(done, names) };
  }
  const check = (await post(target, '/api/v1/promotions/check', chosen)) as unknown as PromotionCheck;
  return { json: check, text: checkText(check, names), failed: !check.ok };
}

interface Wanted {
  body: JsonObject;
  takes: readonly Take[];
  leftOut: readonly { guid: string; name: string }[];
}

/** A side is taken of what a check has shown: of conflicts that come later nobody knows. */
async function choicesFor(target: ApiClient, { body, takes, leftOut }: Wanted): Promise<PromotionChoice[]> {
  const without = leftOut.map(({ guid }): PromotionChoice => ({ source_guid: guid, leave_out: true }));
  if (takes.length === 0) return without;
  const asked = without.length === 0 ? body : { ...body, choices: without as unknown as JsonValue[] };
  const check = (await post(target, '/api/v1/promotions/check', asked)) as unknown as PromotionCheck;
  return [...without, ...chosenStories(check, takes)];
}

/** @throws ApiFault; for conflicts it says what to do about them. */
async function promoted(target: ApiClient, body: JsonObject): Promise<JsonObject> {
  return post(target, '/api/v1/promotions', body).catch((error: unknown) => {
    if (!(error instanceof ApiFault && error.status === 412)) throw error;
    throw new ApiFault(412, `${error.message}. ${CONFLICT_HINT}`);
  });
}

async function bundleOf(io: CliIo, ids: readonly string[], options: PromoteOptions): Promise<JsonObject> {
  if (options.bundle !== undefined) {
    if (ids.length > 0) throw new Error('give ids of stories, or --bundle, but not both');
    return jsonFile(io, options.bundle);
  }
  if (ids.length === 0) throw new Error('give ids of stories, or --bundle');
  const wrong = ids.find((id) => !/^\d{1,15}$/.test(id));
  if (wrong !== undefined) throw new Error(`"${wrong}" is not a story id`);
  const source = createApiClient(io.env, {}, SOURCE);
  const asked = { story_ids: ids.map(Number), include_called: options.withoutCalled !== true };
  return post(source, '/api/v1/promotions/bundle', asked);
}

async function jsonFile(io: CliIo, file: string): Promise<JsonObject> {
  const value = parsed(await readInputFile(io, file));
  if (value === undefined || !isJsonObject(value)) throw new Error(`${file} does not hold a JSON object`);
  return value;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined; // not JSON: the caller says so
  }
}

async function post(server: ApiClient, path: string, body: JsonObject): Promise<JsonObject> {
  return (await server.call(`POST ${path}`, { body, limitMs: LIMIT_MS })).body;
}
