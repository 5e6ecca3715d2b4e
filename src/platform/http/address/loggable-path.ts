/** A path may be encoded more than once: `%252F`. */
const MAX_LAYERS = 5;
const MAX_SEGMENT = 40;
const MAX_KEY = 80;
/** Ids: numbers and UUIDs, with or without dashes. */
const ID = /^(?:\d{1,20}|[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** A parameter whose values are made of words and ids: `held-retry-3-32`. */
const WORDS = { parameter: ':entry_key', value: /^[a-z]+(?:-[a-z0-9_]+)+$/ };
/** A webhook's URL as documented; its secret follows the path. */
const WEBHOOK = /^\/webhook\/([^/]*)/i;

/**
 * Returns a request's path without parts that may be secret. For a known route: its pattern, with the ids of the path.
 * For a webhook: `/webhook/<path>`. Otherwise only the first segment, decoded.
 */
export function loggablePath(path: string, route?: string): string {
  if (route !== undefined) return filledPattern(route, path);
  const [, hook] = WEBHOOK.exec(path) ?? [];
  const first = `/${plainStart(firstSegment(path))}`;
  return hook === undefined ? first : `${first}/${plainStart(hook)}`;
}

/** Returns the pattern with ids in place of its parameters; a value that is no id leaves the parameter's name. */
function filledPattern(pattern: string, path: string): string {
  const given = path.split('/');
  return pattern
    .split('/')
    .map((part, index) => (isTellable(part, given[index] ?? '') ? given[index] : part))
    .join('/');
}

function isTellable(part: string, value: string): boolean {
  if (part === WORDS.parameter) return value.length <= MAX_KEY && WORDS.value.test(value);
  return part.startsWith(':') && ID.test(value);
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

/** Leaves other characters encoded: the path is cut at them. */
function decodeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Returns the start of the segment up to the first character that needs encoding. */
function plainStart(segment: string): string {
  return (/^[\w.~-]*/.exec(segment)?.[0] ?? '').slice(0, MAX_SEGMENT);
}
