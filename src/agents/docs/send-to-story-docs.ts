import type { AgentDocs } from './agent-docs.js';

export const sendToStoryDocs: AgentDocs = {
  name: 'Send to story',
  description: 'Calls another story of the team and waits for the events of its exits.',
  receives: 'events of other actions, or none at the start of a run',
  emits: 'each event of an exit of the called story',
  loops: true,
  options: {
    story: { description: 'The story to call: its id, slug or name.', example: '{% story Look up a user %}' },
    payload: {
      description: 'Input of the called story; a value that is not an object is sent under `payload`.',
      example: { user: '<<receive.body.user>>' },
    },
    send_to_test: {
      description: 'If true, calls the newest draft of the story, with test values.',
      example: true,
    },
    send_to_draft: {
      description: 'The same: true, or the id or the name of a draft.',
      example: 'New mail rules',
    },
    send_payload_as_body: {
      description:
        'If true, the entry action gets the payload under `body`. Defaults to the schema version of the called story.',
      example: true,
    },
  },
};
