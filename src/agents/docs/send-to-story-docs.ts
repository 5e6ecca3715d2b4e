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
      description: 'The input of the called story; a value that is no object is sent under `payload`.',
      example: { user: '<<receive.body.user>>' },
    },
    send_to_test: {
      description: 'True: the newest draft of the story is called, with test values.',
      example: true,
    },
    send_to_draft: {
      description: 'The same: true, or the id or the name of a draft.',
      example: 'New mail rules',
    },
    send_payload_as_body: {
      description:
        'True: the entry sees the payload under `body`. If it is absent, the schema version of the called story decides.',
      example: true,
    },
  },
};
