import winston from 'winston';
import { withoutQuotedValues } from './driver-text.js';
import { isError, plainError } from './plain-error.js';
import { type LogFormat, readable } from './readable-log.js';

/** Keys under which libraries store statements, their values and the arguments of commands. */
const LEFT_OUT = new Set(['sql', 'sqlMessage', 'parameters', 'bindings', 'command', 'commandArgs']);
const MAX_DEPTH = 8;
const MAX_ITEMS = 1_000;

export type Logger = winston.Logger;

/** How severe a line must be to be written: at `error` the fewest lines are, at `debug` all. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** The entry that winston passes from format to format, with its level under a symbol. */
type Entry = winston.Logform.TransformableInfo;

/** The key of the arguments after the message. */
const SPLAT = Symbol.for('splat');

/**
 * Removes from each entry what no log may contain: statements with their values, command arguments, headers. It must be
 * the first format, and replaces winston's own format for errors.
 */
export const withoutSecrets = winston.format((entry: Entry): Entry => {
  const symbols = Object.getOwnPropertySymbols(entry).map((symbol) => [symbol, entry[symbol]] as const);
  const fields = { level: entry.level, ...(loggable(fieldsOf(entry)) as object) };
  return Object.assign(fields, Object.fromEntries(symbols)) as Entry;
});

/** Returns the fields of an entry. An error may be the entry, its message, or an argument that winston mixed into it. */
function fieldsOf(entry: Entry): object {
  if (isError(entry)) return plainError(entry);
  const { message } = entry as { message: unknown };
  if (isError(message)) return { ...entry, ...plainError(message) };
  const given: unknown = (entry[SPLAT] as unknown[] | undefined)?.[0];
  if (!isError(given)) return { ...entry };
  const told = plainError(given);
  const text = String(message).replace(given.message, () => told.message);
  return { ...told, ...Object.fromEntries(OWN.map((key) => [key, entry[key]])), message: text };
}

/** Fields kept from an entry that an error was mixed into. */
const OWN = ['level', 'role', 'component'];

export interface LoggerOptions {
  level: LogLevel;
  /** Names the process on every line: `web`, `worker:trigger`. */
  role: string;
  /** Default: text if standard output is a terminal, else JSON. */
  format?: LogFormat | undefined;
  /** Returns further fields that follow from those of an entry. */
  derived?: ((fields: Readonly<Record<string, unknown>>) => object) | undefined;
}

/** Creates a logger that writes one line per entry to standard output. */
export function createLogger({ level, role, format = usualFormat(), derived }: LoggerOptions): Logger {
  return winston.createLogger({
    level,
    defaultMeta: { role },
    format: winston.format.combine(
      withoutSecrets(),
      winston.format.timestamp(),
      winston.format((entry) => (derived === undefined ? entry : Object.assign(entry, derived(entry))))(),
      format === 'json' ? winston.format.json() : readable(),
    ),
    transports: [new winston.transports.Console()],
  });
}

/**
 * Returns the logger of a component: its lines name it. All else, and its level at any time, is that of `root`. It hands each
 * line on as it is: winston's own `child` copies errors, and so loses what `withoutSecrets` knows them by.
 */
export function componentLogger(root: Logger, component: string): Logger {
  return Object.create(root, {
    defaultMeta: { value: { ...(root.defaultMeta as object | null), component } },
    write: { value: (line: unknown) => root.write(line) },
  }) as Logger;
}

function usualFormat(): LogFormat {
  return process.stdout.isTTY ? 'text' : 'json';
}

/** Creates a logger that writes readable lines to a stream; for commands that run parts of the server. */
export function createStreamLogger({
  level,
  stream,
}: {
  level: string;
  stream: NodeJS.WritableStream;
}): Logger {
  return winston.createLogger({
    level,
    format: winston.format.combine(withoutSecrets(), winston.format.simple()),
    transports: [new winston.transports.Stream({ stream })],
  });
}

/** Creates a logger that writes nothing; for one-shot commands and for tests. */
export function createSilentLogger(): Logger {
  return winston.createLogger({
    silent: true,
    transports: [new winston.transports.Console({ silent: true })],
  });
}

/**
 * Returns the value as a log line may contain it, at any depth: errors as `plainError` returns them, no statement, and
 * no value that a store's error quotes. Deeply nested and circular values are cut off.
 */
function loggable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return withoutQuotedValues(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (isError(value)) return plainError(value);
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => loggable(item, depth + 1));
  if (value instanceof Map || value instanceof Set) return loggable([...value], depth);
  if (Buffer.isBuffer(value)) return `${value.length} bytes`;
  return loggableObject(value, depth);
}

/** Copies a plain object; an object with `toJSON` is replaced by its result. */
function loggableObject(value: object, depth: number): unknown {
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return loggable(toJSON.call(value), depth + 1);
  const kept = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, loggable(item, depth + 1)]));
}
