import type {
  ApplicableChange,
  ApplyContext,
  FlagEvent,
  FlagGateway,
  FlagState,
  StrategyState,
  Subjects,
} from '../../../src/index'

/** Flags of a host in memory, which a test can modify. A gateway without a shared transaction. */
export class HostFlags implements FlagGateway {
  strategies: StrategyState[] = [{ id: 's1', name: 'default', disabled: false }]
  enabled = false
  /** Of every flag. */
  tags: readonly { readonly type: string; readonly value: string }[] = []
  /** The input of the calls of `apply`. */
  readonly applied: (readonly ApplicableChange[])[] = []
  readonly outcomes = new Map<string, readonly FlagEvent[]>()
  /** Replaces the result of `current` while it is set. */
  instead: ((subjects: Subjects) => Promise<FlagState>) | null = null

  async current(subjects: Subjects): Promise<FlagState> {
    if (this.instead !== null) return this.instead(subjects)
    const { features, segments } = subjects
    const state = { archived: false, enabled: this.enabled, strategies: this.strategies, tags: this.tags }
    return {
      features: new Map(features.map((name) => [name, state])),
      segments: new Map(segments.map((id) => [id, { name: `segment ${id}` }])),
    }
  }

  async apply(changes: readonly ApplicableChange[], { applyId }: ApplyContext): Promise<readonly FlagEvent[]> {
    this.applied.push(changes)
    const events = changes.map(
      ({ feature }): FlagEvent => ({ type: 'feature-environment-enabled', featureName: feature }),
    )
    this.outcomes.set(applyId, events)
    return events
  }

  async outcome(applyId: string): Promise<readonly FlagEvent[] | null> {
    return this.outcomes.get(applyId) ?? null
  }
}

/** Blocks callers until it is released. */
export class Gate {
  readonly arrived: Promise<void>
  readonly #open: Promise<void>
  #arrive = () => {}
  letGo = () => {}

  constructor() {
    this.arrived = new Promise((resolve) => {
      this.#arrive = resolve
    })
    this.#open = new Promise((resolve) => {
      this.letGo = resolve
    })
  }

  async pass(): Promise<void> {
    this.#arrive()
    await this.#open
  }
}

export const never = () => new Promise<never>(() => {})
