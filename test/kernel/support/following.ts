import {
  type ApplicableChange,
  ChangeRequestError,
  type FlagEvent,
  type FlagGateway,
  type FlagState,
  type Subjects,
} from '../../../src'
import type { NewChange } from '../../../src/domain/change-request'

interface Flag {
  enabled: boolean
  rollout: number
}

/** Flags of a host, each with a switch and the rollout of one strategy. */
export class LiveFlags implements FlagGateway {
  readonly flags = new Map<string, Flag>()
  /** Rejects the next apply of this flag. */
  refuses: string | null = null
  /** Who set each field last: the id of a change request, or 0 for the host. */
  readonly setBy = new Map<string, number>()

  of(name: string): Flag {
    const flag = this.flags.get(name) ?? { enabled: false, rollout: 50 }
    this.flags.set(name, flag)
    return flag
  }

  async current({ features }: Subjects): Promise<FlagState> {
    const stateOf = ({ enabled, rollout }: Flag) => {
      const strategies = [{ id: 's1', name: 'flexibleRollout', disabled: false, parameters: { rollout: `${rollout}` } }]
      return { archived: false, enabled, strategies }
    }
    return { features: new Map(features.map((name) => [name, stateOf(this.of(name))])), segments: new Map() }
  }

  async apply(
    changes: readonly ApplicableChange[],
    context: { readonly changeRequestId: number },
  ): Promise<FlagEvent[]> {
    if (changes.some(({ feature }) => feature === this.refuses)) {
      this.refuses = null
      throw new ChangeRequestError('ConflictError', 'The flag is locked.')
    }
    return changes.flatMap((change) => this.set(change as NewChange, context.changeRequestId))
  }

  /** Alters a field, and returns the event; none if it has this value. */
  set({ action, feature, payload }: Pick<NewChange, 'action' | 'feature' | 'payload'>, by = 0): FlagEvent[] {
    const name = feature as string
    const flag = this.of(name)
    if (action === 'updateEnabled') {
      const { enabled } = payload as { readonly enabled: boolean }
      if (flag.enabled === enabled) return []
      flag.enabled = enabled
      this.setBy.set(`${name} enabled`, by)
      return [{ type: `feature-environment-${enabled ? 'enabled' : 'disabled'}`, featureName: name }]
    }
    const rollout = Number((payload as { readonly parameters: { readonly rollout: string } }).parameters.rollout)
    if (flag.rollout === rollout) return []
    flag.rollout = rollout
    this.setBy.set(`${name} rollout`, by)
    return [{ type: 'feature-strategy-update', featureName: name, data: { id: 's1' } }]
  }
}

export const turn = (enabled: boolean, feature = 'checkout'): NewChange => {
  return { action: 'updateEnabled', feature, payload: { enabled } }
}

export const rollOut = (rollout: number, feature = 'checkout'): NewChange => {
  const parameters = { rollout: `${rollout}`, stickiness: 'default', groupId: feature }
  return { action: 'updateStrategy', feature, payload: { id: 's1', name: 'flexibleRollout', parameters } }
}
