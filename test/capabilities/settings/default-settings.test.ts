import { copy } from '../../../src/capabilities/copy/routes'
import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import type { EnvironmentWithoutSettings } from '../../../src/domain/decisions/settings'
import { gatedEnvironments, listSettings, settingsOf } from '../../../src/kernel/host/settings'
import { by, createFixture, type Fixture, losing, production, rejection } from '../../kernel/support/fixture'

const environments = () => [
  { name: 'development', type: 'development' },
  { name: 'production', type: 'live' },
]

const set = ({ services }: Fixture, more: object = {}) =>
  changeSettings(services, {
    ...{ ...by('dora'), ...production, changeRequestsEnabled: true, requiredApprovals: 4 },
    ...more,
  })

/** The two options as functions that record for which environment they are called. */
function recorded(enabled = true, approvals = 2) {
  const asked: EnvironmentWithoutSettings[] = []
  const options = {
    changeRequestsEnabled: async (environment: EnvironmentWithoutSettings) => {
      asked.push(environment)
      return enabled
    },
    requiredApprovals: (environment: EnvironmentWithoutSettings) => {
      asked.push(environment)
      return approvals
    },
  }
  return { asked, options }
}

const twice = <Value>(value: Value) => [value, value]

describe('functions as changeRequestsEnabled and requiredApprovals', () => {
  it('receive the type that the directory returns, else production', async () => {
    const { asked, options } = recorded()
    const { services } = createFixture({ ...options, directory: { environments } })
    expect(await settingsOf(services, 'shop', 'production')).toEqual({
      changeRequestsEnabled: true,
      requiredApprovals: 2,
    })
    await settingsOf(services, 'shop', 'testing')
    await settingsOf(createFixture(options).services, 'blog', 'testing')
    expect(asked).toEqual([
      ...twice({ ...production, type: 'live' }),
      ...twice({ project: 'shop', environment: 'testing', type: 'production' }),
      ...twice({ project: 'blog', environment: 'testing', type: 'production' }),
    ])
  })

  it('are shown as the settings of environments without stored ones', async () => {
    const { asked, options } = recorded()
    const fixture = createFixture({ ...options, directory: { environments } })
    await set(fixture)
    asked.length = 0
    expect(await listSettings(fixture.services, 'shop')).toEqual([
      { environment: 'development', type: 'development', changeRequestsEnabled: true, requiredApprovals: 2 },
      { environment: 'production', type: 'live', changeRequestsEnabled: true, requiredApprovals: 4 },
    ])
    expect(asked).toEqual(twice({ project: 'shop', environment: 'development', type: 'development' }))
  })

  it('receive null for the environments of a project that the directory does not return', async () => {
    const { asked, options } = recorded()
    const fixture = createFixture(options)
    await set(fixture)
    asked.length = 0
    expect(await gatedEnvironments(fixture.services, 'shop')).toEqual({
      gated: [
        { environment: 'production', requiredApprovals: 4 },
        { environment: undefined, requiredApprovals: 2 },
      ],
      complete: false,
    })
    expect(asked).toEqual(twice({ project: 'shop', environment: null, type: null }))
  })

  it('decide on a proposal and its number of approvals, once', async () => {
    const { asked, options } = recorded()
    const { propose } = createFixture(options)
    expect((await propose('ann')).changeRequest.minApprovals).toBe(2)
    expect(asked).toEqual(twice({ ...production, type: 'production' }))
  })

  it('are not called again after a lost race', async () => {
    const { asked, options } = recorded()
    const races = jest.fn()
    const { propose } = createFixture({ ...options, storage: (memory) => losing([races], memory) })
    await propose('ann')
    expect([races.mock.calls.length, asked.length]).toEqual([1, 2])
  })

  it('are called once for a copy, too', async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    await fixture.to('ann', 'Cancelled')
    const { asked, options } = recorded()
    const races = jest.fn()
    const { services } = createFixture({ ...options, storage: () => losing([races], fixture.memory) })
    const { changeRequest } = await copy(services, { ...by('cleo'), project: 'shop', id: 1 })
    expect([races.mock.calls.length, asked.length, changeRequest.minApprovals]).toEqual([1, 2, 2])
  })

  it('disable proposals', async () => {
    const { propose } = createFixture(recorded(false).options)
    expect((await rejection(propose('ann'))).details).toMatchObject([{ code: 'change-requests-disabled' }])
  })

  it('are the settings before the first change', async () => {
    const fixture = createFixture(recorded(false, 3).options)
    await set(fixture, { requiredApprovals: null })
    expect(await fixture.events()).toMatchObject([
      {
        preData: { changeRequestsEnabled: false, requiredApprovals: 3 },
        data: { changeRequestsEnabled: true, requiredApprovals: 3 },
      },
    ])
  })

  it.each([
    ['changeRequestsEnabled', 1, '1; it must be a boolean'],
    ['changeRequestsEnabled', undefined, 'undefined; it must be a boolean'],
    ['requiredApprovals', 0, '0; it must be a whole number from 1 to 10'],
    ['requiredApprovals', 1.5, '1.5; it must be a whole number from 1 to 10'],
    ['requiredApprovals', null, 'null; it must be a whole number from 1 to 10'],
  ])('%s that returns %p: an UnknownError whose cause names the option', async (option, value, text) => {
    const fixture = createFixture({ [option]: () => value })
    const error = await rejection(fixture.propose('ann'))
    expect([error.name, (error.cause as Error).message]).toEqual(['UnknownError', `${option} returned ${text}.`])
    expect(await fixture.stored()).toBeUndefined()
  })

  it('do not matter where settings are stored', async () => {
    const fixture = createFixture(recorded().options)
    await set(fixture)
    const fails = () => Promise.reject(new Error('down'))
    const options = { changeRequestsEnabled: fails, requiredApprovals: fails }
    const { propose, services } = createFixture({ ...options, storage: () => fixture.memory })
    expect((await propose('ann')).changeRequest.minApprovals).toBe(4)
    await set({ services } as Fixture, { requiredApprovals: 5 })
    expect((await settingsOf(services, 'shop', 'production')).requiredApprovals).toBe(5)
    const elsewhere = await rejection(propose('ann', undefined, { environment: 'testing' }))
    expect([elsewhere.name, elsewhere.message]).toEqual([
      'UnavailableError',
      'The request could not be checked (changeRequestsEnabled). Try again.',
    ])
  })
})
