import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { eventually } from './eventually.js';

/** An event of a stream, as it was sent. */
export interface SentEvent {
  id: string | undefined;
  event: string;
  data: Record<string, unknown>;
}

/** A client of a stream of server-sent events. */
export interface EventStreamClient {
  status: number;
  headers: IncomingMessage['headers'];
  /** All that was received, oldest first. */
  events: SentEvent[];
  /** Everything as text. */
  text(): string;
  /** Whether the server has ended it. */
  isOver(): boolean;
  /** Waits for an event; returns it. */
  next(is: (event: SentEvent) => boolean): Promise<SentEvent>;
  close(): void;
}

/** Connects to a stream; resolves with the head of the response. */
export function openEventStream(
  url: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<EventStreamClient> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      let rest = '';
      let over = false;
      const events: SentEvent[] = [];
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        const parts = (rest + part).split('\n\n');
        rest = parts.pop() ?? '';
        events.push(...parts.flatMap(eventIn));
      });
      response.on('error', () => undefined).on('close', () => (over = true));
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        events,
        text: () => text,
        isOver: () => over,
        next: (is) => eventually(() => events.find(is)),
        close: () => void sent.destroy(),
      });
    });
    sent.on('error', reject).end();
  });
}

function eventIn(text: string): SentEvent[] {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
  const data = field('data');
  if (data === undefined) return [];
  return [{ id: field('id'), event: field('event') ?? '', data: JSON.parse(data) as SentEvent['data'] }];
}
