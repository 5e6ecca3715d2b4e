import { type ShortAgent, storyOf } from '../support/stories.js';
import type { JsonObject } from '../../src/platform/json.js';

/** Elements that each run explodes into and implodes again. */
export const ELEMENTS = [0, 1, 2, 3, 4];

/** Calls with numbers from here on are not the load's: a scenario made them, and counts them itself. */
export const OWN_NUMBERS = 1_000_000_000;

/** The story that is under load. Its webhook takes `{number, parity, list}`. */
export function loadStory(targetUrl: string): JsonObject {
  return storyOf(
    {
      Receive: ['Webhook', { path: 'chaos', secret: 's3cret', verbs: 'post', include_headers: false }],
      Split: ['EventTransformation', { mode: 'explode', path: '=receive.list', to: 'item' }],
      Pass: message({ item: '=split.item' }),
      Join: [
        'EventTransformation',
        { mode: 'implode', item_path: '=pass.item', guid_path: '=split.guid', size_path: '=split.size' },
      ],
      Call: [
        'HTTPRequest',
        {
          url: `${targetUrl}/call`,
          method: 'post',
          payload: { number: '=receive.number' },
          headers: { 'x-poison': '<<receive.poison>>' },
          // By default no response is an output like any other: on a busy machine a request may time out.
          retry_on_status: ['0'],
        },
      ],
      Mail: [
        'Email',
        { recipients: ['someone@example.test'], subject: 'Run <<receive.number>>', body: 'Hello' },
      ],
      Check: ['Trigger', { rules: [{ type: 'field==value', path: '<<receive.parity>>', value: 'even' }] }],
      Even: message({ even: '=receive.number' }),
      Odd: message({ odd: '=receive.number' }),
    },
    [
      'Receive > Split > Pass > Join',
      'Receive > Call',
      'Receive > Mail',
      'Receive > Check > Even',
      'Check ! Odd',
    ],
    { name: 'Under load' },
  );
}

/** The body of the webhook call with this number. */
export function loadBody(number: number): JsonObject {
  return { number, parity: isEven(number) ? 'even' : 'odd', list: ELEMENTS };
}

/** How many events of each agent a whole run has. */
export function expectedEvents(number: number): Record<string, number> {
  return {
    Receive: 1,
    Split: ELEMENTS.length,
    Pass: ELEMENTS.length,
    Join: 1,
    Call: 1,
    Mail: 1,
    Check: 1,
    Even: isEven(number) ? 1 : 0,
    Odd: isEven(number) ? 0 : 1,
  };
}

function isEven(number: number): boolean {
  return number % 2 === 0;
}

function message(payload: JsonObject): ShortAgent {
  return ['EventTransformation', { mode: 'message_only', payload }];
}
