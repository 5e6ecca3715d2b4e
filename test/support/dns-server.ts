import { createSocket, type RemoteInfo } from 'node:dgram';

/** The result for a name: addresses, no such name, or no answer at all, ever. */
export type DnsRecord = { a?: string[]; aaaa?: string[] } | 'absent' | 'silent';

const A = 1;
const AAAA = 28;
const NO_SUCH_NAME = 3;

/** A DNS server on a free port of the loopback that answers as `recordOf` says. */
export async function startDnsServer(recordOf: (name: string) => DnsRecord) {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, type, end } = questionOf(query);
    questions.push(name);
    const record = recordOf(name);
    if (record === 'silent') return;
    const found = record === 'absent' ? [] : type === A ? record.a : type === AAAA ? record.aaaa : [];
    const answers = (found ?? []).map((address) => responseOf(type, address));
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 + (record === 'absent' ? NO_SUCH_NAME : 0), 2);
    header.writeUInt16BE(answers.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  return {
    server: `127.0.0.1:${socket.address().port}`,
    /** The names that were asked for, in their order. */
    questions,
    async close(): Promise<void> {
      await new Promise<void>((resolve) => {
        socket.close(() => resolve());
      });
    },
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function responseOf(type: number, address: string): Buffer {
  const data = type === A ? Buffer.from(address.split('.').map(Number)) : ipv6Of(address);
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]);
  return Buffer.concat([head, data]);
}

/** Bytes of an address that is written out, without `::`. */
function ipv6Of(address: string): Buffer {
  return Buffer.from(
    address
      .split(':')
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]),
  );
}
