import type { Permission, Scope } from '../../../src'
import { listEventCreators } from '../../../src/capabilities/log/event-creators'
import { recordEvents } from '../../../src/kernel/log/record-events'
import { visibleProjects } from '../../../src/kernel/view/event-visibility'
import { actors, createFixture, enable, type FixtureOptions, rejection } from '../../kernel/support/fixture'

async function open(options: FixtureOptions = {}) {
  const fixture = createFixture(options)
  for (const project of ['shop', 'blog', 'wiki']) await fixture.propose('ann', [enable()], { project })
  return fixture
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

  it('contains the readable ones of all projects, possibly none', async () => {
    const { services, host } = await open()
    host.allows = only('shop', 'wiki')
    expect(await visibleProjects(services, actors.ann)).toEqual(['shop', 'wiki'])
    host.allows = only()
    expect(await visibleProjects(services, actors.ann)).toEqual([])
  })

  it('contains the readable ones of the named projects, and is 403 for none', async () => {
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

  it('names creators by the user directory, else by their newest event, and built-in ones', async () => {
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
    const fixture = await open({ users })
    await record(fixture, -1337, 'someone')
    await record(fixture, -42, 'someone')
    await record(fixture, 5, 'the fifth')
    await record(fixture, 6, ' ')
    await record(fixture, 7, ' ')
    await record(fixture, 8, ' ')
    expect(await listEventCreators(fixture.services, actors.ann)).toEqual([
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

  it('names only creators of events that the caller can read', async () => {
    const fixture = await open()
    await fixture.propose('ben', [enable()], { project: 'blog' })
    fixture.host.allows = only('blog')
    expect(await listEventCreators(fixture.services, actors.ann)).toEqual([
      { id: 1, name: 'ann@example.com' },
      { id: 2, name: 'ben@example.com' },
    ])
    fixture.host.allows = only('shop')
    expect(await listEventCreators(fixture.services, actors.ann)).toEqual([{ id: 1, name: 'ann@example.com' }])
  })

  it('does not look up id 0 and below', async () => {
    const asked: unknown[] = []
    const find = (ids: readonly number[]) => {
      asked.push(ids)
      return []
    }
    const fixture = createFixture({ users: { find, reviewers: () => [] } })
    await recordEvents(fixture.services, [{ type: 'feature-created', createdByUserId: 0 }], fixture.storage)
    expect(await listEventCreators(fixture.services, actors.ann)).toEqual([{ id: 0, name: 'unknown' }])
    expect(asked).toEqual([])
  })
})
