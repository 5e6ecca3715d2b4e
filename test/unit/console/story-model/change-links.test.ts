import { addBehind, reconnect } from '../../../../src/console/story-model/commands/link-commands.js';
import { connect } from '../../../../src/console/story-model/commands/link-commands.js';
import { type Command, kindOfLink } from '../../../../src/console/story-model/story-draft.js';
import { action, after, DRAFT, TO_ASK, TO_SEND } from './drafts.js';

const links = (...commands: Command[]) =>
  [...after(DRAFT, ...commands).links.values()].map((link) => [link.source, link.receiver, kindOfLink(link)]);
const BEFORE = links();

describe('changing a link', () => {
  it('leads it to another action, at its place, with all that is known of it', () => {
    expect(links(reconnect(TO_ASK, { receiver: 'guid-3' }))).toEqual([
      ['guid-1', 'guid-3', 'DEFAULT'],
      ['guid-2', 'guid-3', 'FAILURE'],
    ]);
    const [first] = after(DRAFT, reconnect(TO_ASK, { receiver: 'guid-3' })).links.values();
    expect(first?.form).toEqual({ source: 0, receiver: 0, colour: 'red' });
    expect(links(reconnect(TO_SEND, { source: 'guid-3' }))[1]).toEqual(['guid-3', 'guid-3', 'FAILURE']);
    expect(reconnect(TO_ASK, {})(DRAFT).label).toBe('Change the link from Receive to Ask');
  });

  it('makes it one of another kind, and of none', () => {
    expect(links(reconnect(TO_ASK, { kind: 'NO_MATCH' }))[0]).toEqual(['guid-1', 'guid-2', 'NO_MATCH']);
    const [, plain] = after(DRAFT, reconnect(TO_SEND, { kind: 'DEFAULT' })).links.values();
    expect(plain?.form).toEqual({ source: 0, receiver: 0 });
  });

  it('leaves one link where there would be two', () => {
    const twice = connect('guid-1', 'guid-3');
    expect(links(twice, reconnect(TO_ASK, { receiver: 'guid-3' }))).toEqual([
      ['guid-2', 'guid-3', 'FAILURE'],
      ['guid-1', 'guid-3', 'DEFAULT'],
    ]);
  });

  it.each([
    ['into a webhook', reconnect(TO_SEND, { receiver: 'guid-1' })],
    ['to what is gone', reconnect(TO_SEND, { receiver: 'gone' })],
    ['that is gone', reconnect('gone', { receiver: 'guid-2' })],
    ['into what it is', reconnect(TO_SEND, { kind: 'FAILURE' })],
  ])('does nothing with a link %s', (_name, command) => {
    expect(links(command)).toEqual(BEFORE);
  });
});

describe('adding behind an action', () => {
  it('adds and links in one step', () => {
    const { id: _id, ...form } = action(9, 'New');
    const command = addBehind('guid-2', form, 'new', 'FAILURE');
    const draft = after(DRAFT, command);
    expect(draft.actions.get('new')).toEqual({ ...form, guid: 'new' });
    expect(links(command).at(-1)).toEqual(['guid-2', 'new', 'FAILURE']);
    expect(command(DRAFT).label).toBe('Add New behind Ask');
  });
});
