import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

/** As many as in 5 minutes with 20 events a second. */
const [rounds, perRound] = [300, 20]

describe('a log that is followed', () => {
  it('keeps its heap within 1.5 times its start', async () => {
    const page = await browser.visit(host.as('ben', '/log'))
    const session = await page.context().newCDPSession(page)
    const usedHeap = async () => {
      await session.send('HeapProfiler.collectGarbage')
      return (await session.send('Runtime.getHeapUsage')).usedSize
    }
    const record = async (round: number) => {
      const names = Array.from({ length: perRound }, (_, n) => `flag-${round}-${n}`)
      for (const name of names) await host.recordFlag('default', name)
      const newest = page.getByText(names.at(-1) ?? '').first()
      await until(() => newest.isVisible(), `the events of round ${round} are shown`)
    }
    for (let round = 0; round < 10; round++) await record(round)
    const start = await usedHeap()
    for (let round = 10; round < rounds; round++) await record(round)
    expect((await usedHeap()) / start).toBeLessThanOrEqual(1.5)
  })
})
