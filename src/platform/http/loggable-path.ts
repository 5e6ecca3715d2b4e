/** A path may be encoded more than once: `%252F`. */
const MAX_LAYERS = 5;
const MAX_SEGMENT = 40;
/** Ids: numbers and UUIDs, with or without dashes. */
const ID = /^(?:\d{1,20}|[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** The address of a webhook as it is written in the documentation; its secret comes after. */
const WEBHOOK = /^\/webhook\/([^/]*)/i;

/**
 * A request's path without what may be a secret. Of a known route its pattern, with the ids that the path has; of a
 * webhook's address `/webhook/<path>`; of everything else the first part alone, however it is encoded.
 */
export function loggablePath(path: string, route?: string): string {
  if (route !== undefined) return filledPattern(route, path);
  const [, hook] = WEBHOOK.exec(path) ?? [];
  const first = `/${plainStart(firstSegment(path))}`;
  return hook === undefined ? first : `${first}/${plainStart(hook)}`;
}

/** The pattern with ids in the places of its parameters; what is no id stays the parameter's name. */
function filledPattern(pattern: string, path: string): string {
  const given = path.split('/');
  return pattern
    .split('/')
    .map((part, index) => (part.startsWith(':') && ID.test(given[index] ?? '') ? given[index] : part))
    .join('/');
}

function firstSegment(path: string): string {
  let plain = path;
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const decoded = decodeAscii(plain);
    if (decoded === plain) break;
    plain = decoded;
  }
  return (
    plain
      .replaceAll('\\', '/')
      .split('/')
      .find((segment) => segment !== '') ?? ''
  );
}

/** The rest of the characters do not matter here: the path is cut at them. */
function decodeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** As far as it has only characters that need no encoding. */
function plainStart(segment: string): string {
  return (/^[\w.~-]*/.exec(segment)?.[0] ?? '').slice(0, MAX_SEGMENT);
}
