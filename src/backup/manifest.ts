import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Joi from 'joi';
import { messageOf } from '../platform/errors.js';

/** A file of a backup. */
export interface BackupFile {
  /** Relative to the folder. */
  file: string;
  lines: number;
  longest: number;
  /** The digest of the text before it was compressed. */
  sha256: string;
}

/** The rows of one table. */
export interface TableFile extends BackupFile {
  table: string;
  rows: number;
}

/** All that a backup says about itself. It has no secret. */
export interface Manifest {
  format: 1;
  /** The version of Fabula that made it. */
  version: string;
  /** The moment whose state the tables have, by the clock of the database (UTC). */
  takenAt: string;
  /** The migrations that had run. */
  migrations: string[];
  schema: BackupFile;
  tables: TableFile[];
  /** Webhook requests that waited in Redis; null if the spool was left out. */
  spool: (BackupFile & { jobs: number }) | null;
  /** The variables whose values a restore needs; they are kept elsewhere. */
  keys: string[];
}

const FILE = 'manifest.json';

const file = {
  file: Joi.string()
    .pattern(/^(?:tables\/)?[a-z0-9_]+\.(?:sql|jsonl)\.gz$/)
    .required(),
  lines: Joi.number().integer().min(0).required(),
  longest: Joi.number().integer().min(0).required(),
  sha256: Joi.string().hex().length(64).required(),
};
const rows = Joi.number().integer().min(0).required();

const schema = Joi.object<Manifest>({
  format: Joi.valid(1).required(),
  version: Joi.string().required(),
  takenAt: Joi.string().isoDate().required(),
  migrations: Joi.array().items(Joi.string()).required(),
  schema: Joi.object(file).required(),
  tables: Joi.array()
    .items(Joi.object({ ...file, table: Joi.string().required(), rows }))
    .required(),
  spool: Joi.object({ ...file, jobs: rows })
    .allow(null)
    .required(),
  keys: Joi.array().items(Joi.string()).required(),
});

/** Writes the manifest: the last step of a backup, after which it counts as complete. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const unfinished = path.join(folder, `${FILE}.new`);
  await writeFile(unfinished, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(unfinished, path.join(folder, FILE));
}

/** Returns the manifest of a backup. @throws Error if there is none, or if it is not of this format. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, FILE), 'utf8').catch((error: unknown) => {
    const reason = messageOf(error);
    throw new Error(`${folder} is no complete backup: it has no ${FILE} (${reason})`, { cause: error });
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
