import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Problem } from '../../errors.js';

/** Responses by the error code of Node's HTTP parser; any other code is a 400. */
const REFUSALS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: 'The address and headers are longer than this server accepts',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long' },
};
const MALFORMED = { status: 400, message: 'The request is not valid HTTP' };

/** A socket with the response it is sending; Node's own handler reads the same field. */
interface AnsweringSocket {
  _httpMessage?: { headersSent: boolean } | null;
}

/**
 * Responds to a request that is not valid HTTP in the error format of spec §1.3, and closes the connection. If a
 * response is already being sent, more bytes would become part of it: then the connection is only closed.
 */
export function refuseClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const sending = (socket as AnsweringSocket)._httpMessage?.headersSent === true;
  if (error.code === 'ECONNRESET' || sending || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = REFUSALS[error.code ?? ''] ?? MALFORMED;
  const errors: Problem[] = [{ message }];
  const body = JSON.stringify({ errors });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      `X-Request-Id: ${randomUUID()}`,
      'Cache-Control: no-store',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
