/** The `fetch` of the console. */
type Sender = (address: string | URL | Request, init?: RequestInit) => Promise<Response>;

const KEY_HEADER = 'Idempotency-Key';
/** Writes without a known outcome whose keys are kept. */
const MOST = 100;
/** After so long a person who sends the same again means another one. */
const KEPT_MS = 5 * 60_000;
/** The server, or a proxy before it, may have done the work all the same. */
const UNKNOWN = new Set([500, 502, 504]);

interface Write {
  key: string;
  /** When it was sent last, by the clock of `performance`. */
  sentMs: number;
  /** Is fulfilled once the one that was sent last has its response, or none. */
  isOver: Promise<unknown>;
}

/**
 * Returns a sender that gives each POST a key, by which the server does it once (spec §1.10). The same write at the same time,
 * as by a double click, waits for the first one and gets its response. One whose outcome is unknown, as after a lost
 * connection, keeps its key for some minutes, for when a person sends it again.
 */
export function withWriteKeys(send: Sender, newKey: () => string): Sender {
  const writes = new Map<string, Write>();
  const begin = (name: string): Write => {
    const sentMs = performance.now();
    const before = writes.get(name);
    const isSame = before !== undefined && sentMs - before.sentMs < KEPT_MS;
    const write = isSame ? before : { key: newKey(), sentMs, isOver: Promise.resolve() };
    write.sentMs = sentMs;
    writes.delete(name);
    writes.set(name, write);
    const [oldest] = writes.keys();
    if (writes.size > MOST && oldest !== undefined) writes.delete(oldest);
    return write;
  };
  return async (address, init) => {
    if (init?.method !== 'POST') return send(address, init);
    const headers = new Headers(init.headers);
    const name = `${address instanceof Request ? address.url : address}\n${typeof init.body === 'string' ? init.body : ''}`;
    const write = begin(name);
    headers.set(KEY_HEADER, write.key);
    const sent = write.isOver.then(() => send(address, { ...init, headers }));
    write.isOver = sent.catch(() => undefined);
    const response = await sent;
    if (!UNKNOWN.has(response.status) && writes.get(name) === write) writes.delete(name);
    return response;
  };
}
