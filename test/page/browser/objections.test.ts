import type { Page } from 'playwright-core'
import type { ReviewView } from '../../../src/generated'
import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import { expectFocus, keyboard } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import type { PersonName } from '../support/people'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
const objecting = /^PUT .*\/objection /
let host: PageHost

beforeAll(async () => {
  host = await startHost({ objections: true })
})
afterAll(() => host.close())

const open = async (
  who: PersonName,
  id: number,
  visit: { readonly behind?: boolean; readonly width?: number } = {},
) => {
  const { behind = false, width = 1280 } = visit
  const page = await browser.visit({ ...host.as(who, requestPath(id)), behind, viewport: { width, height: 800 } })
  const screen = requestScreen(page)
  await screen.state.waitFor()
  const objections = page.getByRole('region', { name: /^Objections/ })
  return { page, objections, votes: page.getByRole('region', { name: 'Votes' }), ...screen }
}

const reviewOf = (id: number) => host.call<ReviewView>('cara', 'GET', `${requestPath(id)}/review`)
const objectionsOf = async (id: number) => (await reviewOf(id)).objections ?? []

/** Closed at the end of a test, so that its author and flag are free for the next one. */
async function closing(id: number, test: () => Promise<void>): Promise<void> {
  try {
    await test()
  } finally {
    if (!/Applied|Rejected|Cancelled/.test(await host.stateOf(id))) await close(id)
  }
}

async function close(id: number): Promise<void> {
  const scheduled = (await host.stateOf(id)) === 'Scheduled'
  await host.setState('cara', id, scheduled ? 'Rejected' : 'Cancelled')
}

async function object(page: Page, text: string): Promise<void> {
  const { button, dialog } = requestScreen(page)
  await button('Object…').click()
  await dialog.getByRole('textbox').fill(text)
  await button('Object', dialog).click()
  await dialog.waitFor({ state: 'detached' })
}

describe('an objection', () => {
  it('by keyboard alone: suspends the schedule, is seen by others, is replaced and lifted', async () => {
    const id = await host.approved(enable('checkout'), 'The new checkout')
    await closing(id, async () => {
      await host.setState('ben', id, 'Scheduled', { scheduledAt: new Date(Date.now() + 86_400_000).toISOString() })
      const ann = await browser.visit(host.as('ann', '/?needs=mine'))
      const ben = await open('ben', id)
      const { page, button, dialog, objections, state, main } = await open('dan', id)
      const { digest } = await reviewOf(id)

      await keyboard.press(button('Object…'))
      await expectText(dialog, /It can't be applied until you lift the objection.*The schedule is suspended\./s)
      await keyboard.write(dialog.getByRole('textbox', { name: 'Why' }), 'Not before the load test.')
      const sent = page.waitForRequest((request) => request.url().endsWith('/objection'))
      await keyboard.press(button('Object', dialog))
      expect((await sent).postDataJSON()).toEqual({ text: 'Not before the load test.', digest })
      await expectText(objections, /You objected.*Not before the load test\./s)
      await expectText(state, /Schedule suspended/)
      await expectText(main, /A reviewer objected\. Nothing was applied\./)

      await expectText(ben.objections, /Dan Roe objected.*Not before the load test\./s)
      await expectText(ben.page.getByRole('banner').or(ben.main), /1 objection/)
      await expectText(ben.page.locator('#decide-section'), /Dan Roe objected\. It can't be applied/)
      expect(await ben.button('Apply to production now').count()).toBe(0)
      await expectText(ann.getByRole('listitem').filter({ hasText: 'The new checkout' }), /1 objection/)

      await keyboard.press(button('Replace…'))
      await keyboard.write(dialog.getByRole('textbox', { name: 'Why' }), 'Not before noon.')
      await keyboard.press(button('Object', dialog))
      await expectText(objections, /Not before noon\./)
      await objections.getByText('1 ended objection').click()
      await expectText(objections, /replaced by a later objection/)
      expect(await findings(page)).toEqual([])

      await keyboard.press(button('Lift my objection'))
      await expectText(objections, /^Objections\s*2 ended objections/)
      await expectFocus(page.locator('#decide-section'))
      await expectText(page.getByRole('region', { name: 'Activity' }), /Dan Roe lifted the objection/)
      await expectText(state, /Schedule suspended/)
      expect((await objectionsOf(id)).map(({ ended }) => ended?.how)).toEqual(['replaced', 'lifted'])
    })
  })

  it('is lifted by the approval of the user, whose button shows that', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    await closing(id, async () => {
      const { page, button, objections, state, main } = await open('dan', id)
      await object(page, 'Is support ready?')
      await expectText(main, /Approving lifts your objection, and applies nothing\./)
      expect(await button('Object…').count()).toBe(0)
      await button('Approve and lift objection').first().click()
      await expectText(state, /Approved/)
      await objections.getByText('1 ended objection').click()
      await expectText(objections, /ended by the approval of Dan Roe/)
    })
  })

  it('is dismissed by an admin, with a reason; that applies what waited for it', async () => {
    const id = await host.approved(enable('dark-mode'), 'Dark for all')
    await host.object('dan', id, 'Too dark.')
    await host.call('cara', 'PUT', `${requestPath(id)}/scheduling`, { scheduledAt: 'approval' })
    const { button, dialog, objections, state } = await open('cara', id)
    await button('Dismiss…').click()
    await expectText(dialog, /Dan Roe objected:.*Too dark\..*Dismissing it applies this immediately\./s)
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Too short')
    expect(await button('Dismiss and apply', dialog).getAttribute('aria-disabled')).toBe('true')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Dan is away; design has agreed.')
    await button('Dismiss and apply', dialog).click()
    await expectText(state, /Applied/)
    await objections.getByText('1 ended objection').click()
    await expectText(objections, /dismissed by Cara Mori: “Dan is away; design has agreed\.”/)
  })

  it('stays after an edit, marked as outdated, and an emergency names it', async () => {
    const id = await host.approved(roll('checkout', 'checkout-half', '75'), 'More checkout')
    await host.object('dan', id, 'Not at 75.')
    const request = await host.call<{ features: { changes: { id: number }[] }[] }>('ann', 'GET', requestPath(id))
    const path = `${requestPath(id)}/changes/${request.features[0]?.changes[0]?.id}`
    await host.call('ann', 'PUT', path, roll('checkout', 'checkout-half', '60'))
    const { button, dialog, objections, main, page } = await open('cara', id)
    await expectText(objections, /Outdated The content has changed since\. It still blocks applying\./)
    await button('Apply in emergency…').click()
    await expectText(dialog, /A reviewer objected.*You override the objection of Dan Roe:.*Not at 75\./s)
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Nobody can pay since 10:40.')
    await button('Apply to production without review', dialog).click()
    await expectText(main, /the objection of Dan Roe/)
    await expectText(page.getByRole('region', { name: 'Activity' }), /1 open objection/)
  })

  it('is closed with the change request, shown with its copy, and printed', async () => {
    const id = await host.inReview(enable('new-search'), 'The new search')
    await host.object('dan', id, 'The index is stale.')
    await host.setState('ben', id, 'Rejected')
    const copy = (await host.call<{ id: number }>('ann', 'POST', `${requestPath(id)}/copy`)).id
    await host.setState('ann', copy, 'In review')
    await closing(copy, async () => {
      const { page, objections } = await open('ann', copy)
      await objections.getByText(`Objections of #${id}`).click()
      await expectText(objections, /Dan Roe objected · closed with the change request by Ben Ode/)
      await expectText(objections, /The index is stale\./)
      await page.emulateMedia({ media: 'print' })
      const record = page.getByRole('region', { name: 'Record' })
      await expectText(record, /Dan Roe \(user 4\) 20.*closed 20.*by Ben Ode \(user 2\)\. The index is stale\./)
      expect(await objections.getByRole('button').filter({ visible: true }).count()).toBe(0)
    })
  })
})

describe('an approval', () => {
  it('is taken back at the vote, on a phone, which returns the change request to review', async () => {
    const id = await host.approved(enable('checkout'), 'The new checkout')
    await closing(id, async () => {
      const { page, button, state, votes, main } = await open('ben', id, { width: 320 })
      await expectText(votes, /The change request returns to review\./)
      await button('Take back my approval').click()
      await expectText(state, /In review/)
      await expectText(page.getByRole('region', { name: 'Activity' }), /Ben Ode took the approval back/)
      await expectText(main, /You took your approval back on/)
      expect(await button('Take back my approval').count()).toBe(0)
      await object(page, 'Wait for the index.')
      expect(await findings(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect((await reviewOf(id)).voidedApprovals.map(({ cause }) => cause)).toEqual(['taken-back'])
    })
  })
})

describe('a step that fails', () => {
  let id: number
  beforeEach(async () => {
    id = await host.approved(enable('checkout'), 'The new checkout')
  })
  afterEach(() => close(id))

  it('409: an objection that has ended is shown as such', async () => {
    await host.object('dan', id, 'Not yet.')
    const { button, objections } = await open('dan', id, { behind: true })
    await button('Lift my objection').waitFor()
    const reason = 'Dan is away; all is fine.'
    await host.call('cara', 'POST', `${requestPath(id)}/objections/1/dismissal`, { reason })
    await button('Lift my objection').click()
    await objections.getByText('1 ended objection').click()
    await expectText(objections, /dismissed by Cara Mori/)
  })

  it('412: what was taken back for an older revision is not, until the user has seen the change', async () => {
    const { button, votes } = await open('ben', id, { behind: true })
    await button('Take back my approval').waitFor()
    await host.comment('ann', id, 'Support knows of it.')
    await button('Take back my approval').click()
    await expectText(votes, /Another user was first, so nothing was changed/)
    expect(await host.stateOf(id)).toBe('Approved')
    await button('Take back my approval').click()
    await votes.getByText(/Take back my approval|Taking back…/).waitFor({ state: 'detached' })
    expect(await host.stateOf(id)).toBe('In review')
  })

  it.each([
    { status: 503, name: 'UnavailableError', said: /Reconnecting/ },
    { status: 428, name: 'PreconditionRequiredError', said: /nothing was changed.*Your text is kept/is },
    { status: 403, name: 'PermissionError', said: /You can't object.*Your text is kept/s },
  ])('$status: the text is kept, and sent again', async ({ said, ...refusal }) => {
    const { button, dialog, objections } = await open('dan', id, { behind: true })
    const end = host.refuse(objecting, refusal)
    await button('Object…').click()
    await dialog.getByRole('textbox').fill('Not yet.')
    await button('Object', dialog).click()
    await expectText(dialog, said)
    expect(await dialog.getByRole('textbox').inputValue()).toBe('Not yet.')
    end()
    await button(refusal.status === 503 ? 'Retry now' : 'Object', dialog).click()
    await expectText(objections, /You objected/)
    expect(await objectionsOf(id)).toHaveLength(1)
  })

  it('a lost response and a double press: one objection', async () => {
    const { button, dialog, objections } = await open('dan', id, { behind: true })
    host.loseOnce(objecting)
    await button('Object…').click()
    await dialog.getByRole('textbox').fill('Not yet.')
    await button('Object', dialog).dblclick()
    await expectText(objections, /You objected/)
    expect(await objectionsOf(id)).toHaveLength(1)
  })
})

it('without the option there is nothing of it', async () => {
  const other = await startHost()
  const id = await other.approved(enable('checkout'), 'The new checkout')
  const page = await browser.visit(other.as('ben', requestPath(id)))
  const { button, main } = requestScreen(page)
  await button('Apply to production now').waitFor()
  await page.keyboard.press('o')
  await page.keyboard.press('?')
  await expectText(page.getByRole('dialog'), /reject…/)
  expect(await page.getByText(/object|take back/i).count()).toBe(0)
  await main.waitFor()
  await other.close()
})
