import type { ApprovalRule } from '../../../../src'
import type { Who } from './callers'

/**
 * A second implementation of approval rules and emergencies from contract 14 and 15, for change requests of Ann: the
 * response to each step, and what an apply stores.
 */

export type Step =
  | { readonly do: 'add' | 'edit'; readonly feature: string }
  | { readonly do: 'submit' }
  | { readonly do: 'approve' | 'apply' | 'urgent' | 'acknowledge'; readonly who: Who }
  | { readonly do: 'groups'; readonly who: Who; readonly groups: readonly string[] }
  | { readonly do: 'rules'; readonly rules: readonly ApprovalRule[] }
  | { readonly do: 'minimum'; readonly minimum: number }

export interface Missing {
  readonly name: string
  readonly approvals: number
  readonly given: number
}

export class Modelled {
  state: 'none' | 'Draft' | 'In review' | 'Approved' | 'Applied' = 'none'
  features: string[] = []
  minimum = 1
  votes = new Map<Who, readonly string[]>()
  /** What was missing when it was applied in an emergency. */
  trace: readonly Missing[] | null = null
  appliedBy: Who | null = null
  acknowledged = false
}

const idOf: Readonly<Record<Who, number>> = { ann: 1, ben: 2, cleo: 3, dora: 4 }

export class RuleModel {
  current = new Modelled()
  /** Emergencies before the current one. */
  readonly past: Modelled[] = []
  rules: readonly ApprovalRule[] = []
  readonly groups = new Map<Who, readonly string[]>()
  setting = 1

  /** The status of the response. */
  judge(step: Step): number {
    const { current } = this
    switch (step.do) {
      case 'add':
        return this.#add(step.feature)
      case 'edit':
        if (!['Draft', 'In review', 'Approved'].includes(current.state)) return 409
        current.features.shift()
        current.features.push(step.feature)
        return this.#edited()
      case 'submit':
        if (current.state !== 'Draft') return 409
        current.state = 'In review'
        current.minimum = Math.max(current.minimum, this.setting)
        return 200
      case 'groups':
        this.groups.set(step.who, step.groups)
        return 0
      case 'rules':
        this.rules = step.rules
        return 0
      case 'minimum':
        this.setting = step.minimum
        return 204
      default:
        if (current.state === 'Draft' && step.who !== 'ann') return 404
        return this.#decide(step)
    }
  }

  /** The requirements that are not met. */
  missing({ features, minimum, votes } = this.current): readonly Missing[] {
    const fits = ({ when }: ApprovalRule) => features.some((one) => when?.features?.includes(one) ?? true)
    const given = ({ from }: ApprovalRule) =>
      [...votes].filter(
        ([who, groups]) =>
          from === undefined || from.users?.includes(idOf[who]) || groups.some((one) => from.groups?.includes(one)),
      ).length
    return [{ name: 'minimum', approvals: minimum }, ...this.rules.filter(fits)]
      .map((rule) => ({ name: rule.name, approvals: rule.approvals, given: given(rule) }))
      .filter((one) => one.given < one.approvals)
  }

  #add(feature: string): number {
    if (['none', 'Applied'].includes(this.current.state)) {
      if (this.current.state === 'Applied') this.past.push(this.current)
      this.current = new Modelled()
      this.current.state = 'Draft'
      this.current.minimum = this.setting
    }
    this.current.features.push(feature)
    return this.#edited()
  }

  #edited(): number {
    this.current.votes.clear()
    if (this.current.state === 'Approved') this.current.state = 'In review'
    return 200
  }

  #decide({ do: what, who }: Step & { readonly who: Who; readonly do: string }): number {
    const { current } = this
    if (what === 'approve') return this.#approve(who)
    if (what === 'acknowledge') return this.#acknowledge(who)
    if (what === 'urgent' && who !== 'dora') return 403
    const missing = this.missing()
    const ready = what === 'urgent' ? current.state !== 'Applied' : current.state === 'Approved' && missing.length === 0
    if (!ready) return 409
    current.state = 'Applied'
    current.appliedBy = who
    if (missing.length > 0) current.trace = missing
    return 200
  }

  #approve(who: Who): number {
    const { current } = this
    if (who === 'ann') return 403
    if (current.state !== 'In review' && current.state !== 'Approved') return 409
    const met = this.missing().length === 0
    if (current.state === 'Approved' && met) return 409
    if (current.votes.has(who) && !(current.state === 'In review' && met)) return 409
    current.votes.set(who, this.groups.get(who) ?? [])
    if (this.missing().length === 0) current.state = 'Approved'
    return 200
  }

  #acknowledge(who: Who): number {
    const { current } = this
    if (who === 'ann' || (current.trace !== null && current.appliedBy === who)) return 403
    if (current.trace === null || current.acknowledged) return 409
    current.acknowledged = true
    return 200
  }
}
