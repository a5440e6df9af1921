import { createPermissionCheck, hasPermission, requirePermission } from '../../src/kernel/host/permissions'
import { actors, createFixture, rejection } from './support/fixture'

const shop = { project: 'shop', environment: 'production' }

describe('hasPermission', () => {
  it('calls authorize with the environment for writing, and only with the project for reading', async () => {
    const { services, host } = createFixture()
    expect(await hasPermission(services, actors.ann, 'APPLY_CHANGE_REQUEST', shop)).toBe(true)
    expect(await hasPermission(services, actors.ann, 'READ_CHANGE_REQUEST', shop)).toBe(true)
    expect(await hasPermission(services, actors.ann, 'ADMIN', {})).toBe(false)
    expect(host.asked).toEqual([
      { who: 1, permission: 'APPLY_CHANGE_REQUEST', scope: shop },
      { who: 1, permission: 'READ_CHANGE_REQUEST', scope: { project: 'shop' } },
      { who: 1, permission: 'ADMIN', scope: {} },
    ])
  })

  it.each([['yes'], [1], [{}], [undefined]])('treats %p as false, and warns once', async (answer) => {
    const { services, host, lines } = createFixture()
    host.allows = () => answer as never
    expect(await hasPermission(services, actors.ann, 'ADMIN', {})).toBe(false)
    expect(await hasPermission(services, actors.ann, 'ADMIN', {})).toBe(false)
    expect(lines).toEqual([
      {
        level: 'warn',
        facts: { hook: 'authorize' },
        text: expect.stringMatching(/^authorize returned .+; it must be/),
      },
    ])
  })
})

describe('requirePermission', () => {
  it.each([
    ['APPLY_CHANGE_REQUEST', shop, 'APPLY_CHANGE_REQUEST in project shop and environment production'],
    ['READ_CHANGE_REQUEST', shop, 'READ_CHANGE_REQUEST in project shop'],
    ['READ_EVENTS', {}, 'READ_EVENTS'],
    ['READ_EVENTS', { project: 'x'.repeat(200) }, `READ_EVENTS in project ${'x'.repeat(100)}`],
  ] as const)('names %s and where it is missing', async (permission, scope, named) => {
    const { services, host } = createFixture()
    host.allows = () => false
    expect(
      await rejection(requirePermission(createPermissionCheck(services, actors.ann), permission, scope)),
    ).toMatchObject({
      name: 'PermissionError',
      message: `You need the permission ${named}.`,
      permissions: [permission],
    })
  })
})

describe('createPermissionCheck', () => {
  it('calls authorize once per permission and environment, and for reading once per project', async () => {
    const { services, host } = createFixture()
    const asked: unknown[] = []
    host.allows = (_actor, permission) => {
      asked.push(permission)
      return true
    }
    const holdsThere = createPermissionCheck(services, actors.ann)
    for (const permission of ['APPLY_CHANGE_REQUEST', 'READ_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'] as const) {
      await holdsThere(permission, shop)
    }
    await holdsThere('READ_CHANGE_REQUEST', { project: 'shop' })
    await holdsThere('APPLY_CHANGE_REQUEST', { project: 'shop', environment: 'staging' })
    expect(asked).toEqual(['APPLY_CHANGE_REQUEST', 'READ_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'])
  })
})
