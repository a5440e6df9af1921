import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseCurl } from '../support/curl'
import { root } from '../support/folders'
import { blocks, guides, quoted, readText, table } from '../support/markdown'

const { scripts, bin } = JSON.parse(readText('package.json')) as { scripts: object; bin: object }
const documents = [
  ...guides,
  ...['init', 'server', 'mount', 'nestjs', 'own-gateway', 'remote-gateway', 'slack'].map(
    (name) => `examples/${name}/README.md`,
  ),
]

/** Every command of the shell blocks of a document, without comments. */
function commandsOf(document: string): string[] {
  const shell = blocks(readText(document)).filter(({ language }) => language === 'sh')
  return shell
    .flatMap(({ text }) => text.replace(/\\\n\s*/g, ' ').split('\n'))
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .flatMap((line) => line.split(/ && | & | &$/))
    .filter((line) => line !== '')
}

const all = documents.flatMap((document) => commandsOf(document).map((command) => ({ document, command })))
const beginning = (start: string) => all.filter(({ command }) => command.startsWith(start))

function helpOf(...command: readonly string[]): string {
  return execFileSync(process.execPath, [join(root, 'dist/cli.js'), ...command, '--help'], { encoding: 'utf8' })
}

function subcommands(): string[] {
  return [...helpOf().matchAll(/^ {2}(\w+) {2,}/gm)].map(([, name = '']) => name)
}

describe('the commands in the guides', () => {
  it('begin with tools that a reader has', () => {
    const known =
      /^(?:npm|npx|node|curl|export|test|echo|pg_dump|pg_restore|(?:API|BASE|ANN|BEN|CARA|DAN)=|[A-Z_]+=\S+ node)\b/
    expect(all.filter(({ command }) => !known.test(command))).toEqual([])
    expect(all.length).toBeGreaterThan(25)
  })

  it('run existing npm scripts', () => {
    const own = ['init', 'install', 'ci']
    const named = beginning('npm ').map(({ document, command }) => {
      return { document, script: /^npm (?:run )?([\w:-]+)/.exec(command)?.[1] ?? '' }
    })
    expect(named.filter(({ script }) => !own.includes(script) && !Object.hasOwn(scripts, script))).toEqual([])
    expect(named.map(({ script }) => script)).toEqual(expect.arrayContaining(['start', 'bench', 'install']))
  })

  it('call the command of the package with commands and options that it has', () => {
    const commands = subcommands()
    const calls = beginning('npx ').filter(({ command }) => !command.startsWith('npx tsc'))
    for (const { command } of calls) {
      const [, name = '', subcommand = '', options = ''] = /^npx ([\w-]+) +(\w+)(.*)$/.exec(command) ?? []
      expect([command, Object.hasOwn(bin, name), commands.includes(subcommand)]).toEqual([command, true, true])
      const known = helpOf(subcommand)
      expect((options.match(/--[\w-]+/g) ?? []).filter((option) => !known.includes(`${option} `))).toEqual([])
    }
    expect(calls.length).toBeGreaterThanOrEqual(4)
  })

  it('run existing files', () => {
    const files = all.flatMap(
      ({ command }) => /\bnode (?:node_modules\/express-change-requests\/)?(examples\/\S+)/.exec(command)?.[1] ?? [],
    )
    expect(files.filter((file) => !existsSync(join(root, file)) && !file.includes('/dist/'))).toEqual([])
  })

  it('measure what the benchmark measures', () => {
    const help = execFileSync(process.execPath, [join(root, 'test/bench/index.js'), '--help'], { encoding: 'utf8' })
    const measured = beginning('npm run bench -- ').map(({ command }) => command.split(' ')[4] ?? '')
    expect(measured.filter((name) => !new RegExp(`^ {2}${name} `, 'm').test(help))).toEqual([])
    const options = beginning('npm run bench -- ').flatMap(({ command }) => command.match(/--[a-z]+/g) ?? [])
    expect(options.filter((option) => !help.includes(option))).toEqual([])
    expect(measured.length).toBeGreaterThanOrEqual(3)
  })

  it('use variables of the shell that the guides set', () => {
    const set = ['API', 'BASE', 'ANN', 'BEN', 'CARA', 'DAN', 'ANN_KEY', 'DATABASE_URL']
    const used = all.flatMap(({ command }) => [...command.matchAll(/\$([A-Z_]+)/g)].map(([, name = '']) => name))
    expect(used.filter((name) => !set.includes(name))).toEqual([])
    expect(used.length).toBeGreaterThan(10)
  })

  it('send requests to existing operations', () => {
    const variables = {
      API: 'http://127.0.0.1/api/admin',
      BASE: 'http://127.0.0.1/api/admin',
      ANN: 'a',
      BEN: 'b',
      CARA: 'c',
      DAN: 'd',
      ANN_KEY: 'a',
    }
    const served = table(readText('docs/reference.md'), '## Operations', 'Operation').map(([name = '']) => {
      const [method = '', path = ''] = (quoted(name)[0] ?? '').replace(' P/', ' /projects/:projectId/').split(' ')
      return { method, pattern: new RegExp(`^/api/admin${path.replace(/:\w+/g, '[^/]+')}$`) }
    })
    const ofTheExample = /^\/api\/admin\/projects\/[^/]+\/features(?:\/[^/]+\/environments\/[^/]+)?$/
    const requests = beginning('curl ').map(({ command }) => parseCurl(command.replace(/ > .*/, ''), variables))
    const unknown = requests.filter(({ method, url }) => {
      const { pathname } = new URL(url)
      return !ofTheExample.test(pathname) && !served.some((one) => one.method === method && one.pattern.test(pathname))
    })
    expect(unknown).toEqual([])
    expect(requests.length).toBeGreaterThan(15)
  })
})
