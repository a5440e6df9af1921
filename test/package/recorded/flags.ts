import type { ApplicableChange, FlagEvent, FlagGateway, FlagState, Subjects } from '../../../src'

/** Flags in memory: all are off and have one strategy until something is applied. */
export function recordedFlags(): FlagGateway {
  const enabled = new Map<string, boolean>()
  return {
    async current({ features, segments }: Subjects): Promise<FlagState> {
      const strategies = [{ id: 's1', name: 'default', disabled: false }]
      return {
        features: new Map(
          features.map((name) => [name, { archived: false, enabled: enabled.get(name) ?? false, strategies }]),
        ),
        segments: new Map(segments.map((id) => [id, { name: `segment ${id}`, project: 'shop' }])),
      }
    },
    async apply(changes: readonly ApplicableChange[]): Promise<readonly FlagEvent[]> {
      return changes.flatMap((change): FlagEvent[] => {
        if (change.action !== 'updateEnabled') return []
        enabled.set(change.feature, change.payload.enabled)
        return [{ type: 'feature-environment-enabled', featureName: change.feature }]
      })
    },
  }
}
