import { createHash } from 'node:crypto';
import { randomGuid } from '../../../../platform/runtime/clock-and-random.js';
import path from 'node:path';
import { lookup } from 'mime-types';
import { bytesOf, textOfBytes } from '../../../../platform/text/byte-text.js';
import { readZip } from '../../../../platform/zip/read-zip.js';
import { writeZip, type ZipFile } from '../../../../platform/zip/write-zip.js';
import { ZipError } from '../../../../platform/zip/zip-format.js';
import { MAX_OUTPUT_CHARACTERS } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { isNothing, isRecord, textOf, valueAt } from '../../../values/values.js';
import type { FunctionCall, FunctionTable } from '../formula-function.js';
import { pairedLists } from '../values/paired-lists.js';

const MAX_FILES = 10_000;
/** Its files become base64, which is a third longer. */
const MAX_BYTES = (MAX_OUTPUT_CHARACTERS / 4) * 3;
const BYTES_OF_ELEMENT = 2;
const NAMELESS = 'file';

/** Functions that make archives and open them. */
export const archiveFunctions: FunctionTable = {
  ZIP: {
    takes: 'contents, filename?, password?, more…',
    gives:
      'the bytes of a ZIP archive of one or more texts and names, or of a list of `{name, contents}` or `{name, base64encodedcontents}`, optionally with `created_at`. A last text without a name is the password. Use BASE64_ENCODE to put it in an event or mail',
    example: ['UNZIP(ZIP("hello", "a.txt"))[0].filename', 'a.txt'],
    run: (values, call) => {
      const given = values.filter((value) => !isNothing(value));
      // Stories of older versions pair lists with it, which is ZIP_LISTS now.
      if (given.length > 1 && given.every(Array.isArray)) return pairedLists(values, call);
      return zipped(values, call);
    },
  },
  UNZIP: {
    takes: 'archive, password?',
    gives:
      'a list of the files in a ZIP archive: `{filename, content_type, guid, md5, sha256, sizeinbytes, base64encodedcontents, path}`',
    example: ['UNZIP(ZIP("hello", "a/b.txt"))[0].base64encodedcontents', 'aGVsbG8='],
    run: ([archive, password], call) => unzipped(archive, password, call),
  },
};

function zipped(values: unknown[], call: FunctionCall): string {
  const { files, password } =
    isRecord(values[0]) || Array.isArray(values[0]) ? ofFiles(values, call) : ofTexts(values);
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  call.charge(size / BYTES_OF_ELEMENT);
  return withZipErrors(() => textOfBytes(writeZip(withoutDoubles(files), password)));
}

/** The form of `ZIP(files, password)`. */
function ofFiles([given, ...others]: unknown[], call: FunctionCall) {
  const list: unknown[] = Array.isArray(given) ? given : [given];
  const files = list.map((item, index): ZipFile => {
    call.step();
    return fileOf(item, index);
  });
  return { files, password: passwordOf(others.findLast((value) => !isNothing(value))) };
}

/** The first time that an archive can hold: the archive of an attempt after a failure has the same bytes. */
const NO_TIME = new Date(Date.UTC(1980, 0, 1));

/** The form of `ZIP(contents, name, contents, name, password)`. */
function ofTexts(values: unknown[]) {
  const files: ZipFile[] = [];
  const pairs = values.length % 2 === 0 || values.length === 1 ? values : values.slice(0, -1);
  for (let at = 0; at < pairs.length; at += 2) {
    const name = textOf(pairs[at + 1]) || NAMELESS;
    files.push({ name, bytes: bytesOf(textOf(pairs[at])), changedAt: NO_TIME });
  }
  return { files, password: passwordOf(pairs.length < values.length ? values.at(-1) : undefined) };
}

function passwordOf(value: unknown): Buffer | undefined {
  return isNothing(value) ? undefined : bytesOf(textOf(value));
}

function fileOf(value: unknown, index: number): ZipFile {
  const name = textOf(valueAt(value, 'name') ?? valueAt(value, 'filename'));
  const contents = valueAt(value, 'contents');
  const encoded = valueAt(value, 'base64encodedcontents');
  if (name === '' || (isNothing(contents) && isNothing(encoded)))
    throw new TemplateError(`file ${index + 1} must have a name, and contents or base64encodedcontents`);
  const bytes = isNothing(encoded) ? bytesOf(textOf(contents)) : Buffer.from(textOf(encoded), 'base64');
  return { name, bytes, changedAt: timeOf(valueAt(value, 'created_at'), index) };
}

function timeOf(value: unknown, index: number): Date {
  const at = isNothing(value) ? NO_TIME : new Date(textOf(value));
  if (Number.isNaN(at.getTime()))
    throw new TemplateError(`created_at of file ${index + 1} is not a time in ISO 8601`);
  return at;
}

/** Programs that unpack the archive would keep one file of each name only. */
function withoutDoubles(files: readonly ZipFile[]): ZipFile[] {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return files.map((file) => {
    let [name, count] = [file.name, counts.get(file.name) ?? 1];
    for (; used.has(name); name = numbered(file.name, count)) count += 1;
    used.add(name);
    counts.set(file.name, count);
    return { ...file, name };
  });
}

/** `a/b.txt` → `a/b (2).txt` */
function numbered(filePath: string, count: number): string {
  const { dir, name, ext } = path.posix.parse(filePath);
  return path.posix.join(dir, `${name} (${count})${ext}`);
}

function unzipped(archive: unknown, password: unknown, call: FunctionCall): unknown[] {
  const files = withZipErrors(() =>
    readZip(bytesOf(textOf(archive)), {
      ...(!isNothing(password) && { password: bytesOf(textOf(password)) }),
      maxEntries: MAX_FILES,
      maxBytes: MAX_BYTES,
      onFile: (size) => {
        call.step();
        call.checkTime();
        call.charge(size / BYTES_OF_ELEMENT);
      },
    }),
  );
  return files.map(({ path: filePath, bytes }) => ({
    filename: path.posix.basename(filePath),
    content_type: lookup(filePath) || 'application/octet-stream',
    guid: randomGuid(),
    md5: createHash('md5').update(bytes).digest('hex'),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    sizeinbytes: bytes.length,
    base64encodedcontents: bytes.toString('base64'),
    path: filePath,
  }));
}

function withZipErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ZipError) throw new TemplateError(error.message, { cause: error });
    throw error;
  }
}
