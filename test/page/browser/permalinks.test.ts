import type { Locator, Page } from 'playwright-core'
import type { ReviewView } from '../../../src/generated'
import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import { expectFocus } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { proposeMany } from '../support/large'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

const three = [roll('checkout', 'checkout-half', '30'), enable('dark-mode'), enable('new-search')]

const open = (id: number, hash: string) => browser.visit(host.as('ben', requestPath(id) + hash))
const reviewOf = (id: number) => host.call<ReviewView>('cara', 'GET', `${requestPath(id)}/review`)
const changesOf = async (id: number) => (await reviewOf(id)).changes.map((change) => change.id)
const changeOf = async (id: number, flag: string) =>
  (await reviewOf(id)).changes.find(({ feature }) => feature === flag)?.id
const edit = (id: number, change: number | undefined, rollout: string) =>
  host.call('ann', 'PUT', `${requestPath(id)}/changes/${change}`, roll('checkout', 'checkout-half', rollout))
const commentAt = (id: number, changeId: number | undefined, text: string) =>
  host.call('ann', 'POST', `${requestPath(id)}/comments`, { text, changeId })

/** Waits until the address names the part, which is focused, marked and in the window. */
async function expectLinked(page: Page, part: Locator): Promise<void> {
  await expectFocus(part)
  const isMarked = `!!document.activeElement.matches('[data-linked]') && location.hash === '#' + document.activeElement.id`
  await until(() => page.evaluate<boolean>(isMarked), `${part} is marked`)
  expect(await page.locator('[data-linked]').count()).toBe(1)
  await until(
    () => part.evaluate((one) => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().top < 900),
    `${part} is in the window`,
  )
}

const change = (page: Page, id: number | undefined) => page.locator(`[data-change="${id}"]`)
const activity = (page: Page) => page.getByRole('region', { name: 'Activity' })

describe('the link of a change', () => {
  it('is its heading, and marks it; back and forward too', async () => {
    const id = await host.inReview(three, 'Three at a time')
    const [first, , last] = await changesOf(id)
    const page = await open(id, `#change-${last}`)
    await expectLinked(page, change(page, last))
    expect(await findings(page)).toEqual([])
    await change(page, first)
      .getByRole('link', { name: /^Strategy/ })
      .click()
    await expectLinked(page, change(page, first))
    await page.goBack()
    await expectLinked(page, change(page, last))
  })

  it('goes to the change that replaced it, over several edits', async () => {
    const id = await host.inReview(three, 'Three at a time')
    const [first] = await changesOf(id)
    await edit(id, first, '40')
    await edit(id, await changeOf(id, 'checkout'), '45')
    const current = await changeOf(id, 'checkout')
    const page = await open(id, `#change-${first}`)
    await expectText(change(page, current), /45.%/)
    await expectLinked(page, change(page, current))
    await page.reload()
    await expectLinked(page, change(page, current))
  })

  it('says that the change is gone, and works again for the next one', async () => {
    const id = await host.inReview(three, 'Three at a time')
    const [first, second] = await changesOf(id)
    await host.call('ann', 'DELETE', `${requestPath(id)}/changes/${first}`)
    const page = await open(id, `#change-${first}`)
    const gone = page.getByRole('heading', { name: 'The linked change no longer exists' })
    await gone.waitFor()
    await page.evaluate(`location.hash = '#change-${second}'`)
    await expectLinked(page, change(page, second))
    await gone.waitFor({ state: 'detached' })
    await page.evaluate("location.hash = '#comment-99'")
    await page.getByRole('heading', { name: 'The linked comment no longer exists' }).waitFor()
  })

  it('unfolds the flag of the change', async () => {
    const payload = (groupId: string) => {
      return { name: 'flexibleRollout', constraints: [], parameters: { rollout: '10', stickiness: 'default', groupId } }
    }
    const added = Array.from({ length: 11 }, (_, index) => {
      return { action: 'addStrategy', feature: 'checkout', payload: payload(`group-${index}`) }
    })
    const id = await host.inReview(added, 'Eleven strategies')
    const last = (await changesOf(id)).at(-1)
    const page = await open(id, '')
    await requestScreen(page).button('Collapse').click()
    await change(page, last).waitFor({ state: 'hidden' })
    await page.evaluate(`location.hash = '#change-${last}'`)
    await expectLinked(page, change(page, last))
  })

  it('unfolds its group among 100 changes, and so does that of a comment at a change', async () => {
    const id = await proposeMany(host, 0.2)
    const { discussion } = await reviewOf(id)
    const found = await changeOf(id, 'flag-d-009')
    const page = await open(id, `#change-${found}`)
    await expectLinked(page, change(page, found))
    const [comment] = discussion
    await page.goto(host.url(`${requestPath(id)}#comment-${comment?.id}`))
    await expectText(change(page, comment?.changeId ?? 0), 'Is it ready?')
    await expectLinked(page, change(page, comment?.changeId ?? 0).getByRole('listitem'))
  })
})

describe('the link of a comment', () => {
  it('goes to its change while it is unresolved, else to the activity, where it unfolds', async () => {
    const id = await host.inReview(three, 'Three at a time')
    const [first] = await changesOf(id)
    await commentAt(id, first, 'Why so few?')
    const page = await open(id, '#comment-1')
    await expectLinked(page, change(page, first).getByRole('listitem'))
    await host.call('ann', 'PUT', `${requestPath(id)}/comments/1/resolution`, { resolved: true })
    await page.reload()
    const inActivity = activity(page).getByRole('listitem').filter({ hasText: 'Why so few?' })
    await expectLinked(page, inActivity)
    await inActivity.getByText('Why so few?').waitFor()
    await inActivity.getByRole('link', { name: 'Link to this comment' }).waitFor()
    expect(await findings(page)).toEqual([])
  })

  it('shows earlier entries, and comments where only events are shown', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    for (let index = 0; index < 105; index++) await host.comment('ann', id, `Comment ${index}`)
    const page = await open(id, '#comment-2')
    await expectLinked(page, activity(page).locator('#comment-2'))
    await page.getByRole('button', { name: /^Events/ }).click()
    await activity(page).locator('#comment-3').waitFor({ state: 'detached' })
    await page.evaluate("location.hash = '#comment-3'")
    await expectLinked(page, activity(page).locator('#comment-3'))
  })

  it('survives the sign-in of the host, which returns to the address without it', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    await host.comment('ann', id, 'Who tells support?')
    const page = await browser.visit({ url: host.url(`${requestPath(id)}#comment-1`) })
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByText('The host signs people in here.').waitFor()
    await page.context().addCookies([{ name: 'person', value: 'ben', url: host.url() }])
    await page.goto(new URL(new URL(page.url()).searchParams.get('returnTo') ?? '', host.url()).href)
    await expectLinked(page, activity(page).locator('#comment-1'))
    await page.goto(host.url(requestPath(id)))
    await requestScreen(page).state.waitFor()
    expect(new URL(page.url()).hash).toBe('')
  })
})

describe('unresolved comments', () => {
  it('stand below their change, also after an edit, and their number beside the buttons', async () => {
    const id = await host.inReview(three, 'Three at a time')
    const [first, second] = await changesOf(id)
    await commentAt(id, first, 'Why so few?')
    await commentAt(id, second, 'Dark for all?')
    await host.comment('ann', id, 'In general, fine.')
    const page = await open(id, '')
    const decision = page.getByRole('region', { name: 'Your decision' })
    const link = decision.getByRole('link', { name: /unresolved comment/ })
    await expectText(link, /^2 unresolved comments$/)
    for (const _ of ['first', 'again']) {
      await link.click()
      await expectLinked(page, change(page, first).getByRole('listitem'))
      await requestScreen(page).say.focus()
    }
    await edit(id, first, '40')
    await requestScreen(page).button('Show what changed').first().click()
    const current = await changeOf(id, 'checkout')
    await expectText(change(page, current), /Before an edit.*Why so few\?/)

    await host.call('ann', 'PUT', `${requestPath(id)}/comments/1/resolution`, { resolved: true })
    await page.reload()
    await expectText(link, /^1 unresolved comment$/)
    expect(await page.locator('.change').getByText('Why so few?').count()).toBe(0)
    await host.call('ann', 'PUT', `${requestPath(id)}/comments/2/resolution`, { resolved: true })
    await page.reload()
    await decision.waitFor()
    expect(await link.count()).toBe(0)
  })

  it('go away when one is deleted meanwhile', async () => {
    const id = await host.inReview(three, 'Three at a time')
    const [first] = await changesOf(id)
    await commentAt(id, first, 'Why so few?')
    const page = await open(id, '')
    await page.getByRole('link', { name: '1 unresolved comment' }).waitFor()
    await host.call('ann', 'DELETE', `${requestPath(id)}/comments/1`)
    await page.reload()
    await expectText(activity(page), /Comment deleted by Ann Lee/)
    expect(await page.getByText(/unresolved comment/).count()).toBe(0)
    expect(await change(page, first).getByRole('listitem').count()).toBe(0)
  })
})
