import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeAll(async () => {
  const fields = (path: string, size: object = {}) => ({ fields: [{ path, ...size }] })
  host = await startHost({
    approvalRules: [
      { name: 'big steps', when: fields('/parameters/rollout', { by: 25 }), approvals: { aboveMinimum: 1 } },
      {
        ...{ name: 'everybody', mode: 'trial', approvals: 1, from: { groups: ['payments'] } },
        when: fields('/parameters/rollout', { above: 90 }),
      },
    ],
    freezes: [{ name: 'Sale', mode: 'trial', reason: 'Sales in all shops', from: '2026-01-01T00:00:00Z' }],
    checks: [{ name: 'ci', mode: 'trial', description: 'Smoke tests.' }],
  })
})
afterAll(() => host.close())

describe('rules', () => {
  it('are listed in the settings, each with its mode and with what it says', async () => {
    const page = await browser.visit(host.as('ben', '/settings?project=default'))
    const item = (list: string, name: string) =>
      page.getByRole('region', { name: list }).getByRole('listitem').filter({ hasText: name })
    const bigSteps = item('Rules in force', 'big steps')
    await expectText(
      bigSteps,
      /A change that alters the rollout by more than 25 points needs 1 approval more than the minimum of/,
    )
    expect(await bigSteps.textContent()).not.toMatch(/trial/)
    await expectText(
      item('Rules in force', 'everybody'),
      /On trial, does not block.*alters the rollout to above 90.% needs 1 approval of/s,
    )
    await expectText(item('Freezes', 'Sale'), /On trial, does not block.*Every change is frozen from/s)
    await expectText(
      item('Checks', 'ci'),
      /On trial, does not block.*Every change needs it, reported by anyone who can report checks.*Smoke tests\./s,
    )
    expect(await findings(page)).toEqual([])
  })

  it('say in the review why they match, and those on trial block nothing', async () => {
    const steps = ['60', '70', '95'].map((rollout) => roll('checkout', 'checkout-half', rollout))
    const id = await host.inReview([...steps, enable('checkout')], 'The new checkout')
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { main, button, dialog, state } = requestScreen(page)
    const requirements = page.getByRole('region', { name: /^Requirements/ })
    await expectText(requirements, /0 of 2 met/)
    const item = (name: string) => requirements.getByRole('listitem').filter({ hasText: name })
    await expectText(item('big steps'), /0 of 2.*Because the rollout grows by 45 points\./s)
    await expectText(item('everybody'), /On trial, does not block\..*Because the rollout grows by 45 points\./s)
    await expectText(item('ci'), /On trial, does not block\./)
    await expectText(main, /Freeze on trial, does not block.*Sales in all shops/s)
    expect(await page.locator('#decide-section').textContent()).not.toMatch(/payments|\bci\b/)
    expect(await findings(page)).toEqual([])

    await item('big steps').getByRole('link').click()
    const change = page.locator('.change').filter({ hasText: '95' }).first()
    await until(async () => (await change.getAttribute('data-linked')) !== null, 'the change is marked')

    await host.setState('cara', id, 'Approved')
    await host.setState('ben', id, 'Approved')
    await expectText(state, /Approved/)
    await button('Schedule…').click()
    await expectText(dialog, /Freezes on trial do not block.*Sale \(Sales in all shops\): on trial, does not block/s)
    await button(/^Schedule for/, dialog).click()
    await expectText(state, /Scheduled/)
    await expectText(page.locator('#decide-section'), /It is applied on .* Nobody has to act/s)
    await host.setState('cara', id, 'Rejected')
  })

  it('are shown in the editor while typing, by the one call that shows the effect', async () => {
    const page = await browser.visit(host.as('ann', '/projects/default/flags/checkout?environment=production'))
    const previews: string[] = []
    page.on('request', (request) => void (/preview|rules/.test(request.url()) && previews.push(request.url())))
    const rollout = page.locator('.flag-fields').getByLabel('Rollout', { exact: true })
    const needs = page.getByRole('region', { name: 'It will need' })
    await rollout.fill('60')
    await expectText(needs, /Approvals.*Check: ci \(on trial, does not block\)/s)
    expect(await needs.textContent()).not.toMatch(/big steps/)
    await rollout.fill('99')
    await expectText(needs, /big steps.*Because the rollout grows by 49 points\./s)
    await expectText(needs, /everybody.*On trial, does not block/s)
    expect(await needs.getByRole('link').count()).toBe(0)
    expect(previews.map((url) => new URL(url).pathname.split('/').at(-1))).toEqual(['preview', 'preview'])
    await page.getByRole('button', { name: 'Start over' }).click()
    await needs.waitFor({ state: 'detached' })
  })
})
