import { comparedProperty } from '../../../src/domain/content/operators'
import { isPercentage, parsePercent } from '../../../src/domain/content/percentage'
import { decidingParameter, isUnrestricted, reachedPercent, reachesEverybody } from '../../../src/domain/content/reach'

const rollout = (value?: unknown) => ({
  name: 'flexibleRollout',
  ...(value !== undefined && { parameters: { rollout: value } }),
})
const narrow = [{ contextName: 'country', operator: 'IN', values: ['NO'] }]

describe('whom a strategy reaches', () => {
  it.each<[object, number | null, boolean | null]>([
    [{ name: 'default' }, 100, true],
    [{ name: 'default', constraints: [], segments: null }, 100, true],
    [{ name: 'default', constraints: narrow }, 100, false],
    [{ name: 'default', segments: [4] }, 100, false],
    [{ name: 'default', disabled: true }, 100, false],
    [rollout(), 100, true],
    [rollout('100'), 100, true],
    [rollout(100), 100, true],
    [rollout('99'), 99, false],
    [rollout('175'), null, null],
    [{ name: 'gradualRolloutUserId' }, null, null],
    [{ name: 'gradualRolloutRandom', parameters: { percentage: '100' } }, 100, true],
    [{ name: 'userWithId', parameters: { userIds: 'ann' } }, null, false],
    [{ name: 'ours' }, null, null],
  ])('%j: %s percent, everybody: %s', (strategy, percent, everybody) => {
    expect([reachedPercent(strategy), reachesEverybody(strategy)]).toEqual([percent, everybody])
  })

  it.each([
    ['flexibleRollout', 'rollout'],
    ['gradualRolloutUserId', 'percentage'],
    ['gradualRolloutSessionId', 'percentage'],
    ['gradualRolloutRandom', 'percentage'],
    ['userWithId', 'userIds'],
    ['remoteAddress', 'IPs'],
    ['applicationHostname', 'hostNames'],
    ['default', undefined],
  ])('%s by its parameter %s', (name, parameter) => {
    expect(decidingParameter({ name, parameters: { [`${parameter}`]: 'x' } })).toEqual(
      parameter && { name: parameter, value: 'x' },
    )
  })

  it('is restricted if there is none', () => {
    expect([null, undefined, 'a', [], {}].map(isUnrestricted)).toEqual([false, false, false, false, true])
  })
})

describe('values of constraints and parameters', () => {
  it.each([
    ['value', ['NUM_EQ', 'DATE_AFTER', 'SEMVER_GT', 'REGEX']],
    ['values', ['IN', 'NOT_IN', 'IN_CIDR', 'STR_CONTAINS']],
    [undefined, ['NEAR', 'REGEXP', 'STR_', 'X_IN', 'INN', 'X_NUM_EQ']],
  ])('%s is compared by %j', (property, operators) => {
    expect(operators.map(comparedProperty)).toEqual(operators.map(() => property))
  })

  it('are percentages from 0 to 100, without a sign, zeros or blanks before them', () => {
    for (const text of ['0', '9', '10', '99', '100'])
      expect([isPercentage(text), parsePercent(text)]).toEqual([true, Number(text)])
    for (const other of ['', '00', '05', '101', '1000', '-1', '5.0', ' 5', '5x', null]) {
      expect([isPercentage(other), parsePercent(other)]).toEqual([false, null])
    }
    expect([isPercentage(5), parsePercent(5), parsePercent(5.5)]).toEqual([false, 5, null])
  })
})
