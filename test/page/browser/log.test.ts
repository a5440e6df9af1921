import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { EventRow } from '../../../src/ports/storage/events'
import { sampleEvent } from '../../../src/testing/samples'
import { nightly } from '../../support/nightly'
import { useBrowser } from '../support/browser'
import { tabTo } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeAll(async () => {
  host = await startHost()
  await host.changeFlags(roll('checkout', 'checkout-half', '75'), enable('new-search', false))
})
afterAll(() => host.close())

interface Found {
  readonly events: readonly { readonly createdAt: string }[]
}

const events = (page: Page) => page.getByRole('region', { name: 'Events' }).getByRole('listitem')

function flagEvent(featureName: string, createdAt: string): EventRow {
  const event = { ...sampleEvent(null, 'default'), featureName, createdAt }
  const { project, type } = event
  return { ...event, json: JSON.stringify({ createdAt, type, createdBy: 'ann', project, featureName }) }
}

describe('the log', () => {
  it('shows what changed, from which to which value, in words and as JSON', async () => {
    const page = await browser.visit(host.as('ben', '/log'))
    const event = events(page).filter({ hasText: 'checkout' })
    await event.getByRole('button').first().click()
    await expectText(page.getByRole('table'), /Rollout.*50.%.*75.%/)
    await page.getByRole('button', { name: 'JSON' }).click()
    await expectText(page.getByRole('region', { name: /JSON/ }), /"rollout": "75"/)
  })

  it('keeps filters in the URL: back, forward and a reload show the same', async () => {
    const page = await browser.visit(host.as('ben', '/log'))
    await events(page).nth(1).waitFor()
    await page.keyboard.press('f')
    await page.getByRole('button', { name: 'Flag', exact: true }).click()
    await page.locator('input:focus').fill('new-search')
    await page.keyboard.press('Enter')
    const chip = page.getByRole('button', { name: /Remove filter .*new-search/ })
    await chip.waitFor()
    await events(page).filter({ hasText: 'checkout' }).waitFor({ state: 'detached' })
    const filtered = page.url()
    expect(filtered).toContain('new-search')
    await page.goBack()
    await chip.waitFor({ state: 'detached' })
    await page.goForward()
    await chip.waitFor()
    await page.reload()
    await chip.waitFor()
    expect(page.url()).toBe(filtered)
  })

  it('shows scheduled times in the time zone of the viewer', async () => {
    const id = await host.approved(enable('checkout'), 'The new checkout')
    await host.setState('ben', id, 'Scheduled', { scheduledAt: '2999-01-07T06:00:00Z' })
    const page = await browser.visit({ ...host.as('ben', '/log'), timezoneId: 'Asia/Tokyo' })
    await expectText(events(page).first(), /Ben Ode scheduled #1 for Mon, 7 Jan 2999, 15:00/)
  })

  it('has keys for a day in the plot, the next event, and opening it', async () => {
    // The browser's today is the day of the single event, also if midnight was in between.
    const { events: found } = await host.call<Found>('ben', 'GET', '/search/events?feature=IS:new-search')
    const now = found[0]?.createdAt ?? ''
    const [today] = now.split('T')
    const page = await browser.visit({ ...host.as('ben', '/log?feature=new-search'), now })
    await events(page).first().waitFor()
    // Like German keyboards on Windows and macOS; with letters, Alt is a browser shortcut.
    await page.keyboard.press('Control+Alt+[')
    await page.keyboard.press('Alt+[')
    await page.keyboard.press('Alt+e')
    await events(page).first().waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: /NDJSON/ }).count()).toBe(0)
    expect(page.url()).not.toContain(today)
    await tabTo(page.getByRole('slider', { name: 'Day' }))
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await events(page).first().waitFor()
    expect(page.url()).toContain(today)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'JSON' }).waitFor()
  })

  it('has days and times of one time zone, which the URL contains with the days', async () => {
    for (const createdAt of ['2026-11-18T07:30', '2026-11-18T08:30', '2026-11-19T07:30', '2026-11-19T08:30']) {
      await host.storage.appendEvents([flagEvent('zoned', `${createdAt}:00.000Z`)])
    }
    const now = '2026-11-19T12:00:00Z'
    const inZone = (path: string, timezoneId: string) => browser.visit({ ...host.as('ben', path), timezoneId, now })
    const lines = (page: Page) => page.locator('.log-panel').locator('h2, .event time').allTextContents()
    const shows = (page: Page, ...wanted: string[]) =>
      until(async () => `${await lines(page)}` === `${wanted}`, `the log shows ${wanted}`)
    const zone = (page: Page) => page.getByLabel('Time zone')

    const page = await inZone('/log?feature=zoned', 'America/Los_Angeles')
    const all = [
      'Thursday 19 November',
      '00:30',
      'Wednesday 18 November',
      '23:30',
      '00:30',
      'Tuesday 17 November',
      '23:30',
    ]
    await shows(page, ...all)
    await page.keyboard.press('[')
    await shows(page, 'Thursday 19 November', '00:30')
    await page.keyboard.press('[')
    await shows(page, 'Wednesday 18 November', '23:30', '00:30')
    expect(await page.getByRole('slider', { name: 'Day' }).getAttribute('aria-valuetext')).toMatch(/partly shown below/)

    const { search } = new URL(page.url())
    const reader = await inZone(`/log${search}`, 'Asia/Tokyo')
    await shows(reader, 'Wednesday 18 November', '23:30', '00:30')
    expect(await zone(reader).inputValue()).toBe('America/Los_Angeles')

    await zone(page).selectOption('UTC')
    await shows(page, 'Wednesday 18 November', '08:30', '07:30')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.goto(host.url('/log?feature=zoned'))
    const inUtc = ['Thursday 19 November', '08:30', '07:30', 'Wednesday 18 November', '08:30', '07:30']
    await shows(page, ...inUtc)
    await zone(page).selectOption('America/Los_Angeles')
    await shows(page, ...all)
    await tabTo(page.getByRole('slider', { name: 'Day' }))
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await shows(page, 'Wednesday 18 November', '08:30', '07:30')
    expect(await zone(page).inputValue()).toBe('UTC')
    await page.goto(host.url('/log?feature=zoned&from=2026-11-19&zone=Mars/Phobos'))
    await shows(page, 'Thursday 19 November', '08:30', '07:30')
  })

  it('shows this month, the last one and this quarter in the chosen time zone, with their days in the URL', async () => {
    const now = '2026-12-31T15:30:00Z'
    for (const createdAt of ['2026-11-30T14:59', '2026-11-30T15:00', '2026-12-31T15:00']) {
      await host.storage.appendEvents([flagEvent('period', `${createdAt}:00.000Z`)])
    }
    const page = await browser.visit({ ...host.as('ben', '/log'), timezoneId: 'Asia/Tokyo', now })
    const shows = async (period: string, days: string, at: string) => {
      await page.locator('summary', { hasText: 'Days' }).click()
      await page.getByRole('button', { name: period }).click()
      await until(() => page.url().endsWith(`${days}&zone=Asia%2FTokyo`), `the address has ${days}`)
      const found = () =>
        page.locator('.event time').evaluateAll((all) => `${all.map((one) => one.getAttribute('datetime'))}`)
      await until(async () => (await found()) === `${at}:00.000Z`, `the log shows only the event of ${at}`)
    }
    // In Tokyo, the next year has begun.
    await shows('This month', 'from=2027-01-01&to=2027-01-31', '2026-12-31T15:00')
    await shows('Last month', 'from=2026-12-01&to=2026-12-31', '2026-11-30T15:00')
    await shows('This quarter', 'from=2027-01-01&to=2027-03-31', '2026-12-31T15:00')
  })

  it('is low while it has few bars, and scrolls its day away in a low window', async () => {
    const page = await browser.visit({ ...host.as('ben', '/log'), viewport: { width: 320, height: 256 } })
    await events(page).first().waitFor()
    const plot = page.getByRole('region', { name: 'Events per day' })
    expect((await plot.boundingBox())?.height).toBeLessThan(165)
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.day.now')).position`)).toBe('static')
  })

  it('says what the exported file has and has not', async () => {
    const page = await browser.visit(host.as('ben', '/log?feature=new-search'))
    await events(page).first().waitFor()
    await page.keyboard.press('e')
    const menu = page.locator('.menu[open]')
    await expectText(menu, /The file has 1 event\. Filters: flag new-search\. It contains who did what, when and where/)
    await expectText(menu, /no comments and no titles of change requests.*IP addresses only if your app records them/)
  })

  it('exports the filtered events to a file, and shows the progress', async () => {
    const page = await browser.visit(host.as('ben', '/log?feature=new-search'))
    await events(page).first().waitFor()
    const release = host.hold(/^GET .* application\/x-ndjson/)
    const saved = page.waitForEvent('download')
    await page.getByText('Export', { exact: true }).click()
    await page.getByRole('button', { name: /NDJSON/ }).click()
    await page.getByRole('region', { name: 'Export' }).getByRole('progressbar').waitFor()
    release()
    const file = join(tmpdir(), `events-${process.pid}.ndjson`)
    await (await saved).saveAs(file)
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    await rm(file)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { featureName: 'new-search' },
      { trailer: { count: 1 } },
    ])
    await expectText(page.getByRole('region', { name: 'Export' }), /is saved/)
  })

  it('counts each event once, from a read or the stream', async () => {
    const [releaseReads, releaseStream] = [host.hold(/\/activity/), host.hold(/event-stream/)]
    const before = host.received(/event-stream/).length
    const page = await browser.visit(host.as('ben', '/log?type=feature-environment-enabled'))
    await until(() => host.received(/event-stream/).length > before, 'the stream is requested')
    const shown = await events(page).count()
    const read = <T>(path: string) => host.call<T>('ben', 'GET', path)
    const plot = page.getByRole('slider', { name: 'Day' })
    const isInPlot = async () => {
      const [today = ''] = new Date().toISOString().split('T')
      const { days } = await read<{ days: { total: number }[] }>(`/search/events/activity?from=${today}&to=${today}`)
      const words = `, ${days[0]?.total} events`
      await until(async () => (await plot.getAttribute('aria-valuetext'))?.includes(words) === true, words)
    }
    const isInHead = async () => {
      const { total } = await read<{ total: number }>('/search/events?limit=1')
      await expectText(page.locator('.page-head'), new RegExp(`${new Intl.NumberFormat('en').format(total)} events`))
    }
    await host.changeFlags(enable('new-search'))
    releaseReads()
    await isInPlot()
    releaseStream()
    await until(async () => (await events(page).count()) > shown, 'the stream has it')
    await isInPlot()
    await isInHead()
    await host.changeFlags(roll('checkout', 'checkout-half', '80'))
    await isInPlot()
    await isInHead()
  })

  it('has no heading of another day for a day without events', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const page = await browser.visit(host.as('ben', `/log?from=${today}&to=${today}`))
    const events = page.getByRole('region', { name: 'Events', exact: true })
    const day = await events.getByRole('heading').first().textContent()
    await page.getByRole('slider', { name: 'Day' }).waitFor()
    await page.keyboard.press('[')
    await events.getByRole('heading', { name: 'No event fits these filters' }).waitFor()
    expect(await events.getByRole('heading').first().textContent()).not.toBe(day)
  })
})

nightly('a long log', () => {
  it('drops distant events, reads them again, and returns to its position after a reload', async () => {
    const minutes = Array.from({ length: 2_600 }, (_, minute) => Date.UTC(2026, 0, 1) + minute * 60_000)
    const rows = minutes.map((at) => flagEvent('long', new Date(at).toISOString()))
    await host.storage.appendEvents(rows)
    const page = await browser.visit(host.as('ben', '/log?feature=long'))
    const end = page.getByText('No older events.')
    const again = /limit=300&after=/
    const top = () => page.evaluate<number>('scrollY')
    const times = page.locator('.event time')
    await events(page).first().waitFor()
    expect(await times.first().getAttribute('datetime')).toBe('2026-01-02T19:19:00.000Z')
    await until(async () => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      return end.isVisible()
    }, 'the log is at its end')
    expect(host.received(again)).toEqual([])
    await until(() => page.evaluate<boolean>('history.state?.top === scrollY'), 'the entry keeps its place')

    const before = await top()
    const shown = await times.last().getAttribute('datetime')
    await page.reload()
    await end.waitFor()
    // Heights of rows that were never visible are estimates.
    await until(async () => Math.abs((await top()) - before) < 30, 'the page is where it was')
    expect(await times.last().getAttribute('datetime')).toBe(shown)

    await page.mouse.move(640, 400)
    await until(async () => {
      await page.mouse.wheel(0, -3_000)
      return (await top()) === 0 && (await times.first().getAttribute('datetime')) === '2026-01-02T19:19:00.000Z'
    }, 'the newest event is there again')
    expect(host.received(again).length).toBeGreaterThan(0)
  })
})
