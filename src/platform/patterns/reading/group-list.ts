import { PatternError } from '../pattern-error.js';
import type { BackReference, Group, PatternNode, PatternTree } from './pattern-node.js';

interface Reference {
  name: string;
  /** Groups that were open or closed where the reference stands: `\k<-1>` is the last of them. */
  before: number;
  found: (groups: Group[]) => void;
}

/** The groups of a pattern that is being read, and what refers to them: a name may come before its group. */
export class GroupList {
  readonly #groups: Group[] = [];
  readonly #references: Reference[] = [];
  readonly #called = new Set<Group>();
  /** `\g<0>`: the whole pattern. */
  #whole: Group | undefined;

  get count(): number {
    return this.#groups.length;
  }

  /** Adds a group where its bracket opens. @throws PatternError if the name is not one. */
  open(name?: string): Group {
    if (name === '') throw new PatternError('group name is empty');
    if (
      name !== undefined &&
      !/^[\p{L}\p{M}_\u0080-\u{10ffff}][\p{L}\p{M}\p{N}_\u0080-\u{10ffff}]*$/u.test(name)
    ) {
      throw new PatternError(`invalid group name <${name}>`);
    }
    const group: Group = { number: 0, ...(name === undefined ? {} : { name }) };
    this.#groups.push(group);
    return group;
  }

  /** Returns a reference to the groups of a name or number, which are known when all is read. */
  refer(name: string, { ignoreCase }: { ignoreCase: boolean }): BackReference {
    const node: BackReference = { type: 'back reference', groups: [], ignoreCase };
    this.#references.push({
      name,
      before: this.#groups.length,
      found: (groups) => node.groups.push(...groups),
    });
    return node;
  }

  /** Returns a call of the group with a name or number; 0 is the whole pattern. */
  call(name: string): PatternNode {
    const node: PatternNode = { type: 'call', group: { number: 0 } };
    const found = ([group, ...others]: Group[]): void => {
      if (others.length > 0) throw new PatternError(`multiplex definition name <${name}> call`);
      if (group === undefined) return;
      node.group = group;
      this.#called.add(group);
    };
    this.#references.push({ name: name === '0' ? '' : name, before: this.#groups.length, found });
    return node;
  }

  /** Numbers the groups and finds what references mean. @throws PatternError for a group that does not exist. */
  finish(root: PatternNode): PatternTree {
    const hasNames = this.#groups.some(({ name }) => name !== undefined);
    const capturing = this.#groups.filter(({ name }) => !hasNames || name !== undefined);
    for (const [index, group] of capturing.entries()) group.number = index + 1;
    for (const reference of this.#references) reference.found(this.#groupsOf(reference, hasNames));
    const whole = this.#whole;
    return {
      root: whole === undefined ? root : { type: 'group', group: whole, body: root },
      groupNames: capturing.map(({ name }) => name),
      called: this.#called,
    };
  }

  #groupsOf({ name, before }: Reference, hasNames: boolean): Group[] {
    if (name === '') return [(this.#whole ??= { number: 0 })];
    if (!/^[+-]?\d+$/.test(name)) {
      const named = this.#groups.filter((group) => group.name === name);
      if (named.length === 0) throw new PatternError(`undefined name <${name}> reference`);
      return named;
    }
    if (hasNames) throw new PatternError('numbered backref/call is not allowed. (use name)');
    const number = Number(name);
    const index = name.startsWith('-')
      ? before + number
      : name.startsWith('+')
        ? before + number - 1
        : number - 1;
    const group = this.#groups[index];
    if (group === undefined) throw new PatternError('invalid backref number/name');
    return [group];
  }
}
