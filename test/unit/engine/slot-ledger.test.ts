import { createSlotLedger } from '../../../src/engine/execute/slots/slot-ledger.js';

const NOW = 1_000;
const shareOf = (storyId: number, tenantId = 1) => ({ storyId, tenantId });

describe('the ledger of slots', () => {
  it('counts a slot for the story, for its tenant and for the worker', () => {
    const ledger = createSlotLedger(100);
    const [one, two] = [ledger.storyOf(shareOf(1), NOW), ledger.storyOf(shareOf(2), NOW)];
    ledger.enter(one, NOW);
    ledger.enter(two, NOW);
    expect([one.used, one.tenant.used, one.tenant, ledger.all.used]).toEqual([1, 2, two.tenant, 2]);
    ledger.leave(one, NOW);
    expect([one.used, one.tenant.used, ledger.all.used]).toEqual([0, 1, 1]);
  });

  it('forgets a story without slots and waiting jobs, and its tenant after the last one', () => {
    const ledger = createSlotLedger(100);
    const [one, two] = [ledger.storyOf(shareOf(1), NOW), ledger.storyOf(shareOf(2), NOW)];
    ledger.enter(one, NOW);
    const leave = two.waiting.enter(() => undefined);
    for (const story of [one, two]) ledger.forget(1, story);
    expect([ledger.story(1), ledger.story(2), ledger.tenants()]).toEqual([one, two, 1]);
    ledger.leave(one, NOW);
    leave();
    for (const story of [one, two]) ledger.forget(1, story);
    expect([ledger.story(1), ledger.story(2), ledger.tenant(1), ledger.tenants()]).toEqual([
      undefined,
      undefined,
      undefined,
      0,
    ]);
  });

  it('gives stories with waiting jobs their turns one after the other, and passes over those that may take none', () => {
    const ledger = createSlotLedger(100);
    const stories = [1, 2, 3].map((id) => ledger.storyOf(shareOf(id), NOW));
    for (const story of stories) story.waiting.enter(() => undefined);
    const next = () => ledger.nextWaiting(({ id }) => id !== 2)?.id;
    expect([next(), next(), next()]).toEqual([1, 3, 1]);
    expect(ledger.nextWaiting(() => false)).toBeUndefined();
  });
});
