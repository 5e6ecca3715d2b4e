import { Writable } from 'node:stream';
import * as fc from 'fast-check';
import winston from 'winston';
import { readConfig } from '../../src/config/config.js';
import { componentLogger, createLogger, createSilentLogger, type Logger } from '../../src/platform/logger.js';
import { recordingLogger } from '../support/recording-logger.js';

/** The process's own logger, with what it writes in place of standard output. */
function written(format: 'json' | 'text' | undefined): { logger: Logger; text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const logger = createLogger({ level: 'info', role: 'web', format });
  return { logger: logger.clear().add(new winston.transports.Stream({ stream })), text: () => text };
}

describe('a line for people', () => {
  it('has time, level, process, component, message and fields', () => {
    const { logger, text } = written('text');
    componentLogger(logger, 'stores').warn('redis is out of reach', {
      use: 'producer',
      port: 6379,
      no: null,
    });
    expect(text()).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z warn {2}\[web\/stores\] redis is out of reach use=producer port=6379\n$/,
    );
  });

  it('quotes texts with spaces, and writes lists as JSON', () => {
    const { logger, text } = written('text');
    logger.info('said', { a: 'b c', list: ['x y'], empty: '' });
    expect(text()).toContain(String.raw`[web] said a="b c" list="[\"x y\"]" empty=""`);
  });

  it('has the stack of an error on lines of its own', () => {
    const { logger, text } = written('text');
    logger.error('failed', { error: new Error('broken') });
    expect(text()).toMatch(/\[web\] failed \nError: broken\n {4}at /);
  });

  it('lets no text forge a line or move the cursor', () => {
    const { logger, text } = written('text');
    let before = 0;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (message, value) => {
        logger.info(`a${message}`, { value });
        const line = text().slice(before);
        before = text().length;
        expect(line).toMatch(/^[^\n]*\n$/);
        expect(line).not.toMatch(/(?!\n)[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });
});

/** The form of a line where standard output is a terminal or not, with this setting. */
const formOf = (isTerminal: boolean, LOG_FORMAT?: string) => {
  const env = { DATABASE_URL: 'mysql://h/d', REDIS_URL: 'redis://h', LOG_FORMAT };
  const before = process.stdout.isTTY;
  process.stdout.isTTY = isTerminal;
  try {
    const { logger, text } = written(readConfig(env).logFormat);
    logger.info('told');
    return text().startsWith('{') ? 'json' : 'text';
  } finally {
    process.stdout.isTTY = before;
  }
};

it('the form of lines is JSON, but for a terminal or LOG_FORMAT=text', () => {
  expect([formOf(false), formOf(true)]).toEqual(['json', 'text']);
  expect([formOf(false, 'text'), formOf(true, 'json')]).toEqual(['text', 'json']);
});

it('a line for machines is one JSON object', () => {
  const { logger, text } = written('json');
  componentLogger(logger, 'jobs').info('job', { outcome: 'done' });
  expect(JSON.parse(text())).toEqual({
    timestamp: expect.stringMatching(/Z$/) as string,
    level: 'info',
    role: 'web',
    component: 'jobs',
    message: 'job',
    outcome: 'done',
  });
});

describe('the logger of a component', () => {
  it('has the level of the process at any time', () => {
    const { logger, lines } = recordingLogger('info');
    const jobs = componentLogger(logger, 'jobs');
    jobs.debug('left out');
    logger.level = 'debug';
    jobs.debug('told');
    expect(jobs.isLevelEnabled('debug')).toBe(true);
    logger.level = 'info';
    jobs.debug('left out');
    expect(jobs.isLevelEnabled('debug')).toBe(false);
    expect(lines()).toEqual([{ level: 'debug', component: 'jobs', message: 'told' }]);
  });

  it('leaves the lines of the process and of other components without its name', () => {
    const { logger, lines } = recordingLogger('info');
    componentLogger(logger, 'jobs');
    logger.info('of the process');
    componentLogger(logger, 'stores').info('of stores');
    expect(lines()).toEqual([
      { level: 'info', message: 'of the process' },
      { level: 'info', component: 'stores', message: 'of stores' },
    ]);
  });

  it('is silent if the process is', () => {
    expect(componentLogger(createSilentLogger(), 'jobs').silent).toBe(true);
  });
});
