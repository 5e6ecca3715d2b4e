import type { AgentDocs } from './agent-docs.js';

export const emailDocs: AgentDocs = {
  name: 'Email',
  description: 'Sends a mail to all recipients.',
  receives: 'events of other actions, or none at the start of a run',
  emits: '`{recipients, subject, message_id}`',
  loops: true,
  options: {
    recipients: {
      description: 'The addresses: a list, or a text with commas.',
      example: ['ada@example.com'],
    },
    cc: { description: 'Addresses that get a copy.', example: ['team@example.com'] },
    bcc: { description: 'Addresses that get a hidden copy.', example: ['archive@example.com'] },
    reply_to: { description: 'The addresses for replies.', example: ['desk@example.com'] },
    sender_name: { description: 'The name of the sender.', example: 'Alerts' },
    sender_address: {
      description: 'The address of the sender, if this server allows it; otherwise replies go to it.',
      example: 'alerts@example.com',
    },
    subject: { description: 'The subject.', example: 'Alert <<receive.body.id>>' },
    body: {
      description: 'HTML, or plain text if it has no tag.',
      example: '<p>Severity: <<receive.body.severity>></p>',
    },
    attachments: {
      description: 'A list of `{filename, base64encodedcontents, content_type, content_id}`, at most 25 MiB.',
      example: [{ filename: 'note.txt', base64encodedcontents: 'aGVsbG8=' }],
    },
  },
};
