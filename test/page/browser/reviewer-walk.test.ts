import type { Page } from 'playwright-core'
import { isNightly } from '../../support/nightly'
import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import { expectFocus, focused, tabTo } from '../support/hands'
import { api, type PageHost, startHost } from '../support/host'
import { createSessions, people } from '../support/people'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
const sessions = createSessions()
let host: PageHost
let ids: number[]

/** A user has at most one open change request in an environment, so each has its own author. */
async function propose(count: number): Promise<number[]> {
  const names = Array.from({ length: count }, (_, n) => `flag-${n}`)
  await host.addFlags(names)
  const found: number[] = []
  for (const [n, name] of names.entries()) {
    const call = async (method: string, path: string, body: object) => {
      const headers = { Authorization: `author ${n}`, 'Content-Type': 'application/json' }
      const url = new URL(`${api}/projects/default${path}`, host.url())
      const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
      return answer.ok ? answer.text() : Promise.reject(new Error(await answer.text()))
    }
    const { id } = JSON.parse(await call('POST', '/environments/production/change-requests', enable(name)))
    await call('PUT', `/change-requests/${id}/title`, { title: `Change ${n}` })
    await call('PUT', `/change-requests/${id}/state`, { state: 'In review' })
    found.push(id)
  }
  return found
}

async function start(count: number): Promise<void> {
  host = await startHost({
    authenticate(req) {
      const [, n] = /^author (\d+)$/.exec(req.headers.authorization ?? '') ?? []
      return n === undefined
        ? sessions.authenticate(req)
        : { ...people.fay, id: 100 + Number(n), username: `author-${n}` }
    },
  })
  const config = { changeRequestsEnabled: true, requiredApprovals: 2 }
  await host.call('cara', 'PUT', '/projects/default/environments/production/change-requests/config', config)
  ids = await propose(count)
}

const visible = (page: Page, name: string | RegExp) =>
  page.getByRole('link', { name }).or(page.getByRole('button', { name })).filter({ visible: true }).first()
const isAt = (page: Page, n: number) =>
  page.getByRole('heading', { level: 1, name: `Change ${n}`, exact: true }).waitFor()
const lines = (page: Page) => page.getByRole('listitem').filter({ hasText: 'Approved, waiting for 1 more' })

/** How a reviewer approves and goes on; each returns how often they pressed. */
const ways = [
  {
    name: 'by mouse',
    async approve(page: Page, _n: number) {
      await visible(page, 'Approve').click()
      return 1
    },
    async goOn(page: Page, n: number) {
      await visible(page, `Next: #${ids[n]}`).click()
      return 1
    },
  },
  {
    name: 'by keyboard',
    async approve(page: Page, n: number) {
      // Until it is loaded, the screen has the heading of the list, and no keys.
      await visible(page, 'Approve').waitFor()
      // The focus stays among the steps.
      if (n === 0) await page.keyboard.press('a')
      await expectFocus(visible(page, 'Approve'))
      await page.keyboard.press('Enter')
      return n === 0 ? 2 : 1
    },
    async goOn(page: Page, _n: number) {
      await page.keyboard.press('j')
      return 1
    },
  },
] as const

describe.each(ways)('a reviewer with many waiting change requests, $name', ({ name, approve, goOn }) => {
  const count = isNightly ? 40 : 5
  beforeAll(() => start(count))
  afterAll(() => host.close())

  it('presses twice for each', async () => {
    const page = await browser.visit(host.as('dan'))
    await page.getByRole('link', { name: 'Change 0', exact: true }).press('Enter')
    let presses = 0
    for (let n = 0; n < count; n += 1) {
      await isAt(page, n)
      presses += await approve(page, n)
      const next = n + 1
      const ends = next === count
      await expectText(page.getByRole('main'), ends ? 'Nothing else needs you.' : `Next: #${ids[next]} Change ${next}`)
      if (!ends) await expectText(page.getByRole('main'), new RegExp(`flag-${next}.*off → on`))
      await expectText(page.getByRole('navigation', { name: 'Main' }), new RegExp(`Inbox\\s*${count - next}`))
      if (!ends) presses += await goOn(page, next)
    }
    process.stdout.write(`${count} change requests, ${name}: ${presses} presses\n`)
    expect(presses).toBeLessThanOrEqual(2 * count)

    // The list is as it was.
    await page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: 'Inbox' }).click()
    await until(async () => (await lines(page).count()) === count, 'each is one line')
    expect(await page.getByRole('heading', { level: 3 }).allTextContents()).toEqual(ids.map((_, n) => `Change ${n}`))
    await page.reload()
    await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
  })
})

describe('the list that a reviewer left', () => {
  beforeEach(() => start(4))
  afterEach(() => host.close())

  it('keeps a decided row in its place, until it is read again', async () => {
    const page = await browser.visit(host.as('dan'))
    await page.getByRole('link', { name: 'Change 1', exact: true }).click()
    await visible(page, 'Approve').click()
    await expectFocus(visible(page, `Next: #${ids[2]}`))
    expect(await findings(page)).toEqual([])
    await page.goBack()
    await expectText(lines(page), 'Change 1')
    expect(await findings(page)).toEqual([])
    expect(await focused(page)).toBe('a Change 1')
    await expectText(page.getByRole('listitem').filter({ hasText: 'To review' }), /To review\s*3/)
    const rows = () => page.getByRole('heading', { level: 3 }).allTextContents()
    expect(await rows()).toEqual(['Change 0', 'Change 1', 'Change 2', 'Change 3'])

    await page.getByRole('searchbox').fill('Change')
    await lines(page).waitFor({ state: 'detached' })
    await until(async () => `${await rows()}` === 'Change 0,Change 2,Change 3', 'the others are listed')
  })

  it('is gone through with j and k, which decide nothing, also when opened cold', async () => {
    const page = await browser.visit(host.as('dan', requestPath(ids[1] ?? 0)))
    await isAt(page, 1)
    await page.keyboard.press('j')
    await isAt(page, 2)
    expect(await focused(page)).toBe('h1 Change 2')
    await page.keyboard.press('k')
    await isAt(page, 1)
    await page.keyboard.press('a')
    await page.keyboard.press('k')
    await isAt(page, 0)
    await expectFocus(visible(page, 'Approve'))
    await page.keyboard.press('k')
    await expectText(page.getByRole('status'), 'This is the first one of the list.')
    expect(await Promise.all(ids.map((id) => host.stateOf(id)))).toEqual(ids.map(() => 'In review'))
  })

  it('says in the row what became of each: rejected, too', async () => {
    const page = await browser.visit({ ...host.as('dan', '/?needs=all'), viewport: { width: 320, height: 700 } })
    await page.getByRole('link', { name: 'Change 3', exact: true }).click()
    await visible(page, 'Reject…').click()
    const { dialog } = requestScreen(page)
    await dialog.getByRole('textbox').fill('Not now.')
    await dialog.getByRole('button', { name: /^Reject/ }).click()
    await visible(page, `Next: #${ids[0]}`).click()
    await isAt(page, 0)
    await page.goBack()
    await page.goBack()
    await expectText(page.getByRole('listitem').filter({ hasText: 'Change 3' }), 'Rejected')
    await expectFocus(page.getByRole('link', { name: 'Change 3', exact: true }))
  })
})

describe('the filters of the inbox', () => {
  beforeAll(() => start(3))
  afterAll(() => host.close())

  const titles = async (page: Page) => (await page.getByRole('heading', { level: 3 }).allTextContents()).join()
  const shows = (page: Page, expected: string) =>
    until(async () => (await titles(page)) === expected, `${expected} is shown`)
  const add = async (page: Page, filter: string) => {
    await page.keyboard.press('f')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: filter, exact: true }).press('Enter')
  }

  it('are by author, flag and days, in the address, and removable', async () => {
    const page = await browser.visit(host.as('dan', '/?needs=all'))
    await shows(page, 'Change 2,Change 1,Change 0')
    await add(page, 'Author')
    await page.getByLabel('Author').fill('nobody')
    await page.keyboard.press('Enter')
    await page.getByText('Choose a user from the list, or enter the id of a user.').waitFor()
    await page.getByLabel('Author').fill('101')
    await page.keyboard.press('Enter')
    await shows(page, 'Change 1')
    expect(await focused(page)).toBe('summary Filter')
    expect(new URL(page.url()).search).toBe('?needs=all&author=101')
    await page.getByRole('button', { name: /^Remove filter Author is/ }).click()

    await add(page, 'Flag')
    await page.getByLabel('Flag').fill('flag-2')
    await page.keyboard.press('Enter')
    await shows(page, 'Change 2')
    await page.getByRole('button', { name: 'Remove filter Flag is flag-2' }).click()

    await add(page, 'Created')
    await page.getByText(/^Days are those of /).waitFor()
    await page.getByLabel('Created until').fill('2020-02-29')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Nothing fits these filters' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: /^Remove filter Created until.*29.*2020/ }).click()
    await shows(page, 'Change 2,Change 1,Change 0')
  })

  it('keep the order in the address', async () => {
    const page = await browser.visit(host.as('dan', '/?needs=all'))
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Waiting longest first')
    await shows(page, 'Change 0,Change 1,Change 2')
    expect(new URL(page.url()).search).toBe('?needs=all&order=waiting')
    await page.reload()
    await shows(page, 'Change 0,Change 1,Change 2')
  })

  it('lead to what was applied last, with one tap on a phone', async () => {
    for (const id of [ids[1], ids[0]] as number[]) {
      for (const who of ['dan', 'ben'] as const) await host.setState(who, id, 'Approved')
      await host.setState('ben', id, 'Applied')
    }
    const page = await browser.visit({ ...host.as('eve'), viewport: { width: 320, height: 700 } })
    await page.getByRole('link', { name: 'Last applied' }).click()
    await shows(page, 'Change 0,Change 1')
    await tabTo(page.getByRole('link', { name: 'Change 0', exact: true }))
  })
})
