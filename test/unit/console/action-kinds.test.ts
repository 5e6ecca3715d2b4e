import { kindOf } from '../../../src/console/ui/words/action-kinds.js';

describe('the kind of an action', () => {
  it('is known by its type and mode', () => {
    const type = 'Agents::EventTransformationAgent';
    expect(kindOf({ type, options: {} }).word).toBe('Transformation');
    expect(kindOf({ type, options: { mode: 'message_only' } }).word).toBe('Message only');
  });

  it.each(['__proto__', 'constructor', 'Agents::toString', 'x'])('has a sign for the type %s', (type) => {
    const { word, icon } = kindOf({ type, options: {} });
    expect([word, icon]).toEqual([type.replace('Agents::', ''), expect.anything()]);
  });
});
