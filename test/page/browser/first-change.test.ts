import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { startServer, stopAll } from '../../package/support/child'
import { removeFolders, temporaryFolder } from '../../package/support/folders'
import { packTarball } from '../../package/support/hosts'
import { installNode, npm } from '../../package/versions/install'
import { useBrowser } from '../support/browser'
import { requestScreen } from '../support/request-screen'
import { expectText } from '../support/waits'

const browser = useBrowser()

afterAll(async () => {
  await stopAll()
  removeFolders()
})

interface Lock {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: true }>>
}

/** Proposes a rollout as Ann, and approves and applies it as Ben. */
async function changeRollout(linkOf: (user: string) => string): Promise<void> {
  const ann = await browser.visit({ url: linkOf('ann') })
  const author = requestScreen(ann)
  await ann.getByRole('link', { name: 'Propose a change' }).first().click()
  await ann.getByRole('combobox', { name: 'Flag' }).fill('checkout')
  await ann.getByRole('option', { name: 'checkout', exact: true }).click()
  await ann.getByLabel('Rollout', { exact: true }).fill('50')
  await author.button('Propose…').first().click()
  await author.button('Send to review').click()
  await expectText(author.state, /In review/)

  const ben = await browser.visit({ url: linkOf('ben') })
  const reviewer = requestScreen(ben)
  await ben.getByRole('link', { name: /^checkout: / }).click()
  await reviewer.button('Approve').first().click()
  await expectText(reviewer.state, /Approved/)
  await reviewer.button('Apply to production now').click()
  await expectText(reviewer.state, /Applied/)
}

/** From an empty folder and an empty cache of npm to an applied change. Returns the seconds, and those of `npx` and `npm install`. */
async function firstChange(node: string, tarball: string): Promise<{ total: number; downloads: number }> {
  const cwd = temporaryFolder()
  const npm_config_cache = temporaryFolder()
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`
  const run = (args: readonly string[]) =>
    execFileSync(node, [npm, ...args], {
      ...{ cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      env: { ...process.env, PATH, npm_config_cache },
    })
  const start = performance.now()
  const seconds = (since: number) => (performance.now() - since) / 1000

  run(['init', '-y'])
  const downloading = performance.now()
  const printed = run(['exec', '--yes', '--package', tarball, '--', 'express-change-requests', 'init'])
  const [, packages = '', file = ''] = /^ {2}npm install (.*)\n {2}node (.*)$/m.exec(printed) ?? []
  run(['install', ...packages.replace('express-change-requests', tarball).split(' ')])
  const downloads = seconds(downloading)
  const server = await startServer([file], { command: node, cwd })
  await changeRollout((user) => new RegExp(`^${user}: (http:\\S+)$`, 'm').exec(server.stdout())?.[1] ?? '')
  const total = seconds(start)
  const [checkout] = (await (await fetch(`${server.url}/flags`)).json()) as [{ rollout: number }]
  expect(checkout.rollout).toBe(50)
  await server.stop()

  const { packages: installed } = JSON.parse(readFileSync(join(cwd, 'package-lock.json'), 'utf8')) as Lock
  expect(Object.keys(installed).length - 1).toBeLessThanOrEqual(80)
  // Nothing is compiled: no package runs a script when it is installed.
  expect(Object.keys(installed).filter((name) => installed[name]?.hasInstallScript)).toEqual([])
  return { total, downloads }
}

describe('npm init, npx express-change-requests init and npm install, on Node 24', () => {
  it('lead to an applied change with at most 80 packages and without a compiler; prints the seconds', async () => {
    const node = installNode('24')
    if (node === undefined) throw new Error('npm cannot install Node 24.')
    const tarball = packTarball()
    const totals: number[] = []
    for (let run = 0; run < 3; run++) {
      const { total, downloads } = await firstChange(node, tarball)
      process.stdout.write(
        `an empty folder to an applied change: ${total.toFixed(1)} s, of which ${downloads.toFixed(1)} s npx and npm install\n`,
      )
      totals.push(total)
    }
    process.stdout.write(`median: ${totals.sort((a, b) => a - b)[1]?.toFixed(1)} s\n`)
  })
})
