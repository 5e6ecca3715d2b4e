import Joi from 'joi';
import { hostnameOf } from '../../platform/addresses/host-name.js';
import { flagVariable, port, textVariable } from '../value-types.js';
import { type CheckedVariables, inGroup } from '../variable.js';

const variable = inGroup('Console and queue board');
const DEFAULT_PORT = 3001;

/** Scheme, host and port of a web address, and the path that a proxy takes off, if there is one. */
const webOrigin: Joi.CustomValidator = (address: string, helpers) =>
  /^https?:\/\/[^/?#@\s\\]+(?:\/[\w.~-]+)*\/?$/i.test(address) && URL.canParse(address)
    ? new URL(address).href.replace(/\/$/, '')
    : helpers.message({ custom: '{{#label}} must be an origin such as https://admin.example.com' });

/** The origin of the console and the queue board, and the account of the board (decisions 0028 and 0084). */
export const boardVariables = {
  adminUser: variable('ADMIN_USER', textVariable('a text'), {
    setByStart: true,
    meaning: 'User name for the queue board; without both, sign-in is disabled.',
    more: 'board.md',
  }),
  adminPassword: variable('ADMIN_PASSWORD', textVariable('at least 8 characters', Joi.string().min(8)), {
    secret: true,
    setByStart: true,
    meaning: 'Password of the queue board.',
  }),
  adminOrigin: variable(
    'ADMIN_ORIGIN',
    textVariable('scheme, host, optional port and path', Joi.string().custom(webOrigin)),
    {
      meaning: 'URL browsers use for console and board; its host name must differ from that of `PUBLIC_URL`.',
      note: 'They are then served on `PORT`, unless `ADMIN_PORT` is set.',
      example: 'https://admin.example.com',
      more: 'console.md',
    },
  ),
  /** Undefined: console and board are served on the public port, for the host of `adminOrigin`. */
  adminPort: variable<number | undefined>('ADMIN_PORT', port, {
    default: boardPort,
    defaultText: '`3001`, or `3002` if `PORT` is 3001; none if `ADMIN_ORIGIN` is set',
    setByStart: true,
    meaning: 'Port of console and board; `npm start` takes the port after `PORT`.',
  }),
  adminHost: variable('ADMIN_HOST', textVariable('an address of this machine, or a name for it'), {
    default: '127.0.0.1',
    meaning: 'Address on which console and board listen.',
  }),
  adminBoardWrite: variable('ADMIN_BOARD_WRITE', flagVariable, {
    default: false,
    meaning: 'Whether the board can change queues and jobs; every change is recorded in the audit log.',
  }),
};

/** Returns another port than the web process has; if that one is any free port (0), this one is too. */
function boardPort({ ADMIN_ORIGIN, PORT }: CheckedVariables): number | undefined {
  if (ADMIN_ORIGIN !== undefined) return undefined;
  if (PORT === 0) return 0;
  return PORT === DEFAULT_PORT ? DEFAULT_PORT + 1 : DEFAULT_PORT;
}

interface Origins {
  ADMIN_PORT?: number;
  ADMIN_ORIGIN?: string;
  PORT: number;
  PUBLIC_URL?: string;
}

/** Refuses settings by which console and board would share an origin with the content of tenants. */
export const apartFromTenants: Joi.CustomValidator = (checked: Origins, helpers) => {
  if (checked.ADMIN_PORT !== undefined && checked.ADMIN_PORT !== 0 && checked.ADMIN_PORT === checked.PORT) {
    return helpers.message({ custom: 'ADMIN_PORT must differ from PORT, which serves webhooks' });
  }
  if (haveSameName(checked.ADMIN_ORIGIN, checked.PUBLIC_URL)) {
    return helpers.message({ custom: 'ADMIN_ORIGIN must have a different host name than PUBLIC_URL' });
  }
  return checked;
};

/** Compares host names only: cookies ignore ports. */
function haveSameName(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || !URL.canParse(one) || !URL.canParse(other)) return false;
  return hostnameOf(new URL(one).host) === hostnameOf(new URL(other).host);
}
