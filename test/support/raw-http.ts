import net from 'node:net';

/** Returns the server's response to these bytes, until it closes, or sends nothing more for a moment. */
export function sendRaw(url: string, bytes: string, quietMs = 1_500): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let response = '';
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => (response += chunk.toString('latin1')));
    socket.once('error', reject);
    socket.once('close', () => resolve(response));
  });
}

/** The status of a response; undefined where there was none. */
export function statusOf(response: string): number | undefined {
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(response) ?? [];
  return status === undefined ? undefined : Number(status);
}
