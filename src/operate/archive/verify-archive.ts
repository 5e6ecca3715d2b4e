import { messageOf } from '../../platform/errors.js';
import type { ObjectStore } from '../../platform/objects/object-store.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { isJsonObject } from '../../platform/json.js';
import { DATA_FOLDER, dataObject, factsObject } from './archive-names.js';
import { fileDigest } from './data-file.js';

/** The findings in the archive. */
export interface VerifiedArchive {
  files: number;
  bytes: number;
  /** One line for each damaged or missing file; the first hundred. */
  faults: string[];
}

const MOST_FAULTS = 100;
const FIGURES = /^runs\/(.+)\.json$/;

/** Reads all data files and compares them with their figures. @throws the place's error if it cannot be listed. */
export async function verifyArchive(objects: ObjectStore): Promise<VerifiedArchive> {
  const found: VerifiedArchive = { files: 0, bytes: 0, faults: [] };
  for await (const { name } of objects.list(DATA_FOLDER)) {
    const [, file] = FIGURES.exec(name) ?? [];
    if (file === undefined) continue;
    found.files += 1;
    const fault = await verifyFile(objects, file, found).catch(messageOf);
    if (fault !== undefined && found.faults.length < MOST_FAULTS) found.faults.push(`${file}: ${fault}`);
  }
  return found;
}

async function verifyFile(
  objects: ObjectStore,
  file: string,
  found: VerifiedArchive,
): Promise<string | undefined> {
  const facts = parseJson((await objects.read(factsObject(file))).toString());
  const bytes = await objects.read(dataObject(file));
  found.bytes += bytes.length;
  const expected = isJsonObject(facts) ? facts['sha256'] : undefined;
  return expected === fileDigest(bytes) ? undefined : 'its digest is not that of its figures';
}
