import winston from 'winston';

export type Logger = winston.Logger;

/**
 * A logger that writes one JSON line for each entry to standard output.
 * `role` names the process (`web`, `worker:trigger`) on every line.
 */
export function createLogger(options: { level: string; role: string }): Logger {
  return winston.createLogger({
    level: options.level,
    defaultMeta: { role: options.role },
    format: winston.format.combine(
      winston.format.timestamp(),
      winston.format.errors({ stack: true, cause: true }),
      winston.format.json(),
    ),
    transports: [new winston.transports.Console()],
  });
}

/** A logger that writes readable lines to a stream; for commands that run parts of the server. */
export function createStreamLogger({
  level,
  stream,
}: {
  level: string;
  stream: NodeJS.WritableStream;
}): Logger {
  return winston.createLogger({
    level,
    format: winston.format.simple(),
    transports: [new winston.transports.Stream({ stream })],
  });
}

/** A logger that writes nothing; for one-shot commands and for tests. */
export function createSilentLogger(): Logger {
  return winston.createLogger({
    silent: true,
    transports: [new winston.transports.Console({ silent: true })],
  });
}
