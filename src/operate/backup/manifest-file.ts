import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Joi from 'joi';
import { messageOf } from '../../platform/errors.js';
import type { LineSummary } from './line-files.js';

/** A file of a copy. */
export interface CopiedFile extends LineSummary {
  /** Relative to the folder. */
  file: string;
}

const FILE = 'manifest.json';

/** The schema of a number of rows. */
export const rowCount = Joi.number().integer().min(0).required();

/** The schema of the keys of a `CopiedFile`. */
export const copiedFile = {
  file: Joi.string()
    .pattern(/^(?:tables\/)?[a-z0-9_]+\.(?:sql|jsonl)\.gz$/)
    .required(),
  lines: Joi.number().integer().min(0).required(),
  longest: Joi.number().integer().min(0).required(),
  sha256: Joi.string().hex().length(64).required(),
};

/** Writes the manifest: the last step of a copy, after which it counts as complete. */
export async function writeManifestFile(folder: string, manifest: object): Promise<void> {
  const unfinished = path.join(folder, `${FILE}.new`);
  await writeFile(unfinished, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(unfinished, path.join(folder, FILE));
}

/** Returns the manifest in a folder. @throws Error if there is none, or if it does not fit the schema. */
export async function readManifestFile<T>(
  folder: string,
  schema: Joi.ObjectSchema<T>,
  what = 'backup',
): Promise<T> {
  const text = await readFile(path.join(folder, FILE), 'utf8').catch((error: unknown) => {
    const reason = messageOf(error);
    throw new Error(`${folder} is not a complete ${what}: ${FILE} is missing (${reason})`, { cause: error });
  });
  const { error, value } = schema.validate(parsed(text), { convert: false });
  if (error !== undefined) throw new Error(`${FILE} is not valid: ${error.message}`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${FILE} is not JSON`, { cause: error });
  }
}
