import { ChangeRequestError, type FlagEvent, type FlagGateway } from 'express-change-requests'
import type { Knex } from 'knex'

/** Flags that are on or off, in a table of the app: `flags (name, enabled, archived)`. */
export function createFlagGateway(knex: Knex): FlagGateway<Knex.Transaction> {
  return {
    transactional: true,
    actions: ['updateEnabled', 'archiveFeature'],

    async current({ features }, options) {
      const query = (options?.transaction ?? knex)('flags').whereIn('name', features).orderBy('name')
      const rows = await (options?.forUpdate ? query.forUpdate() : query)
      // SQLite returns 0 and 1.
      const states = rows.map(({ name, enabled, archived }) => {
        return [name, { enabled: Boolean(enabled), archived: Boolean(archived) }] as const
      })
      return { features: new Map(states), segments: new Map() }
    },

    async apply(changes, { transaction }) {
      const events: FlagEvent[] = []
      for (const change of changes) {
        const flag = transaction('flags').where({ name: change.feature, archived: false })
        switch (change.action) {
          case 'updateEnabled': {
            const { enabled } = change.payload
            if ((await flag.whereNot({ enabled }).update({ enabled })) === 0) break
            const type = enabled ? 'feature-environment-enabled' : 'feature-environment-disabled'
            events.push({ type, featureName: change.feature })
            break
          }
          case 'archiveFeature':
            if ((await flag.update({ archived: true })) === 0) break
            events.push({ type: 'feature-archived', featureName: change.feature })
            break
          default:
            throw new ChangeRequestError('ConflictError', `${change.action} is not supported here.`)
        }
      }
      return events
    },
  }
}
