import type { Runner } from '../runner'
import type { World } from './world'

/** One promise over HTTP. An id never changes its meaning and is never reused. */
export interface Rule {
  readonly id: `CR-${number}`
  readonly level: 'MUST' | 'SHOULD'
  /** What the router does, after the level. */
  readonly sentence: string
  readonly check: Check
}

export type Check = (world: World, expect: Runner['expect']) => Promise<void>

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
