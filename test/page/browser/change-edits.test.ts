import type { Locator, Page } from 'playwright-core'
import type { ChangeRequestView, ReviewView } from '../../../src/generated'
import { useBrowser } from '../support/browser'
import { expectFocus } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { expectOff, requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
let host: PageHost

afterEach(() => host.close())

const rollout = (within: Page | Locator) => within.getByLabel('Rollout', { exact: true })

async function changesOf(id: number) {
  const { features } = await host.call<ChangeRequestView>('ann', 'GET', requestPath(id))
  return features.flatMap(({ changes }) => changes)
}

describe('an unsaved edit of a change', () => {
  const edited = roll('checkout', 'checkout-half', '30')

  /** In a hidden tab the page receives no events, so the server must reject the step. */
  async function openEditor(behind = false): Promise<{ page: Page; id: number; dialog: Locator }> {
    host = await startHost()
    const id = await host.approved([edited, enable('checkout')], 'Fewer see it')
    const page = await browser.visit({ ...host.as('ann', requestPath(id)), behind })
    const { button, dialog } = requestScreen(page)
    await button(/^Edit Strategy/).click()
    await rollout(dialog).waitFor()
    return { page, id, dialog }
  }

  const saveInAnotherWindow = (id: number, rollout: string) =>
    host.call('ann', 'PUT', `${requestPath(id)}/changes/1`, roll('checkout', 'checkout-half', rollout))

  it('is about its own part only, and saved as one change', async () => {
    const { page, id, dialog } = await openEditor()
    const { button, main } = requestScreen(page)
    await expectText(dialog, /Voids 1 approval\. Returns it to review\./)
    expect(await dialog.getByRole('switch', { name: 'Flag in production' }).count()).toBe(0)
    await expectText(dialog, /was 50.%/)
    await rollout(dialog).fill('40')
    await button('Save the change').click()
    await dialog.waitFor({ state: 'detached' })
    await expectText(main, /50.% → 40.%/)
    expect(host.received(/^(PUT|POST) .*change-requests.* application/)).toHaveLength(1)
    expect((await changesOf(id)).map(({ payload }) => payload)).toContainEqual({
      ...{ id: 'checkout-half', parameters: { rollout: '40', stickiness: 'default', groupId: 'demo' } },
    })
  })

  it('is kept when another window has saved first, and both values are shown', async () => {
    const { page, id, dialog } = await openEditor(true)
    const { button } = requestScreen(page)
    await rollout(dialog).fill('40')
    await saveInAnotherWindow(id, '35')
    await button('Save the change').click()
    await expectText(dialog, /edited in the meantime[\s\S]*you have 40, now it is 35/)
    expect(await rollout(dialog).inputValue()).toBe('40')
    await button('Use the current values').click()
    expect(await rollout(dialog).inputValue()).toBe('35')
    await rollout(dialog).fill('45')
    await button('Save the change').click()
    await dialog.waitFor({ state: 'detached' })
    await expectText(page.getByRole('main'), /→.45.%/)
  })

  it('is kept when the change was discarded in the meantime, and can be added again', async () => {
    const { page, id, dialog } = await openEditor(true)
    const { button } = requestScreen(page)
    await rollout(dialog).fill('40')
    await host.call('ann', 'DELETE', `${requestPath(id)}/changes/1`)
    await button('Save the change').click()
    await expectText(dialog, /discarded in the meantime/)
    await button('Add the change').click()
    await dialog.waitFor({ state: 'detached' })
    await expectText(page.getByRole('main'), /→.40.%/)
  })

  it('follows the flag, and is saved once it is chosen where both sides edited a field', async () => {
    const { page, id, dialog } = await openEditor(true)
    const { button, main } = requestScreen(page)
    await rollout(dialog).fill('40')
    await host.changeFlags(roll('checkout', 'checkout-half', '60'), {
      action: 'updateStrategy',
      feature: 'checkout',
      payload: { id: 'checkout-half', title: 'Norway' },
    })
    await button('Save the change').click()
    await button('Yours: 40 %', dialog).waitFor()
    await expectOff(button('Save the change'))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await button('Open it').click()
    await button('Theirs: 60 %', dialog).waitFor()
    await button('Yours: 40 %', dialog).click()
    await button('Save the change').click()
    await dialog.waitFor({ state: 'detached' })
    await expectText(main, /60.% → 40.%/)
    expect((await changesOf(id)).map(({ payload }) => payload)).toContainEqual({
      ...{ id: 'checkout-half', parameters: { rollout: '40', stickiness: 'default', groupId: 'demo' } },
    })
  })

  it('is sent once more by itself if only other fields of the flag were edited', async () => {
    const { page, dialog } = await openEditor(true)
    const { button, main } = requestScreen(page)
    await rollout(dialog).fill('40')
    await host.changeFlags({
      ...{ action: 'updateStrategy', feature: 'checkout', payload: { id: 'checkout-half', title: 'Norway' } },
    })
    await button('Save the change').click()
    await dialog.waitFor({ state: 'detached' })
    await expectText(main, /50.% → 40.%/)
    await expectText(main, /Strategy “Norway”/)
    expect(host.received(/^PUT .*changes/)).toHaveLength(2)
  })

  it('is named before a step that does not include it', async () => {
    const { page, dialog } = await openEditor()
    const { button, main } = requestScreen(page)
    await rollout(dialog).fill('40')
    await page.keyboard.press('Escape')
    await expectText(main, /An edit is not saved[\s\S]*checkout/)
    await button('Open it').click()
    expect(await rollout(dialog).inputValue()).toBe('40')
    await rollout(dialog).fill('30')
    await page.keyboard.press('Escape')
    await main.getByText('An edit is not saved').waitFor({ state: 'detached' })
    await page.evaluate("Storage.prototype.setItem = () => { throw new DOMException('Full.', 'QuotaExceededError') }")
    await button(/^Edit Strategy/).click()
    await rollout(dialog).fill('55')
    await page.keyboard.press('Escape')
    await expectText(main, /An edit is not saved/)
    await button('Open it').click()
    expect(await rollout(dialog).inputValue()).toBe('55')
    await page.keyboard.press('Escape')
    await button('Discard it').click()
    await button(/^Edit Strategy/).click()
    expect(await rollout(dialog).inputValue()).toBe('30')
  })

  it('is retried unchanged, so that another edit is not overwritten', async () => {
    const { page, id, dialog } = await openEditor()
    const write = /^PUT .*changes/
    const accept = host.refuse(write, { status: 503, name: 'UnavailableError', retryAfter: '0' })
    await rollout(dialog).fill('40')
    await page.keyboard.press('Enter')
    await expectText(dialog, /Retrying is safe/)
    // Text that is typed now is not part of the retry.
    await page.keyboard.type('9')
    await saveInAnotherWindow(id, '35')
    await expectText(dialog, /you have 40, now it is 35/)
    accept()
    await expectText(dialog, /has no change 1/)
    const { changes } = await host.call<ReviewView>('ann', 'GET', `${requestPath(id)}/review`)
    expect(changes.flatMap(({ fields }) => fields ?? []).map(({ proposed }) => proposed)).toContain('35')
    const sent = host.received(write).map(({ headers }) => [headers['if-match'], headers['idempotency-key']].join(' '))
    expect(new Set(sent).size).toBe(1)
    expect(await rollout(dialog).inputValue()).toBe('40')
    await expectFocus(rollout(dialog))
  })

  it('has the form of its schema, or is JSON, where there is no control', async () => {
    host = await startHost()
    const plan = { action: 'addReleasePlan', feature: 'checkout', payload: { templateId: 'careful' } }
    const id = await host.propose(plan)
    const page = await browser.visit(host.as('ann', requestPath(id)))
    const { button, dialog } = requestScreen(page)
    await button(/^Edit Release plan/).click()
    expect(await dialog.getByLabel('Template id', { exact: true }).inputValue()).toBe('careful')
    await button('Edit as JSON').click()
    const json = dialog.getByLabel(/as JSON$/)
    await json.fill('{"templateId": "bold"')
    await expectOff(button('Edit as a form'))
    await expectText(dialog, /A form cannot show this JSON/)
    await button('Save the change').click()
    await expectText(dialog.locator('.field.bad'), /must be object/)
    await json.fill('{"templateId": "bold"}')
    await button('Save the change').click()
    await dialog.waitFor({ state: 'detached' })
    expect((await changesOf(id)).map(({ payload }) => payload)).toEqual([{ templateId: 'bold' }])
  })
})
