import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import type { PersonName } from '../support/people'
import { expectOff, requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
const scheduling = /^PUT .*\/scheduling/
/** The host does not list freezes that are over by its own clock. */
const now = '2999-01-06T12:00:00Z'
const tomorrow = '2999-01-07T06:00:00.000Z'
let host: PageHost

beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

const open = async (who: PersonName, id: number, behind = false) => {
  const page = await browser.visit({ ...host.as(who, requestPath(id)), timezoneId: 'Europe/Oslo', now, behind })
  const screen = requestScreen(page)
  await screen.state.waitFor()
  return { page, ...screen }
}

const setPreset = (id: number, scheduledAt: string, who: PersonName = 'cara') =>
  host.call(who, 'PUT', `${requestPath(id)}/scheduling`, { scheduledAt })

describe('a preset schedule', () => {
  it('is set by one user, shown to another one, and applied by their approval', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const cara = await open('cara', id)
    await cara.button('Schedule…').first().click()
    await cara.button('Apply once approved', cara.dialog).click()
    await expectText(cara.main, /To be applied as soon as it is approved.*Scheduled by Cara Mori/s)
    const [sent] = host.received(scheduling)
    expect(sent?.headers['if-match']).toMatch(/^"\w/)

    const ben = await open('ben', id)
    await expectText(ben.main, /Your approval applies this immediately/)
    await ben.button('Approve and apply').first().click()
    await expectText(ben.state, /Applied/)
    const [vote] = host.received(/^PUT .*\/state/)
    expect(vote?.headers['if-match']).toMatch(/^"\w/)
    expect((await host.place('checkout')).enabled).toBe(true)
  })

  it('can be withdrawn, which is shown with the user name', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    await setPreset(id, tomorrow)
    const { button, main } = await open('ben', id)
    await button('Approve and apply on Mon 7 Jan, 07:00').first().waitFor()
    await button('Withdraw the schedule').click()
    await expectText(main, /No longer to be applied on Mon 7 Jan, 07:00.*Cara Mori.*Ben Ode withdrew it/s)
    await button('Approve', main).first().waitFor()
  })

  it('412: keeps the chosen time, and shows the schedule of the other user', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const { button, dialog } = await open('ben', id, true)
    await button('Schedule…').first().click()
    await dialog.getByLabel('At a time').check()
    await dialog.getByLabel('Day').fill('2999-02-01')
    await setPreset(id, tomorrow)
    await button(/^Schedule for Fri 1 Feb/, dialog).click()
    await expectText(dialog, /nothing was changed/)
    await expectText(dialog, /Cara Mori scheduled it to be applied on Mon 7 Jan, 07:00/)
    expect(await dialog.getByLabel('Day').inputValue()).toBe('2999-02-01')
    await button(/^Schedule for Fri 1 Feb/, dialog).click()
    await until(() => host.received(scheduling).length === 2, 'it is sent again')
    await dialog.waitFor({ state: 'detached' })
  })

  it('412: an approval is not retried automatically if it would now apply', async () => {
    const id = await host.inReview(enable('checkout'), 'The new checkout')
    const { button, comment, main } = await open('ben', id, true)
    await comment.fill('Fine with me.')
    await setPreset(id, 'approval')
    await button('Approve', main).click()
    await expectText(main, /nothing was changed/)
    await expectText(main, /Your approval applies this immediately/)
    expect(await comment.inputValue()).toBe('Fine with me.')
    expect(await host.stateOf(id)).toBe('In review')
    await button('Approve and apply', main).click()
    await until(async () => (await host.stateOf(id)) !== 'In review', 'the second approval counts')
  })
})

describe('the time line', () => {
  it('has the freezes, the other schedules of the flag and the chosen time in order', async () => {
    const sale = { name: 'Sale', reason: 'Sales', from: '2999-01-09T00:00:00Z', until: '2999-01-10T00:00:00Z' }
    const frozen = await startHost({ freezes: [sale] })
    const other = await frozen.approved(enable('checkout'), 'The new checkout')
    await frozen.setState('ben', other, 'Scheduled', { scheduledAt: '2999-01-08T06:00:00Z' })
    const id = await frozen.inReview(enable('checkout', false), 'The old checkout', 'fay')
    const page = await browser.visit({ ...frozen.as('ben', requestPath(id)), timezoneId: 'Europe/Oslo', now })
    const { button, dialog } = requestScreen(page)
    await button('Schedule…').first().click()
    await dialog.getByLabel('At a time').check()
    await expectText(dialog, /Another schedule changes the same/)
    const entries = () => dialog.getByRole('listitem').filter({ hasText: /Jan/ }).allInnerTexts()
    expect(await entries()).toEqual([
      'Mon 7 Jan, 07:00: this change request',
      `Tue 8 Jan, 07:00: #${other} The new checkout`,
      'Wed 9 Jan, 01:00 – Thu 10 Jan, 01:00: Sale (Sales)',
    ])
    await dialog.getByLabel('Day').fill('2999-01-09')
    await expectText(dialog, /That time is in a freeze. Choose another./)
    expect((await entries()).at(-1)).toBe('Wed 9 Jan, 07:00: this change request')
    expect(await dialog.locator('svg.share .frozen').count()).toBe(1)
    await frozen.close()
  })
})

async function scheduleDialog(options: object) {
  const id = await host.approved(enable('checkout'), 'The new checkout')
  const page = await browser.visit({ ...host.as('ben', requestPath(id)), ...options })
  const screen = requestScreen(page)
  await screen.button('Schedule…').first().click()
  await screen.dialog.getByLabel('Day').waitFor()
  return { page, ...screen }
}

describe('the time of a schedule', () => {
  const inOslo = { timezoneId: 'Europe/Oslo', now: '2026-03-01T12:00:00Z' }

  it('is asked if it occurs twice, and if it is skipped', async () => {
    const { dialog, button } = await scheduleDialog(inOslo)
    await dialog.getByLabel('Day').fill('2026-10-25')
    await dialog.getByLabel('Time', { exact: true }).fill('02:30')
    await expectText(dialog, /The clocks go back: this time occurs twice/)
    await expectText(dialog.locator('#runs'), /Choose one of the two times/)
    await dialog.getByRole('button', { name: '02:30 UTC+2' }).click()
    await expectText(dialog.locator('#runs'), /00:30/)
    await dialog.getByRole('button', { name: '02:30 UTC+1' }).click()
    await expectText(dialog.locator('#runs'), /01:30/)

    await dialog.getByLabel('Day').fill('2026-03-29')
    await expectText(dialog, /The clocks go forward: this time does not exist/)
    await expectOff(button('Schedule…', dialog))
  })
})

describe('a freeze', () => {
  const sale = { name: 'Sale', reason: 'Sales', from: '2020-01-01T00:00:00Z', until: '2999-01-07T07:30:00Z' }
  const other = { ...sale, name: 'Search', when: { features: ['search'] } }

  it('is shown on the change request, and times in it cannot be chosen', async () => {
    const frozen = await startHost({ freezes: () => [sale, other] })
    const id = await frozen.approved(enable('checkout'), 'The new checkout')
    const page = await browser.visit({ ...frozen.as('ben', requestPath(id)), timezoneId: 'Europe/Oslo', now })
    const { dialog, button } = requestScreen(page)
    await button('Schedule…').first().click()
    await expectText(dialog, /Wed, 1 Jan 2020, 01:00 – Mon 7 Jan, 08:30: Sale \(Sales\)/)
    expect(await dialog.getByText('Search').count()).toBe(0)
    await button('Tomorrow 07:00 (freeze)', dialog).click()
    await expectText(dialog, /That time is in a freeze. Choose another./)
    await expectOff(button(/^Schedule for/, dialog))
    await button('Monday 09:00', dialog).click()
    await expectOff(button(/^Schedule for/, dialog), false)
    await frozen.close()
  })

  it('in effect now is shown with its end and its reason', async () => {
    const frozen = await startHost({ freezes: [sale] })
    const id = await frozen.approved(enable('checkout'), 'The new checkout')
    const page = await browser.visit({ ...frozen.as('ben', requestPath(id)), timezoneId: 'Europe/Oslo' })
    const { main, button } = requestScreen(page)
    await expectText(main, /Frozen until Mon, 7 Jan 2999, 08:30/)
    await expectText(main, /It can be applied after the freeze\./)
    await requestScreen(page).otherSteps.click()
    await expectText(main, /The freeze "Sale" in production lasts until/)
    expect(await button(/^Apply/).count()).toBe(0)
    await frozen.close()
  })
})
