import type { AgentDocs } from './agent-docs.js';
import { collectingModes, timingModes } from './waiting-mode-docs.js';

export const eventTransformationDocs: AgentDocs = {
  name: 'Event transformation',
  description: 'Creates new events from received events, in one of several modes.',
  receives: 'events of other actions',
  emits: 'depends on the mode',
  loops: true,
  options: {
    mode: {
      description: 'Selects the transformation; each mode has its own options.',
      example: 'message_only',
    },
  },
  modes: {
    message_only: {
      description: 'Emits `payload`. Without it all other options are the event.',
      emits: 'the payload',
      options: {
        payload: {
          description: 'The event: an object, a list or a text.',
          example: { name: '<<receive.body.name>>' },
        },
      },
    },
    explode: {
      description: 'Emits one event for each element of a list.',
      emits: '`{<to>: element, index, size, guid}` for each element',
      options: {
        path: { description: 'The list.', example: '=receive.body.items' },
        to: { description: 'The key of the element in its event.', example: 'item' },
        limit: {
          description: 'Maximum number of events, up to 50,000. Further elements are dropped with a warning.',
          example: 100,
        },
      },
    },
    extract: {
      description: 'Finds all matches of patterns in texts.',
      emits: 'one event with a list of matches under each `to`',
      options: {
        matchers: {
          description:
            'A list of `{path, regexp, to}`: a text, a pattern with the syntax of Ruby, and the key of the matches.',
          example: [{ path: '=receive.body.text', regexp: '\\d{1,3}(?:\\.\\d{1,3}){3}', to: 'addresses' }],
        },
        emit_no_match: {
          description: 'If true, an event is emitted even if nothing matches.',
          example: true,
        },
      },
    },
    ...timingModes,
    ...collectingModes,
  },
};
