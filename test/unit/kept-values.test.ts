import { keep } from '../../src/engine/secrets/team-values-loader.js';

function counted() {
  let loads = 0;
  const kept = keep(() => {
    loads += 1;
    return Promise.resolve(new Map([['load', loads]]));
  });
  return { kept, loads: () => loads };
}

describe('values of a team that are asked for as of now', () => {
  it('are read again, but not for each of many who ask', async () => {
    const { kept, loads } = counted();
    await kept.of(1);
    const later = () => kept.of(1, performance.now() + 1);
    expect((await later()).get('load')).toBe(2);
    for (let times = 0; times < 20; times += 1) await later();
    expect(loads()).toBe(2);
  });

  it('are read again once a message told of a change', async () => {
    const { kept, loads } = counted();
    await kept.of(1);
    await kept.of(1, performance.now() + 1);
    kept.forget([1]);
    await kept.of(1);
    expect(loads()).toBe(3);
  });
});
