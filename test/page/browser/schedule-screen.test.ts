import type { Page } from 'playwright-core'
import { ChangeRequestError, type Freeze } from '../../../src'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import type { PersonName } from '../support/people'
import { requestPath } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
// Far from the clock of the machine, so nothing is due by itself. It is a Tuesday.
const now = '2999-01-01T12:00:00Z'
const timezoneId = 'Europe/Berlin'
const sale: Freeze = {
  name: 'Sale',
  reason: 'Sales in all shops',
  from: '2999-01-11T23:00:00Z',
  until: '2999-01-14T23:00:00Z',
}
let freezes: readonly Freeze[]
let host: PageHost

beforeEach(() => {
  freezes = []
})
afterEach(async () => {
  await expectConsistent(host.storage)
  await host.close()
})

async function schedule(title: string, changes: object, who: PersonName, time: object): Promise<number> {
  const id = await host.approved(changes, title, who)
  await host.setState('ben', id, 'Scheduled', time)
  return id
}

/** On at nine, off at five, on again the next day but one; and one of another flag. */
async function startChain() {
  host = await startHost({ freezes: () => freezes })
  const on = await schedule('Banner on', enable('checkout'), 'ann', { scheduledAt: '2999-01-07T08:00:00Z' })
  const off = await schedule('Banner off', enable('checkout', false), 'fay', { after: on, minutesAfter: 480 })
  const time = { after: off, scheduledAt: '2999-01-09T08:00:00Z' }
  const again = await schedule('On again', enable('checkout'), 'gus', time)
  const dark = roll('dark-mode', 'dark-mode-off', '10')
  const other = await schedule('A tenth in the dark', dark, 'hal', { scheduledAt: '2999-01-12T08:00:00Z' })
  freezes = [sale]
  return { on, off, again, other }
}

async function open(path = '/schedule', options: object = {}): Promise<Page> {
  const page = await browser.visit({ ...host.as('ben', path), timezoneId, now, ...options })
  await page.getByRole('heading', { level: 1, name: 'Schedule' }).waitFor()
  return page
}

const list = (page: Page) => page.getByRole('region', { name: 'production of default' }).getByRole('listitem')
const lines = async (page: Page) =>
  (await list(page).allInnerTexts()).map((text) => text.replaceAll(/\n+/g, ' | ').replaceAll(/\p{Zs}/gu, ' '))

interface Mark {
  readonly name: string
  /** In percent of the time line. */
  readonly left: number
  /** The middle, in pixels. */
  readonly top: number
}

/** What the time line shows, in percent of its width. */
function timeLine(page: Page) {
  return page.evaluate<{
    readonly marks: readonly Mark[]
    readonly chains: readonly { readonly from: number; readonly to: number; readonly tops: readonly number[] }[]
    readonly freezes: readonly { readonly name: string; readonly from: number; readonly to: number }[]
    readonly weekends: number
    readonly now: number | undefined
  }>(`(() => {
    const line = document.querySelector('.time-line')
    const { left, width } = line.getBoundingClientRect()
    const percent = (x) => ((x - left) / width) * 100
    const box = (one) => one.getBoundingClientRect()
    const middle = ({ top, height }) => top + height / 2
    const now = line.querySelector('.now-mark')
    return {
      marks: [...line.querySelectorAll('.marks > a')].map((one) => ({
        name: one.textContent, left: percent(box(one.querySelector('svg')).left + 8), top: middle(box(one)),
      })),
      chains: [...line.querySelectorAll('line')].map((one) => {
        const { top } = box(one.ownerSVGElement)
        return {
          from: one.x1.baseVal.valueInSpecifiedUnits, to: one.x2.baseVal.valueInSpecifiedUnits,
          tops: [top + one.y1.baseVal.value, top + one.y2.baseVal.value],
        }
      }),
      freezes: [...line.querySelectorAll('.freeze')].map((one) => ({
        name: one.textContent, from: percent(box(one).left), to: percent(box(one).right),
      })),
      weekends: line.querySelectorAll('.weekend').length,
      now: now === null ? undefined : percent(box(now).left),
    }
  })()`)
}

/** The position of a moment, in percent. */
const positionIn = (from: string, to: string) => (moment: string) =>
  ((Date.parse(moment) - Date.parse(from)) / (Date.parse(to) - Date.parse(from))) * 100

describe('the time line of an environment', () => {
  it('has schedules, chains, freezes and now where they are in time, and the list says the same', async () => {
    const { on, off, again, other } = await startChain()
    const page = await open()
    await page.getByText('Sales in all shops').waitFor()
    expect(await lines(page)).toEqual([
      `Mon 7 Jan, 09:00 | Scheduled | #${on} Banner on checkout | in 5 d 20 h`,
      `Mon 7 Jan, 17:00 | Scheduled | #${off} Banner off checkout | after #${on} · in 6 d 4 h`,
      `Wed 9 Jan, 09:00 | Scheduled | #${again} On again checkout | after #${off} · in 7 d 20 h`,
      'Sat 12 Jan, 00:00 | Freeze | Sale (Sales in all shops) | until Tue 15 Jan, 00:00',
      `Sat 12 Jan, 09:00 | Scheduled | #${other} A tenth in the dark dark-mode | The freeze “Sale” will hold it.`,
    ])
    const at = positionIn('2998-12-31T23:00:00Z', '2999-01-28T23:00:00Z')
    const shown = await timeLine(page)
    const places = ['2999-01-07T08:00:00Z', '2999-01-07T16:00:00Z', '2999-01-09T08:00:00Z', '2999-01-12T08:00:00Z']
    expect(shown.marks.map(({ name }) => name)).toEqual([on, off, again, other].map((id) => `#${id}`))
    for (const [index, { left }] of shown.marks.entries()) expect(left).toBeCloseTo(at(places[index] ?? ''), 0)
    const [first, second, third] = shown.marks as [Mark, Mark, Mark]
    expect(shown.chains).toHaveLength(2)
    for (const [index, [from, to]] of [[first, second] as const, [second, third] as const].entries()) {
      expect(shown.chains[index]?.from).toBeCloseTo(at(places[index] ?? ''), 3)
      expect(shown.chains[index]?.to).toBeCloseTo(at(places[index + 1] ?? ''), 3)
      for (const [end, { top }] of [from, to].entries()) expect(shown.chains[index]?.tops[end]).toBeCloseTo(top, 0)
    }
    expect(shown.freezes).toEqual([
      { name: 'Sale', from: expect.closeTo(at(sale.from), 1), to: expect.closeTo(at(sale.until ?? ''), 1) },
    ])
    expect(shown.now).toBeCloseTo(at(now), 1)
    expect(shown.weekends).toBe(8)
  })

  it('opens change requests, from the list by keyboard and from a mark', async () => {
    const { off, again } = await startChain()
    const page = await open()
    await list(page).getByRole('link', { name: 'Banner off' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Banner off' }).waitFor()
    expect(page.url()).toBe(host.url(requestPath(off)))
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.locator('.marks > a', { hasText: `#${again}` }).click()
    await page.getByRole('heading', { level: 1, name: 'On again' }).waitFor()
  })

  it('has what is held, suspended and failed, also what did not run before the first day', async () => {
    let isLocked = true
    host = await startHost({
      freezes: () => freezes,
      objections: true,
      flags: (gateway) => ({
        ...gateway,
        apply: async (...batch) => {
          if (isLocked) throw new ChangeRequestError('ConflictError', 'The flag is locked.')
          return gateway.apply(...batch)
        },
      }),
    })
    await host.addFlags(['refunds'])
    const runs = (day: number) => ({ scheduledAt: `2999-01-0${day}T08:00:00Z` })
    const failed = await schedule('Search off', enable('new-search', false), 'gus', runs(3))
    const applied = await schedule('Refunds on', enable('refunds'), 'ida', runs(4))
    const held = await schedule('Dark for all', enable('dark-mode'), 'hal', runs(5))
    const suspended = await schedule('Banner on', enable('checkout'), 'ann', runs(8))
    await host.object('cara', suspended, 'Not before the load test.')
    const frost = { name: 'Frost', reason: 'No changes at night', when: { features: ['dark*'] } }
    freezes = [{ ...frost, from: '2999-01-04T23:00:00Z', until: '2999-01-09T23:00:00Z' }]
    await host.runAt(new Date('2999-01-03T08:01:00Z'))
    isLocked = false
    await host.runAt(new Date('2999-01-04T08:01:00Z'))
    await host.runAt(new Date('2999-01-05T08:01:00Z'))
    expect(await host.stateOf(applied)).toBe('Applied')
    const page = await open('/schedule', { now: '2999-01-06T12:00:00Z' })
    await page.getByText('No changes at night').waitFor()
    expect(await lines(page)).toEqual([
      `Thu 3 Jan, 09:01 | Schedule failed | #${failed} Search off new-search | The flag is locked.`,
      'Sat 5 Jan, 00:00 | Freeze | Frost (No changes at night) | until Thu 10 Jan, 00:00, for dark*',
      `Sat 5 Jan, 09:00 | Schedule held | #${held} Dark for all dark-mode | by the freeze “Frost”`,
      `Tue 8 Jan, 09:00 | Schedule suspended | #${suspended} Banner on checkout | A reviewer objected.`,
    ])
    expect((await timeLine(page)).marks.map(({ name, left }) => [name, Math.round(left)])).toEqual([
      [`#${failed}`, 0],
      [`#${held}`, 0],
      [`#${suspended}`, expect.any(Number)],
    ])
  })

  it('is as long as the days are where the clocks change, and nine stays nine', async () => {
    host = await startHost()
    const at = { before: '2999-03-30T08:00:00Z', after: '2999-03-31T07:00:00Z' }
    const before = await schedule('Before', enable('checkout'), 'ann', { scheduledAt: at.before })
    const after = await schedule('After', enable('dark-mode'), 'hal', { scheduledAt: at.after })
    const page = await open('/schedule?from=2999-03-20')
    await expectText(page.getByRole('main'), 'Europe/Berlin, UTC+1, later UTC+2: the clocks change')
    expect(await lines(page)).toEqual([
      expect.stringContaining('Sat 30 Mar, 09:00 | Scheduled'),
      expect.stringContaining('Sun 31 Mar, 09:00 | Scheduled'),
    ])
    const [first, last] = ['2999-03-19T23:00:00Z', '2999-04-16T22:00:00Z'] as const
    expect((await timeLine(page)).marks).toMatchObject([
      { name: `#${before}`, left: expect.closeTo(positionIn(first, last)(at.before), 0) },
      { name: `#${after}`, left: expect.closeTo(positionIn(first, last)(at.after), 0) },
    ])
  })
})

describe('the weeks', () => {
  it('move by keys and buttons, and are in the address', async () => {
    await startChain()
    const page = await open()
    await list(page).first().waitFor()
    await page.keyboard.press(']')
    await expectText(page.getByRole('main'), 'Tue 8 Jan – Mon 4 Feb')
    expect(page.url()).toBe(host.url('/schedule?from=2999-01-08'))
    await expectText(list(page), 'On again')
    expect(await page.getByText('Banner off').count()).toBe(0)
    await page.getByRole('button', { name: 'Week after' }).click()
    await expectText(page.getByRole('main'), 'Nothing is scheduled in these four weeks')
    await page.getByRole('button', { name: 'Today' }).click()
    await expectText(list(page), 'Banner off')
    expect(page.url()).toBe(host.url('/schedule'))
    await page.keyboard.press('[')
    await expectText(page.getByRole('main'), 'Tue, 25 Dec 2998 – Mon 21 Jan')
  })
})

describe('the filter', () => {
  it('narrows it to a flag and a project, which are in the address', async () => {
    await startChain()
    const page = await open()
    await list(page).first().waitFor()
    await page.keyboard.press('f')
    await page.getByLabel('Flag').fill('dark-mode')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('Flag is').waitFor()
    await page.getByText('Banner on').waitFor({ state: 'detached' })
    expect(page.url()).toBe(host.url('/schedule?feature=dark-mode'))
    await expectText(list(page), 'A tenth in the dark')
    await page.keyboard.press('Enter')
    await page.getByLabel('Project').fill('other')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expectText(page.getByRole('main'), 'Nothing is scheduled in these four weeks')
    await page.getByRole('button', { name: 'Show all' }).click()
    await expectText(list(page), 'Banner on')
  })

  it('of a project shows its freezes without any schedule', async () => {
    host = await startHost({ freezes: [sale] })
    const page = await open('/schedule?project=default')
    await expectText(list(page), 'Sales in all shops')
  })
})

describe('more than is read', () => {
  it('is said, of schedules and of environments', async () => {
    const { on } = await startChain()
    const page = await browser.visit({ ...host.as('ben', '/keys'), timezoneId, now })
    // The host has one page: it seems to go on, and each page has other change requests, of another environment.
    let pages = 0
    await page.route('**/api/admin/reviews?*scheduledFrom*', async (route) => {
      const response = await route.fetch({
        url: route
          .request()
          .url()
          .replace(/&cursor=[^&]*/, ''),
      })
      const body = await response.json()
      const row = body.reviews.find(({ id }: { readonly id: number }) => id === on)
      const reviews = Array.from({ length: 11 }, (_, index) => {
        return { ...row, id: pages * 11 + index + 1, environment: `production-${pages * 11 + index}` }
      })
      pages++
      await route.fulfill({ response, json: { ...body, reviews, next: `page-${pages}` } })
    })
    await page.goto(host.url('/schedule'))
    await expectText(page.getByRole('main'), 'Only 500 schedules are shown')
    await expectText(page.getByRole('main'), /The freezes of 50 environments are shown.*There are 55/s)
    expect(pages).toBe(5)
    const read = () => host.received(/change-requests\/freezes/).length
    await until(() => read() >= 50, 'the freezes are read')
    expect(read()).toBe(50)
  })
})

/** The visible controls. */
const controls = `[...document.querySelectorAll('button, input, select, nav, .top, .foot-keys')]
  .filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 80))`

describe('on paper', () => {
  it('it has the time line and the list, black on white, and no controls', async () => {
    await startChain()
    const page = await open('/schedule', { colorScheme: 'dark' })
    await list(page).first().waitFor()
    expect(await page.evaluate<string[]>(controls)).not.toEqual([])
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.evaluate<string[]>(controls)).toEqual([])
    const colours = `['color', 'backgroundColor'].map((name) => getComputedStyle(document.body)[name])`
    expect(await page.evaluate<string[]>(colours)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
    expect(await page.locator('.time-line').isVisible()).toBe(true)
    expect((await lines(page)).length).toBe(5)
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.lane')).breakInside`)).toBe('avoid')
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-')
  })
})
