import type { Permission, Scope } from '../../../src'
import { listEventCreators } from '../../../src/capabilities/log/event-creators'
import { visibleProjects } from '../../../src/kernel/events/event-visibility'
import { recordEvents } from '../../../src/kernel/events/record-events'
import { actors, createWorld, enable, rejection, type WorldOptions } from '../../kernel/support/world'

async function open(options: WorldOptions = {}) {
  const world = createWorld(options)
  for (const project of ['shop', 'blog', 'wiki']) await world.propose('ann', [enable()], { project })
  return world
}

const only =
  (...projects: (string | undefined)[]) =>
  (_: unknown, permission: Permission, { project }: Scope) =>
    permission === 'READ_EVENTS' && projects.includes(project)

/** @see contract 9.4 */
describe('visibleProjects', () => {
  it('is everything, or all named projects, with the permission for the instance', async () => {
    const { services, host } = await open()
    host.asked.length = 0
    expect(await visibleProjects(services, actors.ann)).toBeUndefined()
    expect(await visibleProjects(services, actors.ann, ['shop', 'none'])).toEqual(['shop', 'none'])
    expect(host.asked).toEqual(Array(2).fill({ who: 1, permission: 'READ_EVENTS', scope: {} }))
  })

  it('is of all projects those that may be read, which may be none', async () => {
    const { services, host } = await open()
    host.allows = only('shop', 'wiki')
    expect(await visibleProjects(services, actors.ann)).toEqual(['shop', 'wiki'])
    host.allows = only()
    expect(await visibleProjects(services, actors.ann)).toEqual([])
  })

  it('is of those that are named those that may be read, and 403 for none of them', async () => {
    const { services, host } = await open()
    host.allows = only('shop')
    expect(await visibleProjects(services, actors.ann, ['blog', 'shop'])).toEqual(['shop'])
    expect(await rejection(visibleProjects(services, actors.ann, ['blog', 'wiki']))).toMatchObject({
      name: 'PermissionError',
      message: 'You need the permission READ_EVENTS in one of the projects.',
      permissions: ['READ_EVENTS'],
    })
    expect(await visibleProjects(services, actors.ann, [])).toEqual([])
  })
})

/** @see contract 9.5 */
describe('listEventCreators', () => {
  const record = async ({ services, storage }: Awaited<ReturnType<typeof open>>, id: number, createdBy?: string) =>
    recordEvents(
      services,
      [
        {
          type: 'feature-created',
          project: 'shop',
          createdByUserId: id,
          ...(createdBy === undefined ? {} : { createdBy }),
        },
      ],
      storage,
    )

  it('names who has written by the user directory, else as their newest event does, and the built-in ones', async () => {
    const asked: unknown[] = []
    const users = {
      find(ids: readonly number[]) {
        asked.push(ids)
        return [
          { id: 1, name: 'Ann Lee' },
          { id: 5, name: ' ', username: 'five', email: 'five@example.com' },
          { id: 6, email: 'six@example.com' },
          { id: 7, username: 'seven', email: 'seven@example.com' },
        ]
      },
      reviewers: () => [],
    }
    const world = await open({ users })
    await record(world, -1337, 'somebody')
    await record(world, -42, 'somebody')
    await record(world, 5, 'the fifth')
    await record(world, 6, ' ')
    await record(world, 7, ' ')
    await record(world, 8, ' ')
    expect(await listEventCreators(world.services, actors.ann)).toEqual([
      { id: -1337, name: 'unleash_system_user' },
      { id: -42, name: 'unleash_admin_token' },
      { id: 1, name: 'Ann Lee' },
      { id: 5, name: 'the fifth' },
      { id: 6, name: 'six@example.com' },
      { id: 7, name: 'seven' },
      { id: 8, name: 'unknown' },
    ])
    expect(asked).toEqual([[1, 5, 6, 7, 8]])
  })

  it('names only those whose events the caller may read', async () => {
    const world = await open()
    await world.propose('ben', [enable()], { project: 'blog' })
    world.host.allows = only('blog')
    expect(await listEventCreators(world.services, actors.ann)).toEqual([
      { id: 1, name: 'ann@example.com' },
      { id: 2, name: 'ben@example.com' },
    ])
    world.host.allows = only('shop')
    expect(await listEventCreators(world.services, actors.ann)).toEqual([{ id: 1, name: 'ann@example.com' }])
  })

  it('does not look up id 0 and below', async () => {
    const asked: unknown[] = []
    const find = (ids: readonly number[]) => {
      asked.push(ids)
      return []
    }
    const world = createWorld({ users: { find, reviewers: () => [] } })
    await recordEvents(world.services, [{ type: 'feature-created', createdByUserId: 0 }], world.storage)
    expect(await listEventCreators(world.services, actors.ann)).toEqual([{ id: 0, name: 'unknown' }])
    expect(asked).toEqual([])
  })
})
