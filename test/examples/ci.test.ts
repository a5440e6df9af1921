import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Host, keyOf, openHost } from '../cli/support'

const root = join(__dirname, '../..')
const example = join(root, 'examples/ci')
const read = (name: string) => parse(readFileSync(join(example, name), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'change-requests-ci-'))
const injected = join(folder, 'injected')
const title = `--apply $(touch ${injected}) \`touch ${injected}\` "; touch ${injected}`
const place = { project: 'shop', id: 1 }

let host: Host

beforeAll(() => {
  // The package as npx would run it, before it is published.
  const npx = join(folder, 'npx')
  writeFileSync(npx, `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${join(root, 'dist/cli.js')}" "$@"\n`)
  chmodSync(npx, 0o755)
})
beforeEach(async () => {
  host = await openHost()
})
afterEach(() => host.down())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the shell of a job, while Ben approves what it proposes. */
async function runJob(script: string, variables: Readonly<Record<string, string>>, decision: 'Approved' | 'Rejected') {
  const summary = join(folder, 'summary.md')
  rmSync(summary, { force: true })
  const env = { PATH: `${folder}:${process.env.PATH}`, GITHUB_STEP_SUMMARY: summary, ...variables }
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], { env, cwd: example })
  const ended = once(child, 'close').then(([status]) => status as number)
  const ben = host.as('ben')
  const isProposed = async () => (await ben.review(place).catch(() => undefined))?.body.state === 'In review'
  while (child.exitCode === null && !(await isProposed())) await new Promise((resolve) => setTimeout(resolve, 20))
  if (child.exitCode === null) await ben.setState(place, { state: decision })
  const status = await ended
  expect(existsSync(injected)).toBe(false)
  return { status, summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '' }
}

describe('the action for GitHub', () => {
  const action = read('action.yml')
  const [{ env, run }] = action.runs.steps
  /** The environment that GitHub makes of the inputs. */
  const variablesOf = (inputs: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(env as Record<string, string>).map(([name, text]) => {
        const [, input = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(text) ?? []
        return [name, inputs[input] ?? action.inputs[input].default]
      }),
    )
  const inputs = () => ({ url: host.url, key: keyOf('bot'), project: 'shop', environment: 'production', title })
  const job = { GITHUB_SHA: 'abc', GITHUB_RUN_ID: '7' }

  it('proposes, waits, applies, and writes a summary', async () => {
    const { status, summary } = await runJob(run, { ...variablesOf(inputs()), ...job }, 'Approved')
    expect([status, summary]).toEqual([0, expect.stringMatching(/^### Change request \[#1\]\(http\S+\): Applied\n/)])
    expect((await host.as('ben').changeRequest(place)).body).toMatchObject({ state: 'Applied', title })
  })

  it('fails if it is rejected', async () => {
    expect(await runJob(run, { ...variablesOf(inputs()), ...job }, 'Rejected')).toMatchObject({
      ...{ status: 4, summary: expect.stringContaining('Rejected') },
    })
  })

  it('puts no input into the shell but through variables', () => {
    expect(run).not.toContain('${{')
  })
})

describe('the job for GitLab', () => {
  it('proposes, waits and applies', async () => {
    const { script, variables } = read('gitlab-ci.yml')['propose-flags']
    const own = { CHANGE_REQUESTS_URL: host.url, CHANGE_REQUESTS_KEY: keyOf('bot') }
    const job = { CI_COMMIT_SHA: 'abc', CI_PIPELINE_ID: '7', CI_COMMIT_TITLE: title }
    expect(await runJob(script.join('\n'), { ...variables, ...own, ...job }, 'Approved')).toMatchObject({ status: 0 })
    expect((await host.as('ben').changeRequest(place)).body).toMatchObject({ state: 'Applied', title })
  })
})
