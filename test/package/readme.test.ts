import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorStatuses } from '../../src/errors'
import { routes } from '../../src/http/routes'
import { resolveOptions } from '../../src/options'
import { memoryStorage } from '../../src/storage/memory'
import { startServer, stopAll } from './support/child'
import { parseCurl, sendTo } from './support/curl'
import { removeFolders, root, temporaryFolder } from './support/folders'
import { blocks, plain, table } from './support/markdown'
import { asShown, type Json, parseShown } from './support/shown'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const readme = read('README.md')

afterEach(async () => {
  await stopAll()
  removeFolders()
})

describe('README, "Mount it"', () => {
  const recipe = blocks(readme).find(({ language }) => language === 'js')?.text ?? ''

  it('takes twelve lines', () => {
    expect(recipe.trim().split('\n')).toHaveLength(12)
  })
})

describe('README, "Try it"', () => {
  const all = blocks(readme)
  const walk = all.flatMap(({ language, text }, index) => {
    const answer = all[index + 1]
    if (language !== 'sh' || !text.startsWith('curl ')) return []
    if (answer?.language !== 'json') throw new Error(`Without an answer: ${text}`)
    return [{ command: text.trim(), status: Number(answer.before), body: parseShown(answer.text) }]
  })

  it('shows what the example server answers to each request, in this order', async () => {
    const server = await startServer([join(root, 'examples/server/server.js')], { cwd: temporaryFolder() })
    const keyOf = (user: string) => new RegExp(` ${user} .* (user:\\w+)$`, 'm').exec(server.stdout())?.[1] ?? ''
    const variables = { API: `${server.url}/api/admin`, ANN: keyOf('ann'), BEN: keyOf('ben') }
    expect(walk.length).toBeGreaterThanOrEqual(8)
    for (const { command, status, body } of walk) {
      const answer = await sendTo(server.url, parseCurl(command, variables))
      const answered = { command, status: answer.status, body: asShown((await answer.json()) as Json, body) }
      expect(normalised(answered)).toEqual(normalised({ command, status, body }))
    }
  })

  it('names scripts that are there', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const named = [...readme.matchAll(/npm (?:run )?(start|test|bench|check)\b/g)].map(([, name = '']) => name)
    expect(named).toEqual(expect.arrayContaining(['start', 'test', 'bench']))
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named))
  })
})

describe('README, the tables', () => {
  it('has each option of createChangeRequestRouter with its default, and no other', () => {
    const source = read('src/options/router-options.ts')
    const limits = documented(read('src/options/limits.ts'), 'Limits').map(([name, value]) => [`limits.${name}`, value])
    const options = documented(source, 'ChangeRequestRouterOptions').flatMap((row) =>
      row[0] === 'limits' ? limits : [row],
    )
    expect(table(readme, 'Options', 'Option').map(([name = '', value]) => [plain(name), value])).toEqual(options)
  })

  it('has the defaults that hold', () => {
    const { limits, ...rest } = resolveOptions({ storage: memoryStorage(), authenticate: () => null })
    const holding: Record<string, unknown> = { ...rest }
    for (const [name, value] of Object.entries(limits)) holding[`limits.${name}`] = value
    const values = table(readme, 'Options', 'Option').filter(([, value]) => value?.startsWith('`'))
    expect(values.length).toBeGreaterThan(10)
    for (const [name = '', value = ''] of values)
      expect([name, literal(plain(value))]).toEqual([name, holding[plain(name)]])
  })

  it('has each option of knexStorage with its default, and no other', () => {
    const options = documented(read('src/storage/knex/index.ts'), 'KnexStorageOptions')
    expect(table(readme, 'Storage', 'Option').map(([name = '', value]) => [plain(name), value])).toEqual(options)
  })

  it('has each name of an error with its status', () => {
    const rows = table(readme, 'Errors', 'Status').map(([status, name = '']) => [plain(name), Number(status)])
    expect(rows).toEqual(Object.entries(errorStatuses))
  })

  it('has the limits that are options with their defaults', () => {
    const { limits } = resolveOptions({ storage: memoryStorage(), authenticate: () => null })
    const rows = table(readme, 'Limits', 'What').flatMap(([, limit = '']) => {
      const found = /^([\d,]+) ?(kB|s)? \(`limits\.(\w+)`\)$/.exec(limit)
      if (found === null) return []
      const [, amount = '', unit = '', name = ''] = found
      return [[name, Number(amount.replace(',', '')) * ({ kB: 1024, s: 1000 }[unit] ?? 1)]]
    })
    expect(Object.fromEntries(rows)).toEqual(limits)
  })

  it('has the operations that there are', () => {
    const served = routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    const named = table(readme, 'What is served now', 'Operation').map(([name = '']) =>
      plain(name).replace(' P/', ' /projects/:projectId/'),
    )
    expect([...named].sort()).toEqual([...served].sort())
  })
})

describe.each([
  'README.md',
  'CONTRIBUTING.md',
  'examples/server/README.md',
  'examples/mount/README.md',
  'examples/custom-storage/README.md',
  'examples/plain-flags/README.md',
])('%s', (file) => {
  it('links to files that are there', () => {
    const prose = read(file).replace(/^```[\s\S]*?^```$/gm, '')
    const links = [...prose.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !existsSync(join(root, file, '..', link)))).toEqual([])
  })
})

/** Name and default of each option of an interface, as its comments say. */
function documented(source: string, name: string): [string, string][] {
  const body = new RegExp(`export interface ${name}(?:<.*>)? \\{\\n([\\s\\S]*?)\\n\\}\\n`).exec(source)?.[1] ?? ''
  return [...body.matchAll(/(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?readonly (\w+)\??:/g)].map(
    ([, comment = '', option = '']) => [option, /@defaultValue (.*?)(?:\s*\*?)$/m.exec(comment)?.[1] ?? 'required'],
  )
}

function literal(text: string): unknown {
  return JSON.parse(text.replaceAll("'", '"'))
}

/** The same with what differs from run to run made equal. */
function normalised(body: unknown): unknown {
  const text = JSON.stringify(body)
    .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"<time>"')
    .replace(/"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g, '"<uuid>"')
  return JSON.parse(text)
}
