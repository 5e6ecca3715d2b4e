import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long connections may do nothing. */
export interface ConnectionTimes {
  /** One that this side is done with, until it is cut: so long the other side may read the answer and close. */
  lingerMs: number;
  /** In this time the other side takes at least 1 KiB/s of an answer that waits for it. */
  stalledMs: number;
}

const LEAST_BYTES_PER_MS = 1.024;
/** Requests on one connection that were not answered yet: only a client that pipelines has more than one. */
const MAX_UNANSWERED = 100;

/** The libuv handle of a socket, as Node's own time-outs look at it. */
interface SocketInside {
  _handle?: { bytesWritten?: number; writeQueueSize?: number } | null;
}

/** What is known of one connection between two looks at it. */
export class ConnectionState {
  private responses: ServerResponse[] = [];
  private leftAt: number | undefined;
  private stall: { at: number; taken: number } | undefined;

  constructor(
    private readonly socket: Socket,
    readonly addressKey: string | undefined,
  ) {}

  /** Notes one more request; false when the connection has too many that were not answered. */
  begin(response: ServerResponse): boolean {
    if (this.last?.writableFinished !== false) this.responses = [];
    else if (this.responses.length >= MAX_UNANSWERED) {
      this.responses = this.responses.filter(({ writableFinished }) => !writableFinished);
    }
    this.responses.push(response);
    return this.responses.length <= MAX_UNANSWERED;
  }

  /** Whether the connection has to be cut at this time (ms of any one clock). */
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

  /** This side has ended the connection, or has answered before the whole request was there. */
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

/** What the system has taken of all that was written; of a large write it takes a part at a time. */
function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as SocketInside;
  const { bytesWritten = socket.bytesWritten, writeQueueSize = socket.writableLength } = handle ?? {};
  return bytesWritten - writeQueueSize;
}
