import { storyOfCall } from '../../../../src/console/pages/stories/new/story-of-call.js';

const TO = { name: 'Alerts', teamId: 3 };

describe('a story of a pasted call', () => {
  it('begins with a webhook that accepts its method', async () => {
    const { story, payload } = await storyOfCall(
      'curl -X PUT https://hooks.example.com/a -d \'{"a":1}\'',
      TO,
    );
    expect(story).toMatchObject({ new_name: 'Alerts', team_id: 3, data: { name: 'Alerts', links: [] } });
    expect(story.data.agents).toEqual([
      {
        type: 'Agents::WebhookAgent',
        name: 'Receive call',
        guid: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        disabled: false,
        options: { verbs: 'put' },
      },
    ]);
    expect(JSON.parse(payload)).toEqual({ body: { a: 1 } });
    const get = await storyOfCall('curl "https://hooks.example.com/a?b=1"', TO);
    expect(get.story.data.agents[0]?.options).toEqual({ verbs: 'get' });
  });

  it('is refused with a sentence if the text is no command', async () => {
    await expect(storyOfCall('GET https://hooks.example.com', TO)).rejects.toThrow(
      'The text is not a curl command.',
    );
  });
});
