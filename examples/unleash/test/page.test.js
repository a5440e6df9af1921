const assert = require('node:assert/strict')
const { after, before, it } = require('node:test')
const { setTimeout: delay } = require('node:timers/promises')
const { startBrowser, visit } = require('./support/browser')
const { call, startHost } = require('./support/host')

const project = '/api/admin/projects/default'

let host
let browser

before(async () => {
  host = await startHost()
  browser = await startBrowser()
  await host.client.send('POST', 'projects/default/features', { name: 'checkout' })
})
after(async () => {
  await browser?.close()
  await host?.stop()
})

async function signIn(page, { username, password }) {
  await page.goto(`${host.url}/login`)
  await page.getByLabel(/username/i).fill(username)
  await page.getByLabel(/password/i).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/login')
}

/** Opens the flag on the page of the server, and returns its switch for production. */
async function openFlag(page) {
  await page.goto(`${host.url}/projects/default/features/checkout`)
  const toggle = page.getByRole('checkbox', { name: 'production' })
  await toggle.waitFor({ state: 'attached' })
  return toggle
}

/** Whether the flag is enabled for SDKs. The server publishes a change within some seconds. */
async function servedOn() {
  const { body } = await call(host.server.url, 'GET', '/api/client/features', undefined, {
    Authorization: host.server.clientTokens[0],
  })
  return body.features.find(({ name }) => name === 'checkout').enabled
}

it('a switch on the page of the server creates a draft, which is applied after a review', async () => {
  const ann = await host.addPerson({ username: 'ann', role: 'Editor' })
  const ben = await host.addPerson({ username: 'ben', role: 'Editor' })
  const page = await visit(browser, host.url)
  await signIn(page, ann)
  const toggle = await openFlag(page)
  assert.equal(await toggle.isChecked(), false)

  await toggle.click({ force: true })
  await page.getByRole('button', { name: 'Enable Environment' }).click()
  const notice = page.locator('#review-notice')
  await notice.getByText(/Your change was added to your change request/).waitFor()
  const address = await notice.getByRole('link').getAttribute('href')
  const [draft] = (await ann.call('GET', `${project}/change-requests/open`)).body
  assert.match(await notice.textContent(), new RegExp(`change request ${draft.id}: ${host.url}/`))
  assert.deepEqual([draft.state, draft.environment], ['Draft', 'production'])
  assert.equal(await servedOn(), false)
  assert.equal(await (await openFlag(page)).isChecked(), false)

  const reviewing = await visit(browser, host.url)
  await signIn(reviewing, ben)
  await page.goto(address)
  await page.getByRole('button', { name: 'Send to review' }).click()
  await page.getByText('In review', { exact: true }).first().waitFor()
  await reviewing.goto(address)
  await reviewing.getByRole('button', { name: 'Approve', exact: true }).click()
  await reviewing.getByRole('button', { name: /^Apply/ }).click()
  const step = reviewing.getByRole('list', { name: 'State' }).locator('[aria-current=step]')
  await step.filter({ hasText: 'Applied' }).waitFor()
  await openFlag(page)
  await page.getByRole('checkbox', { name: 'production', checked: true }).waitFor({ state: 'attached' })
  while (!(await servedOn())) await delay(100)

  await page.getByRole('button', { name: 'Archive feature flag' }).click()
  await page.getByRole('button', { name: 'Archive flag' }).click()
  const toast = page.locator('body > :not(#review-notice)').getByText(/Your change was added to your change request/)
  await toast.waitFor()
})
