import Joi from 'joi';
import {
  type CopiedFile,
  copiedFile,
  readManifestFile,
  rowCount,
  writeManifestFile,
} from './manifest-file.js';

/** A file of a backup. */
export type BackupFile = CopiedFile;

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

const schema = Joi.object<Manifest>({
  format: Joi.valid(1).required(),
  version: Joi.string().required(),
  takenAt: Joi.string().isoDate().required(),
  migrations: Joi.array().items(Joi.string()).required(),
  schema: Joi.object(copiedFile).required(),
  tables: Joi.array()
    .items(Joi.object({ ...copiedFile, table: Joi.string().required(), rows: rowCount }))
    .required(),
  spool: Joi.object({ ...copiedFile, jobs: rowCount })
    .allow(null)
    .required(),
  keys: Joi.array().items(Joi.string()).required(),
});

/** Writes the manifest: the last step of a backup, after which it counts as complete. */
export const writeManifest = (folder: string, manifest: Manifest): Promise<void> =>
  writeManifestFile(folder, manifest);

/** Returns the manifest of a backup. @throws Error if there is none, or if it is not of this format. */
export const readManifest = (folder: string): Promise<Manifest> => readManifestFile(folder, schema);
