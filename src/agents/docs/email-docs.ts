import type { AgentDocs } from './agent-docs.js';

export const emailDocs: AgentDocs = {
  name: 'Email',
  description: 'Sends a mail to all recipients.',
  receives: 'events of other actions, or none at the start of a run',
  emits: '`{recipients, subject, message_id}`',
  loops: true,
  options: {
    recipients: {
      description: 'Recipients: a list or comma-separated text.',
      example: ['ada@example.com'],
    },
    cc: { description: 'Addresses in CC.', example: ['team@example.com'] },
    bcc: { description: 'Addresses in BCC.', example: ['archive@example.com'] },
    reply_to: { description: 'Reply-to addresses.', example: ['desk@example.com'] },
    sender_name: { description: 'The name of the sender.', example: 'Alerts' },
    sender_address: {
      description: 'Sender address, if allowed by this server; otherwise used for replies.',
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
