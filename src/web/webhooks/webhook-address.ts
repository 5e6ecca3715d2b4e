import { pathProblem } from '../../stories/face.js';

/** The parts of a webhook's URL, relative to the router's mount point. */
export interface WebhookAddress {
  path: string;
  /** Undefined: the client authenticates with a header. */
  secret: string | undefined;
  /** Without the question mark; empty when there is none. */
  query: string;
}

/**
 * Splits `/<path>/<secret>?<query>` or `/<path>?<query>`; a trailing slash makes no difference.
 * Returns undefined for any other form, and for a path that no webhook can have. A secret with invalid
 * percent-encoding is used unchanged.
 */
export function parseAddress(url: string): WebhookAddress | undefined {
  const mark = url.indexOf('?');
  const pathname = mark === -1 ? url : url.slice(0, mark);
  const [, path = '', secret = '', ...rest] = pathname.split('/');
  const tooLong = rest.length > 1 || (rest.length === 1 && (rest[0] !== '' || secret === ''));
  if (path === '' || tooLong) return undefined;
  const name = decode(path);
  if (pathProblem(name) !== undefined) return undefined;
  return {
    path: name,
    secret: secret === '' ? undefined : decode(secret),
    query: mark === -1 ? '' : url.slice(mark + 1),
  };
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
