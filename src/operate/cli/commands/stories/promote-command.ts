import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../platform/json.js';
import { stringifyJson } from '../../../../platform/json/exact-number.js';
import { parseJson } from '../../../../platform/json/parse-json.js';
import type { Cli, CliResponse } from '../../cli.js';
import { type CliIo, readInputFile } from '../../cli-io.js';
import { checkText, type PromotionCheck, type PromotionFacts, promotedText } from './promotion-text.js';

interface PromoteOptions {
  bundle?: string;
  save?: string;
  mapping?: string;
  name?: string;
  apply?: boolean;
  overwrite?: boolean;
  reason?: string;
  withoutCalled?: boolean;
}

/** `promote`: brings stories of one tenant into another. Needs no database. */
export function addPromoteCommand(program: Command, cli: Cli): void {
  program
    .command('promote')
    .description(
      'bring stories from the server at FABULA_URL (key: FABULA_KEY) to the tenant of FABULA_TARGET_KEY at FABULA_TARGET_URL; shows what would change unless --apply is given',
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
    .option('--apply', 'promote; without it nothing is changed')
    .option(
      '--overwrite',
      'replace stories that were changed in the target and in the source; needs --reason',
    )
    .option('--reason <text>', 'why changes are overwritten')
    .action(cli.offlineAction((options: PromoteOptions, ids) => promote(cli.io, ids, options)));
}

async function promote(io: CliIo, ids: readonly string[], options: PromoteOptions): Promise<CliResponse> {
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
  const body: JsonObject = {
    bundle,
    ...(mapping !== undefined && { mapping: await jsonFile(io, mapping) }),
    ...(name !== undefined && { name }),
    ...(overwrite === true && { overwrite }),
    ...(reason !== undefined && { reason }),
  };
  const target = server(io, 'FABULA_TARGET_URL', 'FABULA_TARGET_KEY');
  if (options.apply === true) {
    const done = (await post(target, '/api/v1/promotions', body)) as unknown as PromotionFacts;
    return { json: done, text: promotedText(done) };
  }
  const check = (await post(target, '/api/v1/promotions/check', body)) as unknown as PromotionCheck;
  return { json: check, text: checkText(check), failed: !check.ok };
}

async function bundleOf(io: CliIo, ids: readonly string[], options: PromoteOptions): Promise<JsonObject> {
  if (options.bundle !== undefined) {
    if (ids.length > 0) throw new Error('give ids of stories, or --bundle, but not both');
    return jsonFile(io, options.bundle);
  }
  if (ids.length === 0) throw new Error('give ids of stories, or --bundle');
  const numbers = ids.map(Number);
  const source = server(io, 'FABULA_URL', 'FABULA_KEY');
  const asked = { story_ids: numbers, include_called: options.withoutCalled !== true };
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

interface Server {
  url: string;
  key: string;
}

/** @throws Error naming the variable that is missing or wrong. */
function server({ env }: CliIo, urlName: string, keyName: string): Server {
  const [url = '', key = ''] = [env[urlName], env[keyName]];
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new Error(`${urlName} must be the URL of a server, such as https://fabula.example.com`);
  if (key.trim() === '') throw new Error(`${keyName} must contain an API key`);
  return { url: new URL(url).href.replace(/\/$/, ''), key: key.trim() };
}

/** @throws AppError as the server answered; Unavailable. */
async function post(server: Server, address: string, body: JsonObject): Promise<JsonObject> {
  const { callOverHttp } = await import('../../../../web/mcp/api-over-http.js');
  const sent = Buffer.from(stringifyJson(body));
  const request = { method: 'POST', params: {}, path: address, query: {}, address, body: sent };
  const { text } = await callOverHttp(server, request, new AbortController().signal);
  return parseJson(text) as JsonObject;
}
