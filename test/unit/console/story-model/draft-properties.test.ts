import * as fc from 'fast-check';
import type { StoryGraph } from '../../../../clients/typescript/api.js';
import * as actions from '../../../../src/console/story-model/commands/action-commands.js';
import { NO_HISTORY, recorded, redone, undone } from '../../../../src/console/story-model/draft-history.js';
import { arrange, type Box } from '../../../../src/console/story-model/commands/arrange-commands.js';
import { copied, duplicate, paste } from '../../../../src/console/story-model/fragment/fragment.js';
import { fromGraph, toGraphBody } from '../../../../src/console/story-model/graph-draft.js';
import { addBehind, connect, reconnect } from '../../../../src/console/story-model/commands/link-commands.js';
import { addNote, setNote } from '../../../../src/console/story-model/commands/note-commands.js';
import {
  disconnect,
  keepingPlaces,
  move,
  remove,
  tidy,
} from '../../../../src/console/story-model/commands/selection-commands.js';
import { setShownOption } from '../../../../src/console/story-model/settings-beside-options.js';
import type { Command, StoryDraft } from '../../../../src/console/story-model/story-draft.js';
import { editAsText } from '../../../../src/console/story-model/text/edit-as-text.js';
import { LongNumber } from '../../../../src/console/text/exact-json.js';

const value = fc.oneof(fc.jsonValue(), fc.constant(new LongNumber('1234567890123456789.5')));
const object = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '7')), value);
const place = fc.record({ x: fc.integer(), y: fc.integer() });
const kind = fc.constantFrom('DEFAULT' as const, 'NO_MATCH' as const, 'FAILURE' as const);

/** A graph as the server may have it, with keys that the console does not know. */
const graph: fc.Arbitrary<StoryGraph> = fc
  .record({
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 6 }),
    forms: fc.array(fc.tuple(object, fc.string(), object, fc.option(place)), { minLength: 6, maxLength: 6 }),
    links: fc.array(
      fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(null, 'secondary', 'failure', 'new'), object),
    ),
    notes: fc.array(fc.tuple(object, fc.string(), place), { maxLength: 3 }),
    rest: object,
  })
  .map(({ ids, forms, links, notes, rest }) => ({
    ...rest,
    story_id: 1,
    version: 1,
    agents: ids.map((id, at) => {
      const [more, name, options, position] = forms[at];
      return { ...more, id, type: 'Agents::TriggerAgent', name, guid: `guid ${id}`, options, position };
    }),
    links: links.map(([source, receiver, type, more]) => ({
      ...more,
      source: source % ids.length,
      receiver: receiver % ids.length,
      link_type: type,
    })),
    notes: notes.map(([more, content, position], at) => ({
      ...more,
      guid: null,
      id: at + 1,
      content,
      position,
    })),
  }));

/** Where parts might be drawn. */
const drawn = ({ actions, notes }: StoryDraft): Map<string, Box> =>
  new Map(
    [...actions.keys(), ...notes.keys()].map((key, at) => [
      key,
      { x: at * 7, y: at * 5, width: 9, height: 4 },
    ]),
  );

/** What makes a command for the draft at hand; the numbers choose among its parts. */
type Maker = (
  draft: StoryDraft,
  chosen: { action: string; other: string; link: string; note: string },
) => Command;

const maker: fc.Arbitrary<Maker> = fc.oneof(
  fc.tuple(fc.string(), object).map(
    ([name, options]): Maker =>
      () =>
        actions.addAction({ type: 'Agents::EmailAgent', name, options }),
  ),
  fc.tuple(fc.string(), fc.option(value, { nil: undefined })).map(
    ([key, given]): Maker =>
      (_, { action }) =>
        actions.setOption(action, [key], given),
  ),
  object.map(
    (options): Maker =>
      (_, { action }) =>
        actions.setOptions(action, options),
  ),
  fc.boolean().map(
    (disabled): Maker =>
      (_, { action }) =>
        actions.setFields(action, { disabled }),
  ),
  fc.tuple(fc.string(), object).map(
    ([name, options]): Maker =>
      (_, { action, other, note }) =>
        actions.rename(action, name, {
          actions: new Map([[other, { options }]]),
          notes: new Map([[note, name]]),
          count: 2,
        }),
  ),
  fc.array(object, { maxLength: 3 }).map(
    (schedules): Maker =>
      (_, { action }) =>
        actions.setSchedule(action, schedules),
  ),
  fc.tuple(fc.constantFrom('record_type', 'text'), fc.string()).map(
    ([name, given]): Maker =>
      (draft, { action }) => {
        const shown = draft.actions.get(action);
        return shown === undefined ? setNote('gone', '') : setShownOption(action, shown, [name], given);
      },
  ),
  fc.tuple(fc.string(), object, place).map(
    ([name, options, to]): Maker =>
      (draft, { action, link, note }) => {
        const edits = [
          actions.setOptions(action, options),
          actions.setFields(action, { disabled: true }),
          actions.addAction({ type: 'Agents::EmailAgent', name, options }),
          remove({ links: [link] }),
          move({ notes: new Map([[note, to]]) }),
        ];
        return editAsText(
          draft,
          edits.reduce((said, edit) => edit(said).draft, draft),
        );
      },
  ),
  kind.map(
    (kind): Maker =>
      (_, { action, other }) =>
        connect(action, other, kind),
  ),
  fc.constant<Maker>((_, { link }) => disconnect(link)),
  fc.tuple(fc.string(), kind).map(
    ([name, kind]): Maker =>
      (_, { action }) =>
        addBehind(action, { type: 'Agents::EmailAgent', name, options: {} }, undefined, kind),
  ),
  fc.tuple(fc.option(kind, { nil: undefined }), fc.boolean(), fc.boolean()).map(
    ([kind, atSource, atReceiver]): Maker =>
      (_, { link, action, other }) =>
        reconnect(link, {
          ...(kind !== undefined && { kind }),
          ...(atSource && { source: action }),
          ...(atReceiver && { receiver: other }),
        }),
  ),
  fc.constantFrom('left', 'centre', 'top', 'across', 'down').map(
    (how): Maker =>
      (draft) =>
        keepingPlaces(drawn(draft), arrange(drawn(draft), how)),
  ),
  place.map(
    (by): Maker =>
      (draft, { action, other, note }) =>
        duplicate(copied(draft, { actions: [action, other], notes: [note] }, drawn(draft)), by, 'parts'),
  ),
  fc.tuple(fc.boolean(), fc.boolean()).map(
    ([both, too]): Maker =>
      (_, { action, other, link, note }) =>
        remove({ actions: both ? [action, other] : [action], ...(too && { links: [link], notes: [note] }) }),
  ),
  place.map(
    (to): Maker =>
      (_, { action, note }) =>
        move({ actions: new Map([[action, to]]), notes: new Map([[note, to]]) }),
  ),
  place.map(
    (to): Maker =>
      (draft) =>
        tidy(new Map([...draft.actions.keys()].map((key) => [key, to]))),
  ),
  fc.tuple(fc.string(), place).map(
    ([text, at]): Maker =>
      () =>
        addNote(text, at),
  ),
  fc.string().map(
    (text): Maker =>
      (_, { note }) =>
        setNote(note, text),
  ),
  place.map(
    (by): Maker =>
      (draft, { action, other, note }) =>
        paste(copied(draft, { actions: [action, other], notes: [note] }), by),
  ),
);

const commands = fc.array(fc.tuple(maker, fc.array(fc.nat(), { minLength: 4, maxLength: 4 })), {
  maxLength: 12,
});

const nth = (keys: Iterable<string>, at = 0) => {
  const all = [...keys];
  return all[at % Math.max(all.length, 1)] ?? 'gone';
};

/** A draft in all that it is, the order of its parts included. */
const whole = ({ actions, links, notes, rest }: StoryDraft) => [[...actions], [...links], [...notes], rest];

describe('a draft', () => {
  it('gives back the graph that it was read from', () => {
    fc.assert(
      fc.property(graph, (given) => {
        const body = toGraphBody(fromGraph(given));
        expect(body).toEqual(given);
        expect(JSON.stringify(body)).toBe(JSON.stringify(given));
      }),
    );
  });

  it('is as it was when all is taken back, and as it became when all is made again', () => {
    fc.assert(
      fc.property(graph, commands, (given, made) => {
        const start = fromGraph(given);
        let journal = { draft: start, history: NO_HISTORY };
        for (const [make, [a, b, c, d]] of made) {
          const { actions, links, notes } = journal.draft;
          const chosen = {
            action: nth(actions.keys(), a),
            other: nth(actions.keys(), b),
            link: nth(links.keys(), c),
            note: nth(notes.keys(), d),
          };
          journal = recorded(journal, make(journal.draft, chosen)(journal.draft));
        }
        const end = journal.draft;
        while (journal.history.past.length > 0) journal = undone(journal);
        expect(whole(journal.draft)).toEqual(whole(start));
        while (journal.history.future.length > 0) journal = redone(journal);
        expect(whole(journal.draft)).toEqual(whole(end));
      }),
      { numRuns: 300 },
    );
  });
});
