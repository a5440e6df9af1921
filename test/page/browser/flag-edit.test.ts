import type { Page } from 'playwright-core'
import type { ChangeRequestView } from '../../../src/generated'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import type { PersonName } from '../support/people'
import { expectOff, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeEach(async () => {
  host = await startHost()
  // The page follows a log with events live.
  await host.recordFlag('default', 'checkout')
})
afterEach(() => host.close())

const path = '/projects/default/flags/checkout?environment=production'

async function open(who: PersonName = 'ann'): Promise<Page> {
  const page = await browser.visit(host.as(who, path))
  await rollout(page).waitFor()
  return page
}

const rollout = (page: Page) => page.locator('.flag-fields').getByLabel('Rollout', { exact: true })
const expectRollout = (page: Page, value: string) =>
  until(async () => (await rollout(page).inputValue()) === value, `a rollout of ${value} %`)
const propose = (page: Page) => page.getByRole('complementary').getByRole('button', { name: 'Propose…' })
const startOver = (page: Page) => page.getByRole('button', { name: 'Start over' })

/** Another title of the strategy. */
const titled = { action: 'updateStrategy', feature: 'checkout', payload: { id: 'checkout-half', title: 'Half of all' } }
const byOthers = (percent: string) => roll('checkout', 'checkout-half', percent)

describe('a flag that another user edits meanwhile', () => {
  it('is followed where nothing was typed, and shows both values where both edited it', async () => {
    const page = await open()
    const { button, main } = requestScreen(page)
    await rollout(page).fill('75')
    await host.changeFlags(enable('checkout'), byOthers('60'))
    await expectText(main, /The flag was edited in the meantime/)
    await main.getByRole('switch', { name: 'Flag in production', checked: true }).waitFor()
    expect(await rollout(page).inputValue()).toBe('75')
    await expectOff(propose(page))
    await button(/^Theirs: 60/).click()
    await expectRollout(page, '60')
    await startOver(page).waitFor({ state: 'detached' })
    await rollout(page).fill('80')
    await host.changeFlags(byOthers('50'))
    await button(/^Yours: 80/).click()
    await expectOff(propose(page), false)
    await button('OK').click()
    await main.getByText('The flag was edited in the meantime').waitFor({ state: 'detached' })
  })

  /** The page cannot read the flag before it sends; returns how it goes on. */
  async function editedUnseen(page: Page, ...changes: Parameters<PageHost['changeFlags']>) {
    const { button, dialog } = requestScreen(page)
    await rollout(page).fill('75')
    await propose(page).click()
    await dialog.waitFor()
    const release = host.hold(/^GET .*\/flags\/checkout /)
    await host.changeFlags(...changes)
    await button('Send to review', dialog).click()
    await until(() => posted().length === 1, 'the first attempt')
    release()
  }
  const posted = () => host.received(/^POST .*\/change-requests /)

  it('is read and merged, and the edit is sent once more', async () => {
    const page = await open()
    await editedUnseen(page, titled)
    await expectText(requestScreen(page).state, /In review/)
    expect(posted()).toHaveLength(2)
    const { features } = await host.call<ChangeRequestView>(
      'ann',
      'GET',
      new URL(page.url()).pathname.slice('/review'.length),
    )
    const parameters = { rollout: '75', stickiness: 'userId', groupId: 'demo' }
    expect(features[0]?.changes.map(({ payload }) => payload)).toEqual([{ id: 'checkout-half', parameters }])
  })

  it('shows both values, and nothing is sent, if both edited the same', async () => {
    const page = await open()
    await editedUnseen(page, byOthers('60'))
    const { button, dialog } = requestScreen(page)
    await button('Close', dialog).click()
    await button(/^Theirs: 60/).waitFor()
    await expectOff(propose(page))
    expect(posted()).toHaveLength(1)
  })
})

describe('an edit that was not sent', () => {
  it('is kept for its user, flag and environment, until it is started over', async () => {
    const page = await open()
    const { main } = requestScreen(page)
    await rollout(page).fill('75')
    await page.getByRole('link', { name: /^development/ }).click()
    await expectRollout(page, '100')
    await page
      .getByRole('link', { name: /^Inbox/ })
      .first()
      .click()
    await main.getByRole('link', { name: 'Propose a change' }).first().waitFor()
    await host.changeFlags(byOthers('60'))
    await page.goto(host.url(path))
    await expectRollout(page, '75')
    await main.getByRole('button', { name: /^Yours: 75/ }).click()
    await page.context().addCookies([{ name: 'person', value: 'fay', url: host.url() }])
    await page.goto(host.url(path))
    await expectRollout(page, '60')
    await page.context().addCookies([{ name: 'person', value: 'ann', url: host.url() }])
    await page.goto(host.url(path))
    await expectRollout(page, '75')
    await startOver(page).click()
    await expectRollout(page, '60')
    await page.reload()
    await expectRollout(page, '60')
  })

  it('asks before its tab is closed', async () => {
    const page = await open()
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await rollout(page).fill('75')
    await startOver(page).waitFor()
    await page.close({ runBeforeUnload: true })
    await until(() => asked.length === 1, 'a question')
    expect(asked).toEqual(['beforeunload'])
    await startOver(page).click()
    await startOver(page).waitFor({ state: 'detached' })
    await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })])
    expect(asked).toHaveLength(1)
  })

  it('is noticed in another tab of its user, and not in that of another user', async () => {
    const page = await open()
    const notice = (one: Page) => one.getByText('You have this flag open in another tab')
    const other = await page.context().newPage()
    await other.goto(host.url(path))
    await notice(page).waitFor()
    await notice(other).waitFor()
    await other.goto(host.url('/projects/default/flags/checkout?environment=development'))
    await notice(page).waitFor({ state: 'detached' })
    await rollout(other).waitFor()
    expect(await notice(other).count()).toBe(0)
  })
})
