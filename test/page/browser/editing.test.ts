import type { Locator, Page } from 'playwright-core'
import type { ChangeRequestView } from '../../../src/generated'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { expectOff, requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
let host: PageHost

afterEach(() => host.close())

const field = (within: Locator, name: string) => within.getByLabel(name, { exact: true })

describe('an unsaved edit', () => {
  const edited = roll('checkout', 'checkout-half', '30')
  const constraints = [{ contextName: 'country', operator: 'IN', values: ['NO'] }]
  const norwegian = { id: 'checkout-half', title: 'Norway', constraints }

  /** In a hidden tab the page receives no events, so the server must reject the step. */
  async function openEditor(behind = false): Promise<{ page: Page; id: number; dialog: Locator }> {
    host = await startHost()
    const id = await host.approved(edited, 'Fewer see it')
    const page = await browser.visit({ ...host.as('ann', requestPath(id)), behind })
    const { button, dialog } = requestScreen(page)
    await button(/^Edit Strategy/).click()
    return { page, id, dialog }
  }

  it('shows the messages of the server at the fields', async () => {
    const { page, id, dialog } = await openEditor()
    const { button } = requestScreen(page)
    await button('Add to constraints').click()
    await field(dialog, 'Context name').fill('country')
    await button('Save the change').click()
    await dialog.locator('select[aria-invalid]').waitFor()
    await expectText(dialog.locator('.field.bad'), /operator is required and missing/)
    await field(dialog, 'Operator').selectOption('IN')
    await field(dialog, 'Values').fill('NO\nSE')
    await expectText(dialog, /Voids 1 approval\. Returns it to review\./)
    await button('Save the change').click()
    await dialog.waitFor({ state: 'detached' })
    const { features } = await host.call<ChangeRequestView>('ann', 'GET', requestPath(id))
    expect(features[0]?.changes[0]?.payload).toEqual({
      ...(edited.payload as object),
      constraints: [{ contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }],
    })
  })

  it('is kept when another window has saved first, and both values are shown', async () => {
    const { page, id, dialog } = await openEditor(true)
    const { button } = requestScreen(page)
    await field(dialog, 'Rollout').fill('40')
    await host.call(
      'ann',
      'PUT',
      `/projects/default/change-requests/${id}/changes/1`,
      roll('checkout', 'checkout-half', '35'),
    )
    await button('Save the change').click()
    await expectText(dialog, /edited in the meantime[\s\S]*you have 40, now it is 35/)
    expect(await field(dialog, 'Rollout').inputValue()).toBe('40')
    await button('Save the change').click()
    await dialog.waitFor({ state: 'detached' })
    await expectText(page.getByRole('main'), /→.40.%/)
  })

  it('is kept when the change was discarded in the meantime, and can be added again', async () => {
    const { page, id, dialog } = await openEditor(true)
    const { button } = requestScreen(page)
    await field(dialog, 'Rollout').fill('40')
    await host.propose(enable('checkout'))
    await host.call('ann', 'DELETE', `/projects/default/change-requests/${id}/changes/1`)
    await button('Save the change').click()
    await expectText(dialog, /discarded in the meantime/)
    await button('Add the change').click()
    await dialog.waitFor({ state: 'detached' })
    await expectText(page.getByRole('main'), /→.40.%/)
  })

  it('is sent on the second press if the flag has changed, with the new values of untouched fields', async () => {
    const { page, id, dialog } = await openEditor()
    const { button, main } = requestScreen(page)
    await field(dialog, 'Rollout').fill('40')
    await host.changeFlags(roll('checkout', 'checkout-half', '60'))
    await button('Save the change').click()
    await expectText(dialog, /you have 40, now it is 60/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await button('Show what changed').click()
    await host.changeFlags({ action: 'updateStrategy', feature: 'checkout', payload: norwegian })
    await button('Show what changed').click()
    await button('Open it').click()
    await expectText(dialog, /you have 40, now it is 60/)
    expect(await field(dialog, 'Rollout').inputValue()).toBe('40')
    expect(await field(dialog, 'Title').inputValue()).toBe('Norway')
    await button('Save the change').click()
    await expectText(dialog, /nothing was changed/)
    await button('Save the change').click()
    await dialog.waitFor({ state: 'detached' })
    await expectText(main, /60.% → 40.%/)
    const { features } = await host.call<ChangeRequestView>('ann', 'GET', requestPath(id))
    const payload = { id: 'checkout-half', parameters: { rollout: '40', stickiness: 'default', groupId: 'demo' } }
    expect(features[0]?.changes[0]?.payload).toEqual(payload)
  })

  it('is named before a step that does not include it', async () => {
    host = await startHost()
    const id = await host.propose(edited)
    const page = await browser.visit(host.as('ann', requestPath(id)))
    const { button, dialog, state, main } = requestScreen(page)
    await button(/^Edit Strategy/).click()
    await field(dialog, 'Rollout').fill('40')
    await page.keyboard.press('Escape')
    await expectText(main, /An edit is not saved[\s\S]*checkout/)
    await button('Send to review without the edit').waitFor()
    await button('Open it').click()
    expect(await field(dialog, 'Rollout').inputValue()).toBe('40')
    await field(dialog, 'Rollout').fill('30')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Send to review', exact: true }).waitFor()
    await button(/^Edit Strategy/).click()
    await field(dialog, 'Rollout').fill('45')
    await page.keyboard.press('Escape')
    await button('Discard it').click()
    await page.getByRole('button', { name: 'Send to review', exact: true }).click()
    await expectText(state, /In review/)
    await button(/^Edit Strategy/).click()
    expect(await field(dialog, 'Rollout').inputValue()).toBe('30')
    await page.evaluate("Storage.prototype.setItem = () => { throw new DOMException('Full.', 'QuotaExceededError') }")
    await field(dialog, 'Rollout').fill('55')
    await page.keyboard.press('Escape')
    await expectText(main, /An edit is not saved/)
    await button('Open it').click()
    expect(await field(dialog, 'Rollout').inputValue()).toBe('55')
  })

  it('is retried unchanged, so that another edit is not overwritten', async () => {
    const { page, id, dialog } = await openEditor()
    const { main } = requestScreen(page)
    const write = /^PUT .*changes/
    const accept = host.refuse(write, { status: 503, name: 'UnavailableError', retryAfter: '0' })
    await field(dialog, 'Rollout').fill('40')
    await page.keyboard.press('Enter')
    await expectText(dialog, /Retrying is safe/)
    // Text that is typed now is not part of the retry.
    await page.keyboard.type('9')
    const other = roll('checkout', 'checkout-half', '35')
    await host.call('ann', 'PUT', `/projects/default/change-requests/${id}/changes/1`, other)
    await expectText(dialog, /you have 40, now it is 35/)
    accept()
    await expectText(dialog, /has no change 1/)
    const { features } = await host.call<ChangeRequestView>('ann', 'GET', requestPath(id))
    expect(features[0]?.changes[0]?.payload).toEqual(other.payload)
    const sent = host.received(write).map(({ headers }) => [headers['if-match'], headers['idempotency-key']].join(' '))
    expect(new Set(sent).size).toBe(1)
    await expectText(main, /35/)
    expect(await field(dialog, 'Rollout').inputValue()).toBe('40')
    expect(await field(dialog, 'Rollout').evaluate((input) => input.matches(':focus'))).toBe(true)
  })

  it('is about the strategy in the form', async () => {
    host = await startHost()
    const id = await host.propose(roll('new-search', 'new-search-few', '30'))
    const page = await browser.visit(host.as('ann', requestPath(id)))
    const { button, dialog, main } = requestScreen(page)
    await button(/^Edit Strategy/).click()
    await field(dialog, 'Rollout').fill('40')
    await field(dialog, 'Id').fill('new-search-beta')
    await expectText(dialog.locator('fieldset'), /Segments/)
    expect(await field(dialog, 'Rollout').inputValue()).toBe('100')
    await page.keyboard.press('Escape')
    await expectText(main, /An edit is not saved/)
    await button('Open it').click()
    expect(await field(dialog, 'Id').inputValue()).toBe('new-search-beta')
    await field(dialog, 'Id').fill('new-search-few')
    expect(await field(dialog, 'Rollout').inputValue()).toBe('40')
    await field(dialog, 'Id').fill('new-search-beta')
    await field(dialog, 'Rollout').fill('60')
    await field(dialog, 'Name to add to parameters').fill('seed')
    await page.keyboard.press('Enter')
    await field(dialog, 'Seed').fill('7')
    await button('Save the change').click()
    await dialog.waitFor({ state: 'detached' })
    const { features } = await host.call<ChangeRequestView>('ann', 'GET', requestPath(id))
    expect(features[0]?.changes.map(({ payload }) => payload)).toEqual([
      {
        id: 'new-search-beta',
        parameters: { rollout: '60', stickiness: 'default', groupId: 'demo', seed: '7' },
      },
    ])
    host.refuse(/\/flags\/new-search/, { status: 404, name: 'NotFoundError' })
    await button(/^Edit Strategy/).click()
    await expectText(dialog, /Not found/)
  })

  it('can be JSON', async () => {
    const { page, dialog } = await openEditor()
    const { button } = requestScreen(page)
    await button('Edit as JSON').click()
    const json = field(dialog, 'Change as JSON')
    await json.fill('{"id": "checkout-half", "title": "Few"')
    await expectOff(button('Edit as a form'))
    await expectText(dialog, /A form cannot show this JSON/)
    await button('Save the change').click()
    await expectText(dialog.locator('.field.bad'), /must be object/)
    await json.fill('{"id": "checkout-half", "title": "Few"}')
    await button('Save the change').click()
    await expectText(page.getByRole('main'), /Few/)
  })
})
