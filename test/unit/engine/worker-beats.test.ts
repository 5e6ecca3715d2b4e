import { createSilence } from '../../../src/engine/recovery/worker-beats.js';
import { processOf, slotsOf, workerName } from '../../../src/engine/dispatch/figures/worker-names.js';

/** The beats of one process. */
const beat = (count: number) => new Map([['one', String(count)]]);
const looks = (silence: ReturnType<typeof createSilence>, counts: number[]) =>
  counts.map((count) => silence.look(beat(count)).length);

describe('a process', () => {
  it('is silent when its beat was the same at three looks in a row', () => {
    expect(looks(createSilence(), [7, 7, 7, 7])).toEqual([0, 0, 0, 1]);
  });

  it('is not silent as long as it beats, however slowly, or counts anew', () => {
    expect(looks(createSilence(), [7, 7, 7, 8, 8, 8, 9, 9, 9, 1, 1, 1])).not.toContain(1);
  });

  it('is silent once more when it has come back', () => {
    expect(looks(createSilence(), [7, 7, 7, 7, 1, 1, 1, 1])).toEqual([0, 0, 0, 1, 0, 0, 0, 1]);
  });

  it('has its patience from the start again when it was gone meanwhile', () => {
    const silence = createSilence();
    looks(silence, [7, 7, 7]);
    expect(silence.look(new Map())).toEqual([]);
    expect(looks(silence, [7, 7, 7, 7])).toEqual([0, 0, 0, 1]);
  });

  it('has more patience while it is connected, once', () => {
    const silence = createSilence();
    looks(silence, [7, 7, 7, 7]);
    expect(silence.bearWith('one')).toBe(true);
    expect(looks(silence, [7, 7, 7, 7, 7, 7, 7])).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect(silence.bearWith('one')).toBe(false);
    expect(looks(silence, [8, 8, 8, 8])).toEqual([0, 0, 0, 1]);
    expect(silence.bearWith('one')).toBe(true);
  });

  it('has far more patience after an outage of Redis, until it beats again', () => {
    const silence = createSilence();
    looks(silence, [7, 7, 7]);
    silence.missed();
    expect(
      looks(
        silence,
        Array.from({ length: 19 }, () => 7),
      ),
    ).not.toContain(1);
    expect(looks(silence, [7])).toEqual([1]);

    const other = createSilence();
    looks(other, [7, 7, 7]);
    other.missed();
    expect(looks(other, [7, 8, 8, 8, 8])).toEqual([0, 0, 0, 0, 1]);
  });
});

describe('the name of a worker', () => {
  it('tells its process, and how many jobs it runs at once', () => {
    const name = workerName(100, 'host-1.example:4711:ab12');
    expect(processOf(name)).toBe('host-1.example:4711:ab12');
    expect(slotsOf(`{fabula-trigger}:dHJpZ2dlcg==:w:${name}`)).toBe(100);
  });

  it.each([undefined, '', 'jobs-100', 'someone'])('tells nothing in another form: %j', (name) => {
    expect(processOf(name)).toBeUndefined();
    expect(slotsOf(name)).toBeUndefined();
  });
});
