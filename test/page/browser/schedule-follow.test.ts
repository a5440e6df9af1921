import type { Locator, Page } from 'playwright-core'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import type { PersonName } from '../support/people'
import { expectOff, requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
// Far from the clock of the machine, so nothing is due by itself.
const now = '2999-01-01T12:00:00Z'
const berlin = 'Europe/Berlin'
const nine = { scheduledAt: '2999-01-07T08:00:00.000Z' }
let host: PageHost
/** Scheduled for nine, and one of the same flag that is only approved. */
let ids: { readonly on: number; readonly off: number }

beforeEach(async () => {
  host = await startHost({ objections: true })
  const on = await host.approved(enable('checkout'), 'Banner on')
  await host.setState('ben', on, 'Scheduled', nine)
  ids = { on, off: await host.approved(enable('checkout', false), 'Banner off', 'fay') }
})
afterEach(async () => {
  await expectConsistent(host.storage)
  await host.close()
})

async function open(id: number, options: object = {}, who: PersonName = 'ben') {
  const page = await browser.visit({ ...host.as(who, requestPath(id)), timezoneId: berlin, now, ...options })
  const screen = requestScreen(page)
  await screen.state.waitFor()
  const { dialog } = screen
  return {
    ...{ page, ...screen },
    runs: dialog.locator('#runs'),
    submit: dialog.locator('button[type=submit]'),
    day: dialog.getByLabel('Day'),
    time: dialog.getByLabel('Time', { exact: true }),
    minutes: dialog.getByRole('spinbutton', { name: 'Minutes after' }),
  }
}

/** Presses the button; returns the body that the page sent. */
async function send(page: Page, button: Locator): Promise<Record<string, unknown>> {
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await button.click()
  const { digest, ...body } = (await sent).postDataJSON()
  expect(digest).toMatch(/^\w/)
  return body
}

const follow = () => host.setState('ben', ids.off, 'Scheduled', { after: ids.on, minutesAfter: 480 })

describe('a schedule that follows another one', () => {
  it('is linked from the sentence about schedules that suspend each other, some minutes later', async () => {
    await host.setState('ben', ids.off, 'Scheduled', { scheduledAt: '2999-01-08T16:00:00Z' })
    const { page, main, state, button, dialog, runs, submit, minutes } = await open(ids.off)
    await expectText(main, /Another schedule changes the same.*Banner on.*Whichever runs first suspends the other/s)
    await button(`Schedule this after #${ids.on}…`).click()
    await dialog.getByRole('radio', { name: 'Some minutes after' }).check()
    await expectOff(submit)
    await minutes.fill('0')
    await expectText(dialog, 'Enter 1 to 525,600 minutes.')
    await minutes.fill('480')
    await expectText(runs, `Mon 7 Jan, 17:00 · in 6 d 4 h, after #${ids.on}`)
    const body = await send(page, button(`Schedule 8 h after #${ids.on}`, dialog))
    expect(body).toEqual({ state: 'Scheduled', after: ids.on, minutesAfter: 480 })
    await expectText(state, /Scheduled.*Mon 7 Jan, 17:00/s)
    await expectText(main, `8 h after #${ids.on} Banner on, scheduled for Mon 7 Jan, 09:00`)
    await expectText(main, `It is applied on Mon 7 Jan, 17:00, after #${ids.on}. Nobody has to act.`)
    expect(await main.getByText('Whichever runs first').count()).toBe(0)
    const other = await open(ids.on)
    await expectText(other.main, `Followed by #${ids.off} Banner off, on Mon 7 Jan, 17:00`)
    expect(await other.main.getByText('Whichever runs first').count()).toBe(0)
  })

  it('is compared with the flags as its predecessor leaves them', async () => {
    await follow()
    const { main } = await open(ids.off)
    const row = main.getByRole('row').filter({ hasText: 'Flag' })
    await expectText(main, `After #${ids.on}, Mon 7 Jan, 09:00`)
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      expect.stringMatching(/on$/),
      expect.stringMatching(/off$/),
    ])
  })

  it('can have a time of its own, later than the other one, and keeps it until another one is chosen', async () => {
    const { page, button, dialog, runs, submit, day, time } = await open(ids.off)
    await button('Schedule…').first().click()
    await dialog.getByLabel('After (optional)').selectOption({ label: `#${ids.on} Banner on, Mon 7 Jan, 09:00` })
    await day.fill('2999-01-07')
    await time.fill('09:00')
    await expectText(runs, `Choose a time after #${ids.on}, on Mon 7 Jan, 09:00`)
    await expectOff(submit)
    await time.fill('17:00')
    const scheduledAt = '2999-01-07T16:00:00.000Z'
    expect(await send(page, button('Schedule for Mon 7 Jan, 17:00', dialog))).toEqual({
      ...{ state: 'Scheduled', after: ids.on, scheduledAt },
    })
    await button('Schedule again…').click()
    expect(await send(page, submit)).toEqual({ state: 'Scheduled', after: ids.on, scheduledAt })
    await button('Schedule again…').click()
    await dialog.getByLabel('After (optional)').selectOption({ label: 'No other schedule' })
    expect(await send(page, submit)).toEqual({ state: 'Scheduled', scheduledAt })
    await expectText(requestScreen(page).main, 'Whichever runs first suspends the other')
  })

  it('409: the reason is shown, and what was entered is kept', async () => {
    const { button, dialog, submit, minutes } = await open(ids.off, { behind: true })
    await button('Schedule…').first().click()
    await dialog.getByLabel('After (optional)').selectOption(String(ids.on))
    await dialog.getByRole('radio', { name: 'Some minutes after' }).check()
    await minutes.fill('480')
    await host.object('cara', ids.on, 'Not before the load test.')
    await submit.click()
    await expectText(
      dialog,
      `Change request #${ids.on} is scheduled, but suspended. Follow one whose schedule is pending.`,
    )
  })

  it('can be preset before the approval', async () => {
    const later = await host.inReview(enable('checkout', false), 'Banner off, later', 'gus')
    const { page, main, button, dialog, minutes } = await open(later)
    await button('Schedule…').first().click()
    await dialog.getByLabel('After (optional)').selectOption(String(ids.on))
    expect(await dialog.getByRole('radio', { name: 'As soon as it is approved' }).count()).toBe(0)
    await dialog.getByRole('radio', { name: 'Some minutes after' }).check()
    await minutes.fill('90')
    const sent = await send(page, button(`Schedule 1 h 30 min after #${ids.on}`, dialog))
    expect(sent).toEqual({ after: ids.on, minutesAfter: 90 })
    await expectText(main, `To be applied 1 h 30 min after #${ids.on}`)
    await expectText(main, `Your approval applies this 1 h 30 min after #${ids.on}.`)
  })
})

describe('a schedule that another one follows', () => {
  beforeEach(follow)

  it('names it in its confirmations', async () => {
    const words = `This suspends #${ids.off}, which follows it, until it is scheduled again.`
    const { main, button, dialog } = await open(ids.on)
    await expectText(main.getByRole('region', { name: 'Votes' }), words)
    for (const step of ['Object…', 'Reject…']) {
      await button(step).first().click()
      await expectText(dialog, words)
      await button('Back to review', dialog).click()
    }
    await button('Schedule again…').click()
    await expectText(dialog, `#${ids.off} (Mon 7 Jan, 17:00) must come later`)
  })

  it('does not release it when an objection is lifted, which both say', async () => {
    const { main } = await open(ids.on, {}, 'cara')
    await host.object('cara', ids.on, 'Not before the load test.')
    await expectText(main, `Lifting it does not release #${ids.off}, which must be scheduled again.`)
    const follower = await open(ids.off)
    await expectText(follower.main, `It follows change request #${ids.on}, which was suspended.`)
    await expectText(
      follower.main,
      `stays suspended until it is scheduled again, also if an objection to #${ids.on} is lifted`,
    )
    await expectText(follower.main, `8 h after #${ids.on} Banner on, which is suspended`)
  })

  it('is suspended by applying the other one first, which the step says', async () => {
    const { main } = await open(ids.off)
    await expectText(main, `This suspends #${ids.on}, which it follows.`)
  })

  it('is switched back by a draft, whose schedule is proposed to follow it', async () => {
    const { page, button, dialog } = await open(ids.on, {}, 'mia')
    await button('Switch back at…').click()
    await expectText(dialog, `This restores the values of now, some time after #${ids.on} was applied.`)
    expect(await button('Apply in emergency', dialog).count()).toBe(0)
    await button('Send to review', dialog).click()
    await page.waitForURL(/change-requests\/3$/)
    await expectText(requestScreen(page).state, /In review/)
    const reviewer = await open(3)
    await expectText(reviewer.main, `Reverts #${ids.on}.`)
    await reviewer.button('Schedule…').first().click()
    expect(await reviewer.dialog.getByLabel('After (optional)').inputValue()).toBe(String(ids.on))
    expect(await reviewer.day.inputValue()).toBe('2999-01-07')
    expect(await reviewer.time.inputValue()).toBe('')
    await reviewer.time.fill('17:00')
    expect(await send(reviewer.page, reviewer.submit)).toEqual({
      after: ids.on,
      scheduledAt: '2999-01-07T16:00:00.000Z',
    })
  })

  it('has a dialog without findings of axe-core on a phone, which does not scroll sideways', async () => {
    const { page, button, dialog } = await open(ids.off, { viewport: { width: 320, height: 800 } })
    expect(await findings(page)).toEqual([])
    await button('Schedule again…').click()
    await dialog.getByRole('spinbutton', { name: 'Minutes after' }).waitFor()
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('radio', { name: 'At a time' }).check()
    await dialog.getByLabel('Day').fill('2999-03-31')
    await dialog.getByLabel('Time', { exact: true }).fill('02:30')
    await expectText(dialog, 'this time does not exist')
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
  })
})

interface Change {
  readonly zone: string
  /** The days on which an hour is skipped, and on which one comes twice. */
  readonly skipped: readonly [day: string, time: string, choices: readonly [string, string], moment: string]
  readonly twice: readonly [day: string, time: string, choices: readonly [string, string], moment: string]
}

const changes: readonly Change[] = [
  {
    zone: 'Pacific/Auckland',
    skipped: ['2999-09-29', '02:30', ['01:30 UTC+12', '03:30 UTC+13'], '2999-09-28T14:30:00.000Z'],
    twice: ['2999-04-07', '02:30', ['02:30 UTC+13', '02:30 UTC+12'], '2999-04-06T14:30:00.000Z'],
  },
  {
    zone: berlin,
    skipped: ['2999-03-31', '02:30', ['01:30 UTC+1', '03:30 UTC+2'], '2999-03-31T01:30:00.000Z'],
    twice: ['2999-10-27', '02:30', ['02:30 UTC+2', '02:30 UTC+1'], '2999-10-27T01:30:00.000Z'],
  },
  {
    zone: 'America/Los_Angeles',
    skipped: ['2999-03-10', '02:30', ['01:30 UTC−8', '03:30 UTC−7'], '2999-03-10T10:30:00.000Z'],
    twice: ['2999-11-03', '01:30', ['01:30 UTC−7', '01:30 UTC−8'], '2999-11-03T09:30:00.000Z'],
  },
]

describe('a time at which the clocks change', () => {
  it.each(changes)('is asked in $zone: the hour that does not exist, and the one that comes twice', async (change) => {
    const { page, button, dialog, runs, submit, day, time, state } = await open(ids.off, { timezoneId: change.zone })
    for (const [kind, [on, at, choices, moment]] of [
      ['this time does not exist', change.skipped],
      ['this time occurs twice', change.twice],
    ] as const) {
      await button(/^Schedule( again)?…/)
        .first()
        .click()
      await day.fill(on)
      await time.fill(at)
      await expectText(dialog, kind)
      await expectText(runs, 'Choose one of the two times')
      await expectOff(submit)
      const asked = dialog.getByRole('group', { name: kind }).getByRole('button')
      expect(await asked.allInnerTexts()).toEqual(choices)
      // The later one, by keyboard.
      await asked.last().press('Enter')
      expect(await asked.last().getAttribute('aria-pressed')).toBe('true')
      expect(await send(page, submit)).toEqual({ state: 'Scheduled', scheduledAt: moment })
      await dialog.waitFor({ state: 'detached' })
      await expectText(state, /Scheduled/)
    }
  })

  it.each([
    ['Pacific/Auckland', 'UTC+12, later UTC+13', '2999-09-28 2999-09-27T21:00', '2999-09-30 2999-09-29T20:00'],
    [berlin, 'UTC+1, later UTC+2', '2999-03-30 2999-03-30T08:00', '2999-04-01 2999-04-01T07:00'],
    ['America/Los_Angeles', 'UTC−7, later UTC−8', '2999-11-02 2999-11-02T16:00', '2999-11-04 2999-11-04T17:00'],
  ])('does not move nine in %s', async (timezoneId, offsets, ...times) => {
    const { page, button, day, time, submit, dialog } = await open(ids.off, { timezoneId })
    for (const words of times) {
      const [on = '', moment] = words.split(' ')
      await button(/^Schedule( again)?…/)
        .first()
        .click()
      await day.fill(on)
      await time.fill('09:00')
      expect(await send(page, submit)).toEqual({ state: 'Scheduled', scheduledAt: `${moment}:00.000Z` })
      await dialog.waitFor({ state: 'detached' })
    }
    await page.goto(host.url(`/schedule?from=${times[0]?.slice(0, 10)}`))
    await expectText(page.getByRole('main'), `${timezoneId}, ${offsets}: the clocks change`)
    await expectText(page.getByRole('listitem'), /09:00.*Banner off/s)
  })
})
