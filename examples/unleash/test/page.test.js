const assert = require('node:assert/strict')
const { after, before, it } = require('node:test')
const { setTimeout: delay } = require('node:timers/promises')
const { startBrowser, visit } = require('./support/browser')
const { call, startHost } = require('./support/host')

const project = '/api/admin/projects/default'
/** The role differs between the versions. */
const production = 'input[type=checkbox][aria-label=production]'

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
  await page.getByLabel(/username|email/i).fill(`${username}@example.com`)
  await page.getByLabel(/password/i).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/login')
}

/** Opens the flag on the page of the server, and returns its switch for production. */
async function openFlag(page) {
  await page.goto(`${host.url}/projects/default/features/checkout`)
  const toggle = page.locator(production)
  await toggle.waitFor({ state: 'attached' })
  return toggle
}

/** Runs in the page: what is repeated every `from` milliseconds is repeated every `to` milliseconds. */
function speedUp([from, to]) {
  const repeat = window.setInterval
  window.setInterval = (run, ms, ...args) => repeat(run, ms === from ? to : ms, ...args)
}

/** What the banner reads in four intervals in which the page is hidden. A read that has begun before may still end. */
async function readsWhileHidden(page) {
  await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }))
  let reads
  page.on('request', (request) => request.url().includes('/reviewed/api/') && reads.push(request.url()))
  for (let attempt = 0; attempt < 5 && reads?.length !== 0; attempt += 1) {
    reads = []
    await page.evaluate(waitForIntervals, 4)
  }
  await page.evaluate(() => delete document.visibilityState)
  return [...reads]
}

/** Runs in the page. */
function waitForIntervals(count) {
  return new Promise((resolve) => {
    let intervals = 0
    window.setInterval(() => {
      intervals += 1
      if (intervals === count) resolve()
    }, 60_000)
  })
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
  await reviewing.addInitScript(speedUp, [60_000, 500])
  await signIn(reviewing, ben)
  const banner = reviewing.locator('#review-banner')
  await banner.getByText('Changes to production are reviewed. Change requests').waitFor()
  await page.goto(address)
  await page.getByRole('button', { name: 'Send to review' }).click()
  await page.getByText('In review', { exact: true }).first().waitFor()
  await banner.getByText('1 waiting for you').waitFor()
  assert.equal(await banner.getByRole('link').getAttribute('href'), '/review')
  assert.deepEqual(await readsWhileHidden(reviewing), [])
  await reviewing.goto(address)
  await reviewing.getByRole('button', { name: 'Approve', exact: true }).click()
  await reviewing.getByRole('button', { name: /^Apply/ }).click()
  const step = reviewing.getByRole('list', { name: 'State' }).locator('[aria-current=step]')
  await step.filter({ hasText: 'Applied' }).waitFor()
  await openFlag(page)
  await page.locator(`${production}:checked`).waitFor({ state: 'attached' })
  while (!(await servedOn())) await delay(100)

  const archive = page.getByRole('button', { name: 'Archive feature flag' })
  const menu = page.getByRole('button', { name: 'Feature flag actions' })
  await archive.or(menu).waitFor()
  const isInMenu = await menu.isVisible()
  await archive.or(menu).click()
  if (isInMenu) await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByTestId('DIALOGUE_CONFIRM_ID').click()
  const toast = page.locator('body > :not(#review-notice)').getByText(/Your change was added to your change request/)
  await toast.waitFor()
})

it('the banner is off by an option', async () => {
  const quiet = await startHost({ banner: false })
  try {
    const page = async (url) => (await fetch(url, { headers: { accept: 'text/html' } })).text()
    assert.match(await page(`${host.url}/projects/default`), /<script src="\/reviewed\/notice.js" data-banner>/)
    assert.match(await page(`${quiet.url}/projects/default`), /<script src="\/reviewed\/notice.js">/)
  } finally {
    await quiet.stop()
  }
})
