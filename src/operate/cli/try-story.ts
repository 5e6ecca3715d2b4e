import { writeFile } from 'node:fs/promises';
import { clientOptions } from '../../config/face.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { createStreamLogger } from '../../platform/logger.js';
import { createHttpClient } from '../../platform/outbound/http-client.js';
import type { AnswerRule } from '../../stories/face.js';
import {
  createAnsweredClient,
  createNamedTrialValues,
  createRecordingClient,
  createSilentClient,
  runTrial,
  type TrialReport,
  parseAnswerRules,
  parseGivenValues,
} from '../../trial/face.js';
import { offlineConfig } from './cli-environment.js';
import { type CliIo, readInputFile } from './cli-io.js';
import { readStoryText } from './files/story-files-text.js';
import { readImportable } from './importable.js';
import { trialSettings } from './trial-settings.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** The options of `story try`. */
export interface TryOptions {
  event?: string;
  start?: string;
  header: string[];
  answer?: string;
  record?: string;
  values?: string;
  maxEvents?: string;
}

/**
 * Runs the story in `file` with the given options. With `record`, also writes that file.
 * @throws Error for a file that cannot be read, and for an export that an import would refuse.
 */
export async function tryStory(
  io: CliIo,
  file: string,
  options: TryOptions,
): Promise<{ report: TrialReport; credentials: ReadonlyMap<string, string> }> {
  const { request, refusals } = readImportable(await readStoryText(io, file));
  if (request === undefined) throw new Error(`an import would refuse the story: ${refusals.join('; ')}`);
  const payload = (await readJson(io, options.event)) ?? {};
  const rules = parseAnswerRules((await readJson(io, options.answer)) ?? []);
  const values = parseGivenValues((await readJson(io, options.values)) ?? {});
  const credentials = new Map(Object.entries(values.credentials));
  const config = offlineConfig(io.env);
  const recorded: AnswerRule[] = [];
  const network =
    options.record === undefined
      ? undefined
      : createRecordingClient(createHttpClient(clientOptions(config)), credentials, recorded);
  // Write the file once before the first request, so that an unwritable path fails early.
  if (options.record !== undefined) await writeRules(options.record, recorded);
  const start = { agent: options.start, payload, headers: headersOf(options.header) };
  try {
    const report = await runTrial(request, start, {
      ...trialSettings(config, countOf(options.maxEvents)),
      createHttp: (onUnanswered) => createAnsweredClient(rules, network ?? createSilentClient(onUnanswered)),
      createValues: (graphs, onMissing) => createNamedTrialValues(values, graphs, onMissing),
      logger: createStreamLogger({ level: 'error', stream: io.stderr }),
    });
    return { report, credentials };
  } finally {
    await network?.close();
    if (options.record !== undefined) await writeRules(options.record, recorded);
  }
}

async function readJson(io: CliIo, file: string | undefined): Promise<JsonValue | undefined> {
  if (file === undefined) return undefined;
  const text = await readInputFile(io, file);
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`${file === '-' ? 'standard input' : file} is not JSON`, { cause: error });
  }
}

/** Returns the headers as a webhook stores them, with the content type that each webhook request has. */
function headersOf(given: string[]): JsonObject {
  const pairs = given.map((header) => {
    const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/s.exec(header) ?? [];
    if (name === undefined || value === undefined)
      throw new Error(`"${header}" does not have the form "name: value"`);
    return [name.toLowerCase(), value] as const;
  });
  return { 'content-type': 'application/json', ...Object.fromEntries(pairs) };
}

function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`"${text}" is not a number of events`);
  return Number(text);
}

async function writeRules(file: string, rules: AnswerRule[]): Promise<void> {
  await writeFile(file, `${stringifyJson(rules, 2)}\n`, { mode: 0o600 });
}
