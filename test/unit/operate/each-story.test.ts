import { ApiFault, Unreached } from '../../../src/operate/cli/files/api-client.js';
import { eachStory } from '../../../src/operate/cli/files/each-story.js';

/** Does three stories, of which the second fails; returns their states and first notes. */
async function done(fault: Error) {
  const outcomes = await eachStory(
    ['a', 'b', 'c'],
    (name) => ({ path: `${name}.yaml`, story_id: null, name }),
    async (name) => {
      if (name === 'b') throw fault;
      return {
        path: `${name}.yaml`,
        story_id: 1,
        name,
        state: 'pushed',
        differences: [],
        conflicts: [],
        notes: [],
      };
    },
  );
  return outcomes.map(({ state, notes }) => [state, ...notes].join(': '));
}

describe('stories as software: one story after the other', () => {
  it('goes on after a story that fails', async () => {
    expect(await done(new ApiFault(422, 'not valid'))).toEqual(['pushed', 'failed: not valid', 'pushed']);
  });

  it.each([
    new ApiFault(401, 'no key'),
    new ApiFault(429, 'too many calls'),
    new Unreached('the server is away'),
  ])('ends where each further story would fail alike: %s', async (fault) => {
    expect(await done(fault)).toEqual(['pushed', `failed: ${fault.message}`, 'failed: not tried']);
  });
});
