import http from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Request, Response } from 'express';
import type { Actor } from '../../src/api/auth/actor.js';
import {
  EventStream,
  type EventSink,
  streamEventText,
  sendEventStream,
} from '../../src/api/response/event-stream.js';
import { gatherLiveEvents } from '../../src/engine/live/live-event-buffer.js';
import { auditLiveEvent, type LiveEvent } from '../../src/api/live/live-event.js';
import { compareIds, isEntryId } from '../../src/platform/redis/listened-stream.js';
import { scopeLiveEvent } from '../../src/observe/stream/scoped-live-event.js';
import { STREAM_KINDS } from '../../src/observe/stream/stream-event.js';
import { createStreamReader } from '../../src/observe/stream/stream-reader.js';
import { eventually } from '../support/eventually.js';

const started = (storyId: number): LiveEvent => ({
  kind: 'run_started',
  storyId,
  at: 0,
  guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57',
  source: 'webhook',
});

describe('live events that gather', () => {
  it('are bounded for each story and for all, and what is left out is counted', () => {
    const gathering = gatherLiveEvents();
    for (let index = 0; index < 50; index += 1) gathering.add(started(1));
    gathering.add(started(2));
    for (let story = 10; story < 400; story += 1) gathering.add(started(story));
    const { items, lost } = gathering.take(0)!;
    const ofStory = (id: number) => items.filter(({ storyId, kind }) => storyId === id && kind !== 'counts');
    expect(ofStory(1)).toHaveLength(20);
    expect(ofStory(2)).toHaveLength(1);
    expect(items.filter(({ kind }) => kind !== 'counts')).toHaveLength(100);
    expect(items.find(({ storyId, kind }) => storyId === 1 && kind === 'counts')).toMatchObject({
      omitted: 30,
    });
    expect(lost).toBe(0);
    expect(gathering.take(0)).toBeUndefined();
  });

  it('of more stories than are counted are lost, and so is a batch that was not written', () => {
    const gathering = gatherLiveEvents();
    for (let story = 0; story < 600; story += 1) gathering.count(story, { events: 2 });
    const batch = gathering.take(0)!;
    expect(batch.items).toHaveLength(500);
    expect(batch.lost).toBe(100);
    gathering.lose(batch);
    expect(gathering.take(0)).toEqual({ items: [], lost: 600 });
  });
});

const changed = (caseId: number): LiveEvent => ({
  kind: 'case_changed',
  storyId: 0,
  at: 0,
  caseId,
  of: { tenantId: 1, teamId: 2 },
});

describe('live events of cases', () => {
  it('of one case within a moment are one, and more cases than are told of are lost', () => {
    const gathering = gatherLiveEvents();
    for (let index = 0; index < 50; index += 1) gathering.add(changed(7));
    expect(gathering.take(0)).toEqual({ items: [changed(7)], lost: 0 });
    for (let id = 1; id <= 50; id += 1) gathering.add(changed(id));
    const { items, lost } = gathering.take(0)!;
    expect([items.length, lost]).toEqual([40, 10]);
  });
});

describe('live events of audit logs', () => {
  it('are one for a tenant within a moment, and those of more tenants than are told of are lost', () => {
    const gathering = gatherLiveEvents();
    for (let index = 0; index < 50; index += 1) gathering.add(auditLiveEvent(1));
    expect(gathering.take(0)!.items).toEqual([{ ...auditLiveEvent(1), at: expect.any(Number) }]);
    expect(gathering.take(0)).toBeUndefined();
    for (let id = 1; id <= 210; id += 1) gathering.add(auditLiveEvent(id));
    const { items, lost } = gathering.take(0)!;
    expect([items.length, lost]).toEqual([200, 10]);
  });
});

describe('ids of entries', () => {
  it.each([
    ['1-1', '1-2', -1],
    ['10-0', '9-5', 1],
    ['7-7', '7-7', 0],
    ['1795600801234-10', '1795600801234-9', 1],
  ])('%s and %s', (a, b, order) => {
    expect(Math.sign(compareIds(a, b))).toBe(order);
  });

  it.each(['', '1', '1-', 'a-b', '1-1.1', '1-1\n', '9'.repeat(16)])('%j is none', (text) => {
    expect(isEntryId(text)).toBe(false);
  });
});

const actor: Actor = {
  keyId: 1,
  kind: 'personal',
  tenantId: 1,
  userId: 1,
  userEmail: 'a@b.test',
  isOwner: false,
  roles: new Map([[2, 'VIEWER']]),
  keyTeamId: undefined,
};
const place = { tenantId: 1, teamId: 2, isDraft: false };

function readerOn(accepts: () => boolean, filter = {}, who = actor) {
  const sent: string[] = [];
  const sink: EventSink = { send: (text) => accepts() && sent.push(text) > 0, end: () => undefined };
  const reader = createStreamReader(who, { kinds: new Set(STREAM_KINDS), ...filter }, sink);
  reader.startAt({ entryId: '1-0' });
  const kinds = () => sent.map((text) => /^event: (.*)$/m.exec(text)?.[1]);
  return { reader, sent, kinds };
}

const counts = (storyId: number): LiveEvent => ({
  kind: 'counts',
  storyId,
  at: 0,
  runsStarted: 0,
  events: 1,
  deadLetters: 0,
  omitted: 5,
});

/** The kinds of events that a reader gets when the audit log of a tenant has changed. */
function auditKinds(who: Actor, filter = {}, tenantId = 1) {
  const { reader, kinds } = readerOn(() => true, filter, who);
  reader.deliver('2-0', [
    scopeLiveEvent(auditLiveEvent(tenantId), { tenantId, teamId: undefined, isDraft: false }),
  ]);
  return kinds();
}

describe('a reader', () => {
  it('that reads too slowly gets nothing before the resync that says so', () => {
    let accepts = false;
    const { reader, kinds, sent } = readerOn(() => accepts);
    reader.deliver('2-0', [scopeLiveEvent(started(1), place)]);
    reader.tick(Infinity);
    accepts = true;
    reader.deliver('3-0', [scopeLiveEvent(started(1), place)]);
    expect(kinds()).toEqual([]);
    reader.tick(Infinity);
    expect(kinds()).toEqual(['resync']);
    expect(sent[0]).toMatch(/^id: 3-0$/m);
    expect(sent[0]).toContain('too_slow');
    reader.deliver('4-0', [scopeLiveEvent(started(1), place)]);
    expect(kinds()).toEqual(['resync', 'run_started']);
  });

  it('gets each entry once, and the rest of an entry that it has seen in part', () => {
    const { reader, sent } = readerOn(() => true);
    reader.startAt({ entryId: '2-0', sent: 1 });
    const liveEvents = [1, 2, 3].map((storyId) => scopeLiveEvent(started(storyId), place));
    for (const id of ['1-5', '2-0', '2-0', '1-9']) reader.deliver(id, liveEvents);
    expect(sent.map((text) => /^id: (.*)$/m.exec(text)?.[1])).toEqual(['2-0.2', '2-0.3']);
  });

  it.each([
    ['another tenant', { tenantId: 9 }],
    ['another team', { teamId: 3 }],
    ['a draft', { isDraft: true }],
  ])('sees nothing of %s', (_whose, other) => {
    const { reader, sent } = readerOn(() => true);
    reader.deliver('2-0', [scopeLiveEvent(started(1), { ...place, ...other })]);
    expect(sent).toEqual([]);
  });

  it('sees live events of the audit log as an Owner of the tenant, unless it asks for a team or story', () => {
    const owner = { ...actor, isOwner: true };
    expect(auditKinds(owner)).toEqual(['audit_log_changed']);
    expect(auditKinds(owner, { kinds: new Set(['counts']) })).toEqual([]);
    expect(auditKinds(owner, { teamId: 2 })).toEqual([]);
    expect(auditKinds(owner, { storyId: 1 })).toEqual([]);
    expect(auditKinds(owner, {}, 9)).toEqual([]);
    expect(auditKinds(actor)).toEqual([]);
  });

  it('sees a draft that it asked for', () => {
    const { reader, sent } = readerOn(() => true, { storyId: 1 });
    reader.deliver('2-0', [scopeLiveEvent(started(1), { ...place, isDraft: true })]);
    expect(sent).toHaveLength(1);
  });

  it('is told when there were too many live events of its stories, and not of those of others', () => {
    const mine = readerOn(() => true);
    mine.reader.deliver('2-0', [scopeLiveEvent(counts(1), place)]);
    mine.reader.tick(Infinity);
    expect(mine.kinds()).toEqual(['counts', 'resync']);
    const foreign = readerOn(() => true);
    foreign.reader.deliver('2-0', [scopeLiveEvent(counts(1), { ...place, tenantId: 9 })]);
    foreign.reader.tick(0);
    expect(foreign.kinds()).toEqual([]);
  });
});

describe('an event', () => {
  it('shows the addresses of webhooks to who may write alone', () => {
    const error = 'https://a.test/webhook/path/some-secret answered 500';
    const item: LiveEvent = { kind: 'dead_letter', storyId: 1, at: 0, id: 5, guid: 'g', agentId: 3, error };
    const event = scopeLiveEvent(item, place);
    expect(event.textOf('1-0.1', true)).toContain('some-secret');
    expect(event.textOf('1-0.1', false)).not.toContain('some-secret');
  });
});

describe('a client that does not read', () => {
  it('holds a bounded part of the stream in memory, and what begins is stopped when it leaves', async () => {
    let sink: EventSink | undefined;
    let stopped = 0;
    const stream = new EventStream(
      (given) => {
        sink = given;
        return () => void (stopped += 1);
      },
      { longestMs: 60_000 },
    );
    const responses: http.ServerResponse[] = [];
    const server = http.createServer((req, res) => {
      responses.push(res);
      const set = (headers: Record<string, string>) => {
        for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
        return res;
      };
      const options = { stream, stillAllowed: async () => undefined };
      sendEventStream(req as Request, Object.assign(res, { set }) as unknown as Response, options);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    socket.pause();
    await eventually(() => sink !== undefined);
    const text = streamEventText({ event: 'log', data: JSON.stringify('x'.repeat(10_000)) });
    await eventually(() => {
      for (let tries = 0; tries < 200; tries += 1) if (!sink!.send(text)) return true;
      return false;
    });
    expect(responses[0]!.writableLength).toBeLessThan(300_000);
    socket.resume();
    await eventually(() => sink!.send(text));
    socket.destroy();
    await eventually(() => stopped === 1);
    expect(sink!.send(text)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
  });
});
