import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { startServer, stopAll } from '../../package/support/child'
import { removeFolders } from '../../package/support/folders'
import { packTarball } from '../../package/support/hosts'
import { blocks, readText, section } from '../../package/support/markdown'
import { install } from '../../package/versions/install'
import { useBrowser } from '../support/browser'
import { expectOff, requestScreen } from '../support/request-screen'
import { expectText } from '../support/waits'

const browser = useBrowser()

afterEach(async () => {
  await stopAll()
  removeFolders()
})

/** A folder with only the tarball, its dependencies, and these packages. */
function installTarball(...packages: readonly string[]): string {
  const folder = install([packTarball(), ...packages])
  if (folder === undefined) throw new Error('npm cannot install the tarball.')
  return folder
}

interface Walk {
  readonly author: Page
  readonly reviewer: Page
  readonly before: string
  readonly after: string
  /** Chosen where the project has several. */
  readonly environment?: string
  /** The rollout of `checkout` in production that the host stores. */
  stored(): Promise<string>
}

/** Changes a rollout as two users, and reads everything that the page shows about it. */
async function changeRollout({ author, reviewer, before, after, environment, stored }: Walk): Promise<void> {
  const { button, state } = requestScreen(author)
  const rollout = author.getByLabel('Rollout', { exact: true })
  await author.getByRole('link', { name: 'Propose a change' }).first().click()
  if (environment !== undefined) await button(environment).click()
  await author.getByRole('combobox', { name: 'Flag' }).fill('checkout')
  await author.getByRole('option', { name: 'checkout', exact: true }).click()
  await rollout.waitFor()
  expect([await rollout.inputValue(), await stored()]).toEqual([before, before])
  await rollout.fill(after)
  await expectOff(button('Propose…').first(), false)
  await button('Propose…').first().click()
  await button('Save as draft').click()
  await expectText(state, /Draft/)
  await expectOnlyRollout(author, before, after)
  await button('Send to review').click()
  await expectText(state, /In review/)

  await reviewer.goto(new URL('/review', reviewer.url()).href)
  await reviewer.getByRole('link', { name: /^checkout: / }).click()
  await expectOnlyRollout(reviewer, before, after)
  await approveAndApply(reviewer, async () => expect(await stored()).toBe(before))
  await expectOnlyRollout(reviewer, before, after)
  expect(await stored()).toBe(after)

  const [id] = /#\d+/.exec(await reviewer.title()) ?? []
  await reviewer.getByRole('link', { name: 'Log', exact: true }).click()
  const events = reviewer.getByRole('region', { name: 'Events' }).getByRole('listitem')
  await expectText(events.first(), /applied/)
  const sentences = (await events.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').slice('00:00 '.length))
  const about = `${id} in flag checkout`
  expect(sentences.slice(0, 7)).toEqual(
    [
      `Ben Ode applied ${about} in default`,
      `Ben Ode updated a strategy of flag checkout: rollout ${before} % → ${after} % in default`,
      `Ben Ode gave the last required approval for ${about} in default`,
      `Ben Ode approved ${about} in default`,
      `Ann Lee requested a review of ${about} in default`,
      `Ann Lee added a change to ${about}: strategy `,
      `Ann Lee created ${about} in default`,
    ].map((start) => expect.stringMatching(new RegExp(`^${start}`))),
  )
  await events.nth(1).getByRole('button').first().click()
  expect(await fieldsOf(events.nth(1))).toEqual(['Rollout'])
}

async function expectOnlyRollout(page: Page, before: string, after: string): Promise<void> {
  const { main } = requestScreen(page)
  await expectText(main.locator('.effects'), new RegExp(`${before}.% → ${after}.% of everybody`))
  expect(await fieldsOf(main.locator('.change'))).toEqual(['Rollout'])
}

async function fieldsOf(shown: Locator): Promise<string[]> {
  const fields = shown.getByRole('rowheader')
  await fields.first().waitFor()
  return fields.allInnerTexts()
}

async function approveAndApply(page: Page, whenApproved = async () => {}): Promise<void> {
  const { button, state } = requestScreen(page)
  await button('Approve').first().click()
  await expectText(state, /Approved/)
  await whenApproved()
  await button('Apply to production now').click()
  await expectText(state, /Applied/)
}

// biome-ignore lint/suspicious/noExplicitAny: the tests name what they read
async function readJson(url: string): Promise<any> {
  return (await fetch(url)).json()
}

/** An app of the guides: flags in a table, and two users who sign in with a cookie. */
const plainHost = (mountRouter: string, mountPage: string) => `
import createKnex from 'knex'
import express from 'express'
import { createChangeRequestRouter, sameOrigin } from 'express-change-requests'
import { knexStorage } from 'express-change-requests/knex'

const knex = createKnex({ client: 'better-sqlite3', connection: { filename: 'app.sqlite' }, useNullAsDefault: true })
await knex.schema.createTable('flags', (table) => {
  table.string('name').primary()
  table.boolean('enabled')
  table.boolean('archived')
  table.integer('rollout')
})
await knex('flags').insert({ name: 'checkout', enabled: true, archived: false, rollout: 50 })
const storage = knexStorage({ knex })
const grants = [{ permission: 'ADMIN' }]
const users = {
  'user=ann': { id: 1, username: 'Ann Lee', grants },
  'user=ben': { id: 2, username: 'Ben Ode', grants },
}
const authenticate = (req) => (sameOrigin(req) ? (users[req.headers.cookie] ?? null) : null)
${mountRouter}
await router.migrate()
const app = express()
${mountPage}
app.get('/flags/:name', async (req, res) => res.json(await knex('flags').where({ name: req.params.name }).first()))
const server = app.listen(process.env.PORT, '127.0.0.1', () => {
  console.log('listening on http://127.0.0.1:' + server.address().port)
})
`

describe('the package as npm installs it', () => {
  it('serves the demo, in which two users change only a rollout', async () => {
    const cwd = installTarball()
    const server = await startServer(['express-change-requests', 'demo'], { command: 'npx', cwd })
    const linkOf = (name: string) => new RegExp(`^ +${name} .* (http:\\S+)$`, 'm').exec(server.stdout())?.[1] ?? ''
    const author = await browser.visit({ url: linkOf('Ann Lee') })
    const reviewer = await browser.visit({ url: linkOf('Ben Ode') })
    // Ann has an open change request, and a user has only one for each environment.
    await reviewer.getByRole('link', { name: 'Turn the new checkout on for 75 %' }).click()
    await approveAndApply(reviewer)
    const stored = async () => {
      const { flags } = await readJson(`${server.url}/flags`)
      const { states } = flags.find(({ name }: { name: string }) => name === 'checkout')
      return states.production.strategies[0].parameters.rollout
    }
    await changeRollout({ author, reviewer, before: '75', after: '20', environment: 'production', stored })
  })

  it('serves a host with the flags of one table, in which two users change only a rollout', async () => {
    const cwd = installTarball('express', 'knex', 'better-sqlite3@12')
    const [mountRouter] = blocks(section(readText('docs/flag-gateway.md'), '## Serve flags of one table'))
    const [mountPage] = blocks(section(readText('docs/page.md'), '# The review page'))
    writeFileSync(join(cwd, 'server.mjs'), plainHost(mountRouter?.text ?? '', mountPage?.text ?? ''))
    const server = await startServer(['server.mjs'], { cwd })
    const visit = (user: string) => browser.visit({ url: `${server.url}/review`, cookies: { user } })
    const stored = async () => String((await readJson(`${server.url}/flags/checkout`)).rollout)
    await changeRollout({ author: await visit('ann'), reviewer: await visit('ben'), before: '50', after: '20', stored })
  })
})
