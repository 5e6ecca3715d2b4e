import { storyOf } from './stories.js';

/** A webhook, the number of its body, the number after it, and a trigger: four events a run. */
export const CHAIN = storyOf(
  {
    Receive: ['Webhook', { path: 'chain', secret: 's3cret', verbs: 'post' }],
    Number: ['EventTransformation', { mode: 'message_only', payload: { number: '=receive.body.number' } }],
    Next: ['EventTransformation', { mode: 'message_only', payload: { next: '=number.number + 1' } }],
    Exit: ['Trigger', { rules: [{ type: 'field>value', value: '0', path: '=next.next' }] }],
  },
  ['Receive > Number > Next > Exit'],
);

/** The actions of `CHAIN`, in order. */
export const CHAIN_ACTIONS = ['Receive', 'Number', 'Next', 'Exit'];
