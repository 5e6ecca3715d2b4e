/** The parts of a story that no test reaches, by the ids of its actions. */
export interface Untested {
  actions: ReadonlySet<number>;
  /** As `source-receiver-TYPE`. */
  links: ReadonlySet<string>;
  /** Branches of rules, by the action of the rules. */
  branches: ReadonlyMap<number, number>;
}
