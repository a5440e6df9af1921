import type { Runner } from '../runner'
import type { Api } from './api'

/** A rule that clients rely on over HTTP. An id never changes its meaning and is never reused. */
export interface Rule {
  readonly id: `CR-${number}`
  readonly level: 'MUST' | 'SHOULD'
  /** What the router does; follows the level in the title. */
  readonly sentence: string
  readonly check: Check
}

export type Check = (api: Api, expect: Runner['expect']) => Promise<void>

export interface RuleGroup {
  readonly title: string
  readonly rules: readonly Rule[]
}

export function must(id: Rule['id'], sentence: string, check: Check): Rule {
  return { id, level: 'MUST', sentence, check }
}

export function should(id: Rule['id'], sentence: string, check: Check): Rule {
  return { id, level: 'SHOULD', sentence, check }
}
