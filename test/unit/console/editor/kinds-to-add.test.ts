import { agentTypeCatalogue } from '../../../../src/stories/catalogue/agent-type-catalogue.js';
import {
  kindsToAdd,
  kindsWith,
} from '../../../../src/console/pages/editor/canvas/adding/action-kinds-to-add.js';

const KINDS = kindsToAdd(agentTypeCatalogue() as never);
const optionsOf = (name: string) => KINDS.find((kind) => kind.name === name)?.options;

describe('the kinds of actions to add', () => {
  it('are those that run, each mode by itself', () => {
    const names = KINDS.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['Webhook', 'Trigger', 'Explode', 'Deduplicate', 'HTTP request']),
    );
    expect(names).not.toContain('LLM');
    expect(new Set(KINDS.map(({ id }) => id)).size).toBe(KINDS.length);
  });

  it.each<[string, Record<string, unknown>]>([
    ['Webhook', {}],
    ['Trigger', { rules: [] }],
    ['Explode', { mode: 'explode', path: '', to: 'item' }],
    ['Throttle', { mode: 'throttle', capacity: 1 }],
    ['HTTP request', { url: '' }],
    ['Email', { recipients: [] }],
    ['Record', { record_type: { name: '' } }],
  ])('give %s what it must have', (name, options) => {
    expect(optionsOf(name)).toEqual(options);
  });

  it('are found by name first, then by description', () => {
    const found = (text: string) => kindsWith(KINDS, text).map(({ name }) => name);
    expect(found('trig')[0]).toBe('Trigger');
    expect(found('HTTP')[0]).toBe('HTTP request');
    expect(found('transformation')).toContain('Message only');
    expect(found('seen before')).toEqual(['Deduplicate']);
    expect(found('nothing like it')).toEqual([]);
    expect(found('')).toHaveLength(KINDS.length);
  });
});
