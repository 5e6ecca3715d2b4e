import Joi from 'joi';
import { type CopiedFile, copiedFile, readManifestFile, rowCount } from '../manifest-file.js';

/** The rows of one table. Each line is a JSON array: the values of the columns, and then the table's further value. */
export interface TenantFile extends CopiedFile {
  table: string;
  rows: number;
  columns: string[];
}

/** How far the statistics had counted: what is behind it, the target counts. */
export interface CountedUpTo {
  events: number;
  runs: number;
  /** The time of the last dead letter, as the database writes times. */
  deadLetters: string;
}

/** All that the copy of a tenant says about itself. It has no secret. */
export interface TenantManifest {
  format: 1;
  kind: 'tenant';
  /** The version of Fabula that made it. */
  version: string;
  /** The moment whose state the rows have, by the clock of the database (UTC). */
  takenAt: string;
  /** The migrations that had run. */
  migrations: string[];
  tenant: { id: number; name: string };
  /** The salt of the passphrase that encrypts the secrets; null: they are encrypted with the ENCRYPTION_KEY of the source. */
  salt: string | null;
  counted: CountedUpTo;
  tables: TenantFile[];
  /** The HMAC of all the rest with a key of the passphrase; null without one. */
  signature: string | null;
}

const schema = Joi.object<TenantManifest>({
  format: Joi.valid(1).required(),
  kind: Joi.valid('tenant').required(),
  version: Joi.string().required(),
  takenAt: Joi.string().isoDate().required(),
  migrations: Joi.array().items(Joi.string()).required(),
  tenant: Joi.object({ id: Joi.number().integer().required(), name: Joi.string().required() }).required(),
  salt: Joi.string().hex().allow(null).required(),
  counted: Joi.object({ events: rowCount, runs: rowCount, deadLetters: Joi.string().required() }).required(),
  tables: Joi.array()
    .items(
      Joi.object({
        ...copiedFile,
        table: Joi.string().required(),
        rows: rowCount,
        columns: Joi.array().items(Joi.string()).required(),
      }),
    )
    .required(),
  signature: Joi.string().hex().length(64).allow(null).required(),
});

/** Returns the manifest of a tenant's copy. @throws Error if there is none, or if it is not of this format. */
export const readTenantManifest = (folder: string): Promise<TenantManifest> =>
  readManifestFile(folder, schema, 'copy of a tenant');
