import type { Locator, Page } from 'playwright-core'
import { useBrowser } from '../support/browser'
import { hands, tabTo } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { expectOff, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
const [, keyboard] = hands as [(typeof hands)[number], (typeof hands)[number]]
let host: PageHost

afterEach(() => host.close())

const field = (page: Page | Locator, name: string | RegExp) => page.getByLabel(name, { exact: true })

/** Chooses an option by keyboard: by its first letters, and on with the arrow key. */
async function choose(select: Locator, option: string): Promise<void> {
  const { keyboard } = select.page()
  await tabTo(select)
  await keyboard.type(option)
  for (let steps = 0; steps < 30; steps += 1) {
    if ((await select.locator('option:checked').textContent()) === option) return
    await keyboard.press('ArrowDown')
  }
  throw new Error(`There is no option ${option}.`)
}

async function retype(control: Locator, text: string): Promise<void> {
  await tabTo(control)
  await control.page().keyboard.press('Control+a')
  await control.page().keyboard.type(text)
}

const newPath = (feature: string) => `/new?project=default&environment=production&feature=${feature}`

const send = (page: Page) => page.getByRole('button', { name: 'Propose', exact: true })

describe('from an empty database', () => {
  it('three changes are proposed, edited and discarded by keyboard alone, below a prefix', async () => {
    host = await startHost({ mount: '/tools/flags/review' })
    const page = await browser.visit(host.as('ann'))
    const { button, dialog, state, main } = requestScreen(page)
    await keyboard.press(page.getByRole('link', { name: 'Propose a change' }).first())
    await keyboard.write(field(page, 'Project'), 'default')
    await keyboard.write(field(page, 'Environment'), 'production')
    await keyboard.write(field(page, 'Flag'), 'check')
    await page.locator('datalist option[value=checkout]').waitFor({ state: 'attached' })
    await page.keyboard.type('out')
    await choose(field(page, 'Action'), 'Enables or disables a flag')
    await expectText(page.getByRole('main'), /Now checkout is off in production\./)
    await keyboard.press(send(page))
    await expectText(state, /Draft/)

    await keyboard.press(button('Add a change'))
    await keyboard.write(field(dialog, 'Flag'), 'checkout')
    await choose(field(dialog, 'Action'), 'Updates a strategy')
    await retype(field(dialog, 'Rollout'), '60')
    await keyboard.press(button('Add the change'))
    await expectText(main, /60.%/)

    await keyboard.press(button('Add a change'))
    await keyboard.write(field(dialog, 'Flag'), 'checkout')
    await choose(field(dialog, 'Action'), 'Replaces all variants of a flag in the environment')
    await keyboard.press(button('Add the change'))
    await expectText(main, /Variants/)

    await keyboard.press(button(/^Edit Strategy/))
    await retype(field(dialog, 'Rollout'), '70')
    await keyboard.press(button('Save the change'))
    await expectText(main, /70.%/)
    await keyboard.press(button(/^Discard Variants/))
    await keyboard.press(button('Discard the change'))
    await button(/^Discard Variants/).waitFor({ state: 'detached' })
    await keyboard.press(button('Send to review'))
    await expectText(state, /In review/)

    const id = Number(page.url().split('/').pop())
    await host.setState('ben', id, 'Approved')
    await host.setState('ben', id, 'Applied')
    expect(await host.place('checkout')).toMatchObject({
      enabled: true,
      strategies: [{ parameters: { rollout: '70', stickiness: 'userId', groupId: 'demo' } }],
      variants: [],
    })
    expect(host.received(/^GET .*\/flags\?query=check/)).not.toEqual([])
  })
})

describe('the actions of the gateway', () => {
  /** Ids that the form cannot know. */
  const typed: Readonly<Record<string, readonly [label: string, text: string]>> = {
    addReleasePlan: ['Template id', 'careful-rollout'],
    deleteReleasePlan: ['Plan id', 'a-plan'],
    deleteSegment: ['Id', '1'],
    startMilestone: ['Plan id', 'a-plan'],
    updateMilestoneStrategy: ['Id', 'a-strategy'],
    updateSegment: ['Id', '1'],
  }

  it('can all be proposed', async () => {
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
      const [label, text] = typed[action] ?? []
      if (label !== undefined && text !== undefined) await field(dialog, label).fill(text)
      await button('Add the change').click()
      await dialog.waitFor({ state: 'detached' })
      await expectText(page.getByRole('main'), `${index + 2} changes`)
    }
  })
})

describe('a link of an editor', () => {
  it('fills in project, environment and flag', async () => {
    host = await startHost()
    const page = await browser.visit(host.as('ann', newPath('checkout')))
    await expectText(page.getByRole('main'), /Now checkout is off in production\./)
    const values = await Promise.all(['Project', 'Environment', 'Flag'].map((name) => field(page, name).inputValue()))
    expect(values).toEqual(['default', 'production', 'checkout'])
  })
})

describe('a flag', () => {
  it('is typed where nothing is found, and one that does not exist is not sent', async () => {
    host = await startHost()
    host.refuse(/\/flags\?query=/, { status: 503, name: 'UnavailableError' })
    const page = await browser.visit(host.as('ann', newPath('')))
    await field(page, 'Action').selectOption('archiveFeature')
    await keyboard.write(field(page, 'Flag'), 'check')
    await page.keyboard.press('Tab')
    await expectText(page.locator('.field.bad'), /no flag named check/)
    await expectOff(send(page))
    await keyboard.write(field(page, 'Flag'), 'checkout')
    await page.keyboard.press('Tab')
    await expectText(page.getByRole('main'), /Now checkout is off/)
    await expectOff(send(page), false)
  })
})

describe('an open change request', () => {
  it('is named with what the change voids, and takes it on the second press only', async () => {
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
