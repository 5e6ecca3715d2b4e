import type { JsonObject } from '../../../src/platform/json.js';
import { guidAt, type ShortAgent, storyOf } from '../stories.js';

const COLUMNS = 20;
/** From one action to the next one, as on canvases that people tidy. */
const STEP = { x: 255, y: 135 };
/** Real exports carry templates of mails and pages of this length. */
const LONG_TEXT = '<p>Line of a long mail.</p>\n'.repeat(1_800);
const MAIL_EVERY = 26;

/** The action whose fields are written to. */
export const WRITTEN = 'Step 5';

/**
 * Returns a story of so many actions and links, with places: a webhook, and rows of actions that follow the ones above them.
 * Like large real exports, some have triggers, a dozen templates, or a text of 50 kB.
 */
export function wovenStory(actions: number, links: number): JsonObject {
  const names = ['Hook', ...Array.from({ length: actions - 1 }, (_, at) => `Step ${at + 1}`)];
  const nameAt = (at: number) => names[at] ?? '';
  const down = names.slice(1).map((name, at) => `${nameAt(Math.max(0, at + 1 - COLUMNS))} > ${name}`);
  const across = Array.from({ length: Math.max(0, links - down.length) }, (_, at) => {
    const from = 1 + ((at * 7) % (actions - COLUMNS - 2));
    return `${nameAt(from)} > ${nameAt(from + COLUMNS + 1)}`;
  });
  const layout = names.map((_, at) => [
    guidAt(at),
    [(at % COLUMNS) * STEP.x, Math.floor(at / COLUMNS) * STEP.y],
  ]);
  return storyOf(
    Object.fromEntries(names.map((name, at) => [name, at === 0 ? ['Webhook', {}] : agentAt(at)])),
    [...new Set([...down, ...across])],
    { name: `Woven ${actions}`, diagram_layout: JSON.stringify(Object.fromEntries(layout)) },
  );
}

function agentAt(at: number): ShortAgent {
  if (at % 6 === 0) {
    return ['Trigger', { rules: [{ type: 'regex', value: '.', path: '<<hook.body.host>>' }] }];
  }
  const fields = Array.from({ length: 12 }, (_, field) => [`field_${field}`, `<<hook.body.host>> ${field}`]);
  const payload = {
    text: 'Host <<hook.body.host>> is down',
    ...Object.fromEntries(fields),
    ...(at % MAIL_EVERY === 0 && { mail: LONG_TEXT }),
  };
  return ['EventTransformation', { mode: 'message_only', payload }];
}
