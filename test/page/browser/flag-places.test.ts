import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import type { ChangeRequestView } from '../../../src/generated'
import { useBrowser } from '../support/browser'
import { expectFocus, type Hand, hands, mouse, tabTo } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { expectOff, requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
const express4 = require(join(__dirname, '../../../node_modules/express4'))
let host: PageHost

afterEach(() => host.close())

const flagPath = (name: string) => `/projects/default/flags/${name}?environment=production`
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const search = (page: Page, name = 'Flag') => page.getByRole('combobox', { name })
const rollout = (within: Page | Locator) => within.getByLabel('Rollout', { exact: true })

/** Opens the window of the proposal, once what the edit does is known. */
async function propose(page: Page): Promise<void> {
  const { button } = requestScreen(page)
  await expectOff(button('Propose…').first(), false)
  await button('Propose…').first().click()
  await button('Send to review').click()
}

const requestOf = (id: number) => host.call<ChangeRequestView>('ann', 'GET', requestPath(id))
const changesOf = async (id: number) => (await requestOf(id)).features.flatMap(({ changes }) => changes)

describe('a flag to propose a change for', () => {
  it.each(hands)('is found by three letters, below a prefix and on Express 4, $name', async (hand: Hand) => {
    host = await startHost({ mount: '/tools/flags/review', express: express4 })
    await host.addFlags(['check-in', 'check-out'])
    const page = await browser.visit(host.as('ann'))
    await hand.press(page.getByRole('link', { name: 'Propose a change' }).first())
    await hand.press(page.getByRole('button', { name: 'production' }))
    await (hand === mouse ? search(page).click() : tabTo(search(page)))
    await page.keyboard.type('che')
    const option = (name: string) => page.getByRole('option', { name, exact: true })
    await option('checkout').waitFor()
    const active = async () => page.locator(`[id="${await search(page).getAttribute('aria-activedescendant')}"]`)
    expect(await (await active()).textContent()).toBe('check-in')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await (await active()).textContent()).toBe('checkout')
    expect(await option('checkout').getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Enter')
    await heading(page, 'checkout').waitFor()
    expect(page.url()).toBe(host.url(flagPath('checkout')))
    await page.goBack()
    await option('checkout').waitFor({ state: 'detached' })
    await page.keyboard.type('check-o')
    await page.keyboard.press('Enter')
    await heading(page, 'check-out').waitFor()
  })

  it('is that of the address, without another entry of the history', async () => {
    host = await startHost()
    const page = await browser.visit(host.as('ann'))
    await page.getByRole('link', { name: 'Settings' }).click()
    await heading(page, 'Settings').waitFor()
    await page.evaluate(`location.href = '${host.url('/new?project=default&environment=production&feature=checkout')}'`)
    await heading(page, 'checkout').waitFor()
    expect(page.url()).toBe(host.url(flagPath('checkout')))
    await page.goBack()
    await heading(page, 'Settings').waitFor()
  })

  it('can be typed if the search finds none, and its screen says if there is none', async () => {
    host = await startHost()
    host.refuse(/\/flags\?query=/, { status: 503, name: 'UnavailableError' })
    const page = await browser.visit(host.as('ann', '/new?project=default&environment=production'))
    await search(page).fill('nowhere')
    await page.getByRole('option', { name: 'nowhere' }).click()
    await expectText(page.getByRole('main'), /no flag named nowhere/)
  })

  it('is searched in the chosen project, and by nobody who cannot propose', async () => {
    host = await startHost()
    const projects = ['default', ...Array.from({ length: 8 }, (_, n) => `shop-${n}`)]
    const page = await browser.visit(host.as('ann', '/settings'))
    await page.route(/\/places(\?|$)/, async (route) => {
      const query = new URL(route.request().url()).searchParams.get('query') ?? ''
      const environments = [{ name: 'production', type: 'production', changeRequestsEnabled: true }]
      const places = projects.filter((one) => one.includes(query)).map((project) => ({ project, environments }))
      await route.fulfill({ json: { places, complete: false } })
    })
    await page.goto(host.url('/new'))
    await search(page, 'Project').fill('def')
    await page.getByRole('option', { name: 'shop-1' }).waitFor({ state: 'detached' })
    await page.getByRole('option', { name: 'default' }).waitFor()
    await page.keyboard.press('Enter')
    await expectFocus(search(page))
    await expectText(page.getByRole('main'), /production\s*of default/)
    await page.getByRole('button', { name: 'Another project' }).click()
    await search(page, 'Project').fill('of-my-own')
    await page.getByRole('option', { name: 'of-my-own' }).click()
    await search(page, 'Environment').waitFor()

    const reader = await browser.visit(host.as('eve', '/new'))
    await expectText(reader.getByRole('main'), /You can't propose changes/)
  })
})

describe('an open change request of the author', () => {
  it('is named with what an addition voids, and gets it only on the second press, on the revision that was shown', async () => {
    host = await startHost()
    const id = await host.approved(enable('dark-mode'), 'Dark for all')
    const page = await browser.visit(host.as('ann', flagPath('checkout')))
    const { state, dialog, button } = requestScreen(page)
    await rollout(page).fill('75')
    await propose(page)
    await expectText(dialog, /#1 Dark for all is Approved[\s\S]*checkout: Strategy “Gradual rollout” edited/)
    await expectText(dialog, /Voids 1 approval\. Returns it to review\./)
    await expectText(dialog, /loses its 1 approval\. You can propose #1 again afterwards\./)
    expect(await host.stateOf(id)).toBe('Approved')
    await host.comment('ben', id, 'Wait for the sale.')
    await button(`Add to #${id}`).click()
    await expectText(dialog, /Another user was first, so nothing was changed/)
    await button(`Add to #${id}`).click()
    await expectText(state, /In review/)
    expect((await changesOf(id)).map(({ action }) => action)).toEqual(['updateEnabled', 'updateStrategy'])
    const sent = host.received(/^POST .*change-requests application/).map(({ headers }) => headers)
    expect(sent.map((headers) => headers['if-none-match'] ?? headers['if-match'])).toEqual([
      '*',
      expect.stringMatching(/^"/),
      expect.stringMatching(/^"/),
    ])
    expect(new Set(sent.map((headers) => headers['idempotency-key'])).size).toBe(3)
  })

  it('has its change of the same target replaced, all else is added, and each later call can be tried again', async () => {
    host = await startHost()
    const id = await host.propose([roll('checkout', 'checkout-half', '60'), enable('dark-mode')], 'Two things')
    const page = await browser.visit(host.as('ann', flagPath('checkout')))
    const { dialog, button, state } = requestScreen(page)
    await rollout(page).fill('75')
    await page.getByRole('switch', { name: 'Flag in production' }).click()
    await propose(page)
    await expectText(dialog, /Replaces checkout: Strategy “Gradual rollout” edited \(50.% → 60.%.*\) by 50.% → 75.%/)
    await expectText(dialog, /Adds checkout: Switched on/)
    const end = host.refuse(/^POST .*change-requests application/, { status: 400, name: 'BadDataError' })
    await button(`Replace and add to #${id}`).click()
    await expectText(dialog, /The step failed/)
    expect(await dialog.getByText(/^ Replaces/).count()).toBe(0)
    end()
    await button('Try again').click()
    await expectText(state, /In review/)
    const changes = await changesOf(id)
    expect(changes.map(({ action, payload }) => [action, payload])).toEqual([
      ['updateEnabled', { enabled: true }],
      [
        'updateStrategy',
        { id: 'checkout-half', parameters: { rollout: '75', stickiness: 'default', groupId: 'demo' } },
      ],
      ['updateEnabled', { enabled: true }],
    ])
    expect(host.received(/^PUT .*changes/)).toHaveLength(1)
  })

  it('gets the change as the flag is by then', async () => {
    host = await startHost()
    const id = await host.propose(enable('dark-mode'), 'Dark for all')
    const page = await browser.visit({ ...host.as('ann', flagPath('checkout')), behind: true })
    const { button, main } = requestScreen(page)
    await rollout(page).fill('75')
    await propose(page)
    await button(`Add to #${id}`).waitFor()
    const title = { action: 'updateStrategy', feature: 'checkout', payload: { id: 'checkout-half', title: 'Norway' } }
    await host.changeFlags(title)
    await button(`Add to #${id}`).click()
    await expectText(main, '2 changes')
    const added = (await changesOf(id)).find(({ action }) => action === 'updateStrategy')
    expect(Object.keys(added?.payload as object)).toEqual(['id', 'parameters'])
  })

  it('can be cancelled for the new one, and proposed again afterwards', async () => {
    host = await startHost()
    const id = await host.approved(enable('dark-mode'), 'Dark for all')
    const page = await browser.visit(host.as('ann', flagPath('checkout')))
    const { button, state } = requestScreen(page)
    await rollout(page).fill('75')
    await propose(page)
    await button(`Cancel #${id} and propose only this`).click()
    await expectText(state, /In review/)
    await page.waitForURL(`**${requestPath(id + 1)}`)
    expect(await host.stateOf(id)).toBe('Cancelled')
    expect((await changesOf(id + 1)).map(({ action }) => action)).toEqual(['updateStrategy'])
    await page.goto(host.url(requestPath(id)))
    // Ann has another open change request now.
    await requestScreen(page).otherSteps.click()
    await page.getByRole('heading', { name: /Propose again/ }).waitFor()
  })

  it('is added to from its screen, by the screen of another flag', async () => {
    host = await startHost()
    const id = await host.propose(enable('dark-mode'), 'Dark for all')
    const page = await browser.visit(host.as('ann', requestPath(id)))
    const { button, main } = requestScreen(page)
    await page.getByRole('link', { name: 'Add a change' }).click()
    await search(page).pressSequentially('che')
    await page.getByRole('option', { name: 'checkout' }).click()
    await rollout(page).fill('75')
    await propose(page)
    await button(`Add to #${id}`).click()
    await expectText(main, '2 changes')
  })
})

describe('a segment', () => {
  it('is found by its name, edited, and proposed for all environments', async () => {
    host = await startHost()
    const page = await browser.visit(host.as('ann', '/new?project=default&environment=production'))
    const { button, main, state } = requestScreen(page)
    await button('A segment instead').click()
    await search(page, 'Segment').pressSequentially('bet')
    await page.getByRole('option', { name: 'Beta testers' }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Beta testers').waitFor()
    await expectText(main, /all environments\s*of default[\s\S]*Used by new-search\./)
    await page.getByLabel('Description', { exact: true }).fill('Those who dare')
    await expectText(main, /was Users who signed up for early access/)
    await page.getByRole('textbox', { name: /^Values/ }).fill('@example.org')
    await page.keyboard.press('Enter')
    await page.reload()
    expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe('Those who dare')
    await propose(page)
    await expectText(state, /In review/)
    const { segments } = await requestOf(1)
    const before = (await host.segment(1)) as { name: string; constraints: { values: string[] }[]; project: null }
    const [constraint] = before.constraints
    expect(segments.map(({ action, payload }) => [action, payload])).toEqual([
      [
        'updateSegment',
        {
          ...{ id: 1, name: 'Beta testers', project: before.project, description: 'Those who dare' },
          constraints: [{ ...constraint, values: [...(constraint?.values ?? []), '@example.org'] }],
        },
      ],
    ])
    await host.setState('ben', 1, 'Approved')
    await host.setState('ben', 1, 'Applied')
    expect(await host.segment(1)).toMatchObject({ description: 'Those who dare' })
  })

  it('is deleted from its menu, which can be undone, and opened by its id', async () => {
    host = await startHost()
    const page = await browser.visit(host.as('ann', '/new?project=default&environment=production'))
    const { button, state, main } = requestScreen(page)
    await button('A segment instead').click()
    await search(page, 'Segment').fill('1')
    await page.getByRole('option', { name: 'Segment 1' }).click()
    await heading(page, 'Beta testers').waitFor()
    const remove = async () => {
      await page.locator('summary', { hasText: 'More' }).click()
      await button('Delete the segment').click()
      await expectText(main, /This deletes the segment in all environments/)
    }
    await remove()
    await button('Undo deleting').click()
    await expectOff(button('Propose…').first())
    await remove()
    await propose(page)
    await expectText(state, /In review/)
    expect((await requestOf(1)).segments.map(({ action, payload }) => [action, payload])).toEqual([
      ['deleteSegment', { id: 1 }],
    ])
  })
})
