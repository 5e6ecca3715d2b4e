import Joi from 'joi';
import { folder, integerVariable, list, oneOfVariable, port, textVariable, webUrl } from '../value-types.js';
import type { LogLevel } from '../../platform/logger.js';
import type { LogFormat } from '../../platform/readable-log.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Processes and the web server');

/** Address, folders, logs and shutdown of a process. */
export const processVariables = {
  port: variable('PORT', port, { default: 3000, meaning: 'Port of the web process.' }),
  host: variable('HOST', textVariable('an address of this machine, or a name for it'), {
    default: '0.0.0.0',
    meaning: 'Address on which the web process listens; `npm start` uses 127.0.0.1.',
  }),
  publicUrl: variable('PUBLIC_URL', webUrl, {
    defaultText:
      'the host of the request, if it is a loopback host or the connected address; else `http://localhost:PORT`',
    meaning: 'URL that clients use; contained in signatures and links.',
    note: 'Set it if the server has a host name.',
    more: '../decisions/0028-origins.md',
  }),
  dataDir: variable('DATA_DIR', folder, {
    default: '.data',
    meaning:
      'Folder for mail without SMTP, and for the embedded stores, logs and credentials of `npm start`.',
  }),
  runAsUser: variable('FABULA_USER', textVariable('the name of a user, or `root`'), {
    defaultText: '`fabula` or `nobody`',
    meaning: 'User that `npm start` switches to if started as root; `root`: no switch.',
    more: 'start-up.md#as-root',
  }),
  trustedProxies: variable('TRUSTED_PROXIES', list(Joi.string(), 'addresses or CIDRs'), {
    default: [],
    defaultText: 'none',
    meaning: 'Addresses of proxies whose `X-Forwarded-*` headers are trusted.',
  }),
  bodyLimitBytes: variable('BODY_LIMIT_BYTES', integerVariable({ min: 1024 }), {
    default: 10 * 1024 * 1024,
    defaultText: '`10485760` (10 MiB)',
    unit: 'bytes',
    meaning: 'Maximum body size of API and webhook requests.',
  }),
  storiesList: variable('STORIES_LIST', oneOfVariable('array', 'object'), {
    default: 'array',
    meaning: 'Format of the story list if requested without parameters.',
    note: 'With any parameter it is an object.',
    more: '../use/api.md#responses',
  }),
  logLevel: variable('LOG_LEVEL', oneOfVariable<LogLevel>('error', 'warn', 'info', 'debug'), {
    default: 'info',
    meaning: 'Minimum log level.',
    note: 'Accepted webhook requests and jobs that did their work are logged at `debug`; the rest at `info`.',
    more: 'logs.md',
  }),
  logFormat: variable('LOG_FORMAT', oneOfVariable<LogFormat>('json', 'text'), {
    defaultText: '`text` on a terminal, else `json`',
    meaning: 'Log format: one JSON object per line, or human-readable text.',
    more: 'logs.md',
  }),
  shutdownSeconds: variable('SHUTDOWN_SECONDS', integerVariable({ min: 3, max: 3600 }), {
    default: 25,
    unit: 'seconds',
    meaning: 'Time limit for a graceful shutdown after SIGTERM or SIGINT.',
    more: 'rolling-release.md#stopping',
  }),
};
