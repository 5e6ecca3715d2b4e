import type { JsonObject } from '../../../platform/json.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import type { NamedKind } from '../../named-values.js';
import { refuseSignatures } from '../../secrets/compared-secret.js';
import { callWithSecrets, refuseMarkedKeys, type SecretCalls } from '../../secrets/secret-calls.js';
import { isNothing, isRecord, stepInto, textOf } from '../../values/values.js';
import {
  type FormulaFunction,
  type FormulaHost,
  type FunctionCall,
  Lambda,
} from '../functions/formula-function.js';
import type { FormulaBudget } from './formula-budget.js';
import { faultAt } from '../formula-fault.js';
import { OPERATIONS } from './formula-operators.js';
import { numericFrom, numericIn } from './numbers.js';
import { negated } from '../../../platform/json/exact-arithmetic.js';
import { isNumeric } from '../../../platform/json/exact-number.js';
import type {
  CallNode,
  Expression,
  LambdaLiteral,
  ListLiteral,
  ObjectLiteral,
  Step,
} from '../parsing/syntax-tree.js';
import { orderedObject } from '../../../platform/json/ordered-object.js';

/** Resolves the free names of a formula. */
export interface FormulaWorld extends FormulaHost {
  /** Returns the value of a name; undefined if it is unknown. */
  find: (name: string) => unknown;
  /** `team` is the name between `STORY` and the key. */
  findNamed: (kind: NamedKind, key: string, team?: string) => unknown;
  /** Present if values may contain references to secrets. */
  secrets?: SecretCalls | undefined;
  /** Whether credentials are markers here: in previews and webhook responses. */
  seesMarkers?: boolean;
}

/** The variables of the lambdas, loops and pipes around an expression, the innermost first. */
export interface Variables {
  name: string;
  value: unknown;
  outer: Variables | undefined;
}

type Limits = Pick<FunctionCall, 'step' | 'checkTime' | 'charge'>;

/** The variable of a pipe: not a valid name, so that it cannot collide. */
const PIPED = '%';

/** Returns false for FALSE and NULL, true for any other value (spec §8.3). */
export function holds(value: unknown): boolean {
  return !isNothing(value) && value !== false;
}

/** Evaluates the expressions of one render within one budget. */
export class Evaluator {
  readonly #world: FormulaWorld;
  readonly #budget: FormulaBudget;
  #limitsOfCalls: Limits | undefined;

  constructor(world: FormulaWorld, budget: FormulaBudget) {
    this.#world = world;
    this.#budget = budget;
  }

  /** @throws FormulaFault at the innermost expression that failed. */
  evaluate(expression: Expression, variables?: Variables): unknown {
    if (expression.kind === 'literal') return expression.value;
    try {
      this.#budget.enter();
      return this.#chain(expression, variables);
    } catch (error) {
      throw faultAt(expression.at, error);
    } finally {
      this.#budget.leave();
    }
  }

  /** Finds the first operand on the left, then applies the steps after it in order, without recursion. */
  #chain(expression: Expression, variables: Variables | undefined): unknown {
    const steps: Step[] = [];
    let first = expression;
    while (first.kind === 'binary' || first.kind === 'pipe' || first.kind === 'member') {
      steps.push(first);
      first = first.left;
    }
    let value = this.#operand(first, variables);
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      value = this.#apply(step, value, variables);
    }
    return value;
  }

  #operand(expression: Exclude<Expression, Step>, variables: Variables | undefined): unknown {
    this.#budget.step();
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'absent':
        return undefined;
      case 'reference':
        return this.#find(expression.name, variables);
      case 'named': {
        const { root, team } = expression;
        const key = textOf(this.evaluate(expression.key, variables));
        if (team === undefined) return this.#world.findNamed(root, key) ?? null;
        return this.#world.findNamed(root, key, textOf(this.evaluate(team, variables))) ?? null;
      }
      case 'placeholder':
        return this.#find(PIPED, variables);
      case 'list':
        return this.#list(expression, variables);
      case 'object':
        return this.#object(expression, variables);
      case 'lambda':
        return this.#lambda(expression, variables);
      case 'unary': {
        const value = this.evaluate(expression.operand, variables);
        return expression.operator === 'not' ? !holds(value) : negated(numericFrom(value));
      }
      default:
        return this.#call(expression, variables);
    }
  }

  #apply(step: Step, left: unknown, variables: Variables | undefined): unknown {
    this.#budget.step();
    if (step.kind === 'pipe') {
      return this.evaluate(step.right, { name: PIPED, value: left, outer: variables });
    }
    if (step.kind === 'member') return memberAt(left, this.evaluate(step.key, variables));
    if (step.operator === 'or') return holds(left) ? left : this.evaluate(step.right, variables);
    if (step.operator === 'and') return holds(left) ? this.evaluate(step.right, variables) : left;
    const right = this.evaluate(step.right, variables);
    try {
      if (this.#world.secrets !== undefined && step.operator !== '&') refuseSignatures(left, right);
      const result = OPERATIONS[step.operator](left, right, this.#limits().step);
      if (typeof result === 'string') this.#budget.charge(result);
      return result;
    } catch (error) {
      throw faultAt(step.at, error);
    }
  }

  /** The budget as passed to functions and operators; created on first use. */
  #limits(): Limits {
    const budget = this.#budget;
    this.#limitsOfCalls ??= {
      step: (count) => budget.step(count),
      checkTime: () => budget.checkTime(),
      charge: (elements) => budget.chargeElements(elements),
    };
    return this.#limitsOfCalls;
  }

  #find(name: string, variables: Variables | undefined): unknown {
    for (let scope = variables; scope !== undefined; scope = scope.outer) {
      if (scope.name === name) return scope.value;
    }
    if (name === PIPED)
      throw new TemplateError('% is the value to the left of a pipe |>, but there is no pipe before it');
    return this.#world.find(name) ?? null;
  }

  #list({ items }: ListLiteral, variables: Variables | undefined): unknown[] {
    const list = items.map((item) => this.evaluate(item, variables));
    this.#budget.charge(list);
    return list;
  }

  #object({ entries }: ObjectLiteral, variables: Variables | undefined): JsonObject {
    const pairs = entries.map(({ key, value }): [string, unknown] => [
      textOf(this.evaluate(key, variables)),
      this.evaluate(value, variables),
    ]);
    this.#budget.charge(pairs);
    return orderedObject(pairs) as JsonObject;
  }

  #lambda({ parameters, body }: LambdaLiteral, outer: Variables | undefined): Lambda {
    return new Lambda(parameters.length, (values) => {
      const variables = parameters.reduce<Variables | undefined>(
        (scope, name, index) => ({ name, value: values[index] ?? null, outer: scope }),
        outer,
      );
      return this.evaluate(body, variables);
    });
  }

  #call(
    { function: called, args, at, isDecimal = false }: CallNode,
    variables: Variables | undefined,
  ): unknown {
    const budget = this.#budget;
    const call = { ...this.#limits(), isDecimal, host: this.#world };
    try {
      budget.checkTime();
      const result =
        called.runLazily === undefined
          ? this.#run(
              called,
              args.map((argument) => this.evaluate(argument, variables)),
              call,
            )
          : called.runLazily(
              args.map((argument) => () => this.evaluate(argument, variables)),
              call,
            );
      budget.charge(result);
      // Rounding can return -0, which JSON does not have.
      return result === 0 ? 0 : (result ?? null);
    } catch (error) {
      throw faultAt(at, error, `${called.name}: `);
    }
  }

  #run({ name, run }: FormulaFunction, values: unknown[], call: FunctionCall): unknown {
    const { secrets, seesMarkers } = this.#world;
    if (secrets === undefined) {
      if (seesMarkers === true) refuseMarkedKeys(name);
      return run?.(values, call);
    }
    return callWithSecrets({ name, values, secrets, run: (given) => run?.(given, call) });
  }
}

/** Returns the value at a key or index: own properties, `first`, `last` and `size`; null if there is none. */
function memberAt(value: unknown, key: unknown): unknown {
  if (isNothing(value) || isNothing(key)) return null;
  const index = Array.isArray(value) ? numericIn(key) : undefined;
  if (Array.isArray(value) && index !== undefined)
    return (value.at(Math.trunc(Number(index))) as unknown) ?? null;
  if (typeof key !== 'string' && !isNumeric(key)) return null;
  if (value instanceof Lambda || !(isRecord(value) || Array.isArray(value) || typeof value === 'string')) {
    return null;
  }
  return stepInto(value, String(key)) ?? null;
}
