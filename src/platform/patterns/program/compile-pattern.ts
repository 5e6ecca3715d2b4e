import { type CharSet, setOf } from '../characters/char-set.js';
import { CodeWriter } from './code-writer.js';
import { dependsOnMore } from './depends-on-more.js';
import { type BranchTable, factorBranches } from './factor-branches.js';
import type { CharNode, Group, PatternNode, PatternTree } from '../reading/pattern-node.js';
import { createPatternWidth } from './pattern-width.js';
import {
  ASSERT_KINDS,
  FIRST_GROUP_REGISTER,
  GROUP_REGISTERS,
  INSTRUCTION_SIZE,
  KEEP_REGISTER,
  Mode,
  Op,
  type Program,
} from './program.js';
import { startHintOf } from './start-hint.js';

const MODES = { greedy: Mode.GREEDY, lazy: Mode.LAZY, possessive: Mode.POSSESSIVE } as const;
const NONE = -1;

/** @throws PatternError if the program has more than `maxInstructions`. */
export function compileProgram(tree: PatternTree, maxInstructions: number): Program {
  return new Compiler(tree, maxInstructions).compile();
}

type Node<T extends PatternNode['type']> = Extract<PatternNode, { type: T }>;

class Compiler {
  readonly #tree: PatternTree;
  readonly #writer: CodeWriter;
  readonly #widthOf = createPatternWidth();
  /** Addresses of called groups, and calls whose group has no address yet. */
  readonly #subroutines = new Map<Group, number>();
  readonly #calls: { at: number; group: Group }[] = [];
  #registers: number;
  /** Atomic groups and looks around what is compiled. */
  #frames = 0;
  #choices = 0;
  #runs = 0;
  /** Whether failures are kept: a part that failed at a place fails there again, unless it depends on more than the place. */
  #isKept: boolean;

  constructor(tree: PatternTree, maxInstructions: number) {
    this.#tree = tree;
    this.#writer = new CodeWriter(maxInstructions);
    this.#registers = FIRST_GROUP_REGISTER + GROUP_REGISTERS * tree.groupNames.length;
    this.#isKept = !dependsOnMore(tree.root);
  }

  compile(): Program {
    this.#emitNode(this.#tree.root);
    this.#writer.emit(Op.MATCH);
    for (const { at, group } of this.#calls) this.#writer.code[at + 1] = this.#subroutines.get(group) ?? 0;
    this.#writer.hintRuns();
    const { code, sets, groupLists, tables } = this.#writer;
    return {
      code: Int32Array.from(code),
      sets,
      groupLists,
      tables,
      registers: this.#registers,
      groupNames: this.#tree.groupNames,
      choices: this.#choices,
      runs: this.#runs,
      start: startHintOf(this.#tree.root),
    };
  }

  #emitNode(node: PatternNode): void {
    switch (node.type) {
      case 'char':
        return this.#emitChar(node);
      case 'set':
        this.#writer.emit(Op.SET, this.#writer.addSet(node.set));
        return;
      case 'sequence':
        for (const item of node.items) this.#emitNode(item);
        return;
      case 'choice':
        return this.#emitChoice(node.branches);
      case 'repeat':
        return this.#emitRepeat(node);
      case 'group':
        return this.#emitGroup(node);
      case 'atomic':
        return this.#emitAtomic(node.body);
      case 'look':
        return this.#emitLook(node);
      case 'assert':
        this.#writer.emit(Op.ASSERT, ASSERT_KINDS.indexOf(node.kind));
        return;
      case 'back reference':
        this.#writer.emit(Op.BACK_REFERENCE, this.#writer.addGroups(node.groups), node.ignoreCase ? 1 : 0);
        return;
      case 'call':
        this.#calls.push({ at: this.#writer.emit(Op.CALL, 0), group: node.group });
        return;
      case 'condition':
        return this.#emitCondition(node);
      case 'keep':
        this.#writer.emit(Op.MARK, KEEP_REGISTER);
        return;
      case 'grapheme':
        this.#writer.emit(Op.GRAPHEME);
    }
  }

  #emitChar({ code, variants }: CharNode): void {
    if (variants !== undefined) this.#writer.emit(Op.SET, this.#writer.addSet(setOf(...variants)));
    else
      for (const unit of String.fromCodePoint(code).split('')) this.#writer.emit(Op.UNIT, unit.charCodeAt(0));
  }

  #emitChoice(branches: PatternNode[]): void {
    const factored = factorBranches(branches);
    const ends: number[] = [];
    for (const [index, branch] of factored.entries()) {
      const split = index === factored.length - 1 ? undefined : this.#emitSplit();
      if (branch.type === 'table') this.#emitTable(branch);
      else this.#emitNode(branch);
      if (split === undefined) continue;
      ends.push(this.#writer.emit(Op.JUMP, 0));
      this.#writer.aim(split, split + INSTRUCTION_SIZE, this.#writer.here);
    }
    this.#writer.landHere(ends);
  }

  #emitTable({ branches }: BranchTable): void {
    const table = new Map<number, number>();
    this.#writer.emit(Op.DISPATCH, this.#writer.tables.push(table) - 1);
    const ends: number[] = [];
    for (const { units, branch } of branches) {
      for (const unit of units) table.set(unit, this.#writer.here);
      this.#emitNode(branch);
      ends.push(this.#writer.emit(Op.JUMP, 0));
    }
    this.#writer.landHere(ends);
  }

  #emitRepeat(node: Node<'repeat'>): void {
    const set = singleSet(node.body);
    if (set !== undefined) return this.#emitRun(set, node);
    if (node.mode === 'possessive') {
      return this.#emitAtomic({ ...node, mode: 'greedy' });
    }
    if (node.max === 0) return this.#emitUnused(node.body);
    this.#emitTimes(node.body, node.min);
    if (node.max === Number.POSITIVE_INFINITY) this.#emitLoop(node);
    else this.#emitOptional(node);
  }

  #emitAtomic(body: PatternNode): void {
    this.#writer.emit(Op.FRAME, NONE);
    this.#frames += 1;
    this.#emitNode(body);
    this.#frames -= 1;
    this.#writer.emit(Op.ATOMIC_END);
  }

  /** `(?<name>…){0}` is how a group is defined that is only called. */
  #emitUnused(body: PatternNode): void {
    if (this.#tree.called.size === 0) return;
    const jump = this.#writer.emit(Op.JUMP, 0);
    this.#emitNode(body);
    this.#writer.code[jump + 1] = this.#writer.here;
  }

  #emitRun(set: CharSet, { min, max, mode }: Node<'repeat'>): void {
    const most = max === Number.POSITIVE_INFINITY ? NONE : max;
    this.#writer.emit(
      Op.RUN,
      this.#writer.addSet(set),
      min,
      most,
      MODES[mode],
      this.#isKept ? this.#runs++ : NONE,
      NONE,
    );
  }

  #emitTimes(body: PatternNode, count: number): void {
    const start = this.#writer.here;
    for (let index = 0; index < count; index += 1) {
      this.#emitNode(body);
      if (this.#writer.here === start) return;
    }
  }

  #emitOptional({ body, min, max, mode }: Node<'repeat'>): void {
    const splits: number[] = [];
    for (let index = min; index < max; index += 1) {
      const split = this.#emitSplit();
      splits.push(split);
      this.#emitNode(body);
      if (this.#writer.here === split + INSTRUCTION_SIZE) break;
    }
    for (const split of splits) this.#aimLoop(split, this.#writer.here, mode);
  }

  #emitLoop({ body, mode }: Node<'repeat'>): void {
    const split = this.#emitSplit();
    // A round that matches nothing ends the loop.
    const register = this.#widthOf(body).min === 0 ? this.#registers++ : NONE;
    if (register !== NONE) this.#writer.emit(Op.MARK, register);
    const kept = this.#isKept;
    // The result of such a round depends on its start, as long as the loop itself has not failed there.
    if (register !== NONE && this.#frames > 0) this.#isKept = false;
    this.#emitNode(body);
    this.#isKept = kept;
    if (register !== NONE) {
      const check = this.#writer.emit(Op.IF_EMPTY, register, 0);
      this.#writer.code[check + 2] = check + 2 * INSTRUCTION_SIZE;
    }
    this.#writer.emit(Op.JUMP, split);
    this.#aimLoop(split, this.#writer.here, mode);
  }

  #emitSplit(): number {
    return this.#writer.emit(Op.SPLIT, 0, 0, this.#isKept ? this.#choices++ : NONE);
  }

  #aimLoop(split: number, end: number, mode: string): void {
    const body = split + INSTRUCTION_SIZE;
    if (mode === 'lazy') this.#writer.aim(split, end, body);
    else this.#writer.aim(split, body, end);
  }

  #emitGroup({ group, body }: Node<'group'>): void {
    if (this.#tree.called.has(group)) return this.#emitSubroutine(group, body);
    if (group.number === 0) return this.#emitNode(body);
    this.#writer.emit(Op.MARK, FIRST_GROUP_REGISTER + GROUP_REGISTERS * (group.number - 1));
    this.#emitNode(body);
    this.#writer.emit(Op.CLOSE, group.number);
  }

  /** A group that is called from elsewhere too. A repetition may write it several times: calls take the first. */
  #emitSubroutine(group: Group, body: PatternNode): void {
    if (this.#subroutines.has(group)) {
      this.#calls.push({ at: this.#writer.emit(Op.CALL, 0), group });
      return;
    }
    const call = this.#writer.emit(Op.CALL, 0);
    this.#calls.push({ at: call, group });
    const jump = this.#writer.emit(Op.JUMP, 0);
    this.#subroutines.set(group, this.#writer.here);
    this.#emitNode(body);
    this.#writer.emit(Op.RETURN, group.number);
    this.#writer.code[jump + 1] = this.#writer.here;
  }

  #emitLook({ behind, negated, body }: Node<'look'>): void {
    const frame = this.#writer.emit(Op.FRAME, NONE);
    this.#frames += 1;
    if (behind) this.#emitBehind(body);
    else this.#emitNode(body);
    this.#frames -= 1;
    this.#writer.emit(negated ? Op.DENIED_END : Op.LOOK_END);
    if (negated) this.#writer.code[frame + 1] = this.#writer.here;
  }

  /** Each alternative goes back by its own width. Whether it fails depends on where the look began. */
  #emitBehind(body: PatternNode): void {
    const kept = this.#isKept;
    this.#isKept = false;
    const branches = body.type === 'choice' ? body.branches : [body];
    const ends: number[] = [];
    for (const [index, branch] of branches.entries()) {
      const split = index === branches.length - 1 ? undefined : this.#emitSplit();
      const { min, max } = this.#widthOf(branch);
      this.#writer.emit(Op.BACK, min, max === Number.POSITIVE_INFINITY ? NONE : max);
      this.#emitNode(branch);
      if (split === undefined) continue;
      ends.push(this.#writer.emit(Op.JUMP, 0));
      this.#writer.aim(split, split + INSTRUCTION_SIZE, this.#writer.here);
    }
    this.#writer.landHere(ends);
    this.#writer.emit(Op.BACK_END);
    this.#isKept = kept;
  }

  #emitCondition({ reference, yes, no }: Node<'condition'>): void {
    const check = this.#writer.emit(Op.UNLESS_MATCHED, this.#writer.addGroups(reference.groups), 0);
    this.#emitNode(yes);
    const end = this.#writer.emit(Op.JUMP, 0);
    this.#writer.code[check + 2] = this.#writer.here;
    this.#emitNode(no);
    this.#writer.code[end + 1] = this.#writer.here;
  }
}

function singleSet(node: PatternNode): CharSet | undefined {
  if (node.type === 'set') return node.set;
  return node.type === 'char' ? setOf(...(node.variants ?? [node.code])) : undefined;
}
