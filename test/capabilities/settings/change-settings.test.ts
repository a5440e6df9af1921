import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import { parseSettings } from '../../../src/capabilities/settings/routes'
import { listSettings, settingsOf } from '../../../src/kernel/host/settings'
import { by, createFixture, type Fixture, losing, production, rejection } from '../../kernel/support/fixture'
import { expectRejected, labelled } from '../../validation/rejection'

const set = ({ services }: Fixture, more: object = {}) =>
  changeSettings(services, {
    ...by('dora'),
    ...production,
    changeRequestsEnabled: true,
    requiredApprovals: 2,
    ...more,
  })

const on = { changeRequestsEnabled: true, requiredApprovals: 1 }

describe('settingsOf', () => {
  it('returns the settings of the environment, else the default of the options', async () => {
    const fixture = createFixture({ changeRequestsEnabled: false, requiredApprovals: 3 })
    const defaults = { changeRequestsEnabled: false, requiredApprovals: 3 }
    expect(await settingsOf(fixture.services, 'shop', 'production')).toEqual(defaults)
    await set(fixture)
    expect(await settingsOf(fixture.services, 'shop', 'production')).toEqual({ ...on, requiredApprovals: 2 })
    expect(await settingsOf(fixture.services, 'shop', 'testing')).toEqual(defaults)
    expect(await settingsOf(fixture.services, 'blog', 'production')).toEqual(defaults)
  })
})

/** @see contract 3.2 */
describe('listSettings', () => {
  it('lists the environments of the host app, each with its settings or the default', async () => {
    const asked: string[] = []
    const fixture = createFixture({
      directory: {
        environments(project) {
          asked.push(project)
          return [
            { name: 'development', type: 'development' },
            { name: 'production', type: 'live' },
          ]
        },
      },
    })
    await set(fixture)
    expect(await listSettings(fixture.services, 'shop')).toEqual([
      { environment: 'development', type: 'development', ...on },
      { environment: 'production', type: 'live', ...on, requiredApprovals: 2 },
    ])
    expect(asked).toEqual(['shop'])
  })

  it('lists stored environments, if the host app does not list any', async () => {
    const fixture = createFixture()
    expect(await listSettings(fixture.services, 'shop')).toEqual([])
    await fixture.propose('ann', undefined, { environment: 'testing' })
    await set(fixture)
    expect(await listSettings(fixture.services, 'shop')).toEqual([
      { environment: 'production', type: 'production', ...on, requiredApprovals: 2 },
      { environment: 'testing', type: 'production', ...on },
    ])
  })
})

describe('changeSettings', () => {
  it('keeps the minimum of approvals if none is given', async () => {
    const fixture = createFixture({ requiredApprovals: 3 })
    await set(fixture, { changeRequestsEnabled: false, requiredApprovals: null })
    expect(await settingsOf(fixture.services, 'shop', 'production')).toEqual({
      changeRequestsEnabled: false,
      requiredApprovals: 3,
    })
    await set(fixture, { requiredApprovals: 5 })
    await set(fixture, { requiredApprovals: null })
    expect((await settingsOf(fixture.services, 'shop', 'production')).requiredApprovals).toBe(5)
  })

  it('has no event if nothing changes, and does not store the same settings again', async () => {
    let commits = 0
    const fixture = createFixture({
      storage: (memory) => ({
        ...memory,
        commitSettings(write) {
          commits += 1
          return memory.commitSettings(write)
        },
      }),
    })
    await set(fixture, { requiredApprovals: 1 })
    expect(commits).toBe(1)
    await set(fixture, { requiredApprovals: 1 })
    expect([commits, await fixture.eventTypes()]).toEqual([1, []])
    expect((await fixture.storage.findSettings(production))?.settings).toEqual(on)
  })

  it('compares with the newest settings when another process was faster', async () => {
    const other = createFixture()
    let raced = false
    const fixture = createFixture({
      storage: () => ({
        ...losing([], other.memory),
        async commitSettings(write) {
          if (raced) return other.memory.commitSettings(write)
          raced = true
          await set(other, { requiredApprovals: 7 })
          return false
        },
      }),
    })
    await set(fixture)
    expect((await fixture.events()).map(({ preData }) => preData.requiredApprovals)).toEqual([1, 7])
  })

  it('accepts only If-Match: *, since settings have no entity tag', async () => {
    const fixture = createFixture()
    expect(await rejection(set(fixture, { ifMatch: '"1-1"' }))).toMatchObject({
      name: 'PreconditionFailedError',
      message: 'Settings have no entity tag. Send If-Match: * or no If-Match.',
    })
    await set(fixture, { ifMatch: '*' })
    await set(fixture, { ifMatch: '"a", * ' })
  })
})

describe('the body of PUT .../change-requests/config', () => {
  it.each([
    [{ changeRequestsEnabled: true }, null],
    // As GET .../config returns it if change requests are disabled.
    [{ changeRequestsEnabled: true, requiredApprovals: null }, null],
    [{ changeRequestsEnabled: false, requiredApprovals: 0 }, 1],
    [{ changeRequestsEnabled: true, requiredApprovals: 10 }, 10],
    [{ changeRequestsEnabled: true, requiredApprovals: 2 ** 53 - 1, other: null }, 10],
  ])('is accepted: %j', (body, requiredApprovals) => {
    expect(parseSettings(body)).toEqual({ changeRequestsEnabled: body.changeRequestsEnabled, requiredApprovals })
  })

  it.each(
    labelled([
      [{ changeRequestEnabled: true }, '/body/changeRequestsEnabled', 'is required and missing'],
      [{ changeRequestsEnabled: 'true' }, '/body/changeRequestsEnabled', 'must be boolean, got "true"'],
      [{ changeRequestsEnabled: true, requiredApprovals: 1.5 }, '/body/requiredApprovals', 'integer or null, got 1.5'],
      [{ changeRequestsEnabled: true, requiredApprovals: -1 }, '/body/requiredApprovals', 'must be at least 0'],
      [{ changeRequestsEnabled: true, requiredApprovals: 2 ** 53 }, '/body/requiredApprovals', 'must be at most'],
    ]),
  )('is rejected: %s', (_, body, path, message) => {
    expectRejected(parseSettings, body, path, message)
  })
})
