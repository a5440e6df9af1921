import type { Page } from 'playwright-core'
import type { ReviewView } from '../../../src/generated'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import type { PersonName } from '../support/people'
import { expectOff, requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

afterEach(() => host.close())

const checkout = '/projects/default/flags/checkout'
const inProduction = `${checkout}?environment=production`

/** The screen of a flag, by visible labels. */
function flagScreen(page: Page) {
  return {
    environments: page.getByRole('navigation', { name: 'Environments' }),
    rollout: page.getByLabel('Rollout', { exact: true }),
    effect: page.getByRole('complementary', { name: 'What it will do' }),
    openRequests: page.getByRole('region', { name: 'Open change requests' }),
  }
}

const open = async (who: PersonName, path = inProduction) => {
  const page = await browser.visit(host.as(who, path))
  return { page, ...requestScreen(page), ...flagScreen(page) }
}

const titled = (page: Page, title: string) => page.getByRole('heading', { level: 1, name: title }).waitFor()

describe('the head of a flag', () => {
  it('shows its environments with its states, who changed it last, and what others are about to change', async () => {
    host = await startHost({ mount: '/tools/flags/review' })
    await host.changeFlags(enable('checkout'))
    const id = await host.inReview(roll('checkout', 'checkout-half', '30'), 'Fewer see it', 'fay')
    const { page, environments, openRequests, main } = await open('ann', checkout)
    await until(() => page.url().includes('?environment='), 'the address names an environment')
    await environments.getByRole('link', { name: 'production' }).click()
    await environments
      .getByRole('link', { name: /^production on, 50.% of everybody$/, current: true } as never)
      .waitFor()
    await environments.getByRole('link', { name: /^development / }).waitFor()
    await expectText(openRequests, new RegExp(`#${id} Fewer see it.*Fay Holt.*50.% → 30.%`, 's'))
    await expectText(main, /changed by .*, just now/)
    await page.reload()
    await titled(page, 'checkout')
    await page.getByRole('main').getByRole('link', { name: 'Log', exact: true }).click()
    await titled(page, 'Log')
    expect(new URL(page.url()).searchParams.get('feature')).toBe('checkout')
    await page.goBack()
    await titled(page, 'checkout')
  })

  it('belongs to the flag with exactly the name in the address', async () => {
    host = await startHost({ featureNames: 'any' })
    const name = '50 %/ü?#'
    await host.addFlags([name])
    const path = `/projects/default/flags/${encodeURIComponent(name)}?environment=production`
    const { page, environments, rollout } = await open('ann', path)
    await titled(page, name)
    await expectText(environments, /production off/)
    expect(await rollout.inputValue()).toBe('25')
  })

  it.each<[string, PersonName, string, RegExp]>([
    ['not there', 'ann', '/projects/default/flags/nothing?environment=production', /Not found/],
    ['not to be proposed for', 'eve', inProduction, /You can't read the flag/],
  ])('explains a flag that is %s', async (_, who, path, words) => {
    host = await startHost()
    const { main, effect } = await open(who, path)
    await expectText(main, words)
    expect(await effect.count()).toBe(0)
  })
})

describe('what an edit will do', () => {
  const preview = /^POST .*\/preview/

  it('is shown with the words of the review, and an older answer never replaces a newer one', async () => {
    host = await startHost({ freezes: [{ name: 'Sale', reason: 'No changes now', from: '2020-01-01T00:00:00Z' }] })
    await host.inReview(roll('checkout', 'checkout-half', '30'), 'Fewer see it', 'fay')
    const { rollout, effect, openRequests, button } = await open('ann')
    await expectText(effect, /Nothing is edited yet/)
    await rollout.fill('60')
    await expectText(effect, /50.% → 60.% of everybody/)
    await expectText(effect, /Approvals.*0 of 1/s)
    await expectText(effect, /Sale: No changes now/)
    await expectText(effect, /Also open for the same field.*Fewer see it/s)
    await expectText(openRequests, /Same field/)

    const release = host.hold(preview)
    const asked = host.received(preview).length
    await rollout.fill('70')
    await until(() => host.received(preview).length > asked, 'the preview of 70 % is requested')
    await expectText(effect, /50.% → 60.% of everybody/)
    await rollout.fill('100')
    await until(() => host.received(preview).length > asked + 1, 'the preview of 100 % is requested')
    release()
    await expectText(effect, /50.% → 100.% of everybody/)

    await button('Start over', effect).click()
    await expectText(effect, /Nothing is edited yet/)
    expect(await rollout.inputValue()).toBe('50')
  })

  it('stays while the server is busy, and its problems are at their fields', async () => {
    host = await startHost()
    const { rollout, effect, button, main } = await open('ann')
    await rollout.fill('60')
    await expectText(effect, /50.% → 60.%/)
    const accept = host.refuse(preview, { status: 429, name: 'TooManyRequests', retryAfter: '1' })
    await rollout.fill('70')
    await expectText(effect, /the server is unavailable or busy/)
    await expectText(effect, /50.% → 60.%/)
    accept()
    await button('Try again', effect).click()
    await expectText(effect, /50.% → 70.%/)
    const details = [{ message: 'rollout is not wanted', path: '/body/changes/0/payload/parameters/rollout' }]
    const body = JSON.stringify({ id: 'a-test', name: 'BadDataError', message: 'Invalid', details })
    host.answer(preview, { status: 400, headers: { 'Content-Type': 'application/json' }, body })
    await rollout.fill('80')
    await expectText(effect, /rollout is not wanted.*Correct what is marked first/s)
    await expectText(main.locator('.field', { has: rollout }), /rollout is not wanted/)
    await expectOff(button('Propose…', effect))
  })
})

describe('a proposal', () => {
  it('is one window away, and sent to review with its title, its reason and its reviewers', async () => {
    host = await startHost()
    const { page, rollout, effect, dialog, button, state, main } = await open('ann')
    await rollout.fill('75')
    await button('Propose…', effect).click()
    const title = dialog.getByLabel('Title')
    expect(await title.inputValue()).toMatch(/^checkout: 50.% → 75.% of everybody$/)
    await title.fill('More of the checkout')
    await dialog.getByLabel('Why').fill('The last step went well.')
    await dialog.getByText('Ask reviewers').click()
    await dialog.getByRole('checkbox', { name: 'Ben Ode' }).check()
    await button('Send to review', dialog).click()
    await expectText(state, /In review/)
    await titled(page, 'More of the checkout')
    await expectText(main, /The last step went well\./)
    const review = await host.call<ReviewView>('ann', 'GET', `${requestPath(1)}/review`)
    expect(review.approvers.map(({ username }) => username)).toEqual(['Ben Ode'])
    const [post] = host.received(/^POST .*\/change-requests /)
    expect(post?.headers).toMatchObject({ 'if-none-match': '*', 'idempotency-key': expect.any(String) })
    // Nothing is left of the edit.
    await page.goto(host.url(inProduction))
    await expectText(effect, /Nothing is edited yet/)
  })

  it('is on the request after it, where each later call that fails can be tried again', async () => {
    host = await startHost()
    const { rollout, effect, dialog, button, state, main } = await open('ann')
    const accept = [
      host.refuse(/^PUT .*\/title/, { status: 400, name: 'BadDataError' }),
      host.refuse(/^PUT .*\/state/, { status: 409, name: 'ConflictError' }),
    ]
    await rollout.fill('75')
    await button('Propose…', effect).click()
    await dialog.getByLabel('Title').fill('More of the checkout')
    await dialog.getByLabel('Why').fill('The last step went well.')
    await button('Send to review', dialog).click()
    await expectText(main, /The title is not set yet/)
    await expectText(main, /It is not in review yet/)
    await expectText(state, /Draft/)
    for (const one of accept) one()
    await button('Try again').first().click()
    await expectText(main.getByRole('heading', { level: 1 }), /More of the checkout/)
    await button('Try again').first().click()
    await expectText(state, /In review/)
    await expectText(main, /The last step went well\./)
  })

  it('can be saved as a draft, which keeps the reason for its submission', async () => {
    host = await startHost()
    const { rollout, effect, dialog, button, state, main } = await open('ann')
    await rollout.fill('75')
    await button('Propose…', effect).click()
    await dialog.getByLabel('Why').fill('Later.')
    await button('Save as draft', dialog).click()
    await expectText(state, /Draft/)
    await expectText(main.getByRole('heading', { level: 1 }), /checkout: 50.% → 75.%/)
    expect(await main.getByLabel('Why').inputValue()).toBe('Later.')
    await button('Send to review').click()
    await expectText(state, /In review/)
  })
})

describe('flag names', () => {
  it('lead to the flag for those who can propose, from the request, the inbox and the log', async () => {
    host = await startHost()
    const id = await host.inReview(roll('checkout', 'checkout-half', '30'), 'Fewer see it', 'fay')
    await host.changeFlags(enable('checkout'))
    const { page, main } = await open('ann')
    const places = { [requestPath(id)]: main.getByRole('article'), '/?needs=all': main, '/log?feature=checkout': main }
    for (const [path, within] of Object.entries(places)) {
      await page.goto(host.url(path))
      if (path.startsWith('/log'))
        await main
          .getByRole('button', { name: /^What changed/ })
          .first()
          .click()
      await within.getByRole('link', { name: 'checkout', exact: true }).click()
      await flagScreen(page).rollout.waitFor()
      expect(page.url()).toBe(host.url(inProduction))
    }
    const other = await open('eve', requestPath(id))
    await expectText(other.main, /Fewer see it/)
    expect(await other.main.getByRole('article').getByRole('link', { name: 'checkout' }).count()).toBe(0)
  })
})
