import { AddressBlocked } from '../addresses/address-guard.js';
import { TooManyWaiting } from './connection-slots.js';
import { errorCode } from '../error-code.js';
import { OutboundRefused } from '../addresses/hop-rules.js';
import { ConnectionClosed, ConnectTimeout } from './agents.js';
import { NotHttp } from './exchange.js';
import type { NoResponse } from '../http-exchange.js';
import { ProxyFailed } from './proxy-tunnel.js';
import { BodyCut, BodyTooLarge, BodyUnreadable } from './read-body.js';
import { TooManyRedirects } from './redirects.js';

const CLOSED = 'the connection was closed before the response was complete';

/** Readable reasons by the code of the system, the TLS layer or Node's parser. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while the request was being sent',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'the connection attempt timed out',
  HPE_HEADER_OVERFLOW: 'the response headers are too large',
  HPE_INVALID_EOF_STATE: CLOSED,
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is signed by an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

/** No code at all, or one for wrong arguments to the client. */
const FAULTS_OF_THE_CALL = /^$|^ERR_(INVALID|UNESCAPED|HTTP)/;

/** Errors whose own message is written for a story's author. */
const PLAIN_ERRORS = [
  AddressBlocked,
  BodyCut,
  BodyTooLarge,
  BodyUnreadable,
  ConnectionClosed,
  ConnectTimeout,
  NotHttp,
  OutboundRefused,
  ProxyFailed,
  TooManyRedirects,
  TooManyWaiting,
];

/** State of a request when it ends. */
interface RequestFacts {
  /** URL of the current hop. */
  url: string;
  /** The request was waiting for a connection. */
  waits: boolean;
  timedOut: boolean;
  interrupted: boolean;
  /** The timeout applied, if the request asked for more than the operator allows. */
  cappedMs: number | undefined;
}

/** Converts an error to a `NoResponse` with its reason, without anything that may be secret. */
export function noResponse(error: unknown, facts: RequestFacts): NoResponse {
  const { interrupted, timedOut } = facts;
  if (interrupted) return { answered: false, interrupted, reason: 'the request was interrupted' };
  const reason = timedOut ? reasonOfTime(facts) : (reasonOf(error) ?? rethrow(error));
  const forbidden = !timedOut && (error instanceof AddressBlocked || error instanceof OutboundRefused);
  return { answered: false, interrupted, forbidden, reason: `${hostOf(facts.url)}: ${reason}` };
}

function reasonOfTime({ waits, cappedMs }: RequestFacts): string {
  const what = waits
    ? 'the request timed out waiting for a free connection'
    : 'there was no response in time';
  if (cappedMs === undefined) return what;
  return `${what} (limited to ${cappedMs / 1000} s by HTTP_TIMEOUT_MAX_SECONDS)`;
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof Error && PLAIN_ERRORS.some((type) => error instanceof type)) return error.message;
  const code = errorCode(error) ?? '';
  if (code === 'ECONNRESET' && !isOfSystem(error)) return CLOSED;
  if (Object.hasOwn(REASONS, code)) return REASONS[code];
  if (code.startsWith('HPE_')) return `the response is not HTTP${fromParser(error)}`;
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO|CERT_)/.test(code)) return `the TLS handshake failed (${code})`;
  return FAULTS_OF_THE_CALL.test(code) ? undefined : `failed (${code})`;
}

/** Node gives the code of a reset connection also to one that ended normally, but too early. */
function isOfSystem(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}

/** Returns what the parser expected: a fixed text of the parser, without anything of the response. */
function fromParser(error: unknown): string {
  const reason = typeof error === 'object' && error !== null && 'reason' in error ? error.reason : undefined;
  return typeof reason === 'string' ? ` (${reason})` : '';
}

/** The error is a bug in this program, not a network fault. */
function rethrow(error: unknown): never {
  throw error;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'the address';
}
