import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, type Host, openHost } from './support'

const root = join(__dirname, '../..')
const changes = ['checkout', 'search'].map((feature) => ({
  ...{ action: 'updateEnabled' as const, feature, payload: { enabled: true } },
}))
const place = { project: 'shop', id: 1 }
const shop = ['--project', 'shop']
const folder = mkdtempSync(join(tmpdir(), 'change-requests-cli-'))

let host: Host

beforeEach(async () => {
  host = await openHost()
  await host.as('bot').propose({ project: 'shop', environment: 'production' }, changes)
  await host.as('bot').setTitle(place, 'More checkout')
  await host.as('bot').setState(place, { state: 'In review' })
})
afterEach(() => host.down())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...[args, options]: [readonly string[], Parameters<typeof command>[2]?]) =>
  command(host, args, options).exit

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

it('export continues a file, and exits with 2 for one that is no part of the log', async () => {
  const out = join(folder, 'events.ndjson')
  const args = ['export', '--out', out, '--format', 'ndjson']
  expect(await run(args)).toEqual({ status: 0, stdout: `${out} is complete: 4 events.\n`, stderr: '' })
  const whole = readFileSync(out, 'utf8')
  writeFileSync(out, whole.slice(0, whole.length / 2))
  expect(await run(args)).toMatchObject({ status: 0 })
  expect(readFileSync(out, 'utf8')).toBe(whole)
  writeFileSync(out, whole.replace('deploy-bot', 'deploy-bat'))
  expect(await run(args)).toEqual({
    ...{ status: 2, stdout: '' },
    stderr: expect.stringMatching(
      /^--out: .* exists and has another event 1 than the log\. .*\nSee .* export --help\.\n$/,
    ),
  })
})

it('the commands for the API need neither a database nor Express', async () => {
  const installed = join(folder, 'package')
  mkdirSync(installed)
  for (const name of ['dist', 'package.json']) cpSync(join(root, name), join(installed, name), { recursive: true })
  const script = join(installed, 'dist/cli.js')
  expect(await run(['show', '1', ...shop], { cwd: folder, script })).toMatchObject({ status: 0, stderr: '' })
})
