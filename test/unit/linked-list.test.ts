import { createLinkedList } from '../../src/platform/runtime/linked-list.js';

test('members stand in the order of their coming, whoever leaves', () => {
  const roster = createLinkedList<string>();
  const [leaveA, leaveB, leaveC, leaveD] = ['a', 'b', 'c', 'd'].map((member) => roster.enter(member));
  leaveB!();
  expect([...roster]).toEqual(['a', 'c', 'd']);
  leaveA!();
  leaveD!();
  expect([...roster]).toEqual(['c']);
  roster.enter('e');
  expect([...roster]).toEqual(['c', 'e']);
  leaveC!();
  expect([...roster]).toEqual(['e']);
  expect(roster.size).toBe(1);
});

test('who leaves twice, or after all were sent away, takes nobody along', () => {
  const roster = createLinkedList<number>();
  const leaves = [1, 2, 3].map((member) => roster.enter(member));
  expect(leaves[1]!()).toBe(true);
  expect(leaves[1]!()).toBe(false);
  expect([...roster]).toEqual([1, 3]);
  roster.clear();
  expect([[...roster], roster.size]).toEqual([[], 0]);
  const leave = roster.enter(4);
  for (const old of leaves) expect(old()).toBe(false);
  expect([...roster]).toEqual([4]);
  leave();
  expect([[...roster], roster.size]).toEqual([[], 0]);
});

test('the same member may enter more than once', () => {
  const roster = createLinkedList<string>();
  const leave = roster.enter('a');
  roster.enter('a');
  leave();
  expect([...roster]).toEqual(['a']);
});

test('members may come and go while one looks at them', () => {
  const roster = createLinkedList<number>();
  const leaves = new Map([1, 2, 3].map((member) => [member, roster.enter(member)]));
  const seen: number[] = [];
  for (const member of roster) {
    seen.push(member);
    leaves.get(member)?.();
    if (member === 1) roster.enter(4);
  }
  expect(seen).toEqual([1, 2, 3, 4]);
  expect([...roster]).toEqual([4]);
});

/** Random comings and goings against a list, which says the same more slowly. */
test('it holds what a list would hold', () => {
  const roster = createLinkedList<number>();
  let model: { member: number; leave: () => void }[] = [];
  let state = 7;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  for (let step = 0; step < 5_000; step++) {
    const gone = random(3) > 0 && model.length > 0 ? model[random(model.length)] : undefined;
    if (gone === undefined) model.push({ member: step, leave: roster.enter(step) });
    else {
      gone.leave();
      model = model.filter((one) => one !== gone);
    }
    expect(roster.size).toBe(model.length);
    if (step % 50 === 0) expect([...roster]).toEqual(model.map(({ member }) => member));
  }
});
