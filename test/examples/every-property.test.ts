import type { ApplicableChange, FlagGateway } from '../../src'
import type { JsonValue } from '../../src/domain/change-request'
import { canonical } from '../../src/domain/diff/canonical'
import { sqlite } from '../support/databases'
import { type PropertyStore, testEveryProperty } from '../support/every-property/suite'
import { type FlagHost, openFlagHost } from './support/flag-host'

const { createFlagGateway } = require('../../examples/server/flags/gateway')
const actions: FlagGateway['actions'] = createFlagGateway({}).actions

const place = { project: 'default', environment: 'production' }
const strategy = { name: 'flexibleRollout', constraints: [], parameters: {} }
const rolledBack = new Error('rolled back')

/** The store of examples/server, in one transaction at a time that is rolled back. */
function storeOf({ opened, gateway }: FlagHost, feature: string): PropertyStore {
  let transaction: unknown
  const subjects = { ...place, features: [feature], segments: [1, 2, 3] }
  const context = {
    ...place,
    changeRequestId: 1,
    appliedBy: { id: 2, username: 'ben', signature: 'ben' },
    applyId: 'an-apply',
  }
  const current = () =>
    gateway.current(subjects, transaction === undefined ? undefined : { transaction, forUpdate: true })
  return {
    current: async () => current(),
    apply: async (changes) =>
      gateway.apply(structuredClone(changes) as unknown as ApplicableChange[], { ...context, transaction }),
    async contents() {
      const { features, segments } = await current()
      const {
        strategies = [],
        releasePlans = [],
        milestones = [],
        milestoneStrategies = [],
        ...others
      } = features.get(feature) ?? {}
      const anonymous = (list: typeof strategies) =>
        list.map(({ id, milestoneId, ...one }) => canonical(one as JsonValue))
      return {
        ...(others as object),
        strategies: anonymous(strategies),
        milestoneStrategies: anonymous(milestoneStrategies),
        plans: [releasePlans.length, milestones.length],
        segments: [...segments.values()].map((one) => canonical(one)),
      } as JsonValue
    },
    async reset(work) {
      await opened.storage
        .transaction(async (trx: unknown) => {
          transaction = trx
          await work()
          throw rolledBack
        })
        .catch((error: unknown) => {
          if (error !== rolledBack) throw error
        })
        .finally(() => {
          transaction = undefined
        })
    },
  }
}

describe('everything that an apply changes in the store of examples/server is in the diff, bound by the digest and reverted', () => {
  let host: FlagHost
  beforeEach(async () => {
    host = await openFlagHost(sqlite)
    const segment = { project: 'default', name: 'Others', description: null, constraints: '[]' }
    await host.opened.knex('flag_segments').insert([2, 3].map((id) => ({ id, ...segment })))
  })
  afterEach(() => host.opened.close())

  testEveryProperty(
    actions ?? [],
    async (action) => {
      // A flag that is off. The switch is tried with disabled strategies only.
      const feature = action === 'updateEnabled' ? 'dark-mode' : 'checkout'
      await host.apply({
        action: 'addStrategy',
        feature,
        payload: { ...strategy, disabled: action === 'updateEnabled' },
      })
      if (action === 'deleteDependency')
        await host.apply({ action: 'addDependency', feature, payload: { feature: 'new-search' } })
      const hasPlan = /Milestone|deleteReleasePlan/.test(action)
      if (hasPlan) await host.apply({ action: 'addReleasePlan', feature, payload: { templateId: 'careful-rollout' } })
      const { strategies, releasePlans } = await host.place(feature)
      const milestones = releasePlans.flatMap((plan) => plan.milestones)
      const ofMilestones = milestones.flatMap((milestone) => milestone.strategies)
      const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)
      return {
        store: storeOf(host, feature),
        feature,
        names: {
          id: action.endsWith('Segment')
            ? [2, 3]
            : ids(action === 'updateMilestoneStrategy' ? ofMilestones : strategies),
          feature: ['new-search', 'pay-by-card'],
          templateId: ['careful-rollout'],
          planId: ids(releasePlans),
          milestoneId: ids(milestones),
          project: ['default'],
          'segments/': [1, 2, 3],
        },
      }
    },
    [
      [/ unknown: add$/, 'the store drops properties that it does not know'],
      [/^updateSegment project: remove$/, 'the segment has the only project that it can have'],
    ],
  )
})
