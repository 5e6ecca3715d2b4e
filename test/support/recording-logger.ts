import { Writable } from 'node:stream';
import winston from 'winston';
import type { Logger } from '../../src/logger.js';

export type LogLine = Record<string, unknown>;

/** A logger whose lines a test can read, as the objects that would be written. */
export function recordingLogger(level = 'debug'): { logger: Logger; lines(): LogLine[]; clear(): void } {
  const written: LogLine[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(JSON.parse(chunk.toString()) as LogLine);
      done();
    },
  });
  const logger = winston.createLogger({
    level,
    format: winston.format.combine(
      winston.format.errors({ stack: true, cause: true }),
      winston.format.json(),
    ),
    transports: [new winston.transports.Stream({ stream })],
  });
  return { logger, lines: () => [...written], clear: () => void (written.length = 0) };
}
