import { keys } from '../../../src/console/api/keys.js';
import { agedBy, type LiveEvent } from '../../../src/console/api/live-invalidation.js';

const place = (storyId: number, draftId?: number) => keys.place({ storyId, draftId });
const ofStory = (id: number) => [keys.story(id).self, place(id).graph, place(id).activity];

/** Returns whether the live events make the response of each key old. */
function aged(events: LiveEvent[], ...all: (readonly unknown[])[]): boolean[] {
  return all.map(agedBy(events));
}

describe('what live events make old', () => {
  it('is the graph of the story that changed, and not that of another', () => {
    const event: LiveEvent = { kind: 'story_changed', data: { story_id: 2 } };
    expect(aged([event], ...ofStory(2))).toEqual([true, true, true]);
    expect(aged([event], ...ofStory(1))).toEqual([false, false, false]);
    expect(aged([event], keys.stories.names, keys.schedules(1, 'now'))).toEqual([true, true]);
  });

  it('is a draft by its own id, and the list of drafts of each story', () => {
    const event: LiveEvent = { kind: 'story_changed', data: { story_id: 7 } };
    expect(aged([event], place(1, 7).graph, place(1).graph, keys.story(1).drafts)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('is what concerns any of several stories, of the kinds of these events', () => {
    const events = [1, 2].map((id): LiveEvent => ({ kind: 'run_ended', data: { story_id: id } }));
    const runs = [1, 2, 3].map((id) => keys.story(id).run('guid'));
    expect(aged(events, ...runs, keys.runs({}), place(1).graph)).toEqual([true, true, false, true, false]);
  });

  it('is all of a kind for live events without an id, and all after a resync', () => {
    const all = [keys.audit.newest, place(1).graph, keys.info];
    expect(aged([{ kind: 'audit_log_changed', data: {} }], ...all)).toEqual([true, false, false]);
    expect(aged([{ kind: 'resync', data: { reason: 'begun' } }], ...all)).toEqual([true, true, true]);
  });

  it('is a case with its parts, and each page that may name it', () => {
    const event: LiveEvent = { kind: 'case_changed', data: { case_id: 1, team_id: 2 } };
    expect(aged([event], keys.case(1).activities, keys.case(2).activities)).toEqual([true, false]);
    expect(aged([event], keys.cases.list({}), keys.case(2).self)).toEqual([true, true]);
  });

  it('is no inbox, which gathers from everywhere: it is read at intervals', () => {
    const event: LiveEvent = { kind: 'dead_letter', data: { story_id: 1 } };
    expect(aged([event], keys.letters.groups(), keys.inbox.list({ state: 'OPEN' }))).toEqual([true, false]);
  });

  it('is what a publication would do, and not the tests of the draft, which each change of any story would run again', () => {
    const event: LiveEvent = { kind: 'story_changed', data: { story_id: 2 } };
    expect(aged([event], keys.publication(9, 'diff'), keys.draftTests(9, '2026-11-26T20:00:00Z'))).toEqual([
      true,
      false,
    ]);
  });

  it('is nothing for a run that has just begun', () => {
    expect(aged([{ kind: 'run_started', data: { story_id: 1 } }], keys.runs({}))).toEqual([false]);
  });
});
