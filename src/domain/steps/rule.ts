import type { ChangeRequest } from '../change-request'
import type { Missing } from './codes'
import type { Fact, Facts } from './facts'

export type Finding = Missing | readonly Missing[] | undefined

export interface Rule<Needed extends Fact = Fact, Current = ChangeRequest> {
  /** The facts that it gets. They are gathered for each step that has this rule. */
  readonly needs: readonly Needed[]
  check(current: Current, facts: Pick<Facts, Needed>): Finding
}

/** A rule that reads a fact without naming it does not compile. */
export function rule<const Needed extends Fact = never, Current = ChangeRequest>(
  needs: readonly Needed[],
  check: (current: Current, facts: Pick<Facts, Needed>) => Finding,
): Rule<Needed, Current> {
  return { needs, check }
}

const none: readonly Missing[] = []

export function findingsOf<Needed extends Fact, Current>(
  { check }: Rule<Needed, Current>,
  current: Current,
  facts: Pick<Facts, Needed>,
): readonly Missing[] {
  const found = check(current, facts)
  if (found === undefined) return none
  return 'code' in found ? [found] : found
}
