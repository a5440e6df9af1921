import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { longTimeoutMs } from '../support/databases/long-timeouts'
import { isNightly } from '../support/nightly'
import { itWithNightlyModules, nightlyModules } from '../support/nightly-modules'
import { bundle } from './support/bundle'
import { runNode, startServer, stopAll } from './support/child'
import { parseCurl, sendTo } from './support/curl'
import { removeFolders } from './support/folders'
import { installed, makeHost, packTarball } from './support/hosts'
import { blocks, readText, section } from './support/markdown'
import { freePort, whenListening } from './support/ports'

const answered = { proposed: [200, 'Draft'], log: [200, ['change-added', 'change-request-created']], unknownKey: 401 }
const alsoOfFiles = {
  refused: 'BadDataError',
  files: ['3.1.0', 'object', 'object'],
  below: '/flags/api/admin/reviews',
}

/** Runs a file that prints its responses as JSON. */
async function run(file: string, cwd: string): Promise<object> {
  const { stdout, stderr } = await runNode(['--no-warnings', file], { cwd }).exit
  return { ...JSON.parse(stdout || '{}'), stderr }
}

describe('the packed package, installed in a separate host', () => {
  const hosts = { 'Express 5': '', 'Express 4': '' }

  beforeAll(() => {
    const tarball = packTarball()
    hosts['Express 5'] = makeHost(tarball, { express: 'express', '@types/express': '@types/express' })
    hosts['Express 4'] = makeHost(tarball, { express: 'express4', '@types/express': '@types/express4' })
  })

  afterAll(async () => {
    await stopAll()
    removeFolders()
  })

  it.each([
    ['Express 5', 'host.cjs'],
    ['Express 5', 'host.mjs'],
    ['Express 4', 'host.cjs'],
  ] as const)('accepts a change and shows the log in %s by %s', async (express, file) => {
    const express4 = express === 'Express 4'
    expect(await run(file, hosts[express])).toEqual({ express4, ...answered, ...alsoOfFiles, stderr: '' })
  })

  it.each(['Express 5', 'Express 4'] as const)(
    'has types for CommonJS and for ES modules in %s, that reject what the code rejects; the output of tsc runs',
    async (express) => {
      const host = hosts[express]
      const tsc = join(installed, 'typescript/bin/tsc')
      const { status, stdout } = await runNode([tsc, '-p', 'tsconfig.json'], { cwd: host }).exit
      expect([stdout, status]).toEqual(['', 0])
      cpSync(join(host, 'serve.js'), join(host, 'out/serve.js'))
      for (const file of ['out/use.cjs', 'out/use.mjs']) {
        expect([file, await run(file, host)]).toEqual([file, { ...answered, stderr: '' }])
      }
    },
  )

  itWithNightlyModules('has types for every entry where TypeScript 5 resolves modules as Node 10 did', async () => {
    const { exports } = JSON.parse(readText('package.json')) as { exports: Readonly<Record<string, unknown>> }
    const imported = readText('test/package/hosts/node10/use.ts').match(/(?<= 'express-change-requests)[^']*/g) ?? []
    const entries = imported.map((name) => `.${name.replace('/change.json', '/*.json')}`)
    expect(entries.sort()).toEqual(Object.keys(exports).sort())
    const tsc = join(nightlyModules, 'typescript/bin/tsc')
    const { status, stdout } = await runNode([tsc, '-p', 'node10'], { cwd: hosts['Express 5'] }).exit
    expect([stdout, status]).toEqual(['', 0])
  })

  it('runs in the Jest of a host without configuration, with both suites', async () => {
    const jest = join(installed, 'jest/bin/jest.js')
    // Except for a busy machine, on which a test may take longer than five seconds.
    // `npm test` needs to know that the suites load there; all of their rules run elsewhere.
    const some = isNightly ? [] : ['-t', 'CR-00|eventHead']
    const args = [jest, `--testTimeout=${longTimeoutMs}`, ...some]
    const { status, stderr } = await runNode(args, { cwd: hosts['Express 5'] }).exit
    expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  })

  itWithNightlyModules.each([['host.mjs', 'esm'] as const, ['host.cjs', 'cjs'] as const])(
    'accepts a change and shows the log when esbuild has bundled %s',
    async (file, format) => {
      const { folder, file: bundled } = await bundle(hosts['Express 5'], file, format)
      expect(await run(bundled, folder)).toEqual({ express4: false, ...answered, ...alsoOfFiles, stderr: '' })
    },
  )

  it('type-checks under strict and returns 200 in a new npm package with the code of the README', async () => {
    const readme = readText('README.md')
    const [, recipe, shell] = blocks(section(readme, '## Mount it'))
    const [gateway] = blocks(section(readme, '## Connect your flags'))
    const [, start = '', curl = ''] = shell?.text.split('\n') ?? []
    const file = /^In a file (\S+):$/.exec(recipe?.before ?? '')?.[1] ?? ''
    expect(start).toBe(`node ${file} &`)
    const host = hosts['Express 5']
    rmSync(join(host, 'package.json'))
    execFileSync('npm', ['init', '-y'], { cwd: host, stdio: 'ignore' })
    writeFileSync(join(host, file), `${recipe?.text}${gateway?.text}`)
    const strict = [
      '--strict',
      '--allowJs',
      '--checkJs',
      '--noEmit',
      '--ignoreConfig',
      '--types',
      'node',
      '--skipLibCheck',
    ]
    const tsc = [join(installed, 'typescript/bin/tsc'), ...strict, '--module', 'nodenext', '--target', 'es2022', file]
    expect(await runNode(tsc, { cwd: host }).exit).toEqual({ status: 0, stdout: '', stderr: '' })
    const key = 'user:a-key-of-this-host'
    const port = await freePort()
    const app = runNode([file], { cwd: host, env: { ANN_KEY: key, PORT: `${port}` } })
    const request = parseCurl(curl, { ANN_KEY: key })
    const answer = await whenListening(() => sendTo(`http://127.0.0.1:${port}`, request))
    expect([answer.status, await answer.json()]).toEqual([200, { version: 1, events: [], totalEvents: 0 }])
    app.signal('SIGTERM')
    await app.exit
    expect(existsSync(join(host, 'app.sqlite'))).toBe(true)
  })

  it('serves the review page, and is called by its client', async () => {
    const called = { refused: 'NotFoundError', me: 'ann' }
    const served = { page: 200, script: [200, 'gzip'], ...called, stderr: '' }
    expect(await run('pages/page.mjs', hosts['Express 5'])).toEqual(served)
  })

  it('has an example server that starts with the packages of the host', async () => {
    const [shell] = blocks(section(readText('docs/getting-started.md'), '## Start the example server'))
    const file = /^node (\S+)$/m.exec(shell?.text ?? '')?.[1] ?? ''
    const server = await startServer([file], { cwd: hosts['Express 5'] })
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    await server.stop()
  })

  itWithNightlyModules(
    'adds neither Knex nor the suites nor the review page to the bundle of a host with the memory storage',
    async () => {
      const { folder, file, inputs } = await bundle(hosts['Express 5'], 'memory.mjs', 'cjs')
      expect(await run(file, folder)).toEqual({ ...answered, stderr: '' })
      expect(inputs.filter((input) => /knex|better-sqlite3|\/pg\/|dist\/(?:testing|page|client)/.test(input))).toEqual(
        [],
      )
      expect(inputs.filter((input) => input.includes('express-change-requests/dist/index.js'))).toHaveLength(1)
    },
  )

  itWithNightlyModules('adds nothing to a bundle that uses nothing, because no file has side effects', async () => {
    const { bytes, inputs } = await bundle(hosts['Express 5'], 'unused.mjs', 'esm')
    expect(inputs).toEqual(['unused.mjs'])
    expect(bytes).toBeLessThan(500)
  })
})
