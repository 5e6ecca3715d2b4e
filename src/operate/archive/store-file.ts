import { stringifyJson } from '../../platform/json/exact-number.js';
import type { ObjectStore } from '../../platform/objects/object-store.js';
import { dataObject, factsObject } from './archive-names.js';
import { type DataFile, fileDigest } from './data-file.js';
import { writeIndexes } from './index/index-merge.js';

/** The archive gave back other bytes than it was given. */
class NotAsStored extends Error {}

/**
 * Stores a data file, reads it again and compares it, then stores its figures, and its index last: a file without an index
 * is no part of the archive. @throws NotAsStored, or the error of the place.
 */
export async function storeFile(objects: ObjectStore, file: DataFile): Promise<void> {
  const name = dataObject(file.name);
  await objects.put(name, file.bytes);
  const stored = fileDigest(await objects.read(name));
  if (stored !== file.sha256) throw new NotAsStored(`${name} has the digest ${stored}, not ${file.sha256}`);
  const facts = { format: 1, bytes: file.bytes.length, lines: file.lines, sha256: file.sha256 };
  await objects.put(factsObject(file.name), Buffer.from(`${stringifyJson(facts)}\n`));
  await writeIndexes(objects, { level: 0, lines: file.index });
}
