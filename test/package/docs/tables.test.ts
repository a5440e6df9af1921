import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { codeTable } from '../../../src/domain/steps/codes'
import { ChangeRequestError, type ErrorName, errorStatuses } from '../../../src/errors'
import { apiKeys, createChangeRequestRouter, memoryStorage } from '../../../src/index'
import { resolveOptions } from '../../../src/options/resolve-options'
import { entryFile, entryNames, exportsOf } from '../support/declarations'
import { root } from '../support/folders'
import { plain, quoted, readText, table } from '../support/markdown'

const reference = readText('docs/reference.md')
const manifest = JSON.parse(readText('package.json')) as { exports: object; scripts: object }
interface Operation {
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses?: Readonly<Record<string, { readonly content?: object }>>
}

const openapi = JSON.parse(readText('openapi.json')) as { paths: Record<string, Record<string, Operation>> }
const required = { storage: memoryStorage(), authenticate: () => null }
const { limits } = resolveOptions(required)

/** All permissions that `apiKeys` accepts in a grant. */
const permissions = (() => {
  try {
    apiKeys([{ key: 'user:4f1c', user: { id: 1 }, grants: [{ permission: 'NONE' }] }])
  } catch (error) {
    return /one of ([A-Z_, ]+)/.exec((error as Error).message)?.[1]?.split(', ') ?? []
  }
  return []
})()

/** Name and default of each option of an interface, as its comments say. */
function documented(entry: string, name: string): [string, string][] {
  const { text = '' } = exportsOf(entryFile(entry)).get(name) ?? {}
  return [...text.matchAll(/(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?readonly (\w+)\??:/g)].map(
    ([, comment = '', option = '']) => [option, /@defaultValue (.*?)(?:\s*\*?)$/m.exec(comment)?.[1] ?? 'required'],
  )
}

describe('the options in docs/storage.md', () => {
  it('are those of knexStorage with their defaults, and no other', () => {
    const rows = table(readText('docs/storage.md'), '## Options', 'Option')
    const all = ['KnexStorageOptions', 'CommonPostgresOptions', 'CommonSqliteOptions'].flatMap((name) =>
      documented('./knex', name),
    )
    expect(all.length).toBeGreaterThan(8)
    expect(new Map(rows.map(([name = '', value]) => [plain(name), value]))).toEqual(new Map(all))
  })
})

describe('the errors in docs/reference.md', () => {
  it('are the existing ones, with their statuses', () => {
    const rows = table(reference, '## Errors', 'Status').map(([status, name = '']) => [plain(name), Number(status)])
    expect(rows).toEqual(Object.entries(errorStatuses))
    const errors = rows.map(([name]) => new ChangeRequestError(name as ErrorName, ''))
    expect(errors.map(({ name, status }) => [name, status])).toEqual(rows)
  })
})

describe('the limits in docs/reference.md', () => {
  it('that are options have their defaults', () => {
    const rows = table(reference, '## Limits', 'What').flatMap(([, limit = '']) => {
      const found = /^([\d,]+) ?(kB|s)? \(`limits\.(\w+)`\)$/.exec(limit)
      if (found === null) return []
      const [, amount = '', unit = '', name = ''] = found
      return [[name, Number(amount.replace(',', '')) * ({ kB: 1024, s: 1000 }[unit] ?? 1)]]
    })
    expect(Object.fromEntries(rows)).toEqual(limits)
  })

  it('have the same name everywhere', () => {
    const guides = ['reference', 'mounting', 'flag-gateway', 'event-log', 'operations', 'contract', 'performance']
    const named = guides.flatMap((guide) => [...readText(`docs/${guide}.md`).matchAll(/\blimits\.(\w+)/g)])
    expect(named.length).toBeGreaterThan(30)
    expect(named.map(([, name = '']) => name).filter((name) => !Object.hasOwn(limits, name))).toEqual([])
  })
})

describe('the codes in docs/review.md', () => {
  it('are the existing ones, with their errors and statuses', () => {
    const rows = table(readText('docs/review.md'), '## See what a step is missing', 'Code')
    const named = rows.map(([code = '', status, error = '']) => [plain(code), Number(status), plain(error)])
    expect(named).toEqual(
      Object.entries(codeTable).map(([code, { error }]) => [code, errorStatuses[error as ErrorName], error]),
    )
  })
})

describe('the operations', () => {
  const operations = Object.entries(openapi.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { tags = [] }]) => ({
      name: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      extension: tags.includes('extensions'),
    })),
  )
  const served = operations.map(({ name }) => name)
  const published = operations.filter(({ extension }) => !extension).map(({ name }) => name)
  const whole = (named: string) =>
    plain(named)
      .replace(' P/', ' /api/admin/projects/:projectId/')
      .replace(/ \/(?!api)/, ' /api/admin/')

  it('in docs/reference.md are those that are served', () => {
    const named = table(reference, '## Operations', 'Operation').map(([name = '']) => whole(name))
    expect([...named].sort()).toEqual([...served].sort())
  })

  it('in docs/contract.md are those of change requests, with their numbers in order', () => {
    const rows = table(readText('docs/contract.md'), '## 3.1 Table', '#')
    const ofChangeRequests = published.filter((path) => path.includes('change-request'))
    expect(rows.map(([, name = '']) => whole(name)).sort()).toEqual(ofChangeRequests.sort())
    expect(rows.map(([number]) => Number(number))).toEqual(rows.map((_, index) => index + 1))
  })

  it('in docs/event-log.md are those of the log', () => {
    const rows = table(readText('docs/event-log.md'), '## Read events', 'Path')
    const named = new Set(rows.map(([name = '']) => whole(name).replace(/\?.*/, '')))
    expect([...named].sort()).toEqual(published.filter((path) => !path.includes('change-request')).sort())
  })
})

describe('docs/event-log.md', () => {
  const guide = readText('docs/event-log.md')
  const { parameters = [], responses = {} } = openapi.paths['/api/admin/search/events']?.get ?? {}

  it('has the parameters of the search, and the order of an export', () => {
    const served = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
    const named = table(guide, '## Search events', 'Parameter').flatMap(([names = '']) => quoted(names))
    expect([...named, 'order'].sort()).toEqual([...served].sort())
  })

  it('has the types of an export', () => {
    const served = Object.keys(responses['200']?.content ?? {})
    const named = table(guide, '## Export the log', '`Accept`').map(([name = '']) => plain(name))
    expect(['application/json', ...named, 'text/event-stream'].sort()).toEqual([...served].sort())
  })
})

describe('the permissions', () => {
  const guide = readText('docs/permissions.md')
  const grantable = permissions.filter((name) => name !== 'UPDATE_PROJECT')

  it('are those that a grant can name, in the guide and the contract', () => {
    expect(grantable.length).toBeGreaterThan(8)
    expect(table(guide, '## What each permission allows', 'Permission').map(([name = '']) => plain(name))).toEqual(
      grantable,
    )
    const contract = table(readText('docs/contract.md'), '## 7.1 Names', 'Permission')
    expect(contract.map(([name]) => name)).toEqual(grantable)
    expect(guide).toContain('UPDATE_PROJECT')
  })

  it('that operations require are all explained', () => {
    const asked = Object.values(openapi.paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ description = '' }) => description.match(/\b(?:READ|CREATE|APPROVE|APPLY|PROJECT)_[A-Z_]+\b/g) ?? [])
    expect(asked.length).toBeGreaterThan(20)
    expect(asked.filter((name) => !grantable.includes(name))).toEqual([])
  })
})

describe('docs/reference.md', () => {
  it('has the members of the router', () => {
    const router = createChangeRequestRouter(required)
    const plainRouter = createPlainRouter()
    const own = Object.entries(router)
      .filter(([name]) => !(name in plainRouter))
      .flatMap(([name, value]) =>
        typeof value === 'function' ? [name] : Object.keys(value as object).map((inner) => `${name}.${inner}`),
      )
    const named = table(reference, '## The router', 'Member').map(([name = '']) => plain(name).replace(/\(.*/, ''))
    expect(own.length).toBeGreaterThan(5)
    expect([...named].sort()).toEqual([...own].sort())
  })

  it('has the entry points, with what they export', () => {
    const rows = table(reference, '## Entry points', 'Import')
    const all = Object.keys(manifest.exports).map((entry) => entry.replace(/^\./, 'express-change-requests'))
    expect(rows.map(([name = '']) => plain(name)).sort()).toEqual([...all].sort())
    for (const entry of entryNames) {
      const [, what = ''] =
        rows.find(([name = '']) => plain(name) === entry.replace(/^\./, 'express-change-requests')) ?? []
      const exported = exportsOf(entryFile(entry))
      expect(quoted(what).filter((name) => !exported.has(name))).toEqual([])
    }
  })

  it('has the commands and options of the command', () => {
    const helpOf = (...command: readonly string[]) =>
      execFileSync(process.execPath, [join(root, 'dist/cli.js'), ...command, '--help'], { encoding: 'utf8' })
    const commands = [...helpOf().matchAll(/^ {2}([\w-]+) {2,}/gm)].map(([, name = '']) => name)
    const helps = commands.map((command) => helpOf(command))
    const flags = new Set([helpOf(), ...helps].flatMap((help) => help.match(/(?<=^ *)--[\w-]+/gm) ?? []))
    // Each fits one screen.
    expect(helps.filter((help) => help.split('\n').length > 24)).toEqual([])
    expect(helps.flatMap((help) => help.split('\n')).filter((line) => line.length > 112)).toEqual([])
    expect(table(reference, '## The command', 'Command').map(([name = '']) => plain(name))).toEqual(commands)
    const named = table(reference, '## The command', 'Option').flatMap(([names = '']) => quoted(names))
    expect(named.sort()).toEqual([...flags, '--help', '--version'].sort())
  })
})

describe('docs/operations.md', () => {
  it('has what health() returns', async () => {
    const health = await createChangeRequestRouter(required).health()
    const rows = table(readText('docs/operations.md'), '## Check the health', 'Field')
    expect(rows.map(([name = '']) => plain(name))).toEqual(Object.keys(health))
  })
})

function createPlainRouter(): object {
  return require('express').Router()
}
