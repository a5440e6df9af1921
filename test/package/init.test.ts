import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { starter } from '../../src/cli/init'
import { runNode, type Server, startServer, stopAll } from './support/child'
import { removeFolders, root, temporaryFolder } from './support/folders'
import { borrow } from './support/hosts'

const file = 'change-requests.mjs'
const init = (cwd: string) => runNode([join(root, 'dist/cli.js'), 'init'], { cwd }).exit

afterAll(removeFolders)

describe('npx express-change-requests init', () => {
  it('writes one file, prints how to start it, and overwrites nothing', async () => {
    const cwd = temporaryFolder()
    const { status, stdout, stderr } = await init(cwd)
    const { text, packages } = starter()
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`\n  npm install ${packages.join(' ')}\n  node ${file}\n`)
    expect(readdirSync(cwd)).toEqual([file])
    expect(readFileSync(join(cwd, file), 'utf8')).toBe(text)
    writeFileSync(join(cwd, file), 'edited')
    expect(await init(cwd)).toEqual({
      status: 1,
      stdout: '',
      stderr: `${file} exists, and was not changed. Rename it, or run init in another folder.\n`,
    })
    expect(readFileSync(join(cwd, file), 'utf8')).toBe('edited')
  })

  it('uses node:sqlite from Node 22.16, and better-sqlite3 12 before', () => {
    for (const version of ['22.16.0', '24.0.0']) {
      const { text, packages } = starter(version)
      expect(packages).toEqual(['express-change-requests', 'express'])
      expect(text).toMatch(/^import \{ DatabaseSync \} from 'node:sqlite'\n[\s\S]* new DatabaseSync\('/m)
      expect(text).not.toContain('better-sqlite3')
    }
    for (const version of ['20.19.0', '22.15.1']) {
      const { text, packages } = starter(version)
      expect(packages).toEqual(['express-change-requests', 'express', 'better-sqlite3@12'])
      expect(text).toMatch(/^import Database from 'better-sqlite3'\n[\s\S]* new Database\('/m)
      expect(text).not.toMatch(/DatabaseSync|node:sqlite/)
    }
  })

  it('names an argument that it does not take', async () => {
    const { status, stderr } = await runNode([join(root, 'dist/cli.js'), 'init', 'shop'], { cwd: temporaryFolder() })
      .exit
    expect([status, stderr]).toEqual([2, expect.stringContaining('init takes no options.')])
  })
})

describe('the file that it writes, with better-sqlite3', () => {
  const cwd = temporaryFolder()
  let server: Server

  beforeAll(async () => {
    writeFileSync(join(cwd, file), starter('20.19.0').text)
    borrow(cwd, 'express-change-requests', '..')
    for (const name of ['express', 'better-sqlite3']) borrow(cwd, name)
    server = await startServer([file], { cwd })
  })
  afterAll(stopAll)

  const linkOf = (user: string) => new RegExp(`^${user}: (http:\\S+)$`, 'm').exec(server.stdout())?.[1] ?? ''

  /** Follows the link of a user, and calls as the page does. */
  async function signIn(user: string) {
    const opened = await fetch(linkOf(user), { redirect: 'manual' })
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/review'])
    const set = opened.headers.get('set-cookie') ?? ''
    expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
    const Cookie = set.split(';')[0] ?? ''
    return async (path: string, method = 'GET', body?: object, Origin = server.url) => {
      const headers = { Cookie, Origin, 'Content-Type': 'application/json' }
      const answer = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return [answer.status, (await answer.json()) as { id?: number }] as const
    }
  }

  it('has two users, of whom one applies what the other proposed, and keeps that over a restart', async () => {
    const [ann, ben] = [await signIn('ann'), await signIn('ben')]
    const change = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }
    const project = '/api/admin/projects/default'
    const proposed = `${project}/environments/production/change-requests`
    expect((await ann(proposed, 'POST', change, 'http://evil.example'))[0]).toBe(401)
    const [, { id }] = await ann(proposed, 'POST', change)
    const to = (state: string) => [`${project}/change-requests/${id}/state`, 'PUT', { state }] as const
    expect(await ann(...to('In review'))).toEqual([200, expect.objectContaining({ state: 'In review' })])
    expect((await ann(...to('Approved')))[0]).toBe(403)
    for (const state of ['Approved', 'Applied']) expect((await ben(...to(state)))[0]).toBe(200)
    const flags = expect.arrayContaining([{ name: 'checkout', enabled: 1, rollout: 100 }])
    expect(await ann('/flags')).toEqual([200, flags])
    expect((await ben(`${proposed}/config`, 'PUT', { changeRequestsEnabled: false }))[0]).toBe(403)

    const { status, stderr } = await server.stop('SIGKILL')
    expect([status, stderr]).toEqual([null, ''])
    const key = linkOf('ann')
    server = await startServer([file], { cwd })
    expect(linkOf('ann')).not.toBe(key)
    expect((await ann('/api/admin/me'))[0]).toBe(401)
    const again = await signIn('ann')
    expect(await again(`${project}/change-requests/${id}`)).toEqual([
      200,
      expect.objectContaining({ state: 'Applied' }),
    ])
    expect(existsSync(join(cwd, 'change-requests.sqlite'))).toBe(true)
  })
})
