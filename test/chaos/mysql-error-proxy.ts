import net, { type AddressInfo, type Socket } from 'node:net';

/** A query's command byte, after the four bytes of the packet's head. */
const COM_QUERY = 0x03;
const PACKET_HEAD = 4;
/** Attributes that clients may send to MySQL, unlike MariaDB, before a query's text. */
const NO_ATTRIBUTES = '\x00\x01';
const WRITES = ['INSERT', 'UPDATE', 'DELETE'];
/** Errors of servers whose disk is full, by the place where they notice (ER_DISK_FULL, …). */
const ERRORS: readonly [errno: number, message: string][] = [
  [
    1021,
    "Disk full (/data/tmp); waiting for someone to free some space... (errno: 28 'No space left on device')",
  ],
  [1114, "The table 'deliveries' is full"],
  [1026, "Error writing file '/data/binlog' (errno: 28 'No space left on device')"],
];

/** A TCP proxy before MySQL that can answer statements that write with errors of a full disk. */
export type MysqlErrorProxy = Awaited<ReturnType<typeof startMysqlErrorProxy>>;

export async function startMysqlErrorProxy(target: string) {
  const store = new URL(target);
  const sockets = new Set<Socket>();
  let full = false;
  let refused = 0;

  const server = net.createServer({ noDelay: true }, (client) => {
    const upstream = net.connect({ host: store.hostname, port: Number(store.port), noDelay: true });
    const end = () => {
      for (const socket of [client, upstream]) {
        sockets.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', end);
    }
    upstream.on('data', (chunk: Buffer) => client.write(chunk));
    /** Bytes of a refused statement that are still to come. */
    let unread = 0;
    client.on('data', (chunk: Buffer) => {
      if (unread > 0) {
        unread -= chunk.length;
        if (unread <= 0) client.write(errorPacket(refused));
        return;
      }
      if (!full || !isWrite(chunk)) {
        upstream.write(chunk);
        return;
      }
      refused += 1;
      unread = chunk.readUIntLE(0, 3) + PACKET_HEAD - chunk.length;
      if (unread <= 0) client.write(errorPacket(refused));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  return {
    url: url.href,
    /** From now on nothing can be written, or it can again. */
    setFull(value: boolean): void {
      full = value;
    },
    /** Statements refused so far. */
    refused: () => refused,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isWrite(chunk: Buffer): boolean {
  if (chunk[PACKET_HEAD] !== COM_QUERY) return false;
  const text = chunk.subarray(PACKET_HEAD + 1, PACKET_HEAD + 20).toString('latin1');
  const sql = text.startsWith(NO_ATTRIBUTES) ? text.slice(NO_ATTRIBUTES.length) : text;
  return WRITES.some((word) => sql.startsWith(word));
}

/** ERR_Packet of the protocol: 0xff, the number, the state, the message. */
function errorPacket(turn: number): Buffer {
  const [errno, message] = ERRORS[turn % ERRORS.length] ?? [1021, 'Disk full'];
  const body = Buffer.from(`\xff\x00\x00#HY000${message}`, 'latin1');
  body.writeUInt16LE(errno, 1);
  const head = Buffer.alloc(PACKET_HEAD);
  head.writeUIntLE(body.length, 0, 3);
  head[3] = 1;
  return Buffer.concat([head, body]);
}
