import net, { type AddressInfo, type Socket } from 'node:net';

/** A query's command byte, after the four bytes of the packet's head. */
const COM_QUERY = 0x03;
const PACKET_HEAD = 4;
/** Attributes that clients may send to MySQL, unlike MariaDB, before a query's text. */
const NO_ATTRIBUTES = '\x00\x01';
const OK = 0x00;
const MORE_RESULTS = 0x0008;

export interface Refusal {
  errno: number;
  /** Whether the statements take effect all the same. */
  applied: boolean;
  /** Statements that are refused; then the server answers again. */
  times: number;
  /** Refuses statements that end a transaction, or all but SET, like a node outside its cluster. */
  of: 'commits' | 'all';
}

/** A TCP proxy before MySQL that answers with errors of the server's, as clusters do. */
export type RefusingProxy = Awaited<ReturnType<typeof startRefusingProxy>>;

export async function startRefusingProxy(target: string) {
  const store = new URL(target);
  const sockets = new Set<Socket>();
  let refusal: Refusal | undefined;
  let refused = 0;

  const takeRefusal = (chunk: Buffer): Refusal | undefined => {
    if (refusal === undefined || refusal.times <= 0 || !isMeant(chunk, refusal.of)) return undefined;
    refusal.times -= 1;
    refused += 1;
    return refusal;
  };
  const server = net.createServer({ noDelay: true }, (client) => {
    const upstream = net.connect({ host: store.hostname, port: Number(store.port), noDelay: true });
    const end = () => [client, upstream].forEach((socket) => sockets.delete(socket.destroy()));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    /** The refused packet, and the bytes of it that are still to come. */
    let current: { refusal: Refusal; unread: number; answer: Buffer } | undefined;
    const finish = () => {
      if (current !== undefined) client.write(errorPacket(current.refusal.errno));
      current = undefined;
    };
    upstream.on('data', (chunk: Buffer) => {
      if (current === undefined) return client.write(chunk);
      current.answer = Buffer.concat([current.answer, chunk]);
      if (isWhole(current.answer)) finish();
      return undefined;
    });
    client.on('data', (chunk: Buffer) => {
      const next = current === undefined ? takeRefusal(chunk) : undefined;
      if (next !== undefined) {
        current = { refusal: next, unread: chunk.readUIntLE(0, 3) + PACKET_HEAD, answer: Buffer.alloc(0) };
      }
      if (current?.refusal.applied !== false) upstream.write(chunk);
      if (current === undefined) return;
      current.unread -= chunk.length;
      if (!current.refusal.applied && current.unread <= 0) finish();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    refuse: (next: Refusal | undefined) => void (refusal = next),
    /** Statements refused so far. */
    refused: () => refused,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isMeant(chunk: Buffer, of: Refusal['of']): boolean {
  if (chunk[PACKET_HEAD] !== COM_QUERY) return false;
  const text = chunk.subarray(PACKET_HEAD + 1).toString('latin1');
  return of === 'commits' ? text.endsWith('COMMIT') : !text.replace(NO_ATTRIBUTES, '').startsWith('SET');
}

/** Whether these are the OK packets of all statements. */
function isWhole(answer: Buffer): boolean {
  let at = 0;
  while (answer.length >= at + PACKET_HEAD) {
    const end = at + PACKET_HEAD + answer.readUIntLE(at, 3);
    if (answer.length < end) return false;
    const body = answer.subarray(at + PACKET_HEAD, end);
    if (body[0] !== OK) return true;
    if ((statusOf(body) & MORE_RESULTS) === 0) return true;
    at = end;
  }
  return false;
}

/** Behind the number of rows and the id, whose lengths vary. */
function statusOf(body: Buffer): number {
  let at = 1;
  for (let field = 0; field < 2; field++) at += { 0xfc: 3, 0xfd: 4, 0xfe: 9 }[body[at]!] ?? 1;
  return body.readUInt16LE(at);
}

/** ERR_Packet of the protocol: 0xff, the number, the state, the message. */
function errorPacket(errno: number): Buffer {
  const body = Buffer.from('\xff\x00\x00#HY000as a server says it', 'latin1');
  body.writeUInt16LE(errno, 1);
  const head = Buffer.alloc(PACKET_HEAD);
  head.writeUIntLE(body.length, 0, 3);
  head[3] = 1;
  return Buffer.concat([head, body]);
}
