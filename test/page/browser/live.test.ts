import type { Page } from 'playwright-core'
import { findings } from '../support/axe'
import { show, useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { expectOff, requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

const streamsAre = (count: number) => until(() => host.streams() === count, `${count} streams are open`)

describe('the connection of a tab', () => {
  it('is shared by all screens, and closed while the tab is hidden and after it is closed', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const page = await browser.visit(host.as('ben'))
    await expectText(page.getByRole('banner'), 'Live')
    await page.getByRole('link', { name: 'The new checkout' }).click()
    await requestScreen(page).state.waitFor()
    await page.getByRole('link', { name: 'Log' }).click()
    await page.getByRole('heading', { level: 1, name: 'Log' }).waitFor()
    expect(host.streams()).toBe(1)
    expect(host.received(/ text\/event-stream/)).toHaveLength(1)

    await show(page, 'hidden')
    await streamsAre(0)
    await host.setState('ben', id, 'Approved')
    await show(page, 'visible')
    await streamsAre(1)
    await expectText(page.getByRole('region', { name: 'Events' }), /approv/)
    await page.close()
    await streamsAre(0)
  })
})

describe('a change request that other users edit while it is open', () => {
  it('keeps its content until the viewer opens the change; votes are disabled until then', async () => {
    const id = await host.inReview(roll('checkout', 'checkout-half', '75'), 'More checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { main, comment, button, state } = requestScreen(page)
    await comment.fill('Fine for Friday.')
    await expectText(main, /75.%/)
    const seen = await content(page)
    await edit(id)

    await expectText(page.getByRole('status'), /Ann.* changed the content while you looked/)
    await expectOff(button('Approve'))
    await expectOff(button('Reject…'))
    expect(await content(page)).toBe(seen)
    expect(await comment.inputValue()).toBe('Fine for Friday.')

    await button('Show what changed').first().click()
    await expectText(main, /Changed since you looked/)
    expect(await content(page)).not.toBe(seen)
    const isAtContent = () => page.evaluate<boolean>('document.activeElement.closest("[id], tr, article") !== null')
    await until(isAtContent, 'the focus is at what changed')
    await expectOff(button('Approve'), false)
    await button('Approve').click()
    await expectText(state, /Approved/)
  })

  it('is announced in an open dialog too, which then sends nothing', async () => {
    const id = await host.inReview(roll('checkout', 'checkout-half', '75'), 'More checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, dialog, main } = requestScreen(page)
    await button('Reject…').click()
    await dialog.getByRole('textbox').fill('Too many changes.')
    await edit(id)
    await expectText(dialog, /Disabled until you have seen what changed/)
    await expectOff(button(/^Reject/, dialog))
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await button('Show what changed').first().click()
    await expectText(main, /Changed since you looked/)
    await button('Reject…').click()
    await until(
      async () => (await dialog.getByRole('textbox').inputValue()) === 'Too many changes.',
      'the reason is there',
    )
  })

  it('keeps the seen content also after another screen, until the viewer opens the change', async () => {
    const id = await host.inReview(roll('checkout', 'checkout-half', '75'), 'More checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { main, button } = requestScreen(page)
    await expectText(main, /75.%/)
    const seen = await content(page)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await edit(id)
    await page.goBack()
    await expectText(page.getByRole('status'), /changed the content while you looked/)
    await expectOff(button('Approve'))
    expect(await content(page)).toBe(seen)
  })

  it('is described with the names at that time', async () => {
    const change = (title: string) => {
      const parameters = { rollout: '75', stickiness: 'default', groupId: 'checkout' }
      const payload = { id: 'checkout-half', name: 'flexibleRollout', title, parameters, constraints: [], segments: [] }
      return { action: 'updateStrategy', feature: 'checkout', payload } as const
    }
    const id = await host.inReview(change('Three of four'), 'More checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const activity = page.getByRole('listitem').filter({ hasText: 'added' })
    await expectText(activity, 'Strategy “Three of four” edited')
    await host.changeFlags(change('Renamed'))
    await expectText(page.locator('.bars'), 'Renamed')
    await expectText(activity, 'Strategy “Three of four” edited')
  })

  it('shows votes and requirements of other users immediately', async () => {
    const id = await host.inReview(enable('pay-by-card'), 'Cards')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { main, button } = requestScreen(page)
    await expectText(main, /Needs 1 approval: anyone in payments\./)
    await host.setState('cara', id, 'Approved')
    await expectText(page.getByRole('region', { name: 'Votes' }), /Cara Mori.*approved/)
    await expectText(page.getByRole('region', { name: 'Requirements' }), /1 of 2 met/)
    await expectOff(button('Approve'), false)
  })
})

describe('the inbox', () => {
  it('misses nothing that happens between its request and the event stream', async () => {
    await host.inReview(roll('checkout', 'checkout-half', '30'), 'Fewer see it')
    const open = host.hold(/ text\/event-stream/)
    const page = await browser.visit(host.as('ben'))
    const row = page.getByRole('listitem').filter({ hasText: 'Fewer see it' })
    await expectText(row, /In review/)
    expect(await row.textContent()).not.toMatch(/Overwrites/)
    await host.changeFlags(roll('checkout', 'checkout-half', '60'))
    expect(host.received(/\/reviews\?/)).toHaveLength(1)
    open()
    await expectText(row, /Overwrites/)
  })

  it('shows the first row of an empty list by itself; further rows wait, so that nothing moves under the pointer', async () => {
    // An empty log has no stream yet.
    await host.recordFlag('default', 'checkout')
    const page = await browser.visit(host.as('ben'))
    await expectText(page.getByRole('main'), 'Nothing needs you')
    await expectText(page.getByRole('banner'), 'Live')
    await host.inReview(enable('checkout'), 'The new checkout')
    const row = page.getByRole('link', { name: 'The new checkout' })
    await row.waitFor()
    expect(await page.getByRole('button', { name: /new$/ }).count()).toBe(0)
    const before = await row.boundingBox()
    await host.inReview(enable('dark-mode'), 'Dark mode', 'fay')
    await page.getByRole('button', { name: '1 new' }).waitFor()
    expect(await row.boundingBox()).toEqual(before)
    expect(await page.getByRole('link', { name: 'Dark mode' }).count()).toBe(0)
    await page.getByRole('button', { name: '1 new' }).click()
    await page.getByRole('link', { name: 'Dark mode' }).waitFor()
  })
})

describe('loading the page', () => {
  it('shows the frame and loads the code of its screen before the user is known, and nothing of other screens', async () => {
    await host.inReview(enable('checkout'), 'The new checkout')
    const known = host.hold(/\/api\/admin\/me /)
    const page = await browser.visit(host.as('ben'))
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log' }).waitFor()
    await expectText(page.getByRole('main'), /Loading/)
    await until(() => host.received(/\/inbox-[^/]*\.js /).length === 1, 'the code is requested')
    expect(await page.getByText('Ben Ode').count()).toBe(0)
    expect(host.received(/\/reviews/)).toEqual([])
    known()
    await page.getByRole('link', { name: 'The new checkout' }).waitFor()
    await expectText(page.getByRole('banner'), 'Ben Ode')
  })

  it.each([
    ['request', requestPath(1), [/\/change-requests\/1\/review /, /\/change-requests\/1\/timeline /], 'More checkout'],
    ['log', '/log', [/\/search\/events\?limit=100 /], 'checkout'],
    [
      'settings',
      '/settings?project=default',
      [/\/reviews\?needs=all/, /default\/change-requests\/config /],
      'production',
    ],
  ])('requests the data of its screen once: %s', async (_name, path, requests, text) => {
    await host.inReview(roll('checkout', 'checkout-half', '75'), 'More checkout')
    const page = await browser.visit(host.as('ben', path))
    await expectText(page.getByRole('main'), text)
    await expectText(page.getByRole('banner'), 'Live')
    expect(requests.map((request) => host.received(request).length)).toEqual(requests.map(() => 1))
  })
})

/** Ann gives the first change another rollout. */
async function edit(id: number): Promise<void> {
  const { features } = await host.call<{ features: { changes: { id: number }[] }[] }>('ann', 'GET', requestPath(id))
  const change = features[0]?.changes[0]?.id
  await host.call('ann', 'PUT', `${requestPath(id)}/changes/${change}`, roll('checkout', 'checkout-half', '100'))
}

/** The text of the tables of changes. */
async function content(page: Page): Promise<string> {
  return (await page.getByRole('table').allInnerTexts()).join('\n')
}
