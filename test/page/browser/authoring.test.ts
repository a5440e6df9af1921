import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import type { ChangeRequestView, ReviewView } from '../../../src/generated'
import type { ChangeOfTest } from '../../examples/support/flag-host'
import { nightly } from '../../support/nightly'
import { useBrowser } from '../support/browser'
import { type Hand, hands, mouse, tabTo } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { normalizing } from '../support/normalizing'
import { expectOff, requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
const express4 = require(join(__dirname, '../../../node_modules/express4'))
let host: PageHost

afterEach(() => host.close())

const field = (page: Page | Locator, name: string | RegExp) => page.getByLabel(name, { exact: true })

/** Chooses an option; by keyboard with its first letters and the arrow key. */
async function choose(hand: Hand, select: Locator, option: string): Promise<void> {
  if (hand === mouse) return void (await select.selectOption({ label: option }))
  const { keyboard } = select.page()
  await tabTo(select)
  await keyboard.type(option)
  for (let steps = 0; steps < 30; steps += 1) {
    if ((await select.locator('option:checked').textContent()) === option) return
    await keyboard.press('ArrowDown')
  }
  throw new Error(`There is no option ${option}.`)
}

async function retype(hand: Hand, control: Locator, text: string): Promise<void> {
  await (hand === mouse ? control.click() : tabTo(control))
  await control.page().keyboard.press('Control+a')
  await control.page().keyboard.type(text)
}

async function check(hand: Hand, box: Locator): Promise<void> {
  if (hand === mouse) return box.check()
  await tabTo(box)
  await box.page().keyboard.press('Space')
}

const newPath = (feature: string) => `/new?project=default&environment=production&feature=${feature}`

const send = (page: Page) => page.getByRole('button', { name: 'Propose', exact: true })

describe('with an empty database, on the page only', () => {
  it.each(hands)('changes are proposed, edited, discarded, reviewed and applied $name', async (hand) => {
    host = await startHost({ mount: '/tools/flags/review', express: express4 })
    const page = await browser.visit(host.as('ann'))
    const { button, dialog, state, main } = requestScreen(page)
    await hand.press(page.getByRole('link', { name: 'Propose a change' }).first())
    await hand.write(field(page, 'Project'), 'default')
    await hand.write(field(page, 'Environment'), 'production')
    await hand.write(field(page, 'Flag'), 'check')
    await page.locator('datalist option[value=checkout]').waitFor({ state: 'attached' })
    await page.keyboard.type('out')
    await choose(hand, field(page, 'Action'), 'Enables or disables a flag')
    await expectText(page.getByRole('main'), /Now checkout is off in production\./)
    await check(hand, field(page, 'Enabled'))
    await hand.press(send(page))
    await expectText(state, /Draft/)

    await hand.press(button('Add a change'))
    await hand.write(field(dialog, 'Flag'), 'checkout')
    await choose(hand, field(dialog, 'Action'), 'Updates a strategy')
    await retype(hand, field(dialog, 'Rollout'), '60')
    await hand.press(button('Add the change'))
    await expectText(main, /60.%/)

    await hand.press(button('Add a change'))
    await hand.write(field(dialog, 'Flag'), 'checkout')
    await choose(hand, field(dialog, 'Action'), 'Replaces all variants of a flag in the environment')
    await hand.press(button('Add the change'))
    await expectText(main, /Variants/)

    await hand.press(button(/^Edit Strategy/))
    await retype(hand, field(dialog, 'Rollout'), '70')
    await hand.press(button('Save the change'))
    await expectText(main, /70.%/)
    await hand.press(button(/^Discard Variants/))
    await hand.press(button('Discard the change'))
    await button(/^Discard Variants/).waitFor({ state: 'detached' })
    await hand.press(button('Ask reviewers…'))
    await check(hand, dialog.getByRole('checkbox', { name: 'Ben Ode' }))
    await hand.press(button('Save', dialog))
    await dialog.waitFor({ state: 'detached' })
    await hand.press(button('Send to review'))
    await expectText(state, /In review/)

    const ben = await browser.visit(host.as('ben'))
    const review = requestScreen(ben)
    await hand.press(ben.getByRole('button', { name: 'Asked of you' }))
    await hand.press(ben.getByRole('link', { name: /^Change request #1/ }))
    await hand.press(review.button('Approve'))
    await expectText(review.state, /Approved/)
    await hand.press(review.button('Apply to production now'))
    await expectText(review.state, /Applied/)
    expect(await host.place('checkout')).toMatchObject({
      enabled: true,
      strategies: [{ parameters: { rollout: '70', stickiness: 'userId', groupId: 'demo' } }],
      variants: [],
    })
    expect(host.received(/^GET .*\/flags\?query=check/)).not.toEqual([])
  })
})

interface Strategy {
  readonly id: string
  readonly parameters: object
}

describe('a change of only the rollout', () => {
  const strategyOf = async () => (await host.current('checkout'))?.strategies?.[0] as unknown as Strategy

  it('is proposed, reviewed and applied as typed, with a store that normalizes flags', async () => {
    host = await startHost({ flags: normalizing })
    const before = await strategyOf()
    const page = await browser.visit(host.as('ann', newPath('checkout')))
    const { state, button, main } = requestScreen(page)
    await field(page, 'Action').selectOption('updateStrategy')
    await field(page, 'Rollout').fill('20')
    await send(page).click()
    await expectText(state, /Draft/)
    const { features } = await host.call<ChangeRequestView>('ann', 'GET', requestPath(1))
    const parameters = { ...before.parameters, rollout: '20' }
    expect(features[0]?.changes[0]?.payload).toEqual({ id: before.id, parameters })
    const { changes } = await host.call<ReviewView>('ann', 'GET', `${requestPath(1)}/review`)
    expect(changes[0]?.fields?.map(({ path, current, proposed }) => [path, current, proposed])).toEqual([
      ['/parameters/rollout', '50', '20'],
    ])
    await expectText(main, /50.% → 20.%/)
    await button('Send to review').click()
    await expectText(state, /In review/)
    await host.setState('ben', 1, 'Approved')
    await host.setState('ben', 1, 'Applied')
    expect(await strategyOf()).toEqual({ ...before, parameters })
  })
})

nightly('the actions of the gateway', () => {
  /** Values without a current one, and the choice of a strategy. */
  const typed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    addDependency: { Feature: 'dark-mode' },
    addReleasePlan: { 'Template id': 'careful-rollout' },
    addStrategy: { Name: 'userWithId' },
    deleteReleasePlan: { 'Plan id': 'a-plan' },
    deleteSegment: { Id: '1' },
    deleteStrategy: { Id: 'new-search-few' },
    startMilestone: { 'Plan id': 'a-plan', 'Milestone id': 'a-milestone' },
    updateMilestoneStrategy: { Id: 'a-strategy' },
    updateSegment: { Id: '1' },
    updateStrategy: { Id: 'new-search-few' },
  }

  it('can all be proposed, and send only current and typed values', async () => {
    host = await startHost()
    const page = await browser.visit(host.as('ann', newPath('new-search')))
    const { state, dialog, button } = requestScreen(page)
    await field(page, 'Action').selectOption('updateEnabled')
    await send(page).click()
    await expectText(state, /Draft/)
    await button('Add a change').click()
    const options = await field(dialog, 'Action')
      .locator('option')
      .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value))
    await button('Close', dialog).click()
    const actions = options.filter((one) => one !== '' && one !== 'updateEnabled')
    expect(actions).toHaveLength(14)
    for (const [index, action] of actions.entries()) {
      await button('Add a change').click()
      await field(dialog, 'Flag').fill('new-search')
      await field(dialog, 'Action').selectOption(action)
      await expectText(dialog, /Now new-search is on/)
      for (const [label, text] of Object.entries(typed[action] ?? {})) await field(dialog, label).fill(text)
      if (action === 'updateSegment') await until(async () => (await field(dialog, 'Name').inputValue()) !== '', 'read')
      await button('Add the change').click()
      await dialog.waitFor({ state: 'detached' })
      await expectText(page.getByRole('main'), `${index + 2} changes`)
    }
    const { features, segments } = await host.call<ChangeRequestView>('ann', 'GET', requestPath(1))
    const sent = [...features.flatMap(({ changes }) => changes), ...segments]
    const { strategies, variants } = await host.place('new-search')
    const { name, description, constraints, project } = (await host.segment(1)) as Record<string, unknown>
    expect(Object.fromEntries(sent.map(({ action, payload }) => [action, payload]))).toEqual({
      addDependency: { feature: 'dark-mode' },
      addReleasePlan: { templateId: 'careful-rollout' },
      addStrategy: { name: 'userWithId', constraints: [], parameters: {} },
      archiveFeature: {},
      deleteDependency: {},
      deleteReleasePlan: { planId: 'a-plan' },
      deleteSegment: { id: 1 },
      deleteStrategy: { id: 'new-search-few' },
      patchVariant: { variants },
      reorderStrategy: strategies.map(({ id, sortOrder }) => ({ id, sortOrder })),
      startMilestone: { planId: 'a-plan', milestoneId: 'a-milestone' },
      updateEnabled: { enabled: true },
      updateMilestoneStrategy: { id: 'a-strategy' },
      updateSegment: { id: 1, name, description, constraints, project },
      updateStrategy: { id: 'new-search-few' },
    })
  })
})

describe('a flag that changes while the user types', () => {
  const narrow = (id: string, more: object = {}): ChangeOfTest => ({
    action: 'updateStrategy',
    feature: 'checkout',
    payload: { id, ...more },
  })
  const norway = [{ contextName: 'country', operator: 'IN', values: ['NO'] }]

  it('keeps its new values for untouched fields, also after another screen', async () => {
    host = await startHost()
    const page = await browser.visit(host.as('ann', newPath('checkout')))
    const { state, main } = requestScreen(page)
    await field(page, 'Action').selectOption('updateStrategy')
    await field(page, 'Rollout').fill('20')
    await page.getByRole('link', { name: 'Inbox' }).first().click()
    await host.changeFlags(narrow('checkout-half', { title: 'Norway', constraints: norway }))
    await page.goBack()
    await expectText(main, /edited in the meantime[\s\S]*Norway/)
    expect(await field(page, 'Rollout').inputValue()).toBe('20')
    expect(await field(page, 'Title').inputValue()).toBe('Norway')
    await send(page).click()
    await expectText(main, /nothing was changed/)
    await send(page).click()
    await expectText(state, /Draft/)
    const [, id] = /change-requests\/(\d+)/.exec(page.url()) ?? []
    const { changes } = await host.call<ReviewView>('ann', 'GET', `${requestPath(Number(id))}/review`)
    expect(changes[0]?.fields?.map(({ path, proposed }) => [path, proposed])).toEqual([['/parameters/rollout', '20']])
  })

  it('stops the proposal, shows both values of a typed field, and sends the chosen one', async () => {
    host = await startHost()
    const page = await browser.visit({ ...host.as('ann', newPath('checkout')), behind: true })
    const { state, main, button } = requestScreen(page)
    await field(page, 'Action').selectOption('updateStrategy')
    await field(page, 'Rollout').fill('20')
    await host.changeFlags(roll('checkout', 'checkout-half', '30'))
    await send(page).click()
    await expectText(main, /you have 20, now it is 30/)
    expect(await host.call('ann', 'GET', '/projects/default/change-requests')).toEqual([])
    await button('Use the current values').click()
    expect(await field(page, 'Rollout').inputValue()).toBe('30')
    await field(page, 'Rollout').fill('25')
    await send(page).click()
    await expectText(state, /Draft/)
    await expectText(main, /30.% → 25.%/)
  })
})

describe('a flag', () => {
  it('can be typed if the search finds none, and is not sent if it does not exist', async () => {
    host = await startHost()
    host.refuse(/\/flags\?query=/, { status: 503, name: 'UnavailableError' })
    const page = await browser.visit(host.as('ann', newPath('')))
    await field(page, 'Action').selectOption('archiveFeature')
    await field(page, 'Flag').fill('check')
    await page.keyboard.press('Tab')
    await expectText(page.locator('.field.bad'), /no flag named check/)
    await expectOff(send(page))
    await field(page, 'Flag').fill('checkout')
    await page.keyboard.press('Tab')
    await expectText(page.getByRole('main'), /Now checkout is off/)
    await expectOff(send(page), false)
  })
})

describe('an open change request', () => {
  it('is named with what the change voids, and gets the change only on the second press', async () => {
    host = await startHost()
    const id = await host.approved(enable('dark-mode'), 'Dark for all')
    const page = await browser.visit(host.as('ann', newPath('checkout')))
    const { state, main, button } = requestScreen(page)
    await field(page, 'Action').selectOption('updateEnabled')
    await send(page).click()
    await expectText(main, /#1 Dark for all is Approved.* Voids 1 approval\. Returns it to review\./)
    expect(await host.stateOf(id)).toBe('Approved')
    await host.comment('ben', id, 'Wait for the sale.')
    await button(`Add to #${id}`).click()
    await until(() => host.received(/^POST/).length === 2, 'the change is sent on the revision that was shown')
    await button(`Add to #${id}`).click()
    await expectText(state, /In review/)
    expect(host.received(/^POST/).map(({ headers }) => headers['if-none-match'] ?? headers['if-match'])).toEqual([
      '*',
      expect.stringMatching(/^"/),
      expect.stringMatching(/^"/),
    ])
  })
})
