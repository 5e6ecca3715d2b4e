import { readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';

/** Environment and streams of a command. */
export interface CliIo {
  env: NodeJS.ProcessEnv;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable;
}

const MAX_INPUT_BYTES = 32 * 1024 * 1024;
const INPUT_LIMIT_MS = 60_000;

/**
 * Reads standard input to its end.
 * @throws Error if it is a terminal, is too large, or does not end within a minute.
 */
async function readStandardInput({ stdin }: CliIo): Promise<string> {
  if (stdin.isTTY === true) throw new Error('no input on standard input');
  const chunks: Buffer[] = [];
  let size = 0;
  const late = setTimeout(
    () => stdin.destroy(new Error(`standard input was not closed within ${INPUT_LIMIT_MS / 1000} s`)),
    INPUT_LIMIT_MS,
  );
  try {
    for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      size += bytes.length;
      if (size > MAX_INPUT_BYTES) throw new Error(`standard input is larger than ${MAX_INPUT_BYTES} bytes`);
    }
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads a file, or standard input if `file` is `-`. */
export async function readInputFile(io: CliIo, file: string): Promise<string> {
  return file === '-' ? readStandardInput(io) : readFile(file, 'utf8');
}

/** Options of commands that take a value: the value itself or its file. Default: standard input. */
export interface ValueOptions {
  value?: string;
  valueFile?: string;
}

/**
 * Returns the value of `--value`, or the content of `--value-file` or standard input without its last line end.
 * @throws Error if both options are given.
 */
export async function readValue(io: CliIo, { value, valueFile }: ValueOptions): Promise<string> {
  if (value !== undefined && valueFile !== undefined) {
    throw new Error('--value and --value-file cannot be combined');
  }
  if (value !== undefined) return value;
  return (await readInputFile(io, valueFile ?? '-')).replace(/\r?\n$/, '');
}
