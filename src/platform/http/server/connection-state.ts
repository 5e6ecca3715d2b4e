import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection may be idle. */
export interface ConnectionTimes {
  /** From the end of our response until the connection is closed: time for the client to read it and close. */
  lingerMs: number;
  /** Over this time the client must take at least 1 KiB/s of a pending response. */
  stalledMs: number;
}

const LEAST_BYTES_PER_MS = 1.024;
/** Most unanswered requests on one connection: only a client that pipelines has more than one. */
const MAX_UNANSWERED = 100;

/** The libuv handle of a socket; Node's own timeouts read the same fields. */
interface SocketInside {
  _handle?: { bytesWritten?: number; writeQueueSize?: number } | null;
}

/** State of one connection between two checks. */
export class ConnectionState {
  private responses: ServerResponse[] = [];
  private leftAt: number | undefined;
  private stall: { at: number; taken: number } | undefined;

  constructor(
    private readonly socket: Socket,
    readonly addressKey: string | undefined,
  ) {}

  /** Records a request; returns false when the connection has too many unanswered ones. */
  begin(response: ServerResponse): boolean {
    if (this.last?.writableFinished !== false) this.responses = [];
    else if (this.responses.length >= MAX_UNANSWERED) {
      this.responses = this.responses.filter(({ writableFinished }) => !writableFinished);
    }
    this.responses.push(response);
    return this.responses.length <= MAX_UNANSWERED;
  }

  /** Returns true if the connection must be closed at `now` (ms of any one clock). */
  isOverdue(now: number, times: ConnectionTimes): boolean {
    if (this.socket.writableLength > 0) {
      this.leftAt = undefined;
      return this.isStalled(now, times.stalledMs);
    }
    this.stall = undefined;
    if (!this.isLeft()) {
      this.leftAt = undefined;
      return false;
    }
    this.leftAt ??= now;
    return now - this.leftAt >= times.lingerMs;
  }

  private get last(): ServerResponse | undefined {
    return this.responses.at(-1);
  }

  /** Returns true if this side has ended the connection, or responded before the request was complete. */
  private isLeft(): boolean {
    if (this.socket.writableEnded) return true;
    return this.last?.writableFinished === true && !this.last.req.complete;
  }

  private isStalled(now: number, stalledMs: number): boolean {
    const taken = bytesTaken(this.socket);
    this.stall ??= { at: now, taken };
    const forMs = now - this.stall.at;
    if (forMs < stalledMs) return false;
    const isTooSlow = taken - this.stall.taken < forMs * LEAST_BYTES_PER_MS;
    this.stall = { at: now, taken };
    return isTooSlow;
  }
}

/** Bytes the system has taken of all bytes written; it takes a large write in parts. */
function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as SocketInside;
  const { bytesWritten = socket.bytesWritten, writeQueueSize = socket.writableLength } = handle ?? {};
  return bytesWritten - writeQueueSize;
}
