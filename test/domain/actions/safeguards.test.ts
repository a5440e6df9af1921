import { testActions } from '../support/action-rows'

const is = { target: 'safeguard', scope: 'environment', stage: 'change' } as const
const conflict = 'Release plan has been deleted'
const common = { is, part: undefined, other: [{}, undefined] } as const

describe('the actions of safeguards', () => {
  testActions([
    { action: 'changeReleasePlanSafeguard', payload: { planId: 'p1', safeguard: {} }, conflict, ...common },
    { action: 'deleteReleasePlanSafeguard', payload: { planId: 'p1', safeguardId: 'g' }, conflict, ...common },
    { action: 'changeFeatureEnvSafeguard', payload: { safeguard: {} }, ...common },
    { action: 'deleteFeatureEnvSafeguard', payload: { safeguardId: 'g' }, ...common },
    { action: 'changeSafeguard', payload: { planId: 'p1', safeguard: {} }, conflict, ...common },
    { action: 'deleteSafeguard', payload: { planId: 'p1', safeguardId: 'g' }, conflict, ...common },
  ])
})
