import net, { type AddressInfo, type Socket } from 'node:net';

/** The command byte of a query in MySQL's protocol, after the four bytes of the packet's head. */
const COM_QUERY = 0x03;
const PACKET_HEAD = 4;
/** Attributes that clients may send to MySQL, unlike MariaDB, before the text of a query: here none. */
const NO_ATTRIBUTES = '\x00\x01';
/** How several statements end that are sent together, the last of them COMMIT. */
const WITH_COMMIT = '; COMMIT';

/** A TCP proxy between a client and a store, for faults of the network; `url` is the store's address through it. */
export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

type Mode = 'open' | 'cut' | 'frozen';

/** Starts a proxy for the store at `target` on a free port. */
export async function startTcpProxy(target: string) {
  const store = new URL(target);
  const pairs = new Set<Pair>();
  let mode: Mode = 'open';
  let commitsToSwallow = 0;
  let swallowed = 0;
  let cutsAfterwards = false;
  let spoilt: { text: string; instead: string } | undefined;

  const server = net.createServer((client) => {
    if (mode === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const pair = connect(client, store);
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      pair.upstream.destroy();
    };
    for (const socket of [client, pair.upstream]) {
      socket.on('error', end);
      socket.on('close', end);
    }
    if (mode === 'frozen') pause(pair);
    client.on('data', (chunk: Buffer) => {
      if (commitsToSwallow > 0 && endsTransaction(chunk)) {
        commitsToSwallow -= 1;
        pair.swallowsNext = true;
      }
      pair.upstream.write(spoilt === undefined ? chunk : replaced(chunk, spoilt));
    });
    pair.upstream.on('data', (chunk: Buffer) => {
      if (!pair.swallowsNext) {
        client.write(chunk);
        return;
      }
      swallowed += 1;
      if (cutsAfterwards) cut();
      else end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  const dropAll = () => {
    for (const { client, upstream } of pairs) {
      client.resetAndDestroy();
      upstream.destroy();
    }
  };

  const cut = () => {
    mode = 'cut';
    dropAll();
  };

  return {
    url: url.href,
    /** Breaks all connections and takes no more. */
    cut,
    /** Everything stays open and nothing gets through: a half-open network. */
    freeze(): void {
      mode = 'frozen';
      for (const pair of pairs) pause(pair);
    },
    /** Open connections stay open, but nothing gets through them any more; new connections work. */
    strand(): void {
      for (const pair of pairs) pause(pair);
    },
    /** Breaks all connections, and takes new ones. */
    drop: dropAll,
    /** Ends `cut` and `freeze`. */
    restore(): void {
      mode = 'open';
      for (const { client, upstream } of pairs) {
        client.resume();
        upstream.resume();
      }
    },
    /**
     * The next `count` COMMITs reach MySQL, but the connection breaks instead of bringing the answer; with
     * `thenCut` nothing gets through afterwards.
     */
    swallowCommits(count: number, options: { thenCut?: boolean } = {}): void {
      commitsToSwallow = count;
      cutsAfterwards = options.thenCut ?? false;
    },
    /** Replaces `text` in what is sent to the store by `instead`, which must be as long, until the next call. */
    spoil(change: { text: string; instead: string } | undefined): void {
      spoilt = change;
    },
    /** Answers to COMMIT that were lost so far. */
    swallowed: () => swallowed,
    async close(): Promise<void> {
      dropAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Pair {
  client: Socket;
  upstream: Socket;
  swallowsNext: boolean;
}

function connect(client: Socket, store: URL): Pair {
  client.setNoDelay();
  const upstream = net.connect({ host: store.hostname, port: Number(store.port), noDelay: true });
  return { client, upstream, swallowsNext: false };
}

function pause({ client, upstream }: Pair): void {
  client.pause();
  upstream.pause();
}

function replaced(chunk: Buffer, { text, instead }: { text: string; instead: string }): Buffer {
  return Buffer.from(chunk.toString('latin1').replaceAll(text, instead), 'latin1');
}

/** Whether it is a COMMIT, or the end of a packet that has one after its other statements. */
function endsTransaction(chunk: Buffer): boolean {
  return chunk.subarray(-WITH_COMMIT.length).toString('latin1') === WITH_COMMIT || isQuery(chunk, 'COMMIT');
}

function isQuery(chunk: Buffer, sql: string): boolean {
  const text = chunk.subarray(PACKET_HEAD + 1).toString('latin1');
  return chunk[PACKET_HEAD] === COM_QUERY && (text === sql || text === NO_ATTRIBUTES + sql);
}
