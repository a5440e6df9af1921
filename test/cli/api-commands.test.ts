import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStorage } from '../../src'
import { runNode } from '../package/support/child'
import { root } from '../package/support/folders'
import { command, type Host, keyOf, openHost, type Who } from './support'

const changes = ['checkout', 'search'].map((feature) => ({
  ...{ action: 'updateEnabled' as const, feature, payload: { enabled: true } },
}))
const place = { project: 'shop', id: 1 }
const shop = ['--project', 'shop']

let host: Host

beforeEach(async () => {
  host = await openHost()
  await host.as('bot').propose({ project: 'shop', environment: 'production' }, changes)
  await host.as('bot').setTitle(place, 'More checkout')
  await host.as('bot').setState(place, { state: 'In review' })
})
afterEach(() => host.down())

const run = (args: readonly string[]) => command(host, args).exit

it('show prints a change request, without control characters', async () => {
  const { status, stdout } = await run(['show', '1', ...shop])
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^#1 More checkout\nproduction, by deploy-bot\[2J, .*\n {2}checkout: updateEnabled \{"enabled":true\}\n/,
    ),
  ])
  expect(stdout).not.toContain('\u001b')
  expect(await run(['show', '7', ...shop])).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/no change request 7/),
  })
})

it('review prints what is missing, as a table', async () => {
  const { status, stdout } = await run(['review', '1', ...shop])
  expect(status).toBe(0)
  expect(stdout).toMatch(/\n {2}minimum +0 of 1 approvals\n/)
  expect(stdout).toMatch(
    /\n {2}approve +blocked +Only people may approve a change request; the caller is a service\.\n/,
  )
  const { stdout: json } = await run(['review', '1', ...shop, '--json'])
  expect(JSON.parse(json)).toMatchObject({ id: 1, state: 'In review', missing: [{ code: 'missing-approvals' }] })
})

it('apply applies what it printed; cancel cancels', async () => {
  expect(await run(['apply', '1', ...shop])).toMatchObject({ status: 5, stderr: expect.stringContaining('0 of 1') })
  await host.as('ben').setState(place, { state: 'Approved' })
  const { status, stdout } = await run(['apply', '1', ...shop, '--json'])
  expect([status, JSON.parse(stdout).state]).toEqual([0, 'Applied'])
  expect(await run(['cancel', '1', ...shop])).toMatchObject({ status: 5 })
  await host.as('bot').propose({ project: 'shop', environment: 'production' }, changes)
  expect(await run(['cancel', '2', ...shop])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('#2 Cancelled'),
  })
})

it('check reports a result for the current or the given content', async () => {
  await host.down()
  host = await openHost(memoryStorage(), { checks: [{ name: 'ci' }, { name: 'lint', required: false }] })
  await host.as('bot').propose({ project: 'shop', environment: 'production' }, changes)
  await host.as('bot').setState(place, { state: 'In review' })
  const check = (args: readonly string[], who: Who = 'ben') =>
    command(host, ['check', '1', ...shop, ...args], { as: who }).exit
  const passed = await check(['ci', '--status', 'passed', '--summary', 'All green.', '--link', 'https://ci.example/1'])
  expect(passed).toMatchObject({ status: 0, stdout: expect.stringContaining('  ci: passed\n  lint: no report\n') })
  const [reported] = (await host.as('ben').review(place)).body.checks ?? []
  expect(reported).toMatchObject({ status: 'passed', summary: 'All green.', url: 'https://ci.example/1' })
  expect(await check(['ci', '--status', 'failed', '--digest', 'sha256:0'])).toMatchObject({ status: 5 })
  expect(await check(['ci', '--status', 'passed'], 'bot')).toMatchObject({ status: 5 })
  expect(await check(['other', '--status', 'passed'])).toMatchObject({ status: 1 })
  for (const args of [['ci'], ['ci', '--status', 'ok'], ['--status', 'passed']]) {
    expect(await check(args)).toMatchObject({ status: 2 })
  }
})

describe('object and lift', () => {
  const text = 'The load test still fails.'
  const own = (args: readonly string[]) => command(host, [...args, ...shop], { as: 'ben' }).exit

  beforeEach(async () => {
    await host.down()
    host = await openHost(undefined, { objections: true })
    await host.as('bot').propose({ project: 'shop', environment: 'production' }, changes)
    await host.as('bot').setState(place, { state: 'In review' })
    await host.as('ben').setState(place, { state: 'Approved' })
  })

  it('block applying, and allow it again', async () => {
    const objected = await own(['object', '1', '--text', text, '--json'])
    expect(objected).toMatchObject({ status: 0, stderr: expect.stringContaining('#1 Objected') })
    const { missing } = JSON.parse(objected.stdout)
    expect(missing).toContainEqual({ code: 'objection', message: `ben objected: ${text}` })
    expect((await host.as('ben').review(place)).body.objections).toMatchObject([{ text, outdated: false }])
    expect(await run(['apply', '1', ...shop])).toMatchObject({ status: 5, stderr: expect.stringContaining(text) })

    expect(await own(['lift', '1'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('#1 Objection lifted'),
    })
    expect(await own(['lift', '1'])).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('You have no open objection'),
    })
  })

  it('are for people, and with a text', async () => {
    expect(await run(['object', '1', '--text', text, ...shop])).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('Only people may object to a change request'),
    })
    for (const args of [[], ['--text', ' ']]) {
      expect(await own(['object', '1', ...args])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('Set --text'),
      })
    }
    expect(await own(['lift', '1', '--text', text])).toMatchObject({ status: 2 })
  })

  it('need the option of the server', async () => {
    await host.down()
    host = await openHost()
    await host.as('bot').propose({ project: 'shop', environment: 'production' }, changes)
    await host.as('bot').setState(place, { state: 'In review' })
    expect(await own(['object', '1', '--text', text])).toMatchObject({ status: 1 })
  })
})

describe('the built command, in a folder without other packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'change-requests-cli-'))
  const script = join(folder, 'package/dist/cli.js')
  beforeAll(() => {
    mkdirSync(join(folder, 'package'))
    for (const name of ['dist', 'package.json'])
      cpSync(join(root, name), join(folder, 'package', name), { recursive: true })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('reads the standard input, and calls the API', async () => {
    const env = { CHANGE_REQUESTS_URL: host.url, CHANGE_REQUESTS_KEY: keyOf('bot'), CHANGES: JSON.stringify(changes) }
    const line = `echo "$CHANGES" | "${process.execPath}" "${script}" propose --project shop --environment staging --file -`
    const { exit } = runNode(['-c', line], { command: 'bash', cwd: folder, env })
    expect(await exit).toMatchObject({ status: 0, stdout: expect.stringContaining('#2 Draft'), stderr: '' })
  })

  it('names Express where the demo needs it', async () => {
    const { status, stderr } = await runNode([script, 'demo'], { cwd: folder }).exit
    expect([status, stderr]).toEqual([1, expect.stringContaining('The package "express" is missing.')])
  })

  it.each([
    ['pg', 'postgres://127.0.0.1:1/shop'],
    ['better-sqlite3', 'app.sqlite'],
  ])('prints the SQL for %s without a driver, and names the missing driver', async (driver, connection) => {
    const print = await runNode([script, 'print', '--client', driver], { cwd: folder }).exit
    expect(print).toMatchObject({ status: 0, stderr: '' })
    const { status, stdout, stderr } = await runNode([script, 'migrate', '--connection', connection], { cwd: folder })
      .exit
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      new RegExp(`: The package "${driver}" is missing\\. Install it next to this package: npm install ${driver}\n$`),
    )
  })
})
