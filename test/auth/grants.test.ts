import { grantsAllow, grantsAllowWithWarnings } from '../../src/auth/grants'
import type { Grant, Permission } from '../../src/ports/access'

const everywhere = { instance: {}, project: { project: 'shop' }, here: { project: 'shop', environment: 'production' } }
const elsewhere = { project: { project: 'blog' }, here: { project: 'shop', environment: 'development' } }

const allows = (grant: object, permission: Permission, scope: object) =>
  grantsAllow({ id: 1, grants: [grant as { permission: string }] }, permission, scope)

describe('the built-in authorizer', () => {
  it('denies what no grant allows', () => {
    for (const scope of Object.values(everywhere)) {
      expect(grantsAllow({ id: 1, grants: [] }, 'READ_EVENTS', scope)).toBe(false)
      expect(grantsAllow({ id: 1 }, 'READ_EVENTS', scope)).toBe(false)
      expect(allows({ permission: 'read_events' }, 'READ_EVENTS', scope)).toBe(false)
      expect(allows({ permission: 'toString' }, 'READ_EVENTS', scope)).toBe(false)
    }
  })

  it('a grant without a project applies to the instance and everything in it', () => {
    for (const scope of [...Object.values(everywhere), ...Object.values(elsewhere)]) {
      expect(allows({ permission: 'READ_EVENTS' }, 'READ_EVENTS', scope)).toBe(true)
    }
  })

  it('a grant for a project applies to it and its environments, not to the instance', () => {
    const grant = { permission: 'CREATE_CHANGE_REQUEST', project: 'shop' }
    const scopes = [everywhere.project, everywhere.here, elsewhere.here, everywhere.instance, elsewhere.project]
    expect(scopes.map((scope) => allows(grant, 'CREATE_CHANGE_REQUEST', scope))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  it('a grant for an environment applies to it, and to the whole project only for reading', () => {
    const scopes = [everywhere.here, everywhere.project, elsewhere.here, elsewhere.project, everywhere.instance]
    const answers = (granted: string, asked: Permission) =>
      scopes.map((scope) => allows({ permission: granted, project: 'shop', environment: 'production' }, asked, scope))
    expect(answers('CREATE_CHANGE_REQUEST', 'CREATE_CHANGE_REQUEST')).toEqual([true, false, false, false, false])
    expect(answers('CREATE_CHANGE_REQUEST', 'READ_CHANGE_REQUEST')).toEqual([true, true, false, false, false])
    expect(answers('READ_EVENTS', 'READ_EVENTS')).toEqual([true, false, false, false, false])
    expect(answers('ADMIN', 'READ_EVENTS')).toEqual([true, false, false, false, false])
  })

  it('one sufficient grant is enough, anywhere in the list', () => {
    const grants = [
      { permission: 'READ_EVENTS', project: 'blog' },
      { permission: 'READ_EVENTS', project: 'shop' },
    ]
    expect(grantsAllow({ id: 1, grants }, 'READ_EVENTS', everywhere.project)).toBe(true)
    const halves = [
      { permission: 'READ_EVENTS', project: 'blog' },
      { permission: 'ADMIN', project: 'other' },
    ]
    expect(grantsAllow({ id: 1, grants: halves }, 'READ_EVENTS', everywhere.project)).toBe(false)
  })

  /** Row: the grant. Column: the requested permission. */
  const implications = `
                                 | READ | CREATE | APPROVE | APPLY | SKIP | SETTINGS_READ | SETTINGS_WRITE | EVENTS | ADMIN
    ADMIN                        | yes  | yes    | yes     | yes   | yes  | yes           | yes            | yes    | yes
    READ_CHANGE_REQUEST          | yes  | -      | -       | -     | -    | -             | -              | -      | -
    CREATE_CHANGE_REQUEST        | yes  | yes    | -       | -     | -    | -             | -              | -      | -
    APPROVE_CHANGE_REQUEST       | yes  | -      | yes     | -     | -    | -             | -              | -      | -
    APPLY_CHANGE_REQUEST         | yes  | -      | -       | yes   | -    | -             | -              | -      | -
    SKIP_CHANGE_REQUEST          | -    | -      | -       | -     | yes  | -             | -              | -      | -
    PROJECT_CHANGE_REQUEST_READ  | -    | -      | -       | -     | -    | yes           | -              | -      | -
    PROJECT_CHANGE_REQUEST_WRITE | -    | -      | -       | -     | -    | yes           | yes            | -      | -
    UPDATE_PROJECT               | -    | -      | -       | -     | -    | yes           | yes            | -      | -
    READ_EVENTS                  | -    | -      | -       | -     | -    | -             | -              | yes    | -
  `
  const asked: readonly Permission[] = [
    'READ_CHANGE_REQUEST',
    'CREATE_CHANGE_REQUEST',
    'APPROVE_CHANGE_REQUEST',
    'APPLY_CHANGE_REQUEST',
    'SKIP_CHANGE_REQUEST',
    'PROJECT_CHANGE_REQUEST_READ',
    'PROJECT_CHANGE_REQUEST_WRITE',
    'READ_EVENTS',
    'ADMIN',
  ]
  const rows = implications
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('|').map((cell) => cell.trim()))

  it.each(rows.map(([granted = '', ...cells]) => ({ granted, cells })))('$granted implies', ({ granted, cells }) => {
    const answers = asked.map((permission) => allows({ permission: granted }, permission, everywhere.here))
    expect(answers.map((answer) => (answer ? 'yes' : '-'))).toEqual(cells)
  })
})

describe('a grant whose permission is almost a known one', () => {
  it.each([
    ['approve_change_request', 'APPROVE_CHANGE_REQUEST'],
    ['APPROVE CHANGE REQUEST', 'APPROVE_CHANGE_REQUEST'],
    ['approve-change-request ', 'APPROVE_CHANGE_REQUEST'],
    ['admin', 'ADMIN'],
    ['UpdateProject', 'UPDATE_PROJECT'],
    ['APROVE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST'],
    ['APPROVE_CHANGE_REQUESTS', 'APPROVE_CHANGE_REQUEST'],
    ['SKIP_CHANGE_REQEUST', 'SKIP_CHANGE_REQUEST'],
    ['READ_EVENT', 'READ_EVENTS'],
    ['ADMIN', undefined],
    ['DELETE_CHANGE_REQUEST', undefined],
    ['', undefined],
  ])('%j: a warning names %s, and nothing is granted', (permission, meant) => {
    const warnings: string[] = []
    const authorize = grantsAllowWithWarnings((message) => void warnings.push(message))
    const allowed = authorize({ id: 1, grants: [{ permission }] }, 'APPROVE_CHANGE_REQUEST', { project: 'shop' })
    expect(allowed).toBe(permission === 'ADMIN')
    const warning = `A grant has the permission "${permission}", which has no effect. Write "${meant}": see docs/permissions.md.`
    expect(warnings).toEqual(meant === undefined ? [] : [warning])
  })

  it.each([
    [{ enviroment: 'production' }, 'environment'],
    [{ Project: 'shop' }, 'project'],
    [{ projects: ['shop'] }, 'project'],
    [{ project: 'shop', projects: 2, id: 7, role: 'admin' }, undefined],
  ])('a grant with %j, which would be for everything: a warning names %s', (more, meant) => {
    const warnings: string[] = []
    const authorize = grantsAllowWithWarnings((message) => void warnings.push(message))
    void authorize({ id: 1, grants: [{ permission: 'ADMIN', ...more } as Grant] }, 'READ_EVENTS', {})
    const [name] = Object.keys(more)
    const warning = `A grant has the property "${name}", which has no effect. Write "${meant}": see docs/permissions.md.`
    expect(warnings).toEqual(meant === undefined ? [] : [warning])
  })
})
