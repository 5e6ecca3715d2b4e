import { Writable } from 'node:stream';
import winston from 'winston';
import { type Logger, withoutSecrets } from '../../src/platform/logger.js';

export type LogLine = Record<string, unknown>;

interface RecordingLogger {
  logger: Logger;
  lines: () => LogLine[];
  clear: () => void;
}

/** A logger whose lines a test can read, as the objects that would be written. */
export function recordingLogger(level = 'debug'): RecordingLogger {
  const written: LogLine[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(JSON.parse(chunk.toString()) as LogLine);
      done();
    },
  });
  const logger = winston.createLogger({
    level,
    format: winston.format.combine(withoutSecrets(), winston.format.json()),
    transports: [new winston.transports.Stream({ stream })],
  });
  return { logger, lines: () => [...written], clear: () => void (written.length = 0) };
}
