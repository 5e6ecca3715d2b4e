import { digestNotice } from '../../src/operate/monitoring/digest/digest-maker.js';
import { noticeBody } from '../../src/operate/monitoring/outbox/notice-sender.js';
import type { Notice } from '../../src/operate/monitoring/outbox/notice.js';
import { noticesFor } from '../../src/operate/monitoring/outbox/recipients.js';
import { watchNotice } from '../../src/operate/monitoring/notices/watches/action-watcher.js';
import { backoffSeconds } from '../../src/platform/time/backoff.js';

const baseUrl = 'https://fabula.example';
const seenAt = new Date('2026-11-26T09:00:00Z');
type Facts = Parameters<typeof watchNotice>[0];

/** The part of a notice that an address gets. */
const bodyOf = (notice: Notice) =>
  JSON.parse(
    noticeBody({ id: 1, teamId: 2, createdAt: seenAt, notice } as Parameters<
      typeof noticeBody
    >[0]).toString(),
  ) as { kind: string; action: object | null; actions: object[]; count: number; text: string };

const watched = (isSilent: boolean) =>
  watchNotice({
    story: { storyId: 7, name: 'Triage' },
    findings: [
      {
        action: { agentId: 31, name: 'Look up', silentSeconds: 60 },
        watch: { quietSeconds: 90, seenAt },
        isSilent,
        hasEmitted: !isSilent,
      },
    ],
    events: new Map([[31, { events: 12, firstAt: seenAt }]]),
    baseUrl,
  } as unknown as Facts);

describe('an address', () => {
  it('is told of a silent action', () => {
    const body = bodyOf(watched(true));
    expect(body).toMatchObject({ kind: 'no_events', count: 0, action: { id: 31, kind: 'no_events' } });
    expect(body.text).toContain('no event for 90 seconds');
  });

  it('is told of new events', () => {
    expect(bodyOf(watched(false))).toMatchObject({
      kind: 'events',
      count: 12,
      action: { id: 31, kind: 'events', first_at: '2026-11-26T09:00:00Z' },
    });
  });

  it('gets the digest, with at most ten lines of a part', () => {
    const stories = Array.from({ length: 12 }, (_, n) => ({
      id: n + 1,
      name: `S${n + 1}`,
      runsStarted: 1,
      runsFailed: 1,
      failures: n + 1,
      slowMs: 1_000,
    }));
    const facts = { stories, status: { failing: [], silent: [] } } as unknown as Parameters<
      typeof digestNotice
    >[0];
    const body = bodyOf(digestNotice(facts, { team: { id: 2, name: 'Blue' }, day: '2026-11-25', baseUrl }));
    expect(body).toMatchObject({ kind: 'digest', action: null, actions: [] });
    expect(body.text.match(/^.*S\d+: \d+$/gm)).toHaveLength(10);
  });
});

it('one mail goes to the first 100 mailboxes, and each address has a notice of its own', () => {
  const mailboxes = Array.from({ length: 120 }, (_, n) => `u${n}@example.test`);
  const told = noticesFor([...mailboxes, 'https://a.example', 'https://b.example'], {
    tenantId: 1,
  } as Parameters<typeof noticesFor>[1]);
  expect(told.map(({ channel, recipients }) => [channel, recipients.length])).toEqual([
    ['mail', 100],
    ['web', 1],
    ['web', 1],
  ]);
});

it('attempts are up to 1, 3, 9, 27 and 60 minutes apart', () => {
  const minutes = [0, 1, 2, 3, 4].map(
    (attempts) => backoffSeconds(attempts, { first: 60, most: 3_600 }) / 60,
  );
  for (const [index, most] of [1, 3, 9, 27, 60].entries()) {
    expect(minutes[index]).toBeLessThanOrEqual(most);
    expect(minutes[index]).toBeGreaterThanOrEqual(most * 0.75);
  }
});
