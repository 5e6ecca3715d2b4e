import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ObjectStore } from '../../platform/objects/object-store.js';
import { dataObject } from './archive-names.js';
import { headOf, type LineHead } from './archived-lines.js';
import { findEntries } from './index/index-lookup.js';

const unpack = promisify(gunzip);

/** Members that are read for one run: about 250 MB of lines. */
const MOST_MEMBERS = 2_000;

/** A line of a run in the archive. */
export interface ArchivedLine extends LineHead {
  text: string;
}

/**
 * Yields the lines of a run, in the order in which they were archived; none if it is not in the archive. A line may come
 * twice, if a process died between the archive and the database.
 */
export async function* readArchivedLines(objects: ObjectStore, guid: string): AsyncGenerator<ArchivedLine> {
  const entries = await findEntries(objects, guid);
  for (const { file, offset, length } of entries.slice(0, MOST_MEMBERS)) {
    const member = await unpack(await objects.read(dataObject(file), { offset, length }));
    for (const text of member.toString().split('\n')) {
      const head = headOf(text, guid);
      if (head !== undefined) yield { ...head, text };
    }
  }
}
