import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { productRoot } from '../../../platform/runtime/product-root.js';

/** The program of the reader, compressed by gzip (`assets/api-reader/README.md`). */
const FILE = 'assets/api-reader/reader.js.gz';

/** The program that shows the OpenAPI document in a browser. */
export interface ReaderFile {
  gzip: Buffer;
  /** Its address, which changes with its content. */
  path: string;
  /** For clients that take no gzip. */
  plain: () => Buffer;
}

/** Reads the program: 1.2 MB. */
export function readReaderFile(): ReaderFile {
  const gzip = readFileSync(path.join(productRoot().folder, FILE));
  const hash = createHash('sha256').update(gzip).digest('hex').slice(0, 16);
  return { gzip, path: `/api/docs/reader-${hash}.js`, plain: () => gunzipSync(gzip) };
}
