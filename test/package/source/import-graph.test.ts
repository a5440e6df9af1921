import { posix } from 'node:path'
import { type Files, fileOf, files, importsOf } from '../support/source-files'

interface Wall {
  readonly rooms: readonly string[]
  readonly packages?: readonly string[]
}

/** What every capability may import. Arrows between capabilities are listed in `arrows`. */
const capability: Wall = {
  rooms: [
    'kernel',
    'http',
    'validation',
    'domain',
    'ports',
    'options',
    'check-options',
    'errors',
    'generated',
    'pause',
  ],
  packages: ['node:crypto', 'node:util'],
}

/** The allowed imports. A room is a folder of `src`; capabilities, storages and the two halves of the page are rooms of their own. */
const walls: Readonly<Record<string, Wall>> = {
  index: {
    rooms: [
      'check-node',
      'router',
      'options',
      'gate',
      'capabilities/schedule',
      'errors',
      'auth',
      'domain',
      'ports',
      'ledger',
      'openapi',
      'storage/memory',
      'unleash-rules',
      'generated',
      'verify',
    ],
  },
  errors: { rooms: ['generated'] },
  openapi: { rooms: ['check-options', 'domain'], packages: ['#openapi.json'] },
  'check-node': { rooms: [], packages: ['node:process'] },
  'check-options': { rooms: [] },
  pause: { rooms: [] },
  router: {
    rooms: [
      'auth',
      'capabilities/*',
      'check-options',
      'gate',
      'generated',
      'http',
      'kernel',
      'openapi',
      'options',
      'ports',
      'telemetry',
      'validation',
    ],
    packages: ['express'],
  },
  kernel: {
    rooms: ['domain', 'ports', 'options', 'check-options', 'errors', 'generated', 'pause'],
    packages: ['fresh', 'node:async_hooks', 'node:crypto', 'node:util'],
  },
  http: {
    rooms: ['kernel', 'validation', 'ports', 'domain', 'errors', 'generated'],
    packages: ['express', 'node:crypto', 'node:http', 'node:timers/promises'],
  },
  validation: {
    rooms: ['kernel', 'domain', 'errors', 'generated'],
    packages: ['ajv/*', 'ajv-formats/*', '#schemas/*'],
  },
  gate: {
    rooms: [
      'kernel',
      'http',
      'validation',
      'capabilities/proposals',
      'ports',
      'domain',
      'options',
      'check-options',
      'errors',
      'generated',
    ],
    packages: ['express', 'node:async_hooks'],
  },
  cli: {
    rooms: ['check-node', 'cli/api', 'cli/database', 'cli/demo'],
    packages: [
      'node:events',
      'node:fs',
      'node:path',
      'node:stream/consumers',
      'express-change-requests/package.json',
      'node:util',
    ],
  },
  // These commands need no database and no Express.
  'cli/api': {
    rooms: [
      'cli',
      'client',
      'domain/lifecycle.ts',
      'domain/events/replay.ts',
      'generated',
      'kernel/log/csv-row.ts',
      'kernel/log/event-bytes.ts',
      'ledger',
      'ports/event-ledger.ts',
    ],
    packages: [
      'express-change-requests/package.json',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:path',
      'node:util',
    ],
  },
  'cli/database': {
    rooms: ['cli', 'kernel', 'ledger', 'storage/handles', 'storage/sql', 'ports', 'validation', 'verify'],
    packages: ['better-sqlite3', 'pg', 'node:fs', 'node:os', 'node:process'],
  },
  'cli/demo': {
    rooms: ['auth', 'cli', 'router', 'page', 'storage/memory', 'client', 'ports', 'errors', 'unleash-rules'],
    packages: ['#people.json', 'express', 'node:crypto', 'node:events', 'node:http', 'node:net'],
  },
  ledger: {
    rooms: ['kernel/log/*', 'ports'],
    packages: ['node:crypto', 'node:fs'],
  },
  verify: {
    rooms: ['kernel', 'domain', 'ports', 'ledger', 'check-options', 'generated'],
    packages: ['node:crypto', 'node:timers/promises', 'node:util'],
  },
  storage: { rooms: ['ports', 'kernel/log/event-bytes.ts'] },
  'storage/memory': { rooms: ['storage', 'ports', 'domain'], packages: ['node:crypto'] },
  // The SQL knows no library of the host app.
  'storage/sql': {
    rooms: ['storage', 'ports', 'domain', 'check-options', 'errors', 'pause'],
    packages: ['node:crypto', 'node:timers/promises'],
  },
  // The flags of a host app that has only a table for them.
  'storage/flags': {
    // Plain flags share one rule with `unleashRules()`.
    rooms: ['storage/sql', 'ports', 'domain', 'check-options', 'errors', 'generated', 'unleash-rules/values.ts'],
    packages: ['node:crypto'],
  },
  'storage/knex': {
    rooms: ['storage', 'storage/sql', 'storage/flags', 'ports', 'check-node', 'check-options'],
    packages: ['knex'],
  },
  'storage/handles': { rooms: ['storage', 'storage/sql', 'storage/flags', 'ports', 'check-node', 'check-options'] },
  ports: { rooms: ['domain', 'errors', 'generated'] },
  'ports/access.ts': { rooms: [], packages: ['express'] },
  'ports/storage/events.ts': { rooms: ['domain'], packages: ['node:crypto'] },
  // The package is loaded only for the option `telemetry`.
  telemetry: { rooms: ['ports', 'options'], packages: ['@opentelemetry/api'] },
  options: { rooms: ['ports', 'domain', 'auth', 'check-options', 'errors'], packages: ['node:util'] },
  auth: { rooms: ['ports', 'check-options', 'errors'], packages: ['node:crypto'] },
  'unleash-rules': {
    rooms: ['ports', 'domain/content/percentage.ts', 'errors', 'generated'],
    packages: ['node:net'],
  },
  client: { rooms: ['generated'] },
  webhooks: {
    rooms: ['ports', 'check-node', 'check-options', 'generated'],
    packages: ['node:crypto', 'node:http', 'node:https', 'node:net', 'node:util'],
  },
  testing: {
    rooms: ['ports', 'domain', 'check-node', 'check-options', 'errors', 'generated'],
    packages: ['node:assert/strict', 'node:test'],
  },
  page: { rooms: ['check-node', 'page/serve', 'ports'], packages: ['express', 'node:path'] },
  'page/serve': {
    rooms: ['page', 'ports', 'check-options'],
    packages: ['express', 'fresh', 'node:crypto', 'node:fs', 'node:path'],
  },
  'page/app': {
    rooms: [
      'page',
      'client',
      'generated',
      'domain/events/vocabulary.ts',
      'domain/lifecycle.ts',
      'domain/diff/fields.ts',
      'domain/diff/canonical.ts',
      'domain/content/percentage.ts',
      'domain/content/reach.ts',
      'domain/content/strategy-kinds.ts',
      'domain/content/name-pattern.ts',
      'domain/content/json-pointer.ts',
      'domain/content/operators.ts',
      'domain/content/title.ts',
    ],
    packages: ['@tanstack/query-core', '@tanstack/virtual-core', 'diff/*', 'preact', 'preact/*'],
  },
  domain: { rooms: ['errors', 'generated'] },
  generated: { rooms: [], packages: ['#schemas/*'] },
}

/**
 * The rooms inside a folder, and what each may import of the others: every arrow, and none back. A file at the top of the folder
 * is a room of its own.
 */
const innerWalls: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  kernel: {
    digest: [],
    etag: [],
    'change-request-paths': [],
    'host-services': [],
    host: ['digest', 'host-services'],
    log: ['host-services'],
    writer: ['digest', 'host', 'log'],
    facts: ['digest', 'host', 'host-services', 'log'],
    view: ['host', 'host-services'],
    services: ['host', 'host-services', 'log', 'writer'],
    step: ['change-request-paths', 'digest', 'etag', 'facts', 'host', 'host-services', 'log', 'services', 'writer'],
  },
  'storage/sql': {
    database: [],
    queries: ['database'],
    events: ['database'],
    migrations: ['database'],
    postgres: ['database', 'events', 'migrations', 'queries'],
    sqlite: ['database', 'events', 'migrations', 'queries'],
    storage: ['database', 'postgres'],
    'migration-sql': ['database', 'migrations', 'postgres'],
    'open-storage': ['migrations', 'postgres', 'sqlite', 'storage'],
  },
  'page/app': {
    words: [],
    'read-config': [],
    core: ['read-config', 'words'],
    parts: ['core', 'words'],
    reviews: ['core', 'words'],
    'screens/keys': ['core', 'parts'],
    'screens/unknown': ['core', 'parts'],
    'screens/sign-in': ['core', 'parts'],
    'screens/inbox': ['core', 'parts', 'reviews', 'words'],
    'screens/schedule': ['core', 'parts', 'reviews', 'words'],
    'screens/log': ['core', 'parts', 'reviews', 'words'],
    'screens/settings': ['core', 'parts', 'reviews', 'words'],
    'screens/authoring': ['core', 'parts', 'reviews', 'words'],
    'screens/now': ['core', 'parts', 'reviews', 'words'],
    'screens/flag': ['core', 'parts', 'reviews', 'screens/authoring', 'screens/now', 'words'],
    'screens/segment': ['core', 'parts', 'screens/authoring', 'screens/flag', 'words'],
    'screens/change': ['core', 'parts', 'screens/authoring', 'screens/flag', 'screens/segment', 'words'],
    'screens/new': ['core', 'parts', 'reviews'],
    'screens/request': ['core', 'parts', 'reviews', 'screens/change', 'screens/now', 'words'],
    screens: [
      'core',
      'parts',
      'screens/flag',
      'screens/inbox',
      'screens/log',
      'screens/new',
      'screens/request',
      'screens/schedule',
      'screens/segment',
      'screens/settings',
      'screens/sign-in',
      'screens/unknown',
    ],
    frame: ['core', 'parts', 'reviews', 'screens', 'screens/keys', 'words'],
    app: ['core', 'frame', 'parts', 'screens'],
    main: ['app'],
  },
}

/** The arrows between capabilities: at most 12, and none back. */
const arrows: readonly string[] = [
  ...['authoring -> proposals', 'state -> apply', 'state -> schedule', 'schedule -> apply'],
]

const roomOf = (path: string): string => {
  const folders = path.split('/').slice(0, -1)
  if (folders.length === 0) return path.replace(/\.ts$/, '')
  const [top = '', inner] = folders
  return inner !== undefined && ['capabilities', 'cli', 'storage', 'page'].includes(top) ? `${top}/${inner}` : top
}

const covers = (allowed: string, name: string) =>
  name === allowed || (allowed.endsWith('/*') && name.startsWith(allowed.slice(0, -1)))

/** Every import that goes through a wall, as `file -> import`. */
function violations(all: Files): string[] {
  return [...all].flatMap(([path, text]) => {
    const room = roomOf(path)
    const wall = walls[room] ?? (room.startsWith('capabilities/') ? capability : { rooms: [] })
    const packages = [...(wall.packages ?? []), ...(walls[path]?.packages ?? [])]
    return importsOf(text).flatMap((specifier) => {
      if (!specifier.startsWith('.')) {
        return packages.some((one) => covers(one, specifier)) ? [] : [`${path} -> ${specifier}`]
      }
      const target = fileOf(path, specifier, all)
      const other = roomOf(target)
      const isOpen =
        other === room ||
        /\.css$/.test(target) ||
        wall.rooms.some((one) => one === other || covers(one, target)) ||
        arrows.includes(`${room} -> ${other}`.replaceAll('capabilities/', ''))
      return isOpen ? [] : [`${path} -> ${target}`]
    })
  })
}

/** The arrows between the folders of `domain` that are part of a cycle, also where two folders import each other. */
function cyclesInDomain(all: Files): string[] {
  const folderOf = (path: string) => posix.dirname(path)
  const targets = new Map<string, Set<string>>()
  for (const [path, text] of all) {
    const folder = folderOf(path)
    if (roomOf(path) !== 'domain') continue
    const imported = importsOf(text).map((specifier) => folderOf(fileOf(path, specifier, all)))
    const others = imported.filter((other) => other !== folder && /^domain(?:\/|$)/.test(other))
    targets.set(folder, new Set([...(targets.get(folder) ?? []), ...others]))
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(targets.get(from) ?? [])].some((next) => {
      if (next === to) return true
      if (seen.has(next)) return false
      return reaches(next, to, seen.add(next))
    })
  const arrows = [...targets].flatMap(([from, others]) => [...others].map((to) => [from, to] as const))
  return arrows.filter(([from, to]) => reaches(to, from)).map((arrow) => arrow.join(' -> '))
}

/** The folder with inner rooms that a file is in, and its room there. */
function innerRoomOf(path: string): readonly [folder: string, room: string] | undefined {
  const folder = Object.keys(innerWalls).find((one) => path.startsWith(`${one}/`))
  if (folder === undefined) return undefined
  const parts = path.slice(folder.length + 1).split('/')
  const depth = parts[0] === 'screens' && parts.length > 1 && !parts[1]?.startsWith('index.ts') ? 2 : 1
  return [
    folder,
    parts
      .slice(0, depth)
      .join('/')
      .replace(/\.tsx?$/, ''),
  ]
}

/** Every import between two rooms of one folder, as `room -> room` with the file. */
function innerArrows(all: Files): { readonly folder: string; readonly arrow: string; readonly path: string }[] {
  return [...all].flatMap(([path, text]) => {
    const [folder, room] = innerRoomOf(path) ?? []
    if (folder === undefined) return []
    return importsOf(text)
      .filter((specifier) => specifier.startsWith('.') && !/\.css$/.test(specifier))
      .flatMap((specifier) => {
        const [otherFolder, other] = innerRoomOf(fileOf(path, specifier, all)) ?? []
        return otherFolder === folder && other !== room ? [{ folder, arrow: `${room} -> ${other}`, path }] : []
      })
  })
}

/** The imports that go through a wall inside a folder. */
function innerViolations(all: Files): string[] {
  return innerArrows(all).flatMap(({ folder, arrow, path }) => {
    const [room = '', other = ''] = arrow.split(' -> ')
    return innerWalls[folder]?.[room]?.includes(other) === true ? [] : [`${path}: ${arrow}`]
  })
}

/** The files that import each other in a circle; imports of types count. */
function circlesIn(all: Files): string[][] {
  const targets = new Map(
    [...all].map(([path, text]) => {
      const own = importsOf(text).filter((specifier) => specifier.startsWith('.'))
      return [path, own.map((specifier) => fileOf(path, specifier, all)).filter((target) => all.has(target))] as const
    }),
  )
  const done = new Set<string>()
  const found: string[][] = []
  const visit = (path: string, above: readonly string[]): void => {
    const start = above.indexOf(path)
    if (start !== -1) found.push([...above.slice(start), path])
    if (start !== -1 || done.has(path)) return
    for (const target of targets.get(path) ?? []) visit(target, [...above, path])
    done.add(path)
  }
  for (const path of targets.keys()) visit(path, [])
  return found
}

const plant = (path: string, ...specifiers: readonly string[]): Files =>
  new Map([...files, [path, specifiers.map((one) => `import type * as planted from '${one}'\n`).join('')]])

describe('the import graph of src', () => {
  it('has no forbidden import', () => {
    expect(files.size).toBeGreaterThan(200)
    expect(violations(files)).toEqual([])
  })

  it('has at most 12 dependencies between capabilities, all of them used, and none in both directions', () => {
    expect(arrows.length).toBeLessThanOrEqual(12)
    const found = [...files].flatMap(([path, text]) =>
      importsOf(text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => `${roomOf(path)} -> ${roomOf(fileOf(path, specifier, files))}`),
    )
    for (const arrow of arrows) {
      const [from, to] = arrow.split(' -> ')
      expect(found).toContain(`capabilities/${from} -> capabilities/${to}`)
      expect(arrows).not.toContain(`${to} -> ${from}`)
    }
  })

  it.each([
    ['domain/planted.ts', '../ports/flags', '../router', '..', 'express', 'node:crypto'],
    ['capabilities/apply/planted.ts', '../schedule/schedule', '../../storage/memory', 'express', 'knex'],
    ['page/app/planted.ts', '../../domain/changes', '../serve/document', '../../router', 'node:fs'],
    ['planted.ts', './router', './domain/changes', 'knex'],
  ])('detects every forbidden import of %s', (path, ...specifiers) => {
    const all = plant(path, ...specifiers)
    const found = violations(all).filter((one) => one.startsWith(`${path} -> `))
    expect(found).toEqual(specifiers.map((one) => `${path} -> ${one.startsWith('.') ? fileOf(path, one, all) : one}`))
  })

  it('has the walls inside kernel, storage/sql and page/app, with every arrow that they allow', () => {
    expect(innerViolations(files)).toEqual([])
    const found = new Set(innerArrows(files).map(({ folder, arrow }) => `${folder}: ${arrow}`))
    const allowed = Object.entries(innerWalls).flatMap(([folder, rooms]) =>
      Object.entries(rooms).flatMap(([room, others]) => others.map((other) => `${folder}: ${room} -> ${other}`)),
    )
    expect([...found].toSorted()).toEqual(allowed.toSorted())
    expect(Object.keys(innerWalls.kernel ?? {}).length).toBeLessThanOrEqual(12)
    expect(Object.values(innerWalls.kernel ?? {}).flat().length).toBeLessThanOrEqual(25)
  })

  it('has no circle of files, also not of types', () => {
    expect(circlesIn(files)).toEqual([])
  })

  it('has no cycle of folders within the domain', () => {
    expect(cyclesInDomain(files)).toEqual([])
  })

  it('detects dynamic imports and re-exports', () => {
    const texts = ["export * from '../router'\n", "const a = import('../router')\n", "export { a } from '../router'\n"]
    for (const text of texts) {
      expect(violations(new Map([...files, ['domain/planted.ts', text]]))).toContain(
        'domain/planted.ts -> router/index.ts',
      )
    }
  })
})
