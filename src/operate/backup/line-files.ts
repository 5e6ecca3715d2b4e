import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Lines that were written or read. */
export interface LineSummary {
  lines: number;
  /** Length of the longest line, in bytes. */
  longest: number;
  /** SHA-256 of the text, in hexadecimal digits. */
  sha256: string;
}

const LINE_END = 10;

/** Writes lines into a new gzip file that only this user can read. */
export async function writeLines(file: string, lines: AsyncIterable<string>): Promise<LineSummary> {
  const sum = createSum();
  const destination = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(Readable.from(summed(lines, sum)), createGzip({ level: 5 }), destination);
  return sum.total();
}

async function* summed(lines: AsyncIterable<string>, sum: Sum): AsyncGenerator<Buffer> {
  for await (const line of lines) yield sum.add(line);
}

/** Reads the lines of such a file. `onEnd` gets the summary after the last one. @throws the file system's and zlib's errors. */
export async function* readLines(
  file: string,
  onEnd: (summary: LineSummary) => void = () => undefined,
): AsyncGenerator<string> {
  const sum = createSum();
  let rest: Buffer[] = [];
  const source = createReadStream(file);
  const text = createGunzip();
  const piped = pipeline(source, text);
  // The loop below throws the same error.
  piped.catch(() => undefined);
  for await (const chunk of text as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, at)]).toString('utf8');
      [rest, from] = [[], at + 1];
      sum.add(line);
      yield line;
    }
    rest.push(chunk.subarray(from));
  }
  await piped;
  if (rest.some(({ length }) => length > 0)) throw new Error(`${file} ends within a line`);
  onEnd(sum.total());
}

/** Returns the summary of lines without writing them. */
export async function summarize(lines: AsyncIterable<string>): Promise<LineSummary> {
  const sum = createSum();
  for await (const line of lines) sum.add(line);
  return sum.total();
}

/** Returns the summary of a file. @throws as `readLines`. */
export async function summarizeFile(file: string): Promise<LineSummary> {
  return summarize(readLines(file));
}

type Sum = ReturnType<typeof createSum>;

function createSum() {
  const hash: Hash = createHash('sha256');
  let lines = 0;
  let longest = 0;
  return {
    /** Returns the line as it stands in the file. */
    add(line: string): Buffer {
      const bytes = Buffer.from(`${line}\n`);
      hash.update(bytes);
      lines += 1;
      longest = Math.max(longest, bytes.length);
      return bytes;
    },
    total: (): LineSummary => ({ lines, longest, sha256: hash.digest('hex') }),
  };
}
